import type postgres from 'postgres';
import type { Fact, Money } from '@/lib/core/attempt';
import type { KeyUse } from '@/lib/core/key-use';
import type { Resolution, Suggestion } from '@/lib/core/operation';
import type { Actor } from '@/lib/core/project';
import type { ReviewState } from '@/lib/core/review';

/** Review items and their history. Instants are epoch ms, ids of dimensions decimal text. */

type ReviewCause = 'unknown_outcome' | 'possible_duplicates';

/** What an item keeps of its operation, so that retention never takes it away. */
interface ReviewFacts {
  /** Attempt event ids of the unclear writes this episode is about. */
  covered: string[];
  facts: Fact[];
  /** What others used its keys for, by which they can't be trusted: also when retention has taken those others' facts. */
  keyUses?: KeyUse[];
  /** A person took the resolution back: what was known then settles it no more. */
  reopened?: boolean;
}

export interface ReviewItem {
  id: string;
  operationId: string;
  episode: number;
  version: number;
  state: ReviewState;
  cause: ReviewCause;
  dimensionId: string;
  doubtSince: number;
  doubtUntil: number;
  openedAt: number;
  dueAt: number;
  assignee: Actor | null;
  leaseUntil: number | null;
  snoozedUntil: number | null;
  resolution: Resolution | null;
  /** People always leave one; an item settled by evidence has none. */
  resolutionNote: string | null;
  resolvedAt: number | null;
  resolvedBy: string | null;
  amount: Money | null;
  suggestion: Suggestion | null;
  facts: ReviewFacts;
}

export type ReviewAction =
  | 'opened'
  | 'evidence'
  | 'due'
  | 'claimed'
  | 'renewed'
  | 'lease_expired'
  | 'released'
  | 'assigned'
  | 'noted'
  | 'snoozed'
  | 'woken'
  | 'resolved'
  | 'settled'
  | 'reopened';

export interface ReviewEvent {
  id: string;
  itemId: string;
  at: number;
  actor: Actor;
  action: ReviewAction;
  oldValue: Record<string, unknown> | null;
  newValue: Record<string, unknown> | null;
  note: string | null;
}

interface ItemRow extends Omit<ReviewItem, 'assignee' | 'amount'> {
  assigneeType: Actor['type'] | null;
  assigneeId: string | null;
  assigneeName: string | null;
  amountValue: string | null;
  amountCurrency: string | null;
}

function toItem(row: ItemRow): ReviewItem {
  const { assigneeType: type, assigneeId: id, assigneeName: name, amountValue, amountCurrency, ...rest } = row;
  return {
    ...rest,
    assignee: type !== null && id !== null && name !== null ? { type, id, name } : null,
    amount: amountValue !== null && amountCurrency !== null ? { value: amountValue, currency: amountCurrency } : null,
  };
}

function columns(sql: postgres.ISql) {
  return sql`
    id, operation_id as "operationId", episode, version, state, cause, dimension_id::text as "dimensionId",
    (extract(epoch from doubt_since) * 1000)::float8 as "doubtSince",
    (extract(epoch from doubt_until) * 1000)::float8 as "doubtUntil",
    (extract(epoch from opened_at) * 1000)::float8 as "openedAt", (extract(epoch from due_at) * 1000)::float8 as "dueAt",
    (extract(epoch from lease_until) * 1000)::float8 as "leaseUntil",
    (extract(epoch from snoozed_until) * 1000)::float8 as "snoozedUntil",
    (extract(epoch from resolved_at) * 1000)::float8 as "resolvedAt",
    assignee_type as "assigneeType", assignee_id as "assigneeId", assignee_name as "assigneeName", resolution,
    resolution_note as "resolutionNote", resolved_by as "resolvedBy", amount_value::text as "amountValue",
    amount_currency as "amountCurrency", suggestion, facts`;
}

/** Every episode of some operations, oldest first, locked in the order of their ids until the transaction ends. */
export async function lockItemsOfOperations(
  tx: postgres.ISql,
  projectId: number,
  operationIds: string[],
): Promise<ReviewItem[]> {
  const rows = await tx<ItemRow[]>`
    select ${columns(tx)} from review_item
    where project_id = ${projectId} and operation_id = any(${operationIds}::text[]) order by id for update`;
  return rows.map(toItem).sort((a, b) => a.episode - b.episode);
}

