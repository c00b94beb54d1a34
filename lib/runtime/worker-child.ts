/** The jobs' process: settling and upkeep, woken by the front after a commit. It ends when the front does. */
import { openDatabase } from '@/db/client';
import { readEnv } from '@/lib/platform/env';
import { createLog } from '@/lib/platform/log';
import type { ChildOrder, ChildReport } from './supervised-child';

const env = readEnv();
const log = createLog(env.LOG_LEVEL, { part: 'worker' });
const db = openDatabase({ url: env.DATABASE_URL ?? '', max: env.READBACK_WORKER_POOL, name: 'readback-worker' });
const ending = new AbortController();

function report(message: ChildReport): void {
  process.send?.(message);
}

process.on('disconnect', () => process.exit(0));
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.on('message', (order: ChildOrder) => {
  if (order.type === 'ping') report({ type: 'pong' });
  if (order.type === 'stop') ending.abort();
});
log.debug('worker runs');
report({ type: 'ready' });
ending.signal.addEventListener('abort', () => void db.close(1).then(() => process.exit(0)));
