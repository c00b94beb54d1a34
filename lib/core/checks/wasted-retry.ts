import { isFollowUp, type Check } from './check';
import { isNeverRetry } from './never-retry';

/** M18: a retry that met the very outcome that could not change, a name that doesn't exist included. */
export const checkWastedRetry: Check = (input) =>
  input.steps
    .filter(({ from, to }) => {
      const missing = (flags: readonly string[]) => flags.includes('persistent_dns_suspected');
      const sameEnd = from.verdict.rule === to.verdict.rule && from.verdict.code === to.verdict.code;
      const hopeless = isNeverRetry(from) || missing(from.verdict.flags);
      return hopeless && sameEnd && !isFollowUp(to);
    })
    .map(({ to }) => ({
      check: 'wasted_retry',
      severity: 'low',
      attempt: to.attempt.attempt,
      evidence: { code: to.verdict.code, spentMs: to.endAt - to.startAt },
    }));
