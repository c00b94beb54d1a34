import type postgres from 'postgres';

/** Places by which a preview finds the windows that a change of rules or tolerances could say something else of. */

interface SlotRange {
  /** Half-open, epoch ms. */
  from: number;
  to: number;
}

/** A slot of event time of one value, and an operation that was there. */
export interface PlaceSlot {
  digest: string;
  slot: number;
  operationId: string;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

/** Slots of a lane's group that hold more than plain successes, newest first. */
export async function listLaneSlots(
  sql: postgres.ISql,
  projectId: number,
  group: 'scope' | 'portal' | 'target' | 'credential' | 'service',
  range: SlotRange,
  limit: number,
): Promise<PlaceSlot[]> {
  return await sql<PlaceSlot[]>`
    select l.${sql(group)}::text as digest, (extract(epoch from m.slot) * 1000)::float8 as slot,
           min(m.operation_id) as "operationId"
    from stream_member m join stream_lane l on l.project_id = ${projectId} and l.id = m.value
    where m.project_id = ${projectId} and m.stream = 'lane' and m.flags <> 0 and l.${sql(group)} is not null
      and m.slot >= ${iso(range.from)}::timestamptz and m.slot < ${iso(range.to)}::timestamptz
    group by 1, m.slot order by m.slot desc, 1 limit ${limit}`;
}

/** Slots of keys or fingerprints that several operations have, newest first. */
export async function listSharedSlots(
  sql: postgres.ISql,
  projectId: number,
  stream: 'key' | 'fingerprint',
  range: SlotRange,
  limit: number,
): Promise<PlaceSlot[]> {
  return await sql<PlaceSlot[]>`
    select m.value::text as digest, (extract(epoch from m.slot) * 1000)::float8 as slot,
           min(m.operation_id) as "operationId"
    from stream_member m
    where m.project_id = ${projectId} and m.stream = ${stream}
      and m.slot >= ${iso(range.from)}::timestamptz and m.slot < ${iso(range.to)}::timestamptz
      and exists (select 1 from stream_member o where o.project_id = ${projectId} and o.stream = ${stream}
        and o.value = m.value and o.operation_id <> m.operation_id)
    group by m.value, m.slot order by m.slot desc, 1 limit ${limit}`;
}

/** Jobs that something was delivered of, with the times, newest first. */
export async function listDeliveries(
  sql: postgres.ISql,
  projectId: number,
  range: SlotRange,
  limit: number,
): Promise<{ value: string; at: number }[]> {
  return await sql<{ value: string; at: number }[]>`
    select event ->> 'jobId' as value, (extract(epoch from fact.at) * 1000)::float8 as at from fact
    where project_id = ${projectId} and type = 'webhook_delivery' and event ->> 'jobId' is not null
      and fact.at >= ${iso(range.from)}::timestamptz and fact.at < ${iso(range.to)}::timestamptz
    order by fact.at desc limit ${limit}`;
}

/** Operations that others follow, those of the newest first. */
export async function listFollowed(
  sql: postgres.ISql,
  projectId: number,
  range: SlotRange,
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ value: string }[]>`
    select value from operation_ref
    where project_id = ${projectId} and kind = 'parent' and operation_ref.at >= ${iso(range.from)}::timestamptz
      and operation_ref.at < ${iso(range.to)}::timestamptz
    group by value order by max(operation_ref.at) desc, value limit ${limit}`;
  return rows.map((row) => row.value);
}
