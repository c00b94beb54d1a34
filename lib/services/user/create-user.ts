import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Database } from '../../../db/client';
import { appAccount, appUser, member } from '../../../db/schema';
import { inTransaction } from '../../../db/transaction';
import { hashPassword, PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../../auth/password';
import { ROLES } from '../../core/permission';
import type { Actor, AuthorizedProject } from '../../core/project';
import { ok, refuse, type Result } from '../../core/result';
import { recordAudit } from '../record-audit';

export const userInput = z.object({
  email: z.string().trim().toLowerCase().max(254).pipe(z.email()),
  name: z.string().trim().min(1).max(100).optional(),
  role: z.enum(ROLES),
  password: z.string().min(PASSWORD_LENGTH_MIN).max(PASSWORD_LENGTH_MAX),
});

export interface CreateUserContext {
  db: Database;
  actor: Actor;
  /** Only who administers the installation makes people. */
  installationOwner: boolean;
  /** The person's project; null makes an owner of the whole installation. */
  project: AuthorizedProject | null;
  now: number;
  requestId: string;
}

export type CreateUserRefusal =
  'forbidden' | 'invalid_email' | 'invalid_password' | 'invalid_input' | 'project_needed' | 'email_taken';

export interface CreatedUser {
  id: string;
  email: string;
  /** True for one without a project: it administers the installation. */
  installationOwner: boolean;
}

/** Makes a person who can sign in, with one role in one project, or as owner of the installation. */
export async function createUser(
  ctx: CreateUserContext,
  input: z.input<typeof userInput>,
): Promise<Result<CreatedUser, CreateUserRefusal>> {
  if (!ctx.installationOwner) return refuse('forbidden');
  const parsed = userInput.safeParse(input);
  if (!parsed.success) return refuse(refusalFor(parsed.error));
  const { email, role, password } = parsed.data;
  if (!ctx.project && role !== 'owner') return refuse('project_needed');
  const passwordHash = await hashPassword(password);
  const person = { id: randomUUID(), email, name: parsed.data.name ?? email.split('@')[0] ?? email };
  const installationOwner = ctx.project === null;
  return await inTransaction(ctx.db, async (tx) => {
    const made = await tx.orm
      .insert(appUser)
      .values({ ...person, emailVerified: true, installationOwner })
      .onConflictDoNothing()
      .returning({ id: appUser.id });
    if (made.length === 0) return refuse('email_taken');
    await tx.orm.insert(appAccount).values({
      id: randomUUID(),
      // How better-auth finds a password: the person's own id under the provider `credential`.
      accountId: person.id,
      providerId: 'credential',
      userId: person.id,
      password: passwordHash,
    });
    if (ctx.project) await tx.orm.insert(member).values({ projectId: ctx.project.id, userId: person.id, role });
    await recordAudit(tx, ctx, {
      projectId: ctx.project?.id ?? null,
      action: 'user.created',
      subject: person.id,
      detail: { email, role },
    });
    return ok({ id: person.id, email, installationOwner });
  });
}

function refusalFor(error: z.ZodError): CreateUserRefusal {
  const fields = new Set(error.issues.map((issue) => issue.path[0]));
  if (fields.has('email')) return 'invalid_email';
  return fields.has('password') ? 'invalid_password' : 'invalid_input';
}
