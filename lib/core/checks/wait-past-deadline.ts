import { totalDeadlineMs } from '../timeline';
import { type Check } from './check';

/** M2: the asked wait was longer than what was left of the deadline, and the client slept all the same. */
export const checkWaitPastDeadline: Check = (input) => {
  const deadlineMs = totalDeadlineMs(input.timeline, input.context.settings);
  const [first] = input.timeline.sends;
  if (deadlineMs === undefined || !first) return [];
  const endsAt = first.startAt + deadlineMs;
  return input.steps
    .filter(({ from, to, pair: { askedMs } }) => {
      return askedMs !== null && from.refAt + askedMs > endsAt && to.startAt > endsAt;
    })
    .map(({ from, to, pair }) => ({
      check: 'wait_past_deadline',
      severity: 'medium',
      attempt: to.attempt.attempt,
      evidence: { askedMs: pair.askedMs, waitedMs: pair.gapMs, leftMs: Math.max(0, endsAt - from.refAt), deadlineMs },
    }));
};
