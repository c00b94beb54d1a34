import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiKey, project as projectTable } from '@/db/schema';
import { wireAttempt } from '@/test/factories/wire-event';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { sendSocket, type RawAnswer } from '@/test/support/http-send';
import { createIngestClient } from '@/test/support/ingest-client';
import { startIngestServer, type IngestServer } from '@/test/support/ingest-server';
import { readOutcomes } from '@/test/support/outcomes';
import { createTestProject, type TestProject } from '@/test/support/project';

const DAY_MS = 86_400_000;

let database: TestDatabase;
let server: IngestServer;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startIngestServer(database.db);
});

afterAll(async () => {
  await server?.close();
  await database?.close();
});

async function limited(limits: { eventsPerSecond?: number; dailyEventsMax?: number }): Promise<TestProject> {
  const project = await createTestProject(database.db);
  const { orm } = database.db;
  const { id } = project.project;
  if (limits.eventsPerSecond !== undefined)
    await orm
      .update(apiKey)
      .set({ eventsPerSecond: limits.eventsPerSecond })
      .where(and(eq(apiKey.projectId, id), eq(apiKey.scope, 'ingest')));
  if (limits.dailyEventsMax !== undefined)
    await orm.update(projectTable).set({ dailyEventsMax: limits.dailyEventsMax }).where(eq(projectTable.id, id));
  return project;
}

function expectLimited(answer: RawAnswer, code: string): number {
  expect(answer.status, answer.text).toBe(429);
  expect(answer.json.code).toBe(code);
  expect(answer.headers['content-type']).toBe('application/problem+json');
  expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  expect(answer.headers.ratelimit).toMatch(/"key";r=\d+;t=\d+/);
  return Number(answer.headers['retry-after']);
}

describe('the rate of a key', () => {
  it('refuses the surplus of one key and nothing of another (R11)', async () => {
    const [fast, slow] = [await limited({ eventsPerSecond: 5 }), await limited({ eventsPerSecond: 5 })];
    const a = createIngestClient(server.port, fast.keys.ingest);
    const b = createIngestClient(server.port, slow.keys.ingest);
    const answers = await Promise.all([
      ...Array.from({ length: 200 }, () => a.post(wireAttempt())),
      ...Array.from({ length: 25 }, () => b.post(wireAttempt())),
    ]);
    const ofA = answers.slice(0, 200);
    for (const answer of answers.slice(200)) expect(answer.status, answer.text).toBe(202);
    const taken = ofA.filter(({ status }) => status === 202).length;
    expect(taken).toBeGreaterThanOrEqual(50);
    expect(taken).toBeLessThan(200);
    const refused = ofA.filter(({ status }) => status !== 202);
    const waits = refused.map((answer) => expectLimited(answer, 'rate_limited'));
    expect(refused[0]?.headers['ratelimit-policy']).toBe('"key";q=50;w=10');
    await sleep(Math.max(...waits) * 1000);
    expect((await a.post(wireAttempt())).status).toBe(202);
    expect((await readOutcomes(database.db, fast.project.id)).accepted).toBe(taken + 1);
  });

  it('counts events and not requests: a batch is paid for by what comes after it', async () => {
    const project = await limited({ eventsPerSecond: 50 });
    const client = createIngestClient(server.port, project.keys.ingest);
    const batch = Array.from({ length: 700 }, () => wireAttempt());
    const first = await client.post(batch);
    expect(first).toMatchObject({ status: 202, json: { accepted: 700 } });
    const wait = expectLimited(await client.post(wireAttempt()), 'rate_limited');
    expect(wait).toBeGreaterThanOrEqual(4);
    expect(wait).toBeLessThanOrEqual(6);
  });

  it('is told with every answer', async () => {
    const project = await createTestProject(database.db);
    const client = createIngestClient(server.port, project.keys.ingest);
    for (const answer of [await client.post(wireAttempt()), await client.post('['), await client.post({})]) {
      expect(answer.headers['ratelimit-policy']).toBe('"key";q=500000;w=10');
      expect(answer.headers.ratelimit).toMatch(/^"key";r=49999\d;t=1$/);
    }
  });

  it('is asked before the body is read', async () => {
    const project = await limited({ eventsPerSecond: 1 });
    const client = createIngestClient(server.port, project.keys.ingest);
    for (let sent = 0; sent < 10; sent += 1) expect((await client.post(wireAttempt())).status).toBe(202);
    const head = `POST /api/v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${project.keys.ingest}\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\n\r\n`;
    expect(await sendSocket(server.port, head, 700)).toMatch(/^HTTP\/1\.1 429 /);
  });

  it('follows the service’s own setting', async () => {
    const strict = await startIngestServer(database.db, { keyEventsPerSecond: 1 });
    const project = await createTestProject(database.db);
    const client = createIngestClient(strict.port, project.keys.ingest);
    for (let sent = 0; sent < 10; sent += 1) expect((await client.post(wireAttempt())).status).toBe(202);
    expectLimited(await client.post(wireAttempt()), 'rate_limited');
    await strict.close();
  });
});

