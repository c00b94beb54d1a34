import { totalDeadlineMs } from '../timeline';
import type { Check } from './check';

/** M8: a send that started after the total deadline. Finishing late after a start in time is none. */
export const checkPastDeadline: Check = ({ timeline, context }) => {
  const [first] = timeline.sends;
  if (!first) return [];
  const deadlineMs = totalDeadlineMs(timeline, context.settings);
  if (deadlineMs === undefined) return [];
  const endsAt = first.startAt + deadlineMs;
  return timeline.sends
    .filter((send) => send.startAt > endsAt)
    .map((send) => ({
      check: 'past_deadline',
      severity: 'medium',
      attempt: send.attempt.attempt,
      evidence: {
        deadlineMs,
        lateMs: send.startAt - endsAt,
        overshootMs: Math.max(0, send.endAt - endsAt),
        approx: send.clock !== first.clock,
      },
    }));
};
