import type postgres from 'postgres';
import { recordDimensions } from '@/db/queries/dimension';
import { deleteFindings, insertFindings, readFindingIds } from '@/db/queries/finding';
import {
  deleteOperations,
  deletePairs,
  deleteReferences,
  insertReferences,
  upsertOperations,
  upsertPairs,
  type PairRow,
  type ReferenceRow,
  type StoredOperations,
} from '@/db/queries/operation';
import { applyComplianceDeltas, applyOperationDeltas } from '@/db/queries/settled-rollup';
import { dimensionId } from '@/lib/platform/ids';
import { complianceDeltas, operationDeltas } from './settle-delta';
import { recordNarrow } from './settle-narrow';
import type { SettledRows } from './settle-rows';

/** `stored` without what `wanted` has, and the other way round, by the whole row. */
function difference<T extends object>(stored: readonly T[], wanted: readonly T[]): { gone: T[]; fresh: T[] } {
  const textOf = (row: T): string => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));
  const had = new Set(stored.map(textOf));
  const wants = new Set(wanted.map(textOf));
  return {
    gone: stored.filter((row) => !wants.has(textOf(row))),
    fresh: wanted.filter((row) => !had.has(textOf(row))),
  };
}

/**
 * Brings stored rows to what was concluded. Only what differs is written, and rollups move by the difference
 * between the two, so doing it again changes nothing.
 * @param stored the rows of exactly the operations in `settled` and `gone`, read in this transaction under the
 *   project's turn
 * @param at.rollupFrom epoch ms: earlier rollups are gone, and stay so
 * @param gone operations that turned out to be none: their rows go, and what they counted with them
 */
export async function writeSettled(
  tx: postgres.ISql,
  projectId: number,
  stored: StoredOperations,
  settled: readonly SettledRows[],
  gone: readonly string[],
  { now, rollupFrom }: { now: number; rollupFrom: number },
): Promise<void> {
  const names = settled.flatMap((rows) => rows.dimensions).map((row) => ({ ...row, id: dimensionId(row) }));
  const unique = [...new Map(names.map((row) => [row.id, row])).values()];
  if (unique.length > 0) await recordDimensions(tx, projectId, unique);

  const operations = settled.map((rows) => rows.operation);
  const changed = difference(stored.operations, operations);
  await upsertOperations(tx, projectId, changed.fresh, now);
  await deleteOperations(tx, projectId, [...gone]);

  const pairs: PairRow[] = settled.flatMap((rows) => rows.pairs);
  const changedPairs = difference(stored.pairs, pairs);
  const counted = [changed.gone, changed.fresh, changedPairs.gone, changedPairs.fresh].flat();
  const narrowIds = await recordNarrow(
    tx,
    projectId,
    counted.map((row) => row.dimensionId),
  );
  const counts = ({ at }: { at: number }): boolean => at >= rollupFrom;
  const moved = operationDeltas(changed.gone, changed.fresh, narrowIds).filter(counts);
  await applyOperationDeltas(tx, projectId, moved);

  const kept = new Set(pairs.map((row) => JSON.stringify([row.operationId, row.attemptEventId])));
  const lost = changedPairs.gone.filter((row) => !kept.has(JSON.stringify([row.operationId, row.attemptEventId])));
  await deletePairs(tx, projectId, lost);
  await upsertPairs(tx, projectId, changedPairs.fresh);
  const movedPairs = complianceDeltas(changedPairs.gone, changedPairs.fresh, narrowIds).filter(counts);
  await applyComplianceDeltas(tx, projectId, movedPairs);

  const references: ReferenceRow[] = settled.flatMap((rows) => rows.references);
  const changedReferences = difference(stored.references, references);
  await deleteReferences(tx, projectId, changedReferences.gone);
  await insertReferences(tx, projectId, changedReferences.fresh);
  await writeFindings(tx, projectId, settled, gone);
}

/** Their ids are made of their content: what has another id is gone or new. */
async function writeFindings(
  tx: postgres.ISql,
  projectId: number,
  settled: readonly SettledRows[],
  gone: readonly string[],
): Promise<void> {
  const wanted = new Map(settled.flatMap((rows) => rows.findings).map((row) => [row.id, row]));
  const operationIds = [...settled.map((rows) => rows.operation.operationId), ...gone];
  const stored = await readFindingIds(tx, projectId, operationIds);
  const had = new Set(stored.map((row) => row.id));
  const carried = new Set(settled.filter((rows) => rows.carried).map((rows) => rows.operation.operationId));
  await deleteFindings(
    tx,
    projectId,
    stored.filter((row) => !wanted.has(row.id) && !carried.has(row.operationId)).map((row) => row.id),
  );
  await insertFindings(
    tx,
    projectId,
    [...wanted.values()].filter((row) => !had.has(row.id)),
  );
}
