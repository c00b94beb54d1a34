import type { Database } from '@/db/client';

/** Rows that differ between a rollup and a count over the rows it sums up; empty when they are equal. */
export interface RecountFaults {
  rate: unknown[];
  operation: unknown[];
  compliance: unknown[];
}

/** Every grain a rollup is kept at: minutes of a bucket, negative for narrow rows. */
export const ALL_GRAINS = '(values (1), (15), (60), (-15), (-60)) g(grain)';

/** Start of the bucket of the grain `g.grain` that `column` falls into. */
export function bucketOf(column: string): string {
  return `to_timestamp(floor(extract(epoch from ${column}) / (abs(g.grain) * 60)) * abs(g.grain) * 60)`;
}

/** A join that gives every row of `source` the dimension it counts under at `g.grain`, as `counted.dimension_id`. */
export function countedUnder(source: string): string {
  return `cross join ${ALL_GRAINS} cross join lateral (
    select case when g.grain > 0 then ${source}.dimension_id else (
      select n.id from dimension d join dimension n using (project_id, service, kind, code, action, profile, environment)
      where d.project_id = ${source}.project_id and d.id = ${source}.dimension_id
        and n.call = '' and n.target = '' and n.sdk = '') end as dimension_id) counted`;
}

/** `stored` except `counted`, and the other way round. */
async function differences(db: Database, projectId: number, stored: string, counted: string): Promise<unknown[]> {
  const rows = await db.sql.unsafe(
    `with stored as (${stored}), counted as (${counted})
     (select 'stored' as side, * from (select * from stored except all select * from counted) s)
     union all (select 'counted' as side, * from (select * from counted except all select * from stored) c) limit 20`,
    [projectId],
  );
  return [...rows];
}

/** Compares every rollup of a project with a count over its attempts, tallies, operations and pairs. */
export async function recountRollups(db: Database, projectId: number): Promise<RecountFaults> {
  const rate = await differences(
    db,
    projectId,
    `select grain::int, at, dimension_id, attempts::bigint, tallied::bigint from rate_rollup
     where project_id = $1 and (attempts <> 0 or tallied <> 0)`,
    `select g.grain, ${bucketOf('s.at')}, counted.dimension_id, sum(s.attempts)::bigint, sum(s.tallied)::bigint
     from (select project_id, started_at as at, dimension_id, 1 as attempts, 0 as tallied from attempt
           where project_id = $1
           union all
           select project_id, at, dimension_id, 0, successes from fact where project_id = $1 and type = 'tally') s
     ${countedUnder('s')} group by 1, 2, 3`,
  );
  const operation = await differences(
    db,
    projectId,
    `select grain::int, at, dimension_id, state, retried, operations::bigint, attempts::bigint from operation_rollup
     where project_id = $1 and operations <> 0`,
    `select g.grain, ${bucketOf('o.first_at')}, counted.dimension_id, o.state, o.retried, count(*), sum(o.attempts)::bigint
     from operation o ${countedUnder('o')} where o.project_id = $1 group by 1, 2, 3, 4, 5`,
  );
  const compliance = await differences(
    db,
    projectId,
    `select grain::int, at, dimension_id, compliance, pairs::bigint, early_ms::numeric, over_ms::numeric
     from compliance_rollup where project_id = $1 and pairs <> 0`,
    `select g.grain, ${bucketOf('p.at')}, counted.dimension_id, p.compliance, count(*), sum(p.early_ms)::numeric,
       sum(p.over_ms)::numeric
     from retry_pair p ${countedUnder('p')} where p.project_id = $1 group by 1, 2, 3, 4`,
  );
  return { rate, operation, compliance };
}
