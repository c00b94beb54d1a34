import { intlTag } from './intl-tag';
import type { Locale } from '../core/locale';
import { NO_VALUE } from './number';

/** How an instant is written: language and the viewer's zone. */
export interface InstantStyle {
  locale: Locale;
  /** IANA name. */
  tz: string;
}

function write(at: number, style: InstantStyle, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(intlTag(style.locale), { ...options, timeZone: style.tz, hourCycle: 'h23' }).format(
    at,
  );
}

/** Date and time to the minute; the year only when it is not that of `now`. */
export function formatInstant(at: number | null, style: InstantStyle, now?: number): string {
  if (at === null) return NO_VALUE;
  const sameYear =
    now !== undefined && write(at, style, { year: 'numeric' }) === write(now, style, { year: 'numeric' });
  return write(at, style, {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? {} : { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
  });
}

/** Everything down to the millisecond, with date and year: for support. */
export function formatInstantFull(at: number | null, style: InstantStyle): string {
  if (at === null) return NO_VALUE;
  return write(at, style, {
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  });
}

/** Hour and minute alone. */
export function formatClock(at: number, style: InstantStyle): string {
  return write(at, style, { hour: '2-digit', minute: '2-digit' });
}

/** Day and month alone. */
export function formatDay(at: number, style: InstantStyle): string {
  return write(at, style, { day: 'numeric', month: 'short' });
}

/** ISO 8601 UTC, for `<time datetime>`. */
export function toIso(at: number): string {
  return new Date(at).toISOString();
}
