import type { Finding, OperationConclusion } from '../operation';

/**
 * Checks that need several operations side by side. The caller chooses the window (evaluate: one request's body;
 * settling: the project's look-back) and passes what it looked at; nothing is remembered here.
 */

/** How far apart two uses of one key still belong together, ms (contract, times and thresholds). */
const KEY_LOOK_BACK_MS = 86_400_000;

interface KeyUse {
  operationId: string;
  attempt: number;
  keyHash: string;
  fingerprint: string;
  at: number;
}

function keyUsesOf({ operationId, attempts }: OperationConclusion): KeyUse[] {
  return attempts.flatMap(({ attempt }) => {
    const { idempotency, fingerprint } = attempt;
    if (!idempotency?.keyHash || fingerprint === undefined) return [];
    return [
      { operationId, attempt: attempt.attempt, keyHash: idempotency.keyHash, fingerprint, at: attempt.startedAt },
    ];
  });
}

function byTime(a: KeyUse, b: KeyUse): number {
  return (
    a.at - b.at || (a.operationId < b.operationId ? -1 : a.operationId > b.operationId ? 1 : a.attempt - b.attempt)
  );
}

/** M11: one key, two requests, in different operations: charged to the later one, which took a key that was taken. */
function findReusedKeys(
  uses: readonly KeyUse[],
  lookBackMs: number,
  add: (id: string, finding: Finding) => void,
): void {
  const byKey = new Map<string, KeyUse[]>();
  for (const use of uses) byKey.set(use.keyHash, [...(byKey.get(use.keyHash) ?? []), use]);
  for (const group of byKey.values()) {
    group.sort(byTime);
    const told = new Set<string>();
    group.forEach((use, at) => {
      const first = group.slice(0, at).find((earlier) => {
        const near = use.at - earlier.at <= lookBackMs;
        return near && earlier.operationId !== use.operationId && earlier.fingerprint !== use.fingerprint;
      });
      if (!first || told.has(use.operationId)) return;
      told.add(use.operationId);
      const evidence = { firstOperationId: first.operationId, firstAttempt: first.attempt, apartMs: use.at - first.at };
      add(use.operationId, { check: 'key_reused', severity: 'medium', attempt: use.attempt, evidence });
    });
  }
}

/** @returns findings by operation id, for operations that have any */
export function findAcrossOperations(
  conclusions: readonly OperationConclusion[],
  lookBackMs: number = KEY_LOOK_BACK_MS,
): ReadonlyMap<string, Finding[]> {
  const found = new Map<string, Finding[]>();
  const add = (operationId: string, finding: Finding) =>
    found.set(operationId, [...(found.get(operationId) ?? []), finding]);
  findReusedKeys(conclusions.flatMap(keyUsesOf), lookBackMs, add);
  return found;
}
