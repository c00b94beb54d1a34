import type postgres from 'postgres';
import { arrayLiteral, documentsText, RECORD_SEPARATOR } from './columns';

export interface AttemptInsert {
  id: string;
  /** Epoch ms. */
  startedAt: number;
  attempt: number;
  dimensionId: bigint;
  /** Epoch ms. */
  receivedAt: number;
  /** A word of our own, without anything that an array literal would have to quote. */
  ruleSet: string;
  /** JSON text of the fact. */
  event: string;
}

/** Rows whose ids the ledger just gave out. */
export function insertAttempts(sql: postgres.ISql, projectId: number, rows: AttemptInsert[]): PromiseLike<unknown> {
  // `offset 0` keeps the planner from reading each document twice.
  return sql`
    insert into attempt
      (project_id, started_at, id, operation_id, attempt, dimension_id, received_at, rule_set, event)
    select ${projectId}::int, to_timestamp(r.started_at / 1000), r.id, r.event ->> 'operationId', r.attempt,
      r.dimension_id, to_timestamp(r.received_at / 1000), r.rule_set, r.event
    from (
      select u.id, u.started_at, u.attempt, u.dimension_id, u.received_at, u.rule_set, u.event::jsonb as event
      from unnest(
        ${arrayLiteral(rows.map((row) => row.id))}::uuid[],
        ${arrayLiteral(rows.map((row) => row.startedAt))}::float8[],
        ${arrayLiteral(rows.map((row) => row.attempt))}::int[],
        ${arrayLiteral(rows.map((row) => row.dimensionId))}::bigint[],
        ${arrayLiteral(rows.map((row) => row.receivedAt))}::float8[],
        ${arrayLiteral(rows.map((row) => row.ruleSet))}::text[],
        string_to_array(${documentsText(rows.map((row) => row.event))}, ${RECORD_SEPARATOR})
      ) as u(id, started_at, attempt, dimension_id, received_at, rule_set, event)
      offset 0
    ) as r`;
}
