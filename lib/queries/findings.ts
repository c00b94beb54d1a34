import type { CheckName } from '../core/check-name';
import type { Severity } from '../core/operation';
import { cutPage, decodeCursor } from './cursor';
import type { FindingRowView, FindingSubjectView, StoryFindingView } from './finding-view';
import { alignRange, QueryInputError } from './range';
import { epochMs, filterDimensions, instantText, type Fragment, type Statement } from './statement';
import type { Filters, Page, QueryContext, Range } from './views';

/** Stored findings, one by one. What a check counts to and how services compare is in finding-counts.ts. */

export interface FindingListInput {
  range: Range;
  filters: Filters;
  check?: CheckName[];
  severity?: Severity[];
  operationId?: string;
  cursor?: string;
  limit: number;
}

interface FindingRecord {
  id: string;
  check: string;
  severity: Severity;
  attempt: number | null;
  at: number;
  operation_id: string | null;
  service: string | null;
  call: string | null;
  code: string | null;
  sdk: string | null;
  subject_kind: FindingSubjectView['kind'] | null;
  subject_value: string | null;
  window_from: number | null;
  window_to: number | null;
  looked_operations: number | null;
  looked_attempts: number | null;
  evidence: Record<string, unknown>;
  rule_set: string | null;
}

function selectFinding(sql: Statement): Fragment {
  return sql`
    f.id, f.check_name as "check", f.severity, f.attempt, ${epochMs(sql, 'f.at')} as at, f.operation_id,
    d.service, d.call, d.code, d.sdk, f.subject_kind, f.subject_value, ${epochMs(sql, 'f.window_from')} as window_from,
    ${epochMs(sql, 'f.window_to')} as window_to, f.looked_operations, f.looked_attempts, f.evidence, f.rule_set`;
}

/** Where a finding came from, as the view says it. */
function viewStream(row: FindingRecord): Pick<FindingRowView, 'subject' | 'window'> {
  const { subject_kind: kind, subject_value: value, window_from: from, window_to: to } = row;
  if (kind === null || value === null || from === null || to === null) {
    return { subject: { kind: 'operation', value: row.operation_id ?? '' }, window: null };
  }
  const looked = { operations: row.looked_operations ?? 0, attempts: row.looked_attempts ?? 0 };
  return { subject: { kind, value }, window: { from, to, ...looked } };
}

function viewFinding(row: FindingRecord): FindingRowView {
  return {
    id: row.id,
    check: row.check,
    severity: row.severity,
    attempt: row.attempt,
    at: row.at,
    operationId: row.operation_id,
    service: row.service ?? '',
    call: row.call ?? '',
    code: row.code ?? '',
    sdk: row.sdk ?? '',
    ...viewStream(row),
    evidence: row.evidence,
    ruleSet: row.rule_set,
  };
}

/** Findings across operations that one of them is charged with or named by. */
function concerns(sql: Statement, projectId: number, operationId: string): Fragment {
  return sql`f.id in (select o.finding_id from finding_operation o
    where o.project_id = ${projectId} and o.operation_id = ${operationId})`;
}

/** `and f.check_name = any(…)` and the like. The finding is aliased `f`, its dimension `d`. */
function filterFindings(
  { db: { sql }, project }: QueryContext,
  input: Pick<FindingListInput, 'check' | 'severity' | 'operationId'>,
): Fragment {
  const { check, severity, operationId } = input;
  return sql`
    ${check?.length ? sql`and f.check_name = any(${[...check]}::text[])` : sql``}
    ${severity?.length ? sql`and f.severity = any(${[...severity]}::text[])` : sql``}
    ${operationId === undefined ? sql`` : sql`and (f.operation_id = ${operationId} or ${concerns(sql, project.id, operationId)})`}`;
}

/**
 * Findings of the range, newest first. The filters are those of the send a finding blames (its code is a failure's
 * wherever there was one); a finding without any send passes no filter.
 * @throws QueryInputError on a foreign cursor
 */
export async function listFindings(ctx: QueryContext, input: FindingListInput): Promise<Page<FindingRowView>> {
  const { sql } = ctx.db;
  const range = alignRange(input.range);
  const rows = await sql<FindingRecord[]>`
    select ${selectFinding(sql)} from finding f
    left join dimension d on d.project_id = ${ctx.project.id} and d.id = f.dimension_id
    where f.project_id = ${ctx.project.id}
      and f.at >= ${instantText(range.from)}::timestamptz and f.at < ${instantText(range.to)}::timestamptz
      ${filterFindings(ctx, input)} ${filterDimensions(sql, input.filters)} ${after(sql, input.cursor)}
    order by f.at desc, f.id desc limit ${input.limit + 1}`;
  const page = cutPage(rows, input.limit, (row) => [row.at, row.id]);
  return { items: page.rows.map(viewFinding), nextCursor: page.nextCursor };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function after(sql: Statement, cursor: string | undefined): Fragment {
  if (cursor === undefined) return sql``;
  const [at, id] = decodeCursor(cursor, ['number', 'string']);
  if (Math.abs(Number(at)) > 8e15 || !UUID.test(String(id))) {
    throw new QueryInputError('cursor', 'The cursor is not one of this list.');
  }
  return sql`and (f.at, f.id) < (${instantText(Number(at))}::timestamptz, ${String(id)}::uuid)`;
}

/** More findings of one operation across others than a page shows are cut. */
const STORY_FINDINGS_MAX = 50;

/** What checks across operations found about one operation. */
export async function listStreamFindings(ctx: QueryContext, operationId: string): Promise<StoryFindingView[]> {
  const { sql } = ctx.db;
  const rows = await sql<FindingRecord[]>`
    select ${selectFinding(sql)} from finding f
    left join dimension d on d.project_id = ${ctx.project.id} and d.id = f.dimension_id
    where f.project_id = ${ctx.project.id} and ${concerns(sql, ctx.project.id, operationId)}
    order by f.at, f.id limit ${STORY_FINDINGS_MAX}`;
  return rows.map((row) => {
    const { subject, window } = viewStream(row);
    return {
      check: row.check,
      severity: row.severity,
      ...(row.attempt === null ? {} : { attempt: row.attempt }),
      evidence: row.evidence,
      subject,
      ...(window === null ? {} : { window }),
    };
  });
}
