import { send, told, type Wire } from '../judge';

/** Whole operations derived from domain.md §6 and §8: what was sent, what is concluded. */
export interface HistoryVariant {
  name: string;
  events: Wire[];
  state: string;
  effects: number;
  has?: string[];
  not?: string[];
  asOfMs?: number;
}

const V = { profile: 'vibecode' };
const Q = { profile: 'quillhub' };
const H = { profile: 'http' };
const B3 = { profile: 'bitrix_rest', call: '/rest/api/crm.item.add' };
const R = { kind: 'read', method: 'GET' };
const OK = { status: 201 };
const LOST = { ...V, status: 504, code: 'BITRIX_TIMEOUT' };
const TIMEOUT = { error: { name: 'TimeoutError', code: 23 } };
const ABORT = { abortBy: 'user', error: { name: 'AbortError', code: 20 } };
const MINUTE = 60_000;

const keyed = (key: string, fingerprint?: string): Wire => ({
  idempotency: { key },
  ...(fingerprint === undefined ? {} : { fingerprint }),
});
const look = (at: number, result: string, fields: Wire = {}): Wire =>
  told('readback', at, { result, criterion: 'unique', ...fields });
const closed = (at: number, result: string, entityIds?: string[]): Wire =>
  told('closed', at, { result, ...(entityIds ? { entityIds } : {}) });
const job = (at: number, jobId: string, result: string): Wire => told('job_result', at, { jobId, result });
const del = (fields: Wire): Wire => ({ ...V, method: 'DELETE', ...fields });
const again = (firstStatus: number | null): Wire =>
  del({ status: 409, code: 'AGENT_WRITE_ALREADY_EXECUTED', firstStatus });

const TWICE = { state: 'succeeded_with_possible_duplicates', effects: 2 };
const ONCE = { state: 'succeeded', effects: 1 };
const OPEN = { state: 'unresolved', effects: 1 };
const BLIND = ['blind_write_retry'];

