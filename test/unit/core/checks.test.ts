import { describe, expect, it } from 'vitest';
import type { Attempt, Fact } from '@/lib/core/attempt';
import type { Finding } from '@/lib/core/operation';
import { findAcrossOperations } from '@/lib/core/checks/across';
import { foldOperation } from '@/lib/core/fold';
import { attempt, fact, fold, foldContext, T0 } from './support/event';

const send = (number: number, at: number, fields: Partial<Attempt> = {}) =>
  attempt({ attempt: number, kind: 'write', method: 'POST', startedAt: T0 + at, endedAt: T0 + at + 100, ...fields });
const read = (number: number, at: number, fields: Partial<Attempt> = {}) =>
  send(number, at, { kind: 'read', method: 'GET', ...fields });
const readBack = (at: number, result: string, more: Record<string, unknown> = {}) =>
  fact({ type: 'readback', startedAt: T0 + at, endedAt: T0 + at + 50, result, criterion: 'unique', ...more });
const of = (check: string, ...facts: Fact[]): Finding[] =>
  fold(facts).findings.filter((finding) => finding.check === check);
const names = (...facts: Fact[]) => fold(facts).findings.map(({ check }) => check);

const timeout = { outcome: 'timeout' as const };
const key = (keyHash: string, more: Partial<Attempt> = {}) => ({ idempotency: { keyHash }, ...more });

describe('blind_write_retry (M4)', () => {
  const grade = (...between: Fact[]) => {
    const [finding] = of('blind_write_retry', send(1, 0, timeout), ...between, send(2, 600_000, { status: 201 }));
    return finding && [finding.evidence.grade, finding.severity];
  };
  it('grades what was known before the repeat', () => {
    expect(grade()).toEqual(['blind', 'high']);
    expect(grade(readBack(120_000, 'absent'))).toBeUndefined();
    expect(grade(readBack(30_000, 'absent'))).toEqual(['premature', 'medium']);
    expect(grade(readBack(120_000, 'absent', { criterion: 'weak' }))).toEqual(['weak', 'medium']);
    expect(grade(readBack(120_000, 'inconclusive'))).toEqual(['weak', 'medium']);
    expect(grade(readBack(120_000, 'present'))).toEqual(['after_confirmed', 'critical']);
    expect(grade(readBack(599_990, 'absent', { endedAt: T0 + 700_000 }))).toEqual(['blind', 'high']);
  });
  it('exempts a server key in its lifetime, for the same request, not in parallel', () => {
    const again = (first: Partial<Attempt>, second: Partial<Attempt>, at = 9_000) =>
      of('blind_write_retry', send(1, 0, { ...timeout, ...first }), send(2, at, { status: 201, ...second })).length;
    expect(again(key('k'), key('k'))).toBe(0);
    expect(again(key('k'), key('l'))).toBe(1);
    expect(again(key('k'), {})).toBe(1);
    expect(again(key('k', { fingerprint: 'a' }), key('k', { fingerprint: 'b' }))).toBe(1);
    expect(again(key('k'), key('k'), 90_000_000)).toBe(1);
    expect(again(key('k', { endedAt: T0 + 20_000 }), key('k'))).toBe(1);
    expect(again({ ...key('k'), profile: 'quillhub' }, { ...key('k'), profile: 'quillhub' })).toBe(1);
  });
  it('exempts PUT and DELETE under plain HTTP only', () => {
    const again = (more: Partial<Attempt>) =>
      of('blind_write_retry', send(1, 0, { ...timeout, ...more }), send(2, 9_000, { status: 200, ...more })).length;
    expect(again({ method: 'PUT' })).toBe(0);
    expect(again({ method: 'delete' })).toBe(0);
    expect(again({ method: 'PATCH' })).toBe(1);
    expect(again({ method: 'DELETE', profile: 'vibecode' })).toBe(1);
  });
  it('looks past a safe refusal in between, and counts from the latest doubt', () => {
    expect(of('blind_write_retry', send(1, 0, timeout), send(2, 9_000, { status: 429 }))).toHaveLength(1);
    expect(of('blind_write_retry', send(1, 0, { status: 429 }), send(2, 9_000, { status: 201 }))).toHaveLength(0);
    const facts = [
      send(1, 0, timeout),
      readBack(120_000, 'absent'),
      send(2, 130_000, timeout),
      send(3, 140_000, { status: 201 }),
    ];
    expect(of('blind_write_retry', ...facts).map(({ attempt: number }) => number)).toEqual([3]);
  });
  it('an overlap of two writes is blind; a read never is', () => {
    expect(
      of('blind_write_retry', send(1, 0, { status: 201, endedAt: T0 + 5_000 }), send(2, 1_000, { status: 201 })),
    ).toHaveLength(1);
    expect(of('blind_write_retry', read(1, 0, timeout), read(2, 9_000, { status: 200 }))).toHaveLength(0);
  });
  it('a prevented second DELETE is still blind', () => {
    const vibe = { profile: 'vibecode' as const, method: 'DELETE' };
    const second = send(2, 9_000, { ...vibe, code: 'AGENT_WRITE_ALREADY_EXECUTED', firstStatus: 200 });
    const [finding] = of('blind_write_retry', send(1, 0, { ...vibe, code: 'BITRIX_TIMEOUT' }), second);
    expect(finding?.evidence.effectPrevented).toBe(true);
  });
});

