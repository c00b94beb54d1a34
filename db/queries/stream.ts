import type postgres from 'postgres';

/** Places where operations meet, and windows to compute again. Digests and ids of lanes are decimal text. */

type LaneColumn = 'scope' | 'portal' | 'target' | 'credential' | 'service';
export type LaneRow = { id: string } & Record<LaneColumn, string | null>;

export interface MemberRow {
  operationId: string;
  stream: string;
  value: string;
  /** Epoch ms. */
  slot: number;
  flags: number;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

/** Makes sure the lanes exist, in the order of their ids. */
export async function recordLanes(tx: postgres.ISql, projectId: number, rows: readonly LaneRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    insert into stream_lane (project_id, id, scope, portal, target, credential, service)
    select ${projectId}::int, r.id, r.scope, r.portal, r.target, r.credential, r.service
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(
      id bigint, scope bigint, portal bigint, target bigint, credential bigint, service bigint)
    order by r.id on conflict do nothing`;
}

export async function readMembers(
  sql: postgres.ISql,
  projectId: number,
  operationIds: readonly string[],
): Promise<MemberRow[]> {
  return await sql<MemberRow[]>`
    select operation_id as "operationId", stream, value::text as value, flags,
           (extract(epoch from slot) * 1000)::float8 as slot
    from stream_member where project_id = ${projectId} and operation_id = any(${[...operationIds]}::text[])`;
}

export async function deleteMembers(tx: postgres.ISql, projectId: number, rows: readonly MemberRow[]): Promise<void> {
  if (rows.length === 0) return;
  const wire = JSON.stringify(rows.map((row) => ({ ...row, slot: iso(row.slot) })));
  await tx`
    delete from stream_member m using jsonb_to_recordset(${wire}::text::jsonb) as r(
      "operationId" text, stream text, value bigint, slot timestamptz)
    where m.project_id = ${projectId} and m.stream = r.stream and m.value = r.value and m.slot = r.slot
      and m.operation_id = r."operationId"`;
}

export async function upsertMembers(tx: postgres.ISql, projectId: number, rows: readonly MemberRow[]): Promise<void> {
  if (rows.length === 0) return;
  const wire = JSON.stringify(rows.map((row) => ({ ...row, slot: iso(row.slot) })));
  await tx`
    insert into stream_member (project_id, stream, value, slot, operation_id, flags)
    select ${projectId}::int, r.stream, r.value, r.slot, r."operationId", r.flags
    from jsonb_to_recordset(${wire}::text::jsonb) as r(
      "operationId" text, stream text, value bigint, slot timestamptz, flags smallint)
    on conflict (project_id, stream, value, slot, operation_id) do update set flags = excluded.flags`;
}

/** A window that something new bears on. */
export interface WindowMark {
  /** Text that its operations share, and that text's digest. */
  value: string;
  digest: string;
  windowFrom: number;
  streamKey: string;
  /** Slots that its checks look at, half-open, epoch ms. */
  from: number;
  to: number;
  /** The operation that changed; null where none did. */
  operationId: string | null;
}

function markRecords(tx: postgres.ISql, marks: readonly WindowMark[]) {
  const wire = JSON.stringify(
    marks.map((mark) => ({ ...mark, windowFrom: iso(mark.windowFrom), from: iso(mark.from), to: iso(mark.to) })),
  );
  return tx`jsonb_to_recordset(${wire}::text::jsonb) as r(
    value text, digest bigint, "windowFrom" timestamptz, "streamKey" text, "from" timestamptz, "to" timestamptz,
    "operationId" text)`;
}

/** Marks those windows `r` to compute again that the condition holds for. */
async function touchWhere(
  tx: postgres.ISql,
  projectId: number,
  group: string,
  marks: readonly WindowMark[],
  { dueAt, condition }: { dueAt: number; condition: postgres.PendingQuery<postgres.Row[]> },
): Promise<void> {
  if (marks.length === 0) return;
  await tx`
    insert into stream_touch (project_id, stream, digest, value, window_from, due_at)
    select distinct ${projectId}::int, ${group}, r.digest, r.value, r."windowFrom", ${iso(dueAt)}::timestamptz
    from ${markRecords(tx, marks)} where ${condition} on conflict do nothing`;
}

/** The window `r` has a finding already. */
function hasFinding(tx: postgres.ISql, projectId: number) {
  return tx`exists (select 1 from finding f where f.project_id = ${projectId} and f.stream_key = r."streamKey")`;
}

/** Marks windows for good: something bears on them that no place tells of. */
export async function touchWindows(
  tx: postgres.ISql,
  projectId: number,
  group: string,
  marks: readonly WindowMark[],
  dueAt: number,
): Promise<void> {
  await touchWhere(tx, projectId, group, marks, { dueAt, condition: tx`true` });
}

/** Marks windows that have a finding already. */
export async function touchFoundWindows(
  tx: postgres.ISql,
  projectId: number,
  group: string,
  marks: readonly WindowMark[],
  dueAt: number,
): Promise<void> {
  await touchWhere(tx, projectId, group, marks, { dueAt, condition: hasFinding(tx, projectId) });
}

/**
 * Members of the lane aliased `l`. Inside `join lateral (… offset 0)`: as a plain join, a table without statistics may
 * be walked whole for every lane.
 */
export function membersOfLane(sql: postgres.ISql, projectId: number) {
  return sql`
    select m.operation_id, m.slot, m.flags from stream_member m
    where m.project_id = ${projectId} and m.stream = 'lane' and m.value = l.id`;
}

/** Marks windows of a lane's group that hold anything which could set a finding off, or have one already. */
export async function touchLaneWindows(
  tx: postgres.ISql,
  projectId: number,
  group: LaneColumn,
  marks: readonly WindowMark[],
  rule: { flags: number; dueAt: number },
): Promise<void> {
  const condition = tx`exists (
      select 1 from stream_lane l
      join lateral (${membersOfLane(tx, projectId)} and m.slot >= r."from" and m.slot < r."to"
        and m.flags <> 0 and (m.flags & ${rule.flags}::int) <> 0 offset 0) m on true
      where l.project_id = ${projectId} and l.${tx(group)} = r.digest
    ) or ${hasFinding(tx, projectId)}`;
  await touchWhere(tx, projectId, group, marks, { dueAt: rule.dueAt, condition });
}

/** Which named places another operation has too: most keys and fingerprints are one operation's own. */
export async function listSharedPlaces<T extends { stream: string; digest: string; operationId: string }>(
  tx: postgres.ISql,
  projectId: number,
  places: readonly T[],
): Promise<T[]> {
  if (places.length === 0) return [];
  const wire = places.map(({ stream, digest, operationId }, nth) => ({ nth, stream, digest, operationId }));
  const rows = await tx<{ nth: number }[]>`
    select r.nth from jsonb_to_recordset(${JSON.stringify(wire)}::text::jsonb) as r(
      nth int, stream text, digest bigint, "operationId" text)
    where exists (select 1 from stream_member m where m.project_id = ${projectId} and m.stream = r.stream
      and m.value = r.digest and m.operation_id <> r."operationId")`;
  const shared = new Set(rows.map(({ nth }) => nth));
  return places.filter((_, nth) => shared.has(nth));
}

/** Marks windows of a key or fingerprint that another operation has too, or that have a finding already. */
export async function touchNamedWindows(
  tx: postgres.ISql,
  projectId: number,
  group: 'key' | 'fingerprint',
  marks: readonly WindowMark[],
  rule: { flags: number; dueAt: number },
): Promise<void> {
  const among = tx`stream_member m where m.project_id = ${projectId} and m.stream = ${group} and m.value = r.digest
    and m.slot >= r."from" and m.slot < r."to"`;
  const flagged =
    rule.flags === 0 ? tx`true` : tx`exists (select 1 from ${among} and (m.flags & ${rule.flags}::int) <> 0)`;
  const condition = tx`(exists (select 1 from ${among} and m.operation_id <> r."operationId") and ${flagged})
    or ${hasFinding(tx, projectId)}`;
  await touchWhere(tx, projectId, group, marks, { dueAt: rule.dueAt, condition });
}

export interface DueWindow {
  group: string;
  digest: string;
  value: string;
  windowFrom: number;
}

export async function listDueWindows(
  tx: postgres.ISql,
  projectId: number,
  now: number,
  limit: number,
): Promise<DueWindow[]> {
  return await tx<DueWindow[]>`
    select stream as "group", digest::text as digest, value, (extract(epoch from window_from) * 1000)::float8 as "windowFrom"
    from stream_touch where project_id = ${projectId} and due_at <= ${iso(now)}::timestamptz
    order by due_at, stream, digest, window_from limit ${limit}`;
}

export async function deleteWindowTouch(tx: postgres.ISql, projectId: number, window: DueWindow): Promise<void> {
  await tx`
    delete from stream_touch where project_id = ${projectId} and stream = ${window.group} and digest = ${window.digest}::bigint
      and window_from = ${iso(window.windowFrom)}::timestamptz`;
}

export async function postponeWindow(
  tx: postgres.ISql,
  projectId: number,
  window: DueWindow,
  dueAt: number,
): Promise<void> {
  await tx`
    update stream_touch set due_at = ${iso(dueAt)}::timestamptz
    where project_id = ${projectId} and stream = ${window.group} and digest = ${window.digest}::bigint
      and window_from = ${iso(window.windowFrom)}::timestamptz`;
}

export interface SlotSpan {
  digest: string;
  /** Half-open, epoch ms. */
  from: number;
  to: number;
}

/** Operations of a lane's group in some slots: those that can set something off first, then the latest. */
export async function listLaneOperations(
  sql: postgres.ISql,
  projectId: number,
  group: LaneColumn,
  span: SlotSpan,
  rule: { flags: number; limit: number },
): Promise<string[]> {
  const rows = await sql<{ operation_id: string }[]>`
    select m.operation_id from stream_lane l
    join lateral (${membersOfLane(sql, projectId)} and m.slot >= ${iso(span.from)}::timestamptz
      and m.slot < ${iso(span.to)}::timestamptz offset 0) m on true
    where l.project_id = ${projectId} and l.${sql(group)} = ${span.digest}::bigint
    group by 1 order by bool_or((m.flags & ${rule.flags}::int) <> 0) desc, max(m.slot) desc, 1 limit ${rule.limit}`;
  return rows.map((row) => row.operation_id);
}

export async function listNamedOperations(
  sql: postgres.ISql,
  projectId: number,
  stream: 'key' | 'fingerprint' | 'cause',
  span: SlotSpan,
  rule: { flags: number; limit: number },
): Promise<string[]> {
  const rows = await sql<{ operation_id: string }[]>`
    select m.operation_id from stream_member m
    where m.project_id = ${projectId} and m.stream = ${stream} and m.value = ${span.digest}::bigint
      and m.slot >= ${iso(span.from)}::timestamptz and m.slot < ${iso(span.to)}::timestamptz
    group by 1 order by bool_or((m.flags & ${rule.flags}::int) <> 0) desc, max(m.slot) desc, 1 limit ${rule.limit}`;
  return rows.map((row) => row.operation_id);
}

/** Operations that speak of a job. */
export async function listJobOperations(
  sql: postgres.ISql,
  projectId: number,
  jobId: string,
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ operation_id: string }[]>`
    select distinct operation_id from operation_ref
    where project_id = ${projectId} and kind = 'job_id' and value = ${jobId} order by operation_id limit ${limit}`;
  return rows.map((row) => row.operation_id);
}

/** What a service did between two whole hours or minutes: operations at their first send, tallied successes as one each. */
export async function readServiceLoad(
  sql: postgres.ISql,
  projectId: number,
  service: string,
  span: { from: number; to: number },
): Promise<{ operations: number; attempts: number }> {
  const hourMs = 3_600_000;
  const grain = span.from % hourMs === 0 && span.to % hourMs === 0 ? 60 : 1;
  const within = sql`project_id = ${projectId} and grain = ${grain}
    and at >= ${iso(span.from)}::timestamptz and at < ${iso(span.to)}::timestamptz`;
  const [row] = await sql<{ operations: number; attempts: number }[]>`
    select coalesce(sum(w.operations), 0)::float8 as operations, coalesce(sum(w.attempts), 0)::float8 as attempts
    from (
      select dimension_id, operations, attempts from operation_rollup where ${within}
      union all
      select dimension_id, tallied, tallied from rate_rollup where ${within} and tallied > 0
    ) w join dimension d on d.project_id = ${projectId} and d.id = w.dimension_id
    where d.service = ${service}`;
  return row ?? { operations: 0, attempts: 0 };
}
