import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pickTicks } from '@/lib/present/bucket-label';
import { chooseRange, chooseStep, listBuckets, RANGE_MS_MAX, RANGE_WORDS } from '@/lib/present/range';
import { previousRange } from '@/lib/queries/range';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (iso: string): number => Date.parse(iso);
const iso = (instant: number): string => new Date(instant).toISOString();
const NOW = at('2026-11-30T15:46:12.345Z');

describe('chooseRange', () => {
  it.each([
    ['1h', 'UTC', '2026-11-30T14:47:00.000Z', '2026-11-30T15:47:00.000Z'],
    ['24h', 'UTC', '2026-11-29T16:00:00.000Z', '2026-11-30T16:00:00.000Z'],
    ['7d', 'UTC', '2026-11-23T16:00:00.000Z', '2026-11-30T16:00:00.000Z'],
    ['today', 'Asia/Tokyo', '2026-11-30T15:00:00.000Z', '2026-12-01T15:00:00.000Z'],
    ['yesterday', 'Asia/Tokyo', '2026-11-29T15:00:00.000Z', '2026-11-30T15:00:00.000Z'],
    ['today', 'America/Los_Angeles', '2026-11-30T08:00:00.000Z', '2026-12-01T08:00:00.000Z'],
    ['30d', 'America/Los_Angeles', '2026-11-01T07:00:00.000Z', '2026-12-01T08:00:00.000Z'],
  ])('last=%s in %s', (last, tz, from, to) => {
    const { range, problems } = chooseRange({ last }, NOW, tz);
    expect([iso(range.from), iso(range.to), range.word, problems]).toEqual([from, to, last, []]);
  });

  it('holds now, whatever the word, the zone and the moment', () => {
    const zones = ['UTC', 'Asia/Tokyo', 'America/Los_Angeles', 'Europe/Berlin'];
    const words = RANGE_WORDS.filter((word) => word !== 'yesterday');
    fc.assert(
      fc.property(
        fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2027-01-01T00:00:00Z') }),
        fc.constantFrom(...words),
        fc.constantFrom(...zones),
        (now, last, tz) => {
          const { range } = chooseRange({ last }, now, tz);
          expect(range.from).toBeLessThanOrEqual(now);
          expect(range.to).toBeGreaterThan(now);
        },
      ),
    );
  });

  it('takes absolute instants over words, and now for a missing end', () => {
    const both = chooseRange({ last: '7d', from: '2026-11-01T00:00:00+03:00', to: '1793750400000' }, NOW, 'UTC');
    expect([iso(both.range.from), both.range.word]).toEqual(['2026-10-31T21:00:00.000Z', null]);
    const open = chooseRange({ from: '2026-11-30T00:00:00Z' }, NOW, 'UTC');
    expect(iso(open.range.to)).toBe('2026-11-30T15:47:00.000Z');
  });

  it.each([
    [{ last: 'week' }, ['last']],
    [{ from: 'yesterday' }, ['from']],
    [{ from: '2026-11-30T00:00:00' }, ['from']],
    [{ from: '2026-11-30T00:00:00Z', to: '2026-11-29T00:00:00Z' }, ['to']],
    [{ from: '2020-01-01T00:00:00Z', to: '2026-11-29T00:00:00Z' }, ['to']],
    [{ to: '2026-11-29T00:00:00Z' }, ['from']],
  ])('falls back to the last day for %j and names what it left out', (words, problems) => {
    const chosen = chooseRange(words, NOW, 'UTC');
    expect(chosen.problems).toEqual(problems);
    expect(chosen.range.word).toBe('24h');
  });

  it('takes any text without throwing, and never an empty or endless range', () => {
    const word = fc.option(fc.string(), { nil: null });
    fc.assert(
      fc.property(word, word, word, (last, from, to) => {
        const { range } = chooseRange({ last, from, to }, NOW, 'UTC');
        expect(range.to).toBeGreaterThan(range.from);
        expect(range.to - range.from).toBeLessThanOrEqual(RANGE_MS_MAX);
      }),
    );
  });
});

