import { describe, expect, it } from 'vitest';
import type { Attempt, Fact } from '@/lib/core/attempt';
import { classify } from '@/lib/core/classify';
import { explainVerdict } from '@/lib/core/explain';
import { expandItems } from '@/lib/core/expand-items';
import { currentRuleSet, findRuleSet } from '@/lib/core/rules/index';
import type { Verdict } from '@/lib/core/verdict';
import { attempt, fact, fold, T0 } from './support/event';

/** One named test per ruling of domain.md (V, Q, A, X) that one attempt or one operation can show. */

type Profile = NonNullable<Attempt['profile']>;
const judge = (profile: Profile, fields: Partial<Attempt>): Verdict =>
  classify(attempt(fields), currentRuleSet(profile));
const vibe = (fields: Partial<Attempt>) => judge('vibecode', fields);
const quill = (fields: Partial<Attempt>) => judge('quillhub', fields);
const http = (fields: Partial<Attempt>) => judge('http', { method: 'POST', ...fields });
const W = { kind: 'write' as const };
const R = { kind: 'read' as const };
const send = (number: number, at: number, fields: Partial<Attempt>) =>
  attempt({ attempt: number, startedAt: T0 + at, endedAt: T0 + at + 100, kind: 'write', method: 'POST', ...fields });
const checks = (...facts: Fact[]) => fold(facts).findings.map(({ check }) => check);
const refused = { name: 'Error', code: 'ECONNREFUSED', syscall: 'connect' };

