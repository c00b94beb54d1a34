import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import { DEFAULT_SETTINGS } from '../lib/core/operation';
import { makePartitions, neededPartitions } from './partitions';

/**
 * Own migrator: drizzle's compares a file's time with the last one applied, so a migration that was made earlier
 * but merged later would be skipped for ever. Here every file that isn't recorded by name is applied.
 */

export interface Migration {
  /** File name without `.sql`. */
  name: string;
  /** SHA-256 of the text with LF line ends, hex. */
  hash: string;
  text: string;
}

export interface MigrationState {
  applied: string[];
  pending: string[];
  /** Recorded but not in the folder: a newer release ran against this database. */
  unknown: string[];
  /** Applied with another text than the file has now. */
  changed: string[];
}

export interface MigrateOptions {
  /** Epoch ms: partitions are made around it. */
  now: number;
  folder?: string;
  /** How long to wait for another process that is migrating. */
  waitMs?: number;
}

export class MigrationError extends Error {
  override name = 'MigrationError';
}

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../drizzle', import.meta.url));
const LOCK = 7_214_503_601;

/** The folder's migrations in name order. */
export async function listMigrations(folder = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return await Promise.all(
    names.map(async (file) => {
      const text = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n');
      return { name: file.slice(0, -4), hash: createHash('sha256').update(text).digest('hex'), text };
    }),
  );
}

/** Compares the folder with what the database has recorded; an empty database has everything pending. */
export async function getMigrationState(sql: postgres.ISql, folder = MIGRATIONS_FOLDER): Promise<MigrationState> {
  const files = await listMigrations(folder);
  const recorded = await readRecorded(sql);
  const names = new Set(files.map((file) => file.name));
  return {
    applied: files.filter((file) => recorded.has(file.name)).map((file) => file.name),
    pending: files.filter((file) => !recorded.has(file.name)).map((file) => file.name),
    unknown: [...recorded.keys()].filter((name) => !names.has(name)),
    changed: files.filter((file) => (recorded.get(file.name) ?? file.hash) !== file.hash).map((file) => file.name),
  };
}

/**
 * Applies every migration that isn't recorded, each in its own transaction, and makes the partitions needed now.
 * Any number of processes may call it at once: they take turns.
 * @returns names applied now
 * @throws MigrationError when an applied file has changed, or another process migrates for longer than `waitMs`
 */
export async function migrate(url: string, options: MigrateOptions): Promise<string[]> {
  const folder = options.folder ?? MIGRATIONS_FOLDER;
  const sql = postgres(url, {
    max: 1,
    connect_timeout: 5,
    onnotice: () => undefined,
    connection: { application_name: 'readback migrate', statement_timeout: 0, lock_timeout: 30_000, timezone: 'UTC' },
  });
  try {
    await takeTurn(sql, options.waitMs ?? 120_000);
    await sql`create table if not exists schema_migration (
      name text constraint schema_migration_pkey primary key,
      hash text not null,
      applied_at timestamptz not null default now())`;
    const state = await getMigrationState(sql, folder);
    if (state.changed.length > 0) {
      throw new MigrationError(`Migrations were changed after they had been applied: ${state.changed.join(', ')}.`);
    }
    const pending = (await listMigrations(folder)).filter((file) => state.pending.includes(file.name));
    for (const file of pending) await apply(sql, file);
    await makePartitions(sql, neededPartitions(options.now, await longestRetention(sql)));
    return pending.map((file) => file.name);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** The longest retention of any project in ms: partitions are shared by all. */
export async function longestRetention(sql: postgres.ISql): Promise<number> {
  const [row] = await sql<{ longest: string | null }[]>`
    select max((settings->>'retentionMs')::numeric)::bigint as longest from project`;
  return Math.max(DEFAULT_SETTINGS.retentionMs, Number(row?.longest ?? 0));
}

async function readRecorded(sql: postgres.ISql): Promise<Map<string, string>> {
  const [found] = await sql<{ there: boolean }[]>`select to_regclass('schema_migration') is not null as there`;
  if (!found?.there) return new Map();
  const rows = await sql<{ name: string; hash: string }[]>`select name, hash from schema_migration order by name`;
  return new Map(rows.map((row) => [row.name, row.hash]));
}

/** A session lock on the pool's only connection: it goes with the connection, also when we are killed. */
async function takeTurn(sql: postgres.Sql, waitMs: number): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += 100) {
    const [row] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${LOCK}) as taken`;
    if (row?.taken) return;
    if (waitedMs >= waitMs) throw new MigrationError('Another process is still migrating this database.');
    await sleep(100);
  }
}

async function apply(sql: postgres.Sql, file: Migration): Promise<void> {
  await sql.begin(async (tx) => {
    for (const statement of file.text.split('--> statement-breakpoint')) {
      if (statement.trim()) await tx.unsafe(statement).simple();
    }
    await tx`insert into schema_migration (name, hash) values (${file.name}, ${file.hash})`;
  });
}
