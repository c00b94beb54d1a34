import type postgres from 'postgres';
import { arrayLiteral } from './columns';
import type { RateIncrement } from './rollup';

/** Statements by which attempts and tallies come to count under another dimension than the one of their arrival. */

export interface MovedAttempt {
  id: string;
  /** The row's own key, as text: to the microsecond. */
  startedAt: string;
  dimensionId: bigint;
  ruleSet: string;
}

/** What the event says is never touched: only under what it counts, and by which edition. */
export async function updateJudgements(tx: postgres.ISql, projectId: number, rows: MovedAttempt[]): Promise<void> {
  if (rows.length === 0) return;
  const wire = rows.map((row) => ({ ...row, dimensionId: row.dimensionId.toString() }));
  const done = await tx`
    update attempt a set dimension_id = r."dimensionId", rule_set = r."ruleSet"
    from jsonb_to_recordset(${JSON.stringify(wire)}::text::jsonb) as r(
      id uuid, "startedAt" timestamptz, "dimensionId" bigint, "ruleSet" text)
    where a.project_id = ${projectId} and a.started_at = r."startedAt" and a.id = r.id`;
  if (done.count !== rows.length)
    throw new Error(`attempt: ${rows.length - done.count} rows to judge again are missing`);
}

export async function updateTallies(
  tx: postgres.ISql,
  projectId: number,
  rows: { id: string; dimensionId: bigint }[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    update fact f set dimension_id = u.dimension_id
    from unnest(${arrayLiteral(rows.map((row) => row.id))}::uuid[],
      ${arrayLiteral(rows.map((row) => row.dimensionId))}::bigint[]) as u(id, dimension_id)
    where f.project_id = ${projectId} and f.id = u.id and f.type = 'tally'`;
}

/**
 * Takes from some rollup rows what it gives to others. All rows are locked first, in the order of their keys and by the
 * very statement that ingestion uses, so that the two never wait for each other crosswise.
 * @param rows sorted by (grain, at, dimensionId), each key once; counts may be negative
 */
export async function moveRates(tx: postgres.ISql, projectId: number, rows: RateIncrement[]): Promise<void> {
  const moved = rows.filter((row) => row.attempts !== 0 || row.tallied !== 0);
  if (moved.length === 0) return;
  const columns = tx`
    ${arrayLiteral(moved.map((row) => row.grain))}::smallint[], ${arrayLiteral(moved.map((row) => row.at))}::float8[],
    ${arrayLiteral(moved.map((row) => row.dimensionId))}::bigint[],
    ${arrayLiteral(moved.map((row) => row.attempts))}::int[], ${arrayLiteral(moved.map((row) => row.tallied))}::int[]`;
  await tx`
    insert into rate_rollup (project_id, grain, at, dimension_id, attempts, tallied)
    select ${projectId}::int, u.grain, to_timestamp(u.at / 1000), u.dimension_id, 0, 0
    from unnest(${columns}) as u(grain, at, dimension_id, attempts, tallied)
    on conflict (project_id, grain, at, dimension_id) do update set attempts = rate_rollup.attempts`;
  await tx`
    update rate_rollup r set attempts = r.attempts + u.attempts, tallied = r.tallied + u.tallied
    from unnest(${columns}) as u(grain, at, dimension_id, attempts, tallied)
    where r.project_id = ${projectId} and r.grain = u.grain and r.at = to_timestamp(u.at / 1000)
      and r.dimension_id = u.dimension_id`;
  // A row that counts nothing any more would show a code that never came.
  await tx`
    delete from rate_rollup r using unnest(${columns}) as u(grain, at, dimension_id, attempts, tallied)
    where r.project_id = ${projectId} and r.grain = u.grain and r.at = to_timestamp(u.at / 1000)
      and r.dimension_id = u.dimension_id and r.attempts = 0 and r.tallied = 0`;
}
