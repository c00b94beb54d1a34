import { describe, expect, it } from 'vitest';
import type { EvaluatedOperation } from '@/lib/ingest/handle-evaluate';
import { T0 } from './support/event';
import { evaluate, send, told } from './support/wire';

/** Whole operations written down from the documents before the code was read, sent through the wire form. */

type Wire = Record<string, unknown>;

interface Expected {
  state?: EvaluatedOperation['state'];
  effects?: number;
  /** Checks that must be found, and those that must not. */
  has?: string[];
  not?: string[];
}

type Row = [name: string, events: Wire[], expected: Expected, asOfMs?: number];

const MINUTE = 60_000;
const MONTH = 30 * 24 * 60 * MINUTE;

function table(profile: string, rows: Row[]): void {
  it.each(rows)('%s', (_name, events, { state, effects, has = [], not = [] }, asOfMs = MONTH) => {
    const operation = evaluate(profile, events, T0 + asOfMs);
    if (state !== undefined) expect(operation.state).toBe(state);
    if (effects !== undefined) expect(operation.possibleEffects).toBe(effects);
    const checks = operation.findings.map(({ check }) => check);
    expect(checks).toEqual(expect.arrayContaining(has));
    expect(checks.filter((check) => not.includes(check))).toEqual([]);
  });
}

const LOST = { code: 'BITRIX_TIMEOUT', status: 504 };
const BUSY = { code: 'QUEUE_OVERFLOW', status: 429, retryAfter: '1' };
const OK = { status: 200 };
const TIMEOUT = { error: { name: 'TimeoutError', code: 23 } };
const ABORTED = { abortBy: 'user', error: { name: 'AbortError', code: 20 } };
const R = { kind: 'read', method: 'GET' };

const readBack = (at: number, result: string, fields: Wire = {}) =>
  told('readback', at, { result, criterion: 'unique', ...fields });
const closed = (at: number, result: string, entityIds?: string[]) =>
  told('closed', at, { result, ...(entityIds && { entityIds }) });
const job = (at: number, jobId: string, result: string) => told('job_result', at, { jobId, result });
const ids = (...entityIds: string[]) => ({ entityIds });

const UNRESOLVED: Expected = { state: 'unresolved' };
const TWICE: Expected = { state: 'succeeded_with_possible_duplicates', effects: 2 };
const BLIND: Expected = { ...TWICE, has: ['blind_write_retry', 'duplicate_suspected'] };
const ONCE: Expected = { state: 'succeeded', effects: 1, not: ['blind_write_retry', 'duplicate_suspected'] };

describe('a doubt is not forgotten', () => {
  table('vibecode', [
    ['a later safe code clears nothing', [send(1, 0, LOST), send(2, 2000, BUSY)], { ...UNRESOLVED, effects: 1 }],
    ['nor does a success', [send(1, 0, LOST), send(2, 2000, BUSY), send(3, 4000, OK)], BLIND],
    ['in any order of arrival', [send(3, 4000, OK), send(1, 0, LOST), send(2, 2000, BUSY)], BLIND],
    ['safe codes alone leave none', [send(1, 0, BUSY), send(2, 2000, OK)], ONCE],
    ['what is read says nothing of it', [send(1, 0, LOST), send(2, 5000, { ...R, ...OK })], UNRESOLVED],
    ['a failure after a success', [send(1, 0, OK), send(2, 5000, LOST)], { ...UNRESOLVED, effects: 2 }],
    [
      'refused before sending counts',
      [send(1, 0, { error: { code: 'ECONNREFUSED', syscall: 'connect' } })],
      UNRESOLVED,
    ],
    [
      'a key that is worth nothing',
      [1, 2].map((n) => send(n, n * 5000, { ...(n < 2 ? LOST : OK), idempotency: { key: 'k' } })),
      BLIND,
    ],
  ]);
});