/** The same for reading alone: nothing is locked. */
export async function listItemsOfOperations(
  sql: postgres.ISql,
  projectId: number,
  operationIds: string[],
): Promise<ReviewItem[]> {
  const rows = await sql<ItemRow[]>`
    select ${columns(sql)} from review_item
    where project_id = ${projectId} and operation_id = any(${operationIds}::text[])`;
  return rows.map(toItem).sort((a, b) => a.episode - b.episode);
}

/** The facts that items keep of an operation, and of its keys. */
export async function readItemFacts(
  sql: postgres.ISql,
  projectId: number,
  operationId: string,
): Promise<{ facts: Fact[]; keyUses: KeyUse[] }> {
  const rows = await sql<{ facts: ReviewFacts }[]>`
    select facts from review_item where project_id = ${projectId} and operation_id = ${operationId}`;
  return {
    facts: rows.flatMap((row) => row.facts.facts),
    keyUses: rows.flatMap((row) => row.facts.keyUses ?? []),
  };
}

/** The newest judgement of a person on an operation; what evidence settled isn't one. */
export async function readJudgement(
  sql: postgres.ISql,
  projectId: number,
  operationId: string,
): Promise<{ resolution: Resolution; resolvedAt: number } | null> {
  const [row] = await sql<{ resolution: Resolution; resolvedAt: number }[]>`
    select resolution, (extract(epoch from resolved_at) * 1000)::float8 as "resolvedAt" from review_item
    where project_id = ${projectId} and operation_id = ${operationId} and state = 'resolved'
      and resolution_note is not null
    order by episode desc limit 1`;
  return row ?? null;
}

export async function findItem(sql: postgres.ISql, projectId: number, id: string): Promise<ReviewItem | null> {
  const [row] = await sql<ItemRow[]>`
    select ${columns(sql)} from review_item where project_id = ${projectId} and id = ${id}::uuid`;
  return row ? toItem(row) : null;
}

/** The next open item nobody has, by deadline; parallel callers get different ones. Locked until the transaction ends. */
export async function lockNextItem(tx: postgres.ISql, projectId: number): Promise<ReviewItem | null> {
  const [row] = await tx<ItemRow[]>`
    select ${columns(tx)} from review_item
    where project_id = ${projectId} and state = 'open' order by due_at, id limit 1 for update skip locked`;
  return row ? toItem(row) : null;
}

function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

function record(tx: postgres.ISql, item: ReviewItem) {
  const wire = {
    ...item,
    doubtSince: iso(item.doubtSince),
    doubtUntil: iso(item.doubtUntil),
    openedAt: iso(item.openedAt),
    dueAt: iso(item.dueAt),
    leaseUntil: iso(item.leaseUntil),
    snoozedUntil: iso(item.snoozedUntil),
    resolvedAt: iso(item.resolvedAt),
    assigneeType: item.assignee?.type ?? null,
    assigneeId: item.assignee?.id ?? null,
    assigneeName: item.assignee?.name ?? null,
    amountValue: item.amount?.value ?? null,
    amountCurrency: item.amount?.currency ?? null,
  };
  return tx`jsonb_to_record(${JSON.stringify(wire)}::text::jsonb) as r(
    id uuid, "operationId" text, episode int, version int, state text, cause text, "dimensionId" bigint,
    "doubtSince" timestamptz, "doubtUntil" timestamptz, "openedAt" timestamptz, "dueAt" timestamptz,
    "assigneeType" text, "assigneeId" text, "assigneeName" text, "leaseUntil" timestamptz, "snoozedUntil" timestamptz,
    resolution text, "resolutionNote" text, "resolvedAt" timestamptz, "resolvedBy" text, "amountValue" numeric,
    "amountCurrency" text, suggestion jsonb, facts jsonb)`;
}

export async function insertItem(tx: postgres.ISql, projectId: number, item: ReviewItem, now: number): Promise<void> {
  await tx`
    insert into review_item (project_id, id, operation_id, episode, version, state, cause, dimension_id, doubt_since,
      doubt_until, opened_at, due_at, assignee_type, assignee_id, assignee_name, lease_until, snoozed_until, resolution,
      resolution_note, resolved_at, resolved_by, amount_value, amount_currency, suggestion, facts, created_at, updated_at)
    select ${projectId}::int, r.id, r."operationId", r.episode, r.version, r.state, r.cause, r."dimensionId",
      r."doubtSince", r."doubtUntil", r."openedAt", r."dueAt", r."assigneeType", r."assigneeId", r."assigneeName",
      r."leaseUntil", r."snoozedUntil", r.resolution, r."resolutionNote", r."resolvedAt", r."resolvedBy",
      r."amountValue", r."amountCurrency", r.suggestion, r.facts, ${iso(now)}::timestamptz, ${iso(now)}::timestamptz
    from ${record(tx, item)}`;
}

