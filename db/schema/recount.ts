import { sql } from 'drizzle-orm';
import { check, integer, jsonb, pgTable } from 'drizzle-orm/pg-core';
import { instant } from './columns';

/** The last comparison of a project's rollups with what they count. */
export const recount = pgTable(
  'recount',
  {
    projectId: integer('project_id').primaryKey(),
    /** When a worker took it up; one that was killed is taken up again. */
    startedAt: instant('started_at').notNull(),
    finishedAt: instant('finished_at'),
    /** Half-open, whole hours. Null before the first one was finished. */
    rangeFrom: instant('range_from'),
    rangeTo: instant('range_to'),
    /** Rows that differ. */
    drift: integer('drift'),
    /** The first of them. */
    examples: jsonb('examples'),
  },
  (t) => [
    check('recount_drift_not_negative', sql`${t.drift} >= 0`),
    check('recount_range_order', sql`${t.rangeFrom} <= ${t.rangeTo}`),
    check(
      'recount_result_both',
      sql`(${t.finishedAt} is null) = (${t.rangeFrom} is null) and (${t.finishedAt} is null) = (${t.rangeTo} is null)
        and (${t.finishedAt} is null) = (${t.drift} is null) and (${t.finishedAt} is null) = (${t.examples} is null)`,
    ),
  ],
);
