import type { OperationState } from '../core/operation';
import { SUCCESS_CODE } from '../core/rollup';
import { cutPage, decodeCursor } from './cursor';
import { alignRange, QueryInputError } from './range';
import { filterDimensions, instantText, type Fragment, type Statement } from './statement';
import type { Filters, OperationRowView, Page, QueryContext, Range } from './views';

export interface OperationListInput {
  range: Range;
  filters: Filters;
  states?: OperationState[];
  /** One part of the totals' sum, so that a number on the overview has exactly its list. */
  ended?: EndedAs;
  /** Which sends a code filter speaks of; `any` unless told. */
  codeOf?: CodeOf;
  /** Operation id prefix, or exactly a request id, business key, job id or entity id. */
  q?: string;
  cursor?: string;
  limit: number;
}

/** The parts that calls add up from, as RateTotals counts them. */
export const ENDED_AS = ['first_try', 'after_retry', 'exhausted', 'unresolved', 'open'] as const;
export type EndedAs = (typeof ENDED_AS)[number];

/** `any`: the operation met the code on any send. `last`: its last verdict has it, as totals by code count. */
export const CODE_OF = ['any', 'last'] as const;
export type CodeOf = (typeof CODE_OF)[number];

const SEARCH_LENGTH_MAX = 200;

export interface OperationRow {
  operation_id: string;
  state: OperationState;
  service: string;
  call: string;
  kind: OperationRowView['kind'];
  code: string;
  action: OperationRowView['action'];
  profile: OperationRowView['profile'];
  target: string;
  sdk: string;
  environment: string;
  attempts: number;
  possible_effects: number;
  first_at: number;
  last_at: number;
  review_id: string | null;
}

/** Columns of an operation with its dimension and its live review item. */
export function selectOperation(sql: Statement, projectId: number): Fragment {
  return sql`
    o.operation_id, o.state, o.attempts, o.possible_effects,
    floor(extract(epoch from o.first_at) * 1000)::float8 as first_at,
    floor(extract(epoch from o.last_at) * 1000)::float8 as last_at,
    d.service, d.call, d.kind, d.code, d.action, d.profile, d.target, d.sdk, d.environment,
    (select i.id from review_item i where i.project_id = ${projectId} and i.operation_id = o.operation_id
      and i.state <> 'resolved' order by i.episode desc limit 1) as review_id`;
}

export function viewOperation(row: OperationRow): OperationRowView {
  return {
    operationId: row.operation_id,
    state: row.state,
    service: row.service,
    call: row.call,
    kind: row.kind,
    code: row.code,
    action: row.action,
    profile: row.profile,
    target: row.target,
    sdk: row.sdk,
    environment: row.environment,
    attempts: row.attempts,
    possibleEffects: row.possible_effects,
    firstAt: row.first_at,
    lastAt: row.last_at,
    reviewId: row.review_id,
  };
}

/**
 * Operations whose first attempt started in the range, newest first. A code filter finds every operation that
 * met the code on any of its sends, or with `codeOf: 'last'` those whose own column has it, like the other filters.
 * @throws QueryInputError on a foreign cursor or an overlong `q`.
 */
export async function listOperations(ctx: QueryContext, input: OperationListInput): Promise<Page<OperationRowView>> {
  const { sql } = ctx.db;
  const range = alignRange(input.range);
  const ofLast = input.codeOf === 'last';
  const rows = await sql<OperationRow[]>`
    select ${selectOperation(sql, ctx.project.id)} from operation o
    join dimension d on d.project_id = ${ctx.project.id} and d.id = o.dimension_id
    where o.project_id = ${ctx.project.id}
      and o.first_at >= ${instantText(range.from)}::timestamptz and o.first_at < ${instantText(range.to)}::timestamptz
      ${input.states?.length ? sql`and o.state = any(${[...input.states]}::text[])` : sql``}
      ${filterEnded(sql, input.ended)} ${filterDimensions(sql, input.filters, ofLast ? [] : ['code'])}
      ${filterCodes(sql, ctx, range, ofLast ? undefined : input.filters.code)} ${search(sql, ctx, input.q)} ${after(sql, input.cursor)}
    order by o.first_at desc, o.operation_id desc limit ${input.limit + 1}`;
  const page = cutPage(rows, input.limit, (row) => [row.first_at, row.operation_id]);
  return { items: page.rows.map(viewOperation), nextCursor: page.nextCursor };
}

function filterEnded(sql: Statement, ended: EndedAs | undefined): Fragment {
  switch (ended) {
    case undefined:
      return sql``;
    case 'first_try':
      return sql`and o.state = 'succeeded' and not o.retried`;
    case 'after_retry':
      return sql`and (o.state = 'succeeded_with_possible_duplicates' or (o.state = 'succeeded' and o.retried))`;
    case 'exhausted':
      return sql`and o.state in ('failed', 'cancelled', 'partially_applied')`;
    case 'unresolved':
      return sql`and o.state = 'unresolved'`;
    case 'open':
      return sql`and o.state = 'in_progress'`;
  }
}

/** Operations that met one of the codes on any send. */
export function filterCodes(sql: Statement, ctx: QueryContext, range: Range, codes: string[] | undefined): Fragment {
  if (!codes || codes.length === 0) return sql``;
  const met = sql`o.operation_id in (
    select f.operation_id from operation_ref f
    where f.project_id = ${ctx.project.id} and f.kind = 'code' and f.value = any(${[...codes]}::text[])
      and f.at >= ${instantText(range.from)}::timestamptz and f.at < ${instantText(range.to)}::timestamptz)`;
  return codes.includes(SUCCESS_CODE) ? sql`and (d.code = ${SUCCESS_CODE} or ${met})` : sql`and ${met}`;
}

function search(sql: Statement, ctx: QueryContext, text: string | undefined): Fragment {
  const q = text?.trim() ?? '';
  if (q === '') return sql``;
  if (q.length > SEARCH_LENGTH_MAX) throw new QueryInputError('q', 'The text searched for is too long.');
  return sql`and (starts_with(o.operation_id, ${q}) or o.operation_id in (
    select f.operation_id from operation_ref f
    where f.project_id = ${ctx.project.id} and f.kind in ('request_id', 'business_key', 'job_id', 'entity_id')
      and f.value = ${q}))`;
}

function after(sql: Statement, cursor: string | undefined): Fragment {
  if (cursor === undefined) return sql``;
  const [at, operationId] = decodeCursor(cursor, ['number', 'string']);
  if (Math.abs(Number(at)) > 8e15) throw new QueryInputError('cursor', 'The cursor is not one of this list.');
  return sql`and (o.first_at, o.operation_id) < (${instantText(Number(at))}::timestamptz, ${String(operationId)})`;
}