describe('duplicate_suspected (M15)', () => {
  const level = (...facts: Fact[]) => of('duplicate_suspected', ...facts)[0]?.evidence.level;
  it('has three levels', () => {
    expect(level(send(1, 0, timeout), send(2, 9_000, { status: 201 }))).toBe('probable');
    expect(level(send(1, 0, timeout), send(2, 9_000, timeout))).toBe('possible');
    expect(level(send(1, 0, timeout), readBack(9_000, 'present', { entityIds: ['1', '2'] }))).toBe('confirmed');
    expect(level(send(1, 0, timeout))).toBeUndefined();
  });
  it('is prevented by a replayed answer and settled by a later proof', () => {
    const replayed = { status: 201, idempotency: { replayed: true } };
    expect(level(send(1, 0, timeout), send(2, 9_000, replayed))).toBeUndefined();
    expect(level(send(1, 0, timeout), send(2, 9_000, { status: 201 }), readBack(20_000, 'present'))).toBeUndefined();
  });
  it('is not for repeatable writes that ended well', () => {
    expect(
      level(send(1, 0, { ...timeout, method: 'PUT' }), send(2, 9_000, { status: 200, method: 'PUT' })),
    ).toBeUndefined();
  });
});

describe('never_retry_retried and wasted_retry (M6, M18)', () => {
  const bad = { status: 422 };
  it('finds the unchanged repeat of what only a repair can change', () => {
    expect(names(read(1, 0, bad), read(2, 9_000, bad))).toEqual(
      expect.arrayContaining(['never_retry_retried', 'wasted_retry']),
    );
    expect(names(read(1, 0, bad), read(2, 9_000, { status: 200 }))).not.toContain('wasted_retry');
  });
  it('accepts another request, a fixed cause and a renewed credential', () => {
    const changed = [read(1, 0, { ...bad, fingerprint: 'a' }), read(2, 9_000, { status: 200, fingerprint: 'b' })];
    expect(names(...changed)).not.toContain('never_retry_retried');
    expect(names(...changed)).toContain('operation_id_reused');
    const fixed = fact({ type: 'cause_fixed', startedAt: T0 + 5_000 });
    expect(names(read(1, 0, bad), fixed, read(2, 9_000, { status: 200 }))).not.toContain('never_retry_retried');
    const renewed = fact({ type: 'auth_refresh', startedAt: T0 + 5_000, credential: 'c', ok: true });
    const failed = fact({ type: 'auth_refresh', startedAt: T0 + 5_000, credential: 'c', ok: false });
    const auth = read(1, 0, { status: 401, credential: 'c' });
    expect(names(auth, renewed, read(2, 9_000, { status: 200 }))).not.toContain('never_retry_retried');
    expect(names(auth, failed, read(2, 9_000, { status: 200 }))).toEqual(
      expect.arrayContaining(['never_retry_retried', 'auth_loop']),
    );
    expect(names(auth, read(2, 9_000, { status: 200, reason: 'reauth' }))).not.toContain('never_retry_retried');
  });
  it('only advises on unknown codes', () => {
    const unknown = { profile: 'vibecode' as const, status: 404, code: 'ENTITY_NOT_FOUND' };
    expect(of('never_retry_retried', read(1, 0, unknown), read(2, 9_000, unknown))[0]?.severity).toBe('info');
  });
  it('does not count redirects', () => {
    expect(names(read(1, 0, { status: 302 }), read(2, 10, { status: 200, reason: 'redirect' }))).not.toContain(
      'never_retry_retried',
    );
  });
});

