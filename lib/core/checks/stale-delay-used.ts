import { stepsOf, type Check } from './check';

/** Early, and the gap is a different wait that an earlier answer had asked for. */

const SAME_MS = 50;

export const checkStaleDelayUsed: Check = (input) => {
  const steps = stepsOf(input);
  return steps.flatMap(({ to, pair, gapMs }, at) => {
    if (pair.compliance !== 'early') return [];
    const stale = steps.slice(0, at).find(({ pair: { askedMs } }) => {
      return askedMs !== null && askedMs !== pair.askedMs && Math.abs(gapMs - askedMs) <= SAME_MS;
    });
    if (!stale) return [];
    return [
      {
        check: 'stale_delay_used',
        severity: 'medium',
        attempt: to.attempt.attempt,
        evidence: {
          askedMs: pair.askedMs,
          waitedMs: gapMs,
          staleMs: stale.pair.askedMs,
          staleFrom: stale.pair.attempt,
        },
      },
    ];
  });
};
