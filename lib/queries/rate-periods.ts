import type { Profile } from '../core/attempt';
import type { Action } from '../core/verdict';
import { isBefore, spansOf, type Periods } from './periods';
import { bucketStartOf, chooseWidth, inDimensions, instantText, readSpans, type Fragment } from './statement';
import type { Filters, QueryContext } from './views';

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
  /** Counts by number of the chart's bucket, from 1; what lies before the first is under 0. */
  buckets: number[];
}

export interface RatePeriods {
  now: RateSum[];
  before: RateSum[];
}

/**
 * Rollup rows that begin together, as comma separated lists in one order: a row sent by itself costs PostgreSQL and us
 * several times what an entry of a list does.
 */
interface MomentRow {
  at: number;
  dimensions: string;
  counts: string;
  /** `dimension:count` of those with successes that arrived as tallies. */
  tallies: string | null;
  /** Minutes since the epoch of the first and last rows, where `at` is coarser than those. */
  firsts: string | null;
  lasts: string | null;
}

interface DimensionRow extends Pick<RateSum, 'service' | 'code' | 'profile' | 'action'> {
  id: string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

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
  const moments = await readMoments(ctx, periods, { ...filters, code: [], action: [] });
  const dimensions = await readDimensions(ctx, moments);
  const known = { now: new Map<string, RateSum>(), before: new Map<string, RateSum>() };
  const sums = { now: new Map<string, RateSum>(), before: new Map<string, RateSum>() };
  for (const moment of moments) {
    const name = moment.at >= periods.now.range.from ? 'now' : 'before';
    const { starts } = periods[name];
    const find = (id: string): RateSum => {
      const sum = sums[name].get(id) ?? sumOf(known[name], dimensions.get(id), starts.length);
      sums[name].set(id, sum);
      return sum;
    };
    addMoment(moment, findBucket(starts, moment.at), find);
  }
  return { now: [...known.now.values()], before: [...known.before.values()] };
}

function readMoments(ctx: QueryContext, periods: Periods, filters: Filters) {
  const { sql } = ctx.db;
  const seen = (column: 'first_at' | 'last_at'): Fragment =>
    isCoarse(periods) ? sql`string_agg((date_part('epoch', c.${sql(column)}) / 60)::int::text, ',')` : sql`null`;
  return sql<MomentRow[]>`
    select date_part('epoch', c.at) * 1000 as at, string_agg(c.dimension_id::text, ',') as dimensions,
           string_agg(c.count::text, ',') as counts,
           string_agg(c.dimension_id || ':' || c.tallied, ',') filter (where c.tallied > 0) as tallies,
           ${seen('first_at')} as firsts, ${seen('last_at')} as lasts
    from (${selectCells(ctx, periods, filters)}) c
    group by c.at`;
}

async function readDimensions(ctx: QueryContext, moments: readonly MomentRow[]): Promise<Map<string, DimensionRow>> {
  const { sql } = ctx.db;
  const ids = new Set(moments.flatMap((moment) => moment.dimensions.split(',')));
  if (ids.size === 0) return new Map();
  const rows = await sql<DimensionRow[]>`
    select id::text, service, code, profile, action from dimension
    where project_id = ${ctx.project.id} and id = any(${`{${[...ids].join(',')}}`}::text::bigint[])`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** Adds what began at one moment to the sums of its dimensions. */
function addMoment(moment: MomentRow, bucket: number, find: (id: string) => RateSum): void {
  const counts = moment.counts.split(',');
  const firsts = moment.firsts?.split(',');
  const lasts = moment.lasts?.split(',');
  for (const [i, id] of moment.dimensions.split(',').entries()) {
    const sum = find(id);
    const count = Number(counts[i]);
    sum.count += count;
    sum.buckets[bucket] = (sum.buckets[bucket] ?? 0) + count;
    sum.first_at = Math.min(sum.first_at, firsts ? Number(firsts[i]) * MINUTE_MS : moment.at);
    sum.last_at = Math.max(sum.last_at, lasts ? Number(lasts[i]) * MINUTE_MS : moment.at);
  }
  for (const tally of moment.tallies?.split(',') ?? []) {
    const [id = '', count] = tally.split(':');
    find(id).tallied += Number(count);
  }
}

function sumOf(known: Map<string, RateSum>, dimension: DimensionRow | undefined, buckets: number): RateSum {
  if (!dimension) throw new Error('a rollup row names a dimension that its project does not have');
  const { service, code, profile, action } = dimension;
  const key = JSON.stringify([service, code, profile, action]);
  const sum = known.get(key) ?? {
    service,
    code,
    profile,
    action,
    count: 0,
    tallied: 0,
    first_at: Infinity,
    last_at: 0,
    buckets: new Array<number>(buckets + 1).fill(0),
  };
  known.set(key, sum);
  return sum;
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
