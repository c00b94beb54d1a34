import type postgres from 'postgres';
import { arrayLiteral } from './columns';

export interface LedgerEntry {
  id: string;
  contentHash: bigint;
  /** Epoch ms. */
  at: number;
}

/**
 * Takes ids that no earlier event had. An id that another open transaction is just taking is waited for.
 * @param entries sorted by id, so that two writers never wait for each other crosswise
 * @returns the ids that are new
 */
export async function claimIds(sql: postgres.ISql, projectId: number, entries: LedgerEntry[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    insert into event_ledger (project_id, id, content_hash, at)
    select ${projectId}::int, u.id, u.content_hash, to_timestamp(u.at / 1000)
    from unnest(
      ${arrayLiteral(entries.map((entry) => entry.id))}::uuid[],
      ${arrayLiteral(entries.map((entry) => entry.contentHash))}::bigint[],
      ${arrayLiteral(entries.map((entry) => entry.at))}::float8[]
    ) as u(id, content_hash, at)
    on conflict do nothing
    returning id`;
  return new Set(rows.map((row) => row.id));
}

/** What was stored first under these ids. */
export async function findContentHashes(
  sql: postgres.ISql,
  projectId: number,
  ids: string[],
): Promise<Map<string, bigint>> {
  const rows = await sql<{ id: string; contentHash: string }[]>`
    select id, content_hash as "contentHash" from event_ledger
    where project_id = ${projectId} and id = any(${arrayLiteral(ids)}::uuid[])`;
  return new Map(rows.map((row) => [row.id, BigInt(row.contentHash)]));
}