describe('Vibecode classifier against its page', () => {
  it('V1 TOKEN_REFRESH_FAILED: restore authorization, then a write may simply be repeated', () => {
    expect(vibe({ ...W, code: 'TOKEN_REFRESH_FAILED' })).toMatchObject({
      gates: ['fix_auth'],
      effect: 'none',
      unknownOutcome: false,
      reached: 'no',
    });
  });
  it('V2 ERROR_LOOP_DETECTED write: stop, whatever its classifier word promises', () => {
    expect(vibe({ ...W, status: 429, code: 'ERROR_LOOP_DETECTED' })).toMatchObject({
      action: 'do_not_retry',
      classifier: 'fix_before_retry',
      gates: ['fix_cause', 'human'],
    });
  });
  it('V3 ERROR_LOOP_DETECTED itself never reached the target; a probe goes by its own answer', () => {
    expect(vibe({ ...R, code: 'ERROR_LOOP_DETECTED' }).reached).toBe('no');
    expect(vibe({ ...R, status: 200 }).action).toBe('none');
  });
  it('V4 BITRIX_ERROR read: a timed retry without a change is a violation', () => {
    expect(vibe({ ...R, code: 'BITRIX_ERROR' })).toMatchObject({ action: 'fix_before_retry', gates: ['fix_cause'] });
    const facts = [1, 2].map((n) => send(n, n * 9_000, { ...R, profile: 'vibecode', code: 'BITRIX_ERROR' }));
    expect(checks(...facts)).toContain('never_retry_retried');
  });
  it('V5 BITRIX_ERROR write: stop, and verify when questionable', () => {
    expect(vibe({ ...W, code: 'BITRIX_ERROR' })).toMatchObject({
      action: 'do_not_retry',
      effect: 'doubtful',
      unknownOutcome: false,
      flags: ['verify_if_questionable'],
    });
  });
  it('V6 one classifier word, three sets of gates', () => {
    const gates = ['TOKEN_REFRESH_FAILED', 'ERROR_LOOP_DETECTED', 'BITRIX_ERROR'].map(
      (code) => vibe({ ...R, code }).gates,
    );
    expect(gates).toEqual([['fix_auth'], ['fix_cause'], ['fix_cause']]);
  });
  it('V7 AGENT_WRITE_ALREADY_EXECUTED branches on firstStatus', () => {
    const code = 'AGENT_WRITE_ALREADY_EXECUTED';
    expect(vibe({ ...W, code, firstStatus: 204 }).action).toBe('none');
    for (const firstStatus of [null, 302, undefined])
      expect(vibe({ ...W, code, firstStatus }).gates).toEqual(['read_back']);
  });
  it('V8 AGENT_WRITE_ALREADY_EXECUTED on a read is an anomaly', () => {
    expect(vibe({ ...R, code: 'AGENT_WRITE_ALREADY_EXECUTED' })).toMatchObject({
      action: 'not_applicable',
      reached: 'not_applicable',
      flags: ['contract_anomaly'],
    });
  });
  it('V9 the second DELETE is none, the first is the doubt', () => {
    const first = send(1, 0, { profile: 'vibecode', method: 'DELETE', code: 'BITRIX_TIMEOUT' });
    const second = send(2, 9_000, {
      profile: 'vibecode',
      method: 'DELETE',
      code: 'AGENT_WRITE_ALREADY_EXECUTED',
      firstStatus: null,
    });
    expect(fold([first, second])).toMatchObject({ state: 'unresolved', possibleEffects: 1, needsReview: true });
  });
  it('V10 an unknown code on a read keeps its verdict, with advice', () => {
    expect(vibe({ ...R, status: 404, code: 'NEW' })).toMatchObject({
      action: 'retry_with_limit',
      flags: ['unknown_code', 'advice_fix_first'],
    });
    for (const status of [408, 425, 429, 500])
      expect(vibe({ ...R, status, code: 'NEW' }).flags).toEqual(['unknown_code']);
  });
  it('V11 an unknown code on a write is verified', () => {
    expect(vibe({ ...W, status: 404, code: 'NEW' })).toMatchObject({
      action: 'state_verification_required',
      effect: 'possible',
    });
  });
  it('V12 a network failure without envelope is an unknown write, even when refused', () => {
    expect(vibe({ ...W, error: refused })).toMatchObject({
      action: 'state_verification_required',
      effect: 'possible',
      flags: ['preflight'],
    });
    expect(vibe({ ...R, error: { name: 'TimeoutError' } }).action).toBe('retry_with_limit');
  });
  it('V13 a batch is judged item by item', () => {
    const carrying = (fields: Partial<Attempt>) =>
      attempt({ id: 'b', operationId: 'op', profile: 'vibecode', call: 'POST /v1/batch', ...fields });
    const expand = (fields: Partial<Attempt>, items: Parameters<typeof expandItems>[1]) =>
      expandItems(carrying(fields), items, ({ item }) => `b#${item}`).map((item) => ({
        operationId: item.operationId,
        verdict: classify(item, currentRuleSet(item.profile ?? 'http')),
      }));
    const items = [
      { item: '0', call: 'deals.list', code: 'BITRIX_TIMEOUT' },
      { item: '1', call: 'deals.create', code: 'BITRIX_TIMEOUT' },
      { item: '2', call: 'deals.create', status: 200 },
      { item: '3', call: 'deals.create', notRun: true },
      { item: '4', call: 'deals.create' },
    ];
    const sound = expand({ status: 200, batch: { id: 'x', size: 6 } }, items);
    expect(sound.map(({ verdict }) => verdict.action)).toEqual([
      'retry_with_limit',
      'state_verification_required',
      'none',
      'retry_with_limit',
      'state_verification_required',
      'state_verification_required',
    ]);
    expect(sound.map(({ operationId }) => operationId)).toEqual(['op#0', 'op#1', 'op#2', 'op#3', 'op#4', 'op#5']);
    expect(sound.map(({ verdict }) => verdict.flags.includes('partial_success'))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    const broken = expand(
      { status: 503, code: 'SERVICE_UNAVAILABLE' },
      items.slice(0, 2).map(({ item, call }) => ({ item, call })),
    );
    expect(broken.map(({ verdict }) => verdict.action)).toEqual(['retry_with_limit', 'state_verification_required']);
    const rest3 = {
      profile: 'bitrix_rest' as const,
      call: 'POST /rest/api/batch',
      status: 400,
      code: 'BITRIX_REST_V3_EXCEPTION_ACCESSDENIEDEXCEPTION',
    };
    const nested = expand(rest3, [
      { item: '0', call: 'crm.deal.add' },
      { item: '1', call: 'crm.deal.get' },
    ]);
    expect(nested.map(({ verdict }) => verdict.unknownOutcome)).toEqual([true, false]);
  });
  it('V14 an odd kind is a write', () => {
    for (const kind of ['delete', 'WRITE', 'x'] as unknown as Attempt['kind'][]) {
      expect(vibe({ kind, code: 'BITRIX_TIMEOUT' }).unknownOutcome).toBe(true);
    }
  });
  it('V15 codes are exact; a near miss is malformed', () => {
    for (const code of ['rate_limited', ' RATE_LIMITED', 'Rate-Limited']) {
      expect(vibe({ ...W, code })).toMatchObject({
        action: 'state_verification_required',
        flags: ['unknown_code', 'code_malformed'],
      });
    }
  });
  it('V16 reached and effect are two things', () => {
    expect(vibe({ ...W, code: 'RATE_LIMITED' })).toMatchObject({ reached: 'unknown', effect: 'none' });
    expect(vibe({ ...W, code: 'BITRIX_ERROR' })).toMatchObject({ reached: 'yes', effect: 'doubtful' });
  });
  it('V17 a later safe code never clears an earlier unknown', () => {
    const facts = [
      send(1, 0, { profile: 'vibecode', code: 'BITRIX_TIMEOUT' }),
      send(2, 9_000, { profile: 'vibecode', code: 'TIMEOUT_QUARANTINE' }),
    ];
    expect(fold(facts).state).toBe('unresolved');
  });
  it('V18 the verdict carries the wait and its strictness', () => {
    expect(vibe({ ...W, code: 'OPERATION_TIME_LIMIT', retryAfter: ['9'] }).wait).toMatchObject({
      source: 'retry_after',
      delayMs: 9_000,
      strict: true,
    });
    expect(vibe({ ...R, code: 'BITRIX_UNAVAILABLE' }).wait).toMatchObject({ source: 'backoff', delayMs: null });
  });
  it('V19 BH_APP codes announce no wait: backoff for a read, an anomaly when one came', () => {
    for (const code of ['BH_APP_TIMEOUT', 'BH_APP_CONNECTION_LOST']) {
      expect(vibe({ ...R, code })).toMatchObject({ gates: ['backoff'], flags: [] });
      expect(vibe({ ...W, code, retryAfter: ['9'] })).toMatchObject({
        gates: ['read_back'],
        flags: ['contract_anomaly'],
      });
    }
  });
  it('V20, V21, V22 only a unique check after the settle time counts', () => {
    const look = (at: number, more: Record<string, unknown>) =>
      fold([
        send(1, 0, { outcome: 'timeout' }),
        fact({
          type: 'readback',
          startedAt: T0 + at,
          endedAt: T0 + at,
          result: 'absent',
          criterion: 'unique',
          ...more,
        }),
      ]).state;
    expect(look(120_000, { result: 'inconclusive' })).toBe('unresolved');
    expect(look(120_000, { criterion: 'weak' })).toBe('unresolved');
    expect(look(30_000, {})).toBe('unresolved');
    expect(look(120_000, {})).toBe('failed');
  });
  it('V23 BH rows speak of the hosted app', () => {
    const hops = currentRuleSet('vibecode')
      .rows.filter(({ hop }) => hop === 'app')
      .map(({ id }) => id);
    expect(new Set(hops)).toEqual(new Set(['BH_APP_STARTING', 'BH_APP_TIMEOUT', 'BH_APP_CONNECTION_LOST']));
  });
  it('V24 the limit is the one the client declared', () => {
    const run = (maxRetries: number) =>
      [1, 2, 3].map((n) =>
        send(n, n * 9_000, { ...R, profile: 'vibecode', code: 'RATE_LIMITED', policy: { maxRetries } }),
      );
    expect(checks(...run(1))).toContain('over_limit');
    expect(checks(...run(2))).not.toContain('over_limit');
  });
});

describe('QuillHub', () => {
  it('Q1 429 beats 4xx and has a limit of its own', () => {
    expect(quill({ ...W, status: 429 }).action).toBe('retry_with_limit');
    expect(currentRuleSet('quillhub').rows.find(({ id }) => id === 'HTTP_429')).toMatchObject({
      retriesMax: 1,
      waitMsMin: 1000,
    });
  });
  it('Q4, Q6 the table is the rule: time-outs and DNS are repeated, by cause and not by transport', () => {
    for (const code of ['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED']) {
      const cause = { code, syscall: code === 'ECONNREFUSED' ? 'connect' : 'getaddrinfo' };
      for (const error of [cause, { name: 'TypeError', message: 'fetch failed', cause }]) {
        expect(quill({ ...R, error }).action).toBe('retry_with_limit');
      }
    }
    expect(quill({ ...R, error: { name: 'TimeoutError' } }).action).toBe('retry_with_limit');
  });
  it('Q5 a TypeError without a network cause is not the network', () => {
    expect(quill({ ...R, error: { name: 'TypeError' } })).toMatchObject({ rule: 'DEFAULT', flags: ['not_covered'] });
  });
  it('Q7 a POST after 5xx is looked up first', () => {
    expect(quill({ ...W, status: 500 }).gates).toEqual(['read_back']);
  });
  it('Q8 a POST refused with 429 may be sent blindly, after a time-out not', () => {
    const next = { profile: 'quillhub' as const, status: 201 };
    expect(checks(send(1, 0, { profile: 'quillhub', status: 429 }), send(2, 9_000, next))).not.toContain(
      'blind_write_retry',
    );
    expect(checks(send(1, 0, { profile: 'quillhub', outcome: 'timeout' }), send(2, 9_000, next))).toContain(
      'blind_write_retry',
    );
  });
  it('Q9 both forms of the header are read', () => {
    expect(quill({ ...R, status: 429, retryAfter: ['2.9'] }).wait.delayMs).toBe(2_900);
    expect(quill({ ...R, status: 429, retryAfter: ['0'] }).wait.delayMs).toBe(0);
  });
  it('Q10 a late start and an overshoot are two things', () => {
    const [late] = fold([
      send(1, 0, { profile: 'quillhub', status: 503 }),
      send(2, 121_000, { profile: 'quillhub', status: 503, endedAt: T0 + 130_000 }),
    ]).findings.filter(({ check }) => check === 'past_deadline');
    expect(late?.evidence).toMatchObject({ lateMs: 1_000, overshootMs: 10_000 });
  });
  it('Q11 the event says who aborted', () => {
    const abort = { name: 'AbortError' };
    expect(fold([send(1, 0, { ...R, profile: 'quillhub', error: abort, abortBy: 'user' })]).state).toBe('cancelled');
    expect(fold([send(1, 0, { ...R, profile: 'quillhub', error: abort, abortBy: 'deadline' })]).state).toBe('failed');
  });
  it('Q12 one key for two requests', () => {
    const keyed = (fingerprint: string) => ({
      profile: 'quillhub' as const,
      status: 201,
      idempotency: { keyHash: 'k' },
      fingerprint,
    });
    expect(checks(send(1, 0, keyed('a')), send(2, 9_000, keyed('b')))).toContain('key_reused');
  });
  it('Q14 a look before the first send is not counted', () => {
    const early = fact({
      type: 'readback',
      startedAt: T0 - 1_000,
      endedAt: T0 - 900,
      result: 'absent',
      criterion: 'unique',
      exhausted: true,
    });
    expect(fold([early, send(1, 0, { profile: 'quillhub', outcome: 'timeout' })]).state).toBe('unresolved');
  });
  it('Q15 501, 505 and 511 follow the table and are tagged', () => {
    for (const status of [501, 505, 511])
      expect(quill({ ...R, status })).toMatchObject({ action: 'retry_with_limit', flags: ['unlikely_transient'] });
  });
});

describe('the article', () => {
  it('A1, A2 ENOTFOUND: safe to resend, not worth it, nothing to read back', () => {
    expect(http({ ...W, error: { code: 'ENOTFOUND', syscall: 'getaddrinfo' } })).toMatchObject({
      action: 'do_not_retry',
      effect: 'none',
      unknownOutcome: false,
      reached: 'no',
      flags: ['persistent_dns_suspected'],
    });
  });
  it('A3 a TimeoutError is ambiguous, though its function says no even for GET', () => {
    const verdict = http({ ...R, error: { name: 'TimeoutError', code: 23 } });
    expect(verdict.action).toBe('retry_with_limit');
    expect(explainVerdict(verdict, attempt(R), 'en').difference).not.toBeNull();
  });
  it('A4 undici codes are mapped', () => {
    expect(http({ ...R, error: { name: 'TypeError', cause: { code: 'UND_ERR_SOCKET' } } }).action).toBe(
      'retry_with_limit',
    );
    expect(http({ ...W, error: { name: 'TypeError', cause: { code: 'UND_ERR_CONNECT_TIMEOUT' } } }).action).toBe(
      'retry_with_limit',
    );
  });
  it('A8, X6 six methods and every read are replayable, PATCH is like POST', () => {
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']) {
      expect(http({ ...W, method, status: 500 }).action).toBe('retry_with_limit');
    }
    expect(http({ ...W, method: 'PATCH', status: 500 }).action).toBe('state_verification_required');
    expect(http({ ...R, method: 'POST', status: 500 }).action).toBe('retry_with_limit');
  });
  it('A9 what the table leaves out is shown apart from never', () => {
    expect(http({ ...R, status: 520 }).flags).toEqual(['not_covered']);
    expect(http({ ...R, status: 404 }).flags).toEqual([]);
  });
  it('A10 methods in any case; an empty key, 0 and null are none', () => {
    expect(http({ ...W, method: 'put', status: 500 }).action).toBe('retry_with_limit');
    expect(http({ ...W, status: 500, idempotency: { keyHash: '' } }).action).toBe('state_verification_required');
    for (const status of [0, null] as unknown as number[]) {
      expect(http({ ...W, status, error: refused })).toMatchObject({
        action: 'retry_with_limit',
        code: 'ECONNREFUSED',
      });
    }
  });
  it('A11 500, 502 and 504 depend on the method', () => {
    for (const status of [500, 502, 504]) expect(http({ ...W, status }).action).toBe('state_verification_required');
  });
});

