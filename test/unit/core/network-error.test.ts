import { describe, expect, it } from 'vitest';
import type { ErrorNode } from '@/lib/core/attempt';
import { normaliseNetworkError as normalise } from '@/lib/core/network-error';

/** Shapes of standards.md §3.3, as the libraries report them. */

const cause = (inner: ErrorNode): ErrorNode => ({ name: 'TypeError', message: 'fetch failed', cause: inner });

describe('normaliseNetworkError', () => {
  const rows: [string, ErrorNode, Partial<ReturnType<typeof normalise>>][] = [
    ['refused under fetch', cause({ code: 'ECONNREFUSED', syscall: 'connect' }), { phase: 'connect', preflight: true }],
    [
      'no such name under fetch',
      cause({ code: 'ENOTFOUND', syscall: 'getaddrinfo' }),
      { notFound: true, preflight: true },
    ],
    [
      'reset under fetch',
      cause({ code: 'ECONNRESET', syscall: 'read' }),
      { phase: 'awaiting_response', preflight: false },
    ],
    [
      'peer closed',
      cause({ name: 'SocketError', code: 'UND_ERR_SOCKET' }),
      { code: 'UND_ERR_SOCKET', preflight: false },
    ],
    ['connect wait', cause({ code: 'UND_ERR_CONNECT_TIMEOUT' }), { phase: 'connect', preflight: true }],
    ['header wait', cause({ code: 'UND_ERR_HEADERS_TIMEOUT' }), { phase: 'awaiting_response', timeout: true }],
    ['body wait', cause({ code: 'UND_ERR_BODY_TIMEOUT' }), { phase: 'reading_body', timeout: true }],
    ['body cut', { name: 'TypeError', message: 'terminated', cause: { code: 'UND_ERR_SOCKET' } }, { preflight: false }],
    [
      'AbortSignal.timeout',
      { name: 'TimeoutError', code: 23 },
      { timeout: true, aborted: false, code: null, name: 'TimeoutError' },
    ],
    ['abort()', { name: 'AbortError', code: 20 }, { aborted: true, timeout: false, code: null }],
    [
      'abort with the timeout as its reason',
      { name: 'AbortError', cause: { name: 'TimeoutError', code: 23 } },
      { timeout: true, aborted: false },
    ],
    ['a bare DOMException by its number', { name: 'DOMException', code: 20 }, { aborted: true }],
    ['the name before the number', { name: 'TimeoutError', code: 20 }, { timeout: true, aborted: false }],
    ['axios cancel', { name: 'CanceledError', code: 'ERR_CANCELED' }, { aborted: true }],
    [
      'axios timeout',
      { name: 'AxiosError', code: 'ECONNABORTED' },
      { code: 'ECONNABORTED', preflight: false, aborted: false },
    ],
    [
      'axios over a reset',
      { name: 'AxiosError', code: 'ERR_NETWORK', cause: { code: 'ECONNRESET', syscall: 'read' } },
      { code: 'ECONNRESET' },
    ],
    [
      'got timeout',
      { name: 'TimeoutError', code: 'ETIMEDOUT' },
      { code: 'ETIMEDOUT', preflight: false, timeout: true },
    ],
    ['ETIMEDOUT while connecting', { code: 'ETIMEDOUT', syscall: 'connect' }, { preflight: true }],
    ['ETIMEDOUT without a syscall', { code: 'ETIMEDOUT' }, { preflight: false }],
    [
      'TLS to a plain port',
      { code: 'ERR_SSL_WRONG_VERSION_NUMBER' },
      { phase: 'tls', preflight: true, certificate: false },
    ],
    ['TLS alert in mid-stream', { code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' }, { preflight: false }],
    ['certificate', cause({ code: 'CERT_NOT_YET_VALID' }), { certificate: true, phase: 'tls' }],
    [
      'openai, two causes deep',
      { name: 'APIConnectionError', cause: cause({ code: 'ECONNREFUSED', syscall: 'connect' }) },
      { code: 'ECONNREFUSED', name: 'APIConnectionError' },
    ],
    ['openai timeout', { name: 'APIConnectionTimeoutError' }, { timeout: true, code: null }],
    [
      'undici retries used up',
      { name: 'RequestRetryError', code: 'UND_ERR_REQ_RETRY' },
      { code: 'UND_ERR_REQ_RETRY', preflight: false },
    ],
    [
      'refused stream',
      { code: 'ERR_HTTP2_STREAM_ERROR', message: 'Stream closed with error code NGHTTP2_REFUSED_STREAM' },
      { notProcessed: true },
    ],
    [
      'other stream reset',
      { code: 'ERR_HTTP2_STREAM_ERROR', message: 'Stream closed with error code NGHTTP2_INTERNAL_ERROR' },
      { notProcessed: false },
    ],
    ['stream never opened after GOAWAY', { code: 'ERR_HTTP2_GOAWAY_SESSION' }, { notProcessed: true }],
    ['bare GOAWAY', { code: 'ERR_HTTP2_SESSION_ERROR', message: 'NGHTTP2_REFUSED_STREAM' }, { notProcessed: false }],
    ['urllib3 connect', { name: 'ConnectTimeoutError' }, { phase: 'connect', preflight: true }],
    ['urllib3 read', { name: 'ReadTimeoutError' }, { preflight: false, timeout: true }],
    [
      'protocol error without a code',
      { name: 'HTTPParserError' },
      { code: null, name: 'HTTPParserError', preflight: false },
    ],
    ['unreadable JSON', { name: 'SyntaxError' }, { unreadable: true }],
    ['empty words', { name: ' ', code: '' }, { name: null, code: null }],
    ['prototype words', { name: 'constructor', code: '__proto__' }, { phase: null, preflight: false }],
  ];
  it.each(rows)('%s', (_name, error, expected) => expect(normalise(error)).toMatchObject(expected));

  it('takes the least safe of several addresses and keeps every code', () => {
    const refused = { code: 'ECONNREFUSED', syscall: 'connect' };
    const reset = { code: 'ECONNRESET', syscall: 'read' };
    const both = normalise({ name: 'AggregateError', code: 'ECONNREFUSED', errors: [refused, reset] });
    expect(both).toMatchObject({ code: 'ECONNRESET', preflight: false, codes: ['ECONNREFUSED', 'ECONNRESET'] });
    const safe = normalise({
      name: 'AggregateError',
      message: '',
      errors: [refused, { code: 'ETIMEDOUT', syscall: 'connect' }],
    });
    expect(safe).toMatchObject({ preflight: true });
    const names = normalise({ name: 'AggregateError', errors: [{ code: 'ENOTFOUND' }, refused] });
    expect(names).toMatchObject({ code: 'ECONNREFUSED', notFound: false });
  });

  it('reads no deeper than eight causes', () => {
    let node: ErrorNode = { code: 'ECONNREFUSED', syscall: 'connect' };
    for (let depth = 0; depth < 8; depth++) node = { name: 'Error', cause: node };
    expect(normalise(node).code).toBe('ECONNREFUSED');
    expect(normalise({ name: 'Error', cause: node }).code).toBeNull();
  });
});
