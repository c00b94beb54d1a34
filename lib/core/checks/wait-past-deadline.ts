import { totalDeadlineMs } from '../timeline';
import { stepsOf, type Check } from './check';

/** M2: the asked wait was longer than what was left of the deadline, and the client slept all the same. */
export const checkWaitPastDeadline: Check = (input) => {
  const deadlineMs = totalDeadlineMs(input.timeline);
  const [first] = input.timeline.sends;
  if (deadlineMs === undefined || !first) return [];
  const endsAt = first.startAt + deadlineMs;
  return stepsOf(input)
    .filter(({ from, to, pair }) => {
      const askedMs = pair.askedMs ?? 0;
      return from.refAt + askedMs > endsAt && to.startAt > endsAt && pair.compliance === 'honoured';
    })
    .map(({ from, to, pair }) => ({
      check: 'wait_past_deadline',
      severity: 'medium',
      attempt: to.attempt.attempt,
      evidence: { askedMs: pair.askedMs, leftMs: Math.max(0, endsAt - from.refAt), deadlineMs },
    }));
};
