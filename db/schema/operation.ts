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

const STATES = sql.raw(
  "('in_progress', 'succeeded', 'succeeded_with_possible_duplicates', 'failed', 'unresolved', 'partially_applied', 'cancelled')",
);

/** The settled conclusion about one operation; recomputed from its facts at any time. */
export const operation = pgTable(
  'operation',
  {
    projectId: integer('project_id').notNull(),
    operationId: text('operation_id').notNull(),
    state: text('state').notNull(),
    possibleEffects: integer('possible_effects').notNull(),
    /** Sends, made-up ones of died clients included. */
    attempts: integer('attempts').notNull(),
    /** At least one send that counts as a retry. */
    retried: boolean('retried').notNull(),
    /** First attempt's service, call …; last attempt's code and action. */
    dimensionId: bigint('dimension_id', { mode: 'bigint' }).notNull(),
    firstAt: instant('first_at').notNull(),
    lastAt: instant('last_at').notNull(),
    over: boolean('over').notNull(),
    /** When time alone will change the conclusion. */
    changesAt: instant('changes_at'),
    /** What was known of it when retention took facts of it; its conclusion only adds to that. */
    carried: jsonb('carried'),
    settledAt: instant('settled_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'operation_pkey', columns: [t.projectId, t.operationId] }),
    index('operation_first_idx').on(t.projectId, t.firstAt, t.operationId),
    index('operation_state_first_idx').on(t.projectId, t.state, t.firstAt, t.operationId),
    index('operation_changes_idx')
      .on(t.projectId, t.changesAt)
      .where(sql`${t.changesAt} is not null`),
    check('operation_state_word', sql`${t.state} in ${STATES}`),
    check('operation_counts_not_negative', sql`${t.possibleEffects} >= 0 and ${t.attempts} >= 1`),
  ],
);

/** Ways to find an operation: every failure code it met, request ids, business key, job and entity ids, its parent. */
export const operationRef = pgTable(
  'operation_ref',
  {
    projectId: integer('project_id').notNull(),
    kind: text('kind').notNull(),
    value: text('value').notNull(),
    /** The operation's first attempt, for time order. */
    at: instant('at').notNull(),
    operationId: text('operation_id').notNull(),
  },
  (t) => [
    primaryKey({ name: 'operation_ref_pkey', columns: [t.projectId, t.kind, t.value, t.at, t.operationId] }),
    index('operation_ref_operation_idx').on(t.projectId, t.operationId),
    check(
      'operation_ref_kind_word',
      sql`${t.kind} in ('code', 'request_id', 'business_key', 'job_id', 'entity_id', 'parent')`,
    ),
  ],
);

/** Operations counted at their first attempt's start; settling moves an operation between rows. */
export const operationRollup = pgTable(
  'operation_rollup',
  {
    projectId: integer('project_id').notNull(),
    grain: smallint('grain').notNull(),
    at: instant('at').notNull(),
    dimensionId: bigint('dimension_id', { mode: 'bigint' }).notNull(),
    state: text('state').notNull(),
    retried: boolean('retried').notNull(),
    operations: integer('operations').notNull(),
    attempts: integer('attempts').notNull(),
  },
  (t) => [
    primaryKey({
      name: 'operation_rollup_pkey',
      columns: [t.projectId, t.grain, t.at, t.dimensionId, t.state, t.retried],
    }),
    check('operation_rollup_grain_word', sql`${t.grain} in (-60, -15, 1, 15, 60)`),
    check('operation_rollup_state_word', sql`${t.state} in ${STATES}`),
    check('operation_rollup_not_negative', sql`${t.operations} >= 0 and ${t.attempts} >= 0`),
  ],
);

/** One row for every send that was asked to wait (compliance other than `not_asked`). */
export const retryPair = pgTable(
  'retry_pair',
  {
    projectId: integer('project_id').notNull(),
    operationId: text('operation_id').notNull(),
    attemptEventId: uuid('attempt_event_id').notNull(),
    attempt: integer('attempt').notNull(),
    at: instant('at').notNull(),
    /** Dimension of the attempt that was asked. */
    dimensionId: bigint('dimension_id', { mode: 'bigint' }).notNull(),
    compliance: text('compliance').notNull(),
    askedMs: bigint('asked_ms', { mode: 'number' }),
    gapMs: bigint('gap_ms', { mode: 'number' }),
    earlyMs: bigint('early_ms', { mode: 'number' }).notNull(),
    overMs: bigint('over_ms', { mode: 'number' }).notNull(),
    strict: boolean('strict').notNull(),
    approx: boolean('approx').notNull(),
  },
  (t) => [
    primaryKey({ name: 'retry_pair_pkey', columns: [t.projectId, t.operationId, t.attemptEventId] }),
    index('retry_pair_compliance_idx').on(t.projectId, t.compliance, t.at),
    check(
      'retry_pair_compliance_word',
      sql`${t.compliance} in ('honoured', 'early', 'early_capped', 'pending', 'no_retry_observed', 'gave_up_wait_too_long', 'unusable_header', 'not_judged')`,
    ),
    check('retry_pair_not_negative', sql`${t.earlyMs} >= 0 and ${t.overMs} >= 0`),
  ],
);

/** Pairs counted by time and dimension, so that compliance costs its points, not its events. */
export const complianceRollup = pgTable(
  'compliance_rollup',
  {
    projectId: integer('project_id').notNull(),
    grain: smallint('grain').notNull(),
    at: instant('at').notNull(),
    dimensionId: bigint('dimension_id', { mode: 'bigint' }).notNull(),
    compliance: text('compliance').notNull(),
    pairs: integer('pairs').notNull(),
    earlyMs: bigint('early_ms', { mode: 'number' }).notNull(),
    overMs: bigint('over_ms', { mode: 'number' }).notNull(),
  },
  (t) => [
    primaryKey({ name: 'compliance_rollup_pkey', columns: [t.projectId, t.grain, t.at, t.dimensionId, t.compliance] }),
    check('compliance_rollup_grain_word', sql`${t.grain} in (-60, -15, 1, 15, 60)`),
    check('compliance_rollup_not_negative', sql`${t.pairs} >= 0 and ${t.earlyMs} >= 0 and ${t.overMs} >= 0`),
  ],
);
