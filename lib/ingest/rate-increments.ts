import type { RateIncrement } from '@/db/queries/rollup';
import type { PreparedEvent } from './prepare';

const GRAINS_MINUTES = [1, 15, 60] as const;
const MINUTE_MS = 60_000;

/** What one attempt, or one tally, counts as. `at` is its own time, epoch ms. */
export interface RateCount {
  at: number;
  dimensionId: bigint;
  attempts: number;
  tallied: number;
}

/** What the events add to the rollups, at every grain, in the order in which rows are locked. */
export function rateIncrements(events: readonly PreparedEvent[]): RateIncrement[] {
  return spreadRates(
    events.flatMap(({ at, row }): RateCount[] => {
      if (row.table === 'attempt') return [{ at, dimensionId: row.dimension.id, attempts: 1, tallied: 0 }];
      if (!row.tally) return [];
      return [{ at, dimensionId: row.tally.dimension.id, attempts: 0, tallied: row.tally.successes }];
    }),
  );
}

/** Counts summed into every grain's buckets, sorted by the rollup's key. A count may be negative: what leaves a row. */
export function spreadRates(counts: readonly RateCount[]): RateIncrement[] {
  const byMinute = new Map<string, RateIncrement>();
  for (const { at, dimensionId, attempts, tallied } of counts)
    add(byMinute, 1, Math.floor(at / MINUTE_MS) * MINUTE_MS, dimensionId, attempts, tallied);
  const all = new Map<string, RateIncrement>();
  for (const { at, dimensionId, attempts, tallied } of byMinute.values())
    for (const grain of GRAINS_MINUTES) {
      const bucketMs = grain * MINUTE_MS;
      add(all, grain, Math.floor(at / bucketMs) * bucketMs, dimensionId, attempts, tallied);
    }
  return [...all.values()].sort(compareKeys);
}

function add(
  into: Map<string, RateIncrement>,
  grain: number,
  at: number,
  dimensionId: bigint,
  attempts: number,
  tallied: number,
): void {
  const key = `${grain} ${at} ${dimensionId}`;
  const known = into.get(key);
  if (known) {
    known.attempts += attempts;
    known.tallied += tallied;
  } else into.set(key, { grain, at, dimensionId, attempts, tallied });
}

function compareKeys(a: RateIncrement, b: RateIncrement): number {
  if (a.grain !== b.grain) return a.grain - b.grain;
  if (a.at !== b.at) return a.at - b.at;
  return a.dimensionId < b.dimensionId ? -1 : a.dimensionId > b.dimensionId ? 1 : 0;
}
