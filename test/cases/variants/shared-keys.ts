import { send, told, type Wire } from '../judge';
import type { HistoryVariant } from './histories';

/** What else a key was used for, and what else was repaired, seen from operation `op` (domain.md X7, M6, M11). */

const H = { profile: 'http', target: 'api.pay.example' };
const TIMEOUT = { error: { name: 'TimeoutError', code: 23 } };
const key = (fingerprint?: string): Wire => ({
  idempotency: { key: 'k' },
  ...(fingerprint === undefined ? {} : { fingerprint }),
});

/** Lost, then it worked under the same key. */
const kept = (fields: Wire): Wire[] => [
  send(1, 0, { ...H, ...TIMEOUT, ...fields }),
  send(2, 9_000, { ...H, status: 201, ...fields }),
];
const other = (fields: Wire): Wire => ({ ...send(1, 60_000, { ...H, status: 201, ...fields }), operationId: 'other' });

const TWICE = { state: 'succeeded_with_possible_duplicates', effects: 2 };
const ONCE = { state: 'succeeded', effects: 1 };
const BLIND = ['blind_write_retry'];

export const SHARED_KEY_VARIANTS: readonly HistoryVariant[] = [
  { name: 'another request elsewhere', events: [...kept(key('a')), other(key('b'))], ...TWICE, has: BLIND },
  { name: 'the same, told first', events: [other(key('b')), ...kept(key('a'))], ...TWICE, has: BLIND },
  { name: 'the same request elsewhere', events: [...kept(key('a')), other(key('a'))], ...ONCE, not: BLIND },
  {
    name: 'nobody says what was asked for',
    events: [...kept(key()), other(key())],
    ...TWICE,
    has: ['key_reused', ...BLIND],
  },
  {
    name: 'a follow-up keeps its key',
    events: [...kept(key()), other({ ...key(), parentOperationId: 'op' })],
    ...ONCE,
    not: ['key_reused', ...BLIND],
  },
  { name: 'another server', events: [...kept(key('a')), other({ ...key('b'), target: 'api.mail.example' })], ...ONCE },
  {
    name: 'another call',
    events: [...kept(key()), other({ ...key(), call: 'POST /refunds', parentOperationId: 'op' })],
    ...TWICE,
  },
  {
    name: 'another call within the operation',
    events: [...kept(key()).slice(0, 1), ...kept({ ...key(), call: 'POST /refunds' }).slice(1)],
    ...TWICE,
  },
];

const refused = (status: number): Wire[] => [
  send(1, 0, { ...H, status, credential: 'c' }),
  send(2, 9_000, { ...H, status: 201, credential: 'c' }),
];
const NEVER = ['never_retry_retried'];
const fixed = (fields: Wire): Wire => ({ ...told('cause_fixed', 5_000, fields), operationId: undefined });

export const REPAIR_VARIANTS: readonly HistoryVariant[] = [
  { name: 'nothing repaired', events: refused(422), ...ONCE, has: NEVER },
  { name: 'a fix of the verdict’s code', events: [...refused(422), fixed({ code: 'HTTP_422' })], ...ONCE, not: NEVER },
  { name: 'a fix of another code', events: [...refused(422), fixed({ code: 'HTTP_400' })], ...ONCE, has: NEVER },
  {
    name: 'a fix for another service',
    events: [...refused(422), fixed({ code: 'HTTP_422', service: 'mail' })],
    ...ONCE,
    has: NEVER,
  },
  {
    name: 'a renewal that another operation told of',
    events: [
      ...refused(401),
      { ...told('auth_refresh', 5_000, { credential: 'c', ok: true }), operationId: 'renewing' },
    ],
    ...ONCE,
    not: ['auth_loop', ...NEVER],
  },
  {
    name: 'a renewal that failed',
    events: [...refused(401), told('auth_refresh', 5_000, { credential: 'c', ok: false })],
    ...ONCE,
    has: ['auth_loop', ...NEVER],
  },
];
