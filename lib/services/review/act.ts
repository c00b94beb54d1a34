import { z } from 'zod';
import {
  findItem,
  insertReviewEvents,
  updateItem,
  type ReviewAction,
  type ReviewItem,
} from '../../../db/queries/review';
import { touchOperations } from '../../../db/queries/settle';
import { inTransaction, type Transaction } from '../../../db/transaction';
import { may } from '../../core/permission';
import { moveReview, REVIEW_MOVES, type ReviewState, type ReviewVerb } from '../../core/review';
import { timeUuid } from '../../platform/ids';
import { recordAudit } from '../record-audit';
import { maskSecrets } from './mask-secrets';
import type { ChangedItem, VerbContext, VerbResult } from './context';

/** Longest note, characters. */
const NOTE_LENGTH_MAX = 4_000;
export const noteSchema = z.string().trim().min(1).max(NOTE_LENGTH_MAX);
export const versionSchema = z.int().min(1);

const idSchema = z.uuid();

/** What a verb makes of the item it was let at. */
export interface Change {
  item: ReviewItem;
  action: ReviewAction;
  oldValue: Record<string, unknown> | null;
  newValue: Record<string, unknown> | null;
  note: string | null;
  /** The operation's conclusion depends on it. */
  touches?: boolean;
}

/** What else may speak against it, or the change; given the state that core moves to. */
type MakeChange = (item: ReviewItem, to: ReviewState, tx: Transaction) => Promise<VerbResult<Change>>;

/** Checks an input; every fault with its pointer. */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): VerbResult<T> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return { ok: true, value: parsed.data };
  const faults = parsed.error.issues.map((issue) => ({
    pointer: issue.path.length > 0 ? `/${issue.path.join('/')}` : '',
    detail: issue.message,
  }));
  return { ok: false, refusal: { code: 'invalid_request', faults } };
}

/**
 * The way of every verb on one item: permission, item in scope, core's table, the caller's version, then one
 * conditional write with its history and audit rows in the same transaction. Of racing callers one wins;
 * the others are refused and nothing of theirs is written.
 */
export async function actOnItem(
  ctx: VerbContext,
  verb: ReviewVerb,
  target: { id: string; version: number | null },
  makeChange: MakeChange,
): Promise<VerbResult<ChangedItem>> {
  if (!may(ctx.role, REVIEW_MOVES[verb].permission)) return { ok: false, refusal: { code: 'forbidden' } };
  if (!idSchema.safeParse(target.id).success) return { ok: false, refusal: { code: 'not_found' } };
  return inTransaction(ctx.db, async (tx): Promise<VerbResult<ChangedItem>> => {
    const item = await findItem(tx.sql, ctx.project.id, target.id);
    if (!item) return { ok: false, refusal: { code: 'not_found' } };
    const holder = holderOf(item, ctx.now);
    const moved = moveReview({ state: item.state, holder }, verb, { id: ctx.actor.id, role: ctx.role });
    if (!moved.ok) return { ok: false, refusal: refusalOf(moved.refusal, item, ctx.now) };
    if (target.version !== null && target.version !== item.version) {
      return { ok: false, refusal: { code: 'stale_version' } };
    }
    const change = await makeChange(item, moved.value, tx);
    if (!change.ok) return change;
    const written = await writeChange(ctx, tx, verb, change.value);
    return written ? { ok: true, value: { id: item.id } } : { ok: false, refusal: { code: 'stale_version' } };
  });
}

/** Who holds the item; nobody once the lease is over, whether or not the timer has come by. */
export function holderOf(item: ReviewItem, now: number): string | null {
  const live = item.state === 'claimed' && item.leaseUntil !== null && item.leaseUntil > now;
  return live ? (item.assignee?.id ?? null) : null;
}

function refusalOf(refusal: 'forbidden' | 'wrong_state' | 'held_by_other', item: ReviewItem, now: number) {
  if (refusal !== 'held_by_other') return { code: refusal } as const;
  return {
    code: refusal,
    holder: item.assignee?.name ?? '',
    remainingLeaseMs: Math.max(0, (item.leaseUntil ?? now) - now),
  } as const;
}

/** @returns false when another change came first; the transaction then holds nothing */
export async function writeChange(ctx: VerbContext, tx: Transaction, verb: string, change: Change): Promise<boolean> {
  const { item, action, oldValue, newValue, note, touches } = maskSecrets(change);
  if (!(await updateItem(tx.sql, ctx.project.id, item, ctx.now))) return false;
  const event = { id: timeUuid(ctx.now), itemId: item.id, at: ctx.now, actor: ctx.actor };
  await insertReviewEvents(tx.sql, ctx.project.id, [{ ...event, action, oldValue, newValue, note }]);
  await recordAudit(tx, ctx, {
    projectId: ctx.project.id,
    action: `review.${verb}`,
    subject: item.id,
    detail: { operationId: item.operationId, oldValue, newValue },
  });
  if (touches) await touchOperations(tx.sql, ctx.project.id, [{ operationId: item.operationId, at: null }]);
  return true;
}
