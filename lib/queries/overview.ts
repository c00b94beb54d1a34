import { SUCCESS_CODE } from '../core/rollup';
import { countCodes, prepareCodes, type CodeCount } from './codes';
import { countCompliance } from './compliance';
import { addCounts, emptyRow, type ComplianceCount } from './compliance-row';
import { alignRange, previousRange } from './range';
import { getRates, getRateTotals } from './rates';
import { getReviewSummary } from './review';
import { filterDimensions } from './statement';
import type { ComplianceRow, Filters, OverviewView, QueryContext, Range, ServiceAttentionView, Step } from './views';

/** Touched operations are counted up to here; a longer backlog reads as this many. */
const TOUCHED_MAX = 10_000;
const SERVICES_MAX = 50;
const CODES_MAX = 50;

/** The step that draws a range in some tens of points. */
export function chooseStep(range: Range): Step {
  const hours = (range.to - range.from) / 3_600_000;
  if (hours <= 2) return '1m';
  if (hours <= 26) return '15m';
  return hours <= 24 * 8 ? '1h' : '1d';
}

/**
 * The first screen, from rollups only: its cost follows the points drawn, not the attempts stored. Percentiles of
 * earliness would need the pairs themselves, so they are null here; the compliance screen has them.
 */
export async function getOverview(ctx: QueryContext, asked: Range, filters: Filters): Promise<OverviewView> {
  const range = alignRange(asked);
  const before = previousRange(range, ctx.now);
  const [rates, previousTotals, review, openReviews, now, then, waits, waitsBefore, settling, hasEvents] =
    await Promise.all([
      getRates(ctx, { range, step: chooseStep(range), groupBy: 'code', filters }),
      getRateTotals(ctx, before, filters),
      getReviewSummary(ctx, filters),
      countOpenReviews(ctx, filters),
      countCodes(ctx, range, filters),
      countCodes(ctx, before, filters),
      countCompliance(ctx, range, filters, 'service'),
      countCompliance(ctx, before, filters, 'service'),
      getSettling(ctx),
      hasEverReceived(ctx),
    ]);
  return {
    rates,
    previousTotals,
    review,
    compliance: sumCompliance(waits),
    previousCompliance: sumCompliance(waitsBefore),
    services: prepareServices({ now, then, waits, openReviews }),
    codes: prepareCodes(now, then, filters).slice(0, CODES_MAX),
    settling,
    hasEvents,
  };
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
