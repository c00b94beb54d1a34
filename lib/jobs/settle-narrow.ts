import type postgres from 'postgres';
import { readDimensions, recordDimensions } from '@/db/queries/dimension';
import { narrowDimension } from '@/lib/core/rollup';
import { dimensionId } from '@/lib/platform/ids';

/** Id of the narrow dimension of every dimension asked for; ids as decimal text. */
export type NarrowIds = ReadonlyMap<string, string>;

/** Makes sure that the narrow dimensions of some stored dimensions exist, and says which is whose. */
export async function recordNarrow(tx: postgres.ISql, projectId: number, ids: readonly string[]): Promise<NarrowIds> {
  if (ids.length === 0) return new Map();
  const narrow = (await readDimensions(tx, projectId, [...new Set(ids)])).map(({ id, ...dimension }) => {
    const made = narrowDimension(dimension);
    return { of: id, row: { ...made, id: dimensionId(made) } };
  });
  await recordDimensions(tx, projectId, [...new Map(narrow.map(({ row }) => [row.id, row])).values()]);
  return new Map(narrow.map(({ of, row }) => [String(of), String(row.id)]));
}

/** @throws Error for a dimension that was not asked for, or is not stored */
export function narrowIdOf(narrowIds: NarrowIds, id: string): string {
  const narrowId = narrowIds.get(id);
  if (narrowId === undefined) throw new Error(`dimension ${id} is not in the database`);
  return narrowId;
}
