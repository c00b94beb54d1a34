import type postgres from 'postgres';
import type { Severity } from '@/lib/core/operation';

/** Stored findings as rows. Instants are epoch ms, ids of dimensions decimal text. */

/** What a window of a stream adds to its findings. */
export interface FindingStream {
  streamKey: string;
  subjectKind: string;
  subjectValue: string;
  windowFrom: number;
  windowTo: number;
  lookedOperations: number;
  lookedAttempts: number;
}

export interface FindingRow {
  /** Made of all the rest: equal ids are equal rows. */
  id: string;
  check: string;
  severity: Severity;
  operationId: string | null;
  attempt: number | null;
  at: number;
  dimensionId: string | null;
  ruleSet: string | null;
  evidence: Record<string, unknown>;
  /** Null for a finding of one operation's own conclusion. */
  stream: FindingStream | null;
}

/** Ids of the findings that some operations' own conclusions left. */
export async function readFindingIds(
  sql: postgres.ISql,
  projectId: number,
  operationIds: readonly string[],
): Promise<{ id: string; operationId: string }[]> {
  return await sql<{ id: string; operationId: string }[]>`
    select id, operation_id as "operationId" from finding
    where project_id = ${projectId} and operation_id = any(${[...operationIds]}::text[]) and stream_key is null`;
}

/** Ids of the findings of one window of a stream. */
export async function readWindowFindingIds(
  sql: postgres.ISql,
  projectId: number,
  streamKey: string,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from finding where project_id = ${projectId} and stream_key = ${streamKey}`;
  return rows.map((row) => row.id);
}

/** Says which operations a finding across operations concerns. */
export async function linkFindings(
  tx: postgres.ISql,
  projectId: number,
  links: readonly { findingId: string; operationId: string }[],
): Promise<void> {
  if (links.length === 0) return;
  await tx`
    insert into finding_operation (project_id, operation_id, finding_id)
    select ${projectId}::int, r."operationId", r."findingId"
    from jsonb_to_recordset(${JSON.stringify(links)}::text::jsonb) as r("findingId" uuid, "operationId" text)
    on conflict do nothing`;
}

export async function unlinkFindings(tx: postgres.ISql, projectId: number, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx`
    delete from finding_operation where project_id = ${projectId} and finding_id = any(${[...ids]}::text[]::uuid[])`;
}

export async function deleteFindings(tx: postgres.ISql, projectId: number, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx`delete from finding where project_id = ${projectId} and id = any(${[...ids].sort()}::text[]::uuid[])`;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

/** Rows in the order of their ids; one that is there already is the same row. */
export async function insertFindings(tx: postgres.ISql, projectId: number, rows: readonly FindingRow[]): Promise<void> {
  if (rows.length === 0) return;
  const sorted = [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
  const wire = sorted.map(({ stream, at, ...row }) => ({
    ...row,
    ...stream,
    at: iso(at),
    windowFrom: stream && iso(stream.windowFrom),
    windowTo: stream && iso(stream.windowTo),
  }));
  await tx`
    insert into finding (project_id, id, check_name, severity, operation_id, attempt, at, dimension_id, rule_set,
      evidence, stream_key, subject_kind, subject_value, window_from, window_to, looked_operations, looked_attempts)
    select ${projectId}::int, r.id, r."check", r.severity, r."operationId", r.attempt, r.at, r."dimensionId",
      r."ruleSet", r.evidence, r."streamKey", r."subjectKind", r."subjectValue", r."windowFrom", r."windowTo",
      r."lookedOperations", r."lookedAttempts"
    from jsonb_to_recordset(${JSON.stringify(wire)}::text::jsonb) as r(
      id uuid, "check" text, severity text, "operationId" text, attempt int, at timestamptz, "dimensionId" bigint,
      "ruleSet" text, evidence jsonb, "streamKey" text, "subjectKind" text, "subjectValue" text,
      "windowFrom" timestamptz, "windowTo" timestamptz, "lookedOperations" int, "lookedAttempts" int)
    on conflict do nothing`;
}
