import { afterAll, beforeAll, expect, it } from 'vitest';
import { wireAttempt } from '@/test/factories/wire-event';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { createIngestClient } from '@/test/support/ingest-client';
import { startIngestServer, type IngestServer } from '@/test/support/ingest-server';
import { createTestProject } from '@/test/support/project';
import { settleAll } from '@/test/support/settle-all';

/** A batch call that was announced: from its two posts to what is settled. */

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

it('its items answer the announcement, count alone, and a re-send changes nothing', async () => {
  const { project, keys } = await createTestProject(database.db, { profile: 'http' });
  const client = createIngestClient(server.port, keys.ingest);
  const startedAt = Date.now() - 60 * 60_000;
  const sent = { operationId: 'import', kind: 'write', call: 'POST /bulk', startedAt };
  const { status: _status, ...announced } = wireAttempt({ ...sent, type: 'attempt_started' });
  expect((await client.post(announced)).json).toMatchObject({ accepted: 1 });
  const items = [
    { item: '0', kind: 'write', status: 201 },
    { item: '1', kind: 'write', status: 429 },
  ];
  const answered = wireAttempt({ ...sent, endedAt: startedAt + 500, batch: { id: 'b', size: 3 }, items });
  expect((await client.post(answered)).json).toMatchObject({ accepted: 3, duplicates: 0 });
  expect((await client.post(answered)).json).toMatchObject({ accepted: 0, duplicates: 3, conflicts: [] });

  await settleAll(database.db, project.id, Date.now());
  const { sql } = database.db;
  const settled = await sql`
    select operation_id as id, state from operation where project_id = ${project.id} order by operation_id`;
  expect(settled).toMatchObject([
    { id: 'import#0', state: 'succeeded' },
    { id: 'import#1', state: 'failed' },
    { id: 'import#2', state: 'unresolved' },
  ]);
  expect(settled).toHaveLength(3);
  const review = await sql`select operation_id as id from review_item where project_id = ${project.id}`;
  expect(review.map(({ id }): unknown => id)).toEqual(['import#2']);
});
