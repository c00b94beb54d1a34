import type { AuthRefresh } from '../../attempt';
import type { Settings } from '../../operation';
import {
  byStartAt,
  byStartedAt,
  groupSends,
  operationIdsOf,
  type StreamCheck,
  type StreamHit,
  type StreamInput,
  type StreamSend,
} from './stream';

/**
 * M13 across operations. (c) renewals of one credential that fail again and again, (d) renewals in flight together,
 * (b) a chain of follow-up operations that is refused again after a renewal. Within one operation: the check of the
 * same name beside this folder.
 */

function hitOf(
  credential: string,
  at: number,
  severity: 'high' | 'medium',
  evidence: Record<string, unknown>,
  users: readonly StreamSend[],
): StreamHit {
  const own = { ...evidence, operationIds: operationIdsOf(users) };
  return { check: 'auth_loop', severity, subject: { kind: 'credential', value: credential }, at, evidence: own };
}

/** (c): told once, where the count is reached, and again only after a renewal that worked or a quiet time. */
function findFailedRenewals(
  refreshes: readonly AuthRefresh[],
  users: readonly StreamSend[],
  settings: Settings,
): StreamHit[] {
  let failures: number[] = [];
  let told = false;
  return refreshes.flatMap(({ credential, startedAt, ok }) => {
    // No more are kept than it takes to tell.
    const recent = failures
      .slice(1 - settings.authFailuresMinCount)
      .filter((at) => startedAt - at <= settings.authWindowMs);
    failures = ok ? [] : [...recent, startedAt];
    if (failures.length < settings.authFailuresMinCount) told = false;
    if (told || failures.length < settings.authFailuresMinCount) return [];
    told = true;
    const spanMs = startedAt - (failures[0] ?? startedAt);
    return [hitOf(credential, startedAt, 'high', { kind: 'renewal_fails', failures: failures.length, spanMs }, users)];
  });
}

/** (d): only starts are known, so two that began within a short time count. Callers who share one renewal name its start. */
function findRenewalsInFlight(
  refreshes: readonly AuthRefresh[],
  users: readonly StreamSend[],
  settings: Settings,
): StreamHit[] {
  return refreshes.flatMap(({ credential, startedAt }, at) => {
    const before = refreshes[at - 1];
    if (!before) return [];
    const apartMs = startedAt - before.startedAt;
    if (apartMs <= 0 || apartMs > settings.authFlightMs) return [];
    return [hitOf(credential, startedAt, 'medium', { kind: 'renewals_in_flight', apartMs }, users)];
  });
}

/** Longer chains of follow-ups are not walked to their end. */
const CHAIN_OPERATIONS_MAX = 50;

/** Sends of an operation's ancestors that came before it, then its own. */
function chainOf(own: readonly StreamSend[], byOperation: ReadonlyMap<string, StreamSend[]>): StreamSend[] {
  let chain = [...own];
  const seen = new Set<string>();
  for (let first = chain[0]; first?.parentOperationId !== undefined; first = chain[0]) {
    const { parentOperationId, operationId, startAt } = first;
    seen.add(operationId);
    if (seen.has(parentOperationId) || seen.size >= CHAIN_OPERATIONS_MAX) return chain;
    const before = (byOperation.get(parentOperationId) ?? []).filter((send) => send.startAt < startAt);
    if (before.length === 0) return chain;
    chain = [...before, ...chain];
  }
  return chain;
}

/** (b): more than one follow-up. A follow-up operation is taken for one after a renewal (X10). */
function findInChain(chain: readonly StreamSend[], operationId: string): StreamHit[] {
  let followUps = 0;
  let failures = 0;
  for (const [at, send] of chain.entries()) {
    const before = chain[at - 1];
    if (before?.authRefused && (before.operationId !== send.operationId || send.reason === 'reauth')) followUps++;
    if (followUps === 0) continue;
    if (send.authRefused) failures++;
    if (failures < 2 && followUps < 2) continue;
    if (send.operationId !== operationId) return [];
    return [
      {
        check: 'auth_loop',
        severity: 'high',
        attempt: send.attempt,
        operationId,
        subject: { kind: 'operation', value: operationId },
        at: send.startAt,
        evidence: {
          kind: 'renewed_in_vain',
          renewals: followUps,
          refusals: failures,
          operationIds: operationIdsOf(chain),
        },
      },
    ];
  }
  return [];
}

function findInChains({ sends }: StreamInput): StreamHit[] {
  const linked = sends.some(({ parentOperationId }) => parentOperationId !== undefined);
  if (!linked) return [];
  const byOperation = groupSends([...sends].sort(byStartAt), ({ operationId }) => operationId);
  return [...byOperation].flatMap(([operationId, own]) => {
    if (own[0]?.parentOperationId === undefined) return [];
    return findInChain(chainOf(own, byOperation), operationId);
  });
}

function findForCredentials({ sends, facts, settings }: StreamInput): StreamHit[] {
  if (facts.refreshes.length === 0) return [];
  const byCredential = groupSends([...facts.refreshes].sort(byStartedAt), ({ credential }) => credential);
  const users = groupSends([...sends].sort(byStartAt), ({ credential }) => credential);
  return [...byCredential].flatMap(([credential, refreshes]) => {
    const own = users.get(credential) ?? [];
    return [...findFailedRenewals(refreshes, own, settings), ...findRenewalsInFlight(refreshes, own, settings)];
  });
}

export const findAuthLoop: StreamCheck = {
  check: 'auth_loop',
  groupBy: 'credential',
  lookBackMs: (settings) => settings.authWindowMs,
  lookAheadMs: () => 0,
  find: (input) => [...findForCredentials(input), ...findInChains(input)],
};
