import { randomUUID } from 'node:crypto';
import type { Attempt, AttemptStarted, Closed, ReadBack, Tally } from '@/lib/core/attempt';

/** Facts with everything a test doesn't care about filled in. Times are epoch ms and always given. */

const COMMON = { environment: 'production' } as const;

function makeAttempt(over: Partial<Attempt> & Pick<Attempt, 'operationId' | 'startedAt'>): Attempt {
  const endedAt = over.endedAt ?? over.startedAt + 200;
  return {
    ...COMMON,
    type: 'attempt',
    id: randomUUID(),
    attempt: 1,
    endedAt,
    service: 'billing',
    kind: 'write',
    call: 'POST /v1/charges',
    ...over,
  };
}

/** A write whose answer never came: nobody can vouch for it. */
export function makeUnclear(over: Partial<Attempt> & Pick<Attempt, 'operationId' | 'startedAt'>): Attempt {
  return makeAttempt({
    outcome: 'timeout',
    error: { name: 'TimeoutError', code: 23, message: 'The operation was aborted due to timeout' },
    ...over,
  });
}

export function makeSuccess(over: Partial<Attempt> & Pick<Attempt, 'operationId' | 'startedAt'>): Attempt {
  return makeAttempt({ outcome: 'success', status: 201, ...over });
}

/** A refusal that asks to wait some seconds. */
export function makeThrottled(
  seconds: number,
  over: Partial<Attempt> & Pick<Attempt, 'operationId' | 'startedAt'>,
): Attempt {
  return makeAttempt({ outcome: 'http_error', status: 429, retryAfter: [String(seconds)], ...over });
}

export function makeStarted(
  over: Partial<AttemptStarted> & Pick<AttemptStarted, 'operationId' | 'startedAt'>,
): AttemptStarted {
  return {
    ...COMMON,
    type: 'attempt_started',
    id: randomUUID(),
    attempt: 1,
    service: 'billing',
    kind: 'write',
    call: 'POST /v1/charges',
    ...over,
  };
}

export function makeReadBack(over: Partial<ReadBack> & Pick<ReadBack, 'operationId' | 'startedAt'>): ReadBack {
  return {
    ...COMMON,
    type: 'readback',
    id: randomUUID(),
    endedAt: over.startedAt + 100,
    result: 'present',
    criterion: 'unique',
    ...over,
  };
}

export function makeClosed(over: Partial<Closed> & Pick<Closed, 'operationId' | 'startedAt'>): Closed {
  return { ...COMMON, type: 'closed', id: randomUUID(), result: 'done', ...over };
}

export function makeTally(over: Partial<Tally> & Pick<Tally, 'minute' | 'successes'>): Tally {
  return {
    ...COMMON,
    type: 'tally',
    id: randomUUID(),
    service: 'billing',
    kind: 'read',
    call: 'GET /v1/charges',
    ...over,
  };
}