describe('between the documents', () => {
  it('X1, X2, X3 the platform code beats the status', () => {
    expect(vibe({ ...W, status: 503 }).action).toBe('state_verification_required');
    expect(http({ ...W, status: 503 }).action).toBe('retry_with_limit');
    expect(judge('bitrix_rest', { ...W, status: 503, code: 'query_limit_exceeded' })).toMatchObject({
      action: 'retry_with_limit',
      effect: 'none',
    });
    expect(vibe({ ...W, status: 429, code: 'OPERATION_TIME_LIMIT' }).action).toBe('state_verification_required');
    expect(vibe({ ...W, status: 504, code: 'QUEUE_TIMEOUT' })).toMatchObject({
      action: 'retry_with_limit',
      effect: 'none',
    });
    expect(vibe({ ...W, status: 504, headers: { age: '0' } })).toMatchObject({
      rule: 'BH_APP_TIMEOUT',
      code: 'HTTP_504',
    });
    expect(vibe({ ...W, status: 504, headers: { 'content-type': 'text/html' } }).rule).toBe('DEFAULT');
  });
  it('X4 preflight is evidence under vibecode and an answer under http', () => {
    expect(vibe({ ...W, error: refused }).action).toBe('state_verification_required');
    expect(http({ ...W, error: refused }).action).toBe('retry_with_limit');
    const [finding] = fold([
      send(1, 0, { profile: 'vibecode', error: refused }),
      send(2, 9_000, { profile: 'vibecode', status: 200 }),
    ]).findings;
    expect(finding).toMatchObject({ check: 'blind_write_retry', severity: 'medium' });
  });
  it('X5 DELETE is replayable under http and a write under vibecode', () => {
    expect(http({ ...W, method: 'DELETE', status: 500 }).action).toBe('retry_with_limit');
    expect(vibe({ ...W, method: 'DELETE', status: 500 }).action).toBe('state_verification_required');
  });
  it('X8 408 and 425 go by profile', () => {
    for (const status of [408, 425]) {
      expect(http({ ...W, status }).action).toBe('retry_with_limit');
      expect(quill({ ...W, status }).action).toBe('fix_before_retry');
    }
  });
  it('X9 a 408 of the SDK is a time-out, never a status', () => {
    const made = { status: 408, statusOrigin: 'sdk' as const };
    expect(http({ ...W, ...made })).toMatchObject({
      action: 'state_verification_required',
      effect: 'possible',
      code: 'TIMEOUT',
      flags: ['synthetic_status'],
    });
    expect(http({ ...W, status: 200, statusOrigin: 'sdk' }).action).toBe('state_verification_required');
  });
  it('X10 a call after renewing the credential is not a retry', () => {
    const auth = send(1, 0, { ...R, status: 401, policy: { maxRetries: 0 } });
    expect(checks(auth, send(2, 9_000, { ...R, status: 200, reason: 'reauth' }))).not.toContain('over_limit');
  });
  it('X11, X12 5xx and ENOTFOUND go by profile', () => {
    expect(quill({ ...W, status: 503 }).action).toBe('state_verification_required');
    const error = { code: 'ENOTFOUND', syscall: 'getaddrinfo' };
    expect([http, quill, vibe].map((by) => by({ ...R, error }).action)).toEqual([
      'do_not_retry',
      'retry_with_limit',
      'retry_with_limit',
    ]);
    for (const by of [http, quill, vibe]) expect(by({ ...R, error }).flags).toContain('persistent_dns_suspected');
  });
  it('X14 INTERNAL_SERVER_ERROR of classic REST: read again, look first', () => {
    const bitrix = (fields: Partial<Attempt>) =>
      judge('bitrix_rest', { status: 500, code: 'INTERNAL_SERVER_ERROR', ...fields });
    expect([bitrix(R).action, bitrix(W).action]).toEqual(['retry_with_limit', 'state_verification_required']);
  });
  it('X15 retries and attempts are told apart', () => {
    const run = (policy: Attempt['policy']) => [1, 2, 3].map((n) => send(n, n * 9_000, { ...R, status: 503, policy }));
    expect(checks(...run({ maxRetries: 2 }))).not.toContain('over_limit');
    expect(checks(...run({ maxAttempts: 2 }))).toContain('over_limit');
  });
  it('X17 an unreadable answer goes by profile', () => {
    const unread = { status: 200, error: { name: 'SyntaxError' } };
    expect([http, quill].map((by) => by({ ...R, ...unread }).action)).toEqual(['do_not_retry', 'do_not_retry']);
    expect([http, quill].map((by) => by({ ...W, ...unread }).action)).toEqual([
      'state_verification_required',
      'state_verification_required',
    ]);
    expect(vibe({ ...R, ...unread }).action).toBe('retry_with_limit');
  });
});

