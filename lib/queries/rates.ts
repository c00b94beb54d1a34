import type { OperationState } from '../core/operation';
import { SUCCESS_CODE } from '../core/rollup';
import { alignRange, decomposeRange, listBuckets } from './range';
import { bucketNumber, chooseWidth, filterDimensions, readSpans } from './statement';
import type { Filters, QueryContext, Range, RateGroup, RatesView, RateTotals, Step } from './views';

export interface RatesInput {
  range: Range;
  step: Step;
  groupBy: RateGroup;
  filters: Filters;
}

/**
 * Attempts by time and key. A rate's denominator is every attempt of its bucket that passes the filters
 * other than `code` and `action`: filtering by a code must not make its own rate 1.
 * @throws QueryInputError
 */
export async function getRateSeries(ctx: QueryContext, input: RatesInput): Promise<Omit<RatesView, 'totals'>> {
  const range = alignRange(input.range);
  const { starts, end } = listBuckets(range, input.step);
  const [cells, denominators] = await Promise.all([
    readCells(ctx, { ...input, range }, starts),
    readDenominators(ctx, range, input.filters, starts),
  ]);
  return prepareSeries(cells, denominators, { starts, end, now: ctx.now });
}

/** The series with the totals of the range, which pass all filters. @throws QueryInputError */
export async function getRates(ctx: QueryContext, input: RatesInput): Promise<RatesView> {
  const [series, totals] = await Promise.all([
    getRateSeries(ctx, input),
    getRateTotals(ctx, input.range, input.filters),
  ]);
  return { ...series, totals };
}

export interface RateCell {
  /** Number of the bucket, from 1. */
  bucket: number;
  key: string;
  count: number;
}

/** Counts by bucket and key as series without holes; a rate is null where its bucket has no attempt. */
export function prepareSeries(
  cells: readonly RateCell[],
  denominators: readonly { bucket: number; attempts: number }[],
  time: { starts: readonly number[]; end: number; now: number },
): Omit<RatesView, 'totals'> {
  const { starts, end, now } = time;
  const attempts = new Map(denominators.map((row) => [row.bucket, row.attempts]));
  const series = new Map<string, Map<number, number>>();
  for (const cell of cells) {
    const points = series.get(cell.key) ?? new Map<number, number>();
    points.set(cell.bucket, cell.count);
    series.set(cell.key, points);
  }
  return {
    series: [...series].map(([key, counts]) => ({
      key,
      points: starts.map((at, i) => {
        const count = counts.get(i + 1) ?? 0;
        const all = attempts.get(i + 1) ?? 0;
        return { at, count, rate: all > 0 ? count / all : null };
      }),
    })),
    buckets: starts.map((at, i) => ({ at, attempts: attempts.get(i + 1) ?? 0 })),
    incompleteFrom: starts.find((_, i) => (starts[i + 1] ?? end) > now) ?? null,
  };
}

function readCells(ctx: QueryContext, input: RatesInput, starts: number[]) {
  const { sql } = ctx.db;
  const spans = decomposeRange(input.range, starts);
  const width = chooseWidth(input.filters, input.groupBy);
  return sql<RateCell[]>`
    select ${bucketNumber(sql, 'r.at', starts)} as bucket, d.${sql(input.groupBy)} as key,
           sum(r.attempts + r.tallied)::float8 as count
    from (${readSpans(sql, 'rate_rollup', ctx.project.id, spans, width)}) r
    join dimension d on d.project_id = ${ctx.project.id} and d.id = r.dimension_id
    where true ${filterDimensions(sql, input.filters)}
    group by 1, 2 having sum(r.attempts + r.tallied) > 0 order by sum(sum(r.attempts + r.tallied)) over (partition by d.${sql(input.groupBy)}) desc, 2, 1`;
}

function readDenominators(ctx: QueryContext, range: Range, filters: Filters, starts: number[]) {
  const { sql } = ctx.db;
  const spans = decomposeRange(range, starts);
  return sql<{ bucket: number; attempts: number }[]>`
    select ${bucketNumber(sql, 'r.at', starts)} as bucket, sum(r.attempts + r.tallied)::float8 as attempts
    from (${readSpans(sql, 'rate_rollup', ctx.project.id, spans, chooseWidth(filters))}) r
    join dimension d on d.project_id = ${ctx.project.id} and d.id = r.dimension_id
    where true ${filterDimensions(sql, filters, ['code', 'action'])}
    group by 1`;
}

/** Calls, attempts and how calls ended, all filters applied. calls = operations + tallied successes. */
export async function getRateTotals(ctx: QueryContext, range: Range, filters: Filters): Promise<RateTotals> {
  const { sql } = ctx.db;
  const spans = decomposeRange(alignRange(range));
  const [[rates], operations] = await Promise.all([
    sql<RateSums[]>`
      select coalesce(sum(r.attempts), 0)::float8 as attempts, coalesce(sum(r.tallied), 0)::float8 as tallied,
             coalesce(sum(r.attempts) filter (where d.code <> ${SUCCESS_CODE}), 0)::float8 as errors
      from (${readSpans(sql, 'rate_rollup', ctx.project.id, spans, chooseWidth(filters))}) r
      join dimension d on d.project_id = ${ctx.project.id} and d.id = r.dimension_id
      where true ${filterDimensions(sql, filters)}`,
    countOperations(ctx, range, filters),
  ]);
  return sumTotals(rates ?? { attempts: 0, tallied: 0, errors: 0 }, operations);
}

/** Operations by how they ended, at their first attempt's time. */
export function countOperations(ctx: QueryContext, range: Range, filters: Filters) {
  const { sql } = ctx.db;
  const spans = decomposeRange(alignRange(range));
  return sql<StateRow[]>`
    select o.state, o.retried, sum(o.operations)::float8 as operations, sum(o.attempts)::float8 as attempts
    from (${readSpans(sql, 'operation_rollup', ctx.project.id, spans, chooseWidth(filters))}) o
    join dimension d on d.project_id = ${ctx.project.id} and d.id = o.dimension_id
    where true ${filterDimensions(sql, filters)}
    group by 1, 2`;
}

/** Attempts sent as events, successes tallied, failures among the attempts. */
export interface RateSums {
  attempts: number;
  tallied: number;
  errors: number;
}

export interface StateRow {
  state: OperationState;
  retried: boolean;
  operations: number;
  attempts: number;
}

export function sumTotals(rates: RateSums, operations: readonly StateRow[]): RateTotals {
  const count = (test: (row: StateRow) => boolean): number =>
    operations.filter(test).reduce((sum, row) => sum + row.operations, 0);
  const calls = count(() => true) + rates.tallied;
  const sends = operations.reduce((sum, row) => sum + row.attempts, 0) + rates.tallied;
  return {
    calls,
    attempts: rates.attempts + rates.tallied,
    errors: rates.errors,
    firstTrySuccess: count((row) => row.state === 'succeeded' && !row.retried) + rates.tallied,
    successAfterRetry: count(
      (row) => row.state === 'succeeded_with_possible_duplicates' || (row.state === 'succeeded' && row.retried),
    ),
    exhausted: count((row) => ['failed', 'cancelled', 'partially_applied'].includes(row.state)),
    unresolved: count((row) => row.state === 'unresolved'),
    open: count((row) => row.state === 'in_progress'),
    attemptsPerOperation: calls > 0 ? sends / calls : null,
  };
}
