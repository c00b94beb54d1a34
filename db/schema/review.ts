import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { instant } from './columns';

/** A write nobody can vouch for, waiting for a person. One per operation and episode. */
export const reviewItem = pgTable(
  'review_item',
  {
    projectId: integer('project_id').notNull(),
    id: uuid('id').notNull(),
    operationId: text('operation_id').notNull(),
    /** 1 for the first; a recurrence after a resolution opens the next. */
    episode: integer('episode').notNull(),
    /** Grows by one with every change; a change that names an old one is refused. */
    version: integer('version').notNull().default(1),
    state: text('state').notNull(),
    cause: text('cause').notNull(),
    dimensionId: bigint('dimension_id', { mode: 'bigint' }).notNull(),
    /** Event time of the doubt: start of the earliest unclear write, end of the latest. */
    doubtSince: instant('doubt_since').notNull(),
    doubtUntil: instant('doubt_until').notNull(),
    /** When a waiting item opens, or opened, by itself. */
    openedAt: instant('opened_at').notNull(),
    dueAt: instant('due_at').notNull(),
    assigneeType: text('assignee_type'),
    assigneeId: text('assignee_id'),
    assigneeName: text('assignee_name'),
    leaseUntil: instant('lease_until'),
    snoozedUntil: instant('snoozed_until'),
    resolution: text('resolution'),
    resolutionNote: text('resolution_note'),
    resolvedAt: instant('resolved_at'),
    resolvedBy: text('resolved_by'),
    amountValue: numeric('amount_value'),
    amountCurrency: text('amount_currency'),
    suggestion: jsonb('suggestion'),
    /** The operation's facts at opening, so that retention never takes them from an open item. */
    facts: jsonb('facts').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: 'review_item_pkey', columns: [t.projectId, t.id] }),
    uniqueIndex('review_item_episode_key').on(t.projectId, t.operationId, t.episode),
    index('review_item_state_due_idx').on(t.projectId, t.state, t.dueAt, t.id),
    check('review_item_state_word', sql`${t.state} in ('waiting', 'open', 'claimed', 'snoozed', 'resolved')`),
    check('review_item_cause_word', sql`${t.cause} in ('unknown_outcome', 'possible_duplicates')`),
    check('review_item_assignee_word', sql`${t.assigneeType} in ('user', 'key', 'system')`),
    check(
      'review_item_assignee_both',
      sql`(${t.assigneeType} is null) = (${t.assigneeId} is null) and (${t.assigneeId} is null) = (${t.assigneeName} is null)`,
    ),
    check(
      'review_item_claim_both',
      sql`(${t.state} = 'claimed') = (${t.leaseUntil} is not null) and (${t.state} <> 'claimed' or ${t.assigneeId} is not null)`,
    ),
    check('review_item_snooze_both', sql`(${t.state} = 'snoozed') = (${t.snoozedUntil} is not null)`),
    check(
      'review_item_resolved_both',
      sql`(${t.state} = 'resolved') = (${t.resolution} is not null) and (${t.resolution} is null) = (${t.resolvedAt} is null) and (${t.resolvedAt} is null) = (${t.resolvedBy} is null)`,
    ),
    check(
      'review_item_resolution_word',
      sql`${t.resolution} in ('applied_once', 'not_applied', 'applied_more_than_once', 'partly_applied', 'cannot_be_known')`,
    ),
    check('review_item_amount_both', sql`(${t.amountValue} is null) = (${t.amountCurrency} is null)`),
  ],
);

/** Every change of an item, insert only. */
export const reviewEvent = pgTable(
  'review_event',
  {
    projectId: integer('project_id').notNull(),
    id: uuid('id').notNull(),
    itemId: uuid('item_id').notNull(),
    at: instant('at').notNull(),
    actorType: text('actor_type').notNull(),
    actorId: text('actor_id').notNull(),
    actorName: text('actor_name').notNull(),
    action: text('action').notNull(),
    oldValue: jsonb('old_value'),
    newValue: jsonb('new_value'),
    note: text('note'),
  },
  (t) => [
    primaryKey({ name: 'review_event_pkey', columns: [t.projectId, t.id] }),
    index('review_event_item_idx').on(t.projectId, t.itemId, t.at),
    check('review_event_actor_word', sql`${t.actorType} in ('user', 'key', 'system')`),
    check(
      'review_event_action_word',
      sql`${t.action} in ('opened', 'evidence', 'due', 'claimed', 'renewed', 'lease_expired', 'released', 'assigned', 'noted', 'snoozed', 'woken', 'resolved', 'settled', 'reopened')`,
    ),
  ],
);

/** Who did what to the installation or a project, insert only. */
export const auditLog = pgTable(
  'audit_log',
  {
    /** 0 for what belongs to no project. */
    projectId: integer('project_id').notNull(),
    id: uuid('id').notNull(),
    at: instant('at').notNull(),
    actorType: text('actor_type').notNull(),
    actorId: text('actor_id').notNull(),
    actorName: text('actor_name').notNull(),
    action: text('action').notNull(),
    subject: text('subject').notNull(),
    requestId: text('request_id'),
    detail: jsonb('detail'),
  },
  (t) => [
    primaryKey({ name: 'audit_log_pkey', columns: [t.projectId, t.id] }),
    index('audit_log_at_idx').on(t.projectId, t.at),
    check('audit_log_actor_word', sql`${t.actorType} in ('user', 'key', 'system')`),
  ],
);
