import fc from 'fast-check';
import type { Attempt, ErrorNode, Fact } from '@/lib/core/attempt';
import { ABORTERS, KEY_MODES, OUTCOMES, PROFILES, RESEND_REASONS } from '@/lib/core/attempt';
import { T0 } from './event';

/** Random facts: half plausible, half odd, all of the declared types. */

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const errorCode = fc.constantFrom<string | number>(
  'ECONNRESET',
  'ECONNREFUSED',
  'ENOTFOUND',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
  'CERT_HAS_EXPIRED',
  'ERR_HTTP2_GOAWAY_SESSION',
  'ERR_CANCELED',
  '14',
  20,
  23,
  '',
);

export const errorNode: fc.Arbitrary<ErrorNode> = fc.letrec<{ node: ErrorNode }>((tie) => ({
  node: fc.record(
    {
      name: fc.constantFrom('Error', 'TypeError', 'AbortError', 'TimeoutError', 'SyntaxError', 'ReadTimeoutError', ''),
      code: errorCode,
      syscall: fc.constantFrom('connect', 'read', 'write', 'getaddrinfo', 'queryA', 'open'),
      message: fc.string(),
      cause: fc.option(tie('node'), { nil: undefined, maxDepth: 3, depthIdentifier: 'error' }),
      errors: fc.array(tie('node'), { maxLength: 2, depthIdentifier: 'error' }),
    },
    { requiredKeys: [] },
  ),
})).node;

const headers = fc.dictionary(
  fc.constantFrom(
    'retry-after-ms',
    'x-ratelimit-reset',
    'age',
    'content-type',
    'idempotent-replayed',
    'x-amz-retry-after',
  ),
  fc.oneof(fc.string(), fc.nat().map(String), fc.constant('true')),
  { maxKeys: 3 },
);

const platformCode = fc.constantFrom(
  'QUEUE_OVERFLOW',
  'BITRIX_TIMEOUT',
  'BITRIX_ERROR',
  'OPERATION_TIME_LIMIT',
  'AGENT_WRITE_ALREADY_EXECUTED',
  'BH_APP_TIMEOUT',
  'TOKEN_REFRESH_FAILED',
  'expired_token',
  'rate_limited',
  'idempotency_error',
  'NEVER_SEEN',
  ' ',
);

const offset = fc.integer({ min: 0, max: 3_600_000 });

const timing = fc.record({ at: offset, head: optional(fc.nat(5000)), length: optional(fc.nat(20_000)) });

/** A small id space, so that batches of facts hold repeats. */
const factId = fc.integer({ min: 1, max: 10_000 }).map((number) => `id-${number}`);

