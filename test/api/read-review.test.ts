import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { POST as signInRoute } from '@/app/api/auth/sign-in/route';
import type { Database } from '@/db/client';
import { getWebRuntime } from '@/lib/auth/web-runtime';
import { ADDRESS_HEADER } from '@/lib/auth/better-auth';
import type { Role } from '@/lib/core/permission';
import { makeUnclear } from '../factories/facts';
import { callNext, callRead, callVerb, type Caller } from '../support/call-api';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestProject, type TestProject } from '../support/project';
import { recordFacts } from '../support/record-facts';
import { settleAll } from '../support/settle-all';
import { browserRequest, cookieHeader, createTestPerson, useWebRuntime } from '../support/web';

const T0 = Date.now() - 3_600_000;

let database: TestDatabase;
let db: Database;
let home: TestProject;
let signIns = 0;

type Json = Record<string, unknown>;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  useWebRuntime(database.url);
  home = await createTestProject(db);
});
afterAll(async () => {
  await getWebRuntime().db.close(1);
  await database.close();
});

async function openItem(): Promise<string> {
  const operationId = `op-${Math.random()}`;
  await recordFacts(db, home.project, [makeUnclear({ operationId, startedAt: T0 })]);
  await settleAll(db, home.project.id, Date.now());
  const answer = await callRead(`/api/v1/review?q=${operationId}`, { key: home.keys.read });
  const [item] = ((await answer.json()) as { items: { id: string }[] }).items;
  return item?.id ?? '';
}

async function signedIn(role: Role, project = home): Promise<Caller> {
  const person = await createTestPerson(db, { roles: [{ projectId: project.project.id, role }] });
  const headers = { [ADDRESS_HEADER]: `192.0.2.${(signIns += 1)}` };
  const answer = await signInRoute(browserRequest('/api/auth/sign-in', person, headers));
  expect(answer.status).toBe(200);
  return { cookie: cookieHeader(answer), slug: home.project.slug };
}