describe('read-backs', () => {
  const retried = (...between: Wire[]) => [send(1, 0, LOST), ...between, send(2, 80_000, OK)];
  table('vibecode', [
    ['absent at the settle time', retried(readBack(60_100, 'absent')), ONCE],
    ['absent one ms too soon', retried(readBack(60_099, 'absent')), BLIND],
    ['absent too soon, then in time', retried(readBack(30_000, 'absent'), readBack(70_000, 'absent')), ONCE],
    ['absent by a weak criterion', retried(readBack(70_000, 'absent', { criterion: 'weak' })), BLIND],
    ['absent before the first send', [readBack(-90_000, 'absent'), ...retried()], BLIND],
    ['absent, begun before the answer', retried(readBack(50, 'absent', { endedAt: T0 + 70_000 })), BLIND],
    [
      'absent, read after the repeat had begun',
      retried(readBack(70_000, 'absent', { endedAt: T0 + 90_000 })),
      { effects: 1, has: ['blind_write_retry'] },
    ],
    ['inconclusive', [send(1, 0, LOST), readBack(70_000, 'inconclusive')], UNRESOLVED],
    ['weakly present', [send(1, 0, LOST), readBack(70_000, 'present', { criterion: 'weak' })], UNRESOLVED],
    ['present at once', [send(1, 0, LOST), readBack(5000, 'present')], { state: 'succeeded', effects: 1 }],
    ['present, and sent again', retried(readBack(5000, 'present')), BLIND],
    ['absent alone', [send(1, 0, LOST), readBack(70_000, 'absent')], { state: 'failed', effects: 0 }],
    ['absent alone, not over yet', [send(1, 0, LOST), readBack(70_000, 'absent')], { state: 'in_progress' }, 71_000],
    [
      'one read-back settles one doubt',
      [send(1, 0, LOST), readBack(70_000, 'absent'), send(2, 80_000, LOST), send(3, 150_000, OK)],
      BLIND,
    ],
    [
      'absent, then present after all',
      [send(1, 0, LOST), readBack(70_000, 'absent'), readBack(90_000, 'present')],
      ONCE,
    ],
    [
      'absent, refused, then present',
      [send(1, 0, LOST), readBack(70_000, 'absent'), send(2, 80_000, BUSY), readBack(90_000, 'present')],
      ONCE,
    ],
    ['absent, repeated, then present', retried(readBack(70_000, 'absent')).concat(readBack(90_000, 'present')), ONCE],
    [
      'absent, then closed with its id',
      [send(1, 0, LOST), readBack(70_000, 'absent'), closed(90_000, 'done', ['7'])],
      ONCE,
    ],
    [
      'present, then absent: it was there',
      [send(1, 0, LOST), readBack(5000, 'present'), readBack(70_000, 'absent')],
      { state: 'succeeded', effects: 1 },
    ],
    [
      'two of them are seen',
      [send(1, 0, LOST), readBack(5000, 'present', ids('1', '2'))],
      { state: 'succeeded_with_possible_duplicates', has: ['duplicate_suspected'] },
    ],
    ['one, seen twice', [send(1, 0, LOST), readBack(5000, 'present', ids('1', '1'))], ONCE],
  ]);
  table('quillhub', [
    ['a listing that ends nowhere', [send(1, 0, TIMEOUT), readBack(70_000, 'absent'), send(2, 80_000, OK)], BLIND],
    [
      'a whole listing',
      [send(1, 0, TIMEOUT), readBack(70_000, 'absent', { exhausted: true }), send(2, 80_000, OK)],
      ONCE,
    ],
    [
      'back to just before the first send',
      [send(1, 0, TIMEOUT), readBack(70_000, 'absent', { oldestSeen: T0 - 1 }), send(2, 80_000, OK)],
      ONCE,
    ],
    [
      'back to the first send only',
      [send(1, 0, TIMEOUT), readBack(70_000, 'absent', { oldestSeen: T0 }), send(2, 80_000, OK)],
      BLIND,
    ],
  ]);
});

