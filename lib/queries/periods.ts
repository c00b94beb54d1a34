import type { Profile } from '../core/attempt';
import type { Compliance } from '../core/operation';
import type { Action } from '../core/verdict';
import { alignRange, decomposeRange, listBuckets, previousRange } from './range';
import type { StateRow } from './rates';
import type { ComplianceCount } from './compliance-row';
import { bucketStartOf, chooseWidth, inDimensions, instantText, readSpans, type Fragment } from './statement';
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

/** One dimension's rollup rows as columns, comma separated; `starts` are epoch seconds. */
interface RateRow extends Pick<RateSum, 'service' | 'code' | 'profile' | 'action'> {
  first_at: number | null;
  last_at: number | null;
  starts: string;
  attempts: string;
  tallied: string;
}

function spansOf({ now, before }: Periods, withBuckets: boolean) {
  return [before, now].flatMap(({ range, starts }) => decomposeRange(range, withBuckets ? starts : []));
}

function isBefore({ db: { sql } }: QueryContext, { now }: Periods): Fragment {
  return sql`r.at < ${instantText(now.range.from)}::timestamptz`;
}

const HOUR_MS = 3_600_000;

/** Rollup rows as they are, or, where a chart's bucket holds many of them, summed into its buckets. */
function readCells(ctx: QueryContext, periods: Periods, filters: Filters): Fragment {
  const { sql } = ctx.db;
  const { starts, end, range } = periods.now;
  const rows = sql`
    from (${readSpans(sql, 'rate_rollup', ctx.project.id, spansOf(periods, true), chooseWidth(filters))}) r
    where r.attempts + r.tallied > 0 ${inDimensions(sql, 'r', ctx.project.id, filters)}`;
  if (end - (starts[0] ?? end) <= starts.length * HOUR_MS) {
    return sql`select r.dimension_id, r.at, r.attempts, r.tallied, r.at as first_at, r.at as last_at ${rows}`;
  }
  // A bucket may begin before its range, where the period before still lasts.
  const from = instantText(range.from);
  return sql`
    select r.dimension_id, case when ${isBefore(ctx, periods)} then ${bucketStartOf(sql, 'r.at', periods.before.starts)}
             else greatest(${bucketStartOf(sql, 'r.at', starts)}, ${from}::timestamptz) end as at,
           sum(r.attempts) as attempts, sum(r.tallied) as tallied, min(r.at) as first_at, max(r.at) as last_at ${rows}
    group by 1, 2`;
}

/** Attempts by bucket, service and code. `code` and `action` do not filter: rates are shares of all attempts. */
export async function readRatePeriods(ctx: QueryContext, periods: Periods, filters: Filters): Promise<RatePeriods> {
  const { sql } = ctx.db;
  const from = instantText(periods.now.range.from);
  const rows = await sql<RateRow[]>`
    select d.service, d.code, d.profile, d.action, s.starts, s.attempts, s.tallied,
           floor(extract(epoch from s.first_at) * 1000)::float8 as first_at,
           floor(extract(epoch from s.last_at) * 1000)::float8 as last_at
    from (
      select dimension_id, min(first_at) filter (where first_at >= ${from}::timestamptz) as first_at,
             max(last_at) filter (where last_at >= ${from}::timestamptz) as last_at,
             string_agg(date_part('epoch', at)::text, ',') as starts, string_agg(attempts::text, ',') as attempts,
             string_agg(tallied::text, ',') as tallied
      from (${readCells(ctx, periods, { ...filters, code: [], action: [] })}) c
      group by 1) s
    join dimension d on d.project_id = ${ctx.project.id} and d.id = s.dimension_id`;
  const sums = { now: new Map<string, RateSum>(), before: new Map<string, RateSum>() };
  for (const row of rows) addRow(sums, row, periods);
  return { now: [...sums.now.values()], before: [...sums.before.values()] };
}

/** One sum a period, service, code, profile and action, of however many dimensions. */
function addRow(sums: Record<keyof Periods, Map<string, RateSum>>, row: RateRow, periods: Periods): void {
  const { service, code, profile, action } = row;
  const key = JSON.stringify([service, code, profile, action]);
  const attempts = row.attempts.split(',');
  const tallied = row.tallied.split(',');
  for (const [i, start] of row.starts.split(',').entries()) {
    const at = Number(start) * 1000;
    const name = at < periods.now.range.from ? 'before' : 'now';
    let sum = sums[name].get(key);
    if (!sum) {
      sum = {
        service,
        code,
        profile,
        action,
        count: 0,
        tallied: 0,
        first_at: Infinity,
        last_at: 0,
        buckets: new Map(),
      };
      sums[name].set(key, sum);
    }
    const successes = Number(tallied[i]);
    const count = Number(attempts[i]) + successes;
    const bucket = findBucket(periods[name].starts, at);
    sum.count += count;
    sum.tallied += successes;
    sum.buckets.set(bucket, (sum.buckets.get(bucket) ?? 0) + count);
    sum.first_at = Math.min(sum.first_at, (name === 'now' && row.first_at) || at);
    sum.last_at = Math.max(sum.last_at, (name === 'now' && row.last_at) || at);
  }
}

/** Number, from 1, of the bucket that holds `at`; 0 before the first. */
function findBucket(starts: readonly number[], at: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
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
