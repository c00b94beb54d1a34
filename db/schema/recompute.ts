import { sql } from 'drizzle-orm';
import { check, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { SettingsChange } from '../../lib/core/settings-change';
import { instant } from './columns';

/**
 * Work over the stored operations of a range: `apply` concludes them again, `preview` only counts what a change would
 * move. A worker holds the row's lock for one bounded slice, so that a killed one leaves nothing behind.
 */
export const recomputeJob = pgTable(
  'recompute_job',
  {
    projectId: integer('project_id').notNull(),
    /** Begins with its time: the order of ids is the order of asking. */
    id: uuid('id').notNull(),
    mode: text('mode').notNull(),
    state: text('state').notNull(),
    /** What a preview tries. */
    change: jsonb('change').$type<SettingsChange>(),
    /** Half-open, by an operation's first attempt. */
    rangeFrom: instant('range_from').notNull(),
    rangeTo: instant('range_to').notNull(),
    /** The project's settings that this run works under; when they change, it starts over. */
    settingsVersion: integer('settings_version').notNull(),
    /** Where the next slice goes on: a part of the work and the key of the last row done. */
    position: jsonb('position'),
    done: integer('done').notNull().default(0),
    total: integer('total').notNull().default(0),
    /** Counts so far; the result once it is done. */
    result: jsonb('result'),
    requestedBy: text('requested_by').notNull(),
    createdAt: instant('created_at').notNull(),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
    error: text('error'),
  },
  (t) => [
    primaryKey({ name: 'recompute_job_pkey', columns: [t.projectId, t.id] }),
    uniqueIndex('recompute_job_active_key')
      .on(t.projectId)
      .where(sql`${t.state} in ('queued', 'running')`),
    check('recompute_job_mode_word', sql`${t.mode} in ('preview', 'apply')`),
    check('recompute_job_state_word', sql`${t.state} in ('queued', 'running', 'done', 'cancelled', 'failed')`),
    check('recompute_job_change_both', sql`(${t.mode} = 'preview') = (${t.change} is not null)`),
    check('recompute_job_started_both', sql`${t.state} <> 'queued' or ${t.startedAt} is null`),
    check('recompute_job_running_both', sql`${t.state} not in ('running', 'done') or ${t.startedAt} is not null`),
    check(
      'recompute_job_finished_both',
      sql`(${t.state} in ('done', 'cancelled', 'failed')) = (${t.finishedAt} is not null)`,
    ),
    check('recompute_job_error_both', sql`(${t.state} = 'failed') = (${t.error} is not null)`),
    check('recompute_job_counts_not_negative', sql`${t.done} >= 0 and ${t.total} >= 0`),
    check('recompute_job_range_order', sql`${t.rangeFrom} < ${t.rangeTo}`),
  ],
);