export const attemptFact: fc.Arbitrary<Attempt> = fc
  .record({
    fields: fc.record(
      {
        kind: fc.constantFrom('read' as const, 'write' as const),
        method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'patch', ''),
        profile: fc.constantFrom(...PROFILES),
        instance: fc.constantFrom('a', 'b'),
        outcome: fc.constantFrom(...OUTCOMES),
        status: fc.oneof(fc.constantFrom(200, 201, 304, 401, 409, 429, 500, 503, 504, 0), fc.integer()),
        statusOrigin: fc.constantFrom('server' as const, 'sdk' as const),
        code: platformCode,
        firstStatus: fc.option(fc.constantFrom(200, 500)),
        retryAfter: fc.array(fc.oneof(fc.string(), fc.nat(1000).map(String)), { maxLength: 2 }),
        retryAfterBody: fc.double(),
        dateHeader: fc.constantFrom('Mon, 02 Mar 2026 10:00:00 GMT', 'nonsense'),
        headers,
        bodyErrors: fc.array(platformCode, { maxLength: 2 }),
        bodySummary: fc.record({ total: fc.nat(10), failed: fc.nat(10) }, { requiredKeys: [] }),
        error: errorNode,
        abortBy: fc.constantFrom(...ABORTERS),
        idempotency: fc.record(
          { keyHash: fc.constantFrom('k', 'l', ''), mode: fc.constantFrom(...KEY_MODES), replayed: fc.boolean() },
          { requiredKeys: [] },
        ),
        fingerprint: fc.constantFrom('p', 'q'),
        jobId: fc.constantFrom('j1', 'j2'),
        reason: fc.constantFrom(...RESEND_REASONS),
        policy: fc.record(
          {
            maxRetries: fc.nat(6),
            maxAttempts: fc.nat(6),
            capMs: fc.nat(1e6),
            deadlineMs: fc.nat(1e6),
            retryAfterCapMs: fc.nat(1e5),
          },
          { requiredKeys: [] },
        ),
        notRun: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    id: factId,
    number: fc.integer({ min: 1, max: 6 }),
    timing,
    receivedAt: optional(offset),
  })
  .map(({ fields, id, number, timing: { at, head, length }, receivedAt }) => ({
    ...fields,
    type: 'attempt' as const,
    id,
    operationId: 'op',
    attempt: number,
    startedAt: T0 + at,
    headersAt: head === undefined ? undefined : T0 + at + head,
    endedAt: length === undefined ? undefined : T0 + at + length,
    receivedAt,
    environment: 'production',
    service: 'orders',
    call: 'POST /case',
  }));

const other = (type: Fact['type'], fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Fact> =>
  fc
    .record({ id: factId, at: offset, fields: fc.record(fields) })
    .map(
      ({ id, at, fields: rest }) =>
        ({ type, id, operationId: 'op', environment: 'production', startedAt: T0 + at, ...rest }) as unknown as Fact,
    );

export const readBackFact = other('readback', {
  endedAt: offset.map((at) => T0 + at),
  result: fc.constantFrom('present', 'absent', 'inconclusive'),
  criterion: fc.constantFrom('unique', 'weak'),
  entityIds: optional(fc.array(fc.constantFrom('1', '2'))),
  oldestSeen: optional(offset.map((at) => T0 + at)),
  exhausted: optional(fc.boolean()),
});

const startedFact = other('attempt_started', {
  attempt: fc.integer({ min: 1, max: 6 }),
  service: fc.constant('orders'),
  call: fc.constant('POST /case'),
  instance: optional(fc.constantFrom('a', 'b')),
  kind: optional(fc.constantFrom('read', 'write')),
  itemsTold: optional(fc.constant(true)),
});

export const anyFact: fc.Arbitrary<Fact> = fc.oneof(
  { weight: 6, arbitrary: attemptFact },
  { weight: 1, arbitrary: startedFact },
  { weight: 2, arbitrary: readBackFact },
  { weight: 1, arbitrary: other('auth_refresh', { credential: fc.constant('c'), ok: fc.boolean() }) },
  { weight: 1, arbitrary: other('cause_fixed', { code: optional(platformCode) }) },
  {
    weight: 1,
    arbitrary: other('job_result', {
      jobId: fc.constantFrom('j1', 'j2'),
      result: fc.constantFrom('completed', 'failed'),
    }),
  },
  {
    weight: 1,
    arbitrary: other('closed', {
      result: fc.constantFrom('done', 'abandoned'),
      entityIds: optional(fc.array(fc.constantFrom('1', '2'))),
    }),
  },
);

/** Looks that can prove something: unique, in time, saying how far they reach. */
const conclusiveReadBack: fc.Arbitrary<Fact> = readBackFact.map(
  (look) => ({ ...look, criterion: 'unique', exhausted: true, oldestSeen: undefined }) as Fact,
);

/** Few kinds of facts, close together, so that sends, proofs and jobs meet in every order. */
export const denseFacts: fc.Arbitrary<Fact[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: attemptFact.map((event): Fact => ({ ...event, kind: 'write', error: undefined })) },
    { weight: 3, arbitrary: conclusiveReadBack },
    {
      weight: 2,
      arbitrary: other('job_result', {
        jobId: fc.constantFrom('j1', 'j2', 'j3'),
        result: fc.constantFrom('completed', 'failed'),
      }),
    },
    {
      weight: 1,
      arbitrary: other('closed', {
        result: fc.constantFrom('done', 'abandoned'),
        entityIds: optional(fc.array(fc.constantFrom('1', '2'))),
      }),
    },
  ),
  { maxLength: 10 },
);
