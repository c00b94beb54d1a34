import { stepsOf, type Check } from './check';

/** M12 (QuillHub): 429 gets one retry of its own, after the asked wait and never within a second. */
export const checkThrottleInBackoffLoop: Check = (input) => {
  const after429 = stepsOf(input).filter(({ from, to }) => {
    return from.profile === 'quillhub' && from.verdict.rule === 'HTTP_429' && to.attempt.reason !== 'redirect';
  });
  return after429.flatMap(({ from, to, gapMs, pair }, nth) => {
    const leastMs = Math.max(1000, pair.askedMs ?? 0);
    const tooSoon = gapMs < leastMs - input.context.settings.toleranceSecondsMs;
    if (nth === 0 && !tooSoon) return [];
    return [
      {
        check: 'throttle_in_backoff_loop',
        severity: 'medium',
        attempt: to.attempt.attempt,
        evidence: { after: from.attempt.attempt, retriesAfter429: nth + 1, gapMs, leastMs },
      },
    ];
  });
};