describe('limits and deadlines (M7, M8)', () => {
  const run = (count: number, fields: Partial<Attempt> = {}, last: Partial<Attempt> = {}) =>
    Array.from({ length: count }, (_, at) =>
      read(at + 1, at * 1_000, { status: 503, ...fields, ...(at === count - 1 ? last : {}) }),
    );
  it.each([
    [4, { maxRetries: 3 }, false],
    [5, { maxRetries: 3 }, true],
    [3, { maxAttempts: 3 }, false],
    [4, { maxAttempts: 3 }, true],
    [6, {}, false],
    [7, {}, true],
  ])('%i sends under %j: over %s', (count, policy, over) => {
    expect(names(...run(count, { policy })).includes('over_limit')).toBe(over);
  });
  it('warns at the sixth QuillHub attempt, objects to the seventh, and leaves the 429 retry out', () => {
    const quill = { profile: 'quillhub' as const };
    expect(of('over_limit', ...run(6, quill))[0]).toMatchObject({
      severity: 'low',
      evidence: { differsByReading: true },
    });
    expect(of('over_limit', ...run(7, quill))[0]).toMatchObject({ severity: 'medium' });
    const [first, ...rest] = run(6, quill);
    if (!first) throw new Error('no first');
    expect(of('over_limit', { ...first, status: 429 }, ...rest)).toHaveLength(0);
  });
  it('names fewer tries than declared, unless the client had a reason', () => {
    expect(names(...run(2, { policy: { maxRetries: 3 } }))).toContain('under_limit');
    expect(names(...run(2, { policy: { maxRetries: 3 } }, { status: 200 }))).not.toContain('under_limit');
    expect(names(...run(2, { policy: { maxRetries: 3, deadlineMs: 1_000 } }))).not.toContain('under_limit');
  });
  it('one repeatable send alone is named, not while it may still come', () => {
    expect(names(read(1, 0, { status: 503 }))).toContain('retryable_not_retried');
    expect(fold([read(1, 0, { status: 503 })], { asOf: T0 + 1_000 }).findings).toEqual([]);
  });
  it('a start after the deadline is late, an end after it is not', () => {
    const policy = { deadlineMs: 5_000 };
    expect(of('past_deadline', read(1, 0, { status: 503, policy }), read(2, 6_000, { status: 503 }))).toHaveLength(1);
    expect(
      of('past_deadline', read(1, 0, { status: 503, policy }), read(2, 4_000, { endedAt: T0 + 9_000 })),
    ).toHaveLength(0);
    const quill = { profile: 'quillhub' as const, status: 503 };
    expect(of('past_deadline', read(1, 0, quill), read(2, 121_000, quill))).toHaveLength(1);
  });
  it('sleeping past the deadline is named', () => {
    const first = read(1, 0, { status: 429, retryAfter: ['60'], policy: { deadlineMs: 10_000 } });
    expect(names(first, read(2, 61_000, { status: 200 }))).toEqual(
      expect.arrayContaining(['wait_past_deadline', 'past_deadline']),
    );
  });
});

describe('keys (M11)', () => {
  it('regenerated, dropped, missing, reused', () => {
    expect(names(send(1, 0, { status: 429, ...key('a') }), send(2, 9_000, { status: 201, ...key('b') }))).toContain(
      'key_regenerated',
    );
    expect(names(send(1, 0, { status: 429, ...key('a') }), send(2, 9_000, { status: 201 }))).toContain('key_dropped');
    expect(names(send(1, 0, { profile: 'quillhub', status: 201 }))).toContain('key_missing');
    expect(names(send(1, 0, { profile: 'http', status: 201 }))).not.toContain('key_missing');
    const two = [
      send(1, 0, key('a', { status: 429, fingerprint: 'p' })),
      send(2, 9_000, key('a', { status: 201, fingerprint: 'q' })),
    ];
    expect(names(...two)).toContain('key_reused');
  });
  it('reused by another operation within a day, charged to the later one', () => {
    const first = fold([send(1, 0, key('a', { status: 201, fingerprint: 'p' }))]);
    const later = (at: number, fingerprint: string) =>
      foldOperation(
        { operationId: 'op-2', facts: [send(1, at, key('a', { status: 201, fingerprint, operationId: 'op-2' }))] },
        foldContext(),
      );
    expect([...findAcrossOperations([later(9_000, 'q'), first]).keys()]).toEqual(['op-2']);
    expect(findAcrossOperations([first, later(9_000, 'p')]).size).toBe(0);
    expect(findAcrossOperations([first, later(90_000_000, 'q')]).size).toBe(0);
  });
});

