import type { Profile } from '../core/attempt';
import { SUCCESS_CODE } from '../core/rollup';
import type { Action } from '../core/verdict';
import { listOperations } from './operations';
import { alignRange, decomposeRange, previousRange } from './range';
import { chooseWidth, filterDimensions, readSpans } from './statement';
import type { CodeDetailView, CodeRowView, Filters, QueryContext, Range } from './views';

/** Attempts of one service, code, profile and action in a range, from rollups. */
export interface CodeCount {
  service: string;
  code: string;
  profile: Profile;
  action: Action;
  count: number;
  first_at: number;
  last_at: number;
}

const RECENT_OPERATIONS = 10;
const DETAIL_GROUPS_MAX = 50;
const FINE_MS = 2 * 3_600_000;

/**
 * Counts by service and code with successes; `code` and `action` do not filter, they are the numerator's.
 * @param seen `exact` reads the last two hours by the minute, so that "last seen" is exact where it matters
 */
function countCodes(ctx: QueryContext, range: Range, filters: Filters, seen: 'exact' | 'rough' = 'rough') {
  const { sql } = ctx.db;
  const { from, to } = alignRange(range);
  const recent = Math.max(from, Math.floor((Math.min(to, ctx.now) - FINE_MS) / 3_600_000) * 3_600_000);
  const fineFrom = seen === 'exact' ? recent : to;
  const coarse = from < fineFrom ? decomposeRange({ from, to: fineFrom }) : [];
  const fine = fineFrom < to ? [{ grain: 1 as const, from: fineFrom, to }] : [];
  return sql<CodeCount[]>`
    select d.service, d.code, d.profile, d.action, sum(r.attempts + r.tallied)::float8 as count,
           floor(extract(epoch from min(r.at)) * 1000)::float8 as first_at,
           floor(extract(epoch from max(r.at)) * 1000)::float8 as last_at
    from (${readSpans(sql, 'rate_rollup', ctx.project.id, [...coarse, ...fine], chooseWidth(filters))}) r
    join dimension d on d.project_id = ${ctx.project.id} and d.id = r.dimension_id
    where r.attempts + r.tallied > 0 ${filterDimensions(sql, filters, ['code', 'action'])}
    group by 1, 2, 3, 4`;
}

function matches(filters: Filters): (row: Pick<CodeCount, 'code' | 'action'>) => boolean {
  return (row) =>
    row.code !== SUCCESS_CODE &&
    (!filters.code?.length || filters.code.includes(row.code)) &&
    (!filters.action?.length || filters.action.includes(row.action));
}

function sumCounts(rows: readonly { count: number }[]): number {
  return rows.reduce((sum, row) => sum + row.count, 0);
}

/** One row a code and profile, most frequent first; those seen only in the previous period stay with count 0. */
export function prepareCodes(now: readonly CodeCount[], before: readonly CodeCount[], filters: Filters): CodeRowView[] {
  const keyOf = (row: CodeCount): string => JSON.stringify([row.code, row.profile]);
  const all = { now: sumCounts(now), before: sumCounts(before) };
  const groups = new Map<string, { now: CodeCount[]; before: CodeCount[] }>();
  for (const [period, rows] of [
    ['now', now],
    ['before', before],
  ] as const) {
    for (const row of rows.filter(matches(filters))) {
      const group = groups.get(keyOf(row)) ?? { now: [], before: [] };
      group[period].push(row);
      groups.set(keyOf(row), group);
    }
  }
  return [...groups.values()]
    .map((group) => prepareCode(group, all))
    .sort((a, b) => b.count - a.count || b.previousCount - a.previousCount || a.code.localeCompare(b.code, 'en'));
}

function prepareCode(
  group: { now: CodeCount[]; before: CodeCount[] },
  all: { now: number; before: number },
): CodeRowView {
  const rows = [...group.now, ...group.before];
  const most = rows.reduce((a, b) => (b.count > a.count ? b : a));
  const count = sumCounts(group.now);
  const previousCount = sumCounts(group.before);
  return {
    code: most.code,
    profile: most.profile,
    count,
    rate: all.now > 0 ? count / all.now : null,
    previousCount,
    previousRate: all.before > 0 ? previousCount / all.before : null,
    attempts: all.now,
    previousAttempts: all.before,
    firstAt: group.now.length > 0 ? Math.min(...group.now.map((row) => row.first_at)) : null,
    lastAt: group.now.length > 0 ? Math.max(...group.now.map((row) => row.last_at)) : null,
    actions: [...new Set(rows.map((row) => row.action))].sort(),
  };
}

/** Every failure code of the range beside the previous period. */
export async function listCodes(ctx: QueryContext, range: Range, filters: Filters): Promise<CodeRowView[]> {
  const [now, before] = await Promise.all([
    countCodes(ctx, range, filters, 'exact'),
    countCodes(ctx, previousRange(range, ctx.now), filters),
  ]);
  return prepareCodes(now, before, filters);
}

/** One code, whatever its profile: who gets it and its newest operations. Null when neither period has it. */
export async function getCode(
  ctx: QueryContext,
  code: string,
  range: Range,
  filters: Filters,
): Promise<CodeDetailView | null> {
  const scope: Filters = { ...filters, code: [code] };
  const [now, before, groups, recent] = await Promise.all([
    countCodes(ctx, range, filters, 'exact'),
    countCodes(ctx, previousRange(range, ctx.now), filters),
    countGroups(ctx, range, scope),
    listOperations(ctx, { range, filters: scope, limit: RECENT_OPERATIONS }),
  ]);
  const hits = { now: now.filter(matches(scope)), before: before.filter(matches(scope)) };
  if (hits.now.length + hits.before.length === 0) return null;
  const of = (field: GroupRow['field']): { key: string; count: number }[] =>
    groups
      .filter((row) => row.field === field)
      .map(({ key, count }) => ({ key, count }))
      .slice(0, DETAIL_GROUPS_MAX);
  return {
    code,
    total: prepareCode(hits, { now: sumCounts(now), before: sumCounts(before) }),
    byService: of('service'),
    byCall: of('call'),
    byKind: of('kind'),
    bySdk: of('sdk'),
    recent: recent.items,
  };
}

interface GroupRow {
  field: 'service' | 'call' | 'kind' | 'sdk';
  key: string;
  count: number;
}

function countGroups(ctx: QueryContext, range: Range, filters: Filters) {
  const { sql } = ctx.db;
  return sql<GroupRow[]>`
    select case when grouping(d.service) = 0 then 'service' when grouping(d.call) = 0 then 'call'
                when grouping(d.kind) = 0 then 'kind' else 'sdk' end as field,
           coalesce(d.service, d.call, d.kind, d.sdk) as key, sum(r.attempts + r.tallied)::float8 as count
    from (${readSpans(sql, 'rate_rollup', ctx.project.id, decomposeRange(alignRange(range)), 'wide')}) r
    join dimension d on d.project_id = ${ctx.project.id} and d.id = r.dimension_id
    where true ${filterDimensions(sql, filters)}
    group by grouping sets ((d.service), (d.call), (d.kind), (d.sdk))
    order by 3 desc, 2`;
}
