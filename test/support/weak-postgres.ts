import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDataFolder } from '@/lib/platform/data-folder';
import { startEmbeddedDatabase } from '@/lib/platform/embedded-database';
import { findFreePort } from '@/lib/platform/ports';
import { findPostgresBinaries } from '@/lib/platform/postgres-binaries';
import { findRunningPostmaster, stopPostmaster } from '@/lib/platform/postmaster';
import { findServiceUser } from '@/lib/platform/service-user';

export interface WeakPostgres {
  url: string;
  stop: () => Promise<void>;
}

/** Somebody else's PostgreSQL with settings of theirs; ours can't be started with such. */
export async function startWeakPostgres(settings: Record<string, string>): Promise<WeakPostgres> {
  const folder = openDataFolder(mkdtempSync(join(tmpdir(), 'readback-weak-')));
  chmodSync(folder, 0o711); // PostgreSQL's account passes through when we are root
  const made = await startEmbeddedDatabase({ folder, settings: { shared_buffers: '16MB' } });
  await made.stop();
  const user = findServiceUser();
  const path = join(folder, 'postgres');
  const port = await findFreePort();
  const all = { ...settings, port: String(port), listen_addresses: '127.0.0.1', unix_socket_directories: '' };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(findPostgresBinaries(user).postgres, ['-D', path, ...flags], {
    cwd: '/',
    stdio: 'ignore',
    ...(user ? { uid: user.uid, gid: user.gid } : {}),
  });
  for (let waitedMs = 0; !findRunningPostmaster(path)?.ready; waitedMs += 50) {
    if (waitedMs > 20_000 || child.exitCode !== null) throw new Error('the weak PostgreSQL did not start');
    await sleep(50);
  }
  const url = new URL(made.url);
  url.port = String(port);
  const stop = async (): Promise<void> => {
    await stopPostmaster(child.pid ?? 0, 3_000);
    rmSync(folder, { recursive: true, force: true });
  };
  return { url: url.href, stop };
}
