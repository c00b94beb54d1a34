import { openDataFolder, keepSecret } from '@/lib/platform/data-folder';
import { startEmbeddedDatabase } from '@/lib/platform/embedded-database';
import type { Env } from '@/lib/platform/env';
import { takeFolderLock } from '@/lib/platform/folder-lock';
import type { Logger } from '@/lib/platform/log';
import { PlainError } from '@/lib/platform/plain-error';

export interface ServiceStore {
  url: string;
  secret: string;
  /** Stops what was started here, the hard way after `patienceMs`; resolves when it's gone. */
  close: (patienceMs?: number) => Promise<void>;
}

/**
 * The database and secret a service runs on: `DATABASE_URL` and `READBACK_SECRET`, else those of the data folder,
 * whose PostgreSQL is started and kept running.
 * @throws PlainError
 */
export async function openDatabaseFor(env: Env, log: Logger): Promise<ServiceStore> {
  if (env.DATABASE_URL) {
    // readEnv has refused a DATABASE_URL without its secret.
    return { url: env.DATABASE_URL, secret: env.READBACK_SECRET ?? '', close: () => Promise.resolve() };
  }
  if (env.READBACK_ROLE !== 'all') {
    throw new PlainError(
      `READBACK_ROLE=${env.READBACK_ROLE} needs DATABASE_URL: only the role all brings a database along.`,
    );
  }
  const folder = openDataFolder(env.READBACK_DATA_DIR);
  const lock = await takeFolderLock(folder, 'start');
  if ('heldBy' in lock) {
    throw new PlainError(
      `Readback already runs on the data folder ${folder} (process ${lock.heldBy.pid}): stop it first, or set READBACK_DATA_DIR and PORT.`,
    );
  }
  try {
    const database = await startEmbeddedDatabase({
      folder,
      onEvent: (event) => log.warn({ event }, 'embedded PostgreSQL'),
    });
    const secret = env.READBACK_SECRET ?? keepSecret(folder, 'secret');
    const close = async (patienceMs?: number): Promise<void> => {
      await database.stop(patienceMs);
      lock.release();
    };
    return { url: database.url, secret, close };
  } catch (error) {
    lock.release();
    throw error;
  }
}
