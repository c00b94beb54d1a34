import { and, eq } from 'drizzle-orm';
import { apiKey } from '../../../db/schema';
import { inTransaction } from '../../../db/transaction';
import { forgetKey } from '../../auth/key';
import { may } from '../../core/permission';
import { ok, refuse, type Result } from '../../core/result';
import { recordAudit } from '../record-audit';
import { eventsPerSecondInput, type KeyContext } from './create-key';

/**
 * Sets how many events a second a key may send through one process; running processes follow within ten seconds.
 * @param eventsPerSecond null: the service's default
 */
export async function limitKey(
  ctx: KeyContext,
  keyId: string,
  eventsPerSecond: number | null,
): Promise<Result<{ keyId: string; eventsPerSecond: number | null }, 'forbidden' | 'not_found' | 'invalid_input'>> {
  if (!may(ctx.role, 'key.manage')) return refuse('forbidden');
  const parsed = eventsPerSecondInput.safeParse(eventsPerSecond);
  if (!parsed.success) return refuse('invalid_input');
  const mine = and(eq(apiKey.projectId, ctx.project.id), eq(apiKey.keyId, keyId));
  const result = await inTransaction(ctx.db, async (tx) => {
    const [before] = await tx.orm.select().from(apiKey).where(mine).for('update');
    if (!before) return refuse('not_found');
    await tx.orm.update(apiKey).set({ eventsPerSecond: parsed.data }).where(mine);
    await recordAudit(tx, ctx, {
      projectId: ctx.project.id,
      action: 'key.limited',
      subject: keyId,
      detail: { name: before.name, oldValue: before.eventsPerSecond, newValue: parsed.data },
    });
    return ok({ keyId, eventsPerSecond: parsed.data });
  });
  forgetKey(ctx.db, keyId);
  return result;
}
