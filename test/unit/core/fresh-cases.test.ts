import { describe, expect, it } from 'vitest';
import type { Verdict } from '@/lib/core/verdict';
import { T0 } from './support/event';
import { send, verdictsOf } from './support/wire';

/** Verdicts written down from the documents before the code was read, sent through the wire form. */

type Wire = Record<string, unknown>;
type Row = [name: string, fields: Wire, expected: Partial<Verdict> | Wire, ruleSet?: string];

const RETRY = { action: 'retry_with_limit' };
const VERIFY = { action: 'state_verification_required', unknownOutcome: true };
const FIX = { action: 'fix_before_retry', effect: 'none' };
const STOP = { action: 'do_not_retry' };
const UNSENT = { ...RETRY, effect: 'none', reached: 'no', unknownOutcome: false };
const MAYBE = { ...VERIFY, effect: 'possible' };
const flags = (...names: string[]) => ({ flags: expect.arrayContaining(names) as unknown });

const R = { kind: 'read', method: 'GET' };
const PUT = { method: 'PUT' };
const KEYED = { idempotency: { key: 'k' } };
const REFUSED = { code: 'ECONNREFUSED', syscall: 'connect' };
const CUT = { name: 'TypeError', message: 'terminated', cause: { name: 'SocketError', code: 'UND_ERR_SOCKET' } };
const ABORT = { name: 'AbortError', code: 20 };

function table(profile: string | null, rows: Row[]): void {
  it.each(rows)('%s', (_name, fields, expected, ruleSet) => {
    const event = send(1, 0, profile === null ? fields : { profile, ...fields });
    expect(verdictsOf(event, ruleSet)[0]).toMatchObject(expected);
  });
}

