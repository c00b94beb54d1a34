import type { RateIncrement } from '@/db/queries/rollup';
import type { PreparedEvent } from './prepare';

const GRAINS_MINUTES = [1, 15, 60] as const;
const MINUTE_MS = 60_000;

/** What the events add to the rollups, at every grain, in the order in which rows are locked. */
export function rateIncrements(events: readonly PreparedEvent[]): RateIncrement[] {
  const byMinute = new Map<string, RateIncrement>();
  for (const { at, row } of events) {
    const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS;
    if (row.table === 'attempt') add(byMinute, 1, minute, row.dimension.id, 1, 0);
    else if (row.tally) add(byMinute, 1, minute, row.tally.dimension.id, 0, row.tally.successes);
  }
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
