import type { Compliance } from '../core/operation';
import { alignRange, decomposeRange, listBuckets } from './range';
import { bucketNumber, chooseWidth, filterDimensions, instantText, readSpans } from './statement';
import { addCounts, emptyRow, type ComplianceCount } from './compliance-row';
import type { ComplianceGroup, ComplianceRow, ComplianceView, Filters, QueryContext, Range, Step } from './views';

export interface ComplianceInput {
  range: Range;
  step: Step;
  groupBy: ComplianceGroup;
  filters: Filters;
}

/** Lower bounds of the classes of "how early", ms. */
const EARLY_CLASSES_MS = [0, 50, 100, 250, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000] as const;

/** Who waited as long as asked: counts from rollups, percentiles and classes from the early pairs themselves. */
export async function getCompliance(ctx: QueryContext, input: ComplianceInput): Promise<ComplianceView> {
  const range = alignRange(input.range);
  const [counts, early, histogram, trend] = await Promise.all([
    countCompliance(ctx, range, input.filters, input.groupBy),
    readEarly(ctx, range, input),
    readHistogram(ctx, range, input.filters),
    readTrend(ctx, { ...input, range }),
  ]);
  const rows = new Map<string, ComplianceRow>();
  const total = emptyRow('');
  for (const count of counts) {
    const row = rows.get(count.key) ?? emptyRow(count.key);
    rows.set(count.key, addCounts(row, count));
    addCounts(total, count);
  }
  for (const line of early) {
    const row = line.is_total ? total : rows.get(line.key ?? '');
    if (!row) continue;
    row.earlyMsP50 = line.p50;
    row.earlyMsMax = line.max;
  }
  return {
    rows: [...rows.values()].sort((a, b) => b.asked - a.asked || a.key.localeCompare(b.key, 'en')),
    total,
    histogram: EARLY_CLASSES_MS.map((fromMs, i) => ({
      fromMs,
      toMs: EARLY_CLASSES_MS[i + 1] ?? null,
      count: histogram.find((line) => line.class === i + 1)?.count ?? 0,
    })),
    trend,
  };
}

/** Pairs by group and word, from rollups. */
export function countCompliance(ctx: QueryContext, range: Range, filters: Filters, groupBy: ComplianceGroup) {
  const { sql } = ctx.db;
  const spans = decomposeRange(alignRange(range));
  const width = chooseWidth(filters, groupBy);
  return sql<ComplianceCount[]>`
    select d.${sql(groupBy)} as key, r.compliance, sum(r.pairs)::float8 as pairs, sum(r.over_ms)::float8 as over_ms
    from (${readSpans(sql, 'compliance_rollup', ctx.project.id, spans, width)}) r
    join dimension d on d.project_id = ${ctx.project.id} and d.id = r.dimension_id
    where true ${filterDimensions(sql, filters)}
    group by 1, 2 having sum(r.pairs) > 0`;
}

interface EarlyRow {
  key: string | null;
  is_total: boolean;
  p50: number;
  max: number;
}

function readEarly(ctx: QueryContext, range: Range, input: ComplianceInput) {
  const { sql } = ctx.db;
  return sql<EarlyRow[]>`
    select d.${sql(input.groupBy)} as key, grouping(d.${sql(input.groupBy)}) = 1 as is_total,
           percentile_disc(0.5) within group (order by p.early_ms)::float8 as p50, max(p.early_ms)::float8 as max
    from retry_pair p join dimension d on d.project_id = ${ctx.project.id} and d.id = p.dimension_id
    where ${earlyPairs(ctx, range)} ${filterDimensions(sql, input.filters)}
    group by grouping sets ((d.${sql(input.groupBy)}), ()) having count(*) > 0`;
}

function earlyPairs(ctx: QueryContext, range: Range) {
  const { sql } = ctx.db;
  return sql`p.project_id = ${ctx.project.id} and p.compliance in ('early', 'early_capped')
    and p.at >= ${instantText(range.from)}::timestamptz and p.at < ${instantText(range.to)}::timestamptz`;
}

function readHistogram(ctx: QueryContext, range: Range, filters: Filters) {
  const { sql } = ctx.db;
  return sql<{ class: number; count: number }[]>`
    select width_bucket(p.early_ms::float8, ${[...EARLY_CLASSES_MS]}::float8[]) as class, count(*)::float8 as count
    from retry_pair p join dimension d on d.project_id = ${ctx.project.id} and d.id = p.dimension_id
    where ${earlyPairs(ctx, range)} ${filterDimensions(sql, filters)}
    group by 1`;
}

async function readTrend(ctx: QueryContext, input: ComplianceInput): Promise<ComplianceView['trend']> {
  const { sql } = ctx.db;
  const { starts } = listBuckets(input.range, input.step);
  const spans = decomposeRange(input.range, starts);
  const rows = await sql<{ bucket: number; compliance: Compliance; pairs: number }[]>`
    select ${bucketNumber(sql, 'r.at', starts)} as bucket, r.compliance, sum(r.pairs)::float8 as pairs
    from (${readSpans(sql, 'compliance_rollup', ctx.project.id, spans, chooseWidth(input.filters))}) r
    join dimension d on d.project_id = ${ctx.project.id} and d.id = r.dimension_id
    where true ${filterDimensions(sql, input.filters)}
    group by 1, 2`;
  const buckets = starts.map(() => emptyRow(''));
  for (const row of rows) {
    const bucket = buckets[row.bucket - 1];
    if (bucket) addCounts(bucket, { key: '', compliance: row.compliance, pairs: row.pairs, over_ms: 0 });
  }
  return starts.map((at, i) => {
    const { asked, honoured, early, earlyCapped, rate } = buckets[i] ?? emptyRow('');
    return { at, asked, honoured, early: early + earlyCapped, rate };
  });
}
