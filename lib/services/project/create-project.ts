import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Database } from '../../../db/client';
import { project, settleTurn } from '../../../db/schema';
import { inTransaction } from '../../../db/transaction';
import { authorizeSystem, type SystemProject } from '../../auth/authorize-system';
import { PROFILES } from '../../core/attempt';
import type { Actor } from '../../core/project';
import { ok, refuse, type Result } from '../../core/result';
import { toSlug } from '../../core/slug';
import { recordAudit } from '../record-audit';

export const projectInput = z.object({
  name: z.string().trim().min(1).max(100),
  profile: z.enum(PROFILES).default('vibecode'),
});

export interface CreateProjectContext {
  db: Database;
  actor: Actor;
  /** Only who administers the installation makes projects. */
  installationOwner: boolean;
  now: number;
  requestId: string;
}

export type CreateProjectRefusal = 'forbidden' | 'invalid_input' | 'name_taken';

/** Makes a project with its hash secret. A name whose address another project has is refused. */
export async function createProject(
  ctx: CreateProjectContext,
  input: z.input<typeof projectInput>,
): Promise<Result<SystemProject, CreateProjectRefusal>> {
  if (!ctx.installationOwner) return refuse('forbidden');
  const parsed = projectInput.safeParse(input);
  if (!parsed.success) return refuse('invalid_input');
  const { name, profile } = parsed.data;
  return await inTransaction(ctx.db, async (tx) => {
    const [row] = await tx.orm
      .insert(project)
      .values({ slug: toSlug(name), name, defaultProfile: profile, hashSecret: randomBytes(32) })
      .onConflictDoNothing()
      .returning();
    if (!row) return refuse('name_taken');
    await tx.orm.insert(settleTurn).values({ projectId: row.id }).onConflictDoNothing();
    await recordAudit(tx, ctx, {
      projectId: row.id,
      action: 'project.created',
      subject: row.slug,
      detail: { profile },
    });
    return ok(authorizeSystem(row));
  });
}
