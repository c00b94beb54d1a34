import type { RateIncrement } from '@/db/queries/rollup';
import { bucketStart, GRAINS, NARROW_GRAINS } from '@/lib/core/rollup';
import type { PreparedDimension, PreparedEvent } from './prepare';

/** What one attempt, or one tally, counts as. `at` is its own time, epoch ms. */
export interface RateCount {
  at: number;
  dimensionId: bigint;
  /** Of the narrow dimension. */
  narrowId: bigint;
  attempts: number;
  tallied: number;
}

/** What the events add to the rollups, at every grain, in the order in which rows are locked. */
export function rateIncrements(events: readonly PreparedEvent[]): RateIncrement[] {
  return spreadRates(
    events.flatMap(({ at, row }): RateCount[] => {
      if (row.table === 'attempt') return [countUnder(row.dimension, at, 1, 0)];
      return row.tally ? [countUnder(row.tally.dimension, at, 0, row.tally.successes)] : [];
    }),
  );
}

function countUnder({ id, narrow }: PreparedDimension, at: number, attempts: number, tallied: number): RateCount {
  return { at, dimensionId: id, narrowId: narrow.id, attempts, tallied };
}

/** Counts summed into every grain's buckets, sorted by the rollup's key. A count may be negative: what leaves a row. */
export function spreadRates(counts: readonly RateCount[]): RateIncrement[] {
  const byMinute = new Map<string, RateCount>();
  for (const count of counts) {
    const minute = bucketStart(count.at, 1);
    sum(byMinute, `${minute} ${count.dimensionId}`, { ...count, at: minute });
  }
  const all = new Map<string, RateIncrement>();
  const add = (row: RateIncrement): void => sum(all, `${row.grain} ${row.at} ${row.dimensionId}`, row);
  for (const { at, dimensionId, narrowId, attempts, tallied } of byMinute.values()) {
    for (const grain of GRAINS) add({ grain, at: bucketStart(at, grain), dimensionId, attempts, tallied });
    for (const grain of NARROW_GRAINS) {
      add({ grain: -grain, at: bucketStart(at, grain), dimensionId: narrowId, attempts, tallied });
    }
  }
  return [...all.values()].sort(compareKeys);
}

/** Adds a row to the one of its key; the first of a key is taken over, and so must be nobody else's. */
function sum<T extends { attempts: number; tallied: number }>(into: Map<string, T>, key: string, row: T): void {
  const known = into.get(key);
  if (known) {
    known.attempts += row.attempts;
    known.tallied += row.tallied;
  } else into.set(key, row);
}

function compareKeys(a: RateIncrement, b: RateIncrement): number {
  if (a.grain !== b.grain) return a.grain - b.grain;
  if (a.at !== b.at) return a.at - b.at;
  return a.dimensionId < b.dimensionId ? -1 : a.dimensionId > b.dimensionId ? 1 : 0;
}
