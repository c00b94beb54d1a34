import type postgres from 'postgres';
import { arrayLiteral } from './columns';

export interface RateIncrement {
  /** The bucket's length in minutes: 1, 15 or 60; negative for a narrow row. */
  grain: number;
  /** Epoch ms of the bucket's start. */
  at: number;
  dimensionId: bigint;
  attempts: number;
  tallied: number;
}

/** @param rows sorted by (grain, at, dimensionId), each key once: writers of hot rows queue up, never cross */
export function addRates(sql: postgres.ISql, projectId: number, rows: RateIncrement[]): PromiseLike<unknown> {
  return sql`
    insert into rate_rollup (project_id, grain, at, dimension_id, attempts, tallied)
    select ${projectId}::int, u.grain, to_timestamp(u.at / 1000), u.dimension_id, u.attempts, u.tallied
    from unnest(
      ${arrayLiteral(rows.map((row) => row.grain))}::smallint[],
      ${arrayLiteral(rows.map((row) => row.at))}::float8[],
      ${arrayLiteral(rows.map((row) => row.dimensionId))}::bigint[],
      ${arrayLiteral(rows.map((row) => row.attempts))}::int[],
      ${arrayLiteral(rows.map((row) => row.tallied))}::int[]
    ) as u(grain, at, dimension_id, attempts, tallied)
    on conflict (project_id, grain, at, dimension_id) do update
      set attempts = rate_rollup.attempts + excluded.attempts, tallied = rate_rollup.tallied + excluded.tallied`;
}
