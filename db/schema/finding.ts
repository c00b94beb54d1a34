import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns';

/**
 * What a check found, as settling concluded it. A finding belongs to one operation's conclusion, or (`stream_key` set)
 * to one window of a stream of operations. `id` is made of the content, so that the same conclusion is the same row.
 */
export const finding = pgTable(
  'finding',
  {
    projectId: integer('project_id').notNull(),
    id: uuid('id').notNull(),
    /** A word of lib/core/check-name.ts; a new check needs no migration. */
    checkName: text('check_name').notNull(),
    severity: text('severity').notNull(),
    operationId: text('operation_id'),
    attempt: integer('attempt'),
    /** Start of the attempt it speaks of, else of the operation or of what the window shows. */
    at: instant('at').notNull(),
    /** What it is filtered by; null where no send is behind it (deliveries of an unknown job). */
    dimensionId: bigint('dimension_id', { mode: 'bigint' }),
    ruleSet: text('rule_set'),
    evidence: jsonb('evidence').notNull(),
    /** Window of a stream that owns the row. */
    streamKey: text('stream_key'),
    subjectKind: text('subject_kind'),
    subjectValue: text('subject_value'),
    windowFrom: instant('window_from'),
    windowTo: instant('window_to'),
    lookedOperations: integer('looked_operations'),
    lookedAttempts: integer('looked_attempts'),
  },
  (t) => [
    primaryKey({ name: 'finding_pkey', columns: [t.projectId, t.id] }),
    index('finding_at_idx').on(t.projectId, t.at, t.id),
    index('finding_check_at_idx').on(t.projectId, t.checkName, t.at, t.id),
    index('finding_operation_idx').on(t.projectId, t.operationId),
    index('finding_stream_idx')
      .on(t.projectId, t.streamKey)
      .where(sql`${t.streamKey} is not null`),
    check('finding_check_form', sql`${t.checkName} ~ '^[a-z][a-z_]{0,62}$'`),
    check('finding_severity_word', sql`${t.severity} in ('critical', 'high', 'medium', 'low', 'info')`),
    check('finding_attempt_positive', sql`${t.attempt} >= 1`),
    check('finding_owner', sql`${t.operationId} is not null or ${t.streamKey} is not null`),
    check(
      'finding_subject_word',
      sql`${t.subjectKind} in ('service', 'target', 'credential', 'scope', 'job', 'operation')`,
    ),
    check(
      'finding_stream_both',
      sql`(${t.streamKey} is null) = (${t.subjectKind} is null) and (${t.streamKey} is null) = (${t.subjectValue} is null) and (${t.streamKey} is null) = (${t.windowFrom} is null) and (${t.streamKey} is null) = (${t.windowTo} is null) and (${t.streamKey} is null) = (${t.lookedOperations} is null) and (${t.streamKey} is null) = (${t.lookedAttempts} is null)`,
    ),
    check('finding_window_order', sql`${t.windowFrom} <= ${t.windowTo}`),
    check('finding_looked_not_negative', sql`${t.lookedOperations} >= 0 and ${t.lookedAttempts} >= 0`),
  ],
);
