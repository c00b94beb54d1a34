import { describe, expect, it } from 'vitest';
import type { Attempt, Fact } from '@/lib/core/attempt';
import type { Settings } from '@/lib/core/operation';
import { fold, T0 } from '../support/event';
import { findingsOf, read, send } from '../support/find-all';

/** M21 within one operation by rule, and the order in which findings are shown. */

type Fields = Partial<Attempt>;
const CHECK = 'contract_anomaly';
const findings = (facts: Fact[], settings?: Partial<Settings>) => findingsOf(CHECK, facts, settings);
const anomalies = (...facts: Fact[]) => findings(facts).map(({ evidence }) => evidence.anomalies);
const vibe = (code: string, fields: Fields = {}): Fields => ({ profile: 'vibecode', status: 504, code, ...fields });
const told = (code: string, fields: Fields = {}) => anomalies(send(1, 0, vibe(code, fields)))[0];
const json = { headers: { 'content-type': 'application/json' } };

describe('contract_anomaly (M21)', () => {
  it('says which, and of which answer', () => {
    expect(findings([send(1, 0, vibe('RATE_LIMITED')), send(2, 90_000, vibe('BRAND_NEW', { status: 418 }))])).toEqual([
      {
        check: CHECK,
        severity: 'low',
        attempt: 2,
        evidence: { anomalies: ['unknown_code'], code: 'BRAND_NEW' },
      },
    ]);
  });
  it('a wait where none is announced', () => {
    for (const code of ['BH_APP_TIMEOUT', 'BH_APP_CONNECTION_LOST']) {
      expect(told(code, { retryAfter: ['5'] })).toEqual(['retry_after_where_none_is_announced']);
      expect(told(code)).toBeUndefined();
    }
  });
  it('no wait where one is promised, where the headers were reported', () => {
    expect(told('RATE_LIMITED', json)).toEqual(['retry_after_missing']);
    expect(told('TIMEOUT_QUARANTINE', json)).toEqual(['retry_after_missing']);
    expect(told('RATE_LIMITED', { dateHeader: 'Mon, 02 Mar 2026 10:00:00 GMT' })).toEqual(['retry_after_missing']);
    expect(told('RATE_LIMITED')).toBeUndefined();
    expect(told('RATE_LIMITED', { ...json, retryAfter: ['5'] })).toBeUndefined();
    expect(told('BITRIX_TIMEOUT', json)).toBeUndefined();
    expect(told('BITRIX_ERROR', json)).toBeUndefined();
    // Statuses promise nothing.
    expect(anomalies(read(1, 0, { status: 429, ...json }))).toEqual([]);
  });
  it('a wait that nobody can read', () => {
    expect(told('RATE_LIMITED', { ...json, retryAfter: ['soon'] })).toEqual([
      'retry_after_unreadable',
      'retry_after_missing',
    ]);
    // Plain HTTP has no page to contradict: there the attempt's own flag says it.
    expect(anomalies(read(1, 0, { status: 429, retryAfter: ['soon'] }))).toEqual([]);
  });
  it('a success has nothing to promise', () => {
    expect(anomalies(send(1, 0, { profile: 'vibecode', status: 200, ...json }))).toEqual([]);
  });
  it('codes of open lists are nobody’s anomaly', () => {
    expect(anomalies(read(1, 0, { status: 418, code: 'WHATEVER', profile: 'http' }))).toEqual([]);
  });
  describe('an executed write that was no second DELETE', () => {
    const CODE = 'AGENT_WRITE_ALREADY_EXECUTED';
    const answer = (at: number, fields: Fields = {}, number = 2) =>
      send(number, at, vibe(CODE, { status: 409, method: 'DELETE', ...fields }));
    const first = (at: number, fields: Fields = {}) =>
      send(1, at, vibe('BITRIX_UNAVAILABLE', { status: 502, method: 'DELETE', ...fields }));
    const lacks = (...facts: Fact[]) =>
      anomalies(...facts).some((list) => (list as string[]).includes('no_first_delete'));
    it('of another verb', () => {
      for (const method of ['POST', 'PUT', 'PATCH']) expect(lacks(answer(0, { method }, 1))).toBe(true);
      expect(lacks(answer(0, { method: 'delete' }, 1))).toBe(false);
      expect(lacks(answer(0, { method: undefined, call: 'crm.deal.delete' }, 1))).toBe(false);
      expect(lacks(answer(0, { method: undefined, call: 'DELETE /v1/deals/7' }, 1))).toBe(false);
    });
    it('with no send in the half minute before it', () => {
      expect(lacks(first(0), answer(30_000))).toBe(false);
      expect(lacks(first(0), answer(30_001))).toBe(true);
      expect(lacks(first(0), { ...first(20_000), attempt: 2 }, answer(40_000, {}, 3))).toBe(false);
      const settings = { agentDeleteWindowMs: 40_000 };
      expect(findings([first(0), answer(30_001)], settings)).toEqual([]);
    });
    it('a lone one may have been preceded by another operation', () => {
      expect(lacks(answer(0, {}, 1))).toBe(false);
    });
    it('other codes have no first', () => {
      expect(lacks(send(1, 0, vibe('BITRIX_TIMEOUT', { method: 'POST' })))).toBe(false);
      expect(lacks(first(0), send(2, 90_000, vibe('BITRIX_TIMEOUT', { method: 'DELETE' })))).toBe(false);
    });
    it('on a read it is an anomaly of its own', () => {
      const [found] = anomalies(read(1, 0, vibe(CODE, { status: 409 })));
      expect(found).toContain('code_on_a_read');
    });
  });
});

describe('all checks of one operation', () => {
  it('harm first, manners after', () => {
    const quill: Fields = { profile: 'quillhub' };
    const facts = [
      send(1, 0, { ...quill, status: 504, fingerprint: 'p' }),
      send(2, 90, { ...quill, status: 422, fingerprint: 'q', idempotency: { keyHash: 'k' } }),
      send(4, 130_000, { ...quill, status: 422, fingerprint: 'q' }),
      send(4, 130_100, { ...quill, status: 429, fingerprint: 'q', endedAt: T0 + 131_000 }),
      send(5, 131_100, { ...quill, status: 201, fingerprint: 'q' }),
    ];
    expect([...new Set(fold(facts).findings.map(({ check }) => check))]).toEqual([
      'blind_write_retry',
      'duplicate_suspected',
      'key_dropped',
      'never_retry_retried',
      'throttle_in_backoff_loop',
      'past_deadline',
      'operation_id_reused',
      'zero_delay',
      'overlapping_attempts',
      'attempt_gap',
      'amplification',
      'wasted_retry',
      'backoff_shape',
    ]);
  });
  it('of one send alone', () => {
    const lone: Fields = {
      profile: 'quillhub',
      status: 503,
      retryAfter: ['600'],
      policy: { deadlineMs: 3_600_000 },
    };
    const names = (one: Attempt) => fold([one]).findings.map(({ check }) => check);
    expect(names(send(2, 0, lone))).toEqual(['key_missing', 'attempt_gap', 'long_wait']);
    expect(names(read(1, 0, lone))).toEqual(['retryable_not_retried', 'long_wait']);
  });
});