describe('vibecode', () => {
  const lost = { code: 'BITRIX_TIMEOUT' };
  const again = { code: 'AGENT_WRITE_ALREADY_EXECUTED', method: 'DELETE' };
  table('vibecode', [
    ['a kind in capitals', { ...lost, kind: 'READ' }, { ...RETRY, effect: 'none' }],
    ['a kind that is another word', { ...lost, kind: 'delete' }, MAYBE],
    ['no kind, read by the ending', { ...lost, kind: undefined, call: 'crm.deal.LIST' }, RETRY],
    ['no kind, search by POST', { ...lost, kind: undefined, call: 'POST /v1/deals/search' }, RETRY],
    ['no kind, add by GET', { ...lost, kind: undefined, method: 'GET', call: 'crm.deal.add' }, MAYBE],
    ['no kind, an ending nobody names', { ...lost, kind: undefined, call: 'crm.deal.productrows.set' }, MAYBE],
    ['no kind, an ending that only begins so', { ...lost, kind: undefined, call: 'crm.deal.getlist' }, MAYBE],
    ['a code in lower case', { code: 'rate_limited' }, { ...MAYBE, ...flags('code_malformed', 'unknown_code') }],
    ['a code with spaces', { code: ' RATE_LIMITED ' }, { ...MAYBE, ...flags('code_malformed') }],
    ['an unknown code, 400, read', { ...R, code: 'FOO', status: 400 }, { ...RETRY, ...flags('advice_fix_first') }],
    ['an unknown code, 429, read', { ...R, code: 'FOO', status: 429 }, { ...RETRY, flags: ['unknown_code'] }],
    ['an unknown code, 403, write', { code: 'FOO', status: 403 }, { ...MAYBE, code: 'FOO' }],
    ['a bare 401, write', { status: 401 }, MAYBE],
    ['a bare 429 with a wait, write', { status: 429, retryAfter: '3' }, { ...MAYBE, gates: ['wait', 'read_back'] }],
    ['a bare 503, write', { status: 503 }, { ...MAYBE, reached: 'unknown' }],
    ['a code under 200', { ...lost, status: 200 }, { ...MAYBE, reached: 'yes', ...flags('error_under_200') }],
    ['a safe code inside 200', { status: 200, bodyErrors: ['QUEUE_OVERFLOW'] }, { ...UNSENT, code: 'QUEUE_OVERFLOW' }],
    ['the first code inside decides', { status: 200, bodyErrors: ['FOO', 'QUEUE_OVERFLOW'] }, MAYBE],
    ['a 200 that was cut', { status: 200, error: CUT }, { ...MAYBE, phase: 'reading_body' }],
    ['refused before sending, write', { error: REFUSED }, { ...MAYBE, phase: 'connect', ...flags('preflight') }],
    ['refused before sending, read', { ...R, error: REFUSED }, { ...RETRY, effect: 'none', gates: ['backoff'] }],
    ['an expired certificate, write', { error: { code: 'CERT_HAS_EXPIRED' } }, { ...MAYBE, phase: 'tls' }],
    ['an executed DELETE', { ...again, firstStatus: 204 }, { action: 'none', effect: 'applied', gates: [] }],
    ['a DELETE still running', { ...again, firstStatus: null }, { ...VERIFY, effect: 'none', gates: ['read_back'] }],
    ['a DELETE that failed', { ...again, firstStatus: 404 }, { ...VERIFY, effect: 'none', ...flags('not_covered') }],
    ['a redirected DELETE', { ...again, firstStatus: 300 }, { ...VERIFY, effect: 'none' }],
    ['the DELETE word on a read', { ...again, ...R, firstStatus: 204 }, { action: 'not_applicable', effect: 'none' }],
    ['the DELETE word, older edition', { ...again, firstStatus: 204 }, MAYBE, 'vibecode@older-ru'],
    ['CALLER_RATE_LIMITED, older edition', { code: 'CALLER_RATE_LIMITED' }, MAYBE, 'vibecode@older-ru'],
    ['a strict wait and a write', { code: 'OPERATION_TIME_LIMIT', retryAfter: '9' }, { gates: ['wait', 'read_back'] }],
    ['a strict rule without a wait', { code: 'OPERATION_TIME_LIMIT' }, { gates: ['backoff', 'read_back'] }],
    ['a wait where none is promised', { ...R, code: 'BH_APP_TIMEOUT', retryAfter: '9' }, flags('contract_anomaly')],
    ['a wait that heals nothing', { code: 'TOKEN_REFRESH_FAILED', retryAfter: '9' }, { ...FIX, gates: ['fix_auth'] }],
    ['an error of Bitrix24', { code: 'BITRIX_ERROR', retryAfter: '9' }, { ...STOP, gates: ['fix_cause', 'human'] }],
    ['a made-up status beside a code', { code: 'QUEUE_TIMEOUT', status: 408, statusOrigin: 'sdk' }, UNSENT],
    ['an unreadable 200, read', { ...R, status: 200, outcome: 'parse_error' }, RETRY],
    ['a key nobody honours', { status: 500, idempotency: { key: 'k', mode: 'server' } }, MAYBE],
    ['a failed job', { outcome: 'async_failed' }, { ...STOP, effect: 'none', gates: ['fix_cause'] }],
  ]);
});

describe('http statuses', () => {
  it.each([
    ['PATCH', 500, '', MAYBE],
    ['PATCH', 503, '', UNSENT],
    ['POST', 500, 'keyed', { ...RETRY, effect: 'possible', unknownOutcome: true }],
    ['post', 408, '', UNSENT],
    ['POST', 425, '', UNSENT],
    ['put', 504, '', { ...RETRY, effect: 'possible', unknownOutcome: true }],
    ['PUT', 409, '', MAYBE],
    ['POST', 409, 'keyed', { ...RETRY, effect: 'possible' }],
    ['POST', 401, '', { ...FIX, gates: ['fix_auth'], reached: 'yes' }],
    ['POST', 418, 'keyed', { ...FIX, gates: ['fix_cause'] }],
    ['POST', 501, '', { ...MAYBE, ...flags('not_covered') }],
    ['POST', 521, '', UNSENT],
    ['POST', 523, '', UNSENT],
    ['POST', 524, 'keyed', { ...RETRY, effect: 'possible' }],
    ['POST', 599, '', MAYBE],
    ['POST', 303, '', { action: 'none', effect: 'applied' }],
    ['POST', 304, '', { ...FIX, ...flags('not_covered') }],
    ['POST', 307, '', { ...FIX, ...flags('not_covered') }],
  ])('%s %d %s', (method, status, key, expected) => {
    const [verdict] = verdictsOf(send(1, 0, { profile: 'http', method, status, ...(key ? KEYED : {}) }));
    expect(verdict).toMatchObject({ ...expected, code: `HTTP_${status}`, phase: 'complete' });
  });
});

