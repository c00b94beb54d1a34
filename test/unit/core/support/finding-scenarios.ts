import type { Attempt, Fact } from '@/lib/core/attempt';
import type { CheckName } from '@/lib/core/checks/check-name';
import { fact, T0 } from './event';
import { read, send } from './find-all';

/** For every check and every text it has: traffic that must be found. */

export interface Scenario {
  check: CheckName;
  variant: string;
  facts: () => Fact[];
}

const timeout = { outcome: 'timeout' as const };
const quill = { profile: 'quillhub' as const };
const vibe = { profile: 'vibecode' as const };
const readBack = (at: number, result: string, more: Record<string, unknown> = {}) =>
  fact({ type: 'readback', startedAt: T0 + at, endedAt: T0 + at + 50, result, criterion: 'unique', ...more });
const key = (keyHash: string, fields: Partial<Attempt> = {}) => ({ idempotency: { keyHash }, ...fields });
const blind = (...between: Fact[]) => [send(1, 0, timeout), ...between, send(2, 600_000, { status: 201 })];
const ok = { status: 201 };
const tooMany = { status: 429 };
const down = { status: 503 };
const asked = (seconds: number, gapMs: number, first: Partial<Attempt> = {}) => [
  read(1, 0, { ...tooMany, retryAfter: [String(seconds)], ...first }),
  read(2, 100 + gapMs, { status: 200 }),
];

/** `count` operations that retry with the given gaps, `spreadMs` apart. */
export function clients(count: number, gapsOf: (client: number) => number[], fields: Partial<Attempt> = {}): Fact[] {
  return Array.from({ length: count }, (_, client) => {
    const own = { operationId: `client-${client}`, instance: `i-${client}`, target: 'api.example', ...fields };
    let at = 0;
    const sends = [read(1, at, { ...down, ...own })];
    gapsOf(client).forEach((gapMs, step) => {
      at += 100 + gapMs;
      sends.push(read(step + 2, at, { ...down, ...own }));
    });
    return sends;
  }).flat();
}

const refresh = (at: number, ok_: boolean) =>
  fact({ type: 'auth_refresh', operationId: undefined, startedAt: T0 + at, credential: 'cred', ok: ok_ });
const delivery = (at: number, status: number) =>
  fact({ type: 'webhook_delivery', operationId: undefined, jobId: 'job', event: 'done', startedAt: T0 + at, status });
const loop = (count: number, more: Partial<Attempt> = {}) =>
  Array.from({ length: count }, (_, at) =>
    read(1, at * 10_000, { operationId: `op-${at}`, scope: 'portal', fingerprint: 'same', status: 500, ...more }),
  );
const openLoop = { code: 'ERROR_LOOP_DETECTED', ...vibe };
const nested = [
  [0, 'a', undefined],
  [10, 'b', 'a'],
] as const;
/** Even shares of a full jitter's bound, so that their spread is what it should be. */
const evenly = (bound: number) => (client: number) => [Math.round(((client + 0.5) / 40) * bound)];

