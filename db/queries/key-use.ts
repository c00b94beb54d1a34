import type postgres from 'postgres';
import { findUsesElsewhere, KEY_LIFE_MAX_MS, KEY_OPERATIONS_MAX, keysRelied, keyUsesOf } from '@/lib/core/key-use';
import type { KeyUse } from '@/lib/core/key-use';
import type { Fact } from '@/lib/core/attempt';
import { DAY_SLOT_MS, PLACE_FLAG, slotOf } from '@/lib/core/stream-places';
import { hash64 } from '@/lib/platform/hash';
import { decodeFact } from './stored-fact';

/** Who else used a key: found by the places that settling keeps, read from the facts themselves. */

/** Places of one key at most: an operation has one a day, and its reach is few days. */
const PLACES_MAX = 4 * KEY_OPERATIONS_MAX;

/** Marks a conclusion that hangs on the key, and one that trusts it no more. */
const { retried, unclear, distrusted } = PLACE_FLAG;

interface KeySpan {
  digest: string;
  /** Slots, half-open. */
  from: string;
  to: string;
}

/** For every key the slots in which another use bears on some of these. */
function spansOf(uses: readonly KeyUse[]): KeySpan[] {
  const reach = new Map<string, { from: number; to: number }>();
  for (const { keyHash, startedAt } of uses) {
    const known = reach.get(keyHash);
    reach.set(keyHash, {
      from: Math.min(known?.from ?? Infinity, startedAt - KEY_LIFE_MAX_MS),
      to: Math.max(known?.to ?? -Infinity, startedAt + KEY_LIFE_MAX_MS),
    });
  }
  return [...reach].map(([keyHash, { from, to }]) => ({
    digest: hash64(keyHash).toString(),
    from: new Date(slotOf(from, DAY_SLOT_MS)).toISOString(),
    to: new Date(slotOf(to, DAY_SLOT_MS) + DAY_SLOT_MS).toISOString(),
  }));
}

function spanRecords(sql: postgres.ISql, spans: readonly KeySpan[]) {
  return sql`jsonb_to_recordset(${JSON.stringify(spans)}::text::jsonb) as r(
    digest bigint, "from" timestamptz, "to" timestamptz)`;
}

/**
 * Operations whose conclusion hangs on one of these keys and still trusts it.
 * @param uses what is news; the keys' other users may have to be concluded again
 */
export async function listTrustingOperations(
  sql: postgres.ISql,
  projectId: number,
  uses: readonly KeyUse[],
): Promise<string[]> {
  if (uses.length === 0) return [];
  const rows = await sql<{ operation_id: string }[]>`
    select distinct m.operation_id from ${spanRecords(sql, spansOf(uses))}
    join lateral (
      select operation_id from stream_member
      where project_id = ${projectId} and stream = 'key' and value = r.digest and slot >= r."from" and slot < r."to"
        and flags <> 0 and (flags & ${retried | unclear}::int) <> 0 and (flags & ${distrusted}::int) = 0
      limit ${PLACES_MAX}
    ) m on true order by 1`;
  return rows.map((row) => row.operation_id);
}

/**
 * Operations that used one of these keys too, near enough in time to bear on these uses; of a key that very many have
 * as many as it takes to see that.
 */
async function listSharingOperations(
  sql: postgres.ISql,
  projectId: number,
  uses: readonly KeyUse[],
): Promise<ReadonlySet<string>> {
  if (uses.length === 0) return new Set();
  const rows = await sql<{ digest: string; operation_id: string }[]>`
    select distinct r.digest::text as digest, m.operation_id from ${spanRecords(sql, spansOf(uses))}
    join lateral (
      select operation_id from stream_member
      where project_id = ${projectId} and stream = 'key' and value = r.digest and slot >= r."from" and slot < r."to"
      order by slot, operation_id limit ${PLACES_MAX}
    ) m on true order by 1, 2`;
  const counts = new Map<string, number>();
  const near = rows.filter(({ digest }) => {
    const count = (counts.get(digest) ?? 0) + 1;
    counts.set(digest, count);
    return count <= KEY_OPERATIONS_MAX + 2;
  });
  return new Set(near.map((row) => row.operation_id));
}

async function readUses(sql: postgres.ISql, projectId: number, operationIds: readonly string[]): Promise<KeyUse[]> {
  if (operationIds.length === 0) return [];
  const ids = [...operationIds];
  const rows = await sql<{ event: unknown }[]>`
    select event from attempt
    where project_id = ${projectId} and operation_id = any(${ids}::text[]) and event -> 'idempotency' is not null
    union all
    select event from fact
    where project_id = ${projectId} and operation_id = any(${ids}::text[]) and type = 'attempt_started'`;
  return keyUsesOf(rows.map(({ event }) => decodeFact(event, new Date(0))));
}

/**
 * What other operations used the keys for that some operations' conclusions hang on. Keys used once are not asked for.
 * @param facts of these operations, by their ids
 * @returns for each of them what `foldOperation` takes as `elsewhere`
 */
export async function readUsesElsewhere(
  sql: postgres.ISql,
  projectId: number,
  facts: ReadonlyMap<string, readonly Fact[]>,
): Promise<(operationId: string) => KeyUse[]> {
  const own = [...facts].map(([operationId, list]) => {
    return keyUsesOf(list).filter((use) => use.operationId === operationId);
  });
  const hanging = own.flatMap((uses) => {
    const relied = keysRelied(uses);
    return relied.size === 0 ? [] : uses.filter(({ keyHash }) => relied.has(keyHash));
  });
  const sharing = await listSharingOperations(sql, projectId, hanging);
  const others = await readUses(
    sql,
    projectId,
    [...sharing].filter((operationId) => !facts.has(operationId)),
  );
  return findUsesElsewhere([...own.flat(), ...others]);
}