describe('http', () => {
  const parallel = (...errors: Wire[]) => ({ error: { name: 'AggregateError', message: '', errors } });
  const deep = (depth: number, leaf: Wire): Wire => (depth === 0 ? leaf : { name: 'E', cause: deep(depth - 1, leaf) });
  const stream = (word: string) => ({
    error: { code: 'ERR_HTTP2_STREAM_ERROR', message: `Stream closed with error code ${word}` },
  });
  table('http', [
    ['a key with its promise lowered', { status: 500, idempotency: { key: 'k', mode: 'client_dedupe' } }, MAYBE],
    ['an empty key', { status: 500, idempotency: { key: '' } }, MAYBE],
    ['a promise without a key', { status: 500, idempotency: { mode: 'server' } }, MAYBE],
    ['409 on a read', { kind: 'read', status: 409 }, FIX],
    ['a misused key under 500', { ...KEYED, status: 500, code: 'idempotency_error' }, FIX],
    ['a cut 200, GET', { ...R, status: 200, error: CUT }, { ...RETRY, effect: 'none', ...flags('response_truncated') }],
    ['a cut 201, keyed', { ...KEYED, status: 201, error: CUT }, { ...RETRY, effect: 'possible', reached: 'yes' }],
    ['a time-out after a 200 head', { status: 200, error: { name: 'TimeoutError', code: 23 } }, MAYBE],
    ['a cut 429', { status: 429, error: CUT }, UNSENT],
    ['an unreadable 200, PUT', { ...PUT, status: 200, outcome: 'parse_error' }, MAYBE],
    ['an unreadable 200, read', { ...R, status: 200, outcome: 'parse_error' }, { ...STOP, effect: 'none' }],
    ['an error inside 200, PUT', { ...PUT, status: 200, bodyErrors: ['X'] }, { ...RETRY, effect: 'possible' }],
    ['items left out, write', { status: 200, bodySummary: { total: 3, unprocessed: 1 } }, { effect: 'applied' }],
    ['no item failed', { status: 200, bodySummary: { total: 3, failed: 0 } }, { action: 'none' }],
    ['only an outcome: timeout', { outcome: 'timeout' }, { ...MAYBE, code: 'TIMEOUT' }],
    ['only an outcome: aborted', { outcome: 'aborted' }, { ...STOP, effect: 'possible', gates: ['read_back'] }],
    ['aborted by its own deadline', { outcome: 'aborted', abortBy: 'deadline' }, MAYBE],
    ['cancelled by the caller, read', { ...R, error: ABORT }, { ...STOP, effect: 'none', gates: [] }],
    ['ABORT_ERR', { ...R, error: { name: 'AbortError', code: 'ABORT_ERR' } }, STOP],
    ['axios cancel on its deadline', { abortBy: 'deadline', error: { code: 'ERR_CANCELED' } }, MAYBE],
    ['aborted before sending', { error: { ...ABORT, cause: REFUSED } }, { ...STOP, effect: 'none', gates: [] }],
    ['a DOMException number', { error: { name: 'TimeoutError', code: 23 } }, { ...MAYBE, code: 'TimeoutError' }],
    ['that number as text', { error: { name: 'TimeoutError', code: '23' } }, { ...MAYBE, code: 'TimeoutError' }],
    ['a cause eight levels down', { error: deep(8, REFUSED) }, { ...UNSENT, code: 'ECONNREFUSED' }],
    ['a cause out of reach', { error: deep(12, REFUSED) }, MAYBE],
    ['a wrapper code above', { error: { code: 'ERR_NETWORK', cause: REFUSED } }, { ...UNSENT, code: 'ECONNREFUSED' }],
    ['parallel: refused, reset', parallel(REFUSED, { code: 'ECONNRESET' }), { ...MAYBE, code: 'ECONNRESET' }],
    ['parallel: reset, refused', parallel({ code: 'ECONNRESET' }, REFUSED), { ...MAYBE, code: 'ECONNRESET' }],
    ['parallel: both refused', parallel(REFUSED, { code: 'ENETUNREACH', syscall: 'connect' }), UNSENT],
    [
      'parallel: one timed out without a code',
      parallel(REFUSED, { name: 'TimeoutError', code: 23 }),
      { ...MAYBE, code: 'TimeoutError' },
    ],
    ['parallel: one says nothing', { error: { code: 'ECONNREFUSED', errors: [REFUSED, { name: 'Error' }] } }, MAYBE],
    ['parallel: more than are read', parallel(...Array.from({ length: 65 }, () => REFUSED)), MAYBE],
    ['a time-out of unknown phase', { error: { code: 'ETIMEDOUT' } }, MAYBE],
    ['a connect time-out', { error: { code: 'ETIMEDOUT', syscall: 'connect' } }, { ...UNSENT, phase: 'connect' }],
    ['a DNS time-out', { error: { code: 'ETIMEOUT', syscall: 'querySrv' } }, { ...UNSENT, phase: 'dns' }],
    ['no such name', { error: { code: 'ENOTFOUND', syscall: 'queryAaaa' } }, { ...STOP, effect: 'none', phase: 'dns' }],
    ['undici connect time-out', { error: { code: 'UND_ERR_CONNECT_TIMEOUT' } }, UNSENT],
    ['undici body time-out', { error: { code: 'UND_ERR_BODY_TIMEOUT' } }, { ...MAYBE, phase: 'reading_body' }],
    ['a name no certificate has', { error: { code: 'ERR_TLS_CERT_ALTNAME_INVALID' } }, { ...FIX, phase: 'tls' }],
    ['TLS to a plain port', { error: { code: 'ERR_SSL_WRONG_VERSION_NUMBER' } }, { ...UNSENT, phase: 'tls' }],
    ['EPIPE', { error: { code: 'EPIPE', syscall: 'write' } }, { ...MAYBE, phase: 'sending' }],
    ['a refused stream', stream('NGHTTP2_REFUSED_STREAM'), UNSENT],
    ['another reset stream', stream('NGHTTP2_INTERNAL_ERROR'), MAYBE],
    ['GOAWAY before the stream', { error: { code: 'ERR_HTTP2_GOAWAY_SESSION' } }, UNSENT],
    ['a bare GOAWAY', { error: { code: 'ERR_HTTP2_SESSION_ERROR' } }, MAYBE],
    ['a made-up 408', { status: 408, statusOrigin: 'sdk' }, { ...MAYBE, ...flags('synthetic_status') }],
    ['a made-up 503', { status: 503, statusOrigin: 'sdk' }, MAYBE],
    ['status 0', { status: 0, error: REFUSED }, UNSENT],
    ['nothing at all', {}, MAYBE],
  ]);
});

