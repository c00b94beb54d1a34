import { randomBytes, randomUUID } from 'node:crypto';
import type { Database } from '@/db/client';
import { appAccount, appUser, member } from '@/db/schema';
import { hashPassword } from '@/lib/auth/password';
import type { Role } from '@/lib/core/permission';

/** What the dashboard's own pages send from. */
export const ORIGIN = 'http://localhost:3000';

/** Sets what `getWebRuntime` reads; call it before the first route handler of a test file. */
export function useWebRuntime(databaseUrl: string): { secret: string } {
  const secret = randomBytes(32).toString('hex');
  Object.assign(process.env, { DATABASE_URL: databaseUrl, READBACK_SECRET: secret, PORT: '3000', LOG_LEVEL: 'silent' });
  delete process.env.PUBLIC_URL;
  return { secret };
}

/** A request as a browser sends it from one of our pages. */
export function browserRequest(path: string, body: unknown, headers: Record<string, string> = {}): Request {
  return new Request(new URL(path, ORIGIN), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: ORIGIN,
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

export interface TestPerson {
  id: string;
  email: string;
  password: string;
}

export const TEST_PASSWORD = 'correct horse battery';
let knownHash: Promise<string> | undefined;

/** A person with a password and roles in projects. The slow hash is made once a file. */
export async function createTestPerson(
  db: Database,
  options: { roles?: { projectId: number; role: Role }[]; installationOwner?: boolean; disabled?: boolean } = {},
): Promise<TestPerson> {
  knownHash ??= hashPassword(TEST_PASSWORD);
  const id = randomUUID();
  const email = `${id}@example.org`;
  await db.orm.insert(appUser).values({
    id,
    email,
    name: 'Test Person',
    installationOwner: options.installationOwner ?? false,
    disabledAt: options.disabled ? new Date() : null,
  });
  await db.orm.insert(appAccount).values({
    id: randomUUID(),
    accountId: id,
    providerId: 'credential',
    userId: id,
    password: await knownHash,
  });
  for (const { projectId, role } of options.roles ?? []) {
    await db.orm.insert(member).values({ projectId, userId: id, role });
  }
  return { id, email, password: TEST_PASSWORD };
}

/** The `Cookie` header a browser would send back. */
export function cookieHeader(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}
