import type postgres from 'postgres';

/**
 * Why this server can't keep the promise that a 202 makes, in words; empty when it can.
 * Asked over a connection that sets nothing itself.
 */
export async function findDurabilityFaults(sql: postgres.ISql): Promise<string[]> {
  const settings = await sql<{ name: string; setting: string }[]>`
    select name, setting from pg_settings
    where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by name`;
  const tables = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind = 'r' and c.relpersistence = 'u' order by 1 limit 3`;
  return [...settings.map((row) => `${row.name} is off`), ...tables.map((row) => `the table ${row.name} is unlogged`)];
}
