import type postgres from 'postgres';
import { GRAINS, NARROW_GRAINS } from '@/lib/core/rollup';

/** Compares rollups with a count over the rows that they sum up. Reads only. Instants are epoch ms. */

export const RECOUNTED = ['rate_rollup', 'operation_rollup', 'compliance_rollup'] as const;
export type Recounted = (typeof RECOUNTED)[number];

/** A rollup row that isn't what a count gives. */
export interface Drift {
  table: Recounted;
  /** Minutes of a bucket, negative for rows summed over call, target and SDK. */
  grain: number;
  at: number;
  /** Decimal; null where the narrow dimension is missing. */
  dimensionId: string | null;
  /** What else the row is counted by: state and whether retried, or compliance. */
  key: string;
  /** The row's numbers, in the order of its columns. A missing row has zeros. */
  stored: number[];
  counted: number[];
}

export interface Span {
  from: number;
  to: number;
}

const GRAIN_LIST = `{${[...GRAINS, ...NARROW_GRAINS.map((grain) => -grain)].join(',')}}`;

type Fragment = postgres.PendingQuery<postgres.Row[]>;

function iso(at: number): string {
  return new Date(at).toISOString();
}

function within(sql: postgres.ISql, column: string, projectId: number, { from, to }: Span): Fragment {
  return sql`project_id = ${projectId} and ${sql(column)} >= ${iso(from)}::timestamptz
    and ${sql(column)} < ${iso(to)}::timestamptz`;
}

/** What is counted, as (at, dimension_id, key, m1, m2, m3). */
function sourceOf(sql: postgres.ISql, table: Recounted, projectId: number, span: Span): Fragment {
  switch (table) {
    case 'rate_rollup':
      return sql`
        select started_at as at, dimension_id, '' as key, 1::bigint as m1, 0::bigint as m2, 0::bigint as m3 from attempt
        where ${within(sql, 'started_at', projectId, span)}
        union all
        select at, dimension_id, '', 0, successes, 0 from fact
        where ${within(sql, 'at', projectId, span)} and type = 'tally'`;
    case 'operation_rollup':
      return sql`
        select first_at as at, dimension_id, state || ' ' || retried as key, 1::bigint as m1, attempts::bigint as m2,
          0::bigint as m3
        from operation where ${within(sql, 'first_at', projectId, span)}`;
    case 'compliance_rollup':
      return sql`
        select at, dimension_id, compliance as key, 1::bigint as m1, early_ms as m2, over_ms as m3
        from retry_pair where ${within(sql, 'at', projectId, span)}`;
  }
}

/** What is kept, in the same columns and with its grain. */
function storedOf(sql: postgres.ISql, table: Recounted, projectId: number, span: Span): Fragment {
  const columns = {
    rate_rollup: sql`'' as key, attempts as m1, tallied as m2, 0 as m3`,
    operation_rollup: sql`state || ' ' || retried as key, operations as m1, attempts as m2, 0 as m3`,
    compliance_rollup: sql`compliance as key, pairs as m1, early_ms as m2, over_ms as m3`,
  };
  // The grain is named so that the key of the table is read from its start.
  return sql`
    select grain::int, at, dimension_id, ${columns[table]} from ${sql(table)}
    where grain in (-60, -15, 1, 15, 60) and ${within(sql, 'at', projectId, span)}`;
}

interface DriftRecord {
  grain: number;
  at: number;
  dimension_id: string | null;
  key: string;
  stored: number[];
  counted: number[];
  rows: number;
}

/**
 * One rollup in a span of whole hours, every grain, in one statement: what is committed meanwhile is seen in both or in
 * neither.
 * @returns how many rows differ, and the first of them
 */
export async function compareRollup(
  sql: postgres.ISql,
  table: Recounted,
  projectId: number,
  span: Span,
  examplesMax: number,
): Promise<{ rows: number; examples: Drift[] }> {
  const records = await sql<DriftRecord[]>`
    with minutes as materialized (
      select to_timestamp(floor(extract(epoch from s.at) / 60) * 60) as at, s.dimension_id, s.key,
        sum(s.m1) as m1, sum(s.m2) as m2, sum(s.m3) as m3
      from (${sourceOf(sql, table, projectId, span)}) s group by 1, 2, 3),
    narrow as (
      select w.id as wide_id, n.id as narrow_id
      from dimension w join dimension n on n.project_id = ${projectId} and n.call = '' and n.target = '' and n.sdk = ''
        and (n.service, n.kind, n.code, n.action, n.profile, n.environment)
          = (w.service, w.kind, w.code, w.action, w.profile, w.environment)
      where w.project_id = ${projectId} and w.id in (select dimension_id from minutes)),
    counted as (
      select g.grain, to_timestamp(floor(extract(epoch from m.at) / (abs(g.grain) * 60)) * abs(g.grain) * 60) as at,
        case when g.grain > 0 then m.dimension_id else n.narrow_id end as dimension_id, m.key,
        sum(m.m1) as m1, sum(m.m2) as m2, sum(m.m3) as m3
      from minutes m left join narrow n on n.wide_id = m.dimension_id
      cross join unnest(${GRAIN_LIST}::text::int[]) g(grain)
      group by 1, 2, 3, 4),
    stored as (${storedOf(sql, table, projectId, span)})
    select coalesce(s.grain, c.grain) as grain,
      (extract(epoch from coalesce(s.at, c.at)) * 1000)::float8 as at,
      coalesce(s.dimension_id, c.dimension_id)::text as dimension_id, coalesce(s.key, c.key) as key,
      array[coalesce(s.m1, 0), coalesce(s.m2, 0), coalesce(s.m3, 0)]::float8[] as stored,
      array[coalesce(c.m1, 0), coalesce(c.m2, 0), coalesce(c.m3, 0)]::float8[] as counted,
      count(*) over ()::float8 as rows
    from stored s full join counted c
      on s.grain = c.grain and s.at = c.at and s.dimension_id = c.dimension_id and s.key = c.key
    where (coalesce(s.m1, 0), coalesce(s.m2, 0), coalesce(s.m3, 0))
      <> (coalesce(c.m1, 0), coalesce(c.m2, 0), coalesce(c.m3, 0))
    order by 2, 1, 3, 4 limit ${examplesMax}`;
  const examples = records.map(({ rows: _rows, dimension_id: dimensionId, ...row }) => ({
    table,
    dimensionId,
    ...row,
  }));
  return { rows: records[0]?.rows ?? 0, examples };
}

