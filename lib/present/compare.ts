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

/** With less than this share of today's traffic the period before is a beginning, not a baseline. */
const BASELINE_SHARE_MIN = 0.05;

/**
 * Compares two values of one measure over periods of equal length.
 * @param samples traffic (attempts, calls, waits) of this period and of the one before: without enough of it before
 *   there is no baseline, and a rise would say nothing.
 */
export function compareWithPrevious(
  current: number,
  previous: number,
  samples: { current: number; previous: number },
): Trend {
  if (samples.previous <= 0 || samples.previous < samples.current * BASELINE_SHARE_MIN) {
    return current === 0 && previous === 0 ? { kind: 'none' } : { kind: 'no_baseline' };
  }
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
