import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { POST as createRoute } from '@/app/api/v1/keys/route';
import { POST as revokeRoute } from '@/app/api/v1/keys/[keyId]/revoke/route';
import { GET as liveRoute } from '@/app/api/live/route';
import { POST as tryRoute } from '@/app/api/rules/try/route';
import { POST as signInRoute } from '@/app/api/auth/sign-in/route';
import { apiKey, auditLog } from '@/db/schema';
import { authorizeKey } from '@/lib/auth/authorize-key';
import { getWebRuntime } from '@/lib/auth/web-runtime';
import type { Role } from '@/lib/core/permission';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestProject, type TestProject } from '../support/project';
import { browserRequest, cookieHeader, createTestPerson, ORIGIN, useWebRuntime } from '../support/web';

let database: TestDatabase;
let mine: TestProject;
let other: TestProject;

beforeAll(async () => {
  database = await createTestDatabase();
  useWebRuntime(database.url);
  mine = await createTestProject(database.db, { profile: 'vibecode' });
  other = await createTestProject(database.db);
});
afterAll(async () => {
  await getWebRuntime().db.close(1);
  await database.close();
});

let addresses = 0;
async function signInAs(role: Role): Promise<string> {
  const person = await createTestPerson(database.db, { roles: [{ projectId: mine.project.id, role }] });
  const headers = { 'x-readback-client-address': `192.0.2.${(addresses += 1)}` };
  const answer = await signInRoute(browserRequest('/api/auth/sign-in', person, headers));
  expect(answer.status).toBe(200);
  return cookieHeader(answer);
}

const createKey = (cookie: string, slug: string, body: unknown, headers: Record<string, string> = {}) =>
  createRoute(browserRequest(`/api/v1/keys?project=${slug}`, body, { cookie, ...headers }));
const revokeKey = (cookie: string, slug: string, keyId: string) =>
  revokeRoute(browserRequest(`/api/v1/keys/${keyId}/revoke?project=${slug}`, {}, { cookie }), {
    params: Promise.resolve({ keyId }),
  });
const WANTED = { name: 'checkout, production', scope: 'read' };

describe('keys by session', () => {
  it('an owner makes one that works, sees it once, and revokes it for good', async () => {
    const cookie = await signInAs('owner');
    const { slug } = mine.project;
    const answer = await createKey(cookie, slug, WANTED);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    const key = (await answer.json()) as { keyId: string; text: string };
    const { db } = getWebRuntime();
    expect((await authorizeKey(db, `Bearer ${key.text}`, ['read'])).ok).toBe(true);
    expect(JSON.stringify(await database.db.orm.select().from(apiKey))).not.toContain(key.text.slice(-20));

    expect((await revokeKey(cookie, slug, key.keyId)).status).toBe(200);
    expect(await authorizeKey(db, `Bearer ${key.text}`, ['read'])).toEqual({ ok: false, refusal: 'key_revoked' });
    expect((await revokeKey(cookie, slug, key.keyId)).status).toBe(200);
    const actions = await database.db.orm.select({ action: auditLog.action }).from(auditLog);
    expect(actions.map((row) => row.action)).toEqual(['key.created', 'key.revoked']);
  });

  it.each(['viewer', 'operator', 'lead'] as const)('a %s makes and revokes none', async (role) => {
    const cookie = await signInAs(role);
    expect((await createKey(cookie, mine.project.slug, WANTED)).status).toBe(403);
    const [known] = await database.db.orm.select({ keyId: apiKey.keyId }).from(apiKey).limit(1);
    expect((await revokeKey(cookie, mine.project.slug, known?.keyId ?? '')).status).toBe(403);
  });

  it('an owner of one project reaches neither another project nor its keys', async () => {
    const cookie = await signInAs('owner');
    expect((await createKey(cookie, other.project.slug, WANTED)).status).toBe(404);
    const theirs = other.keys.read.split('_')[2] ?? '';
    expect((await revokeKey(cookie, other.project.slug, theirs)).status).toBe(404);
    expect((await revokeKey(cookie, mine.project.slug, theirs)).status).toBe(404);
    expect((await authorizeKey(getWebRuntime().db, `Bearer ${other.keys.read}`, ['read'])).ok).toBe(true);
  });

  it('no page elsewhere, and nobody without a session, makes one', async () => {
    const cookie = await signInAs('owner');
    const { slug } = mine.project;
    expect((await createKey(cookie, slug, WANTED, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await createKey(cookie, slug, WANTED, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await createKey('', slug, WANTED)).status).toBe(401);
    const answer = await createKey(cookie, slug, { name: '', scope: 'admin' });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  });
});

describe('trying a rule by session', () => {
  const EVENT = {
    operationId: 'try',
    attempt: 1,
    startedAt: Date.now(),
    service: 'try',
    kind: 'write',
    call: 'crm.deal.add',
    status: 504,
    code: 'BITRIX_TIMEOUT',
  };
  const ask = (cookie: string, query: string, body: unknown) =>
    tryRoute(browserRequest(`/api/rules/try?project=${mine.project.slug}&${query}`, body, { cookie }));

  it('judges by the named edition and explains in the asked language', async () => {
    const cookie = await signInAs('viewer');
    const answer = await ask(cookie, 'ruleSet=vibecode%402026-10-22&lang=ru', EVENT);
    expect(answer.status).toBe(200);
    const { results } = (await answer.json()) as { results: { verdict: object; explanation: { what: string } }[] };
    expect(results[0]?.verdict).toMatchObject({
      action: 'state_verification_required',
      rule: 'BITRIX_TIMEOUT',
      ruleSet: 'vibecode@2026-10-22',
      unknownOutcome: true,
    });
    expect(results[0]?.explanation.what).toMatch(/\p{Script=Cyrillic}/u);
  });

  it('says what is wrong with an event, and with the question', async () => {
    const cookie = await signInAs('viewer');
    const answer = await ask(cookie, 'ruleSet=http', { ...EVENT, attempt: 0 });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ results: [{ index: 0, error: { pointer: '/attempt' } }] });
    expect((await ask(cookie, 'ruleSet=soap', EVENT)).status).toBe(400);
    expect(
      (
        await ask(
          cookie,
          'ruleSet=http',
          Array.from({ length: 21 }, () => EVENT),
        )
      ).status,
    ).toBe(413);
    expect((await ask(cookie, 'ruleSet=http', `${'['.repeat(400)}${']'.repeat(400)}`)).status).toBe(400);
    expect((await ask('', 'ruleSet=http', EVENT)).status).toBe(401);
  });
});

describe('the pulse', () => {
  const ask = (cookie: string, slug: string) =>
    liveRoute(new Request(`${ORIGIN}/api/live?project=${slug}`, { headers: { cookie } }));

  it('stays the same while nothing changes, and is nobody else’s', async () => {
    const cookie = await signInAs('viewer');
    const [one, two] = await Promise.all([ask(cookie, mine.project.slug), ask(cookie, mine.project.slug)]);
    expect(one.status).toBe(200);
    expect(await one.json()).toEqual(await two.json());
    expect((await ask(cookie, other.project.slug)).status).toBe(404);
    expect((await ask('', mine.project.slug)).status).toBe(401);
  });
});
