import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '@/db/client';
import { quarantinedEvent } from '@/db/schema';
import { wireAttempt } from '@/test/factories/wire-event';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { createIngestClient } from '@/test/support/ingest-client';
import { startIngestServer, type IngestServer } from '@/test/support/ingest-server';
import { addAnswer, readOutcomes, type OutcomeTable } from '@/test/support/outcomes';
import { createTestProject, type TestProject } from '@/test/support/project';
import { startServer } from '@/test/support/server';

let database: TestDatabase;
let server: IngestServer;
let other: IngestServer;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startIngestServer(database.db);
  other = await startIngestServer(database.db);
});

afterAll(async () => {
  await server?.close();
  await other?.close();
  await database?.close();
});

async function countLedger(project: TestProject): Promise<number> {
  const [row] = await database.db.sql<{ count: number }[]>`
    select count(*)::int as count from event_ledger where project_id = ${project.project.id}`;
  return row?.count ?? 0;
}

const outcomesOf = (project: TestProject): Promise<OutcomeTable> => readOutcomes(database.db, project.project.id);

describe('every event ends in a counted outcome', () => {
  it('adds up over batches that overlap, through two processes at once', async () => {
    const project = await createTestProject(database.db);
    const one = createIngestClient(server.port, project.keys.ingest);
    const two = createIngestClient(other.port, project.keys.ingest);
    const good = Array.from({ length: 120 }, (_, place) => wireAttempt({ operationId: `op-${place % 9}` }));
    const sendings = Array.from({ length: 30 }, (_, sending) => {
      const events: unknown[] = good.slice((sending * 17) % 90, ((sending * 17) % 90) + 30);
      if (sending % 3 === 0) events.push({ ...good[sending], code: `OTHER_${sending}` });
      if (sending % 4 === 0) events.push({}, 'text', wireAttempt({ operationId: 'a\u0000b' }));
      if (sending % 5 === 0) events.push(wireAttempt({ startedAt: '2001-01-01T00:00:00Z' }));
      return events;
    });
    const answers = await Promise.all(sendings.map((events, place) => (place % 2 ? one : two).post(events)));
    const told: OutcomeTable = {};
    for (const answer of answers) {
      expect(answer.status).toBe(202);
      addAnswer(told, answer);
    }
    const counted = await outcomesOf(project);
    expect(counted).toEqual(told);
    const sent = sendings.reduce((sum, events) => sum + events.length, 0);
    expect(Object.values(counted).reduce((a, b) => a + b, 0)).toBe(sent);
    expect(counted.accepted).toBe(await countLedger(project));
  });

  it('counts requests of which nothing was acceptable, before they are answered', async () => {
    const project = await createTestProject(database.db);
    const client = createIngestClient(server.port, project.keys.ingest);
    expect((await client.post([{}, wireAttempt({ operationId: 'a\u0000b' })])).status).toBe(422);
    expect(await outcomesOf(project)).toEqual({ 'rejected validation_failed': 1, 'rejected invalid_characters': 1 });
    expect((await client.post('null')).status).toBe(422);
    expect(await outcomesOf(project)).toEqual({ 'rejected validation_failed': 2, 'rejected invalid_characters': 1 });
    expect((await client.post([])).status).toBe(202);
    expect((await client.post('[')).status).toBe(400);
    expect(await outcomesOf(project)).toEqual({ 'rejected validation_failed': 2, 'rejected invalid_characters': 1 });
  });

  it('counts the good events of a strict batch as refused with it', async () => {
    const project = await createTestProject(database.db);
    const client = createIngestClient(server.port, project.keys.ingest);
    const answer = await client.post([wireAttempt(), {}, wireAttempt()], { prefer: 'handling=strict' });
    expect(answer.status).toBe(422);
    expect(await outcomesOf(project)).toEqual({ 'rejected batch_refused': 2, 'rejected validation_failed': 1 });
    expect(await countLedger(project)).toBe(0);
  });

  it('counts the items of a batch call one each, and not what we make beside them', async () => {
    const project = await createTestProject(database.db);
    const client = createIngestClient(server.port, project.keys.ingest);
    const items = [{ item: 'a' }, { item: 'b' }, { item: 'c' }];
    const event = wireAttempt({ items, batch: { id: 'b-1' } });
    for (let again = 0; again < 2; again += 1) expect((await client.post(event)).status).toBe(202);
    expect(await outcomesOf(project)).toEqual({ accepted: 3, duplicate: 3 });
  });

  it('counts facts that are no attempts', async () => {
    const project = await createTestProject(database.db);
    const client = createIngestClient(server.port, project.keys.ingest);
    const at = new Date().toISOString();
    const closed = { type: 'closed', id: randomUUID(), operationId: 'x', startedAt: at, result: 'done' };
    expect((await client.post([closed, closed])).json).toMatchObject({ accepted: 1, duplicates: 1 });
    expect(await outcomesOf(project)).toEqual({ accepted: 1, duplicate: 1 });
  });
});

