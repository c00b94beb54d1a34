import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytea, instant } from './columns';
import { project } from './project';

/** A key of one project and one scope. Only the SHA-256 of its secret is stored. */
export const apiKey = pgTable(
  'api_key',
  {
    projectId: integer('project_id')
      .notNull()
      .references(() => project.id, { onDelete: 'cascade' }),
    /** The public middle part of the key, looked up before the secret is compared. */
    keyId: text('key_id').notNull(),
    name: text('name').notNull(),
    scope: text('scope').notNull(),
    secretHash: bytea('secret_hash').notNull(),
    /** Last four characters, to tell keys apart on the screen. */
    lastFour: text('last_four').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    createdBy: text('created_by').notNull(),
    lastUsedAt: instant('last_used_at'),
    revokedAt: instant('revoked_at'),
    revokedBy: text('revoked_by'),
    /** Events a second that the key may send through one process; null: the service's default. */
    eventsPerSecond: integer('events_per_second'),
  },
  (t) => [
    primaryKey({ name: 'api_key_pkey', columns: [t.projectId, t.keyId] }),
    uniqueIndex('api_key_key_id_key').on(t.keyId),
    index('api_key_project_created_idx').on(t.projectId, t.createdAt),
    check('api_key_scope_word', sql`${t.scope} in ('ingest', 'read', 'operate')`),
    check('api_key_events_positive', sql`${t.eventsPerSecond} > 0`),
    check('api_key_revoked_both', sql`(${t.revokedAt} is null) = (${t.revokedBy} is null)`),
  ],
);
