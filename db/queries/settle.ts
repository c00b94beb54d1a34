import type postgres from 'postgres';
import type { Fact } from '@/lib/core/attempt';
import { SHARED_REPAIRS_MAX } from '@/lib/core/repair-chance';
import { decodeFact } from './stored-fact';

/** Statements by which a settler takes its work: the project's turn, touched operations, due ones, their facts. */

/** @returns false when another settler has the turn or settling is paused. Held until the transaction ends. */
export async function takeTurn(tx: postgres.ISql, projectId: number): Promise<boolean> {
  const rows = await tx`
    select 1 from settle_turn where project_id = ${projectId} and not paused for update skip locked`;
  return rows.length > 0;
}

/** As {@link takeTurn}, but waits for the settler that has it, at most the lock timeout. @returns false when paused */
export async function awaitTurn(tx: postgres.ISql, projectId: number): Promise<boolean> {
  const [row] = await tx<{ paused: boolean }[]>`
    select paused from settle_turn where project_id = ${projectId} for update`;
  return row?.paused === false;
}

export async function stampTurn(tx: postgres.ISql, projectId: number, now: number): Promise<void> {
  await tx`update settle_turn set settled_at = ${new Date(now).toISOString()}::timestamptz where project_id = ${projectId}`;
}

/** A touch of the future is a wake-up made by settling itself; the database's clock made the others. */
function due(sql: postgres.ISql, now: number) {
  return sql`touched_at <= greatest(now(), ${new Date(now).toISOString()}::timestamptz)`;
}

export async function hasWork(sql: postgres.ISql, projectId: number, now: number): Promise<boolean> {
  const [row] = await sql<{ any: boolean }[]>`
    select exists (select 1 from operation_touch where project_id = ${projectId} and ${due(sql, now)})
        or exists (select 1 from operation where project_id = ${projectId}
                     and changes_at <= ${new Date(now).toISOString()}::timestamptz)
        or exists (select 1 from fact_touch where project_id = ${projectId})
        or exists (select 1 from stream_touch where project_id = ${projectId}
                     and due_at <= ${new Date(now).toISOString()}::timestamptz) as any`;
  return row?.any ?? false;
}

export interface Touch {
  seq: string;
  operation_id: string;
}

export function listTouches(tx: postgres.ISql, projectId: number, now: number, limit: number): Promise<Touch[]> {
  return tx<Touch[]>`
    select seq::text as seq, operation_id from operation_touch
    where project_id = ${projectId} and ${due(tx, now)} order by operation_touch.seq limit ${limit}`;
}

export async function listDueOperations(
  tx: postgres.ISql,
  projectId: number,
  now: number,
  limit: number,
): Promise<string[]> {
  const rows = await tx<{ operation_id: string }[]>`
    select operation_id from operation
    where project_id = ${projectId} and changes_at <= ${new Date(now).toISOString()}::timestamptz
    order by changes_at limit ${limit}`;
  return rows.map((row) => row.operation_id);
}

export async function deleteTouches(tx: postgres.ISql, projectId: number, seqs: string[]): Promise<void> {
  if (seqs.length === 0) return;
  await tx`delete from operation_touch where project_id = ${projectId} and seq = any(${seqs}::text[]::bigint[])`;
}

/** Touches an operation now (`at` null) or wakes it at an instant, epoch ms. */
export async function touchOperations(
  tx: postgres.ISql,
  projectId: number,
  rows: { operationId: string; at: number | null }[],
): Promise<void> {
  if (rows.length === 0) return;
  const wire = rows.map((row) => ({
    id: row.operationId,
    at: row.at === null ? null : new Date(row.at).toISOString(),
  }));
  await tx`
    insert into operation_touch (project_id, operation_id, touched_at)
    select ${projectId}::int, r.id, coalesce(r.at, now())
    from jsonb_to_recordset(${JSON.stringify(wire)}::text::jsonb) as r(id text, at timestamptz)`;
}

interface FactRow {
  operation_id: string;
  event: unknown;
  received_at: number;
  dimension_id: string | null;
  rule_set: string | null;
  started_at: string | null;
}

/** What an attempt's row says of how it was judged. */
export interface StoredJudgement {
  dimensionId: bigint;
  ruleSet: string;
  /** The row's own key, as text: to the microsecond. */
  startedAt: string;
}

/** The stored facts of some operations and, by attempt event id, how each stored attempt was judged. */
export interface StoredFacts {
  facts: Map<string, Fact[]>;
  judgements: Map<string, StoredJudgement>;
}

