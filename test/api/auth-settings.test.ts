import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appAccount, appUser } from '@/db/schema';
import { authOptions } from '@/lib/auth/better-auth';
import { baseUrl, trustedOrigins } from '@/lib/auth/origin';
import { hashPassword, verifyPassword } from '@/lib/auth/password';
import { createAuth, signIn, type Auth } from '@/lib/auth/session';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestPerson } from '../support/web';

let database: TestDatabase;
const secret = 's'.repeat(40);

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

function authAt(url: string): Auth {
  return createAuth({ db: database.db, baseUrl: url, origins: [new URL(url).origin], secret });
}

const LOCAL = 'http://localhost:3000';

describe('where browsers reach us', () => {
  it('is configured and never read from a Host header', async () => {
    expect(baseUrl({ PUBLIC_URL: 'https://readback.example/sub', PORT: 3000 })).toBe('https://readback.example');
    expect(baseUrl({ PORT: 4123 })).toBe('http://localhost:4123');
    expect(trustedOrigins({ PUBLIC_URL: 'https://readback.example', PORT: 3000 })).toEqual([
      'https://readback.example',
    ]);
    const context = await authAt('https://readback.example').better.$context;
    expect(context.baseURL).toBe('https://readback.example/api/auth');
    expect(context.options.trustedOrigins).toEqual(['https://readback.example']);
    expect(authOptions({ db: database.db, baseUrl: LOCAL, origins: [], secret }).advanced.trustedProxyHeaders).toBe(
      false,
    );
  });
});

describe('cookies', () => {
  it.each([
    ['https://readback.example', true],
    ['http://readback.example', true],
    ['http://localhost:3000', false],
    ['http://127.0.0.1:3000', false],
  ])('%s: Secure is %s', async (url, secure) => {
    const person = await createTestPerson(database.db);
    const answer = await signIn(authAt(url), {
      email: person.email,
      password: person.password,
      address: '192.0.2.1',
      userAgent: null,
      now: Date.now(),
    });
    if (!answer.ok) throw new Error(answer.refusal);
    const cookie = answer.setCookies.find((text) => text.includes('session_token')) ?? '';
    expect(cookie.startsWith('__Secure-')).toBe(secure);
    expect(/; Secure/.test(cookie)).toBe(secure);
    // Nothing but the token travels: no cached session that outlives its end.
    expect(answer.setCookies.filter((text) => !/Max-Age=0/.test(text))).toHaveLength(1);
  });
});

describe('what is switched off', () => {
  const ask = (path: string, body: unknown) =>
    authAt(LOCAL).better.handler(
      new Request(new URL(`/api/auth${path}`, LOCAL), {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: LOCAL },
        body: JSON.stringify(body),
      }),
    );

  it('sign-up is closed, by the path and by the function', async () => {
    const stranger = { email: 'stranger@example.org', password: 'correct horse battery', name: 'S' };
    expect((await ask('/sign-up/email', { ...stranger, role: 'admin', installationOwner: true })).status).toBe(404);
    await expect(authAt(LOCAL).better.api.signUpEmail({ body: stranger })).rejects.toThrow(/sign up is not enabled/i);
    const people = await database.db.orm.select({ email: appUser.email }).from(appUser);
    expect(people.map((row) => row.email)).not.toContain(stranger.email);
  });

  it.each([
    '/sign-in/social',
    '/change-email',
    '/change-password',
    '/request-password-reset',
    '/reset-password',
    '/update-user',
    '/delete-user',
    '/link-social',
    '/send-verification-email',
    '/api-key/create',
    '/admin/list-users',
    '/admin/impersonate-user',
    '/device/code',
    '/sign-in/magic-link',
    '/email-otp/send-verification-otp',
    '/oauth2/register',
    '/mcp/register',
  ])('%s answers 404', async (path) => {
    expect((await ask(path, {})).status).toBe(404);
  });

  it('cookie cache, silent renewal, linking, telemetry, plugins and providers are off', () => {
    const options = authOptions({ db: database.db, baseUrl: LOCAL, origins: [LOCAL], secret });
    expect(options.session).toMatchObject({ cookieCache: { enabled: false }, disableSessionRefresh: true });
    expect(options.account.accountLinking).toEqual({ enabled: false, disableImplicitLinking: true });
    expect(options.user.changeEmail.enabled).toBe(false);
    expect(options.user.deleteUser.enabled).toBe(false);
    expect(options.telemetry.enabled).toBe(false);
    expect(options.plugins).toEqual([]);
    expect(options.socialProviders).toEqual({});
    expect(options.advanced).toMatchObject({ disableCSRFCheck: false, disableOriginCheck: false });
    expect(options.rateLimit).toMatchObject({ enabled: true, storage: 'database' });
  });

  it('believes only the address that the listener vouches for', () => {
    const { ipAddress } = authOptions({ db: database.db, baseUrl: LOCAL, origins: [LOCAL], secret }).advanced;
    expect(ipAddress).toEqual({ ipAddressHeaders: ['x-readback-client-address'], trustedProxies: [] });
  });

  it('a field of ours can not be set from outside', () => {
    const { additionalFields } = authOptions({ db: database.db, baseUrl: LOCAL, origins: [], secret }).user;
    expect(additionalFields.installationOwner.input).toBe(false);
    expect(additionalFields.disabledAt.input).toBe(false);
  });
});

describe('passwords', () => {
  it('are kept as scrypt with N = 2^17, salted, within 12 to 128 characters', async () => {
    const [one, two] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
    expect(one).toMatch(/^scrypt\$131072\$8\$1\$/);
    expect(one).not.toBe(two);
    expect(await verifyPassword(one, 'correct horse')).toBe(true);
    expect(await verifyPassword(one, 'correct horsf')).toBe(false);
    for (const broken of ['', 'scrypt', 'bcrypt$1$2', one.slice(0, -4), one.replace('131072', '99999999')]) {
      expect(await verifyPassword(broken, 'correct horse')).toBe(false);
    }
    const { emailAndPassword } = authOptions({ db: database.db, baseUrl: LOCAL, origins: [], secret });
    expect(emailAndPassword).toMatchObject({ disableSignUp: true, minPasswordLength: 12, maxPasswordLength: 128 });
  });

  it('no table holds one in the clear', async () => {
    await createTestPerson(database.db);
    const rows = await database.db.orm.select({ password: appAccount.password }).from(appAccount);
    for (const row of rows) expect(row.password).toMatch(/^scrypt\$/);
  });
});
