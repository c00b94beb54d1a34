import { sumOutcomes } from '@/db/queries/ingest-outcome';
import type { Database } from '@/db/client';
import type { RawAnswer } from './http-send';

/** Counts by `accepted`, `duplicate`, `conflict` and `rejected <code>`; what is zero is absent. */
export type OutcomeTable = Record<string, number>;

export async function readOutcomes(db: Database, projectId: number): Promise<OutcomeTable> {
  const counts = await sumOutcomes(db.sql, projectId);
  return Object.fromEntries(counts.map(({ outcome, code, count }) => [`${outcome} ${code}`.trim(), count]));
}

export function addOutcome(table: OutcomeTable, name: string, count = 1): void {
  if (count > 0) table[name] = (table[name] ?? 0) + count;
}

/** Adds what an answer of `POST /api/v1/events` says; one that says nothing of events adds nothing. */
export function addAnswer(table: OutcomeTable, { status, json }: RawAnswer): void {
  if (status !== 202 && status !== 422) return;
  const conflicts = json.conflicts as number[];
  addOutcome(table, 'accepted', json.accepted as number);
  addOutcome(table, 'conflict', conflicts.length);
  addOutcome(table, 'duplicate', (json.duplicates as number) - conflicts.length);
  for (const { code } of json.rejected as { code: string }[]) addOutcome(table, `rejected ${code}`);
}
