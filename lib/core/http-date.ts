/**
 * The three date forms a recipient must accept (RFC 9110 §5.6.7), and nothing else.
 * `Date.parse` is never used: it reads `-3` as the year 2001 and rolls 31 February over.
 */

export const HTTP_DATE_FORMS = ['imf-fixdate', 'rfc850-date', 'asctime-date'] as const;
type HttpDateForm = (typeof HTTP_DATE_FORMS)[number];

export interface HttpDate {
  form: HttpDateForm;
  /** Epoch ms. A leap second counts as the first instant after it. */
  at: number;
  conformant: boolean;
  issues: string[];
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const LONG_DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Longest text any of the forms can have; longer text is refused before a pattern sees it. */
const DATE_CHARS_MAX = 40;

const IMF = /^([A-Z][a-z]{2}), (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) (GMT|UTC|UT|Z|[+-]0000)$/;
const RFC850 = /^([A-Z][a-z]{5,8}), (\d{2})-([A-Z][a-z]{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2}) (GMT|UTC|UT|Z|[+-]0000)$/;
const ASCTIME = /^([A-Z][a-z]{2}) ([A-Z][a-z]{2}) ([ \d]\d) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/;

interface DateParts {
  year: number;
  /** 0–11. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

/** @returns epoch ms, or null when no such instant exists (31 February, hour 24, second 61). */
export function instantOf(parts: DateParts): number | null {
  const { year, month, day, hour, minute, second } = parts;
  const leapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const monthDays = month === 1 && !leapYear ? 28 : MONTH_DAYS[month];
  if (monthDays === undefined || day < 1 || day > monthDays) return null;
  if (hour > 23 || minute > 59 || second > 60) return null;
  // Date.UTC maps years 0–99 to 1900–1999; four centuries later the calendar is the same.
  return Date.UTC(year + 400, month, day, hour, minute, second) - 146_097 * 86_400_000;
}

/** Day of the week of an instant, 0 = Sunday. The epoch was a Thursday. */
function weekdayOf(at: number): number {
  return (((Math.floor(at / 86_400_000) + 4) % 7) + 7) % 7;
}

function dateOf(form: HttpDateForm, parts: DateParts, weekday: number, zone: string): HttpDate | null {
  const at = instantOf(parts);
  if (at === null || weekday < 0) return null;
  const issues: string[] = [];
  if (zone !== 'GMT') issues.push('zone_not_gmt');
  // A leap second is of the day that it ends, though it counts as the first instant of the next one.
  const leap = parts.second === 60;
  if (weekdayOf(leap ? at - 1000 : at) !== weekday) issues.push('weekday_mismatch');
  const conformant = issues.length === 0;
  if (leap) issues.push('leap_second');
  return { form, at, conformant, issues };
}

/**
 * A two-digit year more than 50 years ahead of `now` belongs to the past century (RFC 9110 §5.6.7);
 * the mirror case keeps a year just past a century's turn from being read a hundred years back.
 */
function fullYear(parts: DateParts, now: number): number {
  const nowYear = 1970 + Math.floor(now / 31_556_952_000);
  const year = Math.floor(nowYear / 100) * 100 + parts.year;
  const at = instantOf({ ...parts, year }) ?? 0;
  const fiftyYears = 50 * 31_556_952_000;
  if (at - now > fiftyYears) return year - 100;
  if (now - at >= fiftyYears) return year + 100;
  return year;
}

function clockOf(h: string | undefined, m: string | undefined, s: string | undefined) {
  return { hour: Number(h), minute: Number(m), second: Number(s) };
}

/**
 * Reads one HTTP-date. Case-sensitive as the grammar says; a zero offset written otherwise
 * than `GMT` and a wrong day name are read and named as issues.
 * @param now epoch ms, only to place two-digit years
 */
export function parseHttpDate(text: string, now: number): HttpDate | null {
  if (text.length > DATE_CHARS_MAX) return null;
  const imf = IMF.exec(text);
  if (imf) {
    const [, name = '', day, month = '', year, h, m, s, zone = ''] = imf;
    const parts = { year: Number(year), month: MONTHS.indexOf(month), day: Number(day), ...clockOf(h, m, s) };
    return dateOf('imf-fixdate', parts, DAYS.indexOf(name), zone);
  }
  const old = RFC850.exec(text);
  if (old) {
    const [, name = '', day, month = '', year, h, m, s, zone = ''] = old;
    const parts = { year: Number(year), month: MONTHS.indexOf(month), day: Number(day), ...clockOf(h, m, s) };
    return dateOf('rfc850-date', { ...parts, year: fullYear(parts, now) }, LONG_DAYS.indexOf(name), zone);
  }
  const asc = ASCTIME.exec(text);
  if (asc) {
    const [, name = '', month = '', day, h, m, s, year] = asc;
    const parts = { year: Number(year), month: MONTHS.indexOf(month), day: Number(day), ...clockOf(h, m, s) };
    return dateOf('asctime-date', parts, DAYS.indexOf(name), 'GMT');
  }
  return null;
}
