import type { VerdictVariant } from '../variants/verdicts';

/** Written from the documents before any was run: odd verbs, statuses, words and errors. */

const V = { profile: 'vibecode' };
const Q = { profile: 'quillhub' };
const H = { profile: 'http' };
const B = { profile: 'bitrix_rest' };
/** No kind told: the profile's own names decide. */
const by = (method: string, call = `${method} /case`) => ({ kind: undefined, method, call });
const READ = { kind: 'read', method: 'GET' };

const AGAIN = { action: 'retry_with_limit', effect: 'none', unknownOutcome: false };
const AGAIN_UNSURE = { action: 'retry_with_limit', effect: 'possible', unknownOutcome: true };
const LOOK = { action: 'state_verification_required', effect: 'possible', unknownOutcome: true };
const FIX = { action: 'fix_before_retry', effect: 'none', unknownOutcome: false };
const STOP = { action: 'do_not_retry', effect: 'none', unknownOutcome: false };
const DONE = { action: 'none', effect: 'applied', unknownOutcome: false };
const RESET = { code: 'ECONNRESET' };

export const VERB_CASES: readonly VerdictVariant[] = [
  ['HEAD 500, no kind', { ...H, ...by('HEAD'), status: 500 }, AGAIN],
  ['OPTIONS reset, no kind', { ...H, ...by('OPTIONS'), error: RESET }, AGAIN],
  ['TRACE timeout, no kind', { ...H, ...by('TRACE'), outcome: 'timeout' }, AGAIN],
  ['verb in mixed case, no kind', { ...H, ...by('gEt'), status: 502 }, AGAIN],
  ['verb only in the call, no kind', { ...H, kind: undefined, method: undefined, call: 'GET /x', status: 504 }, AGAIN],
  ['no verb anywhere is a write', { ...H, kind: undefined, method: undefined, call: 'charge', status: 504 }, LOOK],
  ['QUERY 500, no kind: not among the read verbs', { ...H, ...by('QUERY'), status: 500 }, LOOK],
  ['QUERY 500, told to be a read', { ...H, method: 'QUERY', kind: 'read', status: 500 }, AGAIN],
  ['CONNECT reset, no kind', { ...H, ...by('CONNECT'), error: RESET }, LOOK],
  ['PURGE 500, no kind', { ...H, ...by('PURGE'), status: 500 }, LOOK],
  ['PATCH 502 is like POST', { ...H, ...by('PATCH'), status: 502 }, LOOK],
  ['PATCH 502, keyed', { ...H, ...by('PATCH'), status: 502, idempotency: { key: 'k' } }, AGAIN_UNSURE],
  ['PUT 520', { ...H, ...by('PUT'), status: 520 }, { ...AGAIN_UNSURE, flags: ['not_covered'], reached: 'unknown' }],
  ['delete in lower case, reset', { ...H, ...by('delete'), error: RESET }, AGAIN_UNSURE],
  [
    'GET told to be a write, 500: the verb is still replayable',
    { ...H, ...by('GET'), kind: 'write', status: 500 },
    AGAIN_UNSURE,
  ],
  ['POST told to be a READ, 500', { ...H, kind: 'READ', status: 500 }, AGAIN],
  ['kind readonly is a write', { ...H, ...by('GET'), kind: 'readonly', status: 504 }, AGAIN_UNSURE],
  ['vibecode search by POST, no kind', { ...V, ...by('POST', 'POST /v1/deals/search'), code: 'BITRIX_TIMEOUT' }, AGAIN],
  ['vibecode list by GET, no kind', { ...V, ...by('GET', 'GET /v1/deals'), code: 'BITRIX_TIMEOUT' }, AGAIN],
  ['vibecode PATCH, no kind', { ...V, ...by('PATCH', 'PATCH /v1/deals/7'), code: 'BITRIX_TIMEOUT' }, LOOK],
  ['vibecode method name *.get', { ...V, ...by('POST', 'crm.deal.get'), code: 'DB_TRANSIENT' }, AGAIN],
  [
    'vibecode method name *.set is unknown, so a write',
    { ...V, ...by('GET', 'app.option.set'), code: 'DB_TRANSIENT' },
    LOOK,
  ],
  ['vibecode method name *.import', { ...V, ...by('GET', 'crm.contact.import'), code: 'DB_TRANSIENT' }, LOOK],
  ['classic add by GET', { ...B, ...by('GET', 'crm.deal.add'), error: RESET }, LOOK],
  ['classic fields by POST', { ...B, ...by('POST', 'crm.deal.fields'), error: RESET }, AGAIN],
  ['REST 3.0 list by POST', { ...B, ...by('POST', '/rest/api/main.user.list'), error: RESET }, AGAIN],
  ['classic batch of no kind is a write', { ...B, ...by('POST', 'batch'), error: RESET }, LOOK],
];

