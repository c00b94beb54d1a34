import type { Money } from '../core/attempt';
import { cutPage, decodeCursor } from './cursor';
import { QueryInputError } from './range';
import { instantText, type Fragment, type Statement } from './statement';
import { filterDimensions } from './statement';
import { viewReviewEvent, viewReviewRow, type ReviewEventRow, type ReviewItemRow } from './review-row';
import type { Page, QueryContext, ReviewFilters, ReviewItemView, ReviewRowView, ReviewSummaryView } from './views';

export interface ReviewListInput {
  filters: ReviewFilters;
  /** Deadline first, or most money first. */
  sort: 'due' | 'amount';
  cursor?: string;
  limit: number;
}

/** Longest text searched for. */
const SEARCH_LENGTH_MAX = 200;

/** Columns of a review item with its dimension; every reader of items selects these. */
function selectReview(sql: Statement): Fragment {
  return sql`
    i.id, i.operation_id, i.episode, i.version, i.state, i.cause, i.assignee_type, i.assignee_id, i.assignee_name,
    floor(extract(epoch from i.lease_until) * 1000)::float8 as lease_until,
    floor(extract(epoch from i.opened_at) * 1000)::float8 as opened_at,
    floor(extract(epoch from i.due_at) * 1000)::float8 as due_at,
    floor(extract(epoch from i.snoozed_until) * 1000)::float8 as snoozed_until,
    floor(extract(epoch from i.doubt_since) * 1000)::float8 as doubt_since,
    floor(extract(epoch from i.doubt_until) * 1000)::float8 as doubt_until,
    floor(extract(epoch from i.resolved_at) * 1000)::float8 as resolved_at,
    i.amount_value::text as amount_value, i.amount_currency, i.suggestion, i.resolution, i.resolution_note,
    i.resolved_by, d.code, d.service, d.call, d.sdk, d.environment`;
}

function filterReview(sql: Statement, ctx: QueryContext, filters: ReviewFilters): Fragment {
  let all: Fragment = filterDimensions(sql, filters);
  if (filters.state?.length) all = sql`${all} and i.state = any(${[...filters.state]}::text[])`;
  const me = filters.actorId ?? '';
  if (filters.assignee === 'mine') all = sql`${all} and i.assignee_id = ${me}`;
  if (filters.assignee === 'others') all = sql`${all} and i.assignee_id is not null and i.assignee_id <> ${me}`;
  if (filters.assignee === 'nobody') all = sql`${all} and i.assignee_id is null`;
  const q = filters.q?.trim() ?? '';
  if (q.length > SEARCH_LENGTH_MAX) throw new QueryInputError('q', 'The text searched for is too long.');
  if (q === '') return all;
  return sql`${all} and (starts_with(i.operation_id, ${q}) or d.code = ${q} or i.operation_id in (
    select f.operation_id from operation_ref f
    where f.project_id = ${ctx.project.id} and f.kind in ('code', 'request_id', 'business_key', 'job_id', 'entity_id')
      and f.value = ${q}))`;
}