/**
 * Writes an item whose version is still `item.version`, and makes it one more.
 * @returns false when somebody else changed it meanwhile: nothing was written
 */
export async function updateItem(
  tx: postgres.ISql,
  projectId: number,
  item: ReviewItem,
  now: number,
): Promise<boolean> {
  const done = await tx`
    update review_item i set version = r.version + 1, state = r.state, cause = r.cause, dimension_id = r."dimensionId",
      doubt_since = r."doubtSince", doubt_until = r."doubtUntil", opened_at = r."openedAt", due_at = r."dueAt",
      assignee_type = r."assigneeType", assignee_id = r."assigneeId", assignee_name = r."assigneeName",
      lease_until = r."leaseUntil", snoozed_until = r."snoozedUntil", resolution = r.resolution,
      resolution_note = r."resolutionNote", resolved_at = r."resolvedAt", resolved_by = r."resolvedBy",
      amount_value = r."amountValue", amount_currency = r."amountCurrency", suggestion = r.suggestion, facts = r.facts,
      updated_at = ${iso(now)}::timestamptz
    from ${record(tx, item)}
    where i.project_id = ${projectId} and i.id = r.id and i.version = r.version`;
  return done.count === 1;
}

export async function insertReviewEvents(tx: postgres.ISql, projectId: number, events: ReviewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const wire = events.map((event) => ({ ...event, at: iso(event.at), ...flatActor(event.actor) }));
  await tx`
    insert into review_event (project_id, id, item_id, at, actor_type, actor_id, actor_name, action, old_value,
                              new_value, note)
    select ${projectId}::int, r.id, r."itemId", r.at, r."actorType", r."actorId", r."actorName", r.action,
           r."oldValue", r."newValue", r.note
    from jsonb_to_recordset(${JSON.stringify(wire)}::text::jsonb) as r(
      id uuid, "itemId" uuid, at timestamptz, "actorType" text, "actorId" text, "actorName" text, action text,
      "oldValue" jsonb, "newValue" jsonb, note text)`;
}

function flatActor(actor: Actor): { actorType: string; actorId: string; actorName: string } {
  return { actorType: actor.type, actorId: actor.id, actorName: actor.name };
}

export type ReviewTimer = 'waiting' | 'claimed' | 'snoozed';
const TIMER_COLUMN: Readonly<Record<ReviewTimer, string>> = {
  waiting: 'opened_at',
  claimed: 'lease_until',
  snoozed: 'snoozed_until',
};

/** Items whose time in `state` is up, locked; those that somebody works on right now are left for the next round. */
export async function lockExpiredItems(
  tx: postgres.ISql,
  projectId: number,
  state: ReviewTimer,
  now: number,
  limit: number,
): Promise<ReviewItem[]> {
  const rows = await tx<ItemRow[]>`
    select ${columns(tx)} from review_item
    where project_id = ${projectId} and state = ${state} and ${tx(TIMER_COLUMN[state])} <= ${iso(now)}::timestamptz
    order by due_at, id limit ${limit} for update skip locked`;
  return rows.map(toItem);
}

/** @returns false when the actor doesn't hold the item (any more): nothing was written */
export async function renewLease(
  tx: postgres.ISql,
  projectId: number,
  lease: { id: string; actorId: string; leaseUntil: number; now: number; version?: number },
): Promise<boolean> {
  const asSeen = lease.version === undefined ? tx`` : tx`and version = ${lease.version}`;
  const done = await tx`
    update review_item set lease_until = ${iso(lease.leaseUntil)}::timestamptz, updated_at = ${iso(lease.now)}::timestamptz
    where project_id = ${projectId} and id = ${lease.id}::uuid and state = 'claimed' and assignee_id = ${lease.actorId}
      and lease_until > ${iso(lease.now)}::timestamptz ${asSeen}`;
  return done.count === 1;
}

/** The number of an operation's newest episode. */
export async function readLastEpisode(tx: postgres.ISql, projectId: number, operationId: string): Promise<number> {
  const [row] = await tx<{ episode: number }[]>`
    select max(episode) as episode from review_item
    where project_id = ${projectId} and operation_id = ${operationId}`;
  return row?.episode ?? 0;
}
