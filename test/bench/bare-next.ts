import { fork, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@/lib/platform/ports';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NEXT = join(ROOT, 'node_modules/next/dist/bin/next');

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{"private":true,"type":"module"}',
  'app/layout.jsx': 'export default function Layout({ children }) { return <html><body>{children}</body></html>; }',
  'app/events/route.js': `export async function POST(request) {
    const event = await request.json();
    return Response.json({ accepted: event.id ? 1 : 0 }, { status: 202 });
  }`,
};

/** A throw-away Next application whose only route parses its body: what ingestion inside Next would cost at least. */
export async function startBareNext(): Promise<{ port: number; stop: () => Promise<void> }> {
  // Inside the tree, so that it finds this tree's packages.
  const folder = mkdtempSync(join(ROOT, '.bench-next-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'app/events'), { recursive: true });
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  const env = { ...process.env, NODE_ENV: 'production' as const, NEXT_TELEMETRY_DISABLED: '1' };
  const built = spawnSync(process.execPath, [NEXT, 'build', folder], { env, encoding: 'utf8' });
  if (built.status !== 0) {
    remove();
    throw new Error(`the bare Next application did not build: ${built.stdout}${built.stderr}`);
  }
  const port = await findFreePort();
  const child = fork(NEXT, ['start', folder, '-p', String(port), '-H', '127.0.0.1'], {
    env,
    stdio: 'ignore',
    execArgv: [],
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await gone;
    remove();
  };
  for (let tries = 0; tries < 100; tries += 1) {
    const answers = await fetch(`http://127.0.0.1:${port}/events`, { method: 'POST', body: '{}' }).catch(() => null);
    if (answers?.ok) return { port, stop };
    await sleep(200);
  }
  await stop();
  throw new Error('the bare Next application did not start');
}
