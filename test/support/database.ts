import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { inject } from 'vitest';
import { openDatabase, type Database } from '@/db/client';

export interface TestDatabase {
  url: string;
  db: Database;
  /** Closes the pool and drops the database. */
  close: () => Promise<void>;
}

/**
 * A migrated database of one test file's own, cloned from the run's template.
 * @param serverUrl for scripts outside vitest; tests leave it out
 */
export function createTestDatabase(serverUrl: string = inject('databaseUrl')): Promise<TestDatabase> {
  return create(serverUrl, 'template readback_template');
}

/** A database without any table, for what migrates by itself. */
export function createEmptyDatabase(serverUrl: string = inject('databaseUrl')): Promise<TestDatabase> {
  return create(serverUrl, '');
}

async function create(serverUrl: string, template: string): Promise<TestDatabase> {
  const name = `t_${randomBytes(8).toString('hex')}`;
  await withAdmin(serverUrl, (sql) => sql.unsafe(`create database ${name} ${template}`));
  const address = new URL(serverUrl);
  address.pathname = `/${name}`;
  const db = openDatabase({ url: address.href, max: 8, name: 'test' });
  const close = async (): Promise<void> => {
    await db.close(1);
    await withAdmin(serverUrl, (sql) => sql.unsafe(`drop database if exists ${name} with (force)`));
  };
  return { url: address.href, db, close };
}

async function withAdmin(serverUrl: string, work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(serverUrl, { max: 1, onnotice: () => undefined });
  try {
    await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}
