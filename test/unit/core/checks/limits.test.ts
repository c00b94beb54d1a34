import { describe, expect, it } from 'vitest';
import type { Attempt, Fact } from '@/lib/core/attempt';
import { DEFAULT_SETTINGS } from '@/lib/core/operation';
import { fact, fold, T0 } from '../support/event';
import { findingsOf, read, send } from '../support/find-all';

/** M7, M19 and the flags of ends, by rule: how many tries, how they ended, what was told of them. */

type Fields = Partial<Attempt>;
const findings = findingsOf;
const names = (facts: Fact[]) => fold(facts).findings.map(({ check }) => check);
const ok = { status: 200 };
const down = { status: 503 };
const quill = { profile: 'quillhub' as const };
/** Tries nine seconds apart, the fields of each in turn, the last repeated. */
const tries = (count: number, ...fields: Fields[]) =>
  Array.from({ length: count }, (_, n) => read(n + 1, n * 9_000, fields[Math.min(n, fields.length - 1)]));

describe('over_limit (M7)', () => {
  const check = 'over_limit';
  it('says how many retries against which limit', () => {
    expect(findings(check, tries(4, { ...down, policy: { maxRetries: 2 } }))).toEqual([
      {
        check,
        severity: 'medium',
        attempt: 4,
        evidence: { retries: 3, retriesMax: 2, limitBy: 'maxRetries', differsByReading: false },
      },
    ]);
    expect(findings(check, tries(4, { ...down, policy: { maxAttempts: 3 } }))[0]?.evidence).toMatchObject({
      retriesMax: 2,
      limitBy: 'maxAttempts',
    });
    expect(findings(check, tries(7, down))[0]?.evidence).toMatchObject({ retriesMax: 5, limitBy: 'default' });
    expect(findings(check, tries(6, { ...down, ...quill }))).toMatchObject([
      { severity: 'low', evidence: { retries: 5, retriesMax: 5, limitBy: 'rule', differsByReading: true } },
    ]);
    expect(findings(check, tries(7, { ...down, ...quill }))).toMatchObject([
      { severity: 'medium', evidence: { retries: 6, limitBy: 'rule', differsByReading: false } },
    ]);
    expect(findings(check, tries(5, { ...down, ...quill }))).toEqual([]);
  });
  it('retries go before attempts, and QuillHub’s rule before what was declared', () => {
    const policy = { maxRetries: 5, maxAttempts: 2 };
    expect(findings(check, tries(6, { ...down, policy }))).toEqual([]);
    expect(findings(check, tries(7, { ...down, policy }))[0]?.evidence.limitBy).toBe('maxRetries');
    expect(findings(check, tries(4, { ...down, ...quill, policy: { maxRetries: 2 } }))).toEqual([]);
    // The first declaration of any try holds.
    expect(findings(check, tries(4, down, { ...down, policy: { maxRetries: 2 } }))).toHaveLength(1);
    expect(findings(check, tries(2, { ...down, policy: { maxRetries: 0 } }))).toHaveLength(1);
    expect(findings(check, tries(1, { ...down, policy: { maxRetries: 0 } }))).toEqual([]);
  });
  it('redirects and renewals are no retries; hedges and replays are', () => {
    const run = (reason: Attempt['reason']) =>
      findings(check, tries(4, { ...down, policy: { maxRetries: 2 } }, { ...down, reason }, down)).length;
    expect(run('redirect')).toBe(0);
    expect(run('reauth')).toBe(0);
    expect(run('hedge')).toBe(1);
    expect(run('replay')).toBe(1);
    expect(run('retry')).toBe(1);
  });
  it('QuillHub’s retry after a 429 is left out, elsewhere it counts', () => {
    const limited = { status: 429 };
    expect(findings(check, tries(6, { ...quill, ...limited }, { ...quill, ...down }))).toEqual([]);
    expect(findings(check, tries(4, { ...limited, policy: { maxRetries: 2 } }, down))).toHaveLength(1);
  });
  it('counts events, not numbers', () => {
    const hidden = tries(4, { ...down, policy: { maxRetries: 2 } }).map((one) => ({ ...one, attempt: 1 }));
    expect(findings(check, hidden)).toHaveLength(1);
  });
  it('is told while the operation still runs', () => {
    const facts = tries(4, { ...down, policy: { maxRetries: 2 } });
    expect(fold(facts, { asOf: T0 + 28_000 }).findings.map((one) => one.check)).toContain(check);
  });
});

