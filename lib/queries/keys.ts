import { epochMs } from './statement';
import type { KeyView, QueryContext } from './views';

interface KeyRow {
  key_id: string;
  name: string;
  scope: KeyView['scope'];
  last_four: string;
  created_at: number;
  created_by: string;
  last_used_at: number | null;
  revoked_at: number | null;
}

const KEYS_MAX = 1_000;

/** The project's keys, newest first, revoked ones too. Never anything a key could be rebuilt from. */
export async function listKeys(ctx: QueryContext): Promise<KeyView[]> {
  const { sql } = ctx.db;
  const rows = await sql<KeyRow[]>`
    select key_id, name, scope, last_four, created_by, ${epochMs(sql, 'created_at')} as created_at,
           ${epochMs(sql, 'last_used_at')} as last_used_at, ${epochMs(sql, 'revoked_at')} as revoked_at
    from api_key where project_id = ${ctx.project.id} order by api_key.created_at desc, key_id limit ${KEYS_MAX}`;
  return rows.map((row) => ({
    keyId: row.key_id,
    name: row.name,
    scope: row.scope,
    lastFour: row.last_four,
    createdAt: row.created_at,
    createdBy: row.created_by,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  }));
}
