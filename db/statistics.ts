import type postgres from 'postgres';

/** Below this many rows any plan is quick. */
const ROWS_MIN = 1_000;
/** Statistics of a table that has changed so many times over since describe another table. */
const CHANGED_FACTOR = 4;

/**
 * Analyses the tables whose planner statistics are missing or of another size. PostgreSQL's own autovacuum does it too,
 * but a minute or more later, and until then a first import is read by plans for empty tables: statements of
 * milliseconds take seconds. A table that somebody else is analysing is left to them.
 * @returns names of the tables analysed
 */
export async function refreshStatistics(sql: postgres.Sql): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select s.relname as name
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.schemaname = current_schema() and s.n_live_tup >= ${ROWS_MIN}
      and (c.reltuples < 0 or s.n_mod_since_analyze > ${CHANGED_FACTOR} * c.reltuples + ${ROWS_MIN})
    order by 1`;
  for (const { name } of tables) await sql`analyze (skip_locked) ${sql(name)}`;
  return tables.map(({ name }) => name);
}
