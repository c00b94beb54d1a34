import type postgres from 'postgres';
import { listTrustingOperations, readUsesElsewhere } from '@/db/queries/key-use';
import { readFacts, touchOperations, type StoredFacts } from '@/db/queries/settle';
import { keyUsesOf, type KeyUse } from '@/lib/core/key-use';

/** The facts of the operations that are concluded together, and of those that their news bears on. */

export interface Lot extends StoredFacts {
  /** Those asked for first, then those that joined. */
  operationIds: string[];
  elsewhere: (operationId: string) => KeyUse[];
}

export interface LotRule {
  /** Operations that nothing new is known of. */
  timeOnly: ReadonlySet<string>;
  /**
   * So many others join that trust a key which one of these used; the rest is touched. Joined ones pass nothing on, so
   * that two operations of one key never set each other off. Null where nothing is news.
   */
  joinMax: number | null;
}

export async function readLot(
  tx: postgres.ISql,
  projectId: number,
  operationIds: readonly string[],
  { timeOnly, joinMax }: LotRule,
): Promise<Lot> {
  const asked = await readFacts(tx, projectId, [...operationIds]);
  const joining = joinMax === null ? [] : await listJoining(tx, projectId, asked, timeOnly);
  const joined = joining.slice(0, joinMax ?? 0);
  await touchOperations(
    tx,
    projectId,
    joining.slice(joined.length).map((operationId) => ({ operationId, at: null })),
  );
  const more = joined.length > 0 ? await readFacts(tx, projectId, joined) : null;
  const facts = more ? new Map([...asked.facts, ...more.facts]) : asked.facts;
  const judgements = more ? new Map([...asked.judgements, ...more.judgements]) : asked.judgements;
  const elsewhere = await readUsesElsewhere(tx, projectId, facts);
  return { operationIds: [...operationIds, ...joined], facts, judgements, elsewhere };
}

async function listJoining(
  tx: postgres.ISql,
  projectId: number,
  { facts }: StoredFacts,
  timeOnly: ReadonlySet<string>,
): Promise<string[]> {
  const news = [...facts].flatMap(([operationId, own]) => (timeOnly.has(operationId) ? [] : keyUsesOf(own)));
  const trusting = await listTrustingOperations(tx, projectId, news);
  return trusting.filter((operationId) => !facts.has(operationId));
}
