import { createConnection } from 'node:net';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '@/db/client';
import { migrate } from '@/db/migrate';
import { partitionName } from '@/db/partitions';
import { openDataFolder } from '@/lib/platform/data-folder';
import { startEmbeddedDatabase, type EmbeddedDatabase } from '@/lib/platform/embedded-database';
import { wireAttempt } from '@/test/factories/wire-event';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import type { RawAnswer } from '@/test/support/http-send';
import { createIngestClient } from '@/test/support/ingest-client';
import { startIngestServer, type IngestServer } from '@/test/support/ingest-server';
import { createTestProject, type TestProject } from '@/test/support/project';

function expectRetryLater(answer: RawAnswer, code?: string): void {
  expect(answer.status, answer.text).toBe(503);
  expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  expect(answer.headers['content-type']).toBe('application/problem+json');
  if (code) expect(answer.json.code).toBe(code);
  expect(answer.text).not.toMatch(/select |insert |ECONN|postgres|Key \(/i);
}

describe('the database goes away and comes back', () => {
  let folder: string;
  let embedded: EmbeddedDatabase;
  let db: Database;
  let server: IngestServer;
  let project: TestProject;
  const settings = { max_connections: '30', shared_buffers: '32MB' };

  beforeAll(async () => {
    folder = openDataFolder(mkdtempSync(join(tmpdir(), 'readback-faults-')));
    chmodSync(folder, 0o711); // PostgreSQL's own account passes through when we are root
    embedded = await startEmbeddedDatabase({ folder, settings });
    await migrate(embedded.url, { now: Date.now() });
    db = openDatabase({ url: embedded.url, max: 5, name: 'faults' });
    server = await startIngestServer(db);
    project = await createTestProject(db);
  });

  afterAll(async () => {
    await server?.close();
    await db?.close(1);
    await embedded?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('answers 503 with whole seconds meanwhile, never 500, and takes events within 2 s of its return', async () => {
    const client = createIngestClient(server.port, project.keys.ingest);
    const kept = [wireAttempt(), wireAttempt()];
    expect((await client.post(kept)).status).toBe(202);
    await embedded.stop();
    for (let tries = 0; tries < 5; tries += 1) {
      const started = performance.now();
      const answers = await Promise.all([client.post(wireAttempt()), client.post([], {}, '/api/v1/events')]);
      expectRetryLater(answers[0], 'database_unavailable');
      expect(answers[1].status === 202 || answers[1].status === 503).toBe(true);
      expect(performance.now() - started).toBeLessThan(5_500);
      await sleep(200);
    }
    const unknown = await createIngestClient(server.port, project.keys.read).post([], {}, '/api/v1/classify');
    expectRetryLater(unknown, 'database_unavailable');
    embedded = await startEmbeddedDatabase({ folder, settings });
    const back = performance.now();
    let answer = await client.post(kept);
    while (answer.status !== 202 && performance.now() - back < 10_000) {
      expectRetryLater(answer);
      await sleep(50);
      answer = await client.post(kept);
    }
    expect(performance.now() - back).toBeLessThan(2_000);
    expect(answer.json).toMatchObject({ accepted: 0, duplicates: 2 });
  });
});

describe('the database is slow, full of locks, or refuses a value', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterAll(async () => {
    await database?.close();
  });

  it('lets nobody wait past the deadline, sheds what is too much at once, and is back after', async () => {
    const server = await startIngestServer(database.db, {
      limits: { requestsMax: 60, deadlineMs: 2_000, flightsMax: 3 },
    });
    const project = await createTestProject(database.db);
    const client = createIngestClient(server.port, project.keys.ingest);
    expect((await client.post(wireAttempt())).status).toBe(202);
    let unlock: () => void = () => undefined;
    const unlocked = new Promise<void>((resolve) => (unlock = resolve));
    const locked = database.db.sql.begin(async (sql) => {
      await sql`lock table event_ledger in access exclusive mode`;
      await unlocked;
    });
    await sleep(100);
    const times: number[] = [];
    const answers = await Promise.all(
      Array.from({ length: 150 }, async () => {
        const started = performance.now();
        const answer = await client.post(wireAttempt());
        times.push(performance.now() - started);
        return answer;
      }),
    );
    answers.forEach((answer) => expectRetryLater(answer));
    expect(answers.filter(({ json }) => json.code === 'overloaded').length).toBeGreaterThanOrEqual(90);
    expect(Math.max(...times)).toBeLessThan(4_000);
    unlock();
    await locked;
    const back = performance.now();
    let answer = await client.post(wireAttempt());
    while (answer.status !== 202 && performance.now() - back < 5_000) answer = await client.post(wireAttempt());
    expect(performance.now() - back).toBeLessThan(2_500);
    await server.close();
  });

  it('lets others pass while one project’s rows are locked, and holds up nobody who is alone', async () => {
    const server = await startIngestServer(database.db);
    const [held, free] = [await createTestProject(database.db), await createTestProject(database.db)];
    const [first, second] = [held, free].map(({ keys }) => createIngestClient(server.port, keys.ingest));
    if (!first || !second) throw new Error('there are two');
    for (const client of [first, second]) expect((await client.post(wireAttempt())).status).toBe(202);
    let unlock: () => void = () => undefined;
    const unlocked = new Promise<void>((resolve) => (unlock = resolve));
    const locked = database.db.sql.begin(async (sql) => {
      await sql`select 1 from rate_rollup where project_id = ${held.project.id} for update`;
      await unlocked;
    });
    await sleep(100);
    let answered = false;
    const waiting = first.post(wireAttempt()).finally(() => (answered = true));
    await sleep(50);
    const started = performance.now();
    for (let sent = 0; sent < 20; sent += 1) expect((await second.post(wireAttempt())).status).toBe(202);
    expect(performance.now() - started).toBeLessThan(1_500);
    expect(answered).toBe(false);
    unlock();
    await locked;
    expect((await waiting).status).toBe(202);
    await server.close();
  });

  it('finds the event that can’t be stored, quarantines it and keeps the others', async () => {
    const server = await startIngestServer(database.db);
    const project = await createTestProject(database.db);
    const client = createIngestClient(server.port, project.keys.ingest);
    await database.db.sql`alter table attempt add constraint attempt_poison check (operation_id <> 'poison') not valid`;
    const events = Array.from({ length: 40 }, (_, place) => wireAttempt(place === 17 ? { operationId: 'poison' } : {}));
    const [answer, single, alone] = await Promise.all([
      client.post(events),
      client.post(wireAttempt()),
      client.post(wireAttempt({ operationId: 'poison' })),
    ]);
    expect(answer).toMatchObject({
      status: 202,
      json: { accepted: 39, rejected: [{ index: 17, code: 'event_quarantined' }] },
    });
    expect(single.status).toBe(202);
    expect(alone).toMatchObject({ status: 422, json: { code: 'event_quarantined', accepted: 0 } });
    expect(server.deps.commit.stats().quarantined).toBe(2);
    await database.db.sql`alter table attempt drop constraint attempt_poison`;
    await server.close();
  });

  it('makes a day that is missing', async () => {
    const server = await startIngestServer(database.db);
    const project = await createTestProject(database.db);
    const client = createIngestClient(server.port, project.keys.ingest);
    const startedAt = Date.now() - 20 * 86_400_000;
    await database.db.sql.unsafe(`drop table ${partitionName(startedAt)}`);
    expect(await client.post(wireAttempt({ startedAt }))).toMatchObject({ status: 202, json: { accepted: 1 } });
    await server.close();
  });

  it('outlives the end of its connections', async () => {
    const server = await startIngestServer(database.db);
    const project = await createTestProject(database.db);
    const client = createIngestClient(server.port, project.keys.ingest);
    for (let round = 0; round < 3; round += 1) {
      // Every connection open and past its start, where the driver has promises of its own.
      for (let again = 0; again < 2; again += 1)
        await Promise.allSettled(Array.from({ length: 8 }, () => database.db.sql`select pg_sleep(0.1)`));
      const sending = Array.from({ length: 10 }, () => client.post(wireAttempt()));
      const admin = openDatabase({ url: database.url, max: 1, name: 'admin' });
      await admin.sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`;
      await admin.close(1);
      for (const answer of await Promise.all(sending)) if (answer.status !== 202) expectRetryLater(answer);
    }
    expect((await client.post(wireAttempt())).status).toBe(202);
    await server.close();
  });

  it('survives a sender that leaves in the middle of its body', async () => {
    const server = await startIngestServer(database.db);
    const project = await createTestProject(database.db);
    const head = `POST /api/v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${project.keys.ingest}\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n`;
    const socket = createConnection(server.port, '127.0.0.1', () => socket.write(`${head}{"events":[`));
    await sleep(200);
    socket.destroy();
    await sleep(200);
    expect(server.deps.budget.usedBytes).toBe(0);
    expect((await createIngestClient(server.port, project.keys.ingest).post(wireAttempt())).status).toBe(202);
    await server.close();
  });
});