describe('closings and jobs', () => {
  table('vibecode', [
    ['done without ids', [send(1, 0, LOST), closed(5000, 'done')], UNRESOLVED],
    ['done with no ids in the list', [send(1, 0, LOST), closed(5000, 'done', [])], UNRESOLVED],
    ['done with an id', [send(1, 0, LOST), closed(5000, 'done', ['9'])], ONCE],
    ['done, with a unique read-back', [send(1, 0, LOST), readBack(3000, 'present'), closed(5000, 'done')], ONCE],
    ['abandoned settles nothing', [send(1, 0, LOST), closed(5000, 'abandoned', ['9'])], UNRESOLVED],
    ['abandoned after a refusal', [send(1, 0, BUSY), closed(5000, 'abandoned')], { state: 'cancelled', effects: 0 }],
    ['abandoned after a success', [send(1, 0, OK), closed(5000, 'abandoned')], ONCE],
  ]);
  const made = (jobId: string) => ({ status: 201, jobId });
  table('quillhub', [
    ['the job was done', [send(1, 0, TIMEOUT), job(50_000, 'j', 'completed')], ONCE],
    ['the job failed', [send(1, 0, TIMEOUT), job(50_000, 'j', 'failed')], { state: 'failed' }],
    [
      'the job of a success failed',
      [send(1, 0, made('j')), job(50_000, 'j', 'failed')],
      { state: 'failed', effects: 0 },
    ],
    [
      'one failed job, two unclear sends',
      [send(1, 0, TIMEOUT), send(2, 5000, TIMEOUT), job(60_000, 'j', 'failed')],
      { ...UNRESOLVED, effects: 2 },
    ],
    [
      'two failed jobs, two unclear sends',
      [send(1, 0, TIMEOUT), send(2, 5000, TIMEOUT), job(60_000, 'j', 'failed'), job(61_000, 'k', 'failed')],
      { state: 'failed' },
    ],
    [
      'one of two jobs was done',
      [send(1, 0, TIMEOUT), send(2, 5000, TIMEOUT), job(60_000, 'j', 'failed'), job(61_000, 'k', 'completed')],
      { state: 'succeeded' },
    ],
    [
      'the job of the other send',
      [send(1, 0, TIMEOUT), send(2, 5000, made('k')), job(60_000, 'k', 'completed')],
      BLIND,
    ],
    [
      'two jobs of two sends',
      [send(1, 0, made('j')), send(2, 5000, made('k'))],
      { ...TWICE, has: ['duplicate_suspected'] },
    ],
    [
      'two jobs, one heard of late',
      [send(1, 0, TIMEOUT), send(2, 5000, made('k')), job(60_000, 'j', 'completed'), job(61_000, 'k', 'completed')],
      BLIND,
    ],
    [
      'an attempt reports the job’s end',
      [send(1, 0, made('j')), send(2, 50_000, { outcome: 'async_failed', jobId: 'j' })],
      { state: 'failed', effects: 0 },
    ],
    [
      'it reports the job nobody had heard of',
      [send(1, 0, TIMEOUT), send(2, 50_000, { outcome: 'async_failed', jobId: 'j' })],
      { state: 'failed' },
    ],
    ['a failed poll without a job', [send(1, 0, TIMEOUT), send(2, 50_000, { outcome: 'async_failed' })], UNRESOLVED],
    [
      'absent, then its job is done',
      [send(1, 0, TIMEOUT), readBack(70_000, 'absent', { exhausted: true }), job(90_000, 'j', 'completed')],
      ONCE,
    ],
  ]);
});

describe('a second DELETE', () => {
  const del = { method: 'DELETE', call: 'DELETE /v1/deals/{id}' };
  const first = send(1, 0, { ...del, ...LOST });
  const again = (n: number, at: number, firstStatus: number | null) =>
    send(n, at, { ...del, status: 409, code: 'AGENT_WRITE_ALREADY_EXECUTED', firstStatus });
  table('vibecode', [
    [
      'executed',
      [first, again(2, 5000, 204)],
      { state: 'succeeded', effects: 1, has: ['blind_write_retry'], not: ['contract_anomaly'] },
    ],
    ['still running', [first, again(2, 5000, null)], { ...UNRESOLVED, effects: 1 }],
    [
      'still running, then executed',
      [first, again(2, 5000, null), again(3, 9000, 204)],
      { state: 'succeeded', effects: 1 },
    ],
    ['alone, executed', [again(1, 0, 200)], { state: 'succeeded', effects: 1 }],
    ['alone, still running', [again(1, 0, null)], UNRESOLVED],
    [
      'after a success, executed',
      [send(1, 0, { ...del, ...OK }), again(2, 5000, 200)],
      { state: 'succeeded', effects: 1 },
    ],
    ['after 30 s', [first, again(2, 30_000, 204)], { not: ['contract_anomaly'] }],
    ['after more', [first, again(2, 31_000, 204)], { has: ['contract_anomaly'] }],
  ]);
});

