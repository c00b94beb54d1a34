import { SUCCESS_CODE } from '../core/rollup';
import { prepareCodes } from './codes';
import { addCounts, emptyRow, type ComplianceCount } from './compliance-row';
import { preparePeriods, readCompliancePeriods, readOperationPeriods, type Period } from './periods';
import { readRatePeriods, type RatePeriods, type RateSum } from './rate-periods';
import { prepareSeries, sumTotals, type RateCell, type StateRow } from './rates';
import { getReviewSummary } from './review';
import { filterDimensions } from './statement';
import type {
  ComplianceRow,
  Filters,
  OverviewView,
  QueryContext,
  Range,
  RatesView,
  RateTotals,
  ServiceAttentionView,
  Step,
} from './views';

/** Touched operations are counted up to here; a longer backlog reads as this many. */
const TOUCHED_MAX = 10_000;
const SERVICES_MAX = 50;
const CODES_MAX = 50;

/** The step that draws a range in some tens of points. */
export function chooseStep(range: Range): Step {
  const hours = (range.to - range.from) / 3_600_000;
  if (hours <= 2) return '1m';
  if (hours <= 8) return '15m';
  return hours <= 24 * 8 ? '1h' : '1d';
}

/**
 * The first screen, from rollups only and each of them read once: its cost follows the points drawn, not the attempts
 * stored. Percentiles of earliness would need the pairs themselves, so they are null here; the compliance screen has them.
 */
export async function getOverview(ctx: QueryContext, asked: Range, filters: Filters): Promise<OverviewView> {
  const periods = preparePeriods(asked, chooseStep(asked), ctx.now);
  const [rates, ended, waits, review, openReviews, settling, hasEvents] = await Promise.all([
    readRatePeriods(ctx, periods, filters),
    readOperationPeriods(ctx, periods, filters),
    readCompliancePeriods(ctx, periods, filters),
    getReviewSummary(ctx, filters),
    countOpenReviews(ctx, filters),
    getSettling(ctx),
    hasEverReceived(ctx),
  ]);
  return {
    rates: {
      ...viewSeries(rates.now, periods.now, filters, ctx.now),
      totals: viewTotals(rates.now, ended.now, filters),
    },
    previousTotals: viewTotals(rates.before, ended.before, filters),
    review,
    compliance: viewCompliance(waits.now),
    previousCompliance: viewCompliance(waits.before),
    services: viewServices(rates, waits.now, openReviews),
    codes: prepareCodes(rates.now, rates.before, filters).slice(0, CODES_MAX),
    settling,
    hasEvents,
  };
}

function passes(filters: Filters): (row: RateSum) => boolean {
  return (row) =>
    (!filters.code?.length || filters.code.includes(row.code)) &&
    (!filters.action?.length || filters.action.includes(row.action));
}

/** How calls ended in a period; all filters apply. */
export function viewTotals(rates: readonly RateSum[], ended: readonly StateRow[], filters: Filters): RateTotals {
  const sums = { attempts: 0, tallied: 0, errors: 0 };
  for (const row of rates.filter(passes(filters))) {
    sums.attempts += row.count - row.tallied;
    sums.tallied += row.tallied;
    if (row.code !== SUCCESS_CODE) sums.errors += row.count - row.tallied;
  }
  return sumTotals(sums, ended);
}

/** A period's chart by code, the most frequent first; its denominators are all attempts, whatever `code` and `action`. */
export function viewSeries(
  rates: readonly RateSum[],
  { starts, end }: Period,
  filters: Filters,
  now: number,
): Omit<RatesView, 'totals'> {
  const all: number[] = [];
  for (const { buckets } of rates) addBuckets(all, buckets);
  const codes = new Map<string, { total: number; buckets: number[] }>();
  for (const row of rates.filter(passes(filters))) {
    const code = codes.get(row.code) ?? { total: 0, buckets: [] };
    code.total += row.count;
    addBuckets(code.buckets, row.buckets);
    codes.set(row.code, code);
  }
  const ranked = [...codes].sort(([a, x], [b, y]) => y.total - x.total || (a < b ? -1 : a > b ? 1 : 0));
  const cells = ranked.flatMap(([key, { buckets }]) =>
    buckets.map((count, bucket): RateCell => ({ bucket, key, count })),
  );
  const denominators = all.map((attempts, bucket) => ({ bucket, attempts }));
  return prepareSeries(cells, denominators, { starts, end, now });
}

