import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { POST as signInRoute } from '@/app/api/auth/sign-in/route';
import { POST as signOutRoute } from '@/app/api/auth/sign-out/route';
import { appRateLimit, appSession, appUser, loginFailure } from '@/db/schema';
import { getSession } from '@/lib/auth/session';
import { getWebRuntime } from '@/lib/auth/web-runtime';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { browserRequest, cookieHeader, createTestPerson, TEST_PASSWORD, useWebRuntime } from '../support/web';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  useWebRuntime(database.url);
});
afterAll(async () => {
  await getWebRuntime().db.close(1);
  await database.close();
});
beforeEach(async () => {
  await database.db.orm.delete(appRateLimit);
  await database.db.orm.delete(loginFailure);
});

let addresses = 0;
/** Another address each time, so that only the test that means it meets the address limit. */
const fresh = () => ({ 'x-readback-client-address': `192.0.2.${(addresses += 1) % 250}` });

function signIn(email: string, password: string, headers: Record<string, string> = fresh()): Promise<Response> {
  return signInRoute(browserRequest('/api/auth/sign-in', { email, password }, headers));
}

const sessionOf = (cookie: string) => getSession(getWebRuntime().auth, new Headers({ cookie }));

describe('signing in', () => {
  it('opens a session whose cookie scripts and other sites never see', async () => {
    const person = await createTestPerson(database.db);
    const answer = await signIn(` ${person.email.toUpperCase()} `, person.password);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^readback\.session_token=/);
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Lax/);
    expect(await answer.json()).toEqual({ ok: true });
    const session = await sessionOf(cookieHeader(answer));
    expect(session).toMatchObject({ ok: true, value: { userId: person.id, installationOwner: false } });
  });

  it('says the same for a wrong password, an unknown and a disabled person', async () => {
    const known = await createTestPerson(database.db);
    const disabled = await createTestPerson(database.db, { disabled: true });
    const answers = await Promise.all([
      signIn(known.email, 'wrong horse battery'),
      signIn('nobody@example.org', 'wrong horse battery'),
      signIn(disabled.email, disabled.password),
    ]);
    const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as Record<string, unknown>[];
    for (const [index, answer] of answers.entries()) {
      expect(answer.status).toBe(401);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect({ ...bodies[index], requestId: '' }).toEqual({ ...bodies[0], requestId: '' });
    }
  });

  it('never takes an e-mail that is no e-mail, nor a password over the limit, for a fault', async () => {
    expect((await signIn('not an address', 'x')).status).toBe(401);
    expect((await signIn('a@example.org', 'x'.repeat(129))).status).toBe(401);
    expect((await signIn('a@example.org', 'x'.repeat(2_000))).status).toBe(400);
    expect((await signInRoute(browserRequest('/api/auth/sign-in', '{"email":'))).status).toBe(400);
    expect((await signInRoute(browserRequest('/api/auth/sign-in', { email: 'x'.repeat(40_000) }))).status).toBe(400);
  });

  it('shuts a disabled person out at once, with the session they hold', async () => {
    const person = await createTestPerson(database.db);
    const cookie = cookieHeader(await signIn(person.email, person.password));
    expect((await sessionOf(cookie)).ok).toBe(true);
    await database.db.orm.update(appUser).set({ disabledAt: new Date() }).where(eq(appUser.id, person.id));
    expect(await sessionOf(cookie)).toEqual({ ok: false, refusal: 'no_session' });
  });

  it('takes no cookie with a changed or foreign signature', async () => {
    const person = await createTestPerson(database.db);
    const cookie = cookieHeader(await signIn(person.email, person.password));
    const [name = '', value = ''] = cookie.split('=');
    const [token = ''] = decodeURIComponent(value).split('.');
    for (const forged of [token, `${token}.AAAA`, `${token}x.${decodeURIComponent(value).split('.')[1]}`]) {
      expect((await sessionOf(`${name}=${encodeURIComponent(forged)}`)).ok).toBe(false);
    }
  });

  it('ends an expired session, and renews none silently', async () => {
    const person = await createTestPerson(database.db);
    const cookie = cookieHeader(await signIn(person.email, person.password));
    const [before] = await database.db.orm.select().from(appSession).where(eq(appSession.userId, person.id));
    const days = ((before?.expiresAt.getTime() ?? 0) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.99);
    expect(days).toBeLessThan(7.01);
    await database.db.orm
      .update(appSession)
      .set({ expiresAt: new Date(Date.now() - 1_000) })
      .where(eq(appSession.userId, person.id));
    expect((await sessionOf(cookie)).ok).toBe(false);
  });

  it('signing out ends the session in the database, not only in the browser', async () => {
    const person = await createTestPerson(database.db);
    const cookie = cookieHeader(await signIn(person.email, person.password));
    const answer = await signOutRoute(browserRequest('/api/auth/sign-out', {}, { cookie }));
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie().join()).toMatch(/readback\.session_token=;.*Max-Age=0/);
    expect((await sessionOf(cookie)).ok).toBe(false);
    const rows = await database.db.orm.select().from(appSession).where(eq(appSession.userId, person.id));
    expect(rows).toEqual([]);
  });
});

