import { boundMsOf } from './backoff-bound';
import type { Check, Step } from './check';

/**
 * M12 (QuillHub): 429 gets one retry of its own, after the asked wait and never within a second. Gaps that double are
 * the second sign that it was folded into the backoff loop.
 */

/** At least two waits, each about twice the one before. */
function growsLikeBackoff(gaps: readonly number[]): boolean {
  const [firstMs] = gaps;
  if (gaps.length < 2 || firstMs === undefined || firstMs <= 0) return false;
  return gaps.every((gapMs, step) => {
    const expectedMs = boundMsOf(step, firstMs, undefined);
    return Math.abs(gapMs - expectedMs) <= expectedMs / 4;
  });
}

function isRetryOf429({ from, to }: Step): boolean {
  return from.profile === 'quillhub' && from.verdict.rule === 'HTTP_429' && to.attempt.reason !== 'redirect';
}

export const checkThrottleInBackoffLoop: Check = ({ steps, context }) => {
  const after429 = steps.filter(isRetryOf429);
  // Where the server's own waits double, that is no backoff of the client's.
  const askedToGrow = growsLikeBackoff(after429.map(({ pair }) => pair.askedMs ?? 0));
  const growing = !askedToGrow && growsLikeBackoff(after429.map(({ gapMs }) => gapMs));
  return after429.flatMap(({ from, to, gapMs, pair }, nth) => {
    const leastMs = Math.max(context.settings.throttleWaitMinMs, pair.askedMs ?? 0);
    const tooSoon = gapMs < leastMs - context.settings.toleranceSecondsMs;
    if (nth === 0 && !tooSoon) return [];
    return [
      {
        check: 'throttle_in_backoff_loop',
        severity: 'medium',
        attempt: to.attempt.attempt,
        evidence: { after: from.attempt.attempt, retriesAfter429: nth + 1, gapMs, leastMs, tooSoon, growing },
      },
    ];
  });
};