export const STICKY_VARIANTS: readonly HistoryVariant[] = [
  {
    name: 'unknown, then two safe refusals',
    events: [
      send(1, 0, LOST),
      send(2, 9_000, { ...V, code: 'QUEUE_OVERFLOW' }),
      send(3, 20_000, { ...V, code: 'TIMEOUT_QUARANTINE' }),
    ],
    ...OPEN,
    has: BLIND,
  },
  {
    name: 'a safe refusal, then unknown',
    events: [send(1, 0, { ...V, code: 'QUEUE_OVERFLOW' }), send(2, 9_000, LOST)],
    ...OPEN,
    not: BLIND,
  },
  {
    name: 'unknown, then do not retry',
    events: [send(1, 0, LOST), send(2, 9_000, { ...V, code: 'ERROR_LOOP_DETECTED' })],
    ...OPEN,
    has: BLIND,
  },
  {
    name: 'unknown, then a certificate error under http',
    events: [send(1, 0, { ...H, ...TIMEOUT }), send(2, 9_000, { ...H, error: { code: 'CERT_HAS_EXPIRED' } })],
    ...OPEN,
    has: BLIND,
  },
  {
    name: 'unknown, then ENOTFOUND',
    events: [
      send(1, 0, { ...H, ...TIMEOUT }),
      send(2, 9_000, { ...H, error: { code: 'ENOTFOUND', syscall: 'getaddrinfo' } }),
    ],
    ...OPEN,
  },
  {
    name: 'three unknowns and a success',
    events: [1, 2, 3].map((n) => send(n, n * 9_000, LOST)).concat(send(4, 40_000, { ...V, ...OK })),
    state: 'succeeded_with_possible_duplicates',
    effects: 4,
    has: [...BLIND, 'duplicate_suspected'],
  },
  {
    name: 'success, then an unknown of the same operation',
    events: [send(1, 0, { ...V, ...OK }), send(2, 9_000, LOST)],
    state: 'unresolved',
    effects: 2,
  },
  {
    name: 'success, then a safe refusal',
    events: [send(1, 0, { ...V, ...OK }), send(2, 9_000, { ...V, code: 'QUEUE_OVERFLOW' })],
    ...ONCE,
  },
  {
    name: 'an unknown of an aborted write, then abandoned',
    events: [send(1, 0, { ...H, ...ABORT }), closed(5_000, 'abandoned')],
    ...OPEN,
  },
  {
    name: 'an aborted read, then a success',
    events: [send(1, 0, { ...H, ...R, ...ABORT }), send(2, 9_000, { ...H, ...R, status: 200 })],
    state: 'succeeded',
    effects: 0,
    has: ['retry_after_abort'],
  },
  {
    name: 'an abort, then a refusal that nobody repeats',
    events: [send(1, 0, { ...H, ...R, ...ABORT }), send(2, 9_000, { ...H, ...R, status: 503 })],
    state: 'failed',
    effects: 0,
  },
  {
    name: 'unknown among reads',
    events: [
      send(1, 0, { ...V, ...R, status: 200 }),
      send(2, 5_000, LOST),
      send(3, 9_000, { ...V, ...R, status: 200 }),
    ],
    ...OPEN,
  },
  {
    name: 'late: the unknown arrives after its success',
    events: [send(2, 9_000, { ...V, ...OK }), send(1, 0, LOST)],
    ...TWICE,
    has: BLIND,
  },
  {
    name: 'late: the read-back arrives first',
    events: [look(70_000, 'absent'), send(2, 80_000, { ...V, ...OK }), send(1, 0, LOST)],
    ...ONCE,
    not: BLIND,
  },
  { name: 'late: a closing before anything else', events: [closed(90_000, 'done', ['7']), send(1, 0, LOST)], ...ONCE },
  {
    name: 'a fix in between does not settle',
    events: [send(1, 0, LOST), told('cause_fixed', 5_000), send(2, 9_000, { ...V, ...OK })],
    ...TWICE,
    has: BLIND,
  },
  { name: 'an effect that may be there, 409 without a key', events: [send(1, 0, { ...H, status: 409 })], ...OPEN },
  {
    name: 'doubtful is not unknown',
    events: [send(1, 0, { ...V, code: 'BITRIX_ERROR' })],
    state: 'failed',
    effects: 0,
    not: BLIND,
  },
  {
    name: 'doubtful, then sent again changed',
    events: [
      send(1, 0, { ...V, code: 'BITRIX_ERROR', fingerprint: 'a' }),
      send(2, 9_000, { ...V, ...OK, fingerprint: 'b' }),
    ],
    ...ONCE,
    has: ['operation_id_reused'],
    not: ['never_retry_retried'],
  },
  {
    name: 'a cut 201, bare',
    events: [send(1, 0, { ...H, status: 201, error: { name: 'TypeError', cause: { code: 'UND_ERR_SOCKET' } } })],
    ...OPEN,
  },
  {
    name: 'an error under 200, then a success',
    events: [send(1, 0, { ...H, status: 200, bodyErrors: ['X'] }), send(2, 9_000, { ...H, ...OK })],
    ...TWICE,
    has: [...BLIND, 'error_under_200'],
  },
  {
    name: 'a made-up 500, then a success',
    events: [send(1, 0, { ...H, status: 500, statusOrigin: 'sdk' }), send(2, 9_000, { ...H, ...OK })],
    ...TWICE,
    has: BLIND,
  },
  {
    name: 'still in progress: a refusal a minute ago',
    events: [send(1, 0, { ...H, status: 503 })],
    state: 'in_progress',
    effects: 0,
    asOfMs: MINUTE,
  },
  { name: 'unresolved at once', events: [send(1, 0, LOST)], ...OPEN, asOfMs: 200 },
  {
    name: 'absent, and somebody may still send',
    events: [send(1, 0, LOST), look(70_000, 'absent')],
    state: 'in_progress',
    effects: 0,
    asOfMs: 2 * MINUTE,
  },
];

