import { SUCCESS_CODE } from '../core/rollup';
import { assignColours, OTHER_KEY } from './colour';
import { labelBucket, pickTicks, titleBucket } from './bucket-label';
import type { InstantStyle } from './instant';
import { listBuckets, type Step, type TimeRange } from './range';

/** What the preparer reads: the shape of a rates read model. */
export interface RatesLike {
  series: { key: string; points: { at: number; count: number }[] }[];
  buckets: { at: number; attempts: number }[];
  incompleteFrom: number | null;
}

export interface ChartSeries {
  /** Column of the data; `s0`, `s1` … because a code may hold dots that a chart reads as a path. */
  id: string;
  /** The real key, or OTHER_KEY. */
  key: string;
  colour: string;
  total: number;
}

export interface ChartPoint {
  at: number;
  /** Short, for the axis. */
  label: string;
  /** Whole, for the tooltip and the table. */
  title: string;
  attempts: number;
  errors: number;
  /** errors ÷ attempts; null without attempts. */
  share: number | null;
  /** Counts by series id. */
  values: Record<string, number>;
  /** Errors of the same place in the previous period; null when there is none. */
  previous: number | null;
  /** The bucket is not over yet. */
  incomplete: boolean;
}

export interface RateChartModel {
  points: ChartPoint[];
  series: ChartSeries[];
  /** Bucket starts that the axis names. */
  ticks: number[];
  /** Highest complete bucket; null when nothing happened. */
  peak: ChartPoint | null;
  totalErrors: number;
  totalAttempts: number;
  hasIncomplete: boolean;
  hasPrevious: boolean;
}

export interface RateChartInput {
  rates: RatesLike;
  previous?: { range: TimeRange; rates: RatesLike };
  range: TimeRange;
  step: Step;
  style: InstantStyle;
  now: number;
  /** How many keys get a series of their own. */
  topMax?: number;
  /** Keys not drawn: successes, unless the chart is of something else. */
  hide?: readonly string[];
}

function rankKeys(rates: RatesLike, hide: readonly string[], topMax: number): { top: string[]; rest: string[] } {
  const totals = rates.series
    .filter((one) => !hide.includes(one.key))
    .map((one) => ({ key: one.key, total: one.points.reduce((sum, point) => sum + point.count, 0) }))
    .filter((one) => one.total > 0)
    .sort((a, b) => b.total - a.total || (a.key < b.key ? -1 : 1));
  // A lone leftover gets its own name: "other" that holds one code says less than the code.
  const cut = totals.length === topMax + 1 ? totals.length : topMax;
  return { top: totals.slice(0, cut).map((one) => one.key), rest: totals.slice(cut).map((one) => one.key) };
}

/** Places points into the range's buckets by their start; a bucket without a row is zero. */
function placeCounts(
  points: readonly { at: number; count: number }[],
  index: Map<number, number>,
  size: number,
): number[] {
  const counts = new Array<number>(size).fill(0);
  for (const point of points) {
    const place = index.get(point.at);
    if (place !== undefined) counts[place] = (counts[place] ?? 0) + point.count;
  }
  return counts;
}

function placeAll(
  rates: RatesLike,
  starts: number[],
  hide: readonly string[],
): { errors: number[]; attempts: number[] } {
  const index = new Map(starts.map((at, place) => [at, place]));
  const errors = new Array<number>(starts.length).fill(0);
  for (const one of rates.series) {
    if (hide.includes(one.key)) continue;
    placeCounts(one.points, index, starts.length).forEach((count, place) => (errors[place] = errors[place]! + count));
  }
  const attempts = placeCounts(
    rates.buckets.map((bucket) => ({ at: bucket.at, count: bucket.attempts })),
    index,
    starts.length,
  );
  return { errors, attempts };
}

/** Settles gaps, top keys and "other", colours, labels and the unfinished bucket; the component only draws. */
export function prepareRateChart(input: RateChartInput): RateChartModel {
  const { rates, range, step, style } = input;
  const hide = input.hide ?? [SUCCESS_CODE];
  const starts = listBuckets(range, step);
  const index = new Map(starts.map((at, place) => [at, place]));
  const { top, rest } = rankKeys(rates, hide, input.topMax ?? 6);
  const keys = rest.length > 0 ? [...top, OTHER_KEY] : top;
  const colours = assignColours(keys);
  const columns = keys.map((key) => {
    const wanted = key === OTHER_KEY ? rest : [key];
    const points = rates.series.filter((one) => wanted.includes(one.key)).flatMap((one) => one.points);
    return placeCounts(points, index, starts.length);
  });
  const { errors, attempts } = placeAll(rates, starts, hide);
  const before = input.previous
    ? placeAll(input.previous.rates, listBuckets(input.previous.range, step), hide).errors
    : null;
  const points = starts.map((at, place): ChartPoint => {
    const all = attempts[place] ?? 0;
    const bad = errors[place] ?? 0;
    return {
      at,
      label: labelBucket(at, step, style),
      title: titleBucket(at, step, style, input.now),
      attempts: all,
      errors: bad,
      share: all > 0 ? bad / all : null,
      values: Object.fromEntries(columns.map((column, number) => [`s${number}`, column[place] ?? 0])),
      previous: before?.[place] ?? null,
      incomplete: rates.incompleteFrom !== null && at >= rates.incompleteFrom,
    };
  });
  return {
    points,
    series: keys.map((key, number) => ({
      id: `s${number}`,
      key,
      colour: colours.get(key) ?? 'gray.6',
      total: columns[number]!.reduce((sum, count) => sum + count, 0),
    })),
    ticks: pickTicks(starts, step, range.tz),
    ...summarise(points),
  };
}

function summarise(points: ChartPoint[]): Omit<RateChartModel, 'points' | 'series' | 'ticks'> {
  let peak: ChartPoint | null = null;
  for (const point of points) if (!point.incomplete && point.errors > (peak?.errors ?? 0)) peak = point;
  return {
    peak,
    totalErrors: points.reduce((sum, point) => sum + point.errors, 0),
    totalAttempts: points.reduce((sum, point) => sum + point.attempts, 0),
    hasIncomplete: points.some((point) => point.incomplete),
    hasPrevious: points.some((point) => point.previous !== null),
  };
}
