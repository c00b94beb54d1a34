import type { OperationRow, PairRow } from '@/db/queries/operation';
import type { ComplianceDelta, OperationDelta } from '@/db/queries/settled-rollup';
import { bucketStart, GRAINS, NARROW_GRAINS } from '@/lib/core/rollup';
import { narrowIdOf, type NarrowIds } from './settle-narrow';

/** Rollup changes as the difference between what stored rows contribute and what new rows contribute. Pure. */

interface Place {
  grain: number;
  at: number;
  dimensionId: string;
}

/** Where a row of `at` counts: at every grain under its dimension, at the narrow ones under its narrow dimension. */
function placesOf(at: number, dimensionId: string, narrowIds: NarrowIds): Place[] {
  const narrowId = narrowIdOf(narrowIds, dimensionId);
  return [
    ...GRAINS.map((grain) => ({ grain, at: bucketStart(at, grain), dimensionId })),
    ...NARROW_GRAINS.map((grain) => ({ grain: -grain, at: bucketStart(at, grain), dimensionId: narrowId })),
  ];
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

export function operationDeltas(
  before: readonly OperationRow[],
  after: readonly OperationRow[],
  narrowIds: NarrowIds,
): OperationDelta[] {
  const sums = new Map<string, OperationDelta>();
  const add = (row: OperationRow, sign: 1 | -1): void => {
    for (const { grain, at, dimensionId } of placesOf(row.firstAt, row.dimensionId, narrowIds)) {
      const { state, retried } = row;
      const key = JSON.stringify([grain, at, dimensionId, state, retried]);
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

export function complianceDeltas(
  before: readonly PairRow[],
  after: readonly PairRow[],
  narrowIds: NarrowIds,
): ComplianceDelta[] {
  const sums = new Map<string, ComplianceDelta>();
  const add = (row: PairRow, sign: 1 | -1): void => {
    for (const { grain, at, dimensionId } of placesOf(row.at, row.dimensionId, narrowIds)) {
      const { compliance } = row;
      const key = JSON.stringify([grain, at, dimensionId, compliance]);
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
