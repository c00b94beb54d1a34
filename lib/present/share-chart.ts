import type { InstantStyle } from './instant';
import { labelBucket, pickTicks, titleBucket } from './bucket-label';
import { listBuckets, type Step, type TimeRange } from './range';

export interface SharePoint {
  at: number;
  label: string;
  title: string;
  part: number;
  whole: number;
  /** part ÷ whole; null where there was nothing to judge: a gap, never a zero. */
  share: number | null;
  incomplete: boolean;
}

export interface ShareChartModel {
  points: SharePoint[];
  /** Bucket starts that the axis names. */
  ticks: number[];
}

export interface ShareChartInput {
  points: readonly { at: number; part: number; whole: number }[];
  range: TimeRange;
  step: Step;
  style: InstantStyle;
  now: number;
}

/** Puts a share over time into the range's buckets; the bucket that holds `now` is marked as not over. */
export function prepareShareChart(input: ShareChartInput): ShareChartModel {
  const { range, step, style, now } = input;
  const given = new Map(input.points.map((point) => [point.at, point]));
  const starts = listBuckets(range, step);
  const points = starts.map((at, place) => {
    const { part, whole } = given.get(at) ?? { part: 0, whole: 0 };
    const next = starts[place + 1] ?? Math.max(range.to, now);
    return {
      at,
      label: labelBucket(at, step, style),
      title: titleBucket(at, step, style, now),
      part,
      whole,
      share: whole > 0 ? part / whole : null,
      incomplete: at <= now && now < next,
    };
  });
  return { points, ticks: pickTicks(starts, step, range.tz) };
}
