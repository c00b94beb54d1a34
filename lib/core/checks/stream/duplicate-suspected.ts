import type { JobResult } from '../../attempt';
import type { Settings } from '../../operation';
import { makesNothingNew } from '../check';
import { byStartAt, groupSends, operationIdsOf, type StreamCheck, type StreamHit, type StreamSend } from './stream';

/**
 * M15 across operations. `confirmed`: two jobs under one key. `possible`: two operations wrote the same request to the
 * same scope within a day and succeeded, and one of them had a send that nobody could vouch for. Legitimately equal
 * writes look alike, so never more than possible; where the request makes no new thing, it is only noted.
 */

function succeeded(send: StreamSend): boolean {
  if (send.kind !== 'write' || send.action !== 'none') return false;
  return send.effect === 'applied' && send.rule !== 'AGENT_WRITE_ALREADY_EXECUTED';
}

function hitOf(send: StreamSend, first: StreamSend, level: 'confirmed' | 'possible', more: object): StreamHit {
  const lowest = makesNothingNew(send.method, send.call) ? ('info' as const) : ('low' as const);
  return {
    check: 'duplicate_suspected',
    severity: level === 'confirmed' ? 'critical' : lowest,
    attempt: send.attempt,
    operationId: send.operationId,
    subject: { kind: 'operation', value: send.operationId },
    at: send.startAt,
    evidence: {
      level,
      firstOperationId: first.operationId,
      apartMs: send.startAt - first.startAt,
      extraEffects: 1,
      ...more,
      operationIds: operationIdsOf([first, send]),
    },
  };
}

/**
 * The last success of each operation, in order of time. A stored answer given once more speaks of an earlier send: of
 * its own operation's unclear one, which then had its effect, else of somebody else's.
 * @param sorted by time
 */
function successesOf(sorted: readonly StreamSend[]): StreamSend[] {
  const last = new Map<string, StreamSend>();
  const unclear = new Set<string>();
  for (const send of sorted) {
    if (succeeded(send) && (!send.replayed || unclear.has(send.operationId))) last.set(send.operationId, send);
    if (send.effect === 'possible') unclear.add(send.operationId);
  }
  return [...last.values()].sort(byStartAt);
}

/** Each success with the one before it: of many equal writes one doubt concerns its neighbours alone. */
function findEqualWrites(sends: readonly StreamSend[], lookBackMs: number): StreamHit[] {
  const doubtful = new Set(sends.filter(({ effect }) => effect === 'possible').map(({ operationId }) => operationId));
  let before: StreamSend | undefined;
  return successesOf(sends).flatMap((send) => {
    const first = before;
    before = send;
    if (!first || send.startAt - first.startAt > lookBackMs) return [];
    if (!doubtful.has(send.operationId) && !doubtful.has(first.operationId)) return [];
    // One server key makes one effect, whichever operation carries it (X7).
    if (send.serverKey !== null && send.serverKey === first.serverKey) return [];
    return [hitOf(send, first, 'possible', { by: 'request' })];
  });
}

/** Every job once, with the one made before it under the same key. */
function findJobsOfKey(sends: readonly StreamSend[], failed: ReadonlySet<string>, lookBackMs: number): StreamHit[] {
  const known = new Set<string>();
  let first: StreamSend | undefined;
  return successesOf(sends).flatMap((send) => {
    const { jobId } = send;
    if (jobId === undefined || failed.has(jobId) || known.has(jobId)) return [];
    known.add(jobId);
    const before = first;
    first = send;
    if (!before || send.startAt - before.startAt > lookBackMs) return [];
    return [hitOf(send, before, 'confirmed', { by: 'key', jobIds: [before.jobId, jobId] })];
  });
}

function failedJobsOf(jobs: readonly JobResult[]): ReadonlySet<string> {
  return new Set(jobs.filter(({ result }) => result === 'failed').map(({ jobId }) => jobId));
}

function requestKeyOf({ kind, fingerprint, scope, target }: StreamSend): string | undefined {
  return kind !== 'write' || fingerprint === undefined ? undefined : `${scope ?? target ?? ''}\u0000${fingerprint}`;
}

export const findDuplicateSuspected: StreamCheck = {
  check: 'duplicate_suspected',
  groupBy: 'fingerprint',
  lookBackMs: (settings: Settings) => settings.duplicateLookBackMs,
  lookAheadMs: () => 0,
  find({ sends, facts, settings }) {
    const sorted = [...sends].sort(byStartAt);
    const requests = [...groupSends(sorted, requestKeyOf).values()];
    const keys = [...groupSends(sorted, ({ keyHash }) => keyHash || undefined).values()];
    const failed = failedJobsOf(facts.jobs);
    const confirmed = keys.flatMap((group) => findJobsOfKey(group, failed, settings.duplicateLookBackMs));
    const told = new Set(confirmed.map(({ operationId }) => operationId));
    const possible = requests.flatMap((group) => findEqualWrites(group, settings.duplicateLookBackMs));
    return [...confirmed, ...possible.filter(({ operationId }) => !told.has(operationId))];
  },
};