function addBuckets(into: number[], buckets: readonly number[]): void {
  for (const [bucket, count] of buckets.entries()) into[bucket] = (into[bucket] ?? 0) + count;
}

/** Compliance over a whole period. */
export function viewCompliance(counts: readonly ComplianceCount[]): ComplianceRow {
  return counts.reduce((row, count) => addCounts(row, count), emptyRow(''));
}

function errorShare(rows: readonly RateSum[]): { attempts: number; errors: number; rate: number | null } {
  const attempts = rows.reduce((sum, row) => sum + row.count, 0);
  const errors = rows.reduce((sum, row) => sum + (row.code === SUCCESS_CODE ? 0 : row.count), 0);
  return { attempts, errors, rate: attempts > 0 ? errors / attempts : null };
}

/** Services beside the previous period: by open unknown writes, then by errors. `code` and `action` don't filter. */
export function viewServices(
  { now, before }: RatePeriods,
  waits: readonly ComplianceCount[],
  openReviews: readonly OpenReviews[],
): ServiceAttentionView[] {
  const names = new Set([...now, ...openReviews].map((row) => row.service));
  return [...names]
    .map((service) => {
      const share = errorShare(now.filter((row) => row.service === service));
      const previous = errorShare(before.filter((row) => row.service === service));
      return {
        service,
        attempts: share.attempts,
        errors: share.errors,
        errorRate: share.rate,
        previousErrorRate: previous.rate,
        previousAttempts: previous.attempts,
        openReviews: openReviews.find((row) => row.service === service)?.items ?? 0,
        complianceRate: viewCompliance(waits.filter((row) => row.key === service)).rate,
      };
    })
    .sort((a, b) => b.openReviews - a.openReviews || b.errors - a.errors || a.service.localeCompare(b.service, 'en'))
    .slice(0, SERVICES_MAX);
}

/** Review items of a service that aren't resolved. */
export interface OpenReviews {
  service: string;
  items: number;
}

export function countOpenReviews(ctx: QueryContext, filters: Filters) {
  const { sql } = ctx.db;
  return sql<OpenReviews[]>`
    select d.service, count(*)::float8 as items
    from review_item i join dimension d on d.project_id = ${ctx.project.id} and d.id = i.dimension_id
    where i.project_id = ${ctx.project.id} and i.state in ('waiting', 'open', 'claimed', 'snoozed')
      ${filterDimensions(sql, filters)}
    group by 1`;
}

/** How far settling is behind: operations with news, and how long the oldest has waited. */
export async function getSettling(ctx: QueryContext): Promise<OverviewView['settling']> {
  const { sql } = ctx.db;
  const [row] = await sql<{ touched: number; lag_ms: number | null }[]>`
    select count(*)::float8 as touched, floor(extract(epoch from now() - min(t.touched_at)) * 1000)::float8 as lag_ms
    from (select touched_at from operation_touch
          where project_id = ${ctx.project.id} and touched_at <= now() order by seq limit ${TOUCHED_MAX}) t`;
  return { touched: row?.touched ?? 0, lagMs: Math.max(0, row?.lag_ms ?? 0) };
}

export async function hasEverReceived(ctx: QueryContext): Promise<boolean> {
  const { sql } = ctx.db;
  const [row] = await sql<{ any: boolean }[]>`
    select exists (select 1 from dimension where project_id = ${ctx.project.id})
        or exists (select 1 from event_ledger where project_id = ${ctx.project.id}) as any`;
  return row?.any ?? false;
}
