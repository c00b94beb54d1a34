import type postgres from 'postgres';
import type { Compliance, OperationState } from '@/lib/core/operation';

/** Settled operations, their pairs and references, as rows. Instants are epoch ms, ids of dimensions decimal text. */

/** What was known of an operation when retention took facts of it. */
export interface CarriedBase {
  state: OperationState;
  possibleEffects: number;
  attempts: number;
  retried: boolean;
  dimensionId: string;
  /** Epoch ms, as the others. */
  firstAt: number;
  lastAt: number;
  /** Start of the first send that was left. */
  tailFrom: number;
}

export interface OperationRow {
  operationId: string;
  state: OperationState;
  possibleEffects: number;
  attempts: number;
  retried: boolean;
  dimensionId: string;
  firstAt: number;
  lastAt: number;
  over: boolean;
  changesAt: number | null;
  /** Null while all its facts are there. */
  carried: CarriedBase | null;
}

/** jsonb keeps keys in an order of its own; rows are compared as text. */
function inOrder(base: CarriedBase | null): CarriedBase | null {
  if (!base) return null;
  const { state, possibleEffects, attempts, retried, dimensionId, firstAt, lastAt, tailFrom } = base;
  return { state, possibleEffects, attempts, retried, dimensionId, firstAt, lastAt, tailFrom };
}

export interface PairRow {
  operationId: string;
  attemptEventId: string;
  attempt: number;
  at: number;
  dimensionId: string;
  compliance: Compliance;
  askedMs: number | null;
  gapMs: number | null;
  earlyMs: number;
  overMs: number;
  strict: boolean;
  approx: boolean;
}

export interface ReferenceRow {
  operationId: string;
  kind: 'code' | 'request_id' | 'business_key' | 'job_id' | 'entity_id' | 'parent';
  value: string;
  at: number;
}

export interface StoredOperations {
  operations: OperationRow[];
  pairs: PairRow[];
  references: ReferenceRow[];
}

export async function readOperations(
  sql: postgres.ISql,
  projectId: number,
  operationIds: string[],
): Promise<StoredOperations> {
  const operations = await sql<OperationRow[]>`
    select operation_id as "operationId", state, possible_effects as "possibleEffects", attempts, retried, over,
           dimension_id::text as "dimensionId", (extract(epoch from first_at) * 1000)::float8 as "firstAt",
           (extract(epoch from last_at) * 1000)::float8 as "lastAt",
           (extract(epoch from changes_at) * 1000)::float8 as "changesAt", carried
    from operation where project_id = ${projectId} and operation_id = any(${operationIds}::text[])`;
  const pairs = await sql<PairRow[]>`
    select operation_id as "operationId", attempt_event_id as "attemptEventId", attempt, compliance, strict, approx,
           (extract(epoch from at) * 1000)::float8 as at, dimension_id::text as "dimensionId",
           asked_ms::float8 as "askedMs", gap_ms::float8 as "gapMs", early_ms::float8 as "earlyMs",
           over_ms::float8 as "overMs"
    from retry_pair where project_id = ${projectId} and operation_id = any(${operationIds}::text[])`;
  const references = await sql<ReferenceRow[]>`
    select operation_id as "operationId", kind, value, (extract(epoch from at) * 1000)::float8 as at
    from operation_ref where project_id = ${projectId} and operation_id = any(${operationIds}::text[])`;
  const rows = operations.map((row) => ({ ...row, carried: inOrder(row.carried) }));
  return { operations: rows, pairs, references };
}

function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

export async function upsertOperations(
  tx: postgres.ISql,
  projectId: number,
  rows: OperationRow[],
  now: number,
): Promise<void> {
  if (rows.length === 0) return;
  const wire = rows.map((row) => ({
    ...row,
    firstAt: iso(row.firstAt),
    lastAt: iso(row.lastAt),
    changesAt: iso(row.changesAt),
  }));
  await tx`
    insert into operation (project_id, operation_id, state, possible_effects, attempts, retried, dimension_id, first_at,
                           last_at, over, changes_at, carried, settled_at)
    select ${projectId}::int, r."operationId", r.state, r."possibleEffects", r.attempts, r.retried, r."dimensionId",
           r."firstAt", r."lastAt", r.over, r."changesAt", r.carried, ${iso(now)}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(wire)}::text::jsonb) as r(
      "operationId" text, state text, "possibleEffects" int, attempts int, retried boolean, "dimensionId" bigint,
      "firstAt" timestamptz, "lastAt" timestamptz, over boolean, "changesAt" timestamptz, carried jsonb)
    on conflict (project_id, operation_id) do update set
      state = excluded.state, possible_effects = excluded.possible_effects, attempts = excluded.attempts,
      retried = excluded.retried, dimension_id = excluded.dimension_id, first_at = excluded.first_at,
      last_at = excluded.last_at, over = excluded.over, changes_at = excluded.changes_at,
      carried = excluded.carried, settled_at = excluded.settled_at`;
}