export const STATUS_CASES: readonly VerdictVariant[] = [
  ['103, write', { ...H, status: 103 }, { ...LOOK, reached: 'unknown' }],
  ['103, read', { ...H, ...READ, status: 103 }, AGAIN],
  ['421', { ...H, status: 421 }, { ...FIX, flags: ['not_covered'], reached: 'yes', gates: ['fix_cause'] }],
  ['499 of a proxy', { ...H, status: 499 }, { ...FIX, flags: ['not_covered'], reached: 'yes' }],
  ['413 with a wait', { ...H, status: 413, retryAfter: '5' }, { ...FIX, reached: 'yes' }],
  ['418, keyed', { ...H, status: 418, idempotency: { key: 'k' } }, FIX],
  ['425, bare POST', { ...H, status: 425 }, { ...AGAIN, reached: 'no', gates: ['backoff'] }],
  ['408, bare POST', { ...H, status: 408 }, { ...AGAIN, reached: 'no' }],
  [
    '408 that the SDK made, bare POST',
    { ...H, status: 408, statusOrigin: 'sdk' },
    { ...LOOK, flags: ['synthetic_status'] },
  ],
  ['525, bare POST', { ...H, status: 525 }, { ...LOOK, flags: ['not_covered'], reached: 'unknown' }],
  ['530, keyed', { ...H, status: 530, idempotency: { key: 'k' } }, AGAIN_UNSURE],
  ['505, read', { ...H, ...READ, status: 505 }, { ...AGAIN, flags: ['not_covered'] }],
  ['521 with a wait, bare POST', { ...H, status: 521, retryAfter: '7' }, { ...AGAIN, gates: ['wait'], reached: 'no' }],
  ['status 0', { ...H, status: 0 }, { ...LOOK, reached: 'unknown' }],
  ['status 999', { ...H, status: 999 }, LOOK],
  [
    'status null beside a refusal',
    { ...H, status: null, error: { code: 'ECONNREFUSED', syscall: 'connect' } },
    { ...AGAIN, reached: 'no' },
  ],
  ['206, read', { ...H, ...READ, status: 206 }, { action: 'none', effect: 'none', code: 'HTTP_206' }],
  ['205', { ...H, status: 205 }, DONE],
  ['201 with a wait', { ...H, status: 201, retryAfter: '9' }, { ...DONE, gates: [] }],
  ['200 with a warning alone', { ...V, status: 200, warning: 'slow down' }, DONE],
  ['HTML under 200 is still whole', { ...H, status: 200, headers: { 'content-type': 'text/html' } }, DONE],
  ['307, POST', { ...H, status: 307 }, { ...FIX, flags: ['not_covered'], reached: 'unknown' }],
  ['304, write', { ...H, status: 304 }, { ...FIX, flags: ['not_covered'] }],
  ['303, POST', { ...H, status: 303 }, DONE],
  ['409, read', { ...H, ...READ, status: 409 }, { ...FIX, reached: 'unknown' }],
  [
    '409 keyed, with a wait',
    { ...H, status: 409, retryAfter: '2', idempotency: { key: 'k' } },
    { ...AGAIN_UNSURE, gates: ['wait'] },
  ],
  ['409 keyed by the client alone', { ...H, status: 409, idempotency: { key: 'k', mode: 'client_dedupe' } }, LOOK],
  [
    '409, the key is in use by another request',
    { ...H, status: 409, code: 'idempotency_key_in_use_by_another_request', idempotency: { key: 'k' } },
    AGAIN_UNSURE,
  ],
  [
    '422, the key came with other parameters',
    { ...H, status: 422, code: 'IDEMPOTENCY_KEY_USED_WITH_DIFFERENT_PARAMETERS', idempotency: { key: 'k' } },
    FIX,
  ],
  ['quillhub 425, read', { ...Q, ...READ, status: 425 }, { ...FIX, reached: 'no' }],
  ['quillhub 501, write', { ...Q, status: 501 }, { ...LOOK, flags: ['unlikely_transient'] }],
  ['quillhub 599, read', { ...Q, ...READ, status: 599 }, AGAIN],
  ['quillhub 403', { ...Q, status: 403, code: 'insufficient_points' }, { ...FIX, gates: ['fix_cause'] }],
  ['quillhub PUT 500: no verb is replayable', { ...Q, method: 'PUT', status: 500 }, LOOK],
  ['quillhub, a key proves nothing', { ...Q, status: 500, idempotency: { key: 'k', mode: 'server' } }, LOOK],
  ['quillhub 429 twice the same', { ...Q, status: 429 }, { ...AGAIN, reached: 'no', gates: ['backoff'] }],
];

