import type postgres from 'postgres';
import { arrayLiteral } from './columns';
import { hasItem, type PruneKey } from './prune-facts';

/** Conclusions that retention may take once their facts are gone, and what was found long ago. */

function iso(at: number): string {
  return new Date(at).toISOString();
}

export interface OperationPage {
  removable: string[];
  /** Null after the last page. */
  next: PruneKey | null;
}

interface Row extends PruneKey {
  removable: boolean;
}

function toPage(rows: readonly Row[], limit: number): OperationPage {
  const last = rows.at(-1);
  return {
    removable: rows.filter((row) => row.removable).map((row) => row.id),
    next: last && rows.length === limit ? { at: last.at, id: last.id } : null,
  };
}

export interface PageSpan {
  /** Epoch ms. */
  before: number;
  after: PruneKey | null;
  limit: number;
}

/**
 * Operations that began before an instant, oldest first; those may go that ended before it too, whose facts are gone
 * and that nobody has or had to look at.
 */
export async function pagePrunedOperations(
  tx: postgres.ISql,
  projectId: number,
  span: PageSpan,
): Promise<OperationPage> {
  const { after } = span;
  const before = iso(span.before);
  const rows = await tx<Row[]>`
    select r.operation_id as id, r.first_at::text as at,
      r.last_at < ${before}::timestamptz and r.changes_at is null and r.state <> 'unresolved'
        and not ${hasItem(tx, projectId)}
        and not exists (
          select 1 from operation_touch t where t.project_id = ${projectId} and t.operation_id = r.operation_id)
        and not exists (select 1 from fact f where f.project_id = ${projectId} and f.operation_id = r.operation_id)
        and not exists (
          select 1 from attempt a where a.project_id = ${projectId} and a.operation_id = r.operation_id) as removable
    from (
      select project_id, operation_id, first_at, last_at, changes_at, state from operation
      where project_id = ${projectId} and first_at < ${before}::timestamptz
        ${after ? tx`and (first_at, operation_id) > (${after.at}::timestamptz, ${after.id})` : tx``}
      order by operation.first_at, operation.operation_id limit ${span.limit}
    ) r
    order by r.first_at, r.operation_id`;
  return toPage(rows, span.limit);
}

/** Takes operations out with everything that settling wrote for them; what they count in rollups stays counted. */
export async function removeOperations(
  tx: postgres.ISql,
  projectId: number,
  operationIds: readonly string[],
): Promise<number> {
  if (operationIds.length === 0) return 0;
  const ids = JSON.stringify(operationIds);
  const own = tx`project_id = ${projectId}
    and operation_id in (select jsonb_array_elements_text(${ids}::text::jsonb))`;
  await tx`delete from stream_member where ${own}`;
  await tx`delete from finding_operation where ${own}`;
  await tx`delete from finding where ${own} and stream_key is null`;
  await tx`delete from operation_ref where ${own}`;
  await tx`delete from retry_pair where ${own}`;
  const done = await tx`delete from operation where ${own}`;
  return done.count;
}

/** Findings across operations before an instant; those charged to a write that still waits for a person stay. */
export async function pageStreamFindings(tx: postgres.ISql, projectId: number, span: PageSpan): Promise<OperationPage> {
  const { after } = span;
  const rows = await tx<Row[]>`
    select r.id::text as id, r.at::text as at,
      r.stream_key is not null and not exists (
        select 1 from review_item i where i.project_id = ${projectId} and i.operation_id = r.operation_id
          and i.state <> 'resolved') as removable
    from (
      select id, at, stream_key, operation_id from finding
      where project_id = ${projectId} and at < ${iso(span.before)}::timestamptz
        ${after ? tx`and (at, id) > (${after.at}::timestamptz, ${after.id}::uuid)` : tx``}
      order by finding.at, finding.id limit ${span.limit}
    ) r
    order by r.at, r.id`;
  return toPage(rows, span.limit);
}

/** Combinations of scope, target and service that no operation has any more; `after` is a decimal id. */
export async function pageEmptyLanes(
  tx: postgres.ISql,
  projectId: number,
  after: string | null,
  limit: number,
): Promise<{ removable: string[]; next: string | null }> {
  const rows = await tx<{ id: string; empty: boolean }[]>`
    select l.id::text as id, not exists (
      select 1 from stream_member m where m.project_id = ${projectId} and m.stream = 'lane' and m.value = l.id) as empty
    from stream_lane l
    where l.project_id = ${projectId} ${after === null ? tx`` : tx`and l.id > ${after}::bigint`}
    order by l.id limit ${limit}`;
  const last = rows.at(-1);
  return {
    removable: rows.filter((row) => row.empty).map((row) => row.id),
    next: last && rows.length === limit ? last.id : null,
  };
}

export async function deleteLanes(tx: postgres.ISql, projectId: number, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const done = await tx`
    delete from stream_lane where project_id = ${projectId} and id = any(${arrayLiteral(ids)}::bigint[])`;
  return done.count;
}

const ROLLUPS = ['rate_rollup', 'operation_rollup', 'compliance_rollup'] as const;

/** Up to `limit` rows of each rollup and grain that begin before an instant. @returns rows deleted */
export async function deleteRollups(
  tx: postgres.ISql,
  projectId: number,
  before: number,
  limit: number,
): Promise<number> {
  let deleted = 0;
  for (const table of ROLLUPS) {
    for (let grain = await nextGrain(tx, projectId, table, -32_768); grain !== null;) {
      const done = await tx`
        delete from ${tx(table)} where project_id = ${projectId} and grain = ${grain} and at in (
          select at from ${tx(table)} where project_id = ${projectId} and grain = ${grain}
            and at < ${iso(before)}::timestamptz order by at limit ${limit})`;
      deleted += done.count;
      grain = await nextGrain(tx, projectId, table, grain + 1);
    }
  }
  return deleted;
}

async function nextGrain(
  tx: postgres.ISql,
  projectId: number,
  table: (typeof ROLLUPS)[number],
  from: number,
): Promise<number | null> {
  const [row] = await tx<{ grain: number | null }[]>`
    select min(grain)::int as grain from ${tx(table)} where project_id = ${projectId} and grain >= ${from}`;
  return row?.grain ?? null;
}
