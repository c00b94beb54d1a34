import type { Wire } from '../judge';

/** Verdicts derived from the documents alone: [name, event, expected members of the verdict]. */
export type VerdictVariant = [name: string, fields: Wire, expected: Wire];

const V = { profile: 'vibecode' };
const Q = { profile: 'quillhub' };
const H = { profile: 'http' };
const B = { profile: 'bitrix_rest' };
const R = { kind: 'read', method: 'GET' };

const RETRY = { action: 'retry_with_limit' };
const SAFE = { ...RETRY, effect: 'none', unknownOutcome: false };
const MAYBE = { action: 'state_verification_required', effect: 'possible', unknownOutcome: true };
const FIX = { action: 'fix_before_retry', effect: 'none', gates: ['fix_cause'] };
const FIX_AUTH = { action: 'fix_before_retry', effect: 'none', gates: ['fix_auth'] };
const STOP = { action: 'do_not_retry', effect: 'none' };
const REFUSED = { code: 'ECONNREFUSED', syscall: 'connect' };
const SOCKET = { name: 'SocketError', code: 'UND_ERR_SOCKET', message: 'other side closed' };

export const PLATFORM_CODE_VARIANTS: readonly VerdictVariant[] = [
  ['QUEUE_OVERFLOW under 500', { ...V, status: 500, code: 'QUEUE_OVERFLOW' }, { ...SAFE, reached: 'no' }],
  ['QUEUE_OVERFLOW under 200', { ...V, status: 200, code: 'QUEUE_OVERFLOW' }, { ...SAFE, flags: ['error_under_200'] }],
  ['QUEUE_OVERFLOW under 404', { ...V, ...R, status: 404, code: 'QUEUE_OVERFLOW' }, { ...SAFE, flags: [] }],
  ['QUEUE_TIMEOUT without a status', { ...V, code: 'QUEUE_TIMEOUT' }, { ...SAFE, code: 'QUEUE_TIMEOUT' }],
  [
    'a code beside a network error',
    { ...V, code: 'RATE_LIMITED', error: { code: 'ECONNRESET' } },
    { ...SAFE, code: 'RATE_LIMITED' },
  ],
  [
    'a code beside a status the SDK made',
    { ...V, code: 'BITRIX_TIMEOUT', status: 408, statusOrigin: 'sdk' },
    { ...MAYBE, reached: 'yes' },
  ],
  [
    'BITRIX_TIMEOUT under 200, read',
    { ...V, ...R, status: 200, code: 'BITRIX_TIMEOUT' },
    { ...SAFE, flags: ['error_under_200'] },
  ],
  [
    'BITRIX_ERROR under 429',
    { ...V, status: 429, code: 'BITRIX_ERROR', retryAfter: '3' },
    { action: 'do_not_retry', effect: 'doubtful' },
  ],
  ['TOKEN_REFRESH_FAILED under 503', { ...V, status: 503, code: 'TOKEN_REFRESH_FAILED', retryAfter: '3' }, FIX_AUTH],
  ['ERROR_LOOP_DETECTED under 200, read', { ...V, ...R, status: 200, code: 'ERROR_LOOP_DETECTED' }, FIX],
  [
    'SERVICE_UNAVAILABLE under 504 without type',
    { ...V, status: 504, code: 'SERVICE_UNAVAILABLE', headers: {} },
    { ...MAYBE, rule: 'SERVICE_UNAVAILABLE' },
  ],
  ['LARGE_BODY_BACKEND_BUSY under 413', { ...V, status: 413, code: 'LARGE_BODY_BACKEND_BUSY' }, SAFE],
  [
    'CALLER_RATE_LIMITED, Retry-After in the body',
    { ...V, status: 429, code: 'CALLER_RATE_LIMITED', retryAfterBody: 12 },
    { ...SAFE, gates: ['wait'] },
  ],
  ['TIMEOUT_QUARANTINE without a wait', { ...V, code: 'TIMEOUT_QUARANTINE' }, { ...SAFE, gates: ['backoff'] }],
  [
    'OPERATION_TIME_LIMIT, read',
    { ...V, ...R, code: 'OPERATION_TIME_LIMIT', retryAfter: '9' },
    { ...SAFE, gates: ['wait'] },
  ],
  [
    'BITRIX_UNAVAILABLE with a wait that came',
    { ...V, ...R, code: 'BITRIX_UNAVAILABLE' },
    { ...SAFE, gates: ['backoff'] },
  ],
  [
    'POOL_EXHAUSTED, write',
    { ...V, status: 500, code: 'POOL_EXHAUSTED' },
    { ...MAYBE, gates: ['backoff', 'read_back'] },
  ],
  [
    'a code in an array of body errors after an empty one',
    { ...V, status: 200, bodyErrors: ['', 'RATE_LIMITED'] },
    { ...SAFE, code: 'RATE_LIMITED' },
  ],
  [
    'an envelope code beats body errors',
    { ...V, status: 429, code: 'RATE_LIMITED', bodyErrors: ['BITRIX_TIMEOUT'] },
    SAFE,
  ],
  ['a blank code is none', { ...V, status: 200, code: ' ' }, { action: 'none' }],
  ['an empty list of errors is none', { ...V, status: 201, bodyErrors: [] }, { action: 'none', effect: 'applied' }],
  [
    'KEY_REVOKED, read',
    { ...V, ...R, status: 403, code: 'KEY_REVOKED' },
    { ...RETRY, flags: ['unknown_code', 'advice_fix_first'] },
  ],
  ['KEY_REVOKED, write', { ...V, status: 403, code: 'KEY_REVOKED' }, { ...MAYBE, flags: ['unknown_code'] }],
  ['BITRIX_TIMEOUT with a stray letter', { ...V, code: 'BITRIX_TIMEOUTS' }, { ...MAYBE, flags: ['unknown_code'] }],
  ['bitrix-timeout', { ...V, code: 'bitrix-timeout' }, { ...MAYBE, flags: ['unknown_code', 'code_malformed'] }],
  [
    'a 500 page without an envelope, read',
    { ...V, ...R, status: 500 },
    { ...SAFE, gates: ['backoff'], code: 'HTTP_500' },
  ],
  ['a 404 page without an envelope, read', { ...V, ...R, status: 404 }, { ...RETRY, flags: ['advice_fix_first'] }],
  [
    'a bare 504 with headers and no type',
    { ...V, status: 504, headers: {} },
    { ...MAYBE, rule: 'BH_APP_TIMEOUT', gates: ['read_back'] },
  ],
  ['a bare 504 with other headers', { ...V, status: 504, headers: { server: 'x' } }, { rule: 'BH_APP_TIMEOUT' }],
  ['a bare 504 whose headers nobody told', { ...V, status: 504 }, { ...MAYBE, rule: 'DEFAULT' }],
  [
    'a bare 504 with HTML',
    { ...V, status: 504, headers: { 'Content-Type': 'text/html' } },
    { ...MAYBE, rule: 'DEFAULT' },
  ],
  ['a bare 502 with no type is no BH_APP_TIMEOUT', { ...V, status: 502, headers: {} }, { ...MAYBE, rule: 'DEFAULT' }],
  ['a redirect nobody followed', { ...V, status: 302 }, MAYBE],
  ['304 on a read', { ...V, ...R, status: 304 }, SAFE],
  [
    'a failed job with a known code',
    { ...V, outcome: 'async_failed', code: 'UNKNOWN_REASON' },
    { ...STOP, gates: ['fix_cause'] },
  ],
  ['overload_limit under 401', { ...B, status: 401, code: 'overload_limit' }, { ...STOP, gates: ['human'] }],
  [
    'OVERLOAD_LIMIT under 503',
    { ...B, status: 503, code: 'OVERLOAD_LIMIT', retryAfter: '5' },
    { ...STOP, gates: ['human'] },
  ],
  [
    'QUERY_LIMIT_EXCEEDED under 200',
    { ...B, status: 200, code: 'QUERY_LIMIT_EXCEEDED' },
    { ...SAFE, flags: ['error_under_200'] },
  ],
  ['NO_AUTH_FOUND under 403', { ...B, status: 403, code: 'NO_AUTH_FOUND' }, FIX_AUTH],
  ['an unknown code under 401', { ...B, status: 401, code: 'WHATEVER' }, FIX_AUTH],
  ['a bare 401 without an envelope', { ...B, status: 401 }, MAYBE],
  ['error_batch_length_exceeded', { ...B, status: 400, code: 'error_batch_length_exceeded' }, FIX],
  ['ERROR_BATCH_METHOD_NOT_ALLOWED', { ...B, status: 405, code: 'ERROR_BATCH_METHOD_NOT_ALLOWED' }, FIX],
  ['REST 3.0 method not found', { ...B, status: 404, code: 'BITRIX_REST_V3_EXCEPTION_METHODNOTFOUNDEXCEPTION' }, FIX],
  ['REST 3.0 key reused', { ...B, status: 422, code: 'BITRIX_REST_V3_EXCEPTION_IDEMPOTENCYKEYREUSEDEXCEPTION' }, FIX],
  ['REST 3.0 key invalid', { ...B, status: 400, code: 'BITRIX_REST_V3_EXCEPTION_INVALIDIDEMPOTENCYKEYEXCEPTION' }, FIX],
  ['any other REST 3.0 code, write', { ...B, status: 400, code: 'BITRIX_REST_V3_EXCEPTION_SOMETHING' }, MAYBE],
  [
    'a classic envelope under 200',
    { ...B, status: 200, bodyErrors: ['ERROR_CORE'] },
    { ...MAYBE, flags: ['unknown_code', 'error_under_200'] },
  ],
  ['a bare 503', { ...B, status: 503 }, MAYBE],
  ['a reset, write', { ...B, error: { code: 'ECONNRESET' } }, MAYBE],
  ['refused, write', { ...B, error: REFUSED }, { ...MAYBE, flags: ['preflight'] }],
];