describe('the quota of a project', () => {
  it('takes so many new events a day, says when it ends, and other processes know', async () => {
    const noon = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
    let now = noon;
    const clocked = await startIngestServer(database.db, { clock: () => now });
    const project = await limited({ dailyEventsMax: 5 });
    const client = createIngestClient(clocked.port, project.keys.ingest);
    const attempt = () => wireAttempt({ startedAt: now });
    const events = Array.from({ length: 4 }, attempt);
    const first = await client.post(events);
    expect(first.status).toBe(202);
    expect(first.headers['ratelimit-policy']).toBe('"key";q=500000;w=10, "day";q=5;w=86400');
    // Sent again they are not new.
    expect((await client.post(events)).json).toMatchObject({ accepted: 0, duplicates: 4 });
    expect((await client.post([attempt(), attempt()])).json).toMatchObject({ accepted: 2 });
    const refused = await client.post(attempt());
    expect(expectLimited(refused, 'quota_exceeded')).toBe(DAY_MS / 2 / 1000);
    expect(refused.headers.ratelimit).toContain('"day";r=0;t=43200');
    const second = await startIngestServer(database.db, { clock: () => now });
    expectLimited(await createIngestClient(second.port, project.keys.ingest).post(attempt()), 'quota_exceeded');
    // Judging stores nothing.
    expect((await client.post(attempt(), {}, '/api/v1/classify')).status).toBe(200);
    now += DAY_MS / 2;
    expect((await client.post(attempt())).status).toBe(202);
    await Promise.all([clocked.close(), second.close()]);
  });
});

describe('what is too much at once', () => {
  it('is told so at once, before anything is looked at', async () => {
    const small = await startIngestServer(database.db, { requestsMax: 2 });
    const project = await createTestProject(database.db);
    const client = createIngestClient(small.port, project.keys.ingest);
    expect((await client.post(wireAttempt())).status).toBe(202);
    const head = `POST /api/v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${project.keys.ingest}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
    const held = Array.from({ length: 2 }, () => connect(small.port, '127.0.0.1'));
    for (const socket of held) socket.write(head);
    await sleep(200);
    const started = performance.now();
    const answer = await client.post(wireAttempt());
    expect(answer).toMatchObject({ status: 503, json: { code: 'overloaded' }, headers: { 'retry-after': '1' } });
    expect(performance.now() - started).toBeLessThan(500);
    for (const socket of held) socket.destroy();
    await sleep(200);
    expect((await client.post(wireAttempt())).status).toBe(202);
    await small.close();
  });

  it('waits no longer for a key’s row than for anything else', async () => {
    const project = await createTestProject(database.db);
    let unlock: () => void = () => undefined;
    const unlocked = new Promise<void>((resolve) => (unlock = resolve));
    const locked = database.db.sql.begin(async (sql) => {
      await sql`lock table api_key in access exclusive mode`;
      await unlocked;
    });
    await sleep(100);
    const started = performance.now();
    const client = createIngestClient(server.port, project.keys.ingest);
    const answers = await Promise.all(Array.from({ length: 30 }, () => client.post(wireAttempt())));
    for (const answer of answers) {
      expect(answer.status).toBe(503);
      expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    }
    expect(performance.now() - started).toBeLessThan(5_000);
    unlock();
    await locked;
    expect((await client.post(wireAttempt())).status).toBe(202);
  });
});
