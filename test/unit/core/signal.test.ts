import { describe, expect, it } from 'vitest';
import type { Attempt } from '@/lib/core/attempt';
import { isCallerAbort, readSignal } from '@/lib/core/signal';
import { attempt, T0 } from './support/event';

/** What one attempt shows, before any rule: domain.md §6 (0), (1), H2, H4–H7. */

const read = (fields: Partial<Attempt>) => readSignal(attempt(fields), 'http');
const RESET = { code: 'ECONNRESET' };
const ABORT = { name: 'AbortError' };
const LATE = { name: 'TimeoutError' };
const TEXT = { name: 'SyntaxError' };
const REFUSED = { code: 'ECONNREFUSED', syscall: 'connect' };

describe('status', () => {
  it.each([
    ['a server’s', { status: 200 }, 200],
    ['the least', { status: 100 }, 100],
    ['the greatest', { status: 599 }, 599],
    ['too small', { status: 99 }, null],
    ['too large', { status: 600 }, null],
    ['no whole number', { status: 404.5 }, null],
    ['zero', { status: 0 }, null],
    ['absent', {}, null],
    ['made up by the client library', { status: 408, statusOrigin: 'sdk' }, null],
    ['said to be the server’s', { status: 408, statusOrigin: 'server' }, 408],
  ] as const)('%s: %j → %s', (_name, fields, status) => expect(read(fields).status).toBe(status));

  it.each([
    [199, false],
    [200, true],
    [299, true],
    [300, false],
  ])('%i is a 2xx: %s', (status, head2xx) => expect(read({ status }).head2xx).toBe(head2xx));
});

describe('code', () => {
  it.each([
    ['its own', { code: 'A', bodyErrors: ['B'] }, 'A'],
    ['else the first of the body', { bodyErrors: ['', ' ', 'B', 'C'] }, 'B'],
    ['blank words are none', { code: ' ', bodyErrors: [] }, null],
    ['a blank word gives way to the body', { code: '', bodyErrors: ['B'] }, 'B'],
  ])('%s', (_name, fields, code) => expect(read(fields).code).toBe(code));
});

describe('outcome, where the sender gave none', () => {
  it.each([
    ['the caller gave up', { abortBy: 'user', status: 200 }, 'aborted'],
    ['its timer did', { abortBy: 'per_try' }, 'timeout'],
    ['the deadline did', { abortBy: 'deadline' }, 'timeout'],
    ['an abort by its error', { error: ABORT }, 'aborted'],
    ['a time-out by its error', { error: LATE }, 'timeout'],
    ['text that is no JSON, no status', { error: TEXT }, 'parse_error'],
    ['text that is no JSON under 200', { status: 200, error: TEXT }, 'parse_error'],
    ['text that is no JSON under 299', { status: 299, error: TEXT }, 'parse_error'],
    ['text that is no JSON under 103', { status: 103, error: TEXT }, 'http_error'],
    ['text that is no JSON under 502', { status: 502, error: TEXT }, 'http_error'],
    ['an error alone', { error: RESET }, 'network_error'],
    ['an error after a head of 200', { status: 200, error: RESET }, 'network_error'],
    ['an error after a head of 299', { status: 299, error: RESET }, 'network_error'],
    ['an error beside 300', { status: 300, error: RESET }, 'http_error'],
    ['an error beside 199', { status: 199, error: RESET }, 'http_error'],
    ['b24jssdk’s own 408 (X9)', { status: 408, statusOrigin: 'sdk' }, 'timeout'],
    ['another made-up status', { status: 503, statusOrigin: 'sdk' }, 'network_error'],
    ['a server’s 408', { status: 408 }, 'http_error'],
    ['200', { status: 200 }, 'success'],
    ['299', { status: 299 }, 'success'],
    ['199', { status: 199 }, 'http_error'],
    ['300', { status: 300 }, 'http_error'],
    ['200 with a code', { status: 200, code: 'X' }, 'http_error'],
    ['a code alone', { code: 'X' }, 'http_error'],
    ['nothing at all', {}, 'network_error'],
  ] as const)('%s: %j → %s', (_name, fields, outcome) => expect(read(fields).outcome).toBe(outcome));

  it.each([
    ['beside an error', { outcome: 'success', error: RESET }, 'network_error'],
    ['beside an abort', { outcome: 'success', abortBy: 'user' }, 'aborted'],
    ['beside a failing status', { outcome: 'success', status: 500 }, 'http_error'],
    ['beside a 2xx it stays', { outcome: 'success', status: 204 }, 'success'],
    ['alone it stays', { outcome: 'success' }, 'success'],
    ['no other word is doubted', { outcome: 'timeout', status: 200 }, 'timeout'],
    ['nor beside an error', { outcome: 'parse_error', error: RESET }, 'parse_error'],
  ] as const)('“success” %s', (_name, fields, outcome) => expect(read(fields).outcome).toBe(outcome));
});

