import { afterAll, beforeEach, afterEach, describe, expect, it } from 'vitest';
import { POST as setupRoute } from '@/app/api/auth/setup/route';
import { apiKey, appRateLimit, appUser, auditLog, member, project, setupToken, settleTurn } from '@/db/schema';
import { authorizeKey } from '@/lib/auth/authorize-key';
import { getSession } from '@/lib/auth/session';
import { issueSetupToken } from '@/lib/auth/setup-token';
import { getWebRuntime } from '@/lib/auth/web-runtime';
import { createTestDatabase } from '../support/database';
import { browserRequest, cookieHeader, createTestPerson, useWebRuntime } from '../support/web';

const database = await createTestDatabase();
useWebRuntime(database.url);
const { db } = database;

afterAll(async () => {
  await getWebRuntime().db.close(1);
  await database.close();
});
const empty = async () => {
  for (const table of [appUser, project, setupToken, auditLog, settleTurn, appRateLimit]) await db.orm.delete(table);
};
beforeEach(empty);
afterEach(empty);

const OWNER = {
  name: 'Ada Example',
  email: 'Ada@Example.org',
  password: 'correct horse battery',
  projectName: 'Касса № 1',
  profile: 'vibecode',
  keyName: 'Первый ключ',
};

async function link(): Promise<string> {
  const token = await issueSetupToken(db, Date.now());
  if (!token) throw new Error('no link while nobody exists');
  return token;
}

const setUp = (body: unknown) => setupRoute(browserRequest('/api/auth/setup', body));

describe('the first owner', () => {
  it('comes with a project, its ingest key and a session, and leaves a trace', async () => {
    const answer = await setUp({ ...OWNER, token: await link() });
    expect(answer.status).toBe(201);
    const created = (await answer.json()) as { projectSlug: string; ingestKey: string };
    expect(created).toMatchObject({ projectSlug: 'kassa-1', projectName: 'Касса № 1' });

    const session = await getSession(getWebRuntime().auth, new Headers({ cookie: cookieHeader(answer) }));
    expect(session).toMatchObject({ ok: true, value: { email: 'ada@example.org', installationOwner: true } });
    const key = await authorizeKey(db, `Bearer ${created.ingestKey}`, ['ingest']);
    expect(key).toMatchObject({ ok: true, value: { project: { slug: 'kassa-1' } } });
    expect(await db.orm.select().from(member)).toMatchObject([{ role: 'owner' }]);
    expect(await db.orm.select().from(settleTurn)).toHaveLength(1);
    expect(await db.orm.select().from(auditLog)).toMatchObject([{ action: 'installation.set_up' }]);
    // Nothing stored would open the door again.
    const rows = JSON.stringify([await db.orm.select().from(apiKey), await db.orm.select().from(setupToken)]);
    expect(rows).not.toContain(created.ingestKey.slice(-30));
  });

  it('a link works once', async () => {
    const token = await link();
    expect((await setUp({ ...OWNER, token })).status).toBe(201);
    expect((await setUp({ ...OWNER, email: 'eve@example.org', token })).status).toBe(403);
    expect(await db.orm.select().from(appUser)).toHaveLength(1);
  });

  it('two links used at the same moment make one owner', async () => {
    const tokens = [await link(), await link(), await link()];
    const answers = await Promise.all(
      tokens.map((token, index) => setUp({ ...OWNER, email: `owner-${index}@example.org`, token })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 403, 403]);
    expect(await db.orm.select().from(appUser)).toHaveLength(1);
    expect(await db.orm.select().from(project)).toHaveLength(1);
  });

  it.each([
    ['a guess', () => Promise.resolve('guess')],
    ['a link that ran out', () => issueSetupToken(db, Date.now() - 25 * 3_600_000)],
  ])('%s is refused and makes nothing', async (_, token) => {
    const answer = await setUp({ ...OWNER, token: await token() });
    expect(answer.status).toBe(403);
    expect(await db.orm.select().from(appUser)).toEqual([]);
  });

  it('no link is made, and none works, once anybody exists', async () => {
    const token = await link();
    await createTestPerson(db);
    expect(await issueSetupToken(db, Date.now())).toBeNull();
    expect((await setUp({ ...OWNER, token })).status).toBe(403);
    expect(await db.orm.select().from(appUser)).toHaveLength(1);
  });

  it('names every answer that can not be taken, and keeps the link', async () => {
    const token = await link();
    const answer = await setUp({
      token,
      name: ' ',
      email: 'ada',
      password: 'short',
      projectName: '',
      profile: 'soap',
      keyName: 'k',
    });
    expect(answer.status).toBe(400);
    const body = (await answer.json()) as { errors: { pointer: string }[] };
    expect(body.errors.map((error) => error.pointer).sort()).toEqual([
      '/email',
      '/name',
      '/password',
      '/profile',
      '/projectName',
    ]);
    expect((await setUp({ ...OWNER, token })).status).toBe(201);
  });

  it('is not made for a page elsewhere', async () => {
    const request = browserRequest(
      '/api/auth/setup',
      { ...OWNER, token: await link() },
      { origin: 'https://evil.example' },
    );
    expect((await setupRoute(request)).status).toBe(403);
    expect(await db.orm.select().from(appUser)).toEqual([]);
  });
});
