import { lockNextItem } from '../../../db/queries/review';
import { inTransaction } from '../../../db/transaction';
import { may } from '../../core/permission';
import { REVIEW_MOVES } from '../../core/review';
import { writeChange } from './act';
import { prepareClaim } from './claim';
import type { ChangedItem, VerbContext, VerbResult } from './context';

/** Claims the open item with the nearest deadline; any number of callers at once get different ones. Null: none is left. */
export async function takeNextReviewItem(ctx: VerbContext): Promise<VerbResult<ChangedItem | null>> {
  if (!may(ctx.role, REVIEW_MOVES.claim.permission)) return { ok: false, refusal: { code: 'forbidden' } };
  return inTransaction(ctx.db, async (tx): Promise<VerbResult<ChangedItem | null>> => {
    const item = await lockNextItem(tx.sql, ctx.project.id);
    if (!item) return { ok: true, value: null };
    if (!(await writeChange(ctx, tx, 'next', prepareClaim(ctx, item, null)))) {
      throw new Error('a locked review item changed its version');
    }
    return { ok: true, value: { id: item.id } };
  });
}