describe('under_limit (M7)', () => {
  const check = 'under_limit';
  const declared: Fields = { ...down, policy: { maxRetries: 3 } };
  it('says how many were sent of how many, and how the last one ended', () => {
    expect(findings(check, tries(2, declared))).toEqual([
      {
        check,
        severity: 'medium',
        attempt: 2,
        evidence: { retries: 1, retriesMax: 3, limitBy: 'maxRetries', code: 'HTTP_503' },
      },
    ]);
    expect(findings(check, tries(1, declared))).toMatchObject([{ attempt: 1, evidence: { retries: 0 } }]);
    expect(findings(check, tries(2, { ...down, policy: { maxAttempts: 3 } }))[0]?.evidence).toMatchObject({
      retriesMax: 2,
      limitBy: 'maxAttempts',
    });
  });
  it('exactly as many as declared is enough', () => {
    expect(findings(check, tries(4, declared))).toEqual([]);
    expect(findings(check, tries(3, { ...down, policy: { maxAttempts: 3 } }))).toEqual([]);
  });
  it('only of a declared limit', () => {
    expect(findings(check, tries(2, down))).toEqual([]);
    expect(findings(check, tries(2, { ...down, ...quill }))).toEqual([]);
  });
  it('only where the last one could have been repeated', () => {
    expect(findings(check, tries(2, declared, ok))).toEqual([]);
    expect(findings(check, tries(2, declared, { status: 422 }))).toEqual([]);
    expect(findings(check, tries(1, { ...declared, status: 422 }))).toEqual([]);
  });
  it('not while more may come, nor after the caller cancelled', () => {
    const facts = tries(2, declared);
    const at = (asOf: number) => fold(facts, { asOf: T0 + asOf }).findings.filter((one) => one.check === check).length;
    expect(at(9_100 + DEFAULT_SETTINGS.idleOverMs - 1)).toBe(0);
    expect(at(9_100 + DEFAULT_SETTINGS.idleOverMs)).toBe(1);
    expect(findings(check, [...facts, fact({ type: 'closed', result: 'abandoned', startedAt: T0 + 9_500 })])).toEqual(
      [],
    );
    const aborted = tries(2, declared, { outcome: 'aborted', abortBy: 'user' });
    expect(findings(check, aborted)).toEqual([]);
  });
  it('not where the asked wait was longer than cap or deadline, nor where the time was up', () => {
    const asked: Fields = { status: 429, retryAfter: ['60'] };
    const policy = { maxRetries: 3 };
    expect(findings(check, tries(2, declared, { ...asked, policy: { retryAfterCapMs: 10_000 } }))).toEqual([]);
    expect(findings(check, tries(2, declared, { ...asked, policy: { retryAfterCapMs: 60_000 } }))).toHaveLength(1);
    expect(findings(check, tries(3, declared, down, { ...asked, policy: { retryAfterCapMs: 10_000 } }))).toEqual([]);
    const until = (deadlineMs: number) =>
      findings(check, tries(2, { ...down, policy: { ...policy, deadlineMs } })).length;
    expect(until(9_100)).toBe(0);
    expect(until(9_101)).toBe(1);
  });
});

