import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '@/db/client';
import { apiKey, appAccount, appUser, project as projectTable } from '@/db/schema';
import { loadProject } from '@/lib/auth/authorize-system';
import { hashPassword, verifyPassword } from '@/lib/auth/password';
import type { Actor, AuthorizedProject } from '@/lib/core/project';
import { createKey } from '@/lib/services/key/create-key';
import { revokeKey } from '@/lib/services/key/revoke-key';
import { createProject } from '@/lib/services/project/create-project';
import { createUser } from '@/lib/services/user/create-user';
import { DEMO_PEOPLE, DEMO_VISITOR, type DemoPerson } from './people';
import type { DemoMember } from './play-queue';

export interface PreparedDemo {
  project: AuthorizedProject;
  members: DemoMember[];
  /** Sends the week; a new one each time, the last one's successor. */
  ingestKey: string;
  /** Epoch ms when the project was made: the week's incident is dated by it. */
  anchor: number;
}

const ACTOR: Actor = { type: 'system', id: 'demo', name: 'Demo' };
const PROJECT = { name: 'Demo', slug: 'demo' };
const KEY_NAME = 'Demo loader';

/** The visitor's password: the same for as long as the installation's secret is, and stored nowhere. */
export function demoPassword(secret: string): string {
  return createHmac('sha256', secret).update('demo visitor').digest('base64url').slice(0, 16);
}

/** Makes what the demo needs and isn't there yet: project, people, key. */
export async function prepareDemo(db: Database, options: { now: number; password?: string }): Promise<PreparedDemo> {
  const context = { db, actor: ACTOR, installationOwner: true, now: options.now, requestId: randomUUID() };
  const project = await findOrMakeProject(context);
  const members = await Promise.all(DEMO_PEOPLE.map((person) => findOrMakePerson(context, project, person)));
  if (options.password !== undefined) await setPassword(db, DEMO_VISITOR.email, options.password);
  const ingestKey = await renewKey({ ...context, project, role: 'owner' });
  const [row] = await db.orm
    .select({ createdAt: projectTable.createdAt })
    .from(projectTable)
    .where(eq(projectTable.id, project.id));
  return { project, members, ingestKey, anchor: row?.createdAt.getTime() ?? options.now };
}

interface Context {
  db: Database;
  actor: Actor;
  installationOwner: boolean;
  now: number;
  requestId: string;
}

async function findOrMakeProject(context: Context): Promise<AuthorizedProject> {
  const found = await loadProject(context.db, PROJECT.slug);
  if (found) return found.project;
  const made = await createProject(context, { name: PROJECT.name, profile: 'vibecode' });
  if (!made.ok) throw new Error(`the demo project could not be made: ${made.refusal}`);
  return made.value.project;
}

async function findOrMakePerson(
  context: Context,
  project: AuthorizedProject,
  { email, name, role }: DemoPerson,
): Promise<DemoMember> {
  const find = async (): Promise<{ id: string } | undefined> =>
    (await context.db.orm.select({ id: appUser.id }).from(appUser).where(eq(appUser.email, email)).limit(1))[0];
  const found = await find();
  if (found) return { userId: found.id, email, name, role };
  // Nobody knows this password: only the visitor gets one that is told.
  const password = randomBytes(24).toString('base64url');
  const made = await createUser({ ...context, project }, { email, name, role, password });
  if (!made.ok) throw new Error(`the demo's ${email} could not be made: ${made.refusal}`);
  return { userId: made.value.id, email, name, role };
}

async function setPassword(db: Database, email: string, password: string): Promise<void> {
  const [row] = await db.orm
    .select({ id: appAccount.id, hash: appAccount.password })
    .from(appAccount)
    .innerJoin(appUser, eq(appUser.id, appAccount.userId))
    .where(and(eq(appUser.email, email), eq(appAccount.providerId, 'credential')));
  if (!row || (await verifyPassword(row.hash ?? '', password))) return;
  await db.orm
    .update(appAccount)
    .set({ password: await hashPassword(password), updatedAt: new Date() })
    .where(eq(appAccount.id, row.id));
}

async function renewKey(context: Parameters<typeof createKey>[0]): Promise<string> {
  const { db, project } = context;
  const mine = and(eq(apiKey.projectId, project.id), eq(apiKey.name, KEY_NAME), isNull(apiKey.revokedAt));
  const old = await db.orm.select({ keyId: apiKey.keyId }).from(apiKey).where(mine);
  for (const { keyId } of old) await revokeKey(context, keyId);
  const made = await createKey(context, { name: KEY_NAME, scope: 'ingest' });
  if (!made.ok) throw new Error(`the demo's key could not be made: ${made.refusal}`);
  return made.value.text;
}
