import { declared, type Check } from './check';

/** M8: a send that started after the declared total deadline. Finishing late after a start in time is none. */

/** The guide's own example value (QuillHub). */
const QUILLHUB_DEADLINE_MS = 120_000;

export const checkPastDeadline: Check = ({ timeline }) => {
  const [first] = timeline.sends;
  if (!first) return [];
  const deadlineMs =
    declared(timeline, 'deadlineMs') ?? (first.profile === 'quillhub' ? QUILLHUB_DEADLINE_MS : undefined);
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