describe('quillhub', () => {
  table('quillhub', [
    ['408', { status: 408 }, { ...FIX, gates: ['fix_cause'] }],
    ['401', { status: 401 }, { ...FIX, gates: ['fix_auth'] }],
    ['429', { status: 429, retryAfter: '3' }, { ...UNSENT, gates: ['wait'] }],
    ['503, write', { status: 503 }, { ...MAYBE, gates: ['read_back'] }],
    ['501, read', { ...R, status: 501 }, { ...RETRY, ...flags('unlikely_transient') }],
    ['PUT is no shield', { ...PUT, status: 500 }, MAYBE],
    ['a key raised to server', { status: 500, idempotency: { key: 'k', mode: 'server' } }, MAYBE],
    ['no such name', { error: { code: 'ENOTFOUND', syscall: 'getaddrinfo' } }, UNSENT],
    ['unreadable, write', { status: 200, outcome: 'parse_error' }, { ...MAYBE, gates: ['read_back'] }],
    ['unreadable, read', { ...R, status: 200, outcome: 'parse_error' }, { ...STOP, gates: ['fix_cause'] }],
    ['aborted, read', { ...R, error: ABORT }, RETRY],
    ['aborted, write', { error: ABORT }, MAYBE],
  ]);
});

describe('bitrix_rest', () => {
  table('bitrix_rest', [
    ['a code in another case', { code: 'Query_Limit_Exceeded' }, { ...RETRY, effect: 'none' }],
    ['Expired_Token', { code: 'Expired_Token' }, { ...FIX, gates: ['fix_auth'] }],
    ['portal_deleted', { code: 'portal_deleted' }, { ...STOP, gates: ['human'] }],
    ['operation_time_limit', { code: 'operation_time_limit', retryAfter: '5' }, { gates: ['wait', 'read_back'] }],
    ['INTERNAL_SERVER_ERROR', { code: 'INTERNAL_SERVER_ERROR' }, MAYBE],
    ['a method nobody knows', { code: 'ERROR_METHOD_NOT_FOUND' }, { ...FIX, gates: ['fix_cause'] }],
    ['a reused key', { code: 'BITRIX_REST_V3_EXCEPTION_IDEMPOTENCYKEYREUSEDEXCEPTION' }, FIX],
    ['a word of the other platform', { code: 'QUEUE_OVERFLOW' }, MAYBE],
    ['REST 3.0 reads by POST', { kind: undefined, call: '/rest/api/crm.item.list', status: 500 }, RETRY],
  ]);
});

