import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns';

/**
 * Where operations meet: what checks across operations are found by. Written by settling only, under the project's
 * turn, and computed again at any time. Values are 8 bytes of SHA-256, so that rows stay narrow.
 */

/** Scope, portal, target, credential and service that sends share: one row for each combination that occurs. */
export const streamLane = pgTable(
  'stream_lane',
  {
    projectId: integer('project_id').notNull(),
    id: bigint('id', { mode: 'bigint' }).notNull(),
    scope: bigint('scope', { mode: 'bigint' }),
    portal: bigint('portal', { mode: 'bigint' }),
    target: bigint('target', { mode: 'bigint' }).notNull(),
    credential: bigint('credential', { mode: 'bigint' }),
    service: bigint('service', { mode: 'bigint' }).notNull(),
  },
  (t) => [
    primaryKey({ name: 'stream_lane_pkey', columns: [t.projectId, t.id] }),
    index('stream_lane_scope_idx').on(t.projectId, t.scope),
    index('stream_lane_portal_idx').on(t.projectId, t.portal),
    index('stream_lane_target_idx').on(t.projectId, t.target),
    index('stream_lane_credential_idx').on(t.projectId, t.credential),
    index('stream_lane_service_idx').on(t.projectId, t.service),
  ],
);

/** An operation in a slot of event time of one stream: of a lane, a key, a fingerprint or a cause to be repaired. */
export const streamMember = pgTable(
  'stream_member',
  {
    projectId: integer('project_id').notNull(),
    stream: text('stream').notNull(),
    /** Id of the lane, else digest of the value. */
    value: bigint('value', { mode: 'bigint' }).notNull(),
    slot: instant('slot').notNull(),
    operationId: text('operation_id').notNull(),
    /** What its sends there can set off (lib/core/stream-places.ts); 0 for a plain success. */
    flags: smallint('flags').notNull(),
  },
  (t) => [
    primaryKey({ name: 'stream_member_pkey', columns: [t.projectId, t.stream, t.value, t.slot, t.operationId] }),
    index('stream_member_operation_idx').on(t.projectId, t.operationId),
    index('stream_member_flagged_idx')
      .on(t.projectId, t.stream, t.value, t.slot)
      .where(sql`${t.flags} <> 0`),
    check('stream_member_stream_word', sql`${t.stream} in ('lane', 'key', 'fingerprint', 'cause')`),
    check('stream_member_flags_not_negative', sql`${t.flags} >= 0`),
  ],
);

/** Windows whose findings have to be computed again. */
export const streamTouch = pgTable(
  'stream_touch',
  {
    projectId: integer('project_id').notNull(),
    stream: text('stream').notNull(),
    /** Digest of what its operations share, and that text. */
    digest: bigint('digest', { mode: 'bigint' }).notNull(),
    value: text('value').notNull(),
    windowFrom: instant('window_from').notNull(),
    dueAt: instant('due_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'stream_touch_pkey', columns: [t.projectId, t.stream, t.digest, t.windowFrom] }),
    index('stream_touch_due_idx').on(t.projectId, t.dueAt),
    check(
      'stream_touch_stream_word',
      sql`${t.stream} in ('scope', 'portal', 'target', 'service', 'credential', 'key', 'fingerprint', 'job', 'chain')`,
    ),
  ],
);

/** Facts of no operation that settling has not spread yet. Append-only for ingestion, like `operation_touch`. */
export const factTouch = pgTable(
  'fact_touch',
  {
    projectId: integer('project_id').notNull(),
    seq: bigint('seq', { mode: 'bigint' }).notNull().generatedAlwaysAsIdentity(),
    factId: uuid('fact_id').notNull(),
  },
  (t) => [primaryKey({ name: 'fact_touch_pkey', columns: [t.projectId, t.seq] })],
);

/** Operations that a finding across operations concerns beside the one it is charged to. */
export const findingOperation = pgTable(
  'finding_operation',
  {
    projectId: integer('project_id').notNull(),
    operationId: text('operation_id').notNull(),
    findingId: uuid('finding_id').notNull(),
  },
  (t) => [
    primaryKey({ name: 'finding_operation_pkey', columns: [t.projectId, t.operationId, t.findingId] }),
    index('finding_operation_finding_idx').on(t.projectId, t.findingId),
  ],
);
