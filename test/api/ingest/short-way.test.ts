import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wireAttempt } from '@/test/factories/wire-event';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { createIngestClient } from '@/test/support/ingest-client';
import { startIngestServer, type IngestServer } from '@/test/support/ingest-server';
import { createTestProject } from '@/test/support/project';
import { recountRollups } from '@/test/support/recount';

let database: TestDatabase;
let server: IngestServer;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database?.close());

async function count(table: string, projectId: number): Promise<number> {
  const [row] = await database.db.sql<{ n: number }[]>`
    select count(*)::int as n from ${database.db.sql(table)} where project_id = ${projectId}`;
  return row?.n ?? -1;
}

/** A project whose dimensions this server knows, and what it has committed so far. */
async function warmUp() {
  server = await startIngestServer(database.db);
  const { project, keys } = await createTestProject(database.db);
  const client = createIngestClient(server.port, keys.ingest);
  expect((await client.post(wireAttempt())).json).toMatchObject({ accepted: 1 });
  return { id: project.id, client, before: server.deps.commit.stats().committed };
}

describe('attempts with new ids under known dimensions', () => {
  it('are one statement, and leave what the long way leaves', async () => {
    const { id, client, before } = await warmUp();
    expect(before).toEqual({ short: 0, long: 1 });
    const answers = await Promise.all(Array.from({ length: 60 }, () => client.post(wireAttempt())));
    for (const answer of answers) expect(answer).toMatchObject({ status: 202, json: { accepted: 1, duplicates: 0 } });
    const { committed } = server.deps.commit.stats();
    expect(committed.long).toBe(1);
    expect(committed.short).toBeGreaterThan(0);
    for (const table of ['event_ledger', 'attempt', 'operation_touch']) expect(await count(table, id)).toBe(61);
    expect((await recountRollups(database.db, id)).rate).toEqual([]);
    const rows = await database.db.sql`
      select operation_id = event ->> 'operationId' as operation, started_at = l.at as at, received_at > now() - interval '1 minute' as received
      from attempt a join event_ledger l using (project_id, id) where project_id = ${id}`;
    for (const row of rows) expect(row).toEqual({ operation: true, at: true, received: true });
    await server.close();
  });

  it('turn back when one id was taken: it is a duplicate or a conflict, the others count once', async () => {
    const { id, client } = await warmUp();
    const taken = wireAttempt();
    await client.post(taken);
    const fresh = [wireAttempt(), wireAttempt()];
    const answer = await client.post([fresh[0], taken, { ...taken, status: 500 }, fresh[1]]);
    expect(answer.json).toMatchObject({ accepted: 2, duplicates: 2, conflicts: [2] });
    const alone = await client.post({ ...taken, status: 500 });
    expect(alone.json).toMatchObject({ accepted: 0, duplicates: 1, conflicts: [0] });
    for (const table of ['event_ledger', 'attempt']) expect(await count(table, id)).toBe(4);
    expect((await recountRollups(database.db, id)).rate).toEqual([]);
    await server.close();
  });

  it('go the long way for a while after that, and then the short one again', async () => {
    const { client } = await warmUp();
    const taken = wireAttempt();
    await client.post(taken);
    expect(server.deps.commit.stats().committed).toEqual({ short: 1, long: 1 });
    await client.post(taken);
    for (let sent = 0; sent < 20; sent += 1) await client.post(taken);
    expect(server.deps.commit.stats().committed).toEqual({ short: 1, long: 22 });
    await client.post(wireAttempt());
    expect(server.deps.commit.stats().committed).toEqual({ short: 2, long: 22 });
    await server.close();
  });

  it('of several projects are one transaction; what needs more takes the long way', async () => {
    const first = await warmUp();
    const second = await createTestProject(database.db);
    const other = createIngestClient(server.port, second.keys.ingest);
    await other.post(wireAttempt());
    const before = server.deps.commit.stats().committed;
    await Promise.all(Array.from({ length: 40 }, (_, place) => (place % 2 ? other : first.client).post(wireAttempt())));
    expect(server.deps.commit.stats().committed.long).toBe(before.long);
    for (const project of [first.id, second.project.id]) {
      expect((await recountRollups(database.db, project)).rate).toEqual([]);
      expect(await count('attempt', project)).toBe(21);
    }
    const long = server.deps.commit.stats().committed.long;
    await first.client.post(wireAttempt({ call: 'a call of its own' }));
    await first.client.post({
      type: 'closed',
      operationId: 'op',
      startedAt: new Date().toISOString(),
      result: 'done',
      id: randomUUID(),
    });
    expect(server.deps.commit.stats().committed.long).toBe(long + 2);
    await server.close();
  });
});
