import type postgres from 'postgres';
import { hasItem, isHeld, type PruneKey } from './prune-facts';

/** What a day of attempts still holds of one project, before the day is dropped whole. */

/** Half-open, epoch ms. */
export interface Day {
  from: number;
  to: number;
}

function within(sql: postgres.ISql, projectId: number, { from, to }: Day) {
  return sql`r.project_id = ${projectId} and r.started_at >= ${new Date(from).toISOString()}::timestamptz
    and r.started_at < ${new Date(to).toISOString()}::timestamptz`;
}

/** Settling has not seen some attempt of the day yet. Quick: only what is marked is looked at. */
export async function hasMarkedAttempts(sql: postgres.ISql, projectId: number, day: Day): Promise<boolean> {
  const [row] = await sql<{ any: boolean }[]>`
    select exists (
      select 1 from operation_touch t join attempt r on r.operation_id = t.operation_id
      where t.project_id = ${projectId} and ${within(sql, projectId, day)}) as any`;
  return row?.any ?? true;
}

/**
 * Some attempt of the day may not go: its operation is not concluded, is doubtful with nobody told, or was put before a
 * person by an item that doesn't hold the attempt. Reads the whole day.
 */
export async function hasNeededAttempts(sql: postgres.ISql, projectId: number, day: Day): Promise<boolean> {
  const [row] = await sql<{ any: boolean }[]>`
    select exists (
      select 1 from attempt r left join operation o on o.project_id = ${projectId} and o.operation_id = r.operation_id
      where ${within(sql, projectId, day)} and (o.operation_id is null or o.changes_at is not null
        or (o.state = 'unresolved' and not ${hasItem(sql, projectId)}))
    ) or exists (
      select 1 from review_item i join attempt r on r.operation_id = i.operation_id
      where i.project_id = ${projectId} and ${within(sql, projectId, day)} and not ${isHeld(sql, projectId)}
    ) as any`;
  return row?.any ?? true;
}

/** Keys of a day's attempts, in order. */
export async function pageDay(
  sql: postgres.ISql,
  projectId: number,
  day: Day,
  after: PruneKey | null,
  limit: number,
): Promise<PruneKey[]> {
  return await sql<PruneKey[]>`
    select r.id::text as id, r.started_at::text as at from attempt r
    where ${within(sql, projectId, day)}
      ${after ? sql`and (r.started_at, r.id) > (${after.at}::timestamptz, ${after.id}::uuid)` : sql``}
    order by r.started_at, r.id limit ${limit}`;
}

/** What the next run would remove of a project, counted without removing anything. */
export async function countPrunable(
  sql: postgres.ISql,
  projectId: number,
  before: number,
): Promise<{ attempts: number; facts: number; operations: number; findings: number }> {
  const at = new Date(before).toISOString();
  const [row] = await sql<{ attempts: number; facts: number; operations: number; findings: number }[]>`
    select
      (select count(*) from attempt r left join operation o
         on o.project_id = ${projectId} and o.operation_id = r.operation_id
       where r.project_id = ${projectId} and r.started_at < ${at}::timestamptz
         and o.operation_id is not null and o.changes_at is null
         and (case when ${hasItem(sql, projectId)} then ${isHeld(sql, projectId)} else o.state <> 'unresolved' end)
      )::float8 as attempts,
      (select count(*) from fact r left join operation o
         on o.project_id = ${projectId} and o.operation_id = r.operation_id
       where r.project_id = ${projectId} and r.at < ${at}::timestamptz
         and (r.operation_id is null or (o.changes_at is null
           and case when ${hasItem(sql, projectId)} then ${isHeld(sql, projectId)}
                    else coalesce(o.state, '') <> 'unresolved' end)))::float8 as facts,
      (select count(*) from operation r
       where r.project_id = ${projectId} and r.last_at < ${at}::timestamptz and r.changes_at is null
         and r.state <> 'unresolved' and not ${hasItem(sql, projectId)})::float8 as operations,
      (select count(*) from finding r
       where r.project_id = ${projectId} and r.at < ${at}::timestamptz and r.stream_key is not null
         and not exists (select 1 from review_item i where i.project_id = ${projectId}
           and i.operation_id = r.operation_id and i.state <> 'resolved'))::float8 as findings`;
  return row ?? { attempts: 0, facts: 0, operations: 0, findings: 0 };
}