describe('the review verbs over HTTP', () => {
  test('a key works the queue under its own name, and a stale version gets the current item', async () => {
    const id = await openItem();
    const operate = { key: home.keys.operate };
    const claimed = await callVerb(id, 'claim', operate, { version: 1 });
    expect(claimed.status).toBe(200);
    expect(await claimed.json()).toMatchObject({
      id,
      version: 2,
      state: 'claimed',
      assignee: { type: 'key', name: 'operate key' },
      leaseUntil: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
    });
    const body = { version: 1, resolution: 'applied_once', note: 'Seen.' };
    const stale = await callVerb(id, 'resolve', operate, body);
    expect(stale.status).toBe(409);
    expect(await stale.json()).toMatchObject({ code: 'stale_version', item: { id, version: 2, state: 'claimed' } });
    const done = await callVerb(id, 'resolve', operate, { ...body, version: 2 });
    expect(await done.json()).toMatchObject({ state: 'resolved', resolvedBy: 'operate key', version: 3 });
    const again = await callVerb(id, 'resolve', operate, { ...body, version: 3 });
    expect(await again.json()).toMatchObject({ status: 409, code: 'wrong_state', item: { version: 3 } });
  });

  test('who holds an item is told with the remaining lease', async () => {
    const id = await openItem();
    await callVerb(id, 'claim', { key: home.keys.operate }, { version: 1 });
    const other = await callVerb(id, 'claim', await signedIn('operator'), { version: 2 });
    expect(other.status).toBe(409);
    const problem = (await other.json()) as Json;
    expect(problem).toMatchObject({ code: 'held_by_other', holder: 'operate key', item: { state: 'claimed' } });
    expect(problem.remainingLeaseMs).toBeGreaterThan(590_000);
    const lead = await callVerb(id, 'claim', await signedIn('lead'), { version: 2 });
    expect(lead.status).toBe(200);
  });

  test('next hands out an item, and null when none is left', async () => {
    await openItem();
    const caller = await signedIn('operator');
    const items = new Set<unknown>();
    for (;;) {
      const { item } = (await (await callNext(caller)).json()) as { item: Json | null };
      if (item === null) break;
      expect(items.has(item.id)).toBe(false);
      items.add(item.id);
      expect(item).toMatchObject({ state: 'claimed', assignee: { name: 'Test Person' } });
    }
    expect(items.size).toBeGreaterThan(0);
  });

  test('a read key, a viewer, a stranger and nobody may not', async () => {
    const id = await openItem();
    const codeOf = async (caller: Caller) => {
      const answer = await callVerb(id, 'claim', caller, { version: 1 });
      return [answer.status, ((await answer.json()) as Json).code];
    };
    expect(await codeOf({ key: home.keys.read })).toEqual([403, 'wrong_scope']);
    expect(await codeOf(await signedIn('viewer'))).toEqual([403, 'forbidden']);
    const elsewhere = await createTestProject(db);
    expect(await codeOf(await signedIn('owner', elsewhere))).toEqual([404, 'not_found']);
    expect(await codeOf({ slug: home.project.slug })).toEqual([401, 'missing_credentials']);
    expect(await codeOf({ key: elsewhere.keys.operate })).toEqual([404, 'not_found']);
  });

  test('a session’s write from another site, or without JSON, changes nothing', async () => {
    const id = await openItem();
    const caller = await signedIn('operator');
    const codeOf = async (headers: Record<string, string>) => {
      const answer = await callVerb(id, 'claim', { ...caller, headers }, { version: 1 });
      return [answer.status, ((await answer.json()) as Json).code];
    };
    expect(await codeOf({ origin: 'https://evil.example' })).toEqual([403, 'csrf_refused']);
    expect(await codeOf({ 'sec-fetch-site': 'cross-site' })).toEqual([403, 'csrf_refused']);
    expect(await codeOf({ 'content-type': 'text/plain' })).toEqual([415, 'unsupported_media_type']);
    const item = await callRead(`/api/v1/review/${id}`, { key: home.keys.read });
    expect(await item.json()).toMatchObject({ state: 'open', version: 1 });
  });

  test('bodies that can’t be read are refused before anything', async () => {
    const id = await openItem();
    const codeOf = async (body: unknown, verb = 'note') => {
      const answer = await callVerb(id, verb, { key: home.keys.operate }, body);
      return [answer.status, ((await answer.json()) as Json).code];
    };
    expect(await codeOf('{"version": 1,')).toEqual([400, 'invalid_json']);
    expect(await codeOf(`{"note": "${'x'.repeat(70_000)}"}`)).toEqual([413, 'payload_too_large']);
    expect(await codeOf('[]')).toEqual([400, 'invalid_request']);
    expect(await codeOf({ version: '1', note: 'x' })).toEqual([400, 'invalid_request']);
    expect(await codeOf({ version: 1, note: 'x', 'a\0': 1 })).toEqual([400, 'invalid_request']);
    expect(await codeOf({ version: 1, note: 'x' }, 'delete')).toEqual([404, 'not_found']);
  });

  test('of twenty claims at once one wins, even when all are by the same key', async () => {
    const id = await openItem();
    const claim = () => callVerb(id, 'claim', { key: home.keys.operate }, { version: 1 });
    const answers = await Promise.all(Array.from({ length: 20 }, claim));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(await answer.json()).toMatchObject({ status: 409, code: 'stale_version', item: { id, version: 2 } });
    expect((await callVerb(id, 'claim', { key: home.keys.operate }, { version: 2 })).status).toBe(200);
  });

  test('what a person writes is kept without secrets, and without what a database can’t keep', async () => {
    const id = await openItem();
    const operate = { key: home.keys.operate };
    const noted = await callVerb(id, 'note', operate, { version: 1, note: `a\0b\ud800c ${home.keys.read}` });
    expect(noted.status).toBe(200);
    const evidence = ['charge 77', 'https://bob:hunter2hunter2@api.example/charges/77'];
    const body = { version: 2, resolution: 'applied_once', note: `Seen with ${home.keys.read}.`, evidence };
    expect((await callVerb(id, 'resolve', operate, body)).status).toBe(200);
    const text = await (await callRead(`/api/v1/review/${id}`, { key: home.keys.read })).text();
    expect(text).toContain('a\uFFFDb\uFFFDc [redacted-key]');
    expect(text).toContain('"resolutionNote":"Seen with [redacted-key]."');
    expect(text).toContain('charge 77');
    expect(text).not.toContain(home.keys.read);
    expect(text).not.toContain('hunter2hunter2');
  });

  test('a session has to name its project, and one without membership sees none', async () => {
    const caller = await signedIn('viewer');
    const unnamed = await callRead('/api/v1/rates', { cookie: caller.cookie });
    expect(await unnamed.json()).toMatchObject({ status: 400, code: 'invalid_request' });
    expect((await callRead('/api/v1/rates', caller)).status).toBe(200);
    const elsewhere = await createTestProject(db);
    expect((await callRead('/api/v1/rates', { ...caller, slug: elsewhere.project.slug })).status).toBe(404);
  });
});
