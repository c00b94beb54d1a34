import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import { dropDay, listDaysBefore } from '@/db/partitions';
import { countPrunable, hasMarkedAttempts, hasNeededAttempts, pageDay, type Day } from '@/db/queries/prune-day';
import { deleteIds, type PruneKey } from '@/db/queries/prune-facts';
import { announceRetention, readRetentionMark, type RetentionMark } from '@/db/queries/retention-mark';
import { listProjectIds, readSettleProject } from '@/db/queries/settle-project';
import { ensureSettleTurn } from '@/db/queries/touch';
import { inTransaction } from '@/db/transaction';
import { describeFault } from '@/lib/platform/database-fault';
import { nothingPruned, pruneProject, type Pruned, type PruneContext } from './prune';

/** Removes what is older than each project keeps it, and whole days once no project keeps them. */

const DAY_MS = 86_400_000;
/** Every process knows of a change by then, and what it had begun before has ended (key cache, deadline, flight). */
export const ANNOUNCE_MS = 30_000;
/** Rollups live longer than what they count, and are dropped by whole UTC days. */
const ROLLUP_DAYS = 400;
/** So close to the oldest day that is kept, attempts wait for their day to be dropped instead of going one by one. */
const WAITS_FOR_DAY_MS = 3 * DAY_MS;
const IDS_BATCH = 2_000;
const SLOW_MS = 60_000;

export interface ProjectPruned {
  projectId: number;
  mark: RetentionMark;
  pruned: Pruned;
}

export interface RetentionOutcome {
  projects: ProjectPruned[];
  /** Days dropped, as `YYYY-MM-DD`. */
  days: string[];
  /** Days that had their time but hold attempts that are still needed, or couldn't be locked. */
  keptDays: string[];
}

