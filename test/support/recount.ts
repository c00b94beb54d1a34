import type { Database } from '@/db/client';

/** Rows that differ between a rollup and a count over the rows it sums up; empty when they are equal. */
export interface RecountFaults {
  rate: unknown[];
  operation: unknown[];
  compliance: unknown[];
}

/** Start of the bucket of `grain` minutes that `column` falls into. */
function bucket(column: string): string {
  return `to_timestamp(floor(extract(epoch from ${column}) / (g.grain * 60)) * g.grain * 60)`;
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

const GRAINS = 'cross join (values (1), (15), (60)) g(grain)';

/** Compares every rollup of a project with a count over its attempts, tallies, operations and pairs. */
export async function recountRollups(db: Database, projectId: number): Promise<RecountFaults> {
  const rate = await differences(
    db,
    projectId,
    `select grain::int, at, dimension_id, attempts::bigint, tallied::bigint from rate_rollup
     where project_id = $1 and (attempts <> 0 or tallied <> 0)`,
    `select grain, at, dimension_id, sum(attempts)::bigint, sum(tallied)::bigint from (
       select g.grain, ${bucket('started_at')} as at, dimension_id, 1 as attempts, 0 as tallied
       from attempt ${GRAINS} where project_id = $1
       union all
       select g.grain, ${bucket('at')} as at, dimension_id, 0, successes from fact ${GRAINS}
       where project_id = $1 and type = 'tally') c group by 1, 2, 3`,
  );
  const operation = await differences(
    db,
    projectId,
    `select grain::int, at, dimension_id, state, retried, operations::bigint, attempts::bigint from operation_rollup
     where project_id = $1 and operations <> 0`,
    `select g.grain, ${bucket('first_at')}, dimension_id, state, retried, count(*), sum(attempts)::bigint
     from operation ${GRAINS} where project_id = $1 group by 1, 2, 3, 4, 5`,
  );
  const compliance = await differences(
    db,
    projectId,
    `select grain::int, at, dimension_id, compliance, pairs::bigint, early_ms::numeric, over_ms::numeric
     from compliance_rollup where project_id = $1 and pairs <> 0`,
    `select g.grain, ${bucket('at')}, dimension_id, compliance, count(*), sum(early_ms)::numeric, sum(over_ms)::numeric
     from retry_pair ${GRAINS} where project_id = $1 group by 1, 2, 3, 4`,
  );
  return { rate, operation, compliance };
}