describe('profile by target', () => {
  const edition = (profile: string) => ({ ruleSet: expect.stringMatching(new RegExp(`^${profile}@`)) as unknown });
  table(null, [
    ['letter case', { target: 'VibeCode.Bitrix24.tech', status: 503 }, { ...MAYBE, ...edition('vibecode') }],
    ['host and port', { target: 'vibecode.bitrix24.tech:443', status: 503 }, { ...MAYBE, ...edition('vibecode') }],
    ['a whole URL', { target: 'https://vibecode.bitrix24.tech:8443/v1', status: 503 }, edition('vibecode')],
    ['a subdomain', { target: 'api.quillhub.ai', status: 503 }, edition('quillhub')],
    ['a name that only ends so', { target: 'evilquillhub.ai', status: 503 }, edition('http')],
    ['a host inside a path', { target: 'https://proxy.example/vibecode.bitrix24.tech', status: 503 }, edition('http')],
    ['its own word first', { target: 'vibecode.bitrix24.tech', profile: 'http', status: 503 }, edition('http')],
  ]);
});

describe('waits', () => {
  const busy = { ...R, profile: 'vibecode', code: 'QUEUE_OVERFLOW', status: 429 };
  const date = 'Mon, 02 Mar 2026 10:00:30 GMT';
  const at = { startedAt: T0 - 100, endedAt: T0 };
  it.each<[string, Wire, Wire]>([
    ['body alone', { retryAfterBody: 2.5 }, { source: 'body', form: 'body', delayMs: 2500 }],
    ['body of less than a millisecond', { retryAfterBody: 0.0005 }, { delayMs: 1 }],
    ['body 0', { retryAfterBody: 0 }, { source: 'body', delayMs: 0 }],
    ['body longer', { retryAfter: '2', retryAfterBody: 30 }, { source: 'body', delayMs: 30_000, issues: ['mismatch'] }],
    ['header longer', { retryAfter: '30', retryAfterBody: 2 }, { source: 'retry_after', issues: ['mismatch'] }],
    ['apart by a second', { retryAfter: '30', retryAfterBody: 31 }, { delayMs: 30_000, issues: [] }],
    ['apart by more', { retryAfter: '30', retryAfterBody: 31.001 }, { delayMs: 31_001, issues: ['mismatch'] }],
    ['header useless', { retryAfter: 'soon', retryAfterBody: 3 }, { source: 'body', delayMs: 3000 }],
    ['ms header first', { retryAfter: '30', headers: { 'Retry-After-Ms': '250' } }, { form: 'retry-after-ms' }],
    ['ms header useless', { retryAfter: '2', headers: { 'retry-after-ms': '-5' } }, { delayMs: 2000 }],
    ['one useless line', { retryAfter: ['soon', '2'] }, { delayMs: 2000 }],
    ['no line', { retryAfter: [] }, { source: 'backoff', delayMs: null }],
    ['a reset is no wait', { headers: { 'x-ratelimit-reset': '30' } }, { source: 'backoff', delayMs: null }],
    ['epoch ms', { ...at, retryAfter: '1772445630000' }, { form: 'epoch-ms', delayMs: 30_000 }],
    ['2³¹ seconds', { retryAfter: '2147483648' }, { delayMs: 2_147_483_648_000, issues: ['implausibly_long'] }],
    ['a second more', { retryAfter: '2147483649' }, { delayMs: 2_147_483_648_000, issues: ['overflow_clamped'] }],
    ['a day', { retryAfter: '86400' }, { issues: [] }],
    ['a date and a number', { ...at, retryAfter: `${date}, 120` }, { delayMs: 120_000, issues: ['multiple_values'] }],
    ['counted from the head', { ...at, headersAt: T0, endedAt: T0 + 9000, retryAfter: date }, { delayMs: 30_000 }],
    ['30 February', { ...at, retryAfter: 'Mon, 30 Feb 2026 10:00:30 GMT' }, { delayMs: null }],
    ['minus nothing', { retryAfter: '-0' }, { delayMs: null, issues: ['negative'] }],
    ['other digits', { retryAfter: '١٢' }, { delayMs: null, issues: ['unparseable'] }],
    ['after a success', { status: 200, code: undefined, retryAfter: '30' }, { source: 'none', delayMs: null }],
  ])('%s', (_name, fields, expected) => {
    expect(verdictsOf(send(1, 0, { ...busy, ...fields }))[0]?.wait).toMatchObject(expected);
  });

  it.each([
    [60_000, true],
    [59_999, false],
    [-60_000, true],
  ])('a clock %d ms off is flagged: %s', (offMs, flagged) => {
    const event = send(1, offMs - 100, { ...R, status: 200, dateHeader: 'Mon, 02 Mar 2026 10:00:00 GMT' });
    expect(verdictsOf(event)[0]?.flags.includes('clock_skew')).toBe(flagged);
  });
});