export async function deleteOperations(tx: postgres.ISql, projectId: number, operationIds: string[]): Promise<void> {
  if (operationIds.length === 0) return;
  await tx`delete from operation where project_id = ${projectId} and operation_id = any(${operationIds}::text[])`;
}

/** Takes an operation off the clock; a new touch brings it back. */
export async function stopClock(tx: postgres.ISql, projectId: number, operationId: string): Promise<void> {
  await tx`update operation set changes_at = null where project_id = ${projectId} and operation_id = ${operationId}`;
}

export async function upsertPairs(tx: postgres.ISql, projectId: number, rows: PairRow[]): Promise<void> {
  if (rows.length === 0) return;
  const wire = rows.map((row) => ({ ...row, at: iso(row.at) }));
  await tx`
    insert into retry_pair (project_id, operation_id, attempt_event_id, attempt, at, dimension_id, compliance, asked_ms,
                            gap_ms, early_ms, over_ms, strict, approx)
    select ${projectId}::int, r."operationId", r."attemptEventId", r.attempt, r.at, r."dimensionId", r.compliance,
           r."askedMs", r."gapMs", r."earlyMs", r."overMs", r.strict, r.approx
    from jsonb_to_recordset(${JSON.stringify(wire)}::text::jsonb) as r(
      "operationId" text, "attemptEventId" uuid, attempt int, at timestamptz, "dimensionId" bigint, compliance text,
      "askedMs" bigint, "gapMs" bigint, "earlyMs" bigint, "overMs" bigint, strict boolean, approx boolean)
    on conflict (project_id, operation_id, attempt_event_id) do update set
      attempt = excluded.attempt, at = excluded.at, dimension_id = excluded.dimension_id,
      compliance = excluded.compliance, asked_ms = excluded.asked_ms, gap_ms = excluded.gap_ms,
      early_ms = excluded.early_ms, over_ms = excluded.over_ms, strict = excluded.strict, approx = excluded.approx`;
}

export async function deletePairs(tx: postgres.ISql, projectId: number, rows: PairRow[]): Promise<void> {
  if (rows.length === 0) return;
  const wire = rows.map((row) => ({ o: row.operationId, a: row.attemptEventId }));
  await tx`
    delete from retry_pair p using jsonb_to_recordset(${JSON.stringify(wire)}::text::jsonb) as r(o text, a uuid)
    where p.project_id = ${projectId} and p.operation_id = r.o and p.attempt_event_id = r.a`;
}

export async function insertReferences(tx: postgres.ISql, projectId: number, rows: ReferenceRow[]): Promise<void> {
  if (rows.length === 0) return;
  const wire = rows.map((row) => ({ ...row, at: iso(row.at) }));
  await tx`
    insert into operation_ref (project_id, kind, value, at, operation_id)
    select ${projectId}::int, r.kind, r.value, r.at, r."operationId"
    from jsonb_to_recordset(${JSON.stringify(wire)}::text::jsonb) as r(
      "operationId" text, kind text, value text, at timestamptz)
    on conflict do nothing`;
}

export async function deleteReferences(tx: postgres.ISql, projectId: number, rows: ReferenceRow[]): Promise<void> {
  if (rows.length === 0) return;
  const wire = rows.map((row) => ({ ...row, at: iso(row.at) }));
  await tx`
    delete from operation_ref f using jsonb_to_recordset(${JSON.stringify(wire)}::text::jsonb) as r(
      "operationId" text, kind text, value text, at timestamptz)
    where f.project_id = ${projectId} and f.operation_id = r."operationId" and f.kind = r.kind and f.value = r.value
      and f.at = r.at`;
}