export const WORD_CASES: readonly VerdictVariant[] = [
  [
    'a no-break space behind the code',
    { ...V, code: 'RATE_LIMITED\u00a0' },
    { ...LOOK, flags: ['unknown_code', 'code_malformed'] },
  ],
  ['a Cyrillic letter in the code', { ...V, code: 'R\u0410TE_LIMITED' }, { ...LOOK, flags: ['unknown_code'] }],
  ['mixed case in the code', { ...V, code: 'Queue_Overflow' }, { ...LOOK, flags: ['unknown_code', 'code_malformed'] }],
  ['a code that is a prototype’s name', { ...V, code: '__proto__' }, { ...LOOK, flags: ['unknown_code'] }],
  ['a code that is a method of objects', { ...V, ...READ, code: 'constructor' }, { ...AGAIN, flags: ['unknown_code'] }],
  ['classic, mixed case', { ...B, status: 503, code: 'Query_Limit_Exceeded' }, { ...AGAIN, reached: 'no' }],
  ['classic, long s is no s', { ...B, code: 'ACCE\u017f\u017f_DENIED' }, LOOK],
  ['classic, sharp s is no ss', { ...B, code: 'ACCE\u00df_DENIED' }, LOOK],
  [
    'classic, PORTAL_DELETED, read',
    { ...B, ...READ, status: 403, code: 'PORTAL_DELETED' },
    { ...STOP, gates: ['human'] },
  ],
  ['classic, an unexpected answer, read', { ...B, ...READ, status: 500, code: 'ERROR_UNEXPECTED_ANSWER' }, AGAIN],
  [
    'classic, an unexpected answer, write',
    { ...B, status: 500, code: 'error_unexpected_answer' },
    { ...LOOK, gates: ['backoff', 'read_back'] },
  ],
  [
    'classic, the method’s time is used up',
    { ...B, status: 429, code: 'OPERATION_TIME_LIMIT', retryAfter: '120' },
    { ...LOOK, gates: ['wait', 'read_back'], wait: { strict: true, delayMs: 120_000 } },
  ],
  ['classic, method not found, write', { ...B, status: 404, code: 'ERROR_METHOD_NOT_FOUND' }, FIX],
  [
    'classic, an unknown code under 400, read',
    { ...B, ...READ, status: 400, code: 'ERROR_ARGUMENT' },
    { ...AGAIN, flags: ['unknown_code', 'advice_fix_first'] },
  ],
  [
    'older edition: CALLER_RATE_LIMITED is new',
    { ...V, status: 429, code: 'CALLER_RATE_LIMITED' },
    { ...AGAIN, reached: 'no' },
  ],
  [
    'vibecode: an empty type is no type',
    { ...V, status: 504, headers: { 'Content-Type': '' } },
    { ...LOOK, rule: 'BH_APP_TIMEOUT', gates: ['read_back'] },
  ],
  [
    'vibecode: a type in a list',
    { ...V, status: 504, headers: { 'CONTENT-TYPE': ['application/json'] } },
    { ...LOOK, rule: 'DEFAULT' },
  ],
  ['vibecode: an unreadable 200, write', { ...V, status: 200, outcome: 'parse_error' }, LOOK],
  ['vibecode: an unreadable 200, read', { ...V, ...READ, status: 200, outcome: 'parse_error' }, AGAIN],
  [
    'vibecode: DELETE that answered 404 first',
    { ...V, method: 'DELETE', code: 'AGENT_WRITE_ALREADY_EXECUTED', firstStatus: 404 },
    { action: 'state_verification_required', effect: 'none', unknownOutcome: true, flags: ['not_covered'] },
  ],
  [
    'vibecode: DELETE that answered 299 first',
    { ...V, method: 'DELETE', code: 'AGENT_WRITE_ALREADY_EXECUTED', firstStatus: 299 },
    DONE,
  ],
  [
    'vibecode: a wait for a read after a broken app',
    { ...V, ...READ, code: 'BH_APP_CONNECTION_LOST', retryAfter: '3' },
    { ...AGAIN, flags: ['contract_anomaly'] },
  ],
];

