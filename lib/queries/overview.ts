import { SUCCESS_CODE } from '../core/rollup';
import type { Action } from '../core/verdict';
import { countCodes, prepareCodes, type CodeCount } from './codes';
import { countCompliance } from './compliance';
import { addCounts, emptyRow, type ComplianceCount } from './compliance-row';
import { alignRange, decomposeRange, listBuckets, previousRange } from './range';
import { countOperations, prepareSeries, sumTotals, type RateCell, type RateSums } from './rates';
import { getReviewSummary } from './review';
import { bucketNumber, chooseWidth, filterDimensions, readSpans } from './statement';
import type { ComplianceRow, Filters, OverviewView, QueryContext, Range, ServiceAttentionView, Step } from './views';

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
 * The first screen, from rollups only and each of them read once a period: its cost follows the points drawn, not the
 * attempts stored. Percentiles of earliness would need the pairs themselves, so they are null here; the compliance
 * screen has them.
 */
export async function getOverview(ctx: QueryContext, asked: Range, filters: Filters): Promise<OverviewView> {
  const range = alignRange(asked);
  const before = previousRange(range, ctx.now);
  const { starts, end } = listBuckets(range, chooseStep(range));
  const [now, then, ended, endedBefore, waits, waitsBefore, review, openReviews, settling, hasEvents] =
    await Promise.all([
      readPeriod(ctx, range, filters, starts),
      readPeriod(ctx, before, filters, []),
      countOperations(ctx, range, filters),
      countOperations(ctx, before, filters),
      countCompliance(ctx, range, filters, 'service'),
      countCompliance(ctx, before, filters, 'service'),
      getReviewSummary(ctx, filters),
      countOpenReviews(ctx, filters),
      getSettling(ctx),
      hasEverReceived(ctx),
    ]);
  const series = prepareSeries(cellsOf(now.cells, filters), denominatorsOf(now.cells), { starts, end, now: ctx.now });
  return {
    rates: { ...series, totals: sumTotals(sumRates(now.codes, filters), ended) },
    previousTotals: sumTotals(sumRates(then.codes, filters), endedBefore),
    review,
    compliance: sumCompliance(waits),
    previousCompliance: sumCompliance(waitsBefore),
    services: prepareServices({ now: now.codes, then: then.codes, waits, openReviews }),
    codes: prepareCodes(now.codes, then.codes, filters).slice(0, CODES_MAX),
    settling,
    hasEvents,
  };
}

interface PeriodCell {
  bucket: number;
  code: string;
  action: Action;
  count: number;
}

interface PeriodRow extends CodeCount {
  bucket: number | null;
  tallied: number;
}

/** Counts by bucket, and counts by service and code, of one period in one read; `code` and `action` don't filter. */
async function readPeriod(
  ctx: QueryContext,
  range: Range,
  filters: Filters,
  starts: number[],
): Promise<{ cells: PeriodCell[]; codes: (CodeCount & { tallied: number })[] }> {
  const { sql } = ctx.db;
  const rows = await sql<PeriodRow[]>`
    select h.bucket, d.service, d.code, d.profile, d.action, sum(h.attempts + h.tallied)::float8 as count,
           sum(h.tallied)::float8 as tallied, floor(extract(epoch from min(h.at)) * 1000)::float8 as first_at,
           floor(extract(epoch from max(h.at)) * 1000)::float8 as last_at
    from (select *, ${bucketNumber(sql, 'at', starts)} as bucket
          from (${readSpans(sql, 'rate_rollup', ctx.project.id, decomposeRange(range, starts), chooseWidth(filters))}) s
          where attempts + tallied > 0) h
    join dimension d on d.project_id = ${ctx.project.id} and d.id = h.dimension_id
    where true ${filterDimensions(sql, filters, ['code', 'action'])}
    group by grouping sets ((h.bucket, d.code, d.action), (d.service, d.code, d.profile, d.action))`;
  return {
    cells: rows.flatMap(({ bucket, code, action, count }) =>
      bucket === null ? [] : [{ bucket, code, action, count }],
    ),
    codes: rows.filter((row) => row.bucket === null),
  };
}

