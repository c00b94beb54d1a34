/**
 * A process beside the test run that owns the run's PostgreSQL: when the run ends, killed or not, the channel to it
 * closes, and the server is stopped and its folder removed.
 */
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { migrate } from '@/db/migrate';
import { openDataFolder } from '@/lib/platform/data-folder';
import { startEmbeddedDatabase, type EmbeddedDatabase } from '@/lib/platform/embedded-database';
import { findLockHolder, takeFolderLock } from '@/lib/platform/folder-lock';
import { findRunningPostmaster, stopPostmaster } from '@/lib/platform/postmaster';

const PREFIX = 'readback-test-';
/** Cloned by `createTestDatabase`. */
const TEMPLATE = 'readback_template';
const SETTINGS = { shared_buffers: '128MB', max_connections: '300', max_wal_size: '1GB', checkpoint_timeout: '30min' };

let database: EmbeddedDatabase | undefined;
let folder: string | undefined;

/** Folders of keepers that were killed themselves. */
async function removeLeftovers(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const left = join(tmpdir(), name);
    if (findLockHolder(left)) continue;
    const running = findRunningPostmaster(join(left, 'postgres'));
    // A folder without a server may be one that another run is making this very moment.
    if (!running) continue;
    await stopPostmaster(running.pid);
    rmSync(left, { recursive: true, force: true });
  }
}

async function start(): Promise<void> {
  await removeLeftovers();
  folder = openDataFolder(mkdtempSync(join(tmpdir(), PREFIX)));
  chmodSync(folder, 0o711); // PostgreSQL's account passes through when we are root
  await takeFolderLock(folder, 'start');
  database = await startEmbeddedDatabase({ folder, settings: SETTINGS });
  const admin = postgres(database.url, { max: 1, onnotice: () => undefined });
  await admin.unsafe(`create database ${TEMPLATE}`);
  await migrate(database.url.replace(/readback$/, TEMPLATE), { now: Date.now() });
  await admin.unsafe(`alter database ${TEMPLATE} allow_connections false`);
  await admin.end();
  process.send?.({ url: database.url });
}

let ending = false;
async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  await database?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
  process.exit(code);
}

process.on('disconnect', () => void end(0));
process.on('SIGTERM', () => void end(0));
process.on('SIGINT', () => undefined);
start().catch((error: unknown) => {
  console.error(error);
  void end(1);
});