describe('requests from elsewhere', () => {
  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['the origin null', { origin: 'null' }],
    ['our name on another port', { origin: 'http://localhost:3001' }],
    ['a same-site sibling', { 'sec-fetch-site': 'same-site' }],
    ['a cross-site page', { 'sec-fetch-site': 'cross-site' }],
  ])('%s is refused before anything is looked at', async (_, headers) => {
    const person = await createTestPerson(database.db);
    const answer = await signIn(person.email, person.password, { ...fresh(), ...headers });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: 'csrf_refused' });
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await database.db.orm.select().from(loginFailure)).toEqual([]);
  });

  it('no Origin at all is refused', async () => {
    const request = browserRequest('/api/auth/sign-in', { email: 'a@example.org', password: TEST_PASSWORD });
    request.headers.delete('origin');
    expect((await signInRoute(request)).status).toBe(403);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
    'a form a page elsewhere could send (%s) is refused',
    async (type) => {
      const answer = await signIn('a@example.org', TEST_PASSWORD, { ...fresh(), 'content-type': type });
      expect(answer.status).toBe(415);
    },
  );
});

describe('guessing', () => {
  it('locks an account after five failures, the right password included, known or not', async () => {
    const person = await createTestPerson(database.db);
    for (const email of [person.email, 'ghost@example.org']) {
      for (let tries = 1; tries <= 5; tries += 1) {
        expect((await signIn(email, 'wrong horse battery')).status).toBe(401);
      }
      const locked = await signIn(email, TEST_PASSWORD);
      expect(locked.status).toBe(429);
      const wait = Number(locked.headers.get('retry-after'));
      expect(wait).toBeGreaterThan(20);
      expect(wait).toBeLessThanOrEqual(30);
    }
  });

  it('thirty tries at once check no more than five passwords', async () => {
    const person = await createTestPerson(database.db);
    const answers = await Promise.all(Array.from({ length: 30 }, () => signIn(person.email, 'wrong horse battery')));
    const counts = answers.map((answer) => answer.status);
    expect(counts.filter((status) => status === 401)).toHaveLength(5);
    expect(counts.filter((status) => status === 429)).toHaveLength(25);
  });

  it('lets the person in again when the lock is over, and forgets the failures', async () => {
    const person = await createTestPerson(database.db);
    for (let tries = 1; tries <= 5; tries += 1) await signIn(person.email, 'wrong horse battery');
    await database.db.orm.update(loginFailure).set({ lockedUntil: new Date(Date.now() - 1) });
    expect((await signIn(person.email, person.password)).status).toBe(200);
    expect(await database.db.orm.select().from(loginFailure)).toEqual([]);
  });

  it('limits one address over many accounts, and no forged header buys more tries', async () => {
    const statuses: number[] = [];
    for (let tries = 1; tries <= 22; tries += 1) {
      const answer = await signIn(`nobody-${tries}@example.org`, 'x', {
        'x-readback-client-address': '198.51.100.7',
        'x-forwarded-for': `203.0.113.${tries}`,
        'x-real-ip': `203.0.113.${tries}`,
        forwarded: `for=203.0.113.${tries}`,
      });
      statuses.push(answer.status);
    }
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 401));
    expect(statuses.slice(20)).toEqual([429, 429]);
  });
});