describe('steps and buckets', () => {
  it.each([
    [HOUR, '1m'],
    [6 * HOUR, '15m'],
    [DAY, '15m'],
    [7 * DAY, '1h'],
    [30 * DAY, '1d'],
  ])('%d ms are drawn in steps of %s', (length, step) => {
    expect(chooseStep({ from: 0, to: length })).toBe(step);
  });

  it.each([
    ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-30T22:00:00Z', [23, 24]],
    ['America/Los_Angeles', '2026-11-01T07:00:00Z', '2026-11-03T08:00:00Z', [25, 24]],
  ])('days of %s follow its clocks', (tz, from, to, hours) => {
    const starts = listBuckets({ from: at(from), to: at(to), tz }, '1d');
    const ends = [...starts.slice(1), at(to)];
    expect(starts.map((start, place) => (ends[place]! - start) / HOUR)).toEqual(hours);
  });

  it('relative ranges are whole buckets, so that two periods lie on each other', () => {
    for (const last of RANGE_WORDS) {
      const { range } = chooseRange({ last }, NOW, 'Europe/Berlin');
      const before = previousRange(range, NOW);
      const step = chooseStep(range);
      expect(listBuckets(range, step)[0]).toBe(range.from);
      expect(listBuckets(before, step)[0]).toBe(before.from);
    }
  });
});

describe('the previous period', () => {
  it('is cut to the part that has passed', () => {
    const { range } = chooseRange({ last: 'today' }, NOW, 'UTC');
    const before = previousRange(range, NOW);
    expect([iso(before.from), iso(before.to)]).toEqual(['2026-11-29T00:00:00.000Z', '2026-11-29T15:47:00.000Z']);
  });

  it.each([
    // Today has 23 or 25 hours, yesterday 24: the day before still starts at its own midnight.
    ['Europe/Berlin', '2026-03-29T20:00:00Z', '2026-03-27T23:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25T20:00:00Z', '2026-10-23T22:00:00.000Z'],
    ['America/Los_Angeles', '2026-03-09T03:00:00Z', '2026-03-07T08:00:00.000Z'],
    ['Asia/Tokyo', '2026-03-29T20:00:00Z', '2026-03-28T15:00:00.000Z'],
  ])('of today in %s at %s starts at the midnight before', (tz, now, from) => {
    const { range } = chooseRange({ last: 'today' }, at(now), tz);
    const before = previousRange(range, at(now));
    expect(iso(before.from)).toBe(from);
    expect(before.to).toBeLessThanOrEqual(range.from);
  });

  it('of thirty days goes back thirty days of the calendar', () => {
    const { range } = chooseRange({ last: '30d' }, NOW, 'America/Los_Angeles');
    expect(iso(previousRange(range, NOW).from)).toBe('2026-10-02T07:00:00.000Z');
  });

  it('of an absolute range has its length', () => {
    const { range } = chooseRange({ from: '2026-11-10T01:30:00Z', to: '2026-11-10T05:00:00Z' }, NOW, 'UTC');
    const before = previousRange(range, NOW);
    expect([iso(before.from), iso(before.to)]).toEqual(['2026-11-09T22:00:00.000Z', '2026-11-10T01:30:00.000Z']);
  });
});

describe('pickTicks', () => {
  it.each([
    ['24h', 'Asia/Tokyo', ['2026-11-29T18:00:00.000Z', '2026-11-29T21:00:00.000Z', '2026-11-30T00:00:00.000Z']],
    ['7d', 'America/Los_Angeles', ['2026-11-24T08:00:00.000Z', '2026-11-25T08:00:00.000Z', '2026-11-26T08:00:00.000Z']],
  ] as const)('names round local times of last=%s in %s', (last, tz, first) => {
    const { range } = chooseRange({ last }, NOW, tz);
    const step = chooseStep(range);
    const ticks = pickTicks(listBuckets(range, step), step, tz);
    expect(ticks.slice(0, 3).map(iso)).toEqual(first);
    expect(ticks.length).toBeLessThanOrEqual(10);
  });
});