describe('retryable_not_retried', () => {
  const check = 'retryable_not_retried';
  it('says how it ended and what was asked', () => {
    expect(findings(check, [read(1, 0, down)])).toEqual([
      { check, severity: 'low', attempt: 1, evidence: { code: 'HTTP_503', askedMs: null } },
    ]);
    expect(findings(check, [read(1, 0, { status: 429, retryAfter: ['5'] })])[0]?.evidence.askedMs).toBe(5_000);
  });
  it('only one send, whose rule allows a repeat', () => {
    expect(findings(check, tries(2, down))).toEqual([]);
    expect(findings(check, [read(1, 0, ok)])).toEqual([]);
    expect(findings(check, [read(1, 0, { status: 422 })])).toEqual([]);
    expect(findings(check, [send(1, 0, { outcome: 'timeout' })])).toEqual([]);
  });
  it('not while it may still come, nor where the caller cancelled, nor where the wait was too long for it', () => {
    const one = [read(1, 0, down)];
    const at = (asOf: number) =>
      fold(one, { asOf: T0 + asOf }).findings.filter((found) => found.check === check).length;
    expect(at(100 + DEFAULT_SETTINGS.idleOverMs - 1)).toBe(0);
    expect(at(100 + DEFAULT_SETTINGS.idleOverMs)).toBe(1);
    expect(findings(check, [read(1, 0, { outcome: 'aborted', abortBy: 'user' })])).toEqual([]);
    expect(findings(check, [...one, fact({ type: 'closed', result: 'abandoned', startedAt: T0 + 500 })])).toEqual([]);
    const capped: Fields = { status: 429, retryAfter: ['60'], policy: { retryAfterCapMs: 10_000 } };
    expect(findings(check, [read(1, 0, capped)])).toEqual([]);
  });
});

describe('retry_after_abort', () => {
  const check = 'retry_after_abort';
  const aborted: Fields = { outcome: 'aborted', abortBy: 'user' };
  const ends = (...each: [number, Fields][]) =>
    each.map(([lengthMs, fields], n) => read(n + 1, n * 9_000, { endedAt: T0 + n * 9_000 + lengthMs, ...fields }));
  it('says whether it followed the caller’s abort, and how long it lived', () => {
    expect(findings(check, ends([100, aborted], [80, ok]))).toEqual([
      { check, severity: 'low', attempt: 2, evidence: { afterUserAbort: true, lengthMs: 80 } },
    ]);
    expect(findings(check, ends([100, { outcome: 'timeout' }], [3, aborted]))).toEqual([
      { check, severity: 'low', attempt: 2, evidence: { afterUserAbort: false, lengthMs: 3 } },
    ]);
  });
  it('the one right after an abort, not those further on', () => {
    expect(findings(check, ends([100, aborted], [80, down], [80, ok])).map(({ attempt }) => attempt)).toEqual([2]);
  });
  it('one that died of an old signal: any earlier end by timer or abort', () => {
    const died = (first: Fields, lengthMs = 5) =>
      findings(check, ends([100, first], [100, down], [lengthMs, aborted])).length;
    expect(died({ outcome: 'timeout' })).toBe(1);
    expect(died({ abortBy: 'deadline' })).toBe(1);
    expect(died({ abortBy: 'per_try' })).toBe(1);
    expect(died({ error: { name: 'TimeoutError', code: 23 } })).toBe(1);
    expect(died({ error: { name: 'AbortError', code: 20 } })).toBe(2);
    expect(died({ outcome: 'timeout' }, 6)).toBe(0);
    expect(died(down)).toBe(0);
    expect(died({ error: { name: 'Error', code: 'ECONNRESET' } })).toBe(0);
  });
  it('what ended otherwise at once did not die of a signal, and a first send has no old one', () => {
    expect(findings(check, ends([100, { outcome: 'timeout' }], [3, down]))).toEqual([]);
    expect(findings(check, ends([100, { outcome: 'timeout' }], [3, { outcome: 'timeout' }]))).toEqual([]);
    expect(findings(check, ends([3, aborted]))).toEqual([]);
  });
  it('the caller’s own timer is no abort of the caller’s', () => {
    expect(
      findings(check, ends([100, { abortBy: 'deadline', error: { name: 'AbortError', code: 20 } }], [80, ok])),
    ).toEqual([]);
  });
});

