import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignColours, OTHER_KEY } from '@/lib/present/colour';
import { prepareRateChart, type RatesLike } from '@/lib/present/rate-chart';
import { prepareShareChart } from '@/lib/present/share-chart';
import { OTHER_COLOR } from '@/lib/present/theme';

const QUARTER = 15 * 60_000;
const FROM = Date.parse('2026-11-30T12:00:00Z');
const RANGE = { from: FROM, to: FROM + 4 * QUARTER, tz: 'UTC' };
const STYLE = { locale: 'en', tz: 'UTC' } as const;

function ratesOf(counts: Record<string, number[]>, incompleteFrom: number | null = null): RatesLike {
  const starts = [0, 1, 2, 3].map((place) => FROM + place * QUARTER);
  return {
    series: Object.entries(counts).map(([key, list]) => ({
      key,
      points: list.flatMap((count, place) => (count > 0 ? [{ at: starts[place]!, count }] : [])),
    })),
    buckets: starts.map((at, place) => ({
      at,
      attempts: Object.values(counts).reduce((sum, list) => sum + (list[place] ?? 0), 0),
    })),
    incompleteFrom,
  };
}

const prepare = (rates: RatesLike, topMax?: number) =>
  prepareRateChart({ rates, range: RANGE, step: '15m', style: STYLE, now: FROM + 3.5 * QUARTER, topMax });

describe('prepareRateChart', () => {
  it('fills gaps with zeros and leaves a rate without attempts empty', () => {
    const model = prepare(ratesOf({ A: [2, 0, 0, 1], OK: [6, 0, 3, 0] }));
    expect(model.points.map((point) => point.errors)).toEqual([2, 0, 0, 1]);
    expect(model.points.map((point) => point.share)).toEqual([0.25, null, 0, 1]);
    expect(model.series.map((one) => one.key)).toEqual(['A']);
    expect([model.totalErrors, model.totalAttempts]).toEqual([3, 12]);
  });

  it('names the top and gathers the rest; a lone rest keeps its name', () => {
    const counts = { A: [9, 0, 0, 0], B: [8, 0, 0, 0], C: [2, 1, 0, 0], D: [1, 1, 0, 0] };
    const two = prepare(ratesOf(counts), 2);
    expect(two.series.map((one) => [one.key, one.total])).toEqual([
      ['A', 9],
      ['B', 8],
      [OTHER_KEY, 5],
    ]);
    expect(prepare(ratesOf(counts), 3).series.map((one) => one.key)).toEqual(['A', 'B', 'C', 'D']);
  });

  it('adds up: series of a bucket are its errors, whatever the cut', () => {
    const counts = fc.dictionary(
      fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F', 'OK'),
      fc.array(fc.nat(50), { minLength: 4, maxLength: 4 }),
    );
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 7 }), (given, topMax) => {
        for (const point of prepare(ratesOf(given), topMax).points) {
          const sum = Object.values(point.values).reduce((all, count) => all + count, 0);
          expect(sum).toBe(point.errors);
          expect(point.errors).toBeLessThanOrEqual(point.attempts);
        }
      }),
    );
  });

  it('marks the unfinished bucket and keeps it out of the peak', () => {
    const model = prepare(ratesOf({ A: [2, 3, 1, 9] }, FROM + 3 * QUARTER));
    expect(model.points.map((point) => point.incomplete)).toEqual([false, false, false, true]);
    expect([model.hasIncomplete, model.peak?.errors]).toEqual([true, 3]);
  });

  it('lays the previous period under this one by place, not by time', () => {
    const rates = ratesOf({ A: [1, 1, 1, 1] });
    const shifted: RatesLike = {
      series: [{ key: 'A', points: [{ at: FROM - 3 * QUARTER, count: 7 }] }],
      buckets: [],
      incompleteFrom: null,
    };
    const before = { from: FROM - 4 * QUARTER, to: FROM - 2 * QUARTER, tz: 'UTC' };
    const model = prepareRateChart({
      rates,
      previous: { range: before, rates: shifted },
      range: RANGE,
      step: '15m',
      style: STYLE,
      now: FROM,
    });
    // Cut to the part that has passed: what has no counterpart is nothing, not zero.
    expect(model.points.map((point) => point.previous)).toEqual([0, 7, null, null]);
  });

  it('says the day where it changes', () => {
    const range = { from: Date.parse('2026-11-30T23:30:00Z'), to: Date.parse('2026-12-01T00:30:00Z'), tz: 'UTC' };
    const empty = { series: [], buckets: [], incompleteFrom: null };
    const labels = (tz: string) =>
      prepareRateChart({ rates: empty, range, step: '15m', style: { locale: 'en', tz }, now: range.to }).points.map(
        (point) => point.label,
      );
    expect(labels('UTC')).toEqual(['23:30', '23:45', '1 Dec', '00:15']);
    expect(labels('Asia/Tokyo')).toEqual(['08:30', '08:45', '09:00', '09:15']);
    expect(labels('America/Los_Angeles')).toEqual(['15:30', '15:45', '16:00', '16:15']);
  });

  it('takes keys that hold dots or are words of a chart', () => {
    const model = prepare(ratesOf({ 'crm.deal.add': [1, 0, 0, 0], at: [1, 0, 0, 0], __proto__x: [1, 0, 0, 0] }));
    expect(model.series.map((one) => one.id)).toEqual(['s0', 's1', 's2']);
    expect(model.points[0]?.errors).toBe(3);
  });
});

describe('assignColours', () => {
  it('gives a key its colour whatever the order and the rank', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { maxLength: 8 }), (keys) => {
        expect(assignColours([...keys].reverse())).toEqual(assignColours(keys));
        expect(new Set(assignColours(keys.filter((key) => key !== OTHER_KEY)).values()).size).toBe(
          keys.filter((key) => key !== OTHER_KEY).length,
        );
      }),
    );
  });

  it('keeps grey for the rest', () => {
    expect(assignColours(['A', OTHER_KEY]).get(OTHER_KEY)).toBe(OTHER_COLOR);
  });
});

it('prepareShareChart leaves a gap where nothing was judged and marks the running bucket', () => {
  const { points } = prepareShareChart({
    points: [{ at: FROM, part: 1, whole: 4 }],
    range: RANGE,
    step: '15m',
    style: STYLE,
    now: FROM + 3.5 * QUARTER,
  });
  expect(points.map((point) => point.share)).toEqual([0.25, null, null, null]);
  expect(points.map((point) => point.incomplete)).toEqual([false, false, false, true]);
});
