import type { Finding } from '../operation';
import { totalDeadlineMs } from '../timeline';
import { declared, isFollowUp, type Check, type CheckInput } from './check';

/**
 * M7: more tries than declared, or fewer although the last one could have been repeated. Counted by events, because
 * repeats hidden inside a client library come with the same number.
 */

function countRetries(input: CheckInput): number {
  return input.steps.filter(({ from, to }) => {
    const single429 = from.profile === 'quillhub' && from.verdict.rule === 'HTTP_429';
    return !isFollowUp(to) && !single429;
  }).length;
}

interface Limit {
  retries: number;
  by: 'maxRetries' | 'maxAttempts' | 'rule' | 'default';
}

function limitOf({ timeline, context }: CheckInput): Limit {
  const { retriesMaxCount } = context.settings;
  if (timeline.sends[0]?.profile === 'quillhub') return { retries: retriesMaxCount, by: 'rule' };
  const retries = declared(timeline, 'maxRetries');
  if (retries !== undefined) return { retries, by: 'maxRetries' };
  const attempts = declared(timeline, 'maxAttempts');
  if (attempts !== undefined) return { retries: attempts - 1, by: 'maxAttempts' };
  return { retries: retriesMaxCount, by: 'default' };
}

function overLimit(retries: number, limit: Limit, attempt: number): Finding[] {
  // Q2: the guide's table says five attempts, its text and code five retries.
  const byReading = limit.by === 'rule' && retries === limit.retries;
  if (retries <= limit.retries && !byReading) return [];
  return [
    {
      check: 'over_limit',
      severity: byReading ? 'low' : 'medium',
      attempt,
      evidence: { retries, retriesMax: limit.retries, limitBy: limit.by, differsByReading: byReading },
    },
  ];
}

export const checkRetryLimit: Check = (input) => {
  const last = input.timeline.sends.at(-1);
  if (!last || (input.steps.length === 0 && last.verdict.action !== 'retry_with_limit')) return [];
  const retries = countRetries(input);
  const limit = limitOf(input);
  const over = overLimit(retries, limit, last.attempt.attempt);
  if (over.length > 0 || !input.conclusion.over || input.conclusion.state === 'cancelled') return over;
  const told = limit.by === 'maxRetries' || limit.by === 'maxAttempts';
  const repeatable = last.verdict.action === 'retry_with_limit';
  const gaveUp = input.conclusion.pairs.at(-1)?.compliance === 'gave_up_wait_too_long';
  const deadlineMs = totalDeadlineMs(input.timeline, input.context.settings);
  const first = input.timeline.sends[0] ?? last;
  const outOfTime = deadlineMs !== undefined && last.endAt >= first.startAt + deadlineMs;
  if (!told || retries >= limit.retries || !repeatable || gaveUp || outOfTime) return [];
  return [
    {
      check: 'under_limit',
      severity: 'medium',
      attempt: last.attempt.attempt,
      evidence: { retries, retriesMax: limit.retries, limitBy: limit.by, code: last.verdict.code },
    },
  ];
};
