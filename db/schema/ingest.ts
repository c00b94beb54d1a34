import { sql } from 'drizzle-orm';
import { bigint, check, date, integer, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns';

/**
 * How many events ended in which way, written in the transaction that decided it. A day is that of receipt, in UTC.
 * Writers share no row: each flight under way has a `slot` of its own, and a count is the sum over the slots.
 */
export const ingestOutcome = pgTable(
  'ingest_outcome',
  {
    projectId: integer('project_id').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    outcome: text('outcome').notNull(),
    /** Why an event was rejected: a problem code, or `batch_refused`. */
    code: text('code').notNull().default(''),
    slot: smallint('slot').notNull(),
    count: bigint('count', { mode: 'number' }).notNull(),
    /** The last flight that counted here: after a lost connection it tells whether the commit had come through. */
    flight: bigint('flight', { mode: 'bigint' }).notNull(),
  },
  (t) => [
    primaryKey({ name: 'ingest_outcome_pkey', columns: [t.projectId, t.day, t.outcome, t.code, t.slot] }),
    check('ingest_outcome_word', sql`${t.outcome} in ('accepted', 'duplicate', 'conflict', 'rejected')`),
    check('ingest_outcome_code_both', sql`(${t.outcome} = 'rejected') = (${t.code} <> '')`),
    check('ingest_outcome_counted', sql`${t.count} > 0`),
  ],
);

/** Events that passed every check and could not be stored: our defects, kept to be mended. Masked, like all others. */
export const quarantinedEvent = pgTable(
  'quarantined_event',
  {
    projectId: integer('project_id').notNull(),
    id: uuid('id').notNull(),
    /** SQLSTATE of the refusal. */
    sqlState: text('sql_state').notNull(),
    at: instant('at').notNull(),
    /** How often it came. */
    count: integer('count').notNull(),
    firstSeenAt: instant('first_seen_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
    /** The JSON text, and not a document: that may be what can't be stored. */
    event: text('event').notNull(),
  },
  (t) => [
    primaryKey({ name: 'quarantined_event_pkey', columns: [t.projectId, t.id] }),
    check('quarantined_event_counted', sql`${t.count} > 0`),
    check('quarantined_event_seen', sql`${t.lastSeenAt} >= ${t.firstSeenAt}`),
  ],
);