function dayName(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

async function announce(context: PruneContext, projectId: number): Promise<RetentionMark | null> {
  const { db, now } = context;
  const project = await readSettleProject(db.sql, projectId);
  if (!project) return null;
  const rollupFrom = Math.floor((now - ROLLUP_DAYS * DAY_MS) / DAY_MS) * DAY_MS;
  const { retentionMs } = project.settings;
  await inTransaction(db, async (tx) => {
    await announceRetention(tx.sql, projectId, { now, retentionMs, rollupFrom, afterMs: ANNOUNCE_MS });
  });
  return await readRetentionMark(db.sql, projectId);
}

/** Start of the oldest day that is kept for all projects, a day back as partitions are made; null before everybody said. */
function oldestDay(marks: ReadonlyMap<number, RetentionMark>): number | null {
  const instants = [...marks.values()].map(({ removeBefore }) => removeBefore);
  const known = instants.filter((at) => at !== null);
  if (known.length === 0 || known.length < instants.length) return null;
  return Math.floor(Math.min(...known) / DAY_MS) * DAY_MS - DAY_MS;
}

/** Ids of a day's attempts leave the ledger: their events are refused by their time. */
async function forgetIds(context: PruneContext, projectId: number, day: Day): Promise<number> {
  let forgotten = 0;
  let after: PruneKey | null = null;
  do {
    if (context.signal?.aborted === true) return forgotten;
    const keys: PruneKey[] = await pageDay(context.db.sql, projectId, day, after, IDS_BATCH);
    const ids = keys.map(({ id }) => id);
    forgotten += await inTransaction(context.db, (tx) => deleteIds(tx.sql, projectId, ids));
    after = keys.length === IDS_BATCH ? (keys.at(-1) ?? null) : null;
    if (after) await sleep(5);
  } while (after);
  return forgotten;
}

async function isNeeded(context: PruneContext, projectId: number, day: Day): Promise<boolean> {
  return await inTransaction(context.db, async ({ sql }) => {
    await sql`select set_config('statement_timeout', ${`${SLOW_MS}ms`}, true)`;
    return (await hasMarkedAttempts(sql, projectId, day)) || (await hasNeededAttempts(sql, projectId, day));
  });
}

/**
 * Asked once nobody can write to the day any more. What came or was marked since the long look is marked still: settling
 * needs the turn of nobody to see it. A project made since may keep the day, and nobody has looked at what it holds.
 * @param projectIds those that were looked at
 */
export async function isNeededStill(tx: postgres.ISql, projectIds: readonly number[], day: Day): Promise<boolean> {
  const known = new Set(projectIds);
  if ((await listProjectIds(tx)).some((projectId) => !known.has(projectId))) return true;
  for (const projectId of projectIds) if (await hasMarkedAttempts(tx, projectId, day)) return true;
  return false;
}

/** @returns whether the day is gone, and how many ids left the ledger */
async function takeDay(
  context: PruneContext,
  projectIds: readonly number[],
  day: Day,
): Promise<{ dropped: boolean; ids: Map<number, number> }> {
  const ids = new Map<number, number>();
  for (const projectId of projectIds) if (await isNeeded(context, projectId, day)) return { dropped: false, ids };
  for (const projectId of projectIds) ids.set(projectId, await forgetIds(context, projectId, day));
  if (context.signal?.aborted === true) return { dropped: false, ids };
  try {
    const dropped = await dropDay(context.db.sql, day.from, (tx) => isNeededStill(tx, projectIds, day));
    return { dropped, ids };
  } catch (error) {
    const { kind, sqlState } = describeFault(error);
    if (kind === 'defect' || kind === 'data') throw error;
    context.log.info({ sqlState, day: dayName(day.from) }, 'a day was not dropped; tried again later');
    return { dropped: false, ids };
  }
}

/**
 * One run over all projects, or over one: says what is kept, drops days, removes rows. Any number of processes may run
 * it at once, and any may be killed at any point.
 * @param only a project; days are dropped for all projects or not at all
 */
export async function runRetention(context: PruneContext, only?: number): Promise<RetentionOutcome> {
  const projectIds = await listProjectIds(context.db.sql);
  const marks = new Map<number, RetentionMark>();
  for (const projectId of projectIds) {
    await ensureSettleTurn(context.db.sql, projectId);
    const mark = await announce(context, projectId);
    if (mark) marks.set(projectId, mark);
  }
  const oldest = oldestDay(marks);
  const outcome: RetentionOutcome = { projects: [], days: [], keptDays: [] };
  const forgotten = new Map<number, number>();
  const days = oldest === null ? [] : await listDaysBefore(context.db.sql, oldest);
  for (const day of days) {
    if (context.signal?.aborted === true) break;
    const { dropped, ids } = await takeDay(context, projectIds, day);
    (dropped ? outcome.days : outcome.keptDays).push(dayName(day.from));
    for (const [projectId, n] of ids) forgotten.set(projectId, (forgotten.get(projectId) ?? 0) + n);
  }
  for (const [projectId, mark] of marks) {
    if (context.signal?.aborted === true) break;
    if (only !== undefined && projectId !== only) continue;
    const pruned = await pruneAlone(context, projectId, mark, attemptsBefore(mark, oldest));
    pruned.ids += forgotten.get(projectId) ?? 0;
    outcome.projects.push({ projectId, mark, pruned });
  }
  return outcome;
}

/** One project's trouble is not another's; a lost database ends the run. */
async function pruneAlone(context: PruneContext, projectId: number, mark: RetentionMark, to: number): Promise<Pruned> {
  const pruned = nothingPruned();
  try {
    await pruneProject(context, projectId, mark, to, pruned);
  } catch (error) {
    const { kind, sqlState } = describeFault(error);
    if (kind === 'away' || kind === 'storage') throw error;
    if (kind === 'busy') context.log.info({ projectId, sqlState }, 'retention goes on with this project later');
    else context.log.error({ err: error, projectId }, 'retention of a project stopped; tried again later');
  }
  return pruned;
}

/** Attempts of a project that keeps them as long as any other go with their day; only leftovers of kept days go alone. */
function attemptsBefore({ removeBefore }: RetentionMark, oldest: number | null): number {
  if (removeBefore === null || oldest === null) return oldest === null ? 0 : oldest;
  return removeBefore - oldest < WAITS_FOR_DAY_MS ? oldest : removeBefore;
}

export interface Prunable {
  attempts: number;
  facts: number;
  operations: number;
  findings: number;
  /** Epoch ms: what is older may go. */
  before: number;
}

/** What a run would remove of a project once its announcement is old enough; counts, and changes nothing. */
export async function previewRetention(context: PruneContext, projectId: number): Promise<Prunable | null> {
  const project = await readSettleProject(context.db.sql, projectId);
  if (!project) return null;
  const mark = await readRetentionMark(context.db.sql, projectId);
  const before = Math.max(context.now - project.settings.retentionMs, mark?.keptFrom ?? 0);
  const counts = await inTransaction(context.db, async ({ sql }) => {
    await sql`select set_config('statement_timeout', ${`${SLOW_MS}ms`}, true)`;
    return await countPrunable(sql, projectId, before);
  });
  return { ...counts, before };
}