/** From the first to the last instant that anything is counted at or rolled up under; null when there is nothing. */
export async function findCountedSpan(sql: postgres.ISql, projectId: number): Promise<Span | null> {
  const ends = (table: Recounted): Fragment => sql`
    select e.first, e.last from unnest(${GRAIN_LIST}::text::int[]) g(grain) cross join lateral (
      select min(at) as first, max(at) as last from ${sql(table)}
      where project_id = ${projectId} and grain = g.grain) e`;
  const [row] = await sql<{ from: number | null; to: number | null }[]>`
    select (extract(epoch from min(s.first)) * 1000)::float8 as from, (extract(epoch from max(s.last)) * 1000)::float8 as to
    from (
      select min(started_at) as first, max(started_at) as last from attempt where project_id = ${projectId}
      union all select min(at), max(at) from fact where project_id = ${projectId} and type = 'tally'
      union all select min(first_at), max(first_at) from operation where project_id = ${projectId}
      union all select min(at), max(at) from retry_pair where project_id = ${projectId}
      union all ${ends('rate_rollup')} union all ${ends('operation_rollup')} union all ${ends('compliance_rollup')}) s`;
  return row && row.from !== null && row.to !== null ? { from: row.from, to: row.to } : null;
}

/** Attempts and tallies of each hour by the rollup: how much there is to count, by the hour's start. */
export async function countHours(sql: postgres.ISql, projectId: number, span: Span): Promise<Map<number, number>> {
  const rows = await sql<{ at: number; attempts: number }[]>`
    select (extract(epoch from at) * 1000)::float8 as at, sum(attempts)::float8 as attempts from rate_rollup
    where grain = -60 and ${within(sql, 'at', projectId, span)} group by 1`;
  return new Map(rows.map(({ at, attempts }) => [at, attempts]));
}

export interface StoredRecount {
  projectId: number;
  startedAt: number;
  finishedAt: number | null;
  from: number | null;
  to: number | null;
  drift: number | null;
  examples: Drift[] | null;
}

/** The last result of a project; null before its first. */
export async function readRecount(sql: postgres.ISql, projectId: number): Promise<StoredRecount | null> {
  const [row] = await sql<StoredRecount[]>`
    select project_id as "projectId", (extract(epoch from started_at) * 1000)::float8 as "startedAt",
      (extract(epoch from finished_at) * 1000)::float8 as "finishedAt",
      (extract(epoch from range_from) * 1000)::float8 as from, (extract(epoch from range_to) * 1000)::float8 as to,
      drift, examples
    from recount where project_id = ${projectId}`;
  return row ?? null;
}

/**
 * Takes a project's recount for one worker.
 * @param due.startedBefore epoch ms: one that began earlier is over or its worker is gone
 * @returns false when another has it, or had it lately
 */
export async function claimRecount(
  sql: postgres.ISql,
  projectId: number,
  due: { now: number; finishedBefore: number; startedBefore: number },
): Promise<boolean> {
  const done = await sql`
    insert into recount (project_id, started_at) values (${projectId}, ${iso(due.now)}::timestamptz)
    on conflict (project_id) do update set started_at = excluded.started_at
    where recount.started_at < ${iso(due.startedBefore)}::timestamptz
      and (recount.finished_at is null or recount.finished_at < ${iso(due.finishedBefore)}::timestamptz)`;
  return done.count > 0;
}

export async function storeRecount(
  sql: postgres.ISql,
  projectId: number,
  result: { now: number; span: Span; drift: number; examples: readonly Drift[] },
): Promise<void> {
  const { now, span, drift, examples } = result;
  const [at, from, to] = [iso(now), iso(span.from), iso(span.to)];
  await sql`
    insert into recount (project_id, started_at, finished_at, range_from, range_to, drift, examples)
    values (${projectId}, ${at}::timestamptz, ${at}::timestamptz, ${from}::timestamptz, ${to}::timestamptz,
      ${drift}, ${JSON.stringify(examples)}::text::jsonb)
    on conflict (project_id) do update set finished_at = excluded.finished_at, range_from = excluded.range_from,
      range_to = excluded.range_to, drift = excluded.drift, examples = excluded.examples`;
}
