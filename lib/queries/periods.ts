import type { Profile } from '../core/attempt';
import type { Compliance } from '../core/operation';
import type { Action } from '../core/verdict';
import { alignRange, decomposeRange, listBuckets, previousRange } from './range';
import type { StateRow } from './rates';
import type { ComplianceCount } from './compliance-row';
import { bucketNumber, chooseWidth, instantText, inDimensions, readSpans, type Fragment } from './statement';
import type { Filters, QueryContext, Range, Step } from './views';

/** A range and the one before it, both read by one statement a rollup: what all panels of a screen share. */

export interface Periods {
  now: Period;
  before: Period;
}

export interface Period {
  /** Aligned to minutes. The one before may be empty: nothing of the range has elapsed then. */
  range: Range;
  /** Starts of the buckets of a chart, and the end of the last. */
  starts: number[];
  end: number;
}

/** @throws QueryInputError when the range is empty or the step too fine */
export function preparePeriods(asked: Range, step: Step, now: number): Periods {
  const range = alignRange(asked);
  const before = previousRange(range, now);
  const none = { starts: [], end: before.to };
  return {
    now: { range, ...listBuckets(range, step) },
    before: { range: before, ...(before.from < before.to ? listBuckets(before, step) : none) },
  };
}

/** Attempts of one service, code, profile and action in a period. */
export interface RateSum {
  service: string;
  code: string;
  profile: Profile;
  action: Action;
  /** Attempts sent as events and successes tallied. */
  count: number;
  tallied: number;
  /** Starts of the first and the last rollup bucket that has any, epoch ms. */
  first_at: number;
  last_at: number;
  /** Counts by number of the chart's bucket, from 1. */
  buckets: Map<number, number>;
}

export interface RatePeriods {
  now: RateSum[];
  before: RateSum[];
}

interface RateRow extends Omit<RateSum, 'count' | 'tallied' | 'buckets'> {
  is_before: boolean;
  /** `bucket:attempts:tallied`, comma separated. */
  cells: string;
}

function spansOf({ now, before }: Periods, withBuckets: boolean) {
  return [before, now].flatMap(({ range, starts }) => decomposeRange(range, withBuckets ? starts : []));
}

function isBefore({ db: { sql } }: QueryContext, { now }: Periods): Fragment {
  return sql`r.at < ${instantText(now.range.from)}::timestamptz`;
}

/** Attempts by bucket, service and code. `code` and `action` do not filter: rates are shares of all attempts. */
export async function readRatePeriods(ctx: QueryContext, periods: Periods, filters: Filters): Promise<RatePeriods> {
  const { sql } = ctx.db;
  const scope: Filters = { ...filters, code: [], action: [] };
  const rows = await sql<RateRow[]>`
    select d.service, d.code, d.profile, d.action, s.is_before, s.cells,
           floor(extract(epoch from s.first_at) * 1000)::float8 as first_at,
           floor(extract(epoch from s.last_at) * 1000)::float8 as last_at
    from (
      select dimension_id, is_before, min(first_at) as first_at, max(last_at) as last_at,
             string_agg(bucket || ':' || attempts || ':' || tallied, ',') as cells
      from (
        select r.dimension_id, ${isBefore(ctx, periods)} as is_before,
               case when ${isBefore(ctx, periods)} then ${bucketNumber(sql, 'r.at', periods.before.starts)}
                    else ${bucketNumber(sql, 'r.at', periods.now.starts)} end as bucket,
               sum(r.attempts) as attempts, sum(r.tallied) as tallied, min(r.at) as first_at, max(r.at) as last_at
        from (${readSpans(sql, 'rate_rollup', ctx.project.id, spansOf(periods, true), chooseWidth(scope))}) r
        where r.attempts + r.tallied > 0 ${inDimensions(sql, 'r', ctx.project.id, scope)}
        group by 1, 2, 3) c
      group by 1, 2) s
    join dimension d on d.project_id = ${ctx.project.id} and d.id = s.dimension_id`;
  return { now: sumRows(rows, false), before: sumRows(rows, true) };
}

/** One sum a service, code, profile and action, of however many dimensions. */
function sumRows(rows: readonly RateRow[], before: boolean): RateSum[] {
  const sums = new Map<string, RateSum>();
  for (const { is_before, cells, ...row } of rows) {
    if (is_before !== before) continue;
    const key = JSON.stringify([row.service, row.code, row.profile, row.action]);
    const sum = sums.get(key) ?? { ...row, count: 0, tallied: 0, buckets: new Map<number, number>() };
    sum.first_at = Math.min(sum.first_at, row.first_at);
    sum.last_at = Math.max(sum.last_at, row.last_at);
    for (const cell of cells.split(',')) {
      const [bucket = 0, attempts = 0, tallied = 0] = cell.split(':').map(Number);
      sum.count += attempts + tallied;
      sum.tallied += tallied;
      sum.buckets.set(bucket, (sum.buckets.get(bucket) ?? 0) + attempts + tallied);
    }
    sums.set(key, sum);
  }
  return [...sums.values()];
}

interface PeriodRow {
  is_before: boolean;
}

function splitRows<T extends PeriodRow>(rows: readonly T[]): { now: T[]; before: T[] } {
  return { now: rows.filter((row) => !row.is_before), before: rows.filter((row) => row.is_before) };
}

/** Operations by how they ended, at their first attempt's time. */
export async function readOperationPeriods(ctx: QueryContext, periods: Periods, filters: Filters) {
  const { sql } = ctx.db;
  const spans = spansOf(periods, false);
  const rows = await sql<(StateRow & PeriodRow)[]>`
    select r.state, r.retried, ${isBefore(ctx, periods)} as is_before, sum(r.operations)::float8 as operations,
           sum(r.attempts)::float8 as attempts
    from (${readSpans(sql, 'operation_rollup', ctx.project.id, spans, chooseWidth(filters))}) r
    where true ${inDimensions(sql, 'r', ctx.project.id, filters)}
    group by 1, 2, 3`;
  return splitRows(rows);
}

/** Pairs by service and word. */
export async function readCompliancePeriods(ctx: QueryContext, periods: Periods, filters: Filters) {
  const { sql } = ctx.db;
  const spans = spansOf(periods, false);
  const rows = await sql<(ComplianceCount & { compliance: Compliance } & PeriodRow)[]>`
    select d.service as key, s.compliance, s.is_before, sum(s.pairs)::float8 as pairs, sum(s.over_ms)::float8 as over_ms
    from (
      select r.dimension_id, r.compliance, ${isBefore(ctx, periods)} as is_before, sum(r.pairs) as pairs,
             sum(r.over_ms) as over_ms
      from (${readSpans(sql, 'compliance_rollup', ctx.project.id, spans, chooseWidth(filters))}) r
      where r.pairs > 0 ${inDimensions(sql, 'r', ctx.project.id, filters)}
      group by 1, 2, 3) s
    join dimension d on d.project_id = ${ctx.project.id} and d.id = s.dimension_id
    group by 1, 2, 3`;
  return splitRows(rows);
}