/** Cells that pass `code` and `action`, actions of one code together, the most frequent code first. */
function cellsOf(cells: readonly PeriodCell[], filters: Filters): RateCell[] {
  const passes = (cell: PeriodCell): boolean =>
    (!filters.code?.length || filters.code.includes(cell.code)) &&
    (!filters.action?.length || filters.action.includes(cell.action));
  const sums = new Map<string, RateCell>();
  const totals = new Map<string, number>();
  for (const cell of cells.filter(passes)) {
    const key = JSON.stringify([cell.bucket, cell.code]);
    const sum = sums.get(key) ?? { bucket: cell.bucket, key: cell.code, count: 0 };
    sum.count += cell.count;
    sums.set(key, sum);
    totals.set(cell.code, (totals.get(cell.code) ?? 0) + cell.count);
  }
  const rank = (key: string): number => totals.get(key) ?? 0;
  return [...sums.values()].sort((a, b) => rank(b.key) - rank(a.key) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

function denominatorsOf(cells: readonly PeriodCell[]): { bucket: number; attempts: number }[] {
  const sums = new Map<number, number>();
  for (const { bucket, count } of cells) sums.set(bucket, (sums.get(bucket) ?? 0) + count);
  return [...sums].map(([bucket, attempts]) => ({ bucket, attempts }));
}

function sumRates(codes: readonly (CodeCount & { tallied: number })[], filters: Filters): RateSums {
  const sums: RateSums = { attempts: 0, tallied: 0, errors: 0 };
  for (const row of codes) {
    if (filters.code?.length && !filters.code.includes(row.code)) continue;
    if (filters.action?.length && !filters.action.includes(row.action)) continue;
    sums.attempts += row.count - row.tallied;
    sums.tallied += row.tallied;
    if (row.code !== SUCCESS_CODE) sums.errors += row.count - row.tallied;
  }
  return sums;
}

function sumCompliance(counts: readonly ComplianceCount[], key = ''): ComplianceRow {
  return counts.reduce((row, count) => addCounts(row, count), emptyRow(key));
}

function errorShare(rows: readonly CodeCount[]): { attempts: number; errors: number; rate: number | null } {
  const attempts = rows.reduce((sum, row) => sum + row.count, 0);
  const errors = rows.reduce((sum, row) => sum + (row.code === SUCCESS_CODE ? 0 : row.count), 0);
  return { attempts, errors, rate: attempts > 0 ? errors / attempts : null };
}

/** Compliance over everything in the range; without percentiles, which need the pairs themselves. */
export async function getComplianceTotal(ctx: QueryContext, range: Range, filters: Filters): Promise<ComplianceRow> {
  return sumCompliance(await countCompliance(ctx, alignRange(range), filters, 'service'));
}

/** Services of the range beside the previous period, those that need somebody first. */
export async function listServices(ctx: QueryContext, range: Range, filters: Filters): Promise<ServiceAttentionView[]> {
  const before = previousRange(range, ctx.now);
  const [now, then, waits, openReviews] = await Promise.all([
    countCodes(ctx, range, filters),
    countCodes(ctx, before, filters),
    countCompliance(ctx, range, filters, 'service'),
    countOpenReviews(ctx, filters),
  ]);
  return prepareServices({ now, then, waits, openReviews });
}

/** Services by open unknown writes, then by errors. */
function prepareServices(input: {
  now: readonly CodeCount[];
  then: readonly CodeCount[];
  waits: readonly ComplianceCount[];
  openReviews: readonly { service: string; items: number }[];
}): ServiceAttentionView[] {
  const names = new Set([...input.now, ...input.openReviews].map((row) => row.service));
  return [...names]
    .map((service) => {
      const share = errorShare(input.now.filter((row) => row.service === service));
      const before = errorShare(input.then.filter((row) => row.service === service));
      return {
        service,
        attempts: share.attempts,
        errors: share.errors,
        errorRate: share.rate,
        previousErrorRate: before.rate,
        previousAttempts: before.attempts,
        openReviews: input.openReviews.find((row) => row.service === service)?.items ?? 0,
        complianceRate: sumCompliance(input.waits.filter((row) => row.key === service)).rate,
      };
    })
    .sort((a, b) => b.openReviews - a.openReviews || b.errors - a.errors || a.service.localeCompare(b.service, 'en'))
    .slice(0, SERVICES_MAX);
}

function countOpenReviews(ctx: QueryContext, filters: Filters) {
  const { sql } = ctx.db;
  return sql<{ service: string; items: number }[]>`
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
