import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { compileFunction } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { startIngestServer, type IngestServer } from '../support/ingest-server';
import { createTestProject, type TestProject } from '../support/project';

type Reported = (attempt: Record<string, unknown>, url: string, init?: RequestInit) => Promise<Response>;

let database: TestDatabase;
let project: TestProject;
let readback: IngestServer;
let platform: Server;

beforeAll(async () => {
  database = await createTestDatabase();
  project = await createTestProject(database.db);
  readback = await startIngestServer(database.db);
  platform = createServer((request, response) => {
    response.writeHead(request.url === '/busy' ? 429 : 504, { 'retry-after': '7' }).end();
  });
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  platform.close();
  await readback.close();
  await database.close();
});

/** The wrapper as the README prints it. */
function readWrapper(): Reported {
  const code = /```js\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '';
  const make = compileFunction(`${code}; return reported;`, ['READBACK_URL', 'READBACK_KEY']) as (
    url: string,
    key: string,
  ) => Reported;
  return make(readback.url, project.keys.ingest);
}

async function waitForEvents(count: number): Promise<Record<string, unknown>[]> {
  for (let tries = 0; tries < 50; tries += 1) {
    const rows = await database.db.sql<{ event: Record<string, unknown> }[]>`
      select event from attempt where project_id = ${project.project.id} order by operation_id`;
    if (rows.length >= count) return rows.map((row) => row.event);
    await sleep(100);
  }
  throw new Error('the wrapper reported nothing');
}

test('the wrapper in the README reports an answer, a refusal to wait and a request that never got through', async () => {
  const reported = readWrapper();
  const url = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;
  const attempt = { attempt: 1, service: 'checkout' };
  const charge = { ...attempt, kind: 'write', call: 'POST /charges', method: 'POST' };
  const post = { method: 'POST' };
  expect((await reported({ ...charge, operationId: 'a-timeout' }, `${url}/charges`, post)).status).toBe(504);
  const busyRead = { ...attempt, operationId: 'b-busy', kind: 'read', call: 'GET /busy' };
  expect((await reported(busyRead, `${url}/busy`)).status).toBe(429);
  const nowhere = 'http://127.0.0.1:1/charges';
  await expect(reported({ ...charge, operationId: 'c-refused' }, nowhere, post)).rejects.toThrow();

  const [timeout, busy, refused] = await waitForEvents(3);
  expect(timeout).toMatchObject({ operationId: 'a-timeout', status: 504, kind: 'write', call: 'POST /charges' });
  expect(busy).toMatchObject({ operationId: 'b-busy', status: 429, kind: 'read', retryAfter: ['7'] });
  expect(refused).toMatchObject({ operationId: 'c-refused', error: { name: 'TypeError' } });
});
