/** The jobs' process: settling and upkeep, woken by the front after a commit. It ends when the front does. */
import { openDatabase } from '@/db/client';
import { createWake, runJobs } from '@/lib/jobs';
import { systemClock } from '@/lib/platform/clock';
import { readEnv } from '@/lib/platform/env';
import { createLog } from '@/lib/platform/log';
import type { ChildOrder, ChildReport } from './supervised-child';

const env = readEnv();
const log = createLog(env.LOG_LEVEL, { part: 'worker' });
const db = openDatabase({ url: env.DATABASE_URL ?? '', max: env.READBACK_WORKER_POOL, name: 'readback-worker' });
const wake = createWake();
const ending = new AbortController();

function report(message: ChildReport): void {
  process.send?.(message);
}

process.on('disconnect', () => process.exit(0));
// The terminal's Ctrl-C reaches every process: the front decides when we end.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.on('message', (order: ChildOrder) => {
  switch (order.type) {
    case 'ping':
      return report({ type: 'pong' });
    case 'wake':
      return wake.notify();
    case 'stop':
      return ending.abort();
  }
});
report({ type: 'ready' });
await runJobs({ db, log, clock: systemClock, signal: ending.signal, wake });
await db.close(1);
process.exit(0);