export const SCENARIOS: readonly Scenario[] = [
  { check: 'blind_write_retry', variant: 'blind', facts: () => blind() },
  {
    check: 'blind_write_retry',
    variant: 'weak',
    facts: () => blind(readBack(120_000, 'absent', { criterion: 'weak' })),
  },
  { check: 'blind_write_retry', variant: 'premature', facts: () => blind(readBack(30_000, 'absent')) },
  { check: 'blind_write_retry', variant: 'after_confirmed', facts: () => blind(readBack(120_000, 'present')) },
  {
    check: 'duplicate_suspected',
    variant: 'confirmed',
    facts: () => [send(1, 0, timeout), readBack(9_000, 'present', { entityIds: ['1', '2'] })],
  },
  { check: 'duplicate_suspected', variant: 'probable', facts: () => blind() },
  { check: 'duplicate_suspected', variant: 'possible', facts: () => [send(1, 0, timeout), send(2, 9_000, timeout)] },
  {
    check: 'duplicate_suspected',
    variant: 'confirmed_across',
    facts: () => [
      send(1, 0, { operationId: 'a', jobId: 'j1', ...quill, ...ok, ...key('k') }),
      send(1, 9_000, { operationId: 'b', jobId: 'j2', ...quill, ...ok, ...key('k') }),
    ],
  },
  {
    check: 'duplicate_suspected',
    variant: 'possible_across',
    facts: () => [
      send(1, 0, { operationId: 'a', fingerprint: 'f', ...timeout }),
      send(2, 5_000, { operationId: 'a', fingerprint: 'f', ...ok }),
      send(1, 9_000, { operationId: 'b', fingerprint: 'f', ...ok }),
    ],
  },
  {
    check: 'key_regenerated',
    variant: '',
    facts: () => [send(1, 0, key('a', tooMany)), send(2, 9_000, key('b', ok))],
  },
  { check: 'key_dropped', variant: '', facts: () => [send(1, 0, key('a', tooMany)), send(2, 9_000, ok)] },
  { check: 'key_missing', variant: '', facts: () => [send(1, 0, { ...quill, ...ok })] },
  {
    check: 'key_reused',
    variant: '',
    facts: () => [
      send(1, 0, key('a', { ...tooMany, fingerprint: 'p' })),
      send(2, 9_000, key('a', { ...ok, fingerprint: 'q' })),
    ],
  },
  {
    check: 'key_reused',
    variant: 'across',
    facts: () => [
      send(1, 0, key('a', { ...ok, fingerprint: 'p', operationId: 'a' })),
      send(1, 9_000, key('a', { ...ok, fingerprint: 'q', operationId: 'b' })),
    ],
  },
  {
    check: 'key_reused',
    variant: 'by_platform',
    facts: () => [send(1, 0, key('a', { status: 400, code: 'idempotency_error' }))],
  },
  {
    check: 'key_reused',
    variant: 'unproven',
    facts: () => [
      send(1, 0, key('a', { status: 500, operationId: 'a' })),
      send(2, 9_000, key('a', { ...ok, operationId: 'a' })),
      send(1, 18_000, key('a', { ...ok, operationId: 'b' })),
    ],
  },
  {
    check: 'operation_id_reused',
    variant: '',
    facts: () => [send(1, 0, { ...tooMany, fingerprint: 'p' }), send(2, 9_000, { ...ok, fingerprint: 'q' })],
  },
  {
    check: 'whole_batch_resent',
    variant: '',
    facts: () => [
      send(1, 0, { status: 200, bodySummary: { total: 10, failed: 3 } }),
      send(2, 9_000, { status: 200, bodySummary: { total: 10, failed: 0 } }),
    ],
  },
  {
    check: 'partial_success',
    variant: '',
    facts: () => [send(1, 0, { status: 200, bodySummary: { total: 10, failed: 3 } })],
  },
  {
    check: 'item_without_outcome',
    variant: '',
    facts: () => [send(1, 0, { outcome: 'network_error', error: { name: 'ItemWithoutOutcome' } })],
  },
  { check: 'early_retry', variant: '', facts: () => asked(30, 1_000) },
  { check: 'early_capped', variant: '', facts: () => asked(30, 10_000, { policy: { retryAfterCapMs: 10_000 } }) },
  { check: 'wait_past_deadline', variant: '', facts: () => asked(60, 61_000, { policy: { deadlineMs: 10_000 } }) },
  { check: 'past_deadline', variant: '', facts: () => asked(60, 61_000, { policy: { deadlineMs: 10_000 } }) },
  {
    check: 'over_limit',
    variant: '',
    facts: () => [1, 2, 3].map((number) => read(number, number * 9_000, { ...down, policy: { maxRetries: 1 } })),
  },
  {
    check: 'over_limit',
    variant: 'by_reading',
    facts: () => [1, 2, 3, 4, 5, 6].map((number) => read(number, number * 9_000, { ...down, ...quill })),
  },
  {
    check: 'under_limit',
    variant: '',
    facts: () => [1, 2].map((number) => read(number, number * 9_000, { ...down, policy: { maxRetries: 3 } })),
  },
  {
    check: 'throttle_in_backoff_loop',
    variant: 'too_soon',
    facts: () => [read(1, 0, { ...quill, ...tooMany }), read(2, 600, { ...quill, status: 200 })],
  },
  {
    check: 'throttle_in_backoff_loop',
    variant: 'repeated',
    facts: () => [0, 2_000, 5_000].map((at, index) => read(index + 1, at, { ...quill, ...tooMany })),
  },
  { check: 'hot_loop', variant: '', facts: () => [1, 2, 3].map((number) => read(number, number * 105, down)) },
  { check: 'zero_delay', variant: '', facts: () => [1, 2].map((number) => read(number, number * 105, down)) },
  { check: 'unit_error_seconds_as_ms', variant: '', facts: () => asked(30, 30) },
  {
    check: 'unit_error_ms_as_seconds',
    variant: '',
    facts: () => [read(1, 0, { ...tooMany, headers: { 'retry-after-ms': '100' } }), read(2, 100_100, { status: 200 })],
  },
  {
    check: 'stale_delay_used',
    variant: '',
    facts: () => [
      read(1, 0, { ...tooMany, retryAfter: ['2'] }),
      read(2, 2_100, { ...tooMany, retryAfter: ['30'] }),
      read(3, 4_200, { status: 200 }),
    ],
  },
  { check: 'long_wait', variant: '', facts: () => asked(300, 300_000) },
  { check: 'excess_wait', variant: '', facts: () => asked(10, 70_001) },
  {
    check: 'excess_wait',
    variant: 'hint',
    facts: () => [read(1, 0, { ...tooMany, headers: { 'x-ratelimit-reset': '10' } }), read(2, 80_100, { status: 200 })],
  },
  { check: 'delay_uncapped', variant: '', facts: () => [read(1, 0, down), read(2, 300_200, { status: 200 })] },
  {
    check: 'delay_uncapped',
    variant: 'declared',
    facts: () => [read(1, 0, { ...down, policy: { capMs: 1_000 } }), read(2, 9_000, { status: 200 })],
  },
  {
    check: 'never_retry_retried',
    variant: '',
    facts: () => [read(1, 0, { status: 422 }), read(2, 9_000, { status: 422 })],
  },
  {
    check: 'never_retry_retried',
    variant: 'advice',
    facts: () => [1, 2].map((number) => read(number, number * 9_000, { ...vibe, status: 404, code: 'NOT_FOUND_X' })),
  },
  {
    check: 'auth_loop',
    variant: 'not_renewed',
    facts: () => [read(1, 0, { status: 401 }), read(2, 9_000, { status: 200 })],
  },
  {
    check: 'auth_loop',
    variant: 'renewed_in_vain',
    facts: () => [1, 2, 3].map((number) => read(number, number * 9_000, { status: 401, reason: 'reauth' })),
  },
  {
    check: 'auth_loop',
    variant: 'renewal_fails',
    facts: () => [
      read(1, 0, { status: 401, credential: 'cred' }),
      refresh(1_000, false),
      refresh(60_000, false),
      refresh(120_000, false),
    ],
  },
  {
    check: 'auth_loop',
    variant: 'renewals_in_flight',
    facts: () => [read(1, 0, { status: 401, credential: 'cred' }), refresh(1_000, true), refresh(1_500, true)],
  },
  {
    check: 'overlapping_attempts',
    variant: '',
    facts: () => [read(1, 0, { status: 200, endedAt: T0 + 5_000 }), read(2, 1_000, { status: 200 })],
  },
  {
    check: 'overlapping_attempts',
    variant: 'hedge',
    facts: () => [read(1, 0, { status: 200, endedAt: T0 + 5_000 }), read(2, 1_000, { status: 200, reason: 'hedge' })],
  },
  {
    check: 'wasted_retry',
    variant: '',
    facts: () => [1, 2].map((number) => read(number, number * 9_000, { status: 422 })),
  },
  { check: 'retryable_not_retried', variant: '', facts: () => [read(1, 0, down)] },
  {
    check: 'retry_after_abort',
    variant: 'user',
    facts: () => [read(1, 0, { abortBy: 'user' }), read(2, 9_000, { status: 200 })],
  },
  {
    check: 'retry_after_abort',
    variant: 'old_signal',
    facts: () => [
      read(1, 0, timeout),
      read(2, 9_000, { endedAt: T0 + 9_002, error: { name: 'AbortError', code: 20 } }),
    ],
  },
  {
    check: 'attempt_starved',
    variant: '',
    facts: () => [read(1, 0, { ...timeout, endedAt: T0 + 5_000 }), read(2, 9_000, { ...timeout, endedAt: T0 + 9_005 })],
  },
  { check: 'attempt_gap', variant: '', facts: () => [read(1, 0, down), read(4, 9_000, { status: 200 })] },
  {
    check: 'incomplete_give_up',
    variant: '',
    facts: () => [read(1, 0, { ...vibe, status: 429, code: 'RATE_LIMITED' })],
  },
  {
    check: 'contract_anomaly',
    variant: '',
    facts: () => [send(1, 0, { ...vibe, status: 504, code: 'BH_APP_TIMEOUT', retryAfter: ['5'] })],
  },
  {
    check: 'pause_broken_by_others',
    variant: '',
    facts: () => [
      read(1, 0, { ...vibe, operationId: 'a', scope: 'portal', code: 'TIMEOUT_QUARANTINE', retryAfter: ['30'] }),
      read(1, 9_000, { ...vibe, operationId: 'b', scope: 'portal', status: 200 }),
    ],
  },
  {
    check: 'pause_broken_by_others',
    variant: 'unaware',
    facts: () => [
      read(1, 0, { ...vibe, operationId: 'a', scope: 'portal', code: 'TIMEOUT_QUARANTINE', retryAfter: ['30'] }),
      read(1, 500, { ...vibe, operationId: 'b', scope: 'portal', instance: 'other', status: 200 }),
    ],
  },
  { check: 'error_loop', variant: 'forming', facts: () => loop(5) },
  { check: 'error_loop', variant: 'announced', facts: () => loop(1, { warning: 'the same error again' }) },
  { check: 'error_loop', variant: 'open', facts: () => loop(1, openLoop) },
  { check: 'error_loop', variant: 'feeding', facts: () => loop(2, openLoop) },
  { check: 'no_jitter', variant: 'none', facts: () => clients(40, () => [1_000]) },
  {
    check: 'no_jitter',
    variant: 'partial',
    facts: () =>
      clients(40, (client) => [500 + Math.round((client / 40) * 500)], { policy: { baseMs: 1_000, jitter: 'full' } }),
  },
  {
    check: 'backoff_shape',
    variant: 'median_off',
    facts: () => clients(40, evenly(100), { policy: { baseMs: 1_000, jitter: 'full' } }),
  },
  {
    check: 'backoff_shape',
    variant: 'cap_exceeded',
    facts: () => [read(1, 0, { ...down, policy: { capMs: 1_000, jitter: 'full' } }), read(2, 2_000, { status: 200 })],
  },
  { check: 'synchronised_retries', variant: '', facts: () => clients(12, () => [1_000]) },
  {
    check: 'synchronised_retries',
    variant: 'ra_wave',
    facts: () => clients(12, () => [1_000], { ...tooMany, retryAfter: ['1'] }),
  },
  {
    check: 'amplification',
    variant: 'numbers_restart',
    facts: () => [read(1, 0, down), read(2, 9_000, down), read(1, 19_000, { status: 200 })],
  },
  {
    check: 'amplification',
    variant: 'nested',
    facts: () =>
      nested.flatMap(([at, operationId, parentOperationId]) =>
        [1, 2].map((number) => read(number, at + number * 1_000, { ...down, operationId, parentOperationId })),
      ),
  },
  {
    check: 'webhook_schedule',
    variant: 'off_schedule',
    facts: () => [send(1, -1_000, { ...quill, ...ok, jobId: 'job' }), delivery(0, 500), delivery(200_000, 500)],
  },
  {
    check: 'webhook_schedule',
    variant: 'too_many',
    facts: () => [
      send(1, -1_000, { ...quill, ...ok, jobId: 'job' }),
      ...[0, 60, 360, 2_160, 9_360, 52_560, 60_000].map((at) => delivery(at * 1_000, 500)),
    ],
  },
  {
    check: 'webhook_schedule',
    variant: 'after_success',
    facts: () => [send(1, -1_000, { ...quill, ...ok, jobId: 'job' }), delivery(0, 200), delivery(60_000, 200)],
  },
];