describe('waits and gaps', () => {
  it('zero_delay and hot_loop, not for redirects, renewals, hedges or overlaps', () => {
    const quick = (reason?: Attempt['reason']) =>
      [1, 2, 3].map((number) => read(number, (number - 1) * 105, { status: 429, reason }));
    expect(names(...quick())).toEqual(expect.arrayContaining(['zero_delay', 'hot_loop']));
    expect(names(...quick('hedge'))).not.toContain('zero_delay');
    expect(names(...quick().slice(0, 2))).not.toContain('hot_loop');
    expect(names(read(1, 0, { status: 429 }), read(2, 106, { status: 200 }))).not.toContain('zero_delay');
  });
  it('unit errors both ways', () => {
    const asked = (seconds: string, gapMs: number) =>
      names(read(1, 0, { status: 429, retryAfter: [seconds] }), read(2, 100 + gapMs, { status: 200 }));
    expect(asked('30', 30)).toContain('unit_error_seconds_as_ms');
    expect(asked('30', 46)).not.toContain('unit_error_seconds_as_ms');
    const ms = read(1, 0, { status: 429, headers: { 'retry-after-ms': '100' } });
    expect(names(ms, read(2, 100_100, { status: 200 }))).toContain('unit_error_ms_as_seconds');
  });
  it('long, excess and uncapped waits', () => {
    const after = (first: Partial<Attempt>, gapMs: number) =>
      names(read(1, 0, first), read(2, 100 + gapMs, { status: 200 }));
    expect(after({ status: 429, retryAfter: ['300'] }, 300_000)).toContain('long_wait');
    expect(after({ status: 429, retryAfter: ['299'] }, 299_000)).not.toContain('long_wait');
    expect(after({ status: 429, retryAfter: ['10'] }, 70_001)).toContain('excess_wait');
    expect(after({ status: 429, retryAfter: ['10'] }, 70_000)).not.toContain('excess_wait');
    expect(after({ status: 429, retryAfter: ['100'] }, 200_001)).toContain('excess_wait');
    expect(after({ status: 429, headers: { 'x-ratelimit-reset': '10' } }, 80_000)).toContain('excess_wait');
    expect(after({ status: 503 }, 300_100)).toContain('delay_uncapped');
    expect(after({ status: 503, policy: { capMs: 1_000 } }, 2_000)).toContain('delay_uncapped');
    expect(after({ status: 503, retryAfter: ['600'] }, 600_000)).not.toContain('delay_uncapped');
  });
  it('QuillHub 429 folded into the loop', () => {
    const quill = { profile: 'quillhub' as const };
    const throttled = { ...quill, status: 429 };
    expect(names(read(1, 0, throttled), read(2, 1_100, { ...quill, status: 200 }))).not.toContain(
      'throttle_in_backoff_loop',
    );
    expect(names(read(1, 0, throttled), read(2, 600, { ...quill, status: 200 }))).toContain('throttle_in_backoff_loop');
    expect(
      names(read(1, 0, throttled), read(2, 2_000, throttled), read(3, 4_000, { ...quill, status: 200 })),
    ).toContain('throttle_in_backoff_loop');
  });
});

describe('numbers, overlaps, batches, anomalies', () => {
  it('attempt_gap and amplification', () => {
    expect(
      of('attempt_gap', read(1, 0, { status: 503 }), read(4, 9_000, { status: 200 }))[0]?.evidence.missing,
    ).toEqual([2, 3]);
    expect(
      names(read(1, 0, { status: 503 }), read(2, 9_000, { status: 503 }), read(1, 19_000, { status: 200 })),
    ).toContain('amplification');
    expect(names(read(1, 0, { status: 503 }), read(2, 9_000, { status: 200 }))).not.toContain('amplification');
  });
  it('overlapping_attempts', () => {
    expect(
      names(read(1, 0, { status: 200, endedAt: T0 + 5_000 }), read(2, 1_000, { status: 200, reason: 'hedge' })),
    ).toContain('overlapping_attempts');
  });
  it('whole_batch_resent, only where some items had worked', () => {
    const partial = (failed: number) => send(1, 0, { status: 200, bodySummary: { total: 10, failed } });
    const again = (total: number) => send(2, 9_000, { status: 200, bodySummary: { total, failed: 0 } });
    expect(names(partial(3), again(10))).toContain('whole_batch_resent');
    expect(names(partial(3), again(3))).not.toContain('whole_batch_resent');
    expect(names(partial(10), again(10))).not.toContain('whole_batch_resent');
  });
  it('contract_anomaly', () => {
    const vibe = (fields: Partial<Attempt>) =>
      of('contract_anomaly', send(1, 0, { profile: 'vibecode', status: 504, ...fields }))[0]?.evidence.anomalies;
    expect(vibe({ code: 'BH_APP_TIMEOUT', retryAfter: ['5'] })).toEqual(['retry_after_where_none_is_announced']);
    expect(vibe({ code: 'RATE_LIMITED', headers: { 'content-type': 'application/json' } })).toEqual([
      'retry_after_missing',
    ]);
    expect(vibe({ code: 'RATE_LIMITED' })).toBeUndefined();
    expect(vibe({ code: 'NEW_ONE' })).toEqual(['unknown_code']);
    expect(vibe({ code: 'AGENT_WRITE_ALREADY_EXECUTED', method: 'POST' })).toEqual(['no_first_delete']);
  });
  it('incomplete_give_up', () => {
    const failed = { profile: 'vibecode' as const, status: 429, code: 'RATE_LIMITED' };
    expect(names(read(1, 0, failed))).toContain('incomplete_give_up');
    expect(names(read(1, 0, { ...failed, requestId: 'r' }))).not.toContain('incomplete_give_up');
  });
});
