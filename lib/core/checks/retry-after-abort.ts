import { normaliseNetworkError } from '../network-error';
import type { Send } from '../timeline';
import type { Check } from './check';

/** A send after the caller had cancelled; or one that died of the old signal the moment it started. */

const AT_ONCE_MS = 5;

type End = 'user_abort' | 'abort' | 'timeout' | null;

function endOf({ attempt }: Send): End {
  const error = attempt.error ? normaliseNetworkError(attempt.error) : null;
  const byClock = attempt.abortBy === 'deadline' || attempt.abortBy === 'per_try';
  if (!byClock && (attempt.abortBy === 'user' || attempt.outcome === 'aborted' || error?.aborted)) return 'user_abort';
  if (error?.aborted) return 'abort';
  return error?.timeout || byClock || attempt.outcome === 'timeout' ? 'timeout' : null;
}

export const checkRetryAfterAbort: Check = ({ timeline }) => {
  const ends = timeline.sends.map(endOf);
  return timeline.sends.flatMap((send, at) => {
    const before = ends.slice(0, at);
    const afterUser = ends[at - 1] === 'user_abort';
    const died = (ends[at] === 'abort' || ends[at] === 'user_abort') && send.endAt - send.startAt <= AT_ONCE_MS;
    const diedOfOldSignal = died && before.some((end) => end !== null);
    if (!afterUser && !diedOfOldSignal) return [];
    return [
      {
        check: 'retry_after_abort',
        severity: 'low',
        attempt: send.attempt.attempt,
        evidence: { afterUserAbort: afterUser, lengthMs: send.endAt - send.startAt },
      },
    ];
  });
};
