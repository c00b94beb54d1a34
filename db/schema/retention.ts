import { sql } from 'drizzle-orm';
import { check, integer, pgTable } from 'drizzle-orm/pg-core';
import { instant } from './columns';

/** How far retention has come in a project. Each instant only ever moves forward. */
export const retentionMark = pgTable(
  'retention_mark',
  {
    projectId: integer('project_id').primaryKey(),
    /** Events from before are refused for good, also when the project comes to keep its events for longer. */
    keptFrom: instant('kept_from').notNull(),
    announcedAt: instant('announced_at').notNull(),
    /** An earlier `kept_from`, known to every process by now: what lies before may be removed. */
    removeBefore: instant('remove_before'),
    /** Start of the first day that rollups still count. */
    rollupFrom: instant('rollup_from'),
    prunedAt: instant('pruned_at'),
  },
  (t) => [check('retention_mark_order', sql`${t.removeBefore} <= ${t.keptFrom} and ${t.rollupFrom} <= ${t.keptFrom}`)],
);
