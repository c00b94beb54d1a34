import { randomBytes, randomUUID } from 'node:crypto';
import { desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '@/db/client';
import { apiKey, appAccount, appUser, auditLog, member } from '@/db/schema';
import { authorizeKey } from '@/lib/auth/authorize-key';
import { SYSTEM_ACTOR } from '@/lib/auth/authorize-system';
import { verifyPassword } from '@/lib/auth/password';
import { ROLES } from '@/lib/core/permission';
import type { AuthorizedProject } from '@/lib/core/project';
import { createKey } from '@/lib/services/key/create-key';
import { limitKey } from '@/lib/services/key/limit-key';
import { revokeKey } from '@/lib/services/key/revoke-key';
import { createProject } from '@/lib/services/project/create-project';
import { limitProject } from '@/lib/services/project/limit-project';
import { createUser } from '@/lib/services/user/create-user';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestProject } from '../support/project';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.close());

const asOwner = () => ({
  db,
  actor: SYSTEM_ACTOR,
  installationOwner: true,
  now: Date.now(),
  requestId: randomUUID(),
});
const newest = async (projectId: number) => {
  const rows = await db.orm.select().from(auditLog).where(eq(auditLog.projectId, projectId)).orderBy(desc(auditLog.id));
  return rows[0];
};

const context = (project: AuthorizedProject, role: (typeof ROLES)[number] = 'owner') => ({
  db,
  project,
  actor: SYSTEM_ACTOR,
  role,
  now: Date.now(),
  requestId: randomBytes(4).toString('hex'),
});

describe('projects', () => {
  test('a project is made with its address, profile, secret, and a line in the log', async () => {
    const made = await createProject(asOwner(), { name: 'Отдел продаж', profile: 'quillhub' });
    if (!made.ok) throw new Error(made.refusal);
    expect(made.value.project).toMatchObject({ slug: 'otdel-prodazh', profiles: { defaultProfile: 'quillhub' } });
    expect(made.value.hashSecret).toHaveLength(32);
    expect(await newest(made.value.project.id)).toMatchObject({ action: 'project.created', subject: 'otdel-prodazh' });
  });

  test('ten at once with one name make one', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => createProject(asOwner(), { name: 'Twin' })));
    expect(made.filter((result) => result.ok)).toHaveLength(1);
    expect(made.filter((result) => !result.ok && result.refusal === 'name_taken')).toHaveLength(9);
  });

  test('only the installation’s owner makes one; an empty name is refused', async () => {
    const ctx = { ...asOwner(), installationOwner: false };
    expect(await createProject(ctx, { name: 'X' })).toEqual({ ok: false, refusal: 'forbidden' });
    expect(await createProject(asOwner(), { name: '  ' })).toEqual({ ok: false, refusal: 'invalid_input' });
  });
});

describe('people', () => {
  const input = (email: string) => ({ email, role: 'owner' as const, password: 'long enough to be one' });

  test('without a project: an owner of the installation who can sign in', async () => {
    const made = await createUser({ ...asOwner(), project: null }, input(' Ann@Example.org '));
    expect(made).toMatchObject({ ok: true, value: { email: 'ann@example.org', installationOwner: true } });
    const [row] = await db.orm
      .select({
        password: appAccount.password,
        provider: appAccount.providerId,
        id: appUser.id,
        account: appAccount.accountId,
      })
      .from(appUser)
      .innerJoin(appAccount, eq(appAccount.userId, appUser.id))
      .where(eq(appUser.email, 'ann@example.org'));
    expect(row).toMatchObject({ provider: 'credential', account: row?.id });
    expect(await verifyPassword(row?.password ?? '', 'long enough to be one')).toBe(true);
  });

  test('with a project: a member with that role and no more', async () => {
    const { project } = await createTestProject(db);
    const made = await createUser({ ...asOwner(), project }, { ...input('vi@example.org'), role: 'viewer' });
    if (!made.ok) throw new Error(made.refusal);
    expect(made.value.installationOwner).toBe(false);
    const rows = await db.orm.select().from(member).where(eq(member.userId, made.value.id));
    expect(rows).toMatchObject([{ projectId: project.id, role: 'viewer' }]);
    expect(await newest(project.id)).toMatchObject({ action: 'user.created', detail: { role: 'viewer' } });
  });

  test.each([
    ['a taken e-mail in other letters', { email: 'ANN@example.org' }, 'email_taken'],
    ['no e-mail', { email: 'ann' }, 'invalid_email'],
    ['a short password', { email: 'b@example.org', password: 'short' }, 'invalid_password'],
    ['a viewer of nothing', { email: 'c@example.org', role: 'viewer' as const }, 'project_needed'],
  ])('%s is refused', async (_name, change, refusal) => {
    const made = await createUser({ ...asOwner(), project: null }, { ...input('x@example.org'), ...change });
    expect(made).toEqual({ ok: false, refusal });
  });

  test('only the installation’s owner makes people', async () => {
    const ctx = { ...asOwner(), installationOwner: false, project: null };
    expect(await createUser(ctx, input('d@example.org'))).toEqual({ ok: false, refusal: 'forbidden' });
  });
});