/** One page of the queue. @throws QueryInputError on a foreign cursor. */
export async function listReview(ctx: QueryContext, input: ReviewListInput): Promise<Page<ReviewRowView>> {
  const { sql } = ctx.db;
  const rows = await sql<ReviewItemRow[]>`
    select ${selectReview(sql)} from review_item i
    join dimension d on d.project_id = ${ctx.project.id} and d.id = i.dimension_id
    where i.project_id = ${ctx.project.id} ${filterReview(sql, ctx, input.filters)} ${after(sql, input)}
    order by ${input.sort === 'due' ? sql`i.due_at, i.id` : sql`coalesce(i.amount_value, -1) desc, i.id desc`}
    limit ${input.limit + 1}`;
  const page = cutPage(rows, input.limit, (row) =>
    input.sort === 'due' ? [row.due_at, row.id] : [row.amount_value ?? '-1', row.id],
  );
  return { items: page.rows.map((row) => viewReviewRow(row, ctx.now)), nextCursor: page.nextCursor };
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const DECIMAL = /^-?\d{1,40}(?:\.\d{1,40})?$/;

function after(sql: Statement, input: ReviewListInput): Fragment {
  if (input.cursor === undefined) return sql``;
  const [key, id] = decodeCursor(input.cursor, [input.sort === 'due' ? 'number' : 'string', 'string']);
  const fits = UUID.test(String(id)) && (typeof key === 'number' ? Math.abs(key) < 8e15 : DECIMAL.test(String(key)));
  if (!fits) throw new QueryInputError('cursor', 'The cursor is not one of this list.');
  return typeof key === 'number'
    ? sql`and (i.due_at, i.id) > (${instantText(key)}::timestamptz, ${String(id)}::uuid)`
    : sql`and (coalesce(i.amount_value, -1), i.id) < (${String(key)}::numeric, ${String(id)}::uuid)`;
}

/** One item with its history; null when this project has none of that id. */
export async function getReviewItem(ctx: QueryContext, id: string): Promise<ReviewItemView | null> {
  if (!UUID.test(id)) return null;
  const items = await readReviewItems(ctx, ctx.db.sql`i.id = ${id}::uuid`);
  return items[0] ?? null;
}

/** Every episode of one operation, oldest first. */
export function listReviewOfOperation(ctx: QueryContext, operationId: string): Promise<ReviewItemView[]> {
  return readReviewItems(ctx, ctx.db.sql`i.operation_id = ${operationId}`);
}

async function readReviewItems(ctx: QueryContext, which: Fragment): Promise<ReviewItemView[]> {
  const { sql } = ctx.db;
  const items = await sql<ReviewItemRow[]>`
    select ${selectReview(sql)} from review_item i
    join dimension d on d.project_id = ${ctx.project.id} and d.id = i.dimension_id
    where i.project_id = ${ctx.project.id} and ${which} order by i.episode`;
  if (items.length === 0) return [];
  const events = await sql<ReviewEventRow[]>`
    select id, item_id, floor(extract(epoch from at) * 1000)::float8 as at, actor_type, actor_id, actor_name, action,
           old_value, new_value, note
    from review_event where project_id = ${ctx.project.id} and item_id = any(${items.map((item) => item.id)}::uuid[])
    order by review_event.at, id`;
  return items.map((item) => ({
    ...viewReviewRow(item, ctx.now),
    resolutionNote: item.resolution_note,
    doubtSince: item.doubt_since,
    doubtUntil: item.doubt_until,
    history: events.filter((event) => event.item_id === item.id).map(viewReviewEvent),
  }));
}

interface SummaryRow {
  state: string;
  items: number;
  mine: number;
  past_due: number;
  oldest: number | null;
}

/** Counts by tab, money at stake and age of what is unresolved, under the list's own filters (but its tab). */
export async function getReviewSummary(ctx: QueryContext, filters: ReviewFilters): Promise<ReviewSummaryView> {
  const { sql } = ctx.db;
  const { state: _state, assignee: _assignee, ...scope } = filters;
  const from = sql`from review_item i join dimension d on d.project_id = ${ctx.project.id} and d.id = i.dimension_id`;
  const where = sql`where i.project_id = ${ctx.project.id} and i.state in ('waiting', 'open', 'claimed', 'snoozed')
    ${filterReview(sql, ctx, scope)}`;
  const [states, resolved, money] = await Promise.all([
    sql<SummaryRow[]>`
      select i.state, count(*)::float8 as items,
             count(*) filter (where i.assignee_id = ${filters.actorId ?? ''})::float8 as mine,
             count(*) filter (where i.due_at < ${instantText(ctx.now)}::timestamptz)::float8 as past_due,
             floor(extract(epoch from min(i.opened_at)) * 1000)::float8 as oldest
      ${from} ${where} group by 1`,
    countResolved(ctx, scope),
    sql<Money[]>`
      select sum(i.amount_value)::text as value, i.amount_currency as currency ${from} ${where}
        and i.amount_value is not null
      group by 2 order by sum(i.amount_value) desc`,
  ]);
  const of = (state: string): number => states.find((row) => row.state === state)?.items ?? 0;
  const oldest = states.map((row) => row.oldest).filter((at) => at !== null);
  return {
    waiting: of('waiting'),
    open: of('open'),
    claimed: of('claimed'),
    mine: states.reduce((sum, row) => sum + row.mine, 0),
    snoozed: of('snoozed'),
    resolved,
    oldestOpenedAt: oldest.length > 0 ? Math.min(...oldest) : null,
    pastDue: states.reduce((sum, row) => sum + row.past_due, 0),
    atStake: money.map(({ value, currency }) => ({ value, currency })),
  };
}

/** Resolved items only ever grow in number: without filters they are counted in the index alone. */
async function countResolved(ctx: QueryContext, scope: ReviewFilters): Promise<number> {
  const { sql } = ctx.db;
  const { actorId: _actor, ...filters } = scope;
  const filtered = Object.values(filters).some((value) => value !== undefined && value.length > 0);
  const dimension = sql`join dimension d on d.project_id = ${ctx.project.id} and d.id = i.dimension_id`;
  const [row] = await sql<{ items: number }[]>`
    select count(*)::float8 as items from review_item i ${filtered ? dimension : sql``}
    where i.project_id = ${ctx.project.id} and i.state = 'resolved' ${filterReview(sql, ctx, scope)}`;
  return row?.items ?? 0;
}
