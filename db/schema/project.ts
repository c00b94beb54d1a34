import { sql } from 'drizzle-orm';
import { check, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { PinnedNames, ProfileRules } from '../../lib/core/project';
import type { Settings } from '../../lib/core/operation';
import { bytea, instant } from './columns';

/** A tenant. Its `hash_secret` keys every hash of idempotency keys and credentials; it never leaves the server. */
export const project = pgTable(
  'project',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    slug: text('slug').notNull(),
    name: text('name').notNull(),
    defaultProfile: text('default_profile').notNull(),
    targets: jsonb('targets').$type<ProfileRules['targets']>().notNull().default([]),
    /** Only what differs from the defaults. */
    settings: jsonb('settings').$type<Partial<Settings>>().notNull().default({}),
    /** Pinned editions by profile; a profile without one follows its current edition. */
    ruleSets: jsonb('rule_sets').$type<PinnedNames>().notNull().default({}),
    /** One more with every change of what conclusions depend on. */
    settingsVersion: integer('settings_version').notNull().default(1),
    settingsChangedAt: instant('settings_changed_at'),
    settingsChangedBy: text('settings_changed_by'),
    hashSecret: bytea('hash_secret').notNull(),
    /** New events a day (UTC) that the project takes; null: any number. */
    dailyEventsMax: integer('daily_events_max'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('project_slug_key').on(t.slug),
    check('project_slug_form', sql`${t.slug} ~ '^[a-z0-9][a-z0-9-]{0,62}$'`),
    check('project_daily_events_positive', sql`${t.dailyEventsMax} > 0`),
    check('project_name_length', sql`length(${t.name}) between 1 and 100`),
    check(
      'project_settings_changed_both',
      sql`(${t.settingsVersion} = 1) = (${t.settingsChangedAt} is null)
        and (${t.settingsChangedAt} is null) = (${t.settingsChangedBy} is null)`,
    ),
    check('project_default_profile_word', sql`${t.defaultProfile} in ('vibecode', 'quillhub', 'http', 'bitrix_rest')`),
  ],
);
