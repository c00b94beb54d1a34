import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import postgres from 'postgres';
import { findEmbeddedDatabase } from '@/lib/platform/embedded-database';
import { isAlive, processCommand } from '@/lib/platform/process-identity';
import { isPortFree } from '@/lib/platform/ports';
import { readPostmaster } from '@/lib/platform/postmaster';
import { launchServer, makeDataFolder, startServer, type TestServer } from '../support/server';

let folder: string;
let server: TestServer;
beforeAll(async () => {
  folder = makeDataFolder();
  server = await startServer({ folder });
}, 240_000);
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const statusOf = async (path: string): Promise<number> => {
  try {
    return (await fetch(server.url + path, { redirect: 'manual', signal: AbortSignal.timeout(3_000) })).status;
  } catch {
    return 0;
  }
};
const postgresPid = (): number => readPostmaster(join(folder, 'postgres'))?.pid ?? 0;
const childPids = (): number[] => {
  const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8');
  return children.trim().split(' ').map(Number);
};
const webPid = (): number => childPids().find((pid) => processCommand(pid).includes('web-child')) ?? 0;
const workerPid = (): number => childPids().find((pid) => processCommand(pid).includes('worker-child')) ?? 0;

describe('the whole service on its own database', () => {
  test('answers on one port: health, readiness, dashboard, the owner link', async () => {
    expect(await statusOf('/healthz')).toBe(200);
    expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({
      status: 'ready',
      checks: { process: 'ok', database: 'ok', migrations: 'ok', web: 'ok' },
    });
    expect(await statusOf('/login')).toBe(200);
    expect(server.setupPath).toMatch(/^\/setup\?token=[\w-]{43}$/);
    expect(await statusOf(server.setupPath ?? '')).toBe(200);
    expect(server.output()).toContain(`Readback runs at ${server.url}\n`);
    expect(server.output()).toContain(`${server.url}${server.setupPath ?? ''}`);
  });

  test('the database is durable, tuned, on loopback only and its secrets are ours alone', async () => {
    const sql = postgres(findEmbeddedDatabase(folder) ?? '', { max: 1 });
    const rows = await sql<{ name: string; setting: string }[]>`
      select name, setting from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'listen_addresses', 'checkpoint_completion_target')`;
    await sql.end();
    expect(Object.fromEntries(rows.map((row) => [row.name, row.setting]))).toEqual({
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      listen_addresses: '127.0.0.1',
      checkpoint_completion_target: '0.9',
    });
    for (const name of ['secret', 'database-password']) {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
  });

  test('a second start on the same data folder says so in one sentence', async () => {
    await expect(startServer({ folder })).rejects.toThrow(
      `Readback already runs on the data folder ${folder} (process ${server.pid}): stop it first, or set READBACK_DATA_DIR and PORT.\n`,
    );
    expect(await statusOf('/readyz')).toBe(200);
  });

  test('PostgreSQL killed while we run comes back by itself', async () => {
    const before = postgresPid();
    process.kill(before, 'SIGKILL');
    await vi.waitFor(() => expect(postgresPid()).not.toBe(before), { timeout: 15_000, interval: 50 });
    await vi.waitFor(async () => expect(await statusOf('/readyz')).toBe(200), { timeout: 5_000, interval: 100 });
    expect(await statusOf('/login')).toBe(200);
  });

  test.each([
    ['dashboard', webPid],
    ['jobs', workerPid],
  ])('the process of the %s killed comes back by itself, the port answers meanwhile', async (_name, find) => {
    const before = find();
    expect(before).toBeGreaterThan(0);
    process.kill(before, 'SIGKILL');
    expect(await statusOf('/healthz')).toBe(200);
    await vi.waitFor(() => expect([0, before]).not.toContain(find()), { timeout: 10_000, interval: 50 });
    await vi.waitFor(async () => expect(await statusOf('/login')).toBe(200), { timeout: 10_000, interval: 100 });
  });

  test('while the dashboard is away a page says so without a script, programs get problem+json', async () => {
    process.kill(webPid(), 'SIGKILL');
    await vi.waitFor(async () => expect(await statusOf('/login')).toBe(503), { timeout: 2_000, interval: 5 });
    const [page, problem] = await Promise.all([
      fetch(`${server.url}/login`, { headers: { accept: 'text/html' } }),
      fetch(`${server.url}/api/v1/rates`),
    ]);
    expect(page.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await page.text()).not.toContain('<script');
    expect(problem.status).toBe(503);
    expect(problem.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await problem.json()).toMatchObject({ status: 503, code: 'not_ready' });
    await vi.waitFor(async () => expect(await statusOf('/login')).toBe(200), { timeout: 15_000, interval: 100 });
  });

  test('the main process killed: its children end, and the next start works on the same data', async () => {
    const children = [webPid(), workerPid()];
    const database = postgresPid();
    server.kill('SIGKILL');
    await server.exit;
    await vi.waitFor(() => expect(children.some(isAlive)).toBe(false), { timeout: 5_000, interval: 50 });
    expect(isAlive(database)).toBe(true);
    server = await startServer({ folder, port: server.port });
    expect(await statusOf('/readyz')).toBe(200);
    expect(isAlive(database)).toBe(false);
  });

  test('everything killed at once: the next start works', async () => {
    for (const pid of [server.pid, postgresPid(), ...childPids()]) process.kill(pid, 'SIGKILL');
    await server.exit;
    server = await startServer({ folder, port: server.port });
    expect(await statusOf('/readyz')).toBe(200);
    expect(await statusOf('/login')).toBe(200);
  });

  test('SIGTERM ends with 0 within ten seconds and leaves no process, no lock and a free port', async () => {
    const processes = [server.pid, postgresPid(), ...childPids()];
    const startedAt = Date.now();
    server.kill('SIGTERM');
    expect(await server.exit).toBe(0);
    expect(Date.now() - startedAt).toBeLessThan(10_000);
    expect(processes.filter(isAlive)).toEqual([]);
    expect(readPostmaster(join(folder, 'postgres'))).toBeNull();
    expect(await isPortFree(server.port)).toBe(true);
    server = await startServer({ folder, port: server.port });
  });

  test('SIGTERM in the middle of a start leaves nothing behind either', async () => {
    await server.stop();
    const launched = launchServer({ folder, port: server.port });
    await vi.waitFor(() => expect(postgresPid()).toBeGreaterThan(0), { timeout: 20_000, interval: 20 });
    launched.child.kill('SIGTERM');
    expect(await launched.exit).toBe(0);
    expect(readPostmaster(join(folder, 'postgres'))).toBeNull();
    server = await startServer({ folder, port: server.port });
  });
});
