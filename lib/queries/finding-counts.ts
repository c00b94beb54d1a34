import type { CheckName } from '../core/check-name';
import { SEVERITIES, type Severity } from '../core/operation';
import type { FindingCountView, ScorecardGroup, ScorecardRowView } from './finding-view';
import { alignRange, decomposeRange } from './range';
import { chooseWidth, filterDimensions, instantText, readSpans, type Fragment } from './statement';
import type { Filters, QueryContext, Range } from './views';

/** Findings in numbers: by check, and by service or SDK beside how much they did. */

function noCounts(): Record<Severity, number> {
  return { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
}

/** Narrows counts to some checks and severities; none means all. */
export interface OnlyFindings {
  check?: readonly CheckName[];
  severity?: readonly Severity[];
}

/** Findings of a project in a range that pass the filters, with their dimension. */
function fromFindings(ctx: QueryContext, range: Range, filters: Filters, { check, severity }: OnlyFindings): Fragment {
  const { sql } = ctx.db;
  return sql`from finding f left join dimension d on d.project_id = ${ctx.project.id} and d.id = f.dimension_id
    where f.project_id = ${ctx.project.id} and f.at >= ${instantText(range.from)}::timestamptz
      and f.at < ${instantText(range.to)}::timestamptz ${filterDimensions(sql, filters)}
      ${check?.length ? sql`and f.check_name = any(${[...check]}::text[])` : sql``}
      ${severity?.length ? sql`and f.severity = any(${[...severity]}::text[])` : sql``}`;
}

interface CheckRow {
  check: string;
  /** Null in the line that sums the check up. */
  severity: Severity | null;
  findings: number;
  operations: number;
  services: number;
  first_at: number;
  last_at: number;
}

/** Every check that found something in the range, the gravest first, then the most frequent. */
export async function countFindings(
  ctx: QueryContext,
  range: Range,
  filters: Filters,
  only: OnlyFindings = {},
): Promise<FindingCountView[]> {
  const { sql } = ctx.db;
  const rows = await sql<CheckRow[]>`
    select f.check_name as "check", f.severity, count(*)::float8 as findings,
      count(distinct f.operation_id)::float8 as operations, count(distinct d.service)::float8 as services,
      floor(extract(epoch from min(f.at)) * 1000)::float8 as first_at,
      floor(extract(epoch from max(f.at)) * 1000)::float8 as last_at
    ${fromFindings(ctx, alignRange(range), filters, only)}
    group by grouping sets ((f.check_name), (f.check_name, f.severity))`;
  const views = new Map<string, FindingCountView>();
  for (const row of rows.filter(({ severity }) => severity === null)) {
    const { check, operations, services, first_at: firstAt, last_at: lastAt } = row;
    views.set(check, { check, worst: 'info', counts: noCounts(), operations, services, firstAt, lastAt });
  }
  for (const { check, severity, findings } of rows) {
    const view = views.get(check);
    if (view && severity !== null) view.counts[severity] = findings;
  }
  for (const view of views.values()) view.worst = SEVERITIES.find((word) => view.counts[word] > 0) ?? 'info';
  const sum = ({ counts }: FindingCountView): number => SEVERITIES.reduce((all, word) => all + counts[word], 0);
  const rank = ({ worst }: FindingCountView): number => SEVERITIES.indexOf(worst);
  return [...views.values()].sort(
    (a, b) => rank(a) - rank(b) || sum(b) - sum(a) || a.check.localeCompare(b.check, 'en'),
  );
}

interface WorkRow {
  key: string;
  operations: number;
  attempts: number;
}

interface FaultRow {
  key: string;
  check: string;
  severity: Severity;
  findings: number;
}

/** Operations at their first attempt and tallied successes, each an operation of one send. */
function countWork(ctx: QueryContext, range: Range, filters: Filters, by: ScorecardGroup) {
  const { sql } = ctx.db;
  const spans = decomposeRange(range);
  const width = chooseWidth(filters, by);
  return sql<WorkRow[]>`
    select d.${sql(by)} as key, sum(w.operations)::float8 as operations, sum(w.attempts)::float8 as attempts
    from (
      select dimension_id, operations, attempts
      from (${readSpans(sql, 'operation_rollup', ctx.project.id, spans, width)}) o
      union all
      select dimension_id, tallied, tallied
      from (${readSpans(sql, 'rate_rollup', ctx.project.id, spans, width)}) r where tallied > 0
    ) w join dimension d on d.project_id = ${ctx.project.id} and d.id = w.dimension_id
    where true ${filterDimensions(sql, filters)}
    group by 1 having sum(w.operations) > 0`;
}

function countFaults(ctx: QueryContext, range: Range, filters: Filters, by: ScorecardGroup, only: OnlyFindings) {
  const { sql } = ctx.db;
  return sql<FaultRow[]>`
    select d.${sql(by)} as key, f.check_name as "check", f.severity, count(*)::float8 as findings
    ${fromFindings(ctx, range, filters, only)} and d.id is not null group by 1, 2, 3`;
}

/** Findings of every service, or SDK version, beside its operations; the worst share first. */
export async function listScorecard(
  ctx: QueryContext,
  range: Range,
  filters: Filters,
  by: ScorecardGroup,
  only: OnlyFindings = {},
): Promise<ScorecardRowView[]> {
  const aligned = alignRange(range);
  const [work, faults] = await Promise.all([
    countWork(ctx, aligned, filters, by),
    countFaults(ctx, aligned, filters, by, only),
  ]);
  const rows = new Map<string, ScorecardRowView>();
  const rowOf = (key: string): ScorecardRowView => {
    const row = rows.get(key) ?? {
      key,
      operations: 0,
      attempts: 0,
      findings: noCounts(),
      byCheck: {},
      perThousand: null,
    };
    rows.set(key, row);
    return row;
  };
  for (const { key, operations, attempts } of work) Object.assign(rowOf(key), { operations, attempts });
  for (const { key, check, severity, findings } of faults) {
    const row = rowOf(key);
    row.findings[severity] += findings;
    if (severity !== 'info') row.byCheck[check] = (row.byCheck[check] ?? 0) + findings;
  }
  for (const row of rows.values()) {
    const faultsOf = Object.values(row.byCheck).reduce((sum, count) => sum + count, 0);
    row.perThousand = row.operations > 0 ? (faultsOf * 1_000) / row.operations : null;
  }
  return [...rows.values()].sort(
    (a, b) =>
      (b.perThousand ?? -1) - (a.perThousand ?? -1) || b.operations - a.operations || a.key.localeCompare(b.key, 'en'),
  );
}
