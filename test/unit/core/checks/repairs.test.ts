import { describe, expect, it } from 'vitest';
import type { Attempt, Fact } from '@/lib/core/attempt';
import { fact, T0 } from '../support/event';
import { findingsOf, read, send } from '../support/find-all';

/** M6, M13 and M18 within one operation, by rule: what only a repair changes, and what counts as the repair. */

type Fields = Partial<Attempt>;
const findings = findingsOf;
const ok = { status: 200 };
const bad = { status: 422 };
const refusedBy: Fields = { status: 401, credential: 'c' };
const vibe = (code: string, fields: Fields = {}): Fields => ({ profile: 'vibecode', code, ...fields });
const fixed = (at: number, fields: Record<string, unknown> = {}) =>
  fact({ type: 'cause_fixed', startedAt: T0 + at, ...fields });
const renewed = (at: number, fields: Record<string, unknown> = {}) =>
  fact({ type: 'auth_refresh', startedAt: T0 + at, credential: 'c', ok: true, ...fields });

describe('never_retry_retried (M6)', () => {
  const check = 'never_retry_retried';
  const again = (first: Fields, second: Fields = ok, ...between: Fact[]) =>
    findings(check, [read(1, 1_000, first), ...between, read(2, 9_000, second)]);
  it('says after which answer', () => {
    expect(again(bad)).toEqual([
      { check, severity: 'medium', attempt: 2, evidence: { after: 1, code: 'HTTP_422', rule: 'HTTP_422' } },
    ]);
  });
  it.each<[string, Fields, number]>([
    ['400', { status: 400 }, 1],
    ['401', { status: 401 }, 1],
    ['403', { status: 403 }, 1],
    ['404', { status: 404 }, 1],
    ['422', { status: 422 }, 1],
    ['429', { status: 429 }, 0],
    ['500', { status: 500 }, 0],
    ['503', { status: 503 }, 0],
    ['a success', ok, 0],
    ['BITRIX_ERROR', vibe('BITRIX_ERROR'), 1],
    ['ERROR_LOOP_DETECTED', vibe('ERROR_LOOP_DETECTED'), 1],
    ['TOKEN_REFRESH_FAILED', vibe('TOKEN_REFRESH_FAILED'), 1],
    ['RATE_LIMITED', vibe('RATE_LIMITED'), 0],
    ['a parse error of a QuillHub read', { profile: 'quillhub', outcome: 'parse_error', status: 200 }, 1],
    ['the caller’s own abort', { outcome: 'aborted', abortBy: 'user' }, 0],
    ['an abort while waiting', { outcome: 'aborted', error: { name: 'AbortError', code: 20 } }, 0],
    [
      'an abort before sending',
      { outcome: 'aborted', error: { name: 'Error', code: 'ECONNREFUSED', syscall: 'connect' } },
      0,
    ],
  ])('after %s: %j gives %i', (_name, first, count) => {
    expect(again(first)).toHaveLength(count);
  });
  it('an unknown code is advice', () => {
    expect(again(vibe('WHO_KNOWS', { status: 404 }))).toMatchObject([{ severity: 'info' }]);
  });
  it('every repeat, whatever came of it', () => {
    const facts = [1, 2, 3].map((number) => read(number, number * 9_000, bad));
    expect(findings(check, facts).map(({ attempt }) => attempt)).toEqual([2, 3]);
  });
  it('not for what is no repeat of the same: a redirect, a renewal, another request', () => {
    expect(again(bad, { ...ok, reason: 'redirect' })).toEqual([]);
    expect(again(bad, { ...ok, reason: 'reauth' })).toEqual([]);
    expect(again(bad, { ...ok, reason: 'replay' })).toHaveLength(1);
    const prints = (a: string | undefined, b: string | undefined) =>
      again({ ...bad, fingerprint: a }, { ...ok, fingerprint: b }).length;
    expect(prints('p', 'q')).toBe(0);
    expect(prints('p', 'p')).toBe(1);
    expect(prints('p', undefined)).toBe(1);
    expect(prints(undefined, 'q')).toBe(1);
  });
  describe('a reported fix', () => {
    it.each([
      ['before the answer’s try', 999, 1],
      ['as that try starts', 1_000, 0],
      ['as the repeat starts', 9_000, 0],
      ['after it', 9_001, 1],
    ])('%s (%i ms): %i', (_name, at, count) => {
      expect(again(bad, ok, fixed(at))).toHaveLength(count);
    });
    it('of that code, by whatever name it went', () => {
      expect(again(bad, ok, fixed(5_000, { code: 'HTTP_422' }))).toEqual([]);
      expect(again(bad, ok, fixed(5_000, { code: 'HTTP_400' }))).toHaveLength(1);
      const inner = vibe('BITRIX_ERROR', { b24Code: 'ACCESS_DENIED', bodyErrors: ['E1', 'E2'] });
      for (const code of ['BITRIX_ERROR', 'ACCESS_DENIED', 'E1', 'E2']) {
        expect(again(inner, ok, fixed(5_000, { code }))).toEqual([]);
      }
      expect(again(inner, ok, fixed(5_000, { code: 'E3' }))).toHaveLength(1);
      // One that names no code may have fixed any.
      expect(again(inner, ok, fixed(5_000))).toEqual([]);
    });
    it('by that service, or by nobody named', () => {
      expect(again(bad, ok, fixed(5_000, { service: 'orders' }))).toEqual([]);
      expect(again(bad, ok, fixed(5_000, { service: 'billing' }))).toHaveLength(1);
      expect(again(bad, ok, fixed(5_000, { code: 'HTTP_422', service: 'billing' }))).toHaveLength(1);
    });
    it('any of several', () => {
      expect(again(bad, ok, fixed(5_000, { code: 'OTHER' }), fixed(6_000))).toEqual([]);
    });
  });
  describe('a renewed credential', () => {
    it.each([
      [999, 1],
      [1_000, 0],
      [9_000, 0],
      [9_001, 1],
    ])('at %i ms: %i', (at, count) => {
      expect(again(refusedBy, ok, renewed(at))).toHaveLength(count);
    });
    it('of that credential, that worked, and only where a credential was refused', () => {
      expect(again(refusedBy, ok, renewed(5_000, { ok: false }))).toHaveLength(1);
      expect(again(refusedBy, ok, renewed(5_000, { credential: 'd' }))).toHaveLength(1);
      expect(again({ status: 401 }, ok, renewed(5_000, { credential: 'd' }))).toEqual([]);
      expect(again({ ...bad, credential: 'c' }, ok, renewed(5_000))).toHaveLength(1);
      expect(again(refusedBy, ok, renewed(5_000, { ok: false }), renewed(6_000))).toEqual([]);
      expect(again(refusedBy, ok, fixed(5_000))).toEqual([]);
    });
  });
});

