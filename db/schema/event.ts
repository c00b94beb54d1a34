import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { instant } from './columns';

/** Every event id ever taken, once: a partitioned table's unique key can't hold an id alone. */
export const eventLedger = pgTable(
  'event_ledger',
  {
    projectId: integer('project_id').notNull(),
    id: uuid('id').notNull(),
    /** First 8 bytes of SHA-256 over the masked content: tells a re-send from a conflict. */
    contentHash: bigint('content_hash', { mode: 'bigint' }).notNull(),
    /** Event time, by which retention prunes. */
    at: instant('at').notNull(),
  },
  (t) => [primaryKey({ name: 'event_ledger_pkey', columns: [t.projectId, t.id] })],
);

/** What rates are counted by (lib/core/rollup.ts). `id` is 8 bytes of SHA-256 over the columns. */
export const dimension = pgTable(
  'dimension',
  {
    projectId: integer('project_id').notNull(),
    id: bigint('id', { mode: 'bigint' }).notNull(),
    service: text('service').notNull(),
    call: text('call').notNull(),
    kind: text('kind').notNull(),
    code: text('code').notNull(),
    action: text('action').notNull(),
    profile: text('profile').notNull(),
    target: text('target').notNull(),
    sdk: text('sdk').notNull(),
    environment: text('environment').notNull(),
  },
  (t) => [
    primaryKey({ name: 'dimension_pkey', columns: [t.projectId, t.id] }),
    check('dimension_kind_word', sql`${t.kind} in ('read', 'write')`),
    check('dimension_profile_word', sql`${t.profile} in ('vibecode', 'quillhub', 'http', 'bitrix_rest')`),
    check(
      'dimension_action_word',
      sql`${t.action} in ('none', 'retry_with_limit', 'fix_before_retry', 'state_verification_required', 'do_not_retry', 'not_applicable')`,
    ),
    check('dimension_success_both', sql`(${t.action} = 'none') = (${t.code} = 'OK')`),
  ],
);

/** Attempts as received, masked. Partitioned by day of `started_at` (hand-written in the migration). */
export const attempt = pgTable(
  'attempt',
  {
    projectId: integer('project_id').notNull(),
    startedAt: instant('started_at').notNull(),
    id: uuid('id').notNull(),
    operationId: text('operation_id').notNull(),
    attempt: integer('attempt').notNull(),
    /** Dimension of the verdict given on arrival. */
    dimensionId: bigint('dimension_id', { mode: 'bigint' }).notNull(),
    receivedAt: instant('received_at').notNull(),
    ruleSet: text('rule_set').notNull(),
    event: jsonb('event').notNull(),
  },
  (t) => [
    primaryKey({ name: 'attempt_pkey', columns: [t.projectId, t.startedAt, t.id] }),
    index('attempt_operation_idx').on(t.projectId, t.operationId),
    check('attempt_number_positive', sql`${t.attempt} >= 1`),
  ],
);

/** Every other event type: starts, read-backs, refreshes, fixes, job results, closings, deliveries, tallies. */
export const fact = pgTable(
  'fact',
  {
    projectId: integer('project_id').notNull(),
    id: uuid('id').notNull(),
    type: text('type').notNull(),
    operationId: text('operation_id'),
    at: instant('at').notNull(),
    receivedAt: instant('received_at').notNull(),
    /** Set for tallies only: what their successes count under. */
    dimensionId: bigint('dimension_id', { mode: 'bigint' }),
    successes: integer('successes'),
    event: jsonb('event').notNull(),
  },
  (t) => [
    primaryKey({ name: 'fact_pkey', columns: [t.projectId, t.id] }),
    index('fact_operation_idx').on(t.projectId, t.operationId),
    index('fact_type_at_idx').on(t.projectId, t.type, t.at),
    check(
      'fact_type_word',
      sql`${t.type} in ('attempt_started', 'readback', 'auth_refresh', 'cause_fixed', 'job_result', 'closed', 'webhook_delivery', 'tally')`,
    ),
    check(
      'fact_tally_both',
      sql`(${t.type} = 'tally') = (${t.successes} is not null and ${t.dimensionId} is not null)`,
    ),
  ],
);

/**
 * Counts of attempts by time and dimension, at three grains kept in the same transaction as the rows.
 * `grain` is the bucket's length in minutes: 1, 15 (every zone's offset is a multiple of it) or 60; -15 and -60 are the
 * same minutes summed over call, target and sdk, under a dimension that has none of them (lib/core/rollup.ts).
 */
export const rateRollup = pgTable(
  'rate_rollup',
  {
    projectId: integer('project_id').notNull(),
    grain: smallint('grain').notNull(),
    at: instant('at').notNull(),
    dimensionId: bigint('dimension_id', { mode: 'bigint' }).notNull(),
    /** Attempts sent as events. */
    attempts: integer('attempts').notNull(),
    /** Successes that arrived as tallies. */
    tallied: integer('tallied').notNull(),
  },
  (t) => [
    primaryKey({ name: 'rate_rollup_pkey', columns: [t.projectId, t.grain, t.at, t.dimensionId] }),
    check('rate_rollup_grain_word', sql`${t.grain} in (-60, -15, 1, 15, 60)`),
    check('rate_rollup_not_negative', sql`${t.attempts} >= 0 and ${t.tallied} >= 0`),
  ],
);

/** Marks operations whose facts changed. Append-only for ingestion, so that settling never blocks it. */
export const operationTouch = pgTable(
  'operation_touch',
  {
    projectId: integer('project_id').notNull(),
    seq: bigint('seq', { mode: 'bigint' }).notNull().generatedAlwaysAsIdentity(),
    operationId: text('operation_id').notNull(),
    touchedAt: instant('touched_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ name: 'operation_touch_pkey', columns: [t.projectId, t.seq] })],
);

/** One row a project: its lock is the settler's turn, so that one settler works a project at a time. */
export const settleTurn = pgTable('settle_turn', {
  projectId: integer('project_id').primaryKey(),
  settledAt: instant('settled_at'),
  paused: boolean('paused').notNull().default(false),
});