export async function readFacts(sql: postgres.ISql, projectId: number, operationIds: string[]): Promise<StoredFacts> {
  const rows = await sql<FactRow[]>`
    select operation_id, event, (extract(epoch from received_at) * 1000)::float8 as received_at,
           dimension_id::text as dimension_id, rule_set, started_at::text as started_at
    from attempt where project_id = ${projectId} and operation_id = any(${operationIds}::text[])
    union all
    select operation_id, event, (extract(epoch from received_at) * 1000)::float8, null, null, null
    from fact where project_id = ${projectId} and operation_id = any(${operationIds}::text[])`;
  const facts = new Map<string, Fact[]>();
  const judgements = new Map<string, StoredJudgement>();
  for (const row of rows) {
    const fact = decodeFact(row.event, new Date(row.received_at));
    const list = facts.get(row.operation_id);
    if (list) list.push(fact);
    else facts.set(row.operation_id, [fact]);
    const { dimension_id: dimensionId, rule_set: ruleSet, started_at: startedAt } = row;
    if (dimensionId === null || ruleSet === null || startedAt === null) continue;
    judgements.set(fact.id, { dimensionId: BigInt(dimensionId), ruleSet, startedAt });
  }
  return { facts, judgements };
}

/** Facts of one type in a range of event time, whatever operation they name, oldest first. */
export async function readFactsOfType(
  sql: postgres.ISql,
  projectId: number,
  type: 'auth_refresh' | 'cause_fixed' | 'webhook_delivery',
  span: { from: number; to: number; limit: number; field?: { name: string; value: string } },
): Promise<Fact[]> {
  const rows = await sql<{ event: unknown; received_at: number }[]>`
    select event, (extract(epoch from received_at) * 1000)::float8 as received_at from fact
    where project_id = ${projectId} and type = ${type} and at >= ${new Date(span.from).toISOString()}::timestamptz
      and at < ${new Date(span.to).toISOString()}::timestamptz
      ${span.field ? sql`and event ->> ${span.field.name} = ${span.field.value}` : sql``}
    order by fact.at, fact.id limit ${span.limit}`;
  return rows.map((row) => decodeFact(row.event, new Date(row.received_at)));
}

/** Between two sends of an operation: what could have repaired the failure of the first. */
export interface RepairSpan {
  operationId: string;
  /** Epoch ms, both included. */
  from: number;
  to: number;
  service: string;
  names: string[];
  credential?: string;
}

/** Renewals and fixes that bear on operations without being told as theirs, by operation; the earliest of many. */
export async function readSharedFacts(
  sql: postgres.ISql,
  projectId: number,
  spans: readonly RepairSpan[],
): Promise<Map<string, Fact[]>> {
  const found = new Map<string, Fact[]>();
  if (spans.length === 0) return found;
  const wire = spans.map((span) => ({
    ...span,
    from: new Date(span.from).toISOString(),
    to: new Date(span.to).toISOString(),
  }));
  const rows = await sql<{ operation_id: string; event: unknown; received_at: number }[]>`
    select r."operationId" as operation_id, f.event, (extract(epoch from f.received_at) * 1000)::float8 as received_at
    from jsonb_to_recordset(${JSON.stringify(wire)}::text::jsonb) as r(
      "operationId" text, "from" timestamptz, "to" timestamptz, service text, names text[], credential text)
    join lateral (
      select event, received_at, fact.at, fact.id from fact
      where project_id = ${projectId} and type = 'auth_refresh' and fact.at >= r."from" and fact.at <= r."to"
        and event ->> 'credential' = r.credential
      union all
      select event, received_at, fact.at, fact.id from fact
      where project_id = ${projectId} and type = 'cause_fixed' and operation_id is null
        and fact.at >= r."from" and fact.at <= r."to" and event ->> 'code' = any(r.names)
        and coalesce(event ->> 'service', r.service) = r.service
      order by 3, 4 limit ${SHARED_REPAIRS_MAX}
    ) f on true`;
  for (const row of rows) {
    const list = found.get(row.operation_id) ?? [];
    list.push(decodeFact(row.event, new Date(row.received_at)));
    found.set(row.operation_id, list);
  }
  return found;
}

/** Facts from several places, once each; where one is kept twice the later list wins. */
export function mergeFacts(...lists: (readonly Fact[])[]): Fact[] {
  return [...new Map(lists.flat().map((fact) => [fact.id, fact])).values()];
}
