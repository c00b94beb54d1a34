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

  it('lets of parallel failures the one speak after which most could have happened', () => {
    const ofWords = (...errors: ErrorNode[]) => normalise({ name: 'AggregateError', errors });
    const gone = { code: 'ENOTFOUND', syscall: 'getaddrinfo' };
    const untrusted = { code: 'CERT_HAS_EXPIRED' };
    const refused = { code: 'ECONNREFUSED', syscall: 'connect' };
    const vouched = { code: 'ERR_HTTP2_GOAWAY_SESSION' };
    const reset = { code: 'ECONNRESET' };
    const rising = [gone, untrusted, refused, vouched, reset];
    rising.forEach((worse, at) => {
      for (const better of rising.slice(0, at)) {
        expect(ofWords(better, worse).code).toBe(worse.code);
        expect(ofWords(worse, better).code).toBe(worse.code);
      }
    });
    // Of equally safe ones the first named.
    expect(ofWords(refused, { code: 'ETIMEDOUT', syscall: 'connect' }).code).toBe('ECONNREFUSED');
  });

  it('takes a parallel failure that names nothing for one that may have been sent', () => {
    const refused = { code: 'ECONNREFUSED', syscall: 'connect' };
    const unclear = { code: null, syscall: null, phase: null, preflight: false, notProcessed: false };
    const mixed = normalise({ name: 'AggregateError', errors: [refused, { name: 'TimeoutError' }] });
    expect(mixed).toMatchObject({ ...unclear, certificate: false, notFound: false, timeout: true });
    expect(normalise({ name: 'AggregateError', errors: [{ name: 'TimeoutError' }, refused] })).toMatchObject(unclear);
    // When none of them says anything, the error around them does.
    const around = { name: 'AggregateError', code: 'ECONNREFUSED', errors: [{ name: 'Error' }] };
    expect(normalise(around)).toMatchObject({ code: 'ECONNREFUSED', preflight: true });
  });

  it('weighs a cause against parallel failures beside it: the less safe decides', () => {
    const refused = { code: 'ECONNREFUSED', syscall: 'connect' };
    const reset = { code: 'ECONNRESET', syscall: 'read' };
    expect(normalise({ name: 'Error', cause: reset, errors: [refused] }).code).toBe('ECONNRESET');
    expect(normalise({ name: 'Error', cause: refused, errors: [reset] }).code).toBe('ECONNRESET');
    expect(normalise({ name: 'Error', cause: refused, errors: [{ code: 'ECONNREFUSED' }] }).syscall).toBe('connect');
  });

  it('lets a code speak before the mere name of a cause', () => {
    const named = { name: 'RequestError', code: 'ECONNRESET', cause: { name: 'ConnectTimeoutError' } };
    expect(normalise(named)).toMatchObject({ code: 'ECONNRESET', preflight: false });
    const bare = { name: 'RequestError', cause: { name: 'ConnectTimeoutError' } };
    expect(normalise(bare)).toMatchObject({ code: null, phase: 'connect', preflight: true });
  });

  it('judges the first 64 errors; whatever is past them may have been sent', () => {
    const refused = { code: 'ECONNREFUSED', syscall: 'connect' };
    const many = (count: number) => normalise({ errors: Array.from({ length: count }, () => refused) });
    // The node around them counts too.
    expect(many(63)).toMatchObject({ code: 'ECONNREFUSED', preflight: true });
    expect(many(64)).toMatchObject({ code: null, preflight: false });
    expect(many(65)).toMatchObject({ code: null, preflight: false });
    const chains = Array.from({ length: 20 }, () => ({ name: 'Error', cause: { name: 'Error', cause: refused } }));
    expect(normalise({ errors: chains })).toMatchObject({ preflight: true });
    expect(normalise({ errors: [...chains, ...chains] })).toMatchObject({ preflight: false });
  });

  it('ends on an error that causes itself', () => {
    const circle: ErrorNode = { name: 'Error', errors: [] };
    circle.cause = circle;
    circle.errors = [circle, circle, { code: 'ECONNREFUSED' }];
    expect(normalise(circle).preflight).toBe(false);
  });

  it('reads words that came as something else for none', () => {
    const odd = { name: 7, code: 'ECONNREFUSED', errors: [null, 'text'], cause: 'text' } as unknown as ErrorNode;
    expect(normalise(odd)).toMatchObject({ name: null, code: 'ECONNREFUSED' });
    expect(normalise({ name: ' TimeoutError ', code: ' ECONNRESET ' })).toMatchObject({
      name: 'TimeoutError',
      code: 'ECONNRESET',
      timeout: true,
      codes: ['ECONNRESET'],
    });
  });

  it('says the outermost name that means something, else the outermost', () => {
    const nameOf = (...names: (string | undefined)[]) =>
      normalise(names.reduceRight<ErrorNode>((inner, name) => ({ name, cause: inner }), { code: 'ECONNRESET' })).name;
    expect(nameOf('RequestError', 'SocketError')).toBe('RequestError');
    for (const plain of ['Error', 'TypeError', 'DOMException', 'AggregateError']) {
      expect(nameOf(plain, 'SocketError')).toBe('SocketError');
    }
    expect(nameOf(undefined, 'TypeError', 'Error')).toBe('TypeError');
    expect(nameOf(undefined)).toBeNull();
  });

  it('takes the numbers of a DOMException for no code, and only its own', () => {
    for (const name of ['AbortError', 'TimeoutError', 'DOMException']) {
      for (const code of ['20', '23']) expect(normalise({ name, code }).codes).toEqual([]);
      expect(normalise({ name, code: '24' }).codes).toEqual(['24']);
    }
    expect(normalise({ name: 'PlatformError', code: '20' })).toMatchObject({ code: '20', aborted: false });
    expect(normalise({ name: 'DOMException', code: '23' })).toMatchObject({ timeout: true, aborted: false });
    expect(normalise({ code: 23 })).toMatchObject({ timeout: true });
    expect(normalise({ code: 20 })).toMatchObject({ aborted: true });
    expect(normalise({ name: 'PlatformError', code: 20 })).toMatchObject({ aborted: false });
  });

  it('takes an error of parsing for unreadable text only while nothing of the network is named', () => {
    const readers = ['SyntaxError', 'json.decoder.JSONDecodeError', 'com.fasterxml.jackson.core.JsonParseException'];
    for (const name of [...readers, 'com.google.gson.JsonSyntaxException', 'Newtonsoft.Json.JsonReaderException']) {
      expect(normalise({ name }).unreadable).toBe(true);
      expect(normalise({ name: 'Error', cause: { name } }).unreadable).toBe(true);
      expect(normalise({ name, cause: { code: 'ECONNRESET' } }).unreadable).toBe(false);
    }
  });

  it('takes a bare TypeError for a bug of the program, and nothing else (Q5)', () => {
    expect(normalise({ name: 'TypeError', message: 'fetch failed' }).programError).toBe(true);
    expect(normalise({ name: 'RangeError' }).programError).toBe(false);
    expect(normalise(cause({ code: 'ECONNRESET' })).programError).toBe(false);
  });

  it.each([
    ['getaddrinfo', 'dns'],
    ['queryA', 'dns'],
    ['querySrv', 'dns'],
    ['connect', 'connect'],
    ['write', 'sending'],
    ['read', 'awaiting_response'],
    ['open', null],
    ['requery', null],
  ])('syscall %s happens in phase %s (H4)', (syscall, phase) => {
    expect(normalise({ code: 'ETIMEDOUT', syscall })).toMatchObject({ syscall, phase });
  });

  it('reads no deeper than eight causes', () => {
    let node: ErrorNode = { code: 'ECONNREFUSED', syscall: 'connect' };
    for (let depth = 0; depth < 8; depth++) node = { name: 'Error', cause: node };
    expect(normalise(node).code).toBe('ECONNREFUSED');
    expect(normalise({ name: 'Error', cause: node }).code).toBeNull();
  });
});
