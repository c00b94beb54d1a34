import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { installSafeBegin, LossWatch } from './safe-begin';
import * as schema from './schema/index';

export interface DatabaseOptions {
  /** postgres:// address. */
  url: string;
  /** Connections in the pool. */
  max: number;
  /** Shown in pg_stat_activity. */
  name: string;
  statementTimeoutMs?: number;
  lockTimeoutMs?: number;
}

/** A pool: `sql` for statements written by hand, `orm` for typed ones, over the same connections. */
export interface Database {
  sql: postgres.Sql;
  orm: PostgresJsDatabase<typeof schema>;
  close: (timeoutSeconds?: number) => Promise<void>;
}

/**
 * Opens a pool lazily (no connection until the first statement).
 * postgres.js' own backoff leaves statements hanging for many seconds after an outage, so it is set to 200 ms;
 * `synchronous_commit` is asked for explicitly because a 202 is a promise. Every statement here is short: starting
 * parallel workers or compiling it takes longer than it runs.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const losses = new LossWatch();
  const sql = postgres(options.url, {
    max: options.max,
    backoff: () => 0.2,
    connect_timeout: 3,
    idle_timeout: 60,
    max_lifetime: 30 * 60,
    onnotice: () => undefined,
    onclose: () => losses.tell(),
    connection: {
      application_name: options.name,
      statement_timeout: options.statementTimeoutMs ?? 5_000,
      lock_timeout: options.lockTimeoutMs ?? 2_000,
      idle_in_transaction_session_timeout: 10_000,
      synchronous_commit: 'on',
      max_parallel_workers_per_gather: 0,
      jit: 'off',
      timezone: 'UTC',
    },
  });
  installSafeBegin(sql, losses);
  return {
    sql,
    orm: drizzle(sql, { schema }),
    close: (timeoutSeconds = 5) => sql.end({ timeout: timeoutSeconds }),
  };
}
