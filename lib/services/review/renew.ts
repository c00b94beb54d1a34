import { findItem, insertReviewEvents, renewLease } from '../../../db/queries/review';
import { inTransaction } from '../../../db/transaction';
import { may } from '../../core/permission';
import { REVIEW_MOVES } from '../../core/review';
import { timeUuid } from '../../platform/ids';
import { z } from 'zod';
import { holderOf } from './act';
import type { ChangedItem, VerbContext, VerbResult } from './context';

/**
 * Makes the holder's lease last again, while the item is open on a screen. The version stays: what the holder is
 * typing must not go stale by it.
 */
export function renewReviewItem(ctx: VerbContext, id: string): Promise<VerbResult<ChangedItem>> {
  return renewAt(ctx, id, undefined);
}

/** The same, but only for an item that is still at `version`, where one is given. */
export async function renewAt(
  ctx: VerbContext,
  id: string,
  version: number | undefined,
): Promise<VerbResult<ChangedItem>> {
  if (!may(ctx.role, REVIEW_MOVES.claim.permission)) return { ok: false, refusal: { code: 'forbidden' } };
  if (!z.uuid().safeParse(id).success) return { ok: false, refusal: { code: 'not_found' } };
  const leaseUntil = ctx.now + ctx.project.settings.claimLeaseMs;
  return inTransaction(ctx.db, async (tx): Promise<VerbResult<ChangedItem>> => {
    if (await renewLease(tx.sql, ctx.project.id, { id, actorId: ctx.actor.id, leaseUntil, now: ctx.now, version })) {
      const event = { id: timeUuid(ctx.now), itemId: id, at: ctx.now, actor: ctx.actor, oldValue: null, note: null };
      const newValue = { leaseUntil: new Date(leaseUntil).toISOString() };
      await insertReviewEvents(tx.sql, ctx.project.id, [{ ...event, action: 'renewed', newValue }]);
      return { ok: true, value: { id } };
    }
    const item = await findItem(tx.sql, ctx.project.id, id);
    if (!item) return { ok: false, refusal: { code: 'not_found' } };
    if (holderOf(item, ctx.now) === null) return { ok: false, refusal: { code: 'wrong_state' } };
    const remainingLeaseMs = Math.max(0, (item.leaseUntil ?? ctx.now) - ctx.now);
    return { ok: false, refusal: { code: 'held_by_other', holder: item.assignee?.name ?? '', remainingLeaseMs } };
  });
}
