import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIngestFetch } from '@/lib/ingest/listener';
import { createIngest } from '@/lib/ingest/start';
import { createLog } from '@/lib/platform/log';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { createTestProject, type TestProject } from '../../support/project';

let database: TestDatabase;
let project: TestProject;
let ask: (request: Request) => Promise<Response>;

beforeAll(async () => {
  database = await createTestDatabase();
  project = await createTestProject(database.db);
  ask = createIngestFetch(createIngest({ db: database.db, log: createLog('silent') }));
});
afterAll(() => database.close());

function post(body: BodyInit, headers: Record<string, string>): Promise<Response> {
  return ask(
    new Request('http://localhost/api/v1/events', {
      method: 'POST',
      headers: { authorization: `Bearer ${project.keys.ingest}`, ...headers },
      body,
    }),
  );
}

test('the same handlers take a web-standard request, compressed or not, and answer the same', async () => {
  const event = {
    id: randomUUID(),
    operationId: 'web-1',
    attempt: 1,
    startedAt: Date.now(),
    service: 'checkout',
    call: 'POST /v1/charges',
    kind: 'write',
    status: 504,
  };
  const plain = await post(JSON.stringify(event), { 'content-type': 'application/json' });
  expect(plain.status).toBe(202);
  expect(await plain.json()).toMatchObject({ accepted: 1, duplicates: 0 });

  const packed = await post(gzipSync(JSON.stringify([event])), {
    'content-type': 'application/json',
    'content-encoding': 'gzip',
  });
  expect(await packed.json()).toMatchObject({ accepted: 0, duplicates: 1 });

  const wrong = await post('{', { 'content-type': 'application/json' });
  expect(wrong.status).toBe(400);
  expect(wrong.headers.get('content-type')).toContain('application/problem+json');
  expect(await wrong.json()).toMatchObject({ code: 'invalid_json', status: 400 });
});