describe('server keys', () => {
  const HOUR = 60 * MINUTE;
  const keyed = (key: string, fingerprint?: string, mode?: string) => ({
    idempotency: { key, ...(mode && { mode }) },
    ...(fingerprint && { fingerprint }),
  });
  const pair = (at: number, first: Wire, second: Wire) => [
    send(1, 0, { ...TIMEOUT, ...first }),
    send(2, at, { ...OK, ...second }),
  ];
  table('http', [
    ['same key, same request', pair(5000, keyed('k', 'f'), keyed('k', 'f')), ONCE],
    ['same key, request not named', pair(5000, keyed('k'), keyed('k')), ONCE],
    ['quoted as in the draft', pair(5000, keyed('"k"'), keyed('k')), { ...ONCE, not: ['key_regenerated'] }],
    [
      'same key, other request',
      pair(5000, keyed('k', 'f'), keyed('k', 'g')),
      { ...TWICE, has: ['blind_write_retry', 'key_reused'] },
    ],
    ['within a day', pair(24 * HOUR, keyed('k', 'f'), keyed('k', 'f')), ONCE],
    ['a ms later', pair(24 * HOUR + 1, keyed('k', 'f'), keyed('k', 'f')), BLIND],
    ['lowered by the sender', pair(5000, keyed('k', 'f', 'none'), keyed('k', 'f', 'none')), BLIND],
    ['lowered the second time', pair(5000, keyed('k', 'f'), keyed('k', 'f', 'client_dedupe')), BLIND],
    ['dropped', pair(5000, keyed('k'), {}), { ...BLIND, has: ['key_dropped'] }],
    [
      'in parallel',
      [send(1, 0, { ...TIMEOUT, ...keyed('k'), endedAt: T0 + 5000 }), send(2, 3000, { ...OK, ...keyed('k') })],
      { has: ['blind_write_retry', 'overlapping_attempts'] },
    ],
    [
      'a conflict proves nothing',
      [send(1, 0, { ...TIMEOUT, ...keyed('k') }), send(2, 5000, { status: 409, ...keyed('k') })],
      { ...UNRESOLVED, effects: 1 },
    ],
    [
      'PUT needs none',
      [send(1, 0, { ...TIMEOUT, method: 'put' }), send(2, 5000, { ...OK, method: 'PUT' })],
      { not: ['blind_write_retry'] },
    ],
  ]);
  table('bitrix_rest', [
    [
      'REST 3.0 keeps keys',
      pair(5000, { call: '/rest/api/crm.item.add', ...keyed('k') }, { call: '/rest/api/crm.item.add', ...keyed('k') }),
      ONCE,
    ],
    [
      'the old REST does not',
      pair(5000, { call: 'crm.item.add', ...keyed('k') }, { call: 'crm.item.add', ...keyed('k') }),
      BLIND,
    ],
  ]);
});

describe('aborts, announcements, hedges, follow-ups', () => {
  const started = (at: number, fields: Wire = {}) => {
    const { endedAt: _endedAt, ...rest } = send(1, at, fields);
    return { type: 'attempt_started', ...rest };
  };
  const never = { policy: { maxRetries: 0 } };
  table('http', [
    ['aborted after sending', [send(1, 0, ABORTED)], { ...UNRESOLVED, effects: 1 }],
    [
      'aborted before sending',
      [
        send(1, 0, {
          abortBy: 'user',
          error: { name: 'AbortError', cause: { code: 'ECONNREFUSED', syscall: 'connect' } },
        }),
      ],
      { state: 'cancelled', effects: 0 },
    ],
    ['an aborted read', [send(1, 0, { ...R, ...ABORTED })], { state: 'cancelled', effects: 0 }],
    ['a send after an abort', [send(1, 0, ABORTED), send(2, 2000, OK)], { ...BLIND, has: ['retry_after_abort'] }],
    ['announced, one ms before it is given up', [started(0)], { state: 'in_progress', effects: 0 }, 5 * MINUTE - 1],
    ['announced and given up', [started(0)], { ...UNRESOLVED, effects: 1 }, 5 * MINUTE],
    ['given up at its own deadline', [started(0, { policy: { deadlineMs: 10_000 } })], UNRESOLVED, 10_000],
    ['an announced read that died', [started(0, R)], { state: 'failed', effects: 0 }],
    ['answered late', [started(0), send(1, 0, { ...OK, endedAt: T0 + 10 * MINUTE })], ONCE],
    ['died, then counted from 1 again', [started(0), send(1, 400_000, OK)], BLIND],
    ['died, then looked for', [started(0), readBack(400_000, 'absent'), send(2, 500_000, OK)], ONCE],
    [
      'a hedged write',
      [send(1, 0, { ...OK, endedAt: T0 + 5000 }), send(2, 1000, { ...OK, reason: 'hedge' })],
      { ...BLIND, has: ['overlapping_attempts'] },
    ],
    [
      'a redirect is no retry',
      [send(1, 0, { status: 307, ...never }), send(2, 101, { ...OK, ...never, reason: 'redirect' })],
      { ...ONCE, not: ['over_limit', 'zero_delay', 'never_retry_retried'] },
    ],
    [
      'a retry is one',
      [send(1, 0, { status: 503, ...never }), send(2, 1101, { ...OK, ...never })],
      { ...ONCE, has: ['over_limit'] },
    ],
    [
      'signed in again',
      [
        send(1, 0, { ...R, status: 401, credential: 'c', ...never }),
        told('auth_refresh', 200, { credential: 'c', ok: true }),
        send(2, 400, { ...R, ...OK, credential: 'c', reason: 'reauth', ...never }),
      ],
      { state: 'succeeded', not: ['over_limit', 'auth_loop', 'never_retry_retried'] },
    ],
    [
      'signed in as somebody else',
      [
        send(1, 0, { ...R, status: 401, credential: 'c' }),
        told('auth_refresh', 200, { credential: 'd', ok: true }),
        send(2, 400, { ...R, ...OK, credential: 'c' }),
      ],
      { has: ['auth_loop', 'never_retry_retried'] },
    ],
    [
      'repaired, then sent',
      [send(1, 0, { ...R, status: 404 }), told('cause_fixed', 1000), send(2, 2000, { ...R, ...OK })],
      { not: ['never_retry_retried'] },
    ],
    [
      'repaired before it failed',
      [told('cause_fixed', -1000), send(1, 0, { ...R, status: 404 }), send(2, 2000, { ...R, ...OK })],
      { has: ['never_retry_retried'] },
    ],
  ]);
});

