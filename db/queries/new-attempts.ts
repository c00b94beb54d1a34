import type postgres from 'postgres';
import type { AttemptInsert } from './attempt';
import { arrayLiteral, documentsText } from './columns';
import type { RateIncrement } from './rollup';

export interface NewAttempt extends AttemptInsert {
  contentHash: bigint;
}

/**
 * Stores attempts whose ids nobody has used yet: ledger, rows, marks and rollups in one statement (the function is in
 * the migrations). Outside a transaction it is one of its own.
 * @param rows sorted by id, each id once
 * @param operationIds those of the rows, each once
 * @param rates what the rows add, sorted by (grain, at, dimensionId)
 * @throws SQLSTATE 23505 when an id was taken; then nothing is kept
 */
export function storeNewAttempts(
  sql: postgres.ISql,
  projectId: number,
  rows: readonly NewAttempt[],
  operationIds: readonly string[],
  rates: readonly RateIncrement[],
): PromiseLike<unknown> {
  return sql`select store_new_attempts(
    ${projectId}::int,
    ${arrayLiteral(rows.map((row) => row.id))}::uuid[],
    ${arrayLiteral(rows.map((row) => row.contentHash))}::bigint[],
    ${arrayLiteral(rows.map((row) => row.startedAt))}::float8[],
    ${arrayLiteral(rows.map((row) => row.attempt))}::int[],
    ${arrayLiteral(rows.map((row) => row.dimensionId))}::bigint[],
    ${arrayLiteral(rows.map((row) => row.receivedAt))}::float8[],
    ${arrayLiteral(rows.map((row) => row.ruleSet))}::text[],
    ${documentsText(rows.map((row) => row.event))}::text,
    ${JSON.stringify(operationIds)}::text,
    ${arrayLiteral(rates.map((rate) => rate.grain))}::smallint[],
    ${arrayLiteral(rates.map((rate) => rate.at))}::float8[],
    ${arrayLiteral(rates.map((rate) => rate.dimensionId))}::bigint[],
    ${arrayLiteral(rates.map((rate) => rate.attempts))}::int[])`;
}
