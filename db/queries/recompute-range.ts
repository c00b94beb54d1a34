import type postgres from 'postgres';
import type { Tally } from '@/lib/core/attempt';
import { readRetentionMark } from './retention-mark';
import { listPartitions } from '../partitions';

/** What a recomputation walks over, newest first, in bounded pages. */

export interface WalkRange {
  /** Half-open, epoch ms. */
  from: number;
  to: number;
}

/** Sort key of the last row of the page before. */
export type WalkKey = { at: string; id: string } | null;

function iso(at: number): string {
  return new Date(at).toISOString();
}

/** Counting may take longer than other statements: it runs once a job. */
export async function countOperations(tx: postgres.ISql, projectId: number, range: WalkRange): Promise<number> {
  const [limit] = await tx<{ was: string }[]>`select current_setting('statement_timeout') as was`;
  await tx`set local statement_timeout = '60s'`;
  const [row] = await tx<{ operations: number }[]>`
    select count(*)::float8 as operations from operation
    where project_id = ${projectId} and first_at >= ${iso(range.from)}::timestamptz
      and first_at < ${iso(range.to)}::timestamptz`;
  await tx`select set_config('statement_timeout', ${limit?.was ?? '5s'}, true)`;
  return row?.operations ?? 0;
}

export interface WalkedOperation {
  id: string;
  at: string;
}

export async function pageOperations(
  tx: postgres.ISql,
  projectId: number,
  range: WalkRange,
  after: WalkKey,
  limit: number,
): Promise<WalkedOperation[]> {
  const rows = await tx<WalkedOperation[]>`
    select operation_id as id, first_at::text as at from operation
    where project_id = ${projectId} and first_at >= ${iso(range.from)}::timestamptz
      and first_at < ${iso(range.to)}::timestamptz
      ${after ? tx`and (first_at, operation_id) < (${after.at}::timestamptz, ${after.id})` : tx``}
    order by first_at desc, operation_id desc limit ${limit}`;
  return [...rows];
}

export interface WalkedTally {
  id: string;
  at: string;
  /** Epoch ms. */
  minute: number;
  dimensionId: string;
  successes: number;
  event: Tally;
}

export async function pageTallies(
  tx: postgres.ISql,
  projectId: number,
  range: WalkRange,
  after: WalkKey,
  limit: number,
): Promise<WalkedTally[]> {
  const rows = await tx<WalkedTally[]>`
    select id, at::text as at, (extract(epoch from at) * 1000)::float8 as minute, dimension_id::text as "dimensionId",
           successes, event
    from fact
    where project_id = ${projectId} and type = 'tally' and at >= ${iso(range.from)}::timestamptz
      and at < ${iso(range.to)}::timestamptz
      ${after ? tx`and (at, id) < (${after.at}::timestamptz, ${after.id}::uuid)` : tx``}
    order by at desc, id desc limit ${limit}`;
  return [...rows];
}

/**
 * The instant from which on all attempts of a project are still stored, epoch ms: what began earlier may have lost
 * facts to retention, and must keep its conclusion.
 */
export async function findHorizon(sql: postgres.ISql, projectId: number): Promise<number> {
  const mark = await readRetentionMark(sql, projectId);
  return Math.max(await firstDay(sql), mark?.keptFrom ?? 0);
}

async function firstDay(sql: postgres.ISql): Promise<number> {
  const [first] = await listPartitions(sql);
  const day = /(\d{4})(\d{2})(\d{2})$/.exec(first ?? '');
  return day ? Date.UTC(Number(day[1]), Number(day[2]) - 1, Number(day[3])) : 0;
}
