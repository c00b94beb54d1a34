import type { Settings } from '../../operation';
import {
  byStartAt,
  groupSends,
  operationIdsOf,
  scopeKeyOf,
  type StreamCheck,
  type StreamHit,
  type StreamInput,
  type StreamSend,
} from './stream';

/**
 * M21 across operations: QUEUE_OVERFLOW followed by as many calls at once as before, and an AGENT_WRITE_ALREADY_EXECUTED
 * that no DELETE of the same scope preceded although the time before it was looked at.
 */

/** How many sends of the scope were under way when each of them started, itself included. */
function concurrencyAtStart(sorted: readonly StreamSend[]): number[] {
  // A send that took no time, or whose end nobody told, is under way in its own moment.
  const ends = sorted.map(({ startAt, endAt }) => Math.max(endAt, startAt + 1)).sort((a, b) => a - b);
  let ended = 0;
  return sorted.map(({ startAt }, at) => {
    while ((ends[ended] ?? Infinity) <= startAt) ended++;
    return at + 1 - ended;
  });
}

function findUnchangedLoad(sorted: readonly StreamSend[], settings: Settings): StreamHit[] {
  if (!sorted.some(({ rule }) => rule === 'QUEUE_OVERFLOW')) return [];
  const load = concurrencyAtStart(sorted);
  let quietUntil = -Infinity;
  return sorted.flatMap((send, at) => {
    if (send.rule !== 'QUEUE_OVERFLOW' || send.startAt < quietUntil) return [];
    const before = load[at] ?? 0;
    if (before < 2) return [];
    const until = send.refAt + settings.overflowWindowMs;
    let after = 0;
    for (let next = at + 1; next < sorted.length; next++) {
      const startAt = sorted[next]?.startAt ?? Infinity;
      if (startAt > until) break;
      if (startAt > send.refAt) after = Math.max(after, load[next] ?? 0);
    }
    if (after < before) return [];
    quietUntil = until;
    const evidence = { anomalies: ['load_unchanged_after_overflow'], code: send.code, before, after };
    return [anomalyOf(send, evidence)];
  });
}

function anomalyOf(send: StreamSend, evidence: Record<string, unknown>): StreamHit {
  return {
    check: 'contract_anomaly',
    severity: 'low',
    attempt: send.attempt,
    operationId: send.operationId,
    subject: { kind: 'operation', value: send.operationId },
    at: send.startAt,
    evidence: { ...evidence, operationIds: operationIdsOf([send]) },
  };
}

function findLoneAnswers(
  sorted: readonly StreamSend[],
  { window, seenFrom = window.from, settings }: StreamInput,
): StreamHit[] {
  const { agentDeleteWindowMs } = settings;
  return sorted.flatMap((send, at) => {
    // Sends of its own operation are the operation check's.
    if (send.rule !== 'AGENT_WRITE_ALREADY_EXECUTED' || send.previous !== null || send.kind !== 'write') return [];
    if (send.startAt - agentDeleteWindowMs < seenFrom) return [];
    for (let before = at - 1; before >= 0; before--) {
      const first = sorted[before];
      if (!first || send.startAt - first.startAt > agentDeleteWindowMs) break;
      if (first.method === 'DELETE' || first.call === send.call) return [];
    }
    return [anomalyOf(send, { anomalies: ['no_first_delete'], code: send.code })];
  });
}

export const findContractAnomaly: StreamCheck = {
  check: 'contract_anomaly',
  groupBy: 'scope',
  lookBackMs: (settings) => Math.max(settings.agentDeleteWindowMs, settings.overflowWindowMs),
  lookAheadMs: (settings) => settings.overflowWindowMs,
  find(input) {
    return [...groupSends(input.sends, scopeKeyOf).values()].flatMap((group) => {
      const sorted = [...group].sort(byStartAt);
      return [...findUnchangedLoad(sorted, input.settings), ...findLoneAnswers(sorted, input)];
    });
  },
};
