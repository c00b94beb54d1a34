import { formatClock, formatDay, formatInstant, type InstantStyle } from './instant';
import type { Step } from './range';

/** Short name of a bucket for an axis: the day where it changes, the time of day elsewhere. */
export function labelBucket(at: number, previousAt: number | undefined, step: Step, style: InstantStyle): string {
  if (step === '1d') return formatDay(at, style);
  const newDay = previousAt !== undefined && formatDay(previousAt, style) !== formatDay(at, style);
  return newDay ? formatDay(at, style) : formatClock(at, style);
}

/** Whole name of a bucket, for a tip or a table. */
export function titleBucket(at: number, step: Step, style: InstantStyle, now: number): string {
  return step === '1d' ? formatDay(at, style) : formatInstant(at, style, now);
}
