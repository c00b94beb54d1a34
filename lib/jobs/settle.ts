import type { Database } from '@/db/client';
import { readOperations, stopClock } from '@/db/queries/operation';
import {
  insertItem,
  insertReviewEvents,
  lockItemsOfOperations,
  updateItem,
  type ReviewItem,
} from '@/db/queries/review';
import {
  deleteTouches,
  listDueOperations,
  listTouches,
  stampTurn,
  takeTurn,
  touchOperations,
  type Touch,
} from '@/db/queries/settle';
import { readSettleProject, type SettleProject } from '@/db/queries/settle-project';
import type { Fact } from '@/lib/core/attempt';
import { inTransaction, type Transaction } from '@/db/transaction';
import { timeUuid } from '@/lib/platform/ids';
import type { Logger } from '@/lib/platform/log';
import { concludeOperation, type Concluded } from './settle-conclude';
import { carryOver } from './settle-carry';
import { readLot, type LotRule } from './settle-lot';
import { concludeRepaired } from './settle-repaired';
import { recordRejudged, rejudge, writeRejudged } from './settle-rejudge';
import { writeSettled } from './settle-write';
import { spreadFacts } from './spread-facts';
import { writePlaces } from './stream-write';

/** Touches and due operations of one transaction at most. */
const SETTLE_BATCH = 500;
/** Operations that are concluded with them at most, because they trust a key that these used. */
const JOIN_MAX = 1_000;
/** An operation that can't be settled is tried again so much later, and holds up nobody meanwhile. */
const RETRY_AFTER_MS = 60_000;

export interface SettleContext {
  db: Database;
  log: Logger;
  /** Epoch ms the conclusions are made for. */
  now: number;
}

export interface SettleOutcome {
  /** False when another settler works this project, or it is paused. */
  taken: boolean;
  settled: number;
  failed: number;
  /** The batch was full: more may wait. */
  more: boolean;
}

/**
 * One bounded batch of a project's operations: facts in, conclusions stored, touches removed, in one transaction
 * under the project's turn. Run again or killed at any point, the stored rows end the same.
 */
export async function settleProject(
  context: SettleContext,
  projectId: number,
  limit = SETTLE_BATCH,
): Promise<SettleOutcome> {
  try {
    return await inTransaction(context.db, (tx) => settleBatch(context, tx, projectId, limit));
  } catch (error) {
    if (!isDataError(error)) throw error;
    context.log.warn({ err: error, projectId }, 'settling a batch failed; settling its operations one by one');
    return await settleSingly(context, projectId, limit);
  }
}

/** PostgreSQL refused what was written (data, constraint, missing row); connection and lock trouble is not that. */
export function isDataError(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code !== 'string' || code.startsWith('22') || code.startsWith('23');
}

async function settleBatch(
  context: SettleContext,
  tx: Transaction,
  projectId: number,
  limit: number,
): Promise<SettleOutcome> {
  const project = await openTurn(tx, projectId);
  if (!project) return { taken: false, settled: 0, failed: 0, more: false };
  const spread = await spreadFacts(tx, project, context.now);
  const touches = await listTouches(tx.sql, projectId, context.now, limit);
  const due = await listDueOperations(tx.sql, projectId, context.now, limit);
  const operationIds = [...new Set([...touches.map((touch) => touch.operation_id), ...due])];
  const touched = new Set(touches.map((touch) => touch.operation_id));
  const timeOnly = new Set(due.filter((id) => !touched.has(id)));
  const { failed } = await settleOperations(context, tx, project, operationIds, { timeOnly, joinMax: JOIN_MAX });
  await closeTurn(context, tx, projectId, touches);
  return {
    taken: true,
    settled: operationIds.length - failed,
    failed,
    more: spread || touches.length === limit || due.length === limit,
  };
}

async function openTurn(tx: Transaction, projectId: number): Promise<SettleProject | null> {
  return (await takeTurn(tx.sql, projectId)) ? await readSettleProject(tx.sql, projectId) : null;
}

async function closeTurn(context: SettleContext, tx: Transaction, projectId: number, touches: Touch[]): Promise<void> {
  await deleteTouches(
    tx.sql,
    projectId,
    touches.map((touch) => touch.seq),
  );
  if (touches.length > 0) await stampTurn(tx.sql, projectId, context.now);
}

/** The same batch, an operation a transaction, so that one bad operation can't hold up the others. */
async function settleSingly(context: SettleContext, projectId: number, limit: number): Promise<SettleOutcome> {
  const { sql } = context.db;
  const touches = await listTouches(sql, projectId, context.now, limit);
  const due = await listDueOperations(sql, projectId, context.now, limit);
  const operationIds = [...new Set([...touches.map((touch) => touch.operation_id), ...due])];
  const outcome: SettleOutcome = { taken: true, settled: 0, failed: 0, more: touches.length === limit };
  for (const operationId of operationIds) {
    const own = touches.filter((touch) => touch.operation_id === operationId);
    try {
      const failed = await inTransaction(context.db, async (tx) => {
        const project = await openTurn(tx, projectId);
        if (!project) return null;
        // Nobody joins: another's bad rows would hold up this one.
        const rule = { timeOnly: new Set(own.length > 0 ? [] : [operationId]), joinMax: 0 };
        const { failed: bad } = await settleOperations(context, tx, project, [operationId], rule);
        await closeTurn(context, tx, projectId, own);
        return bad;
      });
      if (failed === null) return { ...outcome, taken: false };
      outcome.settled += 1 - failed;
      outcome.failed += failed;
    } catch (error) {
      if (!isDataError(error)) throw error;
      outcome.failed += 1;
      context.log.error({ err: error, projectId, operationId }, 'operation not settled; tried again later');
      await inTransaction(context.db, async (tx) => {
        await postpone(context, tx, projectId, operationId);
        await closeTurn(context, tx, projectId, own);
      });
    }
  }
  return outcome;
}