describe('quillhub limits', () => {
  const many = (n: number, first: Wire) =>
    Array.from({ length: n }, (_, at) => send(at + 1, at * 3000, { ...R, status: 500, ...(at === 0 ? first : {}) }));
  const busy = { ...R, status: 429 };
  table('quillhub', [
    ['one retry after 429', [send(1, 0, busy), send(2, 1100, { ...R, ...OK })], { not: ['throttle_in_backoff_loop'] }],
    ['too soon after 429', [send(1, 0, busy), send(2, 1049, { ...R, ...OK })], { has: ['throttle_in_backoff_loop'] }],
    [
      'two after 429',
      [send(1, 0, busy), send(2, 1200, busy), send(3, 3400, { ...R, ...OK })],
      { has: ['throttle_in_backoff_loop'] },
    ],
    ['five retries differ by reading', many(6, {}), { has: ['over_limit'] }],
    ['the one after 429 is not of the five', many(6, { status: 429 }), { not: ['over_limit'] }],
    [
      'started at the deadline',
      [send(1, 0, { ...R, status: 500 }), send(2, 120_000, { ...R, ...OK })],
      { not: ['past_deadline'] },
    ],
    [
      'started after it',
      [send(1, 0, { ...R, status: 500 }), send(2, 120_001, { ...R, ...OK })],
      { has: ['past_deadline'] },
    ],
    [
      'slept past it',
      [send(1, 0, { ...busy, retryAfter: '130' }), send(2, 130_100, { ...R, ...OK })],
      { has: ['wait_past_deadline'] },
    ],
  ]);
});

describe('batch items', () => {
  const batch = (n: number, at: number, item: Wire) =>
    send(n, at, { status: 200, batch: { id: `b${n}` }, items: [{ item: 'x', kind: 'write', ...item }] });
  it.each<[string, Wire[], Expected]>([
    ['nobody spoke of it', [batch(1, 0, {})], { ...UNRESOLVED, has: ['item_without_outcome'] }],
    ['not run, then done', [batch(1, 0, { notRun: true }), batch(2, 5000, { status: 200 })], ONCE],
    [
      'done, and sent again',
      [batch(1, 0, { status: 200 }), batch(2, 5000, { status: 200 })],
      { ...TWICE, has: ['whole_batch_resent', 'duplicate_suspected'] },
    ],
    [
      'refused, then done',
      [batch(1, 0, { status: 429 }), batch(2, 5000, { status: 200 })],
      { ...ONCE, not: ['whole_batch_resent'] },
    ],
  ])('%s', (_name, events, { state, effects, has = [], not = [] }) => {
    const operation = evaluate('http', events, T0 + MONTH, 'op#x');
    if (effects !== undefined) expect(operation.possibleEffects).toBe(effects);
    const checks = operation.findings.map(({ check }) => check);
    expect(operation.state).toBe(state);
    expect(checks).toEqual(expect.arrayContaining(has));
    expect(checks.filter((check) => not.includes(check))).toEqual([]);
  });
});
