import { z } from 'zod';
import { ABORTERS, KEY_MODES, OUTCOMES, PROFILES, RESEND_REASONS, type EventType } from '@/lib/core/attempt';
import {
  attemptNumber,
  attributes,
  durationMs,
  flag,
  freeText,
  httpStatus,
  identifier,
  instant,
  optionalIdentifier,
  optionalRaw,
  uuid,
} from './schema-fields';

/**
 * The wire shapes of every event type (docs/api.md): what validates is what OpenAPI is generated from.
 * Unknown members are dropped here and counted by the decoder. Instants come out as epoch milliseconds.
 */

const name = () => identifier(200);
const optionalName = () => optionalIdentifier(200);

const sdk = z.object({ name: identifier(100), version: optionalIdentifier(100) }).nullish();

const errorNode = z.object({
  name: freeText(),
  code: z.union([z.string(), z.number()]).nullish(),
  syscall: freeText(),
  message: freeText(),
  get cause(): z.ZodOptional<z.ZodNullable<typeof errorNode>> {
    return errorNode.nullish();
  },
  get errors(): z.ZodOptional<z.ZodNullable<z.ZodArray<typeof errorNode>>> {
    return z.array(errorNode).max(100).nullish();
  },
});
export type ErrorNodeWire = z.infer<typeof errorNode>;

const policy = z
  .object({
    maxRetries: durationMs(),
    maxAttempts: durationMs(),
    baseMs: durationMs(),
    capMs: durationMs(),
    jitter: z.union([z.string().max(100), z.boolean(), z.number()]).nullish(),
    deadlineMs: durationMs(),
    retryAfterCapMs: durationMs(),
  })
  .nullish();

const idempotency = z
  .object({ key: optionalRaw(1_000), mode: z.enum(KEY_MODES).nullish(), replayed: flag() })
  .nullish();

const amount = z
  .object({
    value: z.string().regex(/^-?\d{1,20}(\.\d{1,10})?$/, 'must be a decimal number as text'),
    currency: identifier(10),
  })
  .nullish();

/** A batch call's own name for an item: text, or its place. */
const itemName = z.union([identifier(200), z.int()]);

const batch = z
  .object({ id: name(), item: itemName.nullish(), size: z.int().min(0).max(1_000_000).nullish() })
  .nullish();

const batchItem = z.object({
  item: itemName,
  kind: optionalIdentifier(50),
  call: optionalIdentifier(500),
  status: httpStatus().nullish(),
  code: optionalRaw(200),
  operationId: optionalName(),
  notRun: flag(),
});
export type BatchItemWire = z.infer<typeof batchItem>;

const count = () => z.int().min(0).max(1_000_000_000).nullish();

const base = { id: uuid().nullish(), environment: optionalIdentifier(100) };

const sent = {
  ...base,
  operationId: name(),
  attempt: attemptNumber(),
  startedAt: instant(),
  service: name(),
  instance: optionalName(),
  sdk,
  kind: optionalIdentifier(50),
  call: identifier(500),
  method: optionalIdentifier(20),
  target: optionalIdentifier(300),
  scope: optionalIdentifier(300),
  credential: optionalRaw(2_000),
  profile: z.enum(PROFILES).nullish(),
  idempotency,
  fingerprint: optionalName(),
  businessKey: optionalIdentifier(300),
  policy,
  amount,
  attributes: attributes(),
};

export const attemptSchema = z.object({
  type: z.literal('attempt').optional(),
  ...sent,
  headersAt: instant().nullish(),
  endedAt: instant().nullish(),
  outcome: z.enum(OUTCOMES).nullish(),
  status: httpStatus().nullish(),
  statusOrigin: z.enum(['server', 'sdk']).nullish(),
  code: optionalRaw(200),
  b24Code: optionalRaw(200),
  message: freeText(),
  warning: freeText(),
  /** null and absent differ. */
  firstStatus: httpStatus().nullable().optional(),
  retryAfter: z.union([z.string(), z.array(z.string()).max(20)]).nullish(),
  retryAfterBody: z.number().nullish(),
  dateHeader: freeText(),
  headers: z.record(z.string(), z.unknown()).nullish(),
  bodyErrors: z.array(z.string()).max(1_000).nullish(),
  bodySummary: z.object({ total: count(), failed: count(), unprocessed: count() }).nullish(),
  error: errorNode.nullish(),
  abortBy: z.enum(ABORTERS).nullish(),
  requestId: optionalName(),
  jobId: optionalName(),
  plannedDelayMs: durationMs(),
  reason: z.enum(RESEND_REASONS).nullish(),
  batch,
  items: z.array(batchItem).max(5_000).nullish(),
  parentOperationId: optionalName(),
});
export type AttemptWire = z.infer<typeof attemptSchema>;

const attemptStartedSchema = z.object({ type: z.literal('attempt_started'), ...sent });
export type AttemptStartedWire = z.infer<typeof attemptStartedSchema>;

const entityIds = z.array(name()).max(100).nullish();

const readBackSchema = z.object({
  type: z.literal('readback'),
  ...base,
  operationId: name(),
  startedAt: instant(),
  endedAt: instant(),
  result: z.enum(['present', 'absent', 'inconclusive']),
  criterion: z.enum(['unique', 'weak']),
  entityIds,
  oldestSeen: instant().nullish(),
  exhausted: flag(),
});

const authRefreshSchema = z.object({
  type: z.literal('auth_refresh'),
  ...base,
  operationId: optionalName(),
  credential: optionalRaw(2_000).pipe(z.string().min(1)),
  startedAt: instant(),
  ok: z.boolean(),
});

const causeFixedSchema = z
  .object({
    type: z.literal('cause_fixed'),
    ...base,
    operationId: optionalName(),
    code: optionalRaw(200),
    service: optionalName(),
    startedAt: instant(),
  })
  .refine((event) => Boolean(event.operationId) || Boolean(event.code), {
    message: 'must name an operationId or a code',
  });

const jobResultSchema = z.object({
  type: z.literal('job_result'),
  ...base,
  operationId: name(),
  jobId: name(),
  result: z.enum(['completed', 'failed']),
  code: optionalRaw(200),
  startedAt: instant(),
});

const closedSchema = z.object({
  type: z.literal('closed'),
  ...base,
  operationId: name(),
  startedAt: instant(),
  result: z.enum(['done', 'abandoned']),
  entityIds,
});

const webhookDeliverySchema = z.object({
  type: z.literal('webhook_delivery'),
  ...base,
  operationId: optionalName(),
  jobId: name(),
  event: name(),
  startedAt: instant(),
  status: httpStatus(),
});

const tallySchema = z.object({
  type: z.literal('tally'),
  ...base,
  id: uuid(),
  service: name(),
  instance: optionalName(),
  call: identifier(500),
  kind: optionalIdentifier(50),
  target: optionalIdentifier(300),
  profile: z.enum(PROFILES).nullish(),
  minute: instant(),
  successes: z.int().min(1).max(10_000_000),
});

export const EVENT_SCHEMAS = {
  attempt: attemptSchema,
  attempt_started: attemptStartedSchema,
  readback: readBackSchema,
  auth_refresh: authRefreshSchema,
  cause_fixed: causeFixedSchema,
  job_result: jobResultSchema,
  closed: closedSchema,
  webhook_delivery: webhookDeliverySchema,
  tally: tallySchema,
} as const satisfies Record<EventType, z.ZodType>;

export type EventWire = {
  [Type in EventType]: z.infer<(typeof EVENT_SCHEMAS)[Type]> & { type: Type };
}[EventType];