describe('clocks', () => {
  it('flags a client far from the answer and one far ahead of the receiver', () => {
    const dateHeader = 'Mon, 02 Mar 2026 10:00:00 GMT';
    expect(http({ ...R, status: 200, dateHeader, headersAt: T0 + 60_000 }).flags).toEqual(['clock_skew']);
    expect(http({ ...R, status: 200, dateHeader, headersAt: T0 + 59_999 }).flags).toEqual([]);
    expect(http({ ...R, status: 200, receivedAt: T0 - 60_000 }).flags).toEqual(['clock_skew']);
    expect(http({ ...R, status: 200, receivedAt: T0 + 3_600_000 }).flags).toEqual([]);
  });
});

describe('bitrix_rest', () => {
  it.each([
    ['QUERY_LIMIT_EXCEEDED', 'retry_with_limit', 'retry_with_limit', 'none'],
    ['OPERATION_TIME_LIMIT', 'retry_with_limit', 'state_verification_required', 'possible'],
    ['ERROR_UNEXPECTED_ANSWER', 'retry_with_limit', 'state_verification_required', 'possible'],
    ['OVERLOAD_LIMIT', 'do_not_retry', 'do_not_retry', 'none'],
    ['PORTAL_DELETED', 'do_not_retry', 'do_not_retry', 'none'],
    ['expired_token', 'fix_before_retry', 'fix_before_retry', 'none'],
    ['insufficient_scope', 'fix_before_retry', 'fix_before_retry', 'none'],
    ['ERROR_METHOD_NOT_FOUND', 'fix_before_retry', 'fix_before_retry', 'none'],
    ['BITRIX_REST_V3_EXCEPTION_IDEMPOTENCYKEYREUSEDEXCEPTION', 'fix_before_retry', 'fix_before_retry', 'none'],
    ['SOMETHING_ELSE', 'retry_with_limit', 'state_verification_required', 'possible'],
  ])('%s', (code, read, write, effect) => {
    for (const text of [code, code.toLowerCase()]) {
      expect(judge('bitrix_rest', { ...R, status: 400, code: text }).action).toBe(read);
      expect(judge('bitrix_rest', { ...W, status: 400, code: text })).toMatchObject({ action: write, effect });
    }
  });
  it('pins an edition by name', () => {
    expect(findRuleSet('vibecode@older-ru')?.current).toBe(false);
    expect(findRuleSet('vibecode')?.name).toBe('vibecode@2026-10-22');
    expect(findRuleSet('nobody@never')).toBeNull();
  });
});