describe('wasted_retry (M18)', () => {
  const check = 'wasted_retry';
  const again = (first: Fields, second: Fields) => findings(check, [read(1, 0, first), read(2, 9_000, second)]);
  const gone: Fields = { error: { name: 'Error', code: 'ENOTFOUND', syscall: 'getaddrinfo' } };
  it('says what it met again and how long that took', () => {
    expect(again(bad, { ...bad, endedAt: T0 + 9_700 })).toEqual([
      { check, severity: 'low', attempt: 2, evidence: { code: 'HTTP_422', spentMs: 700 } },
    ]);
  });
  it('the very same outcome', () => {
    expect(again(bad, ok)).toEqual([]);
    expect(again(bad, { status: 400 })).toEqual([]);
    expect(again(vibe('BITRIX_ERROR'), vibe('BITRIX_ERROR'))).toHaveLength(1);
    // One rule for every code that nobody knows, two codes.
    expect(again(vibe('ONE', { status: 403 }), vibe('TWO', { status: 403 }))).toEqual([]);
    expect(again({ status: 410 }, { status: 402 })).toEqual([]);
    expect(again({ status: 422, code: 'A' }, { status: 400, code: 'A' })).toEqual([]);
  });
  it('a name that doesn’t exist, too', () => {
    expect(again(gone, gone)).toHaveLength(1);
    expect(again(gone, ok)).toEqual([]);
    expect(again({ ...gone, profile: 'quillhub' }, { ...gone, profile: 'quillhub' })).toHaveLength(1);
  });
  it('not what time may change, nor what the caller did not choose', () => {
    expect(again({ status: 503 }, { status: 503 })).toEqual([]);
    expect(again(bad, { ...bad, reason: 'redirect' })).toEqual([]);
    expect(again(refusedBy, { ...refusedBy, reason: 'reauth' })).toEqual([]);
    expect(again(bad, { ...bad, reason: 'replay' })).toHaveLength(1);
    const abort: Fields = { outcome: 'aborted', abortBy: 'user' };
    expect(again(abort, abort)).toEqual([]);
  });
});

