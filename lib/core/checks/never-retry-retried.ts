import { differsInRequest, isFollowUp, type Check } from './check';
import { isNeverRetry, wasFixedBetween } from './never-retry';

/** M6: sent again unchanged after an outcome that only a repair can change. Unknown codes are advice only. */
export const checkNeverRetryRetried: Check = (input) =>
  input.steps.flatMap(({ from, to }) => {
    const advice = from.verdict.flags.includes('advice_fix_first');
    if (!isNeverRetry(from) && !advice) return [];
    if (isFollowUp(to) || differsInRequest(from, to) || wasFixedBetween(from, to, input.timeline)) return [];
    return [
      {
        check: 'never_retry_retried',
        severity: advice ? 'info' : 'medium',
        attempt: to.attempt.attempt,
        evidence: { after: from.attempt.attempt, code: from.verdict.code, rule: from.verdict.rule },
      },
    ];
  });
