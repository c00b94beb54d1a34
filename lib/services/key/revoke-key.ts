import { and, eq, isNull } from 'drizzle-orm';
import { apiKey } from '../../../db/schema';
import { inTransaction } from '../../../db/transaction';
import { forgetKey } from '../../auth/key';
import { may } from '../../core/permission';
import { ok, refuse, type Result } from '../../core/result';
import { recordAudit } from '../record-audit';
import type { KeyContext } from './create-key';

/** Ends a key of the context's project for good; other processes notice within ten seconds. */
export async function revokeKey(
  ctx: KeyContext,
  keyId: string,
): Promise<Result<{ keyId: string }, 'forbidden' | 'not_found' | 'already_revoked'>> {
  if (!may(ctx.role, 'key.manage')) return refuse('forbidden');
  const mine = and(eq(apiKey.projectId, ctx.project.id), eq(apiKey.keyId, keyId));
  const result = await inTransaction(ctx.db, async (tx) => {
    const revoked = await tx.orm
      .update(apiKey)
      .set({ revokedAt: new Date(ctx.now), revokedBy: ctx.actor.name })
      .where(and(mine, isNull(apiKey.revokedAt)))
      .returning({ name: apiKey.name });
    if (!revoked[0]) {
      const [known] = await tx.orm.select({ keyId: apiKey.keyId }).from(apiKey).where(mine).limit(1);
      return refuse(known ? 'already_revoked' : 'not_found');
    }
    await recordAudit(tx, ctx, {
      projectId: ctx.project.id,
      action: 'key.revoked',
      subject: keyId,
      detail: { name: revoked[0].name },
    });
    return ok({ keyId });
  });
  forgetKey(ctx.db, keyId);
  return result;
}