export const KEY_VARIANTS: readonly HistoryVariant[] = [
  {
    name: 'one key over three tries',
    events: [1, 2]
      .map((n) => send(n, n * 9_000, { ...H, ...TIMEOUT, ...keyed('k') }))
      .concat(send(3, 40_000, { ...H, ...OK, ...keyed('k') })),
    ...ONCE,
    not: BLIND,
  },
  {
    name: 'two keys in turn',
    events: ['k', 'l', 'k'].map((key, at) =>
      send(at + 1, at * 9_000, { ...H, ...(at < 2 ? TIMEOUT : OK), ...keyed(key) }),
    ),
    ...TWICE,
    has: [...BLIND, 'key_regenerated'],
  },
  {
    name: 'a key only on the second try',
    events: [send(1, 0, { ...H, ...TIMEOUT }), send(2, 9_000, { ...H, ...OK, ...keyed('k') })],
    ...TWICE,
    has: [...BLIND, 'key_dropped'],
  },
  {
    name: 'the mode lowered on the first try only',
    events: [
      send(1, 0, { ...H, ...TIMEOUT, idempotency: { key: 'k', mode: 'none' } }),
      send(2, 9_000, { ...H, ...OK, ...keyed('k') }),
    ],
    ...TWICE,
    has: BLIND,
  },
  {
    name: 'one request not named',
    events: [send(1, 0, { ...H, ...TIMEOUT, ...keyed('k', 'a') }), send(2, 9_000, { ...H, ...OK, ...keyed('k') })],
    ...ONCE,
  },
  {
    name: 'the key of another request, later',
    events: [
      send(1, 0, { ...H, ...TIMEOUT, ...keyed('k', 'a') }),
      send(2, 9_000, { ...H, ...OK, ...keyed('k', 'a') }),
      send(3, 20_000, { ...H, ...OK, ...keyed('k', 'b') }),
    ],
    state: 'succeeded_with_possible_duplicates',
    effects: 3,
    has: ['key_reused'],
  },
  {
    name: 'a replayed answer',
    events: [
      send(1, 0, { ...H, ...TIMEOUT, ...keyed('k') }),
      send(2, 9_000, { ...H, ...OK, idempotency: { key: 'k', replayed: true } }),
    ],
    ...ONCE,
    not: ['duplicate_suspected'],
  },
  {
    name: 'success first, then an unknown under the same key',
    events: [send(1, 0, { ...H, ...OK, ...keyed('k') }), send(2, 9_000, { ...H, ...TIMEOUT, ...keyed('k') })],
    ...ONCE,
  },
  {
    name: 'a conflict under the key, then the stored answer',
    events: [
      send(1, 0, { ...H, ...TIMEOUT, ...keyed('k') }),
      send(2, 5_000, { ...H, status: 409, ...keyed('k') }),
      send(3, 9_000, { ...H, ...OK, ...keyed('k') }),
    ],
    ...ONCE,
    not: BLIND,
  },
  {
    name: 'REST 3.0, a day and a ms',
    events: [send(1, 0, { ...B3, ...TIMEOUT, ...keyed('k') }), send(2, 86_400_001, { ...B3, ...OK, ...keyed('k') })],
    ...TWICE,
    has: BLIND,
  },
  {
    name: 'REST 3.0 by target',
    events: [1, 2].map((n) =>
      send(n, n * 9_000, {
        profile: 'bitrix_rest',
        call: 'crm.item.add',
        target: 'https://x.bitrix24.com/rest/api/',
        ...(n === 1 ? TIMEOUT : OK),
        ...keyed('k'),
      }),
    ),
    ...ONCE,
  },
  {
    name: 'quillhub, a key in its metadata',
    events: [send(1, 0, { ...Q, ...TIMEOUT, ...keyed('k') }), send(2, 9_000, { ...Q, ...OK, ...keyed('k') })],
    ...TWICE,
    has: BLIND,
  },
  {
    name: 'PUT, time-out, then success',
    events: [send(1, 0, { ...H, method: 'PUT', ...TIMEOUT }), send(2, 9_000, { ...H, method: 'PUT', ...OK })],
    ...TWICE,
    not: BLIND,
  },
  {
    name: 'an empty key is none',
    events: [1, 2].map((n) => send(n, n * 9_000, { ...H, ...(n === 1 ? TIMEOUT : OK), idempotency: { key: '' } })),
    ...TWICE,
    has: BLIND,
  },
];

