import type postgres from 'postgres';

/** Marks operations whose facts changed; append-only, so that settling never blocks ingestion. */
export function touchOperations(sql: postgres.ISql, projectId: number, operationIds: string[]): PromiseLike<unknown> {
  return sql`
    insert into operation_touch (project_id, operation_id)
    select ${projectId}::int, t.id from jsonb_array_elements_text(${JSON.stringify(operationIds)}::text::jsonb) as t(id)`;
}

/** Marks facts that bear on more than an operation of their own; append-only too. */
export function touchFacts(sql: postgres.ISql, projectId: number, factIds: string[]): PromiseLike<unknown> {
  return sql`
    insert into fact_touch (project_id, fact_id)
    select ${projectId}::int, t.id::uuid from jsonb_array_elements_text(${JSON.stringify(factIds)}::text::jsonb) as t(id)`;
}

/** The row whose lock is the settler's turn. */
export function ensureSettleTurn(sql: postgres.ISql, projectId: number): PromiseLike<unknown> {
  return sql`insert into settle_turn (project_id) values (${projectId}) on conflict do nothing`;
}
