import { type Check } from './check';

/** Early, and the gap is a different wait that an earlier answer had asked for. */

export const checkStaleDelayUsed: Check = (input) => {
  const steps = input.steps;
  return steps.flatMap(({ to, pair, gapMs }, at) => {
    if (pair.compliance !== 'early') return [];
    const stale = steps.slice(0, at).find(({ pair: { askedMs } }) => {
      return (
        askedMs !== null && askedMs !== pair.askedMs && Math.abs(gapMs - askedMs) <= input.context.settings.staleDelayMs
      );
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
