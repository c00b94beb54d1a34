import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, type Database } from '@/db/client';
import { getMigrationState } from '@/db/migrate';
import { openDataFolder } from '@/lib/platform/data-folder';
import { findEmbeddedDatabase, startEmbeddedDatabase } from '@/lib/platform/embedded-database';
import { readCommandEnv } from '@/lib/platform/env';
import { takeFolderLock } from '@/lib/platform/folder-lock';
import { PlainError } from '@/lib/platform/plain-error';
import { describePlace, openStore } from '@/lib/runtime/open-store';

export interface ReachedDatabase {
  url: string;
  /** Ends what was started for this command alone. */
  close: () => Promise<void>;
}

const STARTING_PATIENCE_MS = 30_000;

/** A command that ends in order by itself when it is told to; else a signal stops what was started and exits. */
type SignalsLeft = 'left to the command';

/**
 * The database a command works on: `DATABASE_URL`, else the running embedded server, else that server started for
 * the length of the command.
 * @throws PlainError
 */
export async function reachDatabase(signals?: SignalsLeft): Promise<ReachedDatabase> {
  const env = readCommandEnv();
  if (env.DATABASE_URL) return { url: env.DATABASE_URL, close: () => Promise.resolve() };
  const folder = openDataFolder(env.READBACK_DATA_DIR);
  const lock = await takeFolderLock(folder, 'command');
  if ('heldBy' in lock) return { url: await findServed(folder), close: () => Promise.resolve() };
  try {
    const database = await startEmbeddedDatabase({ folder });
    const close = async (): Promise<void> => {
      await database.stop();
      lock.release();
    };
    if (signals === undefined) stopOnSignal(close);
    return { url: database.url, close };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** A service has the folder; its server may be starting, or restarting, this very moment. */
async function findServed(folder: string): Promise<string> {
  for (let waitedMs = 0; waitedMs < STARTING_PATIENCE_MS; waitedMs += 200) {
    const url = findEmbeddedDatabase(folder);
    if (url) return url;
    await sleep(200);
  }
  throw new PlainError(`The service on ${folder} has no running database: look at its log.`);
}

function stopOnSignal(close: () => Promise<void>): void {
  const stop = (): void => void close().finally(() => process.exit(130));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

/**
 * Runs `work` on a migrated database. A database of our own is migrated first; another one only by `readback migrate`.
 * @throws PlainError
 */
export async function withDatabase<T>(
  work: (db: Database) => Promise<T>,
  options: { signals?: SignalsLeft } = {},
): Promise<T> {
  const reached = await reachDatabase(options.signals);
  try {
    if (!readCommandEnv().DATABASE_URL) await openStore(reached.url, Date.now());
    const db = openDatabase({ url: reached.url, max: 2, name: 'readback-command' });
    try {
      await refuseUnmigrated(db, reached.url);
      return await work(db);
    } finally {
      await db.close(1);
    }
  } finally {
    await reached.close();
  }
}

async function refuseUnmigrated(db: Database, url: string): Promise<void> {
  let pending: string[];
  try {
    ({ pending } = await getMigrationState(db.sql));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new PlainError(`The database at ${describePlace(url)} can't be reached (${reason}).`);
  }
  if (pending.length > 0) {
    throw new PlainError(`The database at ${describePlace(url)} isn't up to date: run readback migrate.`);
  }
}
