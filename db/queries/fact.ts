import type postgres from 'postgres';
import { arrayLiteral, documentsText, RECORD_SEPARATOR } from './columns';

export interface FactInsert {
  id: string;
  type: string;
  /** Epoch ms. */
  at: number;
  receivedAt: number;
  /** Set for tallies only. */
  dimensionId: bigint | null;
  successes: number | null;
  /** JSON text of the fact. */
  event: string;
}

/** Rows whose ids the ledger just gave out. */
export function insertFacts(sql: postgres.ISql, projectId: number, rows: FactInsert[]): PromiseLike<unknown> {
  return sql`
    insert into fact (project_id, id, type, operation_id, at, received_at, dimension_id, successes, event)
    select ${projectId}::int, r.id, r.type, r.event ->> 'operationId', to_timestamp(r.at / 1000),
      to_timestamp(r.received_at / 1000), r.dimension_id, r.successes, r.event
    from (
      select u.id, u.type, u.at, u.received_at, u.dimension_id, u.successes, u.event::jsonb as event
      from unnest(
        ${arrayLiteral(rows.map((row) => row.id))}::uuid[],
        ${arrayLiteral(rows.map((row) => row.type))}::text[],
        ${arrayLiteral(rows.map((row) => row.at))}::float8[],
        ${arrayLiteral(rows.map((row) => row.receivedAt))}::float8[],
        ${arrayLiteral(rows.map((row) => row.dimensionId ?? 'null'))}::bigint[],
        ${arrayLiteral(rows.map((row) => row.successes ?? 'null'))}::int[],
        string_to_array(${documentsText(rows.map((row) => row.event))}, ${RECORD_SEPARATOR})
      ) as u(id, type, at, received_at, dimension_id, successes, event)
      offset 0
    ) as r`;
}
