import { type Check } from './check';

/** M1: the next send went out before the asked wait had passed. Tolerances are the pair's. */
export const checkEarlyRetry: Check = (input) =>
  input.steps
    .filter(({ pair }) => pair.compliance === 'early')
    .map(({ from, to, pair }) => ({
      check: 'early_retry',
      severity: 'medium',
      attempt: to.attempt.attempt,
      evidence: {
        askedBy: from.attempt.attempt,
        askedMs: pair.askedMs,
        waitedMs: pair.gapMs,
        earlyMs: pair.earlyMs,
        strict: pair.strict,
        approx: pair.approx,
      },
    }));
