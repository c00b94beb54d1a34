import { describe, expect, it } from 'vitest';
import { instantOf, parseHttpDate } from '@/lib/core/http-date';

/** RFC 9110 §5.6.7: three forms, all in UTC, case-sensitive. Instants come from the ISO reader of the language. */

const NOW = Date.UTC(2026, 2, 2, 10, 0, 0);
const parse = (text: string, now = NOW) => parseHttpDate(text, now);
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

describe('parseHttpDate', () => {
  it.each(MONTHS.map((month, index) => [month, index] as const))('knows %s in every form', (month, index) => {
    const at = Date.UTC(2026, index, 17, 23, 59, 59);
    const day = DAYS[new Date(at).getUTCDay()] ?? '';
    const short = day.slice(0, 3);
    const kept = { at, conformant: true, issues: [] };
    expect(parse(`${short}, 17 ${month} 2026 23:59:59 GMT`)).toEqual({ form: 'imf-fixdate', ...kept });
    expect(parse(`${day}, 17-${month}-26 23:59:59 GMT`)).toEqual({ form: 'rfc850-date', ...kept });
    expect(parse(`${short} ${month} 17 23:59:59 2026`)).toEqual({ form: 'asctime-date', ...kept });
  });

  it.each(DAYS.map((day, index) => [day, index] as const))('holds %s against the date', (day, index) => {
    const number = String(index + 1).padStart(2, '0');
    const at = Date.UTC(2026, 2, index + 1);
    // 1 March 2026 is a Sunday.
    const short = day.slice(0, 3);
    for (const text of [
      `${short}, ${number} Mar 2026 00:00:00 GMT`,
      `${day}, ${number}-Mar-26 00:00:00 GMT`,
      `${short} Mar  ${index + 1} 00:00:00 2026`,
    ]) {
      expect(parse(text)).toMatchObject({ at, conformant: true, issues: [] });
    }
    const wrong = DAYS[(index + 1) % 7] ?? '';
    expect(parse(`${wrong.slice(0, 3)}, ${number} Mar 2026 00:00:00 GMT`)).toMatchObject({
      at,
      conformant: false,
      issues: ['weekday_mismatch'],
    });
  });

  it.each(['UTC', 'UT', 'Z', '+0000', '-0000'])('reads the zero offset %s and names it', (zone) => {
    const kept = { at: NOW, conformant: false, issues: ['zone_not_gmt'] };
    expect(parse(`Mon, 02 Mar 2026 10:00:00 ${zone}`)).toMatchObject({ form: 'imf-fixdate', ...kept });
    expect(parse(`Monday, 02-Mar-26 10:00:00 ${zone}`)).toMatchObject({ form: 'rfc850-date', ...kept });
  });

  it.each([
    'xMon, 02 Mar 2026 10:00:00 GMT',
    'Mon, 02 Mar 2026 10:00:00 GMTx',
    'Mon, 02 Mar 2026 10:00:00 x0000',
    'xMonday, 02-Mar-26 10:00:00 GMT',
    'Monday, 02-Mar-26 10:00:00 GMTx',
    'Monday, 02-Mar-26 10:00:00 x0000',
    'Mon Mar x2 10:00:00 2026',
    'xMon Mar  2 10:00:00 2026',
    'Mon Mar  2 10:00:00 2026x',
    'mon, 02 Mar 2026 10:00:00 GMT',
    'Mon, 02 mar 2026 10:00:00 GMT',
    'Mon, 02 Mar 2026 10:00:00 gmt',
    'Mon, 02 Abc 2026 10:00:00 GMT',
    'Funday, 02-Mar-26 10:00:00 GMT',
    'Fun Mar  2 10:00:00 2026',
    'Mon, 32 Mar 2026 10:00:00 GMT',
    'Mon, 02 Mar 2026 10:00:00 GMT'.padEnd(41),
  ])('reads nothing into %j', (text) => expect(parse(text)).toBeNull());

  it('counts a leap second as the instant after it, on the day that it ends', () => {
    expect(parse('Sat, 31 Dec 2016 23:59:60 GMT')).toEqual({
      form: 'imf-fixdate',
      at: Date.parse('2017-01-01T00:00:00Z'),
      conformant: true,
      issues: ['leap_second'],
    });
  });

  it('knows the weekdays before 1970 too', () => {
    expect(parse('Sun, 20 Jul 1969 20:17:40 GMT')).toMatchObject({
      at: Date.parse('1969-07-20T20:17:40Z'),
      issues: [],
    });
    expect(parse('Mon, 01 Jan 0001 00:00:00 GMT')).toMatchObject({
      at: Date.parse('0001-01-01T00:00:00Z'),
      issues: [],
    });
  });

  it('gives a two-digit year more than fifty years ahead to the past century', () => {
    const yearOf = (text: string, now: string) => {
      const date = parse(text, Date.parse(now));
      return date && new Date(date.at).getUTCFullYear();
    };
    expect(yearOf('Monday, 02-Mar-75 10:00:00 GMT', '2026-03-02T10:00:00Z')).toBe(2075);
    expect(yearOf('Monday, 02-Mar-77 10:00:00 GMT', '2026-03-02T10:00:00Z')).toBe(1977);
    expect(yearOf('Monday, 02-Mar-99 10:00:00 GMT', '2026-03-02T10:00:00Z')).toBe(1999);
    // Just past a century's turn it is the next one that is near.
    expect(yearOf('Saturday, 01-Jan-05 00:00:00 GMT', '1999-12-31T00:00:00Z')).toBe(2005);
    expect(yearOf('Saturday, 01-Jan-60 00:00:00 GMT', '1999-12-31T00:00:00Z')).toBe(1960);
    expect(yearOf('Saturday, 01-Jan-45 00:00:00 GMT', '1999-12-31T00:00:00Z')).toBe(2045);
  });
});

describe('instantOf', () => {
  const midnight = (year: number, month: number, day: number) =>
    instantOf({ year, month: month - 1, day, hour: 0, minute: 0, second: 0 });

  it.each([
    [2024, 29],
    [2025, 28],
    [1900, 28],
    [2000, 29],
    [2100, 28],
  ])('February of %i ends on the %ith', (year, last) => {
    expect(midnight(year, 2, last)).toBe(Date.UTC(year, 1, last));
    expect(midnight(year, 2, last + 1)).toBeNull();
  });

  it.each([31, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].map((days, at) => [at < 1 ? 1 : at + 2, days]))(
    'month %i has %i days',
    (month, days) => {
      expect(midnight(2026, month, days)).toBe(Date.UTC(2026, month - 1, days));
      expect(midnight(2026, month, days + 1)).toBeNull();
    },
  );

  it('has no month 13, no day 0, hour 24, minute 60 or second 61', () => {
    const last = { year: 2026, month: 11, day: 31, hour: 23, minute: 59, second: 59 };
    expect(instantOf(last)).toBe(Date.parse('2026-12-31T23:59:59Z'));
    expect(instantOf({ ...last, second: 60 })).toBe(Date.parse('2027-01-01T00:00:00Z'));
    for (const beyond of [{ month: 12 }, { month: -1 }, { day: 0 }, { hour: 24 }, { minute: 60 }, { second: 61 }]) {
      expect(instantOf({ ...last, ...beyond })).toBeNull();
    }
  });

  it('does not take the years 0 to 99 for those of the past century', () => {
    expect(midnight(99, 12, 31)).toBe(Date.parse('0099-12-31T00:00:00Z'));
    expect(midnight(100, 1, 1)).toBe(Date.parse('0100-01-01T00:00:00Z'));
  });
});
