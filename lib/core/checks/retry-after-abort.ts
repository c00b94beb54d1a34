import { normaliseNetworkError } from '../network-error';
import { isCallerAbort } from '../signal';
import type { Send } from '../timeline';
import type { Check } from './check';

/** A send after the caller had cancelled; or one that died of the old signal the moment it started. */

type End = 'abort' | 'timeout' | null;

function endOf({ attempt }: Send): End {
  if (isCallerAbort(attempt)) return 'abort';
  const error = attempt.error ? normaliseNetworkError(attempt.error) : null;
  const byClock = attempt.abortBy === 'deadline' || attempt.abortBy === 'per_try';
  return byClock || attempt.outcome === 'timeout' || error?.timeout ? 'timeout' : null;
}

export const checkRetryAfterAbort: Check = ({ timeline, context }) => {
  const ends = timeline.sends.map(endOf);
  return timeline.sends.flatMap((send, at) => {
    const before = ends.slice(0, at);
    const afterUser = ends[at - 1] === 'abort';
    const died = ends[at] === 'abort' && send.endAt - send.startAt <= context.settings.abortAtOnceMs;
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
