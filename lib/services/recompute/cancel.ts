import { z } from 'zod';
import { cancelJob, findJob } from '../../../db/queries/recompute';
import { inTransaction } from '../../../db/transaction';
import { may } from '../../core/permission';
import type { Result } from '../../core/result';
import { ok, refuse } from '../../core/result';
import { recordAudit } from '../record-audit';
import type { ProjectContext } from '../project/change-settings';

/**
 * Stops a job between two slices; what it concluded so far stays, and is what a later run would conclude too.
 * Asking twice is no fault. `wrong_state` when it ended by itself.
 */
export async function cancelRecompute(
  ctx: ProjectContext,
  id: string,
): Promise<Result<{ id: string }, 'forbidden' | 'not_found' | 'wrong_state'>> {
  if (!may(ctx.role, 'rules.manage')) return refuse('forbidden');
  if (!z.uuid().safeParse(id).success) return refuse('not_found');
  return inTransaction(ctx.db, async (tx) => {
    if (await cancelJob(tx.sql, ctx.project.id, id, ctx.now)) {
      await recordAudit(tx, ctx, { projectId: ctx.project.id, action: 'recompute.cancelled', subject: id });
      return ok({ id });
    }
    const job = await findJob(tx.sql, ctx.project.id, id);
    if (!job) return refuse('not_found');
    return job.state === 'cancelled' ? ok({ id }) : refuse('wrong_state');
  });
}
