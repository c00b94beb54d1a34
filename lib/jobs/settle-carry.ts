import type { CarriedBase, OperationRow, StoredOperations } from '@/db/queries/operation';
import { strongerState } from '@/lib/core/state-strength';
import type { Concluded } from './settle-conclude';
import type { SettledRows } from './settle-rows';

/**
 * An operation that retention has taken facts of is concluded from what is left, and that alone may say less than was
 * known: a success that is gone would leave only the failure after it. So what was known when facts went is kept with
 * the operation, and what is left only adds to it. A doubt never comes here: its facts stay with the review item.
 */

type Sent = Concluded & { rows: SettledRows };

/** By so much the clock of a later send may lie before the first. */
const NEAR_MS = 3_600_000;

/** What was known of the sends that are gone; null while none is. */
function baseOf(before: OperationRow, { operation }: SettledRows, keptFrom: number): CarriedBase | null {
  const { carried } = before;
  // The tail has lost more since: what both said together is the base from now on.
  if (carried) return operation.firstAt > carried.tailFrom ? takeBase(before, operation.firstAt) : carried;
  if (before.firstAt >= keptFrom + NEAR_MS) return null;
  const trimmed = operation.firstAt > before.firstAt || operation.attempts < before.attempts;
  return trimmed ? takeBase(before, operation.firstAt) : null;
}

function takeBase(row: OperationRow, tailFrom: number): CarriedBase {
  const { state, possibleEffects, attempts, retried, dimensionId, firstAt, lastAt } = row;
  return { state, possibleEffects, attempts, retried, dimensionId, firstAt, lastAt, tailFrom };
}

function carryOperation(base: CarriedBase, { rows, sends }: Sent): OperationRow {
  const after = rows.operation;
  const newer = sends.filter(({ at }) => at > base.lastAt);
  const effects = newer.filter(({ effect }) => effect).length;
  return {
    ...after,
    state: strongerState(base.state, after.state),
    possibleEffects: Math.max(after.possibleEffects, base.possibleEffects + effects),
    attempts: Math.max(after.attempts, base.attempts + newer.length),
    retried: base.retried || after.retried || newer.length > 0,
    dimensionId: newer.length > 0 ? after.dimensionId : base.dimensionId,
    firstAt: base.firstAt,
    lastAt: Math.max(base.lastAt, after.lastAt),
    carried: base,
  };
}

function carry(one: Sent, base: CarriedBase, stored: StoredOperations): Concluded {
  const { operationId, rows } = one;
  const own = <T extends { operationId: string }>(list: readonly T[]): T[] =>
    list.filter((row) => row.operationId === operationId);
  const pairs = new Map([...own(stored.pairs), ...rows.pairs].map((pair) => [pair.attemptEventId, pair]));
  const references = [...own(stored.references), ...rows.references.map((row) => ({ ...row, at: base.firstAt }))];
  const named = new Map(references.map((row) => [JSON.stringify([row.kind, row.value, row.at]), row]));
  return {
    ...one,
    rows: {
      ...rows,
      operation: carryOperation(base, one),
      pairs: [...pairs.values()],
      references: [...named.values()],
      // Without its beginning, numbers seem to be missing.
      findings: rows.findings.filter(({ at, check }) => at > base.lastAt && check !== 'attempt_gap'),
      carried: true,
    },
  };
}

/** @param keptFrom epoch ms: what is older may be gone */
export function carryOver(concluded: readonly Concluded[], stored: StoredOperations, keptFrom: number): Concluded[] {
  const known = new Map(stored.operations.map((row) => [row.operationId, row]));
  return concluded.map((one) => {
    const before = known.get(one.operationId);
    const { rows } = one;
    const base = rows && before ? baseOf(before, rows, keptFrom) : null;
    return rows && base ? carry({ ...one, rows }, base, stored) : one;
  });
}