describe('auth_loop within one operation (M13)', () => {
  const check = 'auth_loop';
  const tries = (...each: Fields[]) => each.map((fields, n) => read(n + 1, n * 9_000, fields));
  const kinds = (facts: Fact[]) => findings(check, facts).map(({ evidence, attempt }) => [evidence.kind, attempt]);
  it('(a) says after which answer it went on unrenewed', () => {
    expect(findings(check, tries(refusedBy, ok))).toEqual([
      { check, severity: 'medium', attempt: 2, evidence: { kind: 'not_renewed', after: 1, code: 'HTTP_401' } },
    ]);
    expect(kinds([...tries(refusedBy, ok), renewed(5_000)])).toEqual([]);
    expect(kinds([...tries(refusedBy, ok), renewed(5_000, { credential: 'd' })])).toHaveLength(1);
    expect(kinds(tries(refusedBy, { ...ok, reason: 'reauth' }))).toEqual([]);
    expect(kinds(tries(bad, ok))).toEqual([]);
  });
  it('(b) says how many renewals and refusals it took', () => {
    const again: Fields = { ...refusedBy, reason: 'reauth' };
    expect(findings(check, tries(refusedBy, again, again))).toEqual([
      { check, severity: 'high', attempt: 3, evidence: { kind: 'renewed_in_vain', renewals: 2, refusals: 2 } },
    ]);
    expect(findings(check, tries(refusedBy, again, { ...ok, reason: 'reauth' }))).toEqual([
      { check, severity: 'high', attempt: 2, evidence: { kind: 'renewed_in_vain', renewals: 2, refusals: 1 } },
    ]);
  });
  it('(b) one follow-up is allowed, refused or not', () => {
    const once: Fields = { ...refusedBy, reason: 'reauth' };
    expect(kinds(tries(refusedBy, { ...ok, reason: 'reauth' }))).toEqual([]);
    expect(kinds(tries(refusedBy, once))).toEqual([]);
    // Refusals before any renewal are (a) alone.
    expect(kinds(tries(refusedBy, refusedBy, refusedBy))).toEqual([
      ['not_renewed', 2],
      ['not_renewed', 3],
    ]);
    expect(kinds(tries(refusedBy, refusedBy, { ...ok, reason: 'reauth' }))).toEqual([['not_renewed', 2]]);
    // Two renewals for two separate refusals, the last of which worked after a success between.
    expect(kinds(tries(refusedBy, once, refusedBy))).toEqual([
      ['not_renewed', 3],
      ['renewed_in_vain', 3],
    ]);
  });
});

describe('operation_id_reused (M6)', () => {
  const check = 'operation_id_reused';
  const tries = (...prints: (string | undefined)[]) =>
    prints.map((fingerprint, n) => read(n + 1, n * 9_000, { status: 503, fingerprint }));
  it('says where the request changed and how many there were', () => {
    expect(findings(check, tries('p', 'p', 'q', 'r'))).toEqual([
      { check, severity: 'medium', attempt: 3, evidence: { requests: 3 } },
    ]);
    expect(findings(check, tries(undefined, 'p', undefined, 'q'))).toMatchObject([{ attempt: 4 }]);
  });
  it('an unknown request is compared with none', () => {
    expect(findings(check, tries('p', undefined, 'p'))).toEqual([]);
    expect(findings(check, tries(undefined, undefined))).toEqual([]);
    expect(findings(check, tries(undefined, 'p'))).toEqual([]);
  });
  it('reads and writes alike', () => {
    const writes = tries('p', 'q').map((one) =>
      send(one.attempt, one.startedAt - T0, { status: 429, fingerprint: one.fingerprint }),
    );
    expect(findings(check, writes)).toHaveLength(1);
  });
});
