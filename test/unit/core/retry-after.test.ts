import { describe, expect, it } from 'vitest';
import { DELAY_MS_MAX, isAbsoluteForm, parseRetryAfter } from '@/lib/core/retry-after';
import cases from '../../cases/data/retry-after.json';

const NOW = Date.UTC(2026, 2, 2, 10, 0, 0);
const read = (...lines: string[]) => parseRetryAfter(lines, { receivedAt: NOW });

describe('parseRetryAfter, handed cases', () => {
  for (const row of cases) {
    it(row.name, () => {
      expect(
        parseRetryAfter(row.lines, {
          receivedAt: Date.parse(row.receivedAt),
          dateHeader: row.dateHeader ?? undefined,
        }),
      ).toEqual(row.expected);
    });
  }
});

describe('parseRetryAfter', () => {
  it.each([
    ['1.1', 1100],
    ['2.3', 2300],
    ['0.0001', 1],
    ['2.000', 2000],
    ['0.000', 0],
    ['0.5', 500],
    ['2.5000', 2500],
    ['2.5001', 2501],
    ['2.99910', 3000],
    ['007.25', 7250],
  ])('rounds the fraction %s up to %i ms without float error', (text, delayMs) => {
    expect(read(text)).toMatchObject({ form: 'fractional-seconds', delayMs, issues: ['fractional'] });
  });

  it.each([
    '',
    ' ',
    '.5',
    '5.',
    '1e3',
    '٣',
    '1_000',
    'NaN',
    'true',
    '12abc',
    '--5',
    'Mon',
    '0x1F',
    '1.2.3',
    '-',
    '-.5',
    '-5s',
    '-1.2.3',
    '+3',
    'in 5 s',
    '5 s please',
    '5 parsecs',
    '5  s',
  ])('refuses %j', (text) => expect(read(text)).toMatchObject({ form: null, delayMs: null, issues: ['unparseable'] }));

  it.each(['500ms', '2 seconds', '3 Min', '1.5s', '1.25 s', '10 days', '1h'])(
    'names the unit in %j and refuses it',
    (text) => {
      expect(read(text)).toMatchObject({ delayMs: null, conformant: false, issues: ['unit_suffix'] });
    },
  );

  it.each(['-0', '-5', '-1.5', '-5.25', '-5.', '-99999999999999999999'])('names %j negative', (text) => {
    expect(read(text).issues).toEqual(['negative']);
  });

  it.each([
    'Tue, 31 Feb 2026 10:00:00 GMT',
    'Mon, 02 Mar 2026 24:00:00 GMT',
    'Mon, 02 Mar 2026 10:60:00 GMT',
    'Mon, 02 Mar 2026 10:00:61 GMT',
    'Mon, 2 Mar 2026 10:00:30 GMT',
    'Mon, 02 Mar 26 10:00:30 GMT',
    'Mon, 02 Mar 2026 10:00:30 EST',
    'Mon, 00 Mar 2026 10:00:30 GMT',
    'Mon Mar 2 10:00:30 2026',
    'Xyz, 02 Mar 2026 10:00:30 GMT',
    '2026-02-30T10:00:30Z',
    '2026-03-02T10:00:30',
  ])('refuses the impossible or foreign date %j', (text) => expect(read(text).delayMs).toBeNull());

  it('accepts 29 February in leap years only', () => {
    const at = Date.UTC(2028, 1, 29);
    const context = { receivedAt: at };
    expect(parseRetryAfter(['Tue, 29 Feb 2028 00:00:10 GMT'], context).delayMs).toBe(10_000);
    expect(parseRetryAfter(['Thu, 29 Feb 2100 00:00:10 GMT'], context).delayMs).toBeNull();
  });

  it('places two-digit years within fifty years of the base', () => {
    expect(read('Monday, 02-Mar-26 10:00:30 GMT')).toMatchObject({ form: 'rfc850-date', delayMs: 30_000 });
    const nineties = parseRetryAfter(['Saturday, 01-Jan-05 00:00:00 GMT'], { receivedAt: Date.UTC(1999, 11, 31) });
    expect(nineties.delayMs).toBe(Date.UTC(2005, 0, 1) - Date.UTC(1999, 11, 31));
  });

  it('reads offsets and fractions of ISO 8601, rounding up', () => {
    expect(read('2026-03-02T12:00:30+02:00').delayMs).toBe(30_000);
    expect(read('2026-03-02T08:00:30-0200').delayMs).toBe(30_000);
    expect(read('2026-03-02T10:00:00.0001Z').delayMs).toBe(1);
    expect(read('2026-03-02T10:00:30,5Z').delayMs).toBe(30_500);
    expect(read('2026-03-02 15:30:30+05:30').delayMs).toBe(30_000);
    expect(read('2026-03-02T00:15:30-09:45').delayMs).toBe(30_000);
    expect(read('2026-03-03T09:00:30+23:00').delayMs).toBe(30_000);
    expect(read('2026-03-02T10:00:30Z')).toMatchObject({ form: 'iso-8601', conformant: false, issues: ['iso_8601'] });
  });

  it.each(['x2026-03-02T10:00:30Z', '2026-03-02T10:00:30Zx', '2026-03-02T10:00:30+24:00', '2026-13-02T10:00:30Z'])(
    'reads no ISO 8601 into %j',
    (text) => expect(read(text)).toMatchObject({ delayMs: null, issues: ['unparseable'] }),
  );

  it('ignores space and tab around a value, and no other white space', () => {
    for (const text of [' 5', '5 ', '\t5', '5\t', ' \t 5\t \t']) expect(read(text).delayMs).toBe(5000);
    for (const text of ['\u00a05', '5\n', ' \t ']) expect(read(text).issues).toEqual(['unparseable']);
    const context = { receivedAt: NOW + 5000, dateHeader: '\t Mon, 02 Mar 2026 10:00:00 GMT ' };
    expect(parseRetryAfter(['5'], context).skewMs).toBe(5000);
  });

  it('reads epochs of ten and thirteen digits only within a year of the base', () => {
    expect(read(String(NOW + 30_000))).toMatchObject({ form: 'epoch-ms', delayMs: 30_000 });
    expect(read(String(NOW / 1000 - 5))).toMatchObject({
      form: 'epoch-seconds',
      delayMs: 0,
      issues: ['epoch_suspected', 'date_in_past'],
    });
    expect(read(String(NOW + 366 * 86_400_000))).toMatchObject({ form: 'delay-seconds', delayMs: DELAY_MS_MAX });
  });

  it('takes other counts of digits, and epochs more than a year away, for seconds', () => {
    const seconds = NOW / 1000;
    const year = 365 * 86_400;
    expect(read(String(seconds + year))).toMatchObject({ form: 'epoch-seconds', delayMs: year * 1000 });
    expect(read(String(seconds - year))).toMatchObject({ form: 'epoch-seconds', delayMs: 0 });
    expect(read(String(seconds + year + 1)).form).toBe('delay-seconds');
    expect(read(String(seconds - year - 1)).form).toBe('delay-seconds');
    expect(read(`0${seconds}`)).toMatchObject({ form: 'delay-seconds', delayMs: seconds * 1000 });
    const yearMs = year * 1000;
    expect(read(String(NOW + yearMs))).toEqual({
      form: 'epoch-ms',
      delayMs: yearMs,
      conformant: false,
      issues: ['epoch_suspected', 'implausibly_long'],
      skewMs: null,
    });
    expect(read(String(NOW - yearMs))).toMatchObject({ form: 'epoch-ms', delayMs: 0 });
    expect(read(String(NOW + yearMs + 1)).form).toBe('delay-seconds');
    expect(read(`0${NOW}`).form).toBe('delay-seconds');
    expect(read('0000000000')).toMatchObject({ form: 'delay-seconds', delayMs: 0, conformant: true });
  });

  it('an instant that is now asks for no wait and lies in no past', () => {
    expect(read('Mon, 02 Mar 2026 10:00:00 GMT')).toMatchObject({ delayMs: 0, conformant: true, issues: [] });
    expect(read('Mon, 02 Mar 2026 09:59:59 GMT')).toMatchObject({ delayMs: 0, issues: ['date_in_past'] });
  });

  it('counts epochs from the answer Date when there is one', () => {
    const got = parseRetryAfter([String(NOW / 1000 + 10)], {
      receivedAt: NOW + 600_000,
      dateHeader: 'Mon, 02 Mar 2026 10:00:00 GMT',
    });
    expect(got).toMatchObject({ delayMs: 10_000, skewMs: 600_000 });
  });

  it('distrusts the Date of a cached answer', () => {
    const got = parseRetryAfter(['Mon, 02 Mar 2026 10:00:30 GMT'], {
      receivedAt: NOW,
      dateHeader: 'Mon, 02 Mar 2026 09:00:00 GMT',
      ageHeader: '3600',
    });
    expect(got).toMatchObject({ delayMs: 30_000, skewMs: null });
  });

  it('does not take the comma of a date for a list, and finds dates inside one', () => {
    expect(read('Mon, 02 Mar 2026 10:00:30 GMT, 120')).toMatchObject({
      form: 'delay-seconds',
      delayMs: 120_000,
      issues: ['multiple_values'],
    });
    expect(read('10', 'Mon, 02 Mar 2026 10:00:30 GMT')).toMatchObject({ form: 'imf-fixdate', delayMs: 30_000 });
    expect(read('soon, 5')).toMatchObject({ delayMs: 5000, issues: ['multiple_values', 'unparseable'] });
    expect(read('soon', '-1')).toMatchObject({ delayMs: null, issues: ['multiple_values', 'unparseable'] });
  });

  it('takes the largest of stacked values, the first of equal ones, and no empty element for one', () => {
    const many = { conformant: false, issues: ['multiple_values'] };
    expect(read('10, 5')).toMatchObject({ form: 'delay-seconds', delayMs: 10_000, ...many });
    expect(read('5', '10')).toMatchObject({ delayMs: 10_000, ...many });
    expect(read('5', '5.0')).toMatchObject({ form: 'delay-seconds', delayMs: 5000, ...many });
    expect(read('0', 'soon')).toMatchObject({ delayMs: 0, issues: ['multiple_values', 'unparseable'] });
    expect(read('5,,10').issues).toEqual(['multiple_values']);
    expect(read('5', '')).toMatchObject({ delayMs: 5000, ...many });
    expect(read('', '')).toMatchObject({ delayMs: null, issues: ['multiple_values', 'unparseable'] });
    expect(read('5', '10, 20')).toMatchObject({ delayMs: 20_000, ...many });
    expect(read('Wednesday, 04-Mar-26 10:00:00 GMT, 5')).toMatchObject({
      form: 'rfc850-date',
      ...many,
      delayMs: 172_800_000,
      issues: ['multiple_values', 'implausibly_long'],
    });
  });

  it('joins only a whole day name with what follows its comma', () => {
    expect(read('xMon, 5').delayMs).toBe(5000);
    expect(read('Mon 5, 10').delayMs).toBe(10_000);
    expect(read('Mon, 5').delayMs).toBeNull();
    expect(read('5, Mon')).toMatchObject({ delayMs: 5000, issues: ['multiple_values', 'unparseable'] });
  });

  it('names waits above a day implausibly long and clamps above 2³¹ s', () => {
    expect(read('86400').issues).toEqual([]);
    expect(read('86401').issues).toEqual(['implausibly_long']);
    expect(read('2147483648').issues).toEqual(['implausibly_long']);
    expect(read('2147483649')).toMatchObject({ delayMs: DELAY_MS_MAX, issues: ['overflow_clamped'] });
  });

  it.each([
    ['delay-seconds', false],
    ['fractional-seconds', false],
    [null, false],
    ['imf-fixdate', true],
    ['rfc850-date', true],
    ['asctime-date', true],
    ['epoch-seconds', true],
    ['epoch-ms', true],
    ['iso-8601', true],
  ])('%s needs a clock: %s', (form, absolute) => expect(isAbsoluteForm(form)).toBe(absolute));

  it('is absent, not malformed, without lines', () => {
    expect(read()).toEqual({ form: null, delayMs: null, conformant: true, issues: [], skewMs: null });
  });

  it('stays linear on long hostile text', () => {
    for (const text of ['9'.repeat(1e6), ','.repeat(1e6), ' '.repeat(1e6), '1,'.repeat(5e5), '0.'.repeat(5e5)]) {
      const started = performance.now();
      read(text);
      expect(performance.now() - started).toBeLessThan(2000);
    }
  });
});
