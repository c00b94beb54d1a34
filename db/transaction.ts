import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type postgres from 'postgres';
import type { Database } from './client';
import * as schema from './schema/index';

/** One open transaction: hand-written statements and typed ones go through the same connection. */
export interface Transaction {
  sql: postgres.TransactionSql;
  orm: PostgresJsDatabase<typeof schema>;
}

/** Serialization failure and deadlock: the transaction did nothing and may simply be run again. */
const AGAIN = new Set(['40001', '40P01']);
const TRIES = 3;

/**
 * Runs `work` in one transaction and commits it. Anything thrown rolls back and is thrown on;
 * serialization failures and deadlocks are run again, so `work` must hold no effect but its statements.
 */
export async function inTransaction<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return (await db.sql.begin((sql) => work(openTransaction(db, sql)))) as T;
    } catch (error) {
      const code = (error as { code?: unknown } | null)?.code;
      if (tries >= TRIES || typeof code !== 'string' || !AGAIN.has(code)) throw error;
    }
  }
}

function openTransaction(db: Database, sql: postgres.TransactionSql): Transaction {
  let orm: PostgresJsDatabase<typeof schema> | undefined;
  return {
    sql,
    get orm() {
      // drizzle reads the pool's `options`, which postgres.js doesn't hand on to a transaction's own `sql`.
      orm ??= drizzle(Object.assign(sql, { options: db.sql.options }) as unknown as postgres.Sql, { schema });
      return orm;
    },
  };
}