describe('truncated: a 2xx whose body did not arrive whole (H6)', () => {
  it.each([
    ['an error after the head', { status: 200, error: RESET }, true],
    ['a network error told', { status: 200, outcome: 'network_error' }, true],
    ['a time-out told', { status: 200, outcome: 'timeout' }, true],
    ['an abort told', { status: 200, outcome: 'aborted' }, true],
    ['unreadable text is its own case', { status: 200, error: TEXT }, false],
    ['a job that failed afterwards is too', { status: 200, outcome: 'async_failed', error: RESET }, false],
    ['no head', { error: RESET }, false],
    ['another head', { status: 500, error: RESET }, false],
    ['a whole body', { status: 200 }, false],
  ] as const)('%s', (_name, fields, truncated) => expect(read(fields).truncated).toBe(truncated));
});

describe('fault (H4, H5, H7)', () => {
  it.each([
    ['no such name', { error: { code: 'ENOTFOUND' } }, 'name_not_found'],
    ['a bad certificate', { error: { code: 'CERT_HAS_EXPIRED' } }, 'certificate'],
    ['known not processed', { error: { code: 'ERR_HTTP2_GOAWAY_SESSION' } }, 'not_processed'],
    ['refused', { error: REFUSED }, 'preflight'],
    ['reset', { error: RESET }, 'ambiguous'],
    ['timed out by its error', { error: LATE }, 'timeout'],
    ['timed out by its outcome', { outcome: 'timeout' }, 'timeout'],
    ['timed out by its timer', { abortBy: 'per_try' }, 'timeout'],
    ['timed out by its deadline, as an abort', { abortBy: 'deadline', error: ABORT }, 'timeout'],
    ['timed out while connecting', { outcome: 'timeout', error: REFUSED }, 'preflight'],
    ['a timer while an abort is told', { abortBy: 'per_try', outcome: 'aborted' }, 'timeout'],
    ['aborted by the user', { abortBy: 'user' }, 'caller_abort'],
    ['aborted by its error', { error: ABORT }, 'caller_abort'],
    ['aborted by its outcome', { outcome: 'aborted' }, 'caller_abort'],
    ['aborted before sending', { abortBy: 'user', error: REFUSED }, 'abort_before_sending'],
    [
      'aborted after the head, whatever the error says',
      { abortBy: 'user', status: 200, error: REFUSED },
      'caller_abort',
    ],
    ['a head proves that it was sent', { status: 200, error: REFUSED }, 'ambiguous'],
    ['a bug of the program (Q5)', { error: { name: 'TypeError' } }, 'program_error'],
    ['nothing told', {}, 'ambiguous'],
  ] as const)('%s: %j → %s', (_name, fields, fault) => expect(read(fields).fault).toBe(fault));
});

describe('phase', () => {
  it.each([
    ['answered', { status: 503 }, 'complete'],
    ['answered beside an error', { status: 503, error: RESET }, 'complete'],
    ['a success without a status', { outcome: 'success' }, 'complete'],
    ['a job that failed', { outcome: 'async_failed' }, 'complete'],
    ['an answer that is no JSON', { outcome: 'parse_error' }, 'complete'],
    ['an item that never ran', { notRun: true }, 'complete'],
    ['a cut body', { status: 200, error: RESET }, 'reading_body'],
    ['the error’s own', { error: REFUSED }, 'connect'],
    ['a time-out before the head', { outcome: 'timeout' }, 'awaiting_response'],
    ['a time-out after the head', { outcome: 'timeout', headersAt: T0 + 10 }, 'reading_body'],
  ] as const)('%s: %j → %s', (_name, fields, phase) => expect(read(fields).phase).toBe(phase));
});

