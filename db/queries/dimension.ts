import type postgres from 'postgres';
import type { Dimension } from '@/lib/core/rollup';

export interface DimensionRow extends Dimension {
  id: bigint;
}

/**
 * Makes sure the dimension rows exist. Sorted by id, so that two writers never wait for each other crosswise.
 * Text goes as one JSON document: names may hold any character.
 */
export function recordDimensions(sql: postgres.ISql, projectId: number, rows: DimensionRow[]): Promise<unknown> {
  const sorted = [...rows].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const wire = JSON.stringify(sorted.map((row) => ({ ...row, id: row.id.toString() })));
  return sql`
    insert into dimension (project_id, id, service, call, kind, code, action, profile, target, sdk, environment)
    select ${projectId}::int, r.id, r.service, r.call, r.kind, r.code, r.action, r.profile, r.target, r.sdk, r.environment
    from jsonb_to_recordset(${wire}::text::jsonb) as r(
      id bigint, service text, call text, kind text, code text, action text, profile text, target text, sdk text,
      environment text)
    on conflict do nothing`;
}

/** The dimensions of some ids, decimal text; those that don't exist are left out. */
export async function readDimensions(sql: postgres.ISql, projectId: number, ids: string[]): Promise<DimensionRow[]> {
  const rows = await sql<(Dimension & { id: string })[]>`
    select id::text as id, service, call, kind, code, action, profile, target, sdk, environment
    from dimension where project_id = ${projectId} and id = any(${ids}::text[]::bigint[])`;
  return rows.map((row) => ({ ...row, id: BigInt(row.id) }));
}
