import { setTimeout as sleep } from 'node:timers/promises';
import {
  deleteAttempts,
  deleteFacts,
  deleteIds,
  pageAttempts,
  pageFacts,
  type PruneKey,
  type PrunePage,
} from '@/db/queries/prune-facts';
import {
  deleteLanes,
  deleteRollups,
  pageEmptyLanes,
  pagePrunedOperations,
  pageStreamFindings,
  removeOperations,
} from '@/db/queries/prune-operations';
import { deleteFindings, unlinkFindings } from '@/db/queries/finding';
import type { RetentionMark } from '@/db/queries/retention-mark';
import { stampPruned } from '@/db/queries/retention-mark';
import { awaitTurn } from '@/db/queries/settle';
import { touchOperations } from '@/db/queries/touch';
import { inTransaction, type Transaction } from '@/db/transaction';
import { describeFault } from '@/lib/platform/database-fault';
import type { SettleContext } from './settle';

/** What retention takes of one project row by row: small transactions under the project's turn, safe to stop anywhere. */

/** Rows of one transaction at most. */
const BATCH = 500;
/** Rests as long as it worked, and never less: settling wants the turn too. */
const REST_MS_MIN = 5;
const TURN_TRIES = 5;

const FACT_TYPES = [
  'attempt_started',
  'readback',
  'auth_refresh',
  'cause_fixed',
  'job_result',
  'closed',
  'webhook_delivery',
  'tally',
] as const;

/** Rows removed. */
export interface Pruned {
  attempts: number;
  facts: number;
  ids: number;
  operations: number;
  findings: number;
  rollups: number;
}

export function nothingPruned(): Pruned {
  return { attempts: 0, facts: 0, ids: 0, operations: 0, findings: 0, rollups: 0 };
}

export interface PruneContext extends SettleContext {
  /** Stops between two batches. */
  signal?: AbortSignal;
}

interface Work {
  context: PruneContext;
  projectId: number;
  pruned: Pruned;
}

/** The turn, a lock or time was not to be had: nothing was done. */
function isBusy(error: unknown): boolean {
  return describeFault(error).kind === 'busy';
}

/** One page's work under the turn. A settler may have the turn for longer than a statement waits for it. */
async function turn<K>({ context, projectId }: Work, step: (tx: Transaction) => Promise<K | null>): Promise<K | null> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTransaction(context.db, async (tx) =>
        (await awaitTurn(tx.sql, projectId)) ? await step(tx) : null,
      );
    } catch (error) {
      if (!isBusy(error) || tries >= TURN_TRIES || context.signal?.aborted === true) throw error;
    }
  }
}

/**
 * Goes through pages until the last one. Each is one transaction under the turn.
 * @param step does a page's work @returns where the next page begins, null after the last
 */
async function walk<K>(work: Work, step: (tx: Transaction, after: K | null) => Promise<K | null>): Promise<void> {
  let after: K | null = null;
  do {
    if (work.context.signal?.aborted === true) return;
    const since = performance.now();
    const from: K | null = after;
    after = await turn(work, (tx) => step(tx, from));
    if (after !== null) await sleep(Math.max(REST_MS_MIN, performance.now() - since));
  } while (after !== null);
}

async function takeAttempts({ projectId, pruned }: Work, { sql }: Transaction, page: PrunePage): Promise<void> {
  const ids = page.removable.map(({ id }) => id);
  pruned.ids += await deleteIds(sql, projectId, ids);
  pruned.attempts += await deleteAttempts(sql, projectId, page.removable);
  // Concluded first, removed the next time.
  if (page.unsettled.length > 0) await touchOperations(sql, projectId, page.unsettled);
}

async function pruneAttempts(work: Work, to: number): Promise<void> {
  await walk<PruneKey>(work, async (tx, after) => {
    const page = await pageAttempts(tx.sql, work.projectId, { from: 0, to, after, limit: BATCH });
    await takeAttempts(work, tx, page);
    return page.next;
  });
}

async function pruneFacts(work: Work, to: number): Promise<void> {
  const { projectId, pruned } = work;
  for (const type of FACT_TYPES) {
    await walk<PruneKey>(work, async ({ sql }, after) => {
      const page = await pageFacts(sql, projectId, type, { to, after, limit: BATCH });
      const ids = page.removable.map(({ id }) => id);
      pruned.ids += await deleteIds(sql, projectId, ids);
      pruned.facts += await deleteFacts(sql, projectId, ids);
      return page.next;
    });
  }
}

async function pruneConclusions(work: Work, before: number): Promise<void> {
  const { projectId, pruned } = work;
  await walk<PruneKey>(work, async ({ sql }, after) => {
    const page = await pagePrunedOperations(sql, projectId, { before, after, limit: BATCH });
    pruned.operations += await removeOperations(sql, projectId, page.removable);
    return page.next;
  });
  await walk<PruneKey>(work, async ({ sql }, after) => {
    const page = await pageStreamFindings(sql, projectId, { before, after, limit: BATCH });
    await unlinkFindings(sql, projectId, page.removable);
    await deleteFindings(sql, projectId, page.removable);
    pruned.findings += page.removable.length;
    return page.next;
  });
  if (pruned.operations === 0) return;
  await walk<string>(work, async ({ sql }, after) => {
    const page = await pageEmptyLanes(sql, projectId, after, BATCH);
    await deleteLanes(sql, projectId, page.removable);
    return page.next;
  });
}

async function pruneRollups(work: Work, before: number): Promise<void> {
  await walk<true>(work, async ({ sql }) => {
    const deleted = await deleteRollups(sql, work.projectId, before, BATCH);
    work.pruned.rollups += deleted;
    return deleted > 0 ? true : null;
  });
}

/**
 * Removes what lies behind a project's mark. Killed at any point, the next run goes on.
 * @param attemptsBefore epoch ms; attempts from then on wait for their day to be dropped whole
 * @param pruned counted as it goes, so that it is right also where this throws
 */
export async function pruneProject(
  context: PruneContext,
  projectId: number,
  mark: RetentionMark,
  attemptsBefore: number,
  pruned: Pruned,
): Promise<void> {
  const work: Work = { context, projectId, pruned };
  const { removeBefore, rollupFrom } = mark;
  if (removeBefore === null) return;
  await pruneAttempts(work, Math.min(removeBefore, attemptsBefore));
  await pruneFacts(work, removeBefore);
  await pruneConclusions(work, removeBefore);
  if (rollupFrom !== null) await pruneRollups(work, rollupFrom);
  await stampPruned(context.db.sql, projectId, context.now);
}
