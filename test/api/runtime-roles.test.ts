import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '../support/database';
import { startServer, type TestServer } from '../support/server';

const ROLES = ['ingest', 'web', 'worker'] as const;

let database: TestDatabase;
let servers: Record<(typeof ROLES)[number], TestServer>;
beforeAll(async () => {
  database = await createEmptyDatabase();
  // At once and on an empty database: all of them migrate, and only one may.
  const started = await Promise.all(ROLES.map((role) => startServer({ role, databaseUrl: database.url })));
  servers = Object.fromEntries(ROLES.map((role, at) => [role, started[at]])) as typeof servers;
}, 240_000);
afterAll(async () => {
  await Promise.all(Object.values(servers).map((server) => server.stop()));
  await database.close();
});

describe('the roles as separate processes on one database', () => {
  test.each(ROLES)('%s answers its health and readiness', async (role) => {
    expect((await fetch(`${servers[role].url}/healthz`)).status).toBe(200);
    const ready = await fetch(`${servers[role].url}/readyz`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({ status: 'ready', checks: { database: 'ok', migrations: 'ok' } });
  });

  test('the dashboard is served by web alone', async () => {
    expect((await fetch(`${servers.web.url}/login`)).status).toBe(200);
    for (const role of ['ingest', 'worker'] as const) {
      const answer = await fetch(`${servers[role].url}/login`);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
    }
  });

  test('the owner link is made where pages are', () => {
    expect(servers.web.setupPath).not.toBeNull();
    expect(servers.ingest.setupPath).toBeNull();
  });

  test('a request under way at SIGTERM is answered, new ones are refused, all within ten seconds', async () => {
    const server = await startServer({ role: 'web', databaseUrl: database.url });
    const socket = connect(server.port, '127.0.0.1');
    const answer = new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('close', () => resolve(text));
    });
    socket.write('GET /login HTTP/1.1\r\nHost: localhost\r\n');
    await new Promise((resolve) => setTimeout(resolve, 200));
    const startedAt = Date.now();
    server.kill('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 500));
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
    socket.write('\r\n');
    const text = await answer;
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(text).toMatch(/\r\nconnection: close\r\n/i);
    expect(text).toContain('</html>');
    expect(await server.exit).toBe(0);
    expect(Date.now() - startedAt).toBeLessThan(10_000);
  });

  test('a client that never finishes its request does not hold the stop up', async () => {
    const server = await startServer({ role: 'ingest', databaseUrl: database.url });
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('POST /api/v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{');
    await new Promise((resolve) => setTimeout(resolve, 200));
    const startedAt = Date.now();
    expect(await server.stop()).toBe(0);
    expect(Date.now() - startedAt).toBeLessThan(10_000);
  });

  test('readiness tells of a dead database within two seconds and of its return by itself', async () => {
    const name = new URL(database.url).pathname.slice(1);
    const admin = await createEmptyDatabase();
    const probe = async (): Promise<number> => (await fetch(`${servers.ingest.url}/readyz`)).status;
    await admin.db.sql.unsafe(`alter database ${name} allow_connections false`);
    await admin.db.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
    const startedAt = Date.now();
    while ((await probe()) === 200) expect(Date.now() - startedAt).toBeLessThan(2_000);
    expect((await fetch(`${servers.ingest.url}/healthz`)).status).toBe(200);
    await admin.db.sql.unsafe(`alter database ${name} allow_connections true`);
    const backAt = Date.now();
    while ((await probe()) !== 200) expect(Date.now() - backAt).toBeLessThan(2_000);
    await admin.close();
  });
});
