import { normaliseNetworkError } from '../network-error';
import type { Send } from '../timeline';
import { type Check } from './check';

/** The client gave the try no time: ended by itself within 10 ms and 1 % of the try before it (a budget used up). */

/** A client's own timers, beside TimeoutError and AbortError. */
const CLIENT_CODES: ReadonlySet<string> = new Set(['ECONNABORTED', 'ETIMEDOUT']);

function endedByClient({ attempt }: Send): boolean {
  if (attempt.abortBy !== undefined || attempt.outcome === 'timeout' || attempt.outcome === 'aborted') return true;
  if (!attempt.error) return false;
  const error = normaliseNetworkError(attempt.error);
  const timer = error.code !== null && CLIENT_CODES.has(error.code) && error.syscall === null;
  return error.timeout || error.aborted || timer;
}

export const checkAttemptStarved: Check = (input) => {
  const { starvedMs, starvedShare } = input.context.settings;
  return input.steps
    .filter(({ from, to }) => {
      const lengthMs = to.endAt - to.startAt;
      const ended = to.attempt.endedAt !== undefined && endedByClient(to);
      return ended && lengthMs <= starvedMs && lengthMs <= (from.endAt - from.startAt) * starvedShare;
    })
    .map(({ from, to }) => ({
      check: 'attempt_starved',
      severity: 'low',
      attempt: to.attempt.attempt,
      evidence: { lengthMs: to.endAt - to.startAt, previousMs: from.endAt - from.startAt },
    }));
};
