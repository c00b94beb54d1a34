import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestProject, type TestProject } from '../support/project';
import { recountRollups } from '../support/recount';
import { startServer, type TestServer } from '../support/server';
import { cookieHeader, createTestPerson } from '../support/web';

/** The whole service over real sockets: events in, a change tried out, applied and recomputed by its own worker. */

let database: TestDatabase;
let server: TestServer;
let home: TestProject;
let cookie: string;

beforeAll(async () => {
  database = await createTestDatabase();
  home = await createTestProject(database.db, { profile: 'vibecode' });
  const person = await createTestPerson(database.db, { roles: [{ projectId: home.project.id, role: 'lead' }] });
  server = await startServer({ databaseUrl: database.url });
  const answer = await call('/api/auth/sign-in', { email: person.email, password: person.password });
  expect(answer.status).toBe(200);
  cookie = cookieHeader(answer);
}, 240_000);
afterAll(async () => {
  await server?.stop();
  await database?.close();
});

function call(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const own = { 'content-type': 'application/json', origin: server.url, 'sec-fetch-site': 'same-origin' };
  return fetch(server.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...own, ...(cookie ? { cookie } : {}), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

type Json = Record<string, unknown>;
const inProject = (path: string) => `/api/v1/${path}?project=${home.project.slug}`;
const ask = async (path: string, body?: unknown): Promise<Json> =>
  (await (await call(inProject(path), body)).json()) as Json;

async function ended(id: unknown): Promise<Json> {
  for (;;) {
    const job = await ask(`recompute/${String(id)}`);
    if (job.finishedAt !== null) return job;
    await sleep(50);
  }
}

const COUNT = 400;

describe('a change of rules on a running service', () => {
  test('is tried out, applied and recomputed, and what follows is judged by it', async () => {
    const event = (i: number, more = {}) => ({
      operationId: `op-${i}`,
      attempt: 1,
      startedAt: Date.now() - 60_000 - i,
      service: 'shop',
      kind: 'write',
      call: 'crm.deal.add',
      status: 429,
      code: 'CALLER_RATE_LIMITED',
      ...more,
    });
    const events = Array.from({ length: COUNT }, (_, i) => event(i));
    const tally = { type: 'tally', id: '0197a000-0000-7000-8000-000000000001', service: 'shop', call: 'crm.deal.list' };
    const counted = {
      ...tally,
      kind: 'read',
      minute: Math.floor(Date.now() / 60_000) * 60_000 - 120_000,
      successes: 9,
    };
    const sent = await call('/api/v1/events', [...events, counted], { authorization: `Bearer ${home.keys.ingest}` });
    expect(await sent.json()).toMatchObject({ accepted: COUNT + 1, rejected: [] });
    const settled = async () => {
      const [row] = await database.db.sql<{ n: number }[]>`
        select count(*)::int as n from operation where project_id = ${home.project.id}`;
      return row?.n ?? 0;
    };
    while ((await settled()) < COUNT) await sleep(50);

    const change = { ruleSets: { vibecode: 'vibecode@older-ru' }, defaultProfile: 'vibecode' };
    const preview = await ask('what-if', change);
    expect(await ended(preview.id)).toMatchObject({
      state: 'done',
      done: COUNT,
      result: { operations: COUNT, cut: false, reviewItems: { opened: COUNT, closed: 0 } },
    });
    const { version } = await ask('settings');
    expect(await ask('settings', { version, ...change })).toMatchObject({ ruleSets: change.ruleSets });
    const queued = await ask('recompute', {});
    const { startedAt, finishedAt, ...done } = await ended(queued.id);
    expect(done).toMatchObject({ state: 'done', done: COUNT, result: { attemptsMoved: COUNT, failed: 0 } });
    // The tallies wait until ingestion must have heard of the change.
    expect(Date.parse(String(finishedAt)) - Date.parse(String(startedAt))).toBeGreaterThan(20_000);
    const { items } = await ask('review');
    expect((items as Json[]).length).toBeGreaterThan(0);
    const late = await call('/api/v1/events', [event(COUNT)], { authorization: `Bearer ${home.keys.ingest}` });
    expect(late.status).toBe(202);
    const editions = await database.db.sql`
      select rule_set, count(*)::int as n from attempt where project_id = ${home.project.id} group by 1`;
    expect([...editions]).toEqual([{ rule_set: 'vibecode@older-ru', n: COUNT + 1 }]);
    while ((await settled()) < COUNT + 1) await sleep(50);
    expect(await recountRollups(database.db, home.project.id)).toEqual({ rate: [], operation: [], compliance: [] });
  }, 120_000);

  test('a cancelled job stops within two seconds', async () => {
    const { id } = await ask('recompute', {});
    const askedAt = Date.now();
    const cancelled = await ask(`recompute/${String(id)}/cancel`, {});
    expect(Date.now() - askedAt).toBeLessThan(2_000);
    expect(['cancelled', 'done']).toContain(cancelled.state ?? (cancelled.job as Json).state);
  });
});
