import type postgres from 'postgres';
import { arrayLiteral } from './columns';

export const OUTCOMES = ['accepted', 'duplicate', 'conflict', 'rejected'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface OutcomeCount {
  outcome: Outcome;
  /** Set for `rejected` alone. */
  code: string;
  count: number;
}

/** Which rows a flight counts in: nobody else writes them while it is under way. */
export interface CountedBy {
  /** ISO date in UTC. */
  day: string;
  slot: number;
  flight: bigint;
}

/** Parameters of both ways to count, none of which needs quoting. */
export function outcomeColumns(counts: readonly OutcomeCount[]) {
  return {
    outcomes: arrayLiteral(counts.map(({ outcome }) => outcome)),
    codes: arrayLiteral(counts.map(({ code }) => (code === '' ? '""' : code))),
    counts: arrayLiteral(counts.map(({ count }) => count)),
  };
}

/** @param counts sorted by (outcome, code), each once, none of them zero */
export function addOutcomes(
  sql: postgres.ISql,
  projectId: number,
  { day, slot, flight }: CountedBy,
  counts: readonly OutcomeCount[],
): PromiseLike<unknown> {
  const columns = outcomeColumns(counts);
  return sql`
    insert into ingest_outcome (project_id, day, outcome, code, slot, count, flight)
    select ${projectId}::int, ${day}::date, u.outcome, u.code, ${slot}::smallint, u.count, ${String(flight)}::bigint
    from unnest(${columns.outcomes}::text[], ${columns.codes}::text[], ${columns.counts}::int[])
      as u(outcome, code, count)
    on conflict (project_id, day, outcome, code, slot) do update
      set count = ingest_outcome.count + excluded.count, flight = excluded.flight`;
}

/** Whether a flight whose end was not heard of was committed. */
export async function wasCounted(
  sql: postgres.ISql,
  projectId: number,
  { day, slot, flight }: CountedBy,
): Promise<boolean> {
  const rows = await sql`
    select 1 from ingest_outcome
    where project_id = ${projectId} and day = ${day}::date and slot = ${slot} and flight = ${String(flight)}::bigint
    limit 1`;
  return rows.length > 0;
}

/** What became of one project's events since the first one, sorted by (outcome, code). */
export async function sumOutcomes(sql: postgres.ISql, projectId: number): Promise<OutcomeCount[]> {
  const rows = await sql<OutcomeCount[]>`
    select outcome, code, sum(count)::float8 as count from ingest_outcome
    where project_id = ${projectId} group by outcome, code order by outcome, code`;
  return [...rows];
}

/** The same over several projects at once. */
export async function sumOutcomesOf(sql: postgres.ISql, projectIds: readonly number[]): Promise<OutcomeCount[]> {
  const rows = await sql<OutcomeCount[]>`
    select outcome, code, sum(count)::float8 as count from ingest_outcome
    where project_id = any(${arrayLiteral(projectIds)}::int[]) group by outcome, code order by outcome, code`;
  return [...rows];
}

/** New events that a project took on a day (ISO date, UTC). */
export async function countAccepted(sql: postgres.ISql, projectId: number, day: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select coalesce(sum(count), 0)::float8 as count from ingest_outcome
    where project_id = ${projectId} and day = ${day}::date and outcome = 'accepted'`;
  return row?.count ?? 0;
}