describe('batch items', () => {
  it('judges each by its own code and kind', () => {
    const items = [
      { item: 'a', kind: 'write', status: 200 },
      { item: 'b', kind: 'write', code: 'QUEUE_OVERFLOW' },
      { item: 'c', kind: 'write' },
      { item: 'd', kind: 'write', notRun: true },
      { item: 'e', kind: 'READ', code: 'BITRIX_TIMEOUT' },
      { item: 'f', kind: 'delete', code: 'BITRIX_TIMEOUT' },
    ];
    expect(verdictsOf(send(1, 0, { profile: 'vibecode', status: 200, items }))).toMatchObject([
      { action: 'none', effect: 'applied' },
      { ...UNSENT, ...flags('partial_success') },
      MAYBE,
      { effect: 'none', reached: 'no' },
      { ...RETRY, effect: 'none' },
      MAYBE,
    ]);
  });
  it('an envelope that failed is every item’s failure, by its own kind', () => {
    const items = [{ item: '0', call: 'list' }, { item: '1', call: 'create' }, { item: '2' }];
    const event = send(1, 0, { profile: 'vibecode', code: 'BITRIX_TIMEOUT', items });
    expect(verdictsOf(event)).toMatchObject([RETRY, MAYBE, MAYBE]);
  });
  it('REST 3.0 answers one error for all: any write may have run', () => {
    const items = [
      { item: '0', call: 'crm.item.add' },
      { item: '1', call: 'crm.item.list' },
    ];
    const fields = { call: '/rest/api/batch', code: 'BITRIX_REST_V3_EXCEPTION_VALIDATION', status: 400 };
    expect(verdictsOf(send(1, 0, { profile: 'bitrix_rest', ...fields, items }))).toMatchObject([MAYBE, RETRY]);
  });
});