describe('an event that can’t be stored', () => {
  it('is kept, counted and told; what was refused beside it is counted once', async () => {
    const project = await createTestProject(database.db);
    const client = createIngestClient(server.port, project.keys.ingest);
    const { sql, orm } = database.db;
    await sql`alter table attempt add constraint attempt_poison check (operation_id <> 'poison') not valid`;
    const poison = wireAttempt({ operationId: 'poison', message: 'why' });
    const events = [...Array.from({ length: 20 }, () => wireAttempt()), poison, {}, wireAttempt()];
    const told: OutcomeTable = {};
    for (let again = 0; again < 2; again += 1) addAnswer(told, await client.post(events));
    addAnswer(told, await client.post([poison, {}]));
    await sql`alter table attempt drop constraint attempt_poison`;
    const counted = await outcomesOf(project);
    expect(counted).toEqual(told);
    expect(counted).toEqual({
      accepted: 21,
      duplicate: 21,
      'rejected event_quarantined': 3,
      'rejected validation_failed': 3,
    });
    const kept = (await orm.select().from(quarantinedEvent)).filter((row) => row.projectId === project.project.id);
    expect(kept).toMatchObject([{ id: poison.id, count: 3, sqlState: '23514' }]);
    expect(JSON.parse(kept[0]?.event ?? '')).toMatchObject({ operationId: 'poison', message: 'why' });
    // Mended: the same bytes are taken.
    expect((await client.post(poison)).json).toMatchObject({ accepted: 1 });
  });
});

describe('an event that nobody foresaw', () => {
  it('fails alone: those that were to be stored with it are', async () => {
    const project = await createTestProject(database.db);
    const [mine, others] = [0, 1].map(() => createIngestClient(server.port, project.keys.ingest));
    const { sql } = database.db;
    await sql`
      create function refuse_poison() returns trigger language plpgsql as $$
      begin
        if new.operation_id = 'unforeseen' then raise exception 'odd' using errcode = 'XX000'; end if;
        return new;
      end $$`;
    await sql`create trigger poison before insert on attempt for each row execute function refuse_poison()`;
    try {
      const answers = await Promise.all([
        mine?.post(wireAttempt({ operationId: 'unforeseen' })),
        ...Array.from({ length: 40 }, () => others?.post(wireAttempt())),
      ]);
      expect(answers[0]).toMatchObject({ status: 500, json: { code: 'internal_error' } });
      for (const answer of answers.slice(1)) expect(answer?.status, answer?.text).toBe(202);
    } finally {
      await sql`drop trigger poison on attempt`;
    }
    expect(await outcomesOf(project)).toEqual({ accepted: 40 });
  });
});

describe('what was counted is as durable as what was stored', () => {
  it('adds up after the listener was killed in the middle of its work', async () => {
    const project = await createTestProject(database.db);
    const listener = await startServer({ role: 'ingest', databaseUrl: database.url, env: { LOG_LEVEL: 'warn' } });
    const client = createIngestClient(listener.port, project.keys.ingest);
    const told: OutcomeTable = {};
    let stopped = false;
    const sending = Array.from({ length: 8 }, async () => {
      while (!stopped) {
        const events: unknown[] = [...Array.from({ length: 9 }, () => wireAttempt()), {}];
        try {
          addAnswer(told, await client.post(events));
        } catch {
          return;
        }
      }
    });
    await sleep(800);
    listener.kill('SIGKILL');
    stopped = true;
    await Promise.all(sending);
    await listener.exit;
    await sleep(300);
    const counted = await outcomesOf(project);
    expect(told.accepted).toBeGreaterThan(100);
    expect(counted.accepted).toBe(await countLedger(project));
    // Of every request its nine good events and the bad one, or nothing at all.
    expect(counted.accepted).toBe((counted['rejected validation_failed'] ?? 0) * 9);
    expect(counted.accepted).toBeGreaterThanOrEqual(told.accepted ?? 0);
    expect((counted.accepted ?? 0) - (told.accepted ?? 0)).toBeLessThanOrEqual(8 * 9);
  });

  it('counts once what was committed on a connection that was lost before it could say so', async () => {
    const project = await createTestProject(database.db);
    const client = createIngestClient(server.port, project.keys.ingest);
    const told: OutcomeTable = {};
    const admin = openDatabase({ url: database.url, max: 1, name: 'admin' });
    let stopped = false;
    const sending = Array.from({ length: 6 }, async () => {
      while (!stopped) addAnswer(told, await client.post([wireAttempt(), wireAttempt(), {}]));
    });
    for (let kills = 0; kills < 12; kills += 1) {
      await sleep(60);
      await admin.sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'test' and state <> 'idle'`;
    }
    stopped = true;
    await Promise.all(sending);
    await admin.close(1);
    const counted = await outcomesOf(project);
    expect(counted.accepted).toBe(await countLedger(project));
    expect(counted.duplicate ?? 0).toBe(0);
    expect(counted.accepted).toBe((counted['rejected validation_failed'] ?? 0) * 2);
    expect(counted.accepted).toBeGreaterThanOrEqual(told.accepted ?? 0);
  });
});
