import { z } from 'zod';
import type { ReviewItem } from '../../../db/queries/review';
import { actOnItem, holderOf, noteSchema, parseInput, versionSchema, type Change } from './act';
import type { ChangedItem, VerbContext, VerbResult } from './context';
import { renewAt } from './renew';

export const claimSchema = z.object({ version: versionSchema, note: noteSchema.optional() });

/** The item as its new holder has it, and what its history says. */
export function prepareClaim(ctx: VerbContext, item: ReviewItem, note: string | null): Change {
  const leaseUntil = ctx.now + ctx.project.settings.claimLeaseMs;
  const heldBefore = holderOf(item, ctx.now) !== null;
  return {
    item: { ...item, state: 'claimed', assignee: ctx.actor, leaseUntil, snoozedUntil: null },
    action: heldBefore ? 'assigned' : 'claimed',
    oldValue: { state: item.state, assignee: item.assignee?.name ?? null },
    newValue: { state: 'claimed', assignee: ctx.actor.name, leaseUntil: new Date(leaseUntil).toISOString() },
    note,
  };
}

/**
 * Takes the item for `claimLeaseMs`. By its holder: renews the lease. A lead may take
 * over from another holder; the history then keeps both names.
 */
export async function claimReviewItem(ctx: VerbContext, id: string, body: unknown): Promise<VerbResult<ChangedItem>> {
  const input = parseInput(claimSchema, body);
  if (!input.ok) return input;
  const { version, note } = input.value;
  const renewed = await renewAt(ctx, id, version);
  if (renewed.ok || renewed.refusal.code === 'not_found' || renewed.refusal.code === 'forbidden') return renewed;
  return actOnItem(ctx, 'claim', { id, version }, (item) =>
    Promise.resolve({ ok: true, value: prepareClaim(ctx, item, note ?? null) }),
  );
}