const cause = (...nodes: Record<string, unknown>[]) => nodes.reduceRight((inner, node) => ({ ...node, cause: inner }));

export const ERROR_CASES: readonly VerdictVariant[] = [
  [
    'the gzip stream ended early, write',
    { ...H, status: 200, error: { name: 'Error', code: 'Z_BUF_ERROR' } },
    { ...LOOK, flags: ['response_truncated'], phase: 'reading_body', reached: 'yes' },
  ],
  [
    'the gzip stream was broken, read',
    { ...H, ...READ, status: 200, error: { name: 'Error', code: 'Z_DATA_ERROR' } },
    { ...AGAIN, flags: ['response_truncated'] },
  ],
  [
    'a time-out of one try beside AbortError, write',
    { ...H, abortBy: 'per_try', error: { name: 'AbortError', code: 20 } },
    { ...LOOK, gates: ['read_back'] },
  ],
  [
    'the deadline beside AbortError, read',
    { ...H, ...READ, abortBy: 'deadline', error: { name: 'AbortError' } },
    AGAIN,
  ],
  [
    'the caller said so, whatever the error',
    { ...H, abortBy: 'user', error: { name: 'TimeoutError', code: 23 } },
    { action: 'do_not_retry', effect: 'possible', gates: ['read_back'] },
  ],
  [
    'aborted while connecting, write',
    { ...H, error: cause({ name: 'AbortError' }, { code: 'ECONNREFUSED', syscall: 'connect' }) },
    { ...STOP, reached: 'no' },
  ],
  ['quillhub: an abort is its table’s time-out, write', { ...Q, error: { name: 'AbortError', code: 20 } }, LOOK],
  ['quillhub: an abort, read', { ...Q, ...READ, error: { name: 'AbortError', code: 20 } }, AGAIN],
  [
    'quillhub: no such name, write',
    { ...Q, error: { code: 'ENOTFOUND', syscall: 'getaddrinfo' } },
    { ...AGAIN, reached: 'no', gates: ['backoff'] },
  ],
  ['quillhub: EPIPE, write', { ...Q, error: { code: 'EPIPE', syscall: 'write' } }, LOOK],
  ['vibecode: an abort, write', { ...V, error: { name: 'AbortError', code: 20 } }, LOOK],
  [
    'vibecode: a bad certificate, write',
    { ...V, error: { code: 'CERT_HAS_EXPIRED' } },
    { ...LOOK, flags: ['preflight'] },
  ],
  [
    'vibecode: EAI_AGAIN, write',
    { ...V, error: { code: 'EAI_AGAIN', syscall: 'getaddrinfo' } },
    { ...LOOK, flags: ['preflight'] },
  ],
  [
    'vibecode: EPIPE is after connecting, write',
    { ...V, error: { code: 'EPIPE', syscall: 'write' } },
    { ...LOOK, flags: [] },
  ],
  [
    'Python: ConnectionRefusedError',
    { ...H, error: { name: 'ConnectionRefusedError' } },
    { ...AGAIN, phase: 'connect' },
  ],
  ['Python: ConnectionResetError', { ...H, error: { name: 'ConnectionResetError' } }, LOOK],
  [
    'Python: with its module',
    { ...H, error: { name: 'requests.exceptions.ConnectTimeout' } },
    { ...AGAIN, phase: 'connect' },
  ],
  [
    'Python: a read time-out with its module',
    { ...H, error: { name: 'urllib3.exceptions.ReadTimeoutError' } },
    { ...LOOK, phase: 'awaiting_response' },
  ],
  ['Java: with its package', { ...H, error: { name: 'java.net.ConnectException' } }, { ...AGAIN, phase: 'connect' }],
  ['Java: SocketTimeoutException may be either', { ...H, error: { name: 'java.net.SocketTimeoutException' } }, LOOK],
  [
    'Java: an unknown host with its package',
    { ...H, ...READ, error: { name: 'java.net.UnknownHostException' } },
    { effect: 'none', phase: 'dns' },
  ],
  [
    'Python: unreadable JSON under 200, read',
    { ...H, ...READ, status: 200, error: { name: 'json.decoder.JSONDecodeError' } },
    { ...STOP, gates: ['fix_cause'] },
  ],
  ['Python: unreadable JSON under 200, write', { ...Q, status: 201, error: { name: 'JSONDecodeError' } }, LOOK],
  ['gRPC: UNAVAILABLE', { ...H, error: { name: 'Error', code: 'UNAVAILABLE' } }, { ...LOOK, code: 'UNAVAILABLE' }],
  ['gRPC: DEADLINE_EXCEEDED, read', { ...H, ...READ, error: { name: 'Error', code: 'DEADLINE_EXCEEDED' } }, AGAIN],
  [
    'Go: a dial that failed says so in words alone',
    { ...H, error: { name: 'OpError', message: 'dial tcp: connection refused' } },
    LOOK,
  ],
  [
    'one address refused, the other aborted by time',
    {
      ...H,
      error: {
        name: 'AggregateError',
        errors: [
          { code: 'ECONNREFUSED', syscall: 'connect' },
          { name: 'TimeoutError', code: 23 },
        ],
      },
    },
    LOOK,
  ],
  [
    'all addresses timed out while connecting',
    {
      ...H,
      error: {
        name: 'AggregateError',
        code: 'ETIMEDOUT',
        errors: [
          { code: 'ETIMEDOUT', syscall: 'connect' },
          { code: 'ETIMEDOUT', syscall: 'connect' },
        ],
      },
    },
    AGAIN,
  ],
  [
    'a refusal under three wrappers',
    {
      ...H,
      error: cause(
        { name: 'A' },
        { name: 'B', code: 'ERR_NETWORK' },
        { name: 'TypeError' },
        { code: 'ECONNREFUSED', syscall: 'connect' },
      ),
    },
    { ...AGAIN, code: 'ECONNREFUSED' },
  ],
  [
    'a bare GOAWAY',
    {
      ...H,
      error: { code: 'ERR_HTTP2_SESSION_ERROR', message: 'Session closed with error code NGHTTP2_REFUSED_STREAM' },
    },
    LOOK,
  ],
  [
    'a refused stream after the head came',
    {
      ...H,
      status: 200,
      error: { code: 'ERR_HTTP2_STREAM_ERROR', message: 'Stream closed with error code NGHTTP2_REFUSED_STREAM' },
    },
    { ...LOOK, flags: ['response_truncated'] },
  ],
  [
    'no such name for a keyed POST',
    { ...H, idempotency: { key: 'k' }, error: { code: 'ENOTFOUND', syscall: 'getaddrinfo' } },
    { ...STOP, reached: 'no' },
  ],
];
