import {
  insertReviewEvents,
  lockExpiredItems,
  updateItem,
  type ReviewAction,
  type ReviewItem,
  type ReviewTimer,
} from '@/db/queries/review';
import { inTransaction, type Transaction } from '@/db/transaction';
import { passReview, type ReviewPassage } from '@/lib/core/review';
import { timeUuid } from '@/lib/platform/ids';
import type { SettleContext } from './settle';
import { SETTLER } from './settle-review';

const TIMER_BATCH = 200;

const TIMERS: Readonly<Record<ReviewTimer, { passage: ReviewPassage; action: ReviewAction }>> = {
  waiting: { passage: 'grace_over', action: 'due' },
  claimed: { passage: 'lease_over', action: 'lease_expired' },
  snoozed: { passage: 'snooze_over', action: 'woken' },
};

/** Moves the items whose time is up: waiting ones open, lost claims are given back, snoozed ones wake. */
export async function runReviewTimers(context: SettleContext, projectId: number): Promise<number> {
  let moved = 0;
  for (const state of ['waiting', 'claimed', 'snoozed'] as const) {
    moved += await inTransaction(context.db, (tx) => moveExpired(context, tx, projectId, state));
  }
  return moved;
}

async function moveExpired(
  context: SettleContext,
  tx: Transaction,
  projectId: number,
  from: ReviewTimer,
): Promise<number> {
  const { passage, action } = TIMERS[from];
  const items = await lockExpiredItems(tx.sql, projectId, from, context.now, TIMER_BATCH);
  for (const item of items) {
    const state = passReview(item.state, passage);
    if (state === null) continue;
    const next: ReviewItem = { ...item, state, assignee: null, leaseUntil: null, snoozedUntil: null };
    await updateItem(tx.sql, projectId, next, context.now);
    await insertReviewEvents(tx.sql, projectId, [
      {
        id: timeUuid(context.now),
        itemId: item.id,
        at: context.now,
        actor: SETTLER,
        action,
        oldValue: { state: item.state, assignee: item.assignee?.name ?? null },
        newValue: { state },
        note: null,
      },
    ]);
  }
  return items.length;
}