export const STATUS_VARIANTS: readonly VerdictVariant[] = [
  ['204', { ...H, status: 204 }, { action: 'none', effect: 'applied', code: 'HTTP_204' }],
  ['207 is a success head', { ...H, status: 207 }, { action: 'none', effect: 'applied' }],
  ['402', { ...H, status: 402 }, { ...FIX, flags: ['not_covered'], reached: 'yes' }],
  ['405 keyed', { ...H, status: 405, idempotency: { key: 'k' } }, { ...FIX, flags: ['not_covered'] }],
  ['451 read', { ...H, ...R, status: 451 }, { ...FIX, flags: ['not_covered'] }],
  ['300', { ...H, status: 300 }, { ...FIX, flags: ['not_covered'], reached: 'unknown' }],
  ['308 on a PUT', { ...H, method: 'PUT', status: 308 }, { ...FIX, flags: ['not_covered'] }],
  ['303 on a read', { ...H, ...R, status: 303 }, { action: 'none', effect: 'none' }],
  ['101', { ...H, status: 101 }, MAYBE],
  ['509', { ...H, status: 509 }, { ...MAYBE, flags: ['not_covered'], reached: 'unknown' }],
  ['521 on a read', { ...H, ...R, status: 521 }, { ...SAFE, reached: 'no' }],
  ['523 keyed', { ...H, status: 523, idempotency: { key: 'k' } }, SAFE],
  [
    '500 on a PUT',
    { ...H, method: 'PUT', status: 500 },
    { ...RETRY, effect: 'possible', unknownOutcome: true, reached: 'unknown' },
  ],
  ['502 with a wait, write', { ...H, status: 502, retryAfter: '4' }, { ...MAYBE, gates: ['wait', 'read_back'] }],
  ['502 without, write', { ...H, status: 502 }, { ...MAYBE, gates: ['read_back'] }],
  ['503 with a wait', { ...H, status: 503, retryAfter: '4' }, { ...SAFE, gates: ['wait'] }],
  ['429 with an unusable wait', { ...H, status: 429, retryAfter: 'soon' }, { ...SAFE, gates: ['backoff'] }],
  ['404 with a wait', { ...H, ...R, status: 404, retryAfter: '4' }, FIX],
  ['401 with a wait', { ...H, status: 401, retryAfter: '4' }, FIX_AUTH],
  [
    '409 with a wait, no key',
    { ...H, status: 409, retryAfter: '4' },
    { ...MAYBE, gates: ['wait', 'read_back'], reached: 'unknown' },
  ],
  [
    '409 under a key in use',
    { ...H, status: 409, code: 'idempotency_key_in_use', idempotency: { key: 'k' } },
    { ...RETRY, effect: 'possible' },
  ],
  [
    '409 of another request',
    { ...H, status: 409, code: 'idempotency_key_reused', idempotency: { key: 'k' } },
    { ...FIX, reached: 'unknown' },
  ],
  [
    'AWS parameter mismatch',
    { ...H, status: 400, code: 'IdempotentParameterMismatch', idempotency: { key: 'k' } },
    { ...FIX, rule: 'KEY_MISUSED' },
  ],
  [
    'a misused key under 503',
    { ...H, status: 503, code: 'idempotency_error', idempotency: { key: 'k' } },
    { ...FIX, reached: 'no' },
  ],
  ['a made-up 200', { ...H, status: 200, statusOrigin: 'sdk' }, { ...MAYBE, flags: ['synthetic_status'] }],
  [
    'a made-up 404 and its cause',
    { ...H, status: 404, statusOrigin: 'sdk', error: REFUSED },
    { ...SAFE, code: 'ECONNREFUSED' },
  ],
  ['a made-up 429', { ...H, status: 429, statusOrigin: 'sdk' }, MAYBE],
  ['a status out of range', { ...H, status: 700, error: REFUSED }, { ...SAFE, code: 'ECONNREFUSED' }],
  ['success beside 500', { ...H, outcome: 'success', status: 500 }, { ...MAYBE, code: 'HTTP_500' }],
  [
    'http_error beside 200',
    { ...H, outcome: 'http_error', status: 200 },
    { ...MAYBE, flags: ['error_under_200'], reached: 'yes' },
  ],
  [
    'http_error beside 200, keyed',
    { ...H, outcome: 'http_error', status: 200, idempotency: { key: 'k' } },
    { ...RETRY, effect: 'possible' },
  ],
  ['timeout beside 503', { ...H, outcome: 'timeout', status: 503 }, { ...SAFE, code: 'HTTP_503' }],
  [
    'a cut body after 404',
    { ...H, status: 404, error: { name: 'TypeError', cause: SOCKET } },
    { ...FIX, code: 'HTTP_404' },
  ],
  [
    'a cut body after 500',
    { ...H, status: 500, error: { name: 'TypeError', cause: SOCKET } },
    { ...MAYBE, code: 'HTTP_500' },
  ],
  [
    'a cut body after 201',
    { ...H, status: 201, error: { name: 'TypeError', message: 'terminated', cause: SOCKET } },
    { ...MAYBE, code: 'UND_ERR_SOCKET', phase: 'reading_body', reached: 'yes', flags: ['response_truncated'] },
  ],
  [
    'a refused connection after a 200 head',
    { ...H, status: 200, error: REFUSED },
    { ...MAYBE, flags: ['response_truncated'] },
  ],
  [
    'a caller’s abort after a 200 head',
    { ...H, status: 200, abortBy: 'user' },
    { action: 'do_not_retry', effect: 'possible', gates: ['read_back'], reached: 'yes' },
  ],
  [
    'a deadline after a 200 head, read',
    { ...H, ...R, status: 200, abortBy: 'deadline' },
    { ...SAFE, flags: ['response_truncated'] },
  ],
  [
    'unreadable 404',
    { ...H, ...R, status: 404, outcome: 'parse_error' },
    { ...STOP, gates: ['fix_cause'], reached: 'yes' },
  ],
  [
    'failed items and an error code',
    { ...H, status: 200, code: 'X', bodySummary: { total: 2, failed: 1 } },
    { action: 'state_verification_required', unknownOutcome: true },
  ],
  [
    'unprocessed items, read',
    { ...H, ...R, status: 200, bodySummary: { total: 2, unprocessed: 1 } },
    { ...SAFE, flags: ['partial_success'] },
  ],
  [
    'failed items under vibecode',
    { ...V, status: 200, bodySummary: { total: 2, failed: 1 } },
    { action: 'state_verification_required', effect: 'applied', flags: ['partial_success'] },
  ],
  [
    'failed items under 500',
    { ...H, status: 500, bodySummary: { total: 2, failed: 1 } },
    { ...MAYBE, code: 'HTTP_500' },
  ],
  ['quillhub 402', { ...Q, status: 402, code: 'insufficient_points' }, { ...FIX, code: 'insufficient_points' }],
  ['quillhub 401 with a code', { ...Q, status: 401, code: 'key_revoked' }, FIX_AUTH],
  ['quillhub 409', { ...Q, status: 409 }, { ...FIX, reached: 'unknown' }],
  [
    'quillhub 503 with a wait, write',
    { ...Q, status: 503, retryAfter: '5' },
    { ...MAYBE, gates: ['wait', 'read_back'], reached: 'no' },
  ],
  ['quillhub 500 with a wait, read', { ...Q, ...R, status: 500, retryAfter: '5' }, { ...SAFE, gates: ['wait'] }],
  ['quillhub 202', { ...Q, status: 202, jobId: 'j' }, { action: 'none', effect: 'applied' }],
  ['quillhub 302', { ...Q, ...R, status: 302 }, RETRY],
  [
    'quillhub, an error under 200, write',
    { ...Q, status: 200, code: 'internal_error' },
    { ...MAYBE, reached: 'yes', flags: ['error_under_200'] },
  ],
  [
    'quillhub, unreadable 500, read',
    { ...Q, ...R, status: 500, outcome: 'parse_error' },
    { ...STOP, gates: ['fix_cause'] },
  ],
  ['quillhub, unreadable 422, write', { ...Q, status: 422, outcome: 'parse_error' }, { ...MAYBE, reached: 'yes' }],
  ['quillhub, no certificate', { ...Q, error: { code: 'CERT_HAS_EXPIRED' } }, { ...SAFE, phase: 'tls' }],
  [
    'quillhub, body cut after 201',
    { ...Q, status: 201, error: { name: 'TypeError', cause: SOCKET } },
    { ...MAYBE, reached: 'yes', flags: ['response_truncated'] },
  ],
  [
    'quillhub, failed job',
    { ...Q, status: 200, outcome: 'async_failed', code: 'transcription_failed' },
    { ...STOP, gates: ['fix_cause'] },
  ],
];

