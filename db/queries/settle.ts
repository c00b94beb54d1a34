import type postgres from 'postgres';
import type { Fact } from '@/lib/core/attempt';
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
                     and changes_at <= ${new Date(now).toISOString()}::timestamptz) as any`;
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

/** Facts of no operation that still bear on one: refreshes of its credentials, fixes of its codes. */
export async function readSharedFacts(
  sql: postgres.ISql,
  projectId: number,
  scope: { from: number; to: number; credentials: string[]; codes: string[]; service: string },
): Promise<Fact[]> {
  const [from, to] = [new Date(scope.from).toISOString(), new Date(scope.to).toISOString()];
  const rows = await sql<{ event: unknown; received_at: number }[]>`
    select event, (extract(epoch from received_at) * 1000)::float8 as received_at from fact
    where project_id = ${projectId} and type in ('auth_refresh', 'cause_fixed') and operation_id is null
      and at >= ${from}::timestamptz and at <= ${to}::timestamptz
      and (event ->> 'credential' = any(${scope.credentials}::text[])
        or (event ->> 'code' = any(${scope.codes}::text[])
          and coalesce(event ->> 'service', ${scope.service}) = ${scope.service}))
    order by at limit 500`;
  return rows.map((row) => decodeFact(row.event, new Date(row.received_at)));
}

/** Facts from several places, once each; where one is kept twice the later list wins. */
export function mergeFacts(...lists: (readonly Fact[])[]): Fact[] {
  return [...new Map(lists.flat().map((fact) => [fact.id, fact])).values()];
}
