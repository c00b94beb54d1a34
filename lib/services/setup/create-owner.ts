import { randomBytes, randomUUID } from 'node:crypto';
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Database } from '../../../db/client';
import { apiKey, appAccount, appUser, auditLog, member, project, settleTurn, setupToken } from '../../../db/schema';
import { inTransaction, type Transaction } from '../../../db/transaction';
import { hashKeySecret, makeKeyText } from '../../auth/key';
import { hashPassword } from '../../auth/password';
import { hashSetupToken, hasUsers, isSetupTokenLive } from '../../auth/setup-token';
import type { Profile } from '../../core/attempt';
import { ok, refuse, type Result } from '../../core/result';
import { timeUuid } from '../../platform/ids';
import { toSlug } from '../../core/slug';

export interface OwnerInput {
  token: string;
  name: string;
  email: string;
  password: string;
  projectName: string;
  profile: Profile;
  /** What its first key is called, in the person's language. */
  keyName: string;
}

export interface OwnerCreated {
  projectSlug: string;
  projectName: string;
  /** The whole ingest key: shown once, stored nowhere. */
  ingestKey: string;
}

export type OwnerRefusal = 'setup_link_unusable';

/**
 * Makes the first person, the first project and its ingest key, using up the link, all in one transaction.
 * Two browsers with the same link: one wins, the other is refused.
 */
export async function createOwnerFromSetup(
  ctx: { db: Database; now: number; requestId: string },
  input: OwnerInput,
): Promise<Result<OwnerCreated, OwnerRefusal>> {
  // Looked at first without a lock, so that a stranger's guesses cost no slow hash.
  if ((await hasUsers(ctx.db)) || !(await isSetupTokenLive(ctx.db, input.token, ctx.now))) {
    return refuse('setup_link_unusable');
  }
  const passwordHash = await hashPassword(input.password);
  return inTransaction(ctx.db, async (tx) => {
    await tx.sql`lock table app_user in share row exclusive mode`;
    if ((await hasUsers(tx)) || !(await takeToken(tx, input.token, ctx.now))) return refuse('setup_link_unusable');
    const person = await insertOwner(tx, input, passwordHash);
    const created = await insertProject(tx, input, person);
    await tx.orm.insert(auditLog).values({
      projectId: 0,
      id: timeUuid(ctx.now),
      at: new Date(ctx.now),
      actorType: 'user',
      actorId: person.id,
      actorName: person.name,
      action: 'installation.set_up',
      subject: created.projectSlug,
      requestId: ctx.requestId,
      detail: { email: person.email },
    });
    return ok(created);
  });
}

async function takeToken(tx: Transaction, token: string, now: number): Promise<boolean> {
  const taken = await tx.orm
    .update(setupToken)
    .set({ usedAt: new Date(now) })
    .where(
      and(
        eq(setupToken.tokenHash, hashSetupToken(token)),
        isNull(setupToken.usedAt),
        gt(setupToken.expiresAt, new Date(now)),
      ),
    )
    .returning({ at: setupToken.usedAt });
  return taken.length === 1;
}

async function insertOwner(tx: Transaction, input: OwnerInput, passwordHash: string) {
  const person = { id: randomUUID(), name: input.name.trim(), email: input.email.trim().toLowerCase() };
  await tx.orm.insert(appUser).values({ ...person, emailVerified: true, installationOwner: true });
  await tx.orm.insert(appAccount).values({
    id: randomUUID(),
    // How better-auth finds a password: the person's own id, provider `credential`.
    accountId: person.id,
    providerId: 'credential',
    userId: person.id,
    password: passwordHash,
  });
  return person;
}

async function insertProject(
  tx: Transaction,
  input: OwnerInput,
  person: { id: string; name: string },
): Promise<OwnerCreated> {
  const name = input.projectName.trim();
  const slug = await freeSlug(tx, toSlug(name));
  const [row] = await tx.orm
    .insert(project)
    .values({ slug, name, defaultProfile: input.profile, hashSecret: randomBytes(32) })
    .returning({ id: project.id });
  if (!row) throw new Error('the project was not inserted');
  await tx.orm.insert(settleTurn).values({ projectId: row.id }).onConflictDoNothing();
  await tx.orm.insert(member).values({ projectId: row.id, userId: person.id, role: 'owner' });
  const key = makeKeyText('ingest');
  await tx.orm.insert(apiKey).values({
    projectId: row.id,
    keyId: key.keyId,
    name: input.keyName,
    scope: key.scope,
    secretHash: hashKeySecret(key.secret),
    lastFour: key.text.slice(-4),
    createdBy: person.name,
  });
  return { projectSlug: slug, projectName: name, ingestKey: key.text };
}

async function freeSlug(tx: Transaction, wanted: string): Promise<string> {
  const rows = await tx.orm
    .select({ slug: project.slug })
    .from(project)
    .where(sql`${project.slug} = ${wanted} or ${project.slug} like ${`${wanted}-%`}`);
  const taken = new Set(rows.map((row) => row.slug));
  if (!taken.has(wanted)) return wanted;
  for (let n = 2; ; n += 1) if (!taken.has(`${wanted}-${n}`)) return `${wanted}-${n}`;
}