export const SETTLING_VARIANTS: readonly HistoryVariant[] = [
  {
    name: 'present settles two unknowns',
    events: [send(1, 0, LOST), send(2, 9_000, LOST), look(20_000, 'present')],
    state: 'succeeded',
    effects: 2,
  },
  {
    name: 'present after the first, a second unknown after it',
    events: [send(1, 0, LOST), look(5_000, 'present'), send(2, 9_000, LOST)],
    state: 'unresolved',
    effects: 2,
    has: BLIND,
  },
  {
    name: 'absent takes back both sends before it',
    events: [send(1, 0, LOST), send(2, 9_000, LOST), look(80_000, 'absent'), send(3, 90_000, { ...V, ...OK })],
    ...ONCE,
    has: BLIND,
  },
  {
    name: 'absent twice, too soon each time',
    events: [send(1, 0, LOST), look(10_000, 'absent'), look(50_000, 'absent'), send(2, 80_000, { ...V, ...OK })],
    ...TWICE,
    has: BLIND,
  },
  {
    name: 'absent, then blind all the same after an unknown',
    events: [send(1, 0, LOST), look(70_000, 'absent'), send(2, 80_000, LOST), send(3, 90_000, { ...V, ...OK })],
    ...TWICE,
    has: BLIND,
  },
  {
    name: 'closed done with two ids',
    events: [send(1, 0, LOST), closed(5_000, 'done', ['1', '2'])],
    state: 'succeeded_with_possible_duplicates',
    effects: 1,
    has: ['duplicate_suspected'],
  },
  {
    name: 'closed done twice, ids the second time',
    events: [send(1, 0, LOST), closed(5_000, 'done'), closed(9_000, 'done', ['1'])],
    ...ONCE,
  },
  {
    name: 'abandoned, then proved present',
    events: [send(1, 0, LOST), closed(5_000, 'abandoned'), look(9_000, 'present')],
    ...ONCE,
  },
  { name: 'job completed under vibecode', events: [send(1, 0, LOST), job(9_000, 'j', 'completed')], ...ONCE },
  {
    name: 'the job of an unknown failed: nothing was made',
    events: [send(1, 0, { ...Q, ...TIMEOUT }), job(60_000, 'j', 'failed')],
    state: 'failed',
    effects: 0,
  },
  {
    name: 'the job of the accepted failed, still early',
    events: [send(1, 0, { ...Q, ...OK, jobId: 'j' }), job(60_000, 'j', 'failed')],
    state: 'in_progress',
    effects: 0,
    asOfMs: 2 * MINUTE,
  },
  {
    name: 'job failed, new job accepted',
    events: [
      send(1, 0, { ...Q, ...OK, jobId: 'j' }),
      job(60_000, 'j', 'failed'),
      send(2, 90_000, { ...Q, ...OK, jobId: 'k' }),
    ],
    ...ONCE,
  },
  {
    name: 'DELETE executed before it was asked about',
    events: [send(1, 0, del({ status: 504, code: 'BITRIX_TIMEOUT' })), send(2, 9_000, again(200))],
    ...ONCE,
    not: ['duplicate_suspected'],
  },
  {
    name: 'DELETE running, then gone',
    events: [
      send(1, 0, del({ status: 504, code: 'BITRIX_TIMEOUT' })),
      send(2, 9_000, again(null)),
      look(80_000, 'present'),
    ],
    ...ONCE,
  },
  {
    name: 'DELETE running, then a plain success',
    events: [
      send(1, 0, del({ status: 504, code: 'BITRIX_TIMEOUT' })),
      send(2, 9_000, again(null)),
      send(3, 40_000, del({ status: 200 })),
    ],
    ...TWICE,
  },
  { name: 'two executed answers count once', events: [send(1, 0, again(200)), send(2, 9_000, again(200))], ...ONCE },
  {
    name: 'partly applied, then the rest',
    events: [send(1, 0, { ...H, status: 200, bodySummary: { total: 5, failed: 2 } })],
    state: 'partially_applied',
    effects: 1,
    has: ['partial_success'],
  },
  {
    name: 'partly applied beats cancelled',
    events: [send(1, 0, { ...H, status: 200, bodySummary: { total: 5, failed: 2 } }), closed(5_000, 'abandoned')],
    state: 'partially_applied',
    effects: 1,
  },
  {
    name: 'unresolved beats partly applied',
    events: [
      send(1, 0, { ...H, status: 200, bodySummary: { total: 5, failed: 2 } }),
      send(2, 9_000, { ...H, ...TIMEOUT }),
    ],
    state: 'unresolved',
    effects: 2,
  },
  {
    name: 'closed: done after a refusal is over',
    events: [send(1, 0, { ...H, status: 503, retryAfter: '60' }), closed(5_000, 'done')],
    state: 'failed',
    effects: 0,
    asOfMs: 6_000,
  },
];
