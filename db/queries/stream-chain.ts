import type postgres from 'postgres';

/** Chains of operations that follow one another by `parentOperationId`, walked through their references. */

const DEPTH_MAX = 10;

/** Which of some operations follow another or are followed, each with the first of its chain. */
export async function listChainTops(
  tx: postgres.ISql,
  projectId: number,
  operationIds: readonly string[],
): Promise<{ operationId: string; top: string }[]> {
  return await tx<{ operationId: string; top: string }[]>`
    with recursive own as (
      select id from unnest(${[...operationIds]}::text[]) as u(id)
      where exists (select 1 from operation_ref r
          where r.project_id = ${projectId} and r.operation_id = u.id and r.kind = 'parent')
        or exists (select 1 from operation_ref r
          where r.project_id = ${projectId} and r.kind = 'parent' and r.value = u.id)
    ), up as (
      select id as start, id, 0 as depth from own
      union
      select up.start, r.value, up.depth + 1 from up
      join operation_ref r on r.project_id = ${projectId} and r.operation_id = up.id and r.kind = 'parent'
      where up.depth < ${DEPTH_MAX} and r.value <> up.start
    )
    select distinct on (start) start as "operationId", id as top from up order by start, depth desc, id`;
}

/** Operations below some others, not these themselves. */
export async function listChildren(
  tx: postgres.ISql,
  projectId: number,
  operationIds: readonly string[],
  limit: number,
): Promise<string[]> {
  const rows = await tx<{ operation_id: string }[]>`
    select distinct operation_id from operation_ref
    where project_id = ${projectId} and kind = 'parent' and value = any(${[...operationIds]}::text[])
    order by operation_id limit ${limit}`;
  return rows.map((row) => row.operation_id);
}

/** A chain from its top down, the top included; empty where the operation follows another and so is no top. */
export async function listChain(tx: postgres.ISql, projectId: number, top: string, limit: number): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    with recursive down as (
      select ${top}::text as id, 0 as depth
      where not exists (select 1 from operation_ref r
        where r.project_id = ${projectId} and r.operation_id = ${top} and r.kind = 'parent' and r.value <> ${top})
      union
      select r.operation_id, down.depth + 1 from down
      join operation_ref r on r.project_id = ${projectId} and r.kind = 'parent' and r.value = down.id
      where down.depth < ${DEPTH_MAX} and r.operation_id <> ${top}
    )
    select id from down group by id order by min(depth), id limit ${limit}`;
  return rows.map((row) => row.id);
}
