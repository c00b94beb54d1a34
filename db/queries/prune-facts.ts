import type postgres from 'postgres';
import { arrayLiteral } from './columns';

/**
 * Attempts and other facts that retention may take. A fact goes only once settling has concluded everything about its
 * operation, and where a person has or had to look at it, only once the item holds the fact itself.
 *
 * One statement looks at facts and marks together: ingestion stores both in one transaction, so a fact that settling
 * has not seen yet is never seen here without its mark. Call these under the project's turn.
 */

function iso(at: number): string {
  return new Date(at).toISOString();
}

/** Sort key of the last row of the page before. */
export interface PruneKey {
  at: string;
  id: string;
}

export interface PrunePage {
  /** Rows that may go, by their key. */
  removable: PruneKey[];
  /** Operations that were never concluded though nothing marks them. */
  unsettled: string[];
  /** Null after the last page. */
  next: PruneKey | null;
}

interface Row extends PruneKey {
  removable: boolean;
  unsettled: boolean;
  operation_id: string | null;
}

function toPage(rows: readonly Row[], limit: number): PrunePage {
  const last = rows.at(-1);
  return {
    removable: rows.filter((row) => row.removable).map(({ at, id }) => ({ at, id })),
    unsettled: [...new Set(rows.flatMap((row) => (row.unsettled ? (row.operation_id ?? []) : [])))],
    next: last && rows.length === limit ? { at: last.at, id: last.id } : null,
  };
}

/** Settling still has to look at the operation of row `r`. */
function isMarked(sql: postgres.ISql, projectId: number) {
  return sql`exists (
    select 1 from operation_touch t where t.project_id = ${projectId} and t.operation_id = r.operation_id)`;
}

/** A review item is about the operation of row `r`. */
export function hasItem(sql: postgres.ISql, projectId: number) {
  return sql`exists (
    select 1 from review_item i where i.project_id = ${projectId} and i.operation_id = r.operation_id)`;
}

/** A review item holds the fact of row `r` itself. */
export function isHeld(sql: postgres.ISql, projectId: number) {
  return sql`exists (
    select 1 from review_item i where i.project_id = ${projectId} and i.operation_id = r.operation_id
      and i.facts -> 'facts' @> jsonb_build_array(jsonb_build_object('id', r.id::text)))`;
}

export interface PruneSpan {
  /** Half-open, epoch ms. */
  from: number;
  to: number;
  after: PruneKey | null;
  limit: number;
}

/** Attempts of a range of event time, oldest first. */
export async function pageAttempts(tx: postgres.ISql, projectId: number, span: PruneSpan): Promise<PrunePage> {
  const { after } = span;
  const rows = await tx<Row[]>`
    select r.id::text as id, r.started_at::text as at, r.operation_id,
      o.operation_id is not null and o.changes_at is null and not ${isMarked(tx, projectId)}
        and case when ${hasItem(tx, projectId)} then ${isHeld(tx, projectId)} else o.state <> 'unresolved' end as removable,
      o.operation_id is null and not ${isMarked(tx, projectId)} as unsettled
    from (
      select project_id, started_at, id, operation_id from attempt
      where project_id = ${projectId} and started_at >= ${iso(span.from)}::timestamptz
        and started_at < ${iso(span.to)}::timestamptz
        ${after ? tx`and (started_at, id) > (${after.at}::timestamptz, ${after.id}::uuid)` : tx``}
      order by attempt.started_at, attempt.id limit ${span.limit}
    ) r
    left join operation o on o.project_id = ${projectId} and o.operation_id = r.operation_id
    order by r.started_at, r.id`;
  return toPage(rows, span.limit);
}

/** Facts of one type before an instant, oldest first. */
export async function pageFacts(
  tx: postgres.ISql,
  projectId: number,
  type: string,
  span: Omit<PruneSpan, 'from'>,
): Promise<PrunePage> {
  const { after } = span;
  const rows = await tx<Row[]>`
    select r.id::text as id, r.at::text as at, r.operation_id,
      not exists (select 1 from fact_touch t where t.project_id = ${projectId} and t.fact_id = r.id)
        and (r.operation_id is null or (
          o.changes_at is null and not ${isMarked(tx, projectId)}
          and case when ${hasItem(tx, projectId)} then ${isHeld(tx, projectId)}
                   else coalesce(o.state, '') <> 'unresolved' end)) as removable,
      false as unsettled
    from (
      select project_id, at, id, operation_id from fact
      where project_id = ${projectId} and type = ${type} and at < ${iso(span.to)}::timestamptz
        ${after ? tx`and (at, id) > (${after.at}::timestamptz, ${after.id}::uuid)` : tx``}
      order by fact.at, fact.id limit ${span.limit}
    ) r
    left join operation o on o.project_id = ${projectId} and o.operation_id = r.operation_id
    order by r.at, r.id`;
  return toPage(rows, span.limit);
}

export async function deleteAttempts(tx: postgres.ISql, projectId: number, keys: readonly PruneKey[]): Promise<number> {
  const [first, last] = [keys[0], keys.at(-1)];
  if (!first || !last) return 0;
  const done = await tx`
    delete from attempt a using unnest(
      ${arrayLiteral(keys.map(({ at }) => at))}::timestamptz[], ${arrayLiteral(keys.map(({ id }) => id))}::uuid[]
    ) as u(started_at, id)
    where a.project_id = ${projectId} and a.started_at = u.started_at and a.id = u.id
      and a.started_at >= ${first.at}::timestamptz and a.started_at <= ${last.at}::timestamptz`;
  return done.count;
}

export async function deleteFacts(tx: postgres.ISql, projectId: number, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const done = await tx`delete from fact where project_id = ${projectId} and id = any(${arrayLiteral(ids)}::uuid[])`;
  return done.count;
}

/** Ids of events that are refused by their time alone from now on. */
export async function deleteIds(tx: postgres.ISql, projectId: number, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const done = await tx`
    delete from event_ledger where project_id = ${projectId} and id = any(${arrayLiteral([...ids].sort())}::uuid[])`;
  return done.count;
}
