import type { Profile } from '../core/attempt';
import type { Compliance } from '../core/operation';
import type { Action } from '../core/verdict';
import { alignRange, decomposeRange, listBuckets, previousRange, type Span } from './range';
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

/** One dimension's rollup rows as two lists, comma separated: minutes since the epoch, and counts. */
interface RateRow extends Pick<RateSum, 'service' | 'code' | 'profile' | 'action'> {
  minutes: string;
  counts: string;
  tallied_now: number | null;
  tallied_before: number | null;
  /** Of the rows of now, where `minutes` are coarser than those; null otherwise. */
  first_at: number | null;
  last_at: number | null;
}

/** Rollup rows of both periods; where one begins as the other ends, they are one span. */
function spansOf({ now, before }: Periods, withBuckets: boolean): Span[] {
  const spans: Span[] = [];
  for (const { range, starts } of [before, now]) {
    for (const span of decomposeRange(range, withBuckets ? starts : [])) {
      const last = spans.at(-1);
      if (last?.grain === span.grain && last.to === span.from) last.to = span.to;
      else spans.push({ ...span });
    }
  }
  return spans;
}

function isBefore({ db: { sql } }: QueryContext, { now }: Periods): Fragment {
  return sql`r.at < ${instantText(now.range.from)}::timestamptz`;
}

const HOUR_MS = 3_600_000;

/** Does one bucket of the chart hold many rollup rows? */
function isCoarse({ now: { starts, end } }: Periods): boolean {
  return end - (starts[0] ?? end) > starts.length * HOUR_MS;
}

/** Rollup rows as they are, or, where a chart's bucket holds many of them, summed into its buckets. */
function selectCells(ctx: QueryContext, periods: Periods, filters: Filters): Fragment {
  const { sql } = ctx.db;
  const { starts, range } = periods.now;
  const rows = sql`
    from (${readSpans(sql, 'rate_rollup', ctx.project.id, spansOf(periods, true), chooseWidth(filters))}) r
    where r.attempts + r.tallied > 0 ${inDimensions(sql, 'r', ctx.project.id, filters)}`;
  if (!isCoarse(periods)) return sql`select r.dimension_id, r.at, r.attempts + r.tallied as count, r.tallied ${rows}`;
  // A bucket may begin before its range, where the period before still lasts.
  return sql`
    select r.dimension_id, case when ${isBefore(ctx, periods)} then ${bucketStartOf(sql, 'r.at', periods.before.starts)}
             else greatest(${bucketStartOf(sql, 'r.at', starts)}, ${instantText(range.from)}::timestamptz) end as at,
           sum(r.attempts + r.tallied) as count, sum(r.tallied) as tallied, min(r.at) as first_at, max(r.at) as last_at
    ${rows} group by 1, 2`;
}

/** Attempts by bucket, service and code. `code` and `action` do not filter: rates are shares of all attempts. */
export async function readRatePeriods(ctx: QueryContext, periods: Periods, filters: Filters): Promise<RatePeriods> {
  const { sql } = ctx.db;
  const from = sql`${instantText(periods.now.range.from)}::timestamptz`;
  const seen = isCoarse(periods)
    ? sql`(extract(epoch from min(c.first_at) filter (where c.at >= ${from})) * 1000)::float8 as first_at,
          (extract(epoch from max(c.last_at) filter (where c.at >= ${from})) * 1000)::float8 as last_at`
    : sql`null::float8 as first_at, null::float8 as last_at`;
  const rows = await sql<RateRow[]>`
    select d.service, d.code, d.profile, d.action, s.*
    from (
      select c.dimension_id, string_agg((date_part('epoch', c.at) / 60)::int::text, ',') as minutes,
             string_agg(c.count::text, ',') as counts,
             (sum(c.tallied) filter (where c.at >= ${from}))::float8 as tallied_now,
             (sum(c.tallied) filter (where c.at < ${from}))::float8 as tallied_before, ${seen}
      from (${selectCells(ctx, periods, { ...filters, code: [], action: [] })}) c
      group by 1) s
    join dimension d on d.project_id = ${ctx.project.id} and d.id = s.dimension_id`;
  const sums = { now: new Map<string, RateSum>(), before: new Map<string, RateSum>() };
  for (const row of rows) addRow(sums, row, periods);
  return { now: [...sums.now.values()], before: [...sums.before.values()] };
}

/** Adds a dimension to the sums of its service, code, profile and action, one a period. */
function addRow(sums: Record<keyof Periods, Map<string, RateSum>>, row: RateRow, periods: Periods): void {
  const counts = row.counts.split(',');
  let now: RateSum | undefined;
  let before: RateSum | undefined;
  for (const [i, minute] of row.minutes.split(',').entries()) {
    const at = Number(minute) * 60_000;
    const isNow = at >= periods.now.range.from;
    const sum = isNow ? (now ??= sumOf(sums.now, row)) : (before ??= sumOf(sums.before, row));
    const bucket = findBucket(periods[isNow ? 'now' : 'before'].starts, at);
    const count = Number(counts[i]);
    sum.count += count;
    sum.buckets.set(bucket, (sum.buckets.get(bucket) ?? 0) + count);
    sum.first_at = Math.min(sum.first_at, (isNow ? row.first_at : null) ?? at);
    sum.last_at = Math.max(sum.last_at, (isNow ? row.last_at : null) ?? at);
  }
  if (now) now.tallied += row.tallied_now ?? 0;
  if (before) before.tallied += row.tallied_before ?? 0;
}

function sumOf(sums: Map<string, RateSum>, { service, code, profile, action }: RateRow): RateSum {
  const key = JSON.stringify([service, code, profile, action]);
  const known = sums.get(key);
  if (known) return known;
  const buckets = new Map<number, number>();
  const made = { service, code, profile, action, count: 0, tallied: 0, first_at: Infinity, last_at: 0, buckets };
  sums.set(key, made);
  return made;
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
