import { expect } from 'vitest';

/** Matches a number within both bounds: real time is never exact. */
export function between(least: number, most: number): unknown {
  return expect.toSatisfy((value: unknown) => typeof value === 'number' && value >= least && value <= most);
}

export function atLeast(least: number): unknown {
  return between(least, Number.MAX_SAFE_INTEGER);
}
