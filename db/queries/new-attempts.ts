import type postgres from 'postgres';
import type { AttemptInsert } from './attempt';
import { arrayLiteral, documentsText } from './columns';
import { outcomeColumns, type CountedBy, type OutcomeCount } from './ingest-outcome';
import type { RateIncrement } from './rollup';

export interface NewAttempt extends AttemptInsert {
  contentHash: bigint;
}

export interface NewAttempts {
  /** Sorted by id, each id once. */
  rows: readonly NewAttempt[];
  /** Those of the rows, each once. */
  operationIds: readonly string[];
  /** What the rows add, sorted by (grain, at, dimensionId). */
  rates: readonly RateIncrement[];
  /** What the rows, and refusals beside them, count as: sorted by (outcome, code). */
  counts: readonly OutcomeCount[];
  by: CountedBy;
}

/**
 * Stores attempts whose ids nobody has used yet: ledger, rows, marks, rollups and counters in one statement (the
 * function is in the migrations). Outside a transaction it is one of its own.
 * @throws SQLSTATE 23505 when an id was taken; then nothing is kept
 */
export function storeNewAttempts(
  sql: postgres.ISql,
  projectId: number,
  { rows, operationIds, rates, counts, by }: NewAttempts,
): PromiseLike<unknown> {
  const outcomes = outcomeColumns(counts);
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
    ${arrayLiteral(rates.map((rate) => rate.attempts))}::int[],
    ${outcomes.outcomes}::text[],
    ${outcomes.codes}::text[],
    ${outcomes.counts}::int[],
    ${by.day}::date,
    ${by.slot}::smallint,
    ${String(by.flight)}::bigint)`;
}
