import type { Settings } from '../../operation';
import { boundMsOf } from '../backoff-bound';
import { backoffGroupsOf, pairsByStep, type BackoffGroup } from './backoff-pairs';
import { operationIdsOf, type StreamCheck, type StreamHit, type StreamWindow } from './stream';

/**
 * M9: gaps that a backoff decided and that don't spread. `none`: their spread (standard deviation ÷ mean) is below a
 * tenth, as shares of their bounds or inside every step; ±10 % is none in practice. `partial`, only where full jitter
 * is the rule or declared (X16): the shares are further from even than chance allows (Kolmogorov–Smirnov, 5 %).
 */

/** A step with fewer pairs says nothing of its spread. */
const STEP_PAIRS_MIN = 5;
const KS_FACTOR = 1.36;

function spreadOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (mean === 0) return 0;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return Math.sqrt(variance) / mean;
}

/** Largest distance between the values' distribution and the even one on 0…1. */
function distanceFromEven(shares: readonly number[]): number {
  const sorted = shares.map((share) => Math.min(1, share)).sort((a, b) => a - b);
  const n = sorted.length;
  return sorted.reduce((most, share, at) => Math.max(most, (at + 1) / n - share, share - at / n), 0);
}

interface Shares {
  values: number[];
  excluded: number;
  approx: boolean;
}

/** Gaps as shares of their bounds. Without a base it is estimated from the first step alone. */
function sharesOf({ pairs, baseMs, capMs }: BackoffGroup, settings: Settings): Shares {
  const least = pairs.reduce((step, pair) => Math.min(step, pair.step), Infinity);
  const used = baseMs === undefined ? pairs.filter(({ step }) => step === least) : pairs;
  const longest = used.reduce((most, { gapMs }) => Math.max(most, gapMs), 0);
  const all = used.map(({ step, gapMs }) => {
    // A bound of nothing gives no number, or none that is small enough.
    return gapMs / (baseMs === undefined ? longest : boundMsOf(step, baseMs, capMs));
  });
  const values = all.filter((share) => share <= settings.jitterOverFactor);
  return { values, excluded: all.length - values.length, approx: baseMs === undefined };
}

/** Spread inside every step that has enough pairs; null when those hold too few in all. */
function widestStepSpread({ pairs }: BackoffGroup, pairsMin: number): number | null {
  const steps = [...pairsByStep(pairs).values()].filter((step) => step.length >= STEP_PAIRS_MIN);
  const count = steps.reduce((sum, step) => sum + step.length, 0);
  if (count < pairsMin) return null;
  return steps.reduce((most, step) => Math.max(most, spreadOf(step.map(({ gapMs }) => gapMs))), 0);
}

function judge(group: BackoffGroup, settings: Settings, window: StreamWindow): StreamHit[] {
  const pairsMin = settings.jitterPairsMinCount;
  const shares = sharesOf(group, settings);
  const enough = shares.values.length >= pairsMin;
  const spread = enough ? spreadOf(shares.values) : null;
  const stepSpread = widestStepSpread(group, pairsMin);
  const isNone = (value: number | null): boolean => value !== null && value < settings.jitterSpreadMinShare;
  const none = isNone(spread) || isNone(stepSpread);
  const distance = enough && group.fullJitter ? distanceFromEven(shares.values) : null;
  const distanceMax = KS_FACTOR / Math.sqrt(shares.values.length);
  if (!none && (distance === null || distance <= distanceMax)) return [];
  return [
    {
      check: 'no_jitter',
      severity: 'low',
      subject: { kind: 'service', value: group.service },
      at: window.from,
      evidence: {
        grade: none ? 'none' : 'partial',
        pairs: group.pairs.length,
        excluded: shares.excluded,
        spread: isNone(stepSpread) ? stepSpread : spread,
        distance,
        distanceMax: distance === null ? null : distanceMax,
        baseMs: group.baseMs ?? null,
        capMs: group.capMs ?? null,
        approx: shares.approx,
        operationIds: operationIdsOf(group.pairs.map(({ send }) => send)),
      },
    },
  ];
}

export const findNoJitter: StreamCheck = {
  check: 'no_jitter',
  groupBy: 'service',
  lookBackMs: () => 0,
  lookAheadMs: () => 0,
  find({ sends, settings, window }) {
    const inside = sends.filter(({ startAt }) => startAt >= window.from && startAt < window.to);
    return backoffGroupsOf(inside).flatMap((group) => judge(group, settings, window));
  },
};
