/** Below this many attempts a rate says nothing, and is shown as not enough data. */
export const SAMPLE_MIN = 20;

export type Trend =
  /** Nothing now and nothing before. */
  | { kind: 'none' }
  /** There was no traffic to compare with: never an infinite rise. */
  | { kind: 'no_baseline' }
  | { kind: 'same' }
  | {
      kind: 'rise' | 'fall';
      /** (now − before) ÷ before, > 0; null when before was 0. */
      share: number | null;
      /** |now − before|. */
      difference: number;
    };

/**
 * Compares two values of one measure over periods of equal length.
 * @param previousSample how much traffic the previous period had; 0 means that there is no baseline.
 */
export function compareWithPrevious(current: number, previous: number, previousSample: number): Trend {
  if (previousSample <= 0) return current === 0 ? { kind: 'none' } : { kind: 'no_baseline' };
  if (current === previous) return { kind: 'same' };
  const difference = Math.abs(current - previous);
  return {
    kind: current > previous ? 'rise' : 'fall',
    share: previous === 0 ? null : difference / previous,
    difference,
  };
}

/** A rate, or the reason why there is none. */
export type RateReading = { kind: 'rate'; share: number } | { kind: 'not_enough'; sample: number } | { kind: 'none' };

/** Decides whether a share may be shown for that many samples. */
export function readRate(share: number | null, sample: number, sampleMin = SAMPLE_MIN): RateReading {
  if (sample <= 0 || share === null) return { kind: 'none' };
  return sample < sampleMin ? { kind: 'not_enough', sample } : { kind: 'rate', share };
}