describe('isCallerAbort (H7)', () => {
  it.each([
    ['the user', { abortBy: 'user' }, true],
    ['a timer, whatever else is told', { abortBy: 'deadline', outcome: 'aborted', error: ABORT }, false],
    ['the outcome', { outcome: 'aborted' }, true],
    ['the outcome before the error', { outcome: 'aborted', error: RESET }, true],
    ['the error', { error: ABORT }, true],
    ['another error', { error: RESET }, false],
    ['a time-out that shows as an abort', { error: { ...ABORT, cause: LATE } }, false],
    ['nothing', {}, false],
  ] as const)('%s', (_name, fields, aborted) => expect(isCallerAbort(attempt(fields))).toBe(aborted));
});

describe('signs', () => {
  it.each([
    ['a whole success', { status: 200 }, ['whole_success']],
    ['a success without a status', { outcome: 'success' }, ['whole_success']],
    ['failed items', { status: 200, bodySummary: { total: 2, failed: 1, unprocessed: 0 } }, ['failed_items']],
    ['items left over', { status: 200, bodySummary: { total: 2, failed: 0, unprocessed: 1 } }, ['failed_items']],
    ['no failed items', { status: 200, bodySummary: { total: 2, failed: 0, unprocessed: 0 } }, ['whole_success']],
    ['failed items under an error', { status: 500, bodySummary: { total: 2, failed: 1, unprocessed: 0 } }, []],
    ['an error inside', { status: 200, outcome: 'http_error' }, ['error_in_success']],
    ['a code inside', { status: 200, code: 'X' }, ['error_in_success', 'has_code']],
    ['a code in an unreadable body', { status: 200, code: 'X', outcome: 'parse_error' }, ['has_code']],
    ['an unreadable body', { status: 200, outcome: 'parse_error' }, []],
    ['a cut body', { status: 200, error: RESET }, []],
    ['an item that never ran', { notRun: true }, ['not_run']],
    ['no content type', { status: 504, headers: {} }, ['no_content_type']],
    ['a blank content type', { status: 504, headers: { 'content-type': ' ' } }, ['no_content_type']],
    ['a content type', { status: 504, headers: { 'content-type': 'text/html' } }, []],
    ['headers that nobody reported', { status: 504 }, []],
    ['no content type beside a code', { status: 504, headers: {}, code: 'X' }, ['has_code']],
    ['firstStatus 200', { status: 409, firstStatus: 200 }, ['first_status_success']],
    ['firstStatus 299', { status: 409, firstStatus: 299 }, ['first_status_success']],
    ['firstStatus 199', { status: 409, firstStatus: 199 }, []],
    ['firstStatus 300', { status: 409, firstStatus: 300 }, []],
    ['firstStatus null', { status: 409, firstStatus: null }, []],
    ['a key that the server enforces', { status: 500, idempotency: { keyHash: 'k' } }, ['server_key']],
    ['one that it does not', { status: 500, idempotency: { keyHash: 'k', mode: 'none' } }, []],
  ] as const)('%s: %j → %j', (_name, fields, signs) => {
    expect(read(fields as unknown as Partial<Attempt>).signs).toEqual(signs);
  });

  it.each([
    ['idempotency_error', true],
    ['IDEMPOTENCY-ERROR', true],
    ['BITRIX_REST_V3_EXCEPTION_IDEMPOTENCYKEYREUSEDEXCEPTION', true],
    ['idempotency_key_mismatch', true],
    ['IdempotencyParametersDiffer', true],
    ['idempotency key used with other parameters', true],
    ['idempotent_request_changed', true],
    ['idempotency_conflicting_request', true],
    ['idempotency_key_in_use', false],
    ['idempotency_key_reused_in_progress', false],
    ['idempotency_key_reuse_locked', false],
    ['idempotency_key_missing', false],
    ['request_reused', false],
    ['key_mismatch', false],
  ])('%s says that the key belongs to another request: %s (H2)', (code, used) => {
    expect(read({ status: 422, code }).signs.includes('key_used_with_other_request')).toBe(used);
  });
});
