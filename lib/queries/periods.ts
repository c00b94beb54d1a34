import type { Compliance } from '../core/operation';
import { alignRange, decomposeRange, listBuckets, previousRange, type Span } from './range';
import type { StateRow } from './rates';
import type { ComplianceCount } from './compliance-row';
import { chooseWidth, inDimensions, instantText, readSpans, type Fragment } from './statement';
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

/** Rollup rows of both periods; where one begins as the other ends, they are one span. */
export function spansOf({ now, before }: Periods, withBuckets: boolean): Span[] {
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

/** Does rollup row `r` belong to the period before? */
export function isBefore({ db: { sql } }: QueryContext, { now }: Periods): Fragment {
  return sql`r.at < ${instantText(now.range.from)}::timestamptz`;
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
