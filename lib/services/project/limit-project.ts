import { eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Database } from '../../../db/client';
import { project } from '../../../db/schema';
import { inTransaction } from '../../../db/transaction';
import { may, type Role } from '../../core/permission';
import type { Actor, AuthorizedProject } from '../../core/project';
import { ok, refuse, type Result } from '../../core/result';
import { recordAudit } from '../record-audit';

export interface LimitContext {
  db: Database;
  project: AuthorizedProject;
  actor: Actor;
  role: Role;
  now: number;
  requestId: string;
}

const dailyEventsInput = z.number().int().min(1).max(2_147_483_647).nullable();

/**
 * Sets how many new events a day (UTC) the project takes; running processes follow within ten seconds.
 * @param dailyEventsMax null: any number
 */
export async function limitProject(
  ctx: LimitContext,
  dailyEventsMax: number | null,
): Promise<Result<{ dailyEventsMax: number | null }, 'forbidden' | 'not_found' | 'invalid_input'>> {
  if (!may(ctx.role, 'settings.manage')) return refuse('forbidden');
  const parsed = dailyEventsInput.safeParse(dailyEventsMax);
  if (!parsed.success) return refuse('invalid_input');
  const { id, slug } = ctx.project;
  return await inTransaction(ctx.db, async (tx) => {
    const [before] = await tx.orm.select().from(project).where(eq(project.id, id)).for('update');
    if (!before) return refuse('not_found');
    await tx.orm.update(project).set({ dailyEventsMax: parsed.data }).where(eq(project.id, id));
    await recordAudit(tx, ctx, {
      projectId: id,
      action: 'project.limited',
      subject: slug,
      detail: { oldValue: before.dailyEventsMax, newValue: parsed.data },
    });
    return ok({ dailyEventsMax: parsed.data });
  });
}
