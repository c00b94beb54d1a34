import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeCursor, encodeCursor, cutPage } from '@/lib/queries/cursor';
import { alignRange, decomposeRange, listBuckets, previousRange, QueryInputError } from '@/lib/queries/range';

const iso = (text: string): number => Date.parse(text);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('buckets', () => {
  test('a spring day in Berlin has 23 hours, an autumn day 25', () => {
    const days = (from: string, to: string) => {
      const { starts, end } = listBuckets({ from: iso(from), to: iso(to), tz: 'Europe/Berlin' }, '1d');
      return [...starts, end].slice(1).map((at, i) => (at - (starts[i] ?? 0)) / HOUR);
    };
    expect(days('2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z')).toEqual([24, 23, 24]);
    expect(days('2026-10-24T12:00:00Z', '2026-10-26T12:00:00Z')).toEqual([24, 25, 24]);
  });

  test.each([
    ['Asia/Kolkata', '2026-05-01T20:00:00Z', '2026-05-01T18:30:00Z'],
    ['Asia/Kathmandu', '2026-05-01T20:00:00Z', '2026-05-01T18:15:00Z'],
    ['America/St_Johns', '2026-05-01T12:00:00Z', '2026-05-01T02:30:00Z'],
    ['Pacific/Kiritimati', '2026-05-01T12:00:00Z', '2026-05-01T10:00:00Z'],
    // Midnight itself is skipped here: the day starts at 01:00.
    ['Africa/Cairo', '2026-04-24T12:00:00Z', '2026-04-23T22:00:00Z'],
    ['America/Havana', '2026-03-08T12:00:00Z', '2026-03-08T05:00:00Z'],
    ['UTC', '2026-05-01T12:00:00Z', '2026-05-01T00:00:00Z'],
  ])('the day in %s that holds %s starts at %s', (tz, at, start) => {
    const { starts } = listBuckets({ from: iso(at), to: iso(at) + 1, tz }, '1d');
    expect(starts.map((ms) => new Date(ms).toISOString())).toEqual([new Date(start).toISOString()]);
  });

  test('steps under a day follow UTC; too many, none and an unknown zone are refused', () => {
    const range = { from: iso('2026-05-01T10:20:00Z'), to: iso('2026-05-01T12:10:00Z'), tz: 'Asia/Kolkata' };
    expect(listBuckets(range, '1h').starts.map((at) => new Date(at).getUTCHours())).toEqual([10, 11, 12]);
    expect(listBuckets(range, '15m').starts).toHaveLength(8);
    expect(() => listBuckets({ ...range, to: range.from }, '1h')).toThrow(QueryInputError);
    expect(() => listBuckets({ ...range, from: 0 }, '1m')).toThrow(/too fine/);
    expect(() => listBuckets({ ...range, tz: 'Mars/Olympus' }, '1d')).toThrow(/time zone/);
  });

  const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe');
  const instants = fc.integer({ min: iso('2025-01-01T00:00:00Z'), max: iso('2027-01-01T00:00:00Z') });

  test('property: buckets follow each other without a gap and cover the range', () => {
    fc.assert(
      fc.property(
        zones,
        instants,
        fc.integer({ min: 1, max: 20 * 24 * 60 }),
        fc.constantFrom('1h', '1d'),
        (tz, from, minutes, step) => {
          const range = alignRange({ from, to: from + minutes * MINUTE, tz });
          const { starts, end } = listBuckets(range, step);
          expect(starts[0]).toBeLessThanOrEqual(range.from);
          expect(end).toBeGreaterThanOrEqual(range.to);
          expect([...starts, end].slice(1).every((at, i) => at > (starts[i] ?? Infinity))).toBe(true);
          expect(starts.slice(1).every((at) => at > range.from && at < range.to)).toBe(true);
        },
      ),
    );
  });

  test('property: the parts of a range are the range, aligned to their grain, crossing no bucket', () => {
    fc.assert(
      fc.property(
        zones,
        instants,
        fc.integer({ min: 1, max: 5 * 24 * 60 }),
        fc.constantFrom('1m', '15m', '1h', '1d'),
        (tz, from, minutes, word) => {
          const range = alignRange({ from, to: from + minutes * MINUTE, tz });
          const step = word as '1h';
          if (word === '1m' && minutes > 4_000) return;
          const { starts } = listBuckets(range, step);
          const spans = decomposeRange(range, starts);
          expect(spans.length).toBeLessThanOrEqual(5);
          expect(spans[0]?.from).toBe(range.from);
          expect(spans.at(-1)?.to).toBe(range.to);
          spans.slice(1).forEach((span, i) => expect(span.from).toBe(spans[i]?.to));
          for (const span of spans) {
            expect(span.from % (span.grain * MINUTE)).toBe(0);
            expect(span.to % (span.grain * MINUTE)).toBe(0);
            for (const start of starts.filter((at) => at > span.from && at < span.to)) {
              expect(start % (span.grain * MINUTE)).toBe(0);
            }
          }
        },
      ),
    );
  });
});

test('the previous period is cut to what has elapsed of this one', () => {
  const range = { from: 10 * HOUR, to: 14 * HOUR, tz: 'UTC' };
  expect(previousRange(range, 20 * HOUR)).toEqual({ from: 6 * HOUR, to: 10 * HOUR, tz: 'UTC' });
  expect(previousRange(range, 11 * HOUR)).toEqual({ from: 6 * HOUR, to: 7 * HOUR, tz: 'UTC' });
});

describe('cursors', () => {
  test('property: what was encoded decodes to itself', () => {
    fc.assert(
      fc.property(fc.integer(), fc.string({ maxLength: 200 }), (at, id) => {
        expect(decodeCursor(encodeCursor([at, id]), ['number', 'string'])).toEqual([at, id]);
      }),
    );
  });

  test('property: any other text is refused, never thrown otherwise', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => decodeCursor(text, ['number', 'string'])).toThrow(QueryInputError);
      }),
    );
  });

  test('the last page has no cursor', () => {
    const rows = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
    expect(cutPage(rows, 3, (row) => [row.id]).nextCursor).toBeNull();
    expect(cutPage(rows, 2, (row) => [row.id])).toEqual({ rows: rows.slice(0, 2), nextCursor: encodeCursor(['b']) });
  });
});
