import type { Finding } from '../operation';
import { saysKeyReused, type Send, type Timeline } from '../timeline';
import type { Check } from './check';

/** M11: what became of the idempotency key over the writes of one operation. Only hashes are compared. */

function finding(check: string, sends: readonly Send[], evidence: Record<string, unknown>): Finding {
  return {
    check,
    severity: 'medium',
    attempt: sends.at(-1)?.attempt.attempt,
    evidence: { attempts: sends.map(({ attempt }) => attempt.attempt), ...evidence },
  };
}

/** The platform's own word that a key was used for another request (H2; REST 3.0's 422), which we may not have seen. */
function saidToBeReused(sends: readonly Send[]): Finding[] {
  const told = sends.filter(saysKeyReused);
  const [first] = told;
  return first ? [finding('key_reused', told, { byPlatform: true, code: first.verdict.code })] : [];
}

/** Keys that were sent with two different requests. */
function reused(sends: readonly Send[]): Finding[] {
  const prints = new Map<string, Set<string>>();
  for (const { attempt } of sends) {
    const { keyHash } = attempt.idempotency ?? {};
    if (!keyHash || attempt.fingerprint === undefined) continue;
    prints.set(keyHash, (prints.get(keyHash) ?? new Set<string>()).add(attempt.fingerprint));
  }
  return [...prints].flatMap(([keyHash, used]) => {
    if (used.size < 2) return [];
    const mine = sends.filter(({ attempt }) => attempt.idempotency?.keyHash === keyHash);
    return [finding('key_reused', mine, { requests: used.size })];
  });
}

/**
 * Another operation used the key, perhaps for another request, and a doubt hangs on it. Two requests that name
 * themselves are told across operations, with the later one.
 */
function takenByOthers({ sends, keys }: Timeline): Finding[] {
  return keys.taken.flatMap(({ keyHash, fingerprint, operationId }) => {
    const mine = sends.filter(({ serverKey }) => serverKey === keyHash);
    const prints = mine.flatMap(({ attempt }) => attempt.fingerprint ?? []);
    const told = fingerprint !== undefined && prints.some((own) => own !== fingerprint);
    if (told || !mine.some(({ verdict }) => verdict.effect === 'possible')) return [];
    const evidence = { unproven: true, otherOperationId: operationId, operationIds: [operationId] };
    return [{ ...finding('key_reused', mine, evidence), severity: 'low' as const }];
  });
}

/** A lone write has no key to lose; it may lack the one that QuillHub asks for, or be told that its key was used. */
function isPlain({ kind, profile, verdict }: Send): boolean {
  return kind === 'read' || (profile !== 'quillhub' && verdict.rule !== 'KEY_MISUSED');
}

export const checkKeyChanges: Check = ({ timeline }) => {
  const [lone] = timeline.sends;
  if (timeline.sends.length < 2 && (!lone || isPlain(lone))) return [];
  const writes = timeline.sends.filter(({ kind }) => kind === 'write');
  const keyed = writes.filter(({ attempt }) => attempt.idempotency?.keyHash);
  const keys = new Set(keyed.map(({ attempt }) => attempt.idempotency?.keyHash));
  const seen = reused(writes);
  const findings = [...(seen.length > 0 ? seen : saidToBeReused(writes)), ...takenByOthers(timeline)];
  if (keys.size > 1) findings.push(finding('key_regenerated', keyed, { keys: keys.size }));
  const bare = writes.filter((send) => !keyed.includes(send));
  if (keyed.length > 0 && bare.length > 0) findings.push(finding('key_dropped', bare, { keyedSends: keyed.length }));
  const asked = writes.filter(({ profile, method }) => profile === 'quillhub' && method === 'POST');
  if (keyed.length === 0 && asked.length > 0) findings.push(finding('key_missing', asked, {}));
  return findings;
};
