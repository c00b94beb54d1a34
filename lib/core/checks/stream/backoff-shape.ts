import type { Settings } from '../../operation';
import { boundMsOf } from '../backoff-bound';
import { backoffGroupsOf, pairsByStep, type BackoffGroup } from './backoff-pairs';
import { operationIdsOf, type StreamCheck, type StreamHit, type StreamWindow } from './stream';

/**
 * M23: only where full jitter is the rule or declared (X16). The middle gap of a step should lie near half of its
 * bound. A gap over the cap is found in its own operation.
 */

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? upper) + upper) / 2;
}

function judge(group: BackoffGroup, settings: Settings, window: StreamWindow): StreamHit[] {
  const { baseMs, capMs, pairs, service } = group;
  if (baseMs === undefined || baseMs <= 0) return [];
  const steps = [...pairsByStep(pairs)].flatMap(([step, own]) => {
    if (own.length < settings.backoffPairsMinCount) return [];
    const expectedMs = boundMsOf(step, baseMs, capMs) / 2;
    const medianMs = medianOf(own.map(({ gapMs }) => gapMs));
    const off = Math.abs(medianMs - expectedMs) > expectedMs * settings.backoffMedianShare;
    return off ? [{ step: step + 1, pairs: own.length, medianMs, expectedMs }] : [];
  });
  const [first] = steps.sort((a, b) => a.step - b.step);
  if (!first) return [];
  return [
    {
      check: 'backoff_shape',
      severity: 'low',
      subject: { kind: 'service', value: service },
      at: window.from,
      evidence: {
        kind: 'median_off',
        ...first,
        steps,
        operationIds: operationIdsOf(pairs.map(({ send }) => send)),
      },
    },
  ];
}

export const findBackoffShape: StreamCheck = {
  check: 'backoff_shape',
  groupBy: 'service',
  lookBackMs: () => 0,
  lookAheadMs: () => 0,
  find({ sends, settings, window }) {
    const inside = sends.filter(({ startAt }) => startAt >= window.from && startAt < window.to);
    return backoffGroupsOf(inside)
      .filter(({ fullJitter }) => fullJitter)
      .flatMap((group) => judge(group, settings, window));
  },
};