export async function postpone(
  context: SettleContext,
  tx: Transaction,
  projectId: number,
  operationId: string,
): Promise<void> {
  await stopClock(tx.sql, projectId, operationId);
  await touchOperations(tx.sql, projectId, [{ operationId, at: context.now + RETRY_AFTER_MS }]);
}

/** What concluding some operations did. */
export interface OperationsSettled {
  /** Operations that couldn't be concluded; they are postponed. */
  failed: number;
  /** Attempts that count under something else than before, or by another edition. */
  attemptsMoved: number;
}

const NO_NEWS: LotRule = { timeOnly: new Set(), joinMax: null };

/**
 * Concludes operations and stores it all. Call it under the project's turn.
 * @param rule which of them are no news: where they meet others doesn't depend on time; and who joins them
 */
export async function settleOperations(
  context: SettleContext,
  tx: Transaction,
  project: SettleProject,
  asked: string[],
  rule: LotRule = NO_NEWS,
): Promise<OperationsSettled> {
  if (asked.length === 0) return { failed: 0, attemptsMoved: 0 };
  const { operationIds, facts, judgements, elsewhere } = await readLot(tx.sql, project.id, asked, rule);
  const rejudged = rejudge([...facts.values()].flat(), judgements, project);
  const items = groupByOperation(await lockItemsOfOperations(tx.sql, project.id, operationIds));
  const stored = await readOperations(tx.sql, project.id, operationIds);
  const conclude = (operationId: string, shared: readonly Fact[] = []): Concluded =>
    concludeOperation({
      operationId,
      facts: facts.get(operationId) ?? [],
      shared,
      elsewhere: elsewhere(operationId),
      counted: rejudged.counted,
      items: items.get(operationId) ?? [],
      project,
      now: context.now,
      makeId: () => timeUuid(context.now),
    });
  const alone: Concluded[] = [];
  let failed = 0;
  for (const operationId of operationIds) {
    try {
      alone.push(conclude(operationId));
    } catch (error) {
      if (asked.includes(operationId)) failed += 1;
      context.log.error(
        { err: error, projectId: project.id, operationId },
        'operation not concluded; tried again later',
      );
      await postpone(context, tx, project.id, operationId);
    }
  }
  const whole = await concludeRepaired(tx.sql, project.id, alone, conclude);
  const concluded = carryOver(whole, stored, project.keptFrom);
  await recordRejudged(tx.sql, project.id, rejudged);
  await writeConcluded(context, tx, project, concluded, stored);
  const placed = concluded.filter(({ operationId }) => !rule.timeOnly.has(operationId));
  await writePlaces(tx.sql, project, placed, context.now);
  // Last, because rates are the hot rows: they stay locked only until the commit.
  await writeRejudged(tx.sql, project.id, rejudged);
  return { failed, attemptsMoved: rejudged.moved.length };
}

function groupByOperation(items: readonly ReviewItem[]): Map<string, ReviewItem[]> {
  const groups = new Map<string, ReviewItem[]>();
  for (const item of items) groups.set(item.operationId, [...(groups.get(item.operationId) ?? []), item]);
  return groups;
}

async function writeConcluded(
  context: SettleContext,
  tx: Transaction,
  project: SettleProject,
  concluded: readonly Concluded[],
  stored: Awaited<ReturnType<typeof readOperations>>,
): Promise<void> {
  const rows = concluded.map((one) => one.rows).filter((one) => one !== null);
  const gone = concluded.filter((one) => one.gone).map((one) => one.operationId);
  const ids = new Set([...rows.map((one) => one.operation.operationId), ...gone]);
  const own = <T extends { operationId: string }>(list: T[]): T[] => list.filter((row) => ids.has(row.operationId));
  const before = {
    operations: own(stored.operations),
    pairs: own(stored.pairs),
    references: own(stored.references),
  };
  await writeSettled(tx.sql, project.id, before, rows, gone, { now: context.now, rollupFrom: project.rollupFrom });
  for (const { review } of concluded) {
    if (!review) continue;
    if (review.write === 'insert') await insertItem(tx.sql, project.id, review.item, context.now);
    else if (!(await updateItem(tx.sql, project.id, review.item, context.now))) {
      throw new Error('a locked review item changed its version');
    }
    // A millisecond apart, so that the history keeps its order.
    const events = review.events.map((event, i) => ({ ...event, id: timeUuid(context.now + i), at: context.now + i }));
    await insertReviewEvents(tx.sql, project.id, events);
  }
  const bare = concluded.filter((one) => one.rows === null);
  const wakes = bare.flatMap(({ operationId, wakeAt }) => (wakeAt === null ? [] : [{ operationId, at: wakeAt }]));
  await touchOperations(tx.sql, project.id, wakes);
  // A row whose facts retention has taken stays as it was, off the clock.
  for (const { operationId } of bare) await stopClock(tx.sql, project.id, operationId);
}
