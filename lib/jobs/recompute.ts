import { lockActiveJob, saveJob, type RecomputeJob } from '@/db/queries/recompute';
import { countOperations } from '@/db/queries/recompute-range';
import { awaitTurn } from '@/db/queries/settle';
import { readSettleProject } from '@/db/queries/settle-project';
import { inTransaction, type Transaction } from '@/db/transaction';
import { applySlice, skipOperation } from './recompute-apply';
import { previewSlice } from './recompute-preview';
import type { RecomputeContext } from './recompute-slice';
import { isDataError } from './settle';

/**
 * `idle`: no job, or another worker has it; `waiting`: not now (paused, turn taken, late tallies); `worked`: go on.
 */
export type SliceOutcome = 'idle' | 'waiting' | 'worked';

/** Operations of one slice: small enough that a cancellation, or live settling, waits well under a second. */
const OPERATIONS: Readonly<Record<RecomputeJob['mode'], number>> = { apply: 100, preview: 200 };

/**
 * One bounded step of a project's recomputation, in one transaction with its progress: a worker that dies leaves the
 * job where its last commit put it, and any other goes on from there. Any number of processes may call it.
 */
export async function runRecomputeSlice(context: RecomputeContext, projectId: number): Promise<SliceOutcome> {
  try {
    return await inTransaction(context.db, (tx) => workSlice(context, tx, projectId));
  } catch (error) {
    if (isLockTimeout(error)) return 'waiting';
    if (!isOperationsOwn(error)) throw error;
    context.log.warn({ err: error, projectId }, 'a slice of a recomputation failed; its operations go one by one');
    return await workSingly(context, projectId, error);
  }
}

/** The fault of what is worked on, not of the database: its rows are refused, or it takes too long in one piece. */
function isOperationsOwn(error: unknown): boolean {
  return isDataError(error) || (error as { code?: unknown } | null)?.code === '57014';
}

function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '55P03';
}

/** @param limit operations of the slice; the mode's own when left out */
async function workSlice(
  context: RecomputeContext,
  tx: Transaction,
  projectId: number,
  limit?: number,
): Promise<SliceOutcome> {
  const job = await lockActiveJob(tx.sql, projectId);
  if (!job) return 'idle';
  if (job.mode === 'apply' && !(await awaitTurn(tx.sql, projectId))) return 'waiting';
  const project = await readSettleProject(tx.sql, projectId);
  if (!project) return 'idle';
  const started = await startJob(tx, projectId, startOver(job, project.settingsVersion), context.clock());
  const work = job.mode === 'apply' ? applySlice : previewSlice;
  const size = limit ?? context.sliceOperations ?? OPERATIONS[job.mode];
  const slice = await work(context, tx, project, started, size);
  await saveJob(tx.sql, projectId, slice.job);
  return slice.waits ? 'waiting' : 'worked';
}

/** Settings that change under a job make what it did so far half of two things. */
function startOver(job: RecomputeJob, settingsVersion: number): RecomputeJob {
  if (job.settingsVersion === settingsVersion) return job;
  return { ...job, settingsVersion, position: null, done: 0, result: null };
}

async function startJob(tx: Transaction, projectId: number, job: RecomputeJob, now: number): Promise<RecomputeJob> {
  if (job.startedAt !== null) return job;
  const total = await countOperations(tx.sql, projectId, job);
  return { ...job, state: 'running', startedAt: now, total };
}

/** The slice that failed, an operation at a time, so that one bad operation can't hold up the others. */
async function workSingly(context: RecomputeContext, projectId: number, cause: unknown): Promise<SliceOutcome> {
  for (let left = OPERATIONS.apply; left > 0; left -= 1) {
    try {
      const outcome = await inTransaction(context.db, (tx) => workSlice(context, tx, projectId, 1));
      if (outcome !== 'worked') return outcome;
    } catch (error) {
      if (!isOperationsOwn(error)) throw error;
      const skipped = await inTransaction(context.db, (tx) => skipOrFail(context, tx, projectId, error));
      if (!skipped) return 'idle';
    }
  }
  context.log.info({ err: cause, projectId }, 'the recomputation goes on');
  return 'worked';
}

/** @returns false when the job is over: a preview, or tallies, can't step over anything */
async function skipOrFail(
  context: RecomputeContext,
  tx: Transaction,
  projectId: number,
  error: unknown,
): Promise<boolean> {
  const job = await lockActiveJob(tx.sql, projectId);
  const project = await readSettleProject(tx.sql, projectId);
  if (!job || !project) return false;
  context.log.error({ err: error, projectId, jobId: job.id }, 'a part of a recomputation failed');
  if (job.mode === 'apply' && job.position?.part !== 'tallies' && job.startedAt !== null) {
    await saveJob(tx.sql, projectId, (await skipOperation(context, tx, project, job)).job);
    return true;
  }
  const now = context.clock();
  const text = 'It stopped because of a defect of ours; the log says which.';
  await saveJob(tx.sql, projectId, {
    ...job,
    state: 'failed',
    startedAt: job.startedAt ?? now,
    finishedAt: now,
    error: text,
  });
  return false;
}

/**
 * Slices of one project's job for a while, so that others have their turn in between.
 * @returns true when there is more to do at once
 */
export async function workRecompute(context: RecomputeContext, projectId: number, forMs: number): Promise<boolean> {
  const until = context.clock() + forMs;
  for (;;) {
    const outcome = await runRecomputeSlice(context, projectId);
    if (outcome !== 'worked') return false;
    if (context.clock() >= until) return true;
  }
}