describe('attempt_starved', () => {
  const check = 'attempt_starved';
  const pair = (lengthMs: number, second: Fields, firstMs = 60_000) => [
    read(1, 0, { outcome: 'timeout', endedAt: T0 + firstMs }),
    read(2, 70_000, { endedAt: T0 + 70_000 + lengthMs, ...second }),
  ];
  it('says how long it had, and how long the one before', () => {
    expect(findings(check, pair(7, { outcome: 'timeout' }))).toEqual([
      { check, severity: 'low', attempt: 2, evidence: { lengthMs: 7, previousMs: 60_000 } },
    ]);
  });
  it.each<[string, Fields, number]>([
    ['an abort by the user', { abortBy: 'user' }, 1],
    ['its deadline', { abortBy: 'deadline' }, 1],
    ['its timer', { outcome: 'timeout' }, 1],
    ['an abort', { outcome: 'aborted' }, 1],
    ['a TimeoutError', { error: { name: 'TimeoutError', code: 23 } }, 1],
    ['an AbortError', { error: { name: 'AbortError', code: 20 } }, 1],
    ['axios’s timer', { error: { name: 'AxiosError', code: 'ECONNABORTED' } }, 1],
    ['a client’s ETIMEDOUT', { error: { name: 'Error', code: 'ETIMEDOUT' } }, 1],
    ['the system’s ETIMEDOUT', { error: { name: 'Error', code: 'ETIMEDOUT', syscall: 'connect' } }, 0],
    ['a reset', { error: { name: 'Error', code: 'ECONNRESET' } }, 0],
    ['an answer', down, 0],
    ['an answer within the time', ok, 0],
  ])('ended by %s: %j gives %i', (_name, second, count) => {
    expect(findings(check, pair(7, second))).toHaveLength(count);
  });
  it('one whose end nobody told was not short', () => {
    expect(findings(check, pair(7, { outcome: 'timeout', endedAt: undefined }))).toEqual([]);
  });
  it('a hundredth of the one before, and ten milliseconds', () => {
    expect(findings(check, pair(10, { outcome: 'timeout' }, 1_000))).toHaveLength(1);
    expect(findings(check, pair(10, { outcome: 'timeout' }, 999))).toEqual([]);
    expect(findings(check, pair(11, { outcome: 'timeout' }, 9_000))).toEqual([]);
  });
});

describe('incomplete_give_up (M19)', () => {
  const check = 'incomplete_give_up';
  const failed: Fields = { profile: 'vibecode', status: 429, code: 'RATE_LIMITED', requestId: 'r' };
  const missing = (fields: Fields) => findings(check, [read(1, 0, { ...failed, ...fields })])[0]?.evidence.missing;
  it('says what is missing of time, code and request id', () => {
    expect(findings(check, [read(1, 0, down), read(2, 9_000, { ...failed, requestId: undefined })])).toEqual([
      { check, severity: 'low', attempt: 2, evidence: { missing: ['requestId'], code: 'RATE_LIMITED' } },
    ]);
    expect(missing({})).toBeUndefined();
    expect(missing({ requestId: '' })).toEqual(['requestId']);
    expect(missing({ code: undefined })).toEqual(['code']);
    expect(missing({ code: ' ' })).toEqual(['code']);
    expect(missing({ endedAt: undefined })).toEqual(['time']);
    expect(missing({ endedAt: undefined, headersAt: T0 + 50 })).toBeUndefined();
    expect(missing({ endedAt: undefined, code: undefined, requestId: undefined })).toEqual([
      'time',
      'code',
      'requestId',
    ]);
  });
  it('only of a platform’s own answer', () => {
    const bare: Fields = { ...failed, requestId: undefined };
    const count = (fields: Fields) => findings(check, [read(1, 0, { ...bare, ...fields })]).length;
    expect(count({})).toBe(1);
    expect(count({ profile: 'bitrix_rest', code: 'QUERY_LIMIT_EXCEEDED', status: 503 })).toBe(1);
    expect(count({ profile: 'http' })).toBe(0);
    expect(count({ profile: 'quillhub' })).toBe(0);
    expect(count({ status: undefined })).toBe(0);
    expect(count({ statusOrigin: 'sdk' })).toBe(0);
    expect(count({ statusOrigin: 'server' })).toBe(1);
  });
  it('only of the last answer of what failed for good', () => {
    const bare = read(1, 0, { ...failed, requestId: undefined });
    expect(findings(check, [bare, read(2, 9_000, { profile: 'vibecode', status: 200 })])).toEqual([]);
    expect(fold([bare], { asOf: T0 + 1_000 }).findings).toEqual([]);
    expect(names([send(1, 0, { profile: 'vibecode', status: 504, code: 'BITRIX_TIMEOUT' })])).not.toContain(check);
  });
});