const caused = (...nodes: Wire[]): Wire => nodes.reduceRight((cause, node) => ({ ...node, cause }));
const aggregate = (...errors: Wire[]): Wire => ({ error: { name: 'AggregateError', errors } });

export const NESTED_ERROR_VARIANTS: readonly VerdictVariant[] = [
  [
    'openai: three deep',
    { ...H, error: caused({ name: 'APIConnectionError' }, { name: 'TypeError' }, SOCKET) },
    { ...MAYBE, code: 'UND_ERR_SOCKET' },
  ],
  [
    'axios over fetch hides the code',
    { ...H, error: caused({ name: 'AxiosError', code: 'ERR_NETWORK' }, REFUSED) },
    { ...SAFE, code: 'ECONNREFUSED', phase: 'connect' },
  ],
  [
    'axios: ERR_NETWORK alone',
    { ...H, error: { name: 'AxiosError', code: 'ERR_NETWORK' } },
    { ...MAYBE, code: 'ERR_NETWORK' },
  ],
  [
    'axios: ERR_CANCELED',
    { ...H, error: { name: 'CanceledError', code: 'ERR_CANCELED' } },
    { action: 'do_not_retry', effect: 'possible', gates: ['read_back'] },
  ],
  [
    'axios: ETIMEDOUT clarified',
    { ...H, error: { name: 'AxiosError', code: 'ETIMEDOUT' } },
    { ...MAYBE, code: 'ETIMEDOUT' },
  ],
  ['axios: ECONNABORTED, read', { ...H, ...R, error: { name: 'AxiosError', code: 'ECONNABORTED' } }, SAFE],
  [
    'got: connect time-out',
    { ...H, error: { name: 'TimeoutError', code: 'ETIMEDOUT', syscall: 'connect' } },
    { ...SAFE, phase: 'connect' },
  ],
  [
    'got: a reset under RequestError',
    { ...H, error: caused({ name: 'RequestError', code: 'ECONNRESET' }, { code: 'ECONNRESET', syscall: 'read' }) },
    MAYBE,
  ],
  [
    'gaxios: a time-out shows as AbortError',
    { ...H, ...R, error: caused({ name: 'FetchError' }, { name: 'AbortError', code: 20 }) },
    { ...STOP },
  ],
  [
    'an abort whose cause is a time-out',
    { ...H, ...R, error: caused({ name: 'AbortError', code: 20 }, { name: 'TimeoutError', code: 23 }) },
    SAFE,
  ],
  [
    'a headers time-out below fetch failed',
    { ...H, error: caused({ name: 'TypeError' }, { name: 'HeadersTimeoutError', code: 'UND_ERR_HEADERS_TIMEOUT' }) },
    { ...MAYBE, phase: 'awaiting_response' },
  ],
  [
    'a connect time-out below fetch failed',
    { ...H, error: caused({ name: 'TypeError' }, { name: 'ConnectTimeoutError', code: 'UND_ERR_CONNECT_TIMEOUT' }) },
    { ...SAFE, phase: 'connect' },
  ],
  [
    'a bare fetch failed, write',
    { ...H, error: { name: 'TypeError', message: 'fetch failed' } },
    { ...MAYBE, code: 'TypeError' },
  ],
  ['a bare fetch failed, read', { ...H, ...R, error: { name: 'TypeError', message: 'fetch failed' } }, RETRY],
  [
    'two addresses, both out of reach',
    { ...H, ...aggregate({ code: 'EHOSTUNREACH', syscall: 'connect' }, { code: 'ENETUNREACH', syscall: 'connect' }) },
    { ...SAFE, phase: 'connect' },
  ],
  [
    'two addresses, one reset',
    { ...H, ...aggregate({ code: 'ECONNREFUSED', syscall: 'connect' }, { code: 'ECONNRESET', syscall: 'read' }) },
    { ...MAYBE, code: 'ECONNRESET' },
  ],
  [
    'two addresses, one without a name',
    { ...H, ...aggregate(REFUSED, { code: 'ENOTFOUND', syscall: 'getaddrinfo' }) },
    { ...SAFE, code: 'ECONNREFUSED' },
  ],
  [
    'two addresses under fetch failed',
    { ...H, error: { name: 'TypeError', cause: aggregate(REFUSED, REFUSED).error } },
    { ...SAFE, code: 'ECONNREFUSED' },
  ],
  ['getaddrinfo EAI_FAIL', { ...H, error: { code: 'EAI_FAIL', syscall: 'getaddrinfo' } }, { ...SAFE, phase: 'dns' }],
  ['c-ares queryMx', { ...H, error: { code: 'ETIMEOUT', syscall: 'queryMx' } }, { ...SAFE, phase: 'dns' }],
  ['c-ares: no such name', { ...H, error: { code: 'ENOTFOUND', syscall: 'queryA' } }, { ...STOP, phase: 'dns' }],
  [
    'c-ares: ECONNREFUSED by query',
    { ...H, error: { code: 'ECONNREFUSED', syscall: 'queryA' } },
    { ...SAFE, phase: 'dns' },
  ],
  ['ECONNRESET while connecting', { ...H, error: { code: 'ECONNRESET', syscall: 'connect' } }, SAFE],
  [
    'ECONNRESET while reading, PUT',
    { ...H, method: 'PUT', error: { code: 'ECONNRESET', syscall: 'read' } },
    { ...RETRY, effect: 'possible' },
  ],
  [
    'self-signed in chain',
    { ...H, error: { code: 'SELF_SIGNED_CERT_IN_CHAIN' } },
    { ...FIX, phase: 'tls', reached: 'no' },
  ],
  [
    'a certificate under fetch failed',
    { ...H, ...R, error: caused({ name: 'TypeError' }, { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }) },
    FIX,
  ],
  [
    'HTTP/2 GOAWAY before the stream',
    { ...H, error: { code: 'ERR_HTTP2_GOAWAY_SESSION' } },
    { ...SAFE, reached: 'no' },
  ],
  [
    'HTTP/2 reset, keyed',
    { ...H, idempotency: { key: 'k' }, error: { code: 'ERR_HTTP2_STREAM_ERROR', message: 'NGHTTP2_INTERNAL_ERROR' } },
    { ...RETRY, effect: 'possible' },
  ],
  ['the word without the code', { ...H, error: { message: 'NGHTTP2_REFUSED_STREAM' } }, MAYBE],
  ['a bad protocol has no code', { ...H, error: { name: 'HTTPParserError' } }, { ...MAYBE, code: 'HTTPParserError' }],
  ['gRPC code as text', { ...H, error: { name: 'Error', code: '14' } }, { ...MAYBE, code: '14' }],
  ['a numeric code of no DOMException', { ...H, error: { name: 'Error', code: 14 } }, { ...MAYBE, code: 'Error' }],
  ['DOMException by number alone', { ...H, ...R, error: { code: 23 } }, SAFE],
  [
    'a SyntaxError is an unreadable answer',
    { ...H, ...R, status: 200, error: { name: 'SyntaxError' } },
    { ...STOP, gates: ['fix_cause'] },
  ],
  [
    'a SyntaxError after 503',
    { ...H, ...R, status: 503, error: { name: 'SyntaxError' } },
    { ...SAFE, code: 'HTTP_503' },
  ],
  ['Python: ConnectTimeout', { ...H, error: { name: 'ConnectTimeout' } }, { ...SAFE, phase: 'connect' }],
  ['Python: ReadTimeout', { ...H, error: { name: 'ReadTimeout' } }, MAYBE],
  ['an error of nothing', { ...H, error: {} }, MAYBE],
  [
    'ENOTFOUND under vibecode, read',
    { ...V, ...R, error: { code: 'ENOTFOUND', syscall: 'getaddrinfo' } },
    { ...SAFE, flags: ['preflight', 'persistent_dns_suspected'] },
  ],
];
