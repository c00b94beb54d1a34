import type postgres from 'postgres';

export interface Quarantined {
  id: string;
  sqlState: string;
  /** Epoch ms: of the event, and when it came. */
  at: number;
  seenAt: number;
  /** The masked event. */
  json: string;
}

/** Of one project; more of them are counted and not kept, so that a defect can't fill the disk. */
const KEPT_MAX = 1_000;

/** Keeps an event that can't be stored; the same one again is only counted. */
export function keepQuarantined(sql: postgres.ISql, projectId: number, event: Quarantined): PromiseLike<unknown> {
  return sql`
    insert into quarantined_event (project_id, id, sql_state, at, count, first_seen_at, last_seen_at, event)
    select ${projectId}::int, ${event.id}::uuid, ${event.sqlState}::text, to_timestamp(${event.at}::float8 / 1000), 1,
      to_timestamp(${event.seenAt}::float8 / 1000), to_timestamp(${event.seenAt}::float8 / 1000), ${event.json}::text
    where (select count(*) from quarantined_event where project_id = ${projectId}) < ${KEPT_MAX}
      or exists (select 1 from quarantined_event where project_id = ${projectId} and id = ${event.id}::uuid)
    on conflict (project_id, id) do update
      set count = quarantined_event.count + 1, sql_state = excluded.sql_state,
        last_seen_at = greatest(quarantined_event.last_seen_at, excluded.last_seen_at)`;
}

/** How many different events of a project are kept. */
export async function countQuarantined(sql: postgres.ISql, projectId: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from quarantined_event where project_id = ${projectId}`;
  return row?.count ?? 0;
}