describe('attempt_gap and numbers that restart (M17)', () => {
  const numbered = (...numbers: number[]) => numbers.map((number, n) => read(number, n * 9_000, down));
  const missing = (...numbers: number[]) => findings('attempt_gap', numbered(...numbers))[0]?.evidence.missing;
  it('say which numbers nobody reported', () => {
    expect(findings('attempt_gap', numbered(2, 5))).toEqual([
      { check: 'attempt_gap', severity: 'low', evidence: { missing: [1, 3, 4], observed: 2, highest: 5 } },
    ]);
    expect(missing(1, 2, 3)).toBeUndefined();
    expect(missing(1)).toBeUndefined();
    expect(missing(2)).toEqual([1]);
    expect(missing(5, 1)).toEqual([2, 3, 4]);
  });
  it('at most twenty', () => {
    expect(missing(1, 100)).toEqual(Array.from({ length: 20 }, (_, n) => n + 2));
    expect(missing(1, 22)).toHaveLength(20);
    expect(missing(1, 23)).toHaveLength(20);
    expect(missing(1, 21)).toHaveLength(19);
  });
  it('a send that is under way has its number', () => {
    const flying = (attempt: number) =>
      fact({ type: 'attempt_started', attempt, service: 'orders', call: 'GET /x', startedAt: T0 + 20_000 });
    const gap = (facts: Fact[]) =>
      fold(facts, { asOf: T0 + 21_000 }).findings.find(({ check }) => check === 'attempt_gap')?.evidence;
    expect(gap([read(1, 0, down), flying(2), read(3, 9_000, down)])).toBeUndefined();
    expect(gap([read(1, 0, down), flying(3)])).toEqual({ missing: [2], observed: 1, highest: 3 });
    expect(gap([flying(3)])).toEqual({ missing: [1, 2], observed: 0, highest: 3 });
  });
  it('a number given out twice is a layer that counts anew', () => {
    expect(findings('amplification', numbered(1, 2, 1, 2))).toEqual([
      {
        check: 'amplification',
        severity: 'low',
        attempt: 1,
        evidence: { kind: 'numbers_restart', sends: 4, distinctNumbers: 2 },
      },
    ]);
    expect(findings('amplification', numbered(1, 2, 3, 2))[0]?.attempt).toBe(2);
    expect(findings('amplification', numbered(1, 2, 3))).toEqual([]);
  });
});

describe('overlapping_attempts (M16)', () => {
  const check = 'overlapping_attempts';
  it('says with which try, for how long, and whether it was meant', () => {
    const facts = (reason?: Attempt['reason']) => [
      read(1, 0, { ...ok, endedAt: T0 + 5_000 }),
      read(2, 3_000, { ...ok, reason }),
    ];
    expect(findings(check, facts())).toEqual([
      { check, severity: 'low', attempt: 2, evidence: { with: 1, overlapMs: 2_000, hedge: false } },
    ]);
    expect(findings(check, facts('hedge'))[0]?.evidence.hedge).toBe(true);
  });
  it('nobody knows when a send of a dead client ended', () => {
    const started = fact({ type: 'attempt_started', attempt: 1, service: 'orders', call: 'GET /x', startedAt: T0 });
    expect(findings(check, [started, read(2, 9_000, ok)])).toEqual([]);
  });
});
