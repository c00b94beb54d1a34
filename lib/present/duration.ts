import { intlTag } from './intl-tag';
import type { Locale } from '../core/locale';
import { NO_VALUE } from './number';

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;

type DurationUnit = 'millisecond' | 'second' | 'minute' | 'hour' | 'day';

function writeUnit(value: number, unit: DurationUnit, locale: Locale, digits = 0): string {
  return new Intl.NumberFormat(intlTag(locale), {
    style: 'unit',
    unit,
    // Narrow English is what operators read elsewhere (3m 20s); narrow Russian would run numbers and letters together.
    unitDisplay: locale === 'en' ? 'narrow' : unit === 'day' ? 'long' : 'short',
    maximumFractionDigits: digits,
  }).format(value);
}

function writePair(ms: number, big: [DurationUnit, number], small: [DurationUnit, number], locale: Locale): string {
  const first = Math.floor(ms / big[1]);
  const second = Math.floor((ms - first * big[1]) / small[1]);
  const head = writeUnit(first, big[0], locale);
  return second === 0 ? head : `${head} ${writeUnit(second, small[0], locale)}`;
}

/**
 * A length of time in the two largest units that say something: 850ms, 1.25s, 3m 20s, 2d 4h.
 * @param ms null gives a dash; a negative length keeps its sign.
 */
export function formatDuration(ms: number | null, locale: Locale): string {
  if (ms === null || !Number.isFinite(ms)) return NO_VALUE;
  if (ms < 0) return `−${formatDuration(-ms, locale)}`;
  if (ms < SECOND) return writeUnit(Math.round(ms), 'millisecond', locale);
  if (ms < 10 * SECOND) return writeUnit(Math.floor(ms / 10) / 100, 'second', locale, 2);
  if (ms < MINUTE) return writeUnit(Math.floor(ms / 100) / 10, 'second', locale, 1);
  if (ms < HOUR) return writePair(ms, ['minute', MINUTE], ['second', SECOND], locale);
  if (ms < DAY) return writePair(ms, ['hour', HOUR], ['minute', MINUTE], locale);
  return writePair(ms, ['day', DAY], ['hour', HOUR], locale);
}

/** How long ago, coarse: one unit only, rounded down, so that an age never claims more than has passed. */
export function formatAge(ms: number | null, locale: Locale): string {
  if (ms === null || !Number.isFinite(ms)) return NO_VALUE;
  const age = Math.max(0, ms);
  if (age < MINUTE) return writeUnit(Math.floor(age / SECOND), 'second', locale);
  if (age < HOUR) return writeUnit(Math.floor(age / MINUTE), 'minute', locale);
  if (age < 2 * DAY) return writeUnit(Math.floor(age / HOUR), 'hour', locale);
  return writeUnit(Math.floor(age / DAY), 'day', locale);
}
