import { readCommandEnv } from '@/lib/platform/env';
import { openStore } from '@/lib/runtime/open-store';
import type { Terminal } from './terminal';
import { reachDatabase } from './with-database';

/** Brings the database's tables up to date and makes the partitions needed now. */
export async function migrateCommand(terminal: Terminal): Promise<void> {
  const reached = await reachDatabase();
  try {
    const { applied } = await openStore(reached.url, Date.now());
    const place = readCommandEnv().DATABASE_URL ? 'DATABASE_URL' : 'the embedded database';
    const text = applied.length === 0 ? `Nothing to apply: ${place} is up to date.` : `Applied ${applied.join(', ')}.`;
    terminal.result({ applied }, text);
  } finally {
    await reached.close();
  }
}