describe('keys', () => {
  test('a made key opens its project, is stored as a hash only, and ends when revoked', async () => {
    const { project } = await createTestProject(db);
    const made = await createKey(context(project), { name: 'Shop', scope: 'ingest' });
    if (!made.ok) throw new Error(made.refusal);
    const header = `Bearer ${made.value.text}`;
    expect(await authorizeKey(db, header, ['ingest'])).toMatchObject({ ok: true, value: { name: 'Shop' } });
    const [row] = await db.orm.select().from(apiKey).where(eq(apiKey.keyId, made.value.keyId));
    expect(JSON.stringify(row)).not.toContain(made.value.text.slice(-38, -6));
    expect(await newest(project.id)).toMatchObject({ action: 'key.created', subject: made.value.keyId });
    expect(await revokeKey(context(project), made.value.keyId)).toMatchObject({ ok: true });
    expect(await authorizeKey(db, header, ['ingest'])).toEqual({ ok: false, refusal: 'key_revoked' });
    expect(await newest(project.id)).toMatchObject({ action: 'key.revoked' });
    expect(await revokeKey(context(project), made.value.keyId)).toEqual({ ok: false, refusal: 'already_revoked' });
  });

  test('another project’s key is not there', async () => {
    const [mine, theirs] = [await createTestProject(db), await createTestProject(db)];
    const made = await createKey(context(theirs.project), { name: 'Theirs', scope: 'read' });
    if (!made.ok) throw new Error(made.refusal);
    expect(await revokeKey(context(mine.project), made.value.keyId)).toEqual({ ok: false, refusal: 'not_found' });
    expect((await authorizeKey(db, `Bearer ${made.value.text}`, ['read'])).ok).toBe(true);
  });

  test.each(ROLES.filter((role) => role !== 'owner'))('a %s makes and revokes none', async (role) => {
    const { project } = await createTestProject(db);
    expect(await createKey(context(project, role), { name: 'x', scope: 'read' })).toEqual({
      ok: false,
      refusal: 'forbidden',
    });
    expect(await revokeKey(context(project, role), 'x')).toEqual({ ok: false, refusal: 'forbidden' });
  });

  test('a key needs a name', async () => {
    const { project } = await createTestProject(db);
    const made = await createKey(context(project), { name: ' ', scope: 'read' });
    expect(made).toEqual({ ok: false, refusal: 'invalid_input' });
  });
});

describe('limits', () => {
  test('of a key are its own, and written down', async () => {
    const { project } = await createTestProject(db);
    const made = await createKey(context(project), { name: 'Shop', scope: 'ingest' });
    if (!made.ok) throw new Error(made.refusal);
    const { keyId, text } = made.value;
    const rate = async () => {
      const found = await authorizeKey(db, `Bearer ${text}`, ['ingest']);
      return found.ok ? found.value.eventsPerSecond : found.refusal;
    };
    expect(await rate()).toBe(null);
    expect(await limitKey(context(project), keyId, 20)).toEqual({ ok: true, value: { keyId, eventsPerSecond: 20 } });
    expect(await rate()).toBe(20);
    expect(await newest(project.id)).toMatchObject({
      action: 'key.limited',
      subject: keyId,
      detail: { oldValue: null, newValue: 20 },
    });
    for (const wrong of [0, -1, 1.5, NaN, 10_000_001])
      expect(await limitKey(context(project), keyId, wrong)).toEqual({ ok: false, refusal: 'invalid_input' });
    expect(await limitKey(context(project), keyId, null)).toMatchObject({ ok: true });
    expect(await rate()).toBe(null);
    const theirs = await createTestProject(db);
    expect(await limitKey(context(theirs.project), keyId, 1)).toEqual({ ok: false, refusal: 'not_found' });
    expect(await limitKey(context(project, 'lead'), keyId, 1)).toEqual({ ok: false, refusal: 'forbidden' });
  });

  test('of a project are a number of new events a day, or none', async () => {
    const { project } = await createTestProject(db);
    expect(await limitProject(context(project), 1_000)).toEqual({ ok: true, value: { dailyEventsMax: 1_000 } });
    expect(await newest(project.id)).toMatchObject({
      action: 'project.limited',
      subject: project.slug,
      detail: { oldValue: null, newValue: 1_000 },
    });
    for (const wrong of [0, -5, 0.5, 2 ** 31])
      expect(await limitProject(context(project), wrong)).toEqual({ ok: false, refusal: 'invalid_input' });
    expect(await limitProject(context(project), null)).toEqual({ ok: true, value: { dailyEventsMax: null } });
    expect(await limitProject(context(project, 'lead'), 5)).toEqual({ ok: false, refusal: 'forbidden' });
  });
});
