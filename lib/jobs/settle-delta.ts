import type { OperationRow, PairRow } from '@/db/queries/operation';
import type { ComplianceDelta, OperationDelta } from '@/db/queries/settled-rollup';

/** Rollup changes as the difference between what stored rows contribute and what new rows contribute. Pure. */

const GRAINS = [1, 15, 60] as const;

function bucketOf(at: number, grain: number): number {
  const lengthMs = grain * 60_000;
  return Math.floor(at / lengthMs) * lengthMs;
}

/** Sort key in the order of the table's primary key. */
function compareKeys(a: readonly (string | number | bigint)[], b: readonly (string | number | bigint)[]): number {
  for (const [i, left] of a.entries()) {
    const right = b[i];
    if (right === undefined || left === right) continue;
    return left < right ? -1 : 1;
  }
  return 0;
}

export function operationDeltas(before: readonly OperationRow[], after: readonly OperationRow[]): OperationDelta[] {
  const sums = new Map<string, OperationDelta>();
  const add = (row: OperationRow, sign: 1 | -1): void => {
    for (const grain of GRAINS) {
      const at = bucketOf(row.firstAt, grain);
      const key = JSON.stringify([grain, at, row.dimensionId, row.state, row.retried]);
      const { dimensionId, state, retried } = row;
      const sum = sums.get(key) ?? { grain, at, dimensionId, state, retried, operations: 0, attempts: 0 };
      sum.operations += sign;
      sum.attempts += sign * row.attempts;
      sums.set(key, sum);
    }
  };
  before.forEach((row) => add(row, -1));
  after.forEach((row) => add(row, 1));
  return [...sums.values()]
    .filter((row) => row.operations !== 0 || row.attempts !== 0)
    .sort((a, b) => compareKeys(operationKey(a), operationKey(b)));
}

function operationKey(row: OperationDelta): (string | number | bigint)[] {
  return [row.grain, row.at, BigInt(row.dimensionId), row.state, row.retried ? 1 : 0];
}

export function complianceDeltas(before: readonly PairRow[], after: readonly PairRow[]): ComplianceDelta[] {
  const sums = new Map<string, ComplianceDelta>();
  const add = (row: PairRow, sign: 1 | -1): void => {
    for (const grain of GRAINS) {
      const at = bucketOf(row.at, grain);
      const key = JSON.stringify([grain, at, row.dimensionId, row.compliance]);
      const { dimensionId, compliance } = row;
      const sum = sums.get(key) ?? { grain, at, dimensionId, compliance, pairs: 0, earlyMs: 0, overMs: 0 };
      sum.pairs += sign;
      sum.earlyMs += sign * row.earlyMs;
      sum.overMs += sign * row.overMs;
      sums.set(key, sum);
    }
  };
  before.forEach((row) => add(row, -1));
  after.forEach((row) => add(row, 1));
  return [...sums.values()]
    .filter((row) => row.pairs !== 0 || row.earlyMs !== 0 || row.overMs !== 0)
    .sort((a, b) => compareKeys(complianceKey(a), complianceKey(b)));
}

function complianceKey(row: ComplianceDelta): (string | number | bigint)[] {
  return [row.grain, row.at, BigInt(row.dimensionId), row.compliance];
}
