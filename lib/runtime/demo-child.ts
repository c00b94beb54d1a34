/** The demo's process: makes project and people, loads the week over HTTP, then lets traffic and work go on. */
import { openDatabase } from '@/db/client';
import { drawBar } from '@/lib/cli/terminal';
import { demoPassword, prepareDemo } from '@/lib/demo/prepare-demo';
import { DEMO_VISITOR } from '@/lib/demo/people';
import { runDemoQueue } from '@/lib/demo/play-queue';
import { runDemo } from '@/lib/demo/run-demo';
import { readEnv } from '@/lib/platform/env';
import { createLog } from '@/lib/platform/log';
import { localAddress } from './process-role';
import type { ChildOrder, ChildReport } from './supervised-child';

const env = readEnv();
const log = createLog(env.LOG_LEVEL, { part: 'demo' });
const db = openDatabase({ url: env.DATABASE_URL ?? '', max: 2, name: 'readback-demo' });
const ending = new AbortController();

function report(message: ChildReport): void {
  process.send?.(message);
}

process.on('disconnect', () => process.exit(0));
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.on('message', (order: ChildOrder) => {
  if (order.type === 'ping') report({ type: 'pong' });
  if (order.type === 'stop') process.exit(0);
});

const password = demoPassword(env.READBACK_SECRET ?? '');
const { project, members, ingestKey, anchor } = await prepareDemo(db, { now: Date.now(), password });
console.log(`Sign in to the demo with ${DEMO_VISITOR.email} and ${password}`);

const bar = process.stderr.isTTY ? drawBar(1, 'hours') : null;
const traffic = runDemo({
  baseUrl: localAddress(env.HOST, env.PORT),
  ingestKey,
  anchor,
  signal: ending.signal,
  onProgress: ({ hoursDone, hoursTotal }) => bar?.update(hoursDone, hoursTotal),
  onLoaded: ({ events }) => {
    bar?.stop();
    console.log(`The demo week is loaded: ${events} events. Traffic goes on while this runs.`);
    report({ type: 'ready' });
    const queue = runDemoQueue({ db, project, members, now: Date.now, signal: ending.signal });
    queue.catch((error: unknown) => log.error({ err: error }, 'the demo people stopped working'));
  },
  onTrickleFailed: (error) => log.warn({ err: error }, 'demo traffic could not be sent'),
});
await traffic;
