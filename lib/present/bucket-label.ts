import { formatClock, formatDay, formatInstant, type InstantStyle } from './instant';
import type { Step } from './range';
import { wallTimeOf } from './wall-time';

/** Short name of a bucket for an axis: the day where one begins, the time of day elsewhere. */
export function labelBucket(at: number, step: Step, style: InstantStyle): string {
  const { hour, minute } = wallTimeOf(at, style.tz);
  return step === '1d' || (hour === 0 && minute === 0) ? formatDay(at, style) : formatClock(at, style);
}

/** Whole name of a bucket, for a tip or a table. */
export function titleBucket(at: number, step: Step, style: InstantStyle, now: number): string {
  return step === '1d' ? formatDay(at, style) : formatInstant(at, style, now);
}

/** Minutes between ticks, finest first. */
const TICK_MINUTES = [5, 10, 15, 30, 60, 120, 180, 240, 360, 720, 1_440] as const;
const TICKS_MAX = 10;

/**
 * Bucket starts that an axis names: round times of the local day, and days where the range is of days.
 * Ten at most, so that no name touches another on a wide screen; a narrow one leaves some out.
 */
export function pickTicks(starts: readonly number[], step: Step, tz: string): number[] {
  if (step === '1d') {
    const every = Math.ceil(starts.length / TICKS_MAX);
    return starts.filter((_, place) => place % every === 0);
  }
  const minuteOf = (at: number): number => {
    const { hour, minute } = wallTimeOf(at, tz);
    return hour * 60 + minute;
  };
  const minutes = starts.map(minuteOf);
  for (const every of TICK_MINUTES) {
    const ticks = starts.filter((_, place) => (minutes[place] ?? 0) % every === 0);
    if (ticks.length > 0 && ticks.length <= TICKS_MAX) return ticks;
  }
  return starts.slice(0, 1);
}
