import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@/db/client';
import { findJob, type RecomputeJob } from '@/db/queries/recompute';
import { findHorizon } from '@/db/queries/recompute-range';
import { runRecomputeSlice } from '@/lib/jobs/recompute';
import type { RecomputeContext } from '@/lib/jobs/recompute-slice';
import { settleStreams } from '@/lib/jobs/stream-settle';
import { systemClock } from '@/lib/platform/clock';
import { createLog } from '@/lib/platform/log';
import { getRecomputeJob } from '@/lib/queries/recompute';
import type { RecomputeJobView } from '@/lib/queries/views';
import type { ProjectContext } from '@/lib/services/project/change-settings';
import { cancelRecompute } from '@/lib/services/recompute/cancel';
import { startRecompute } from '@/lib/services/recompute/start';
import { CommandFailure, EXIT } from './command-failure';
import { commandContext, findProject } from './manage-commands';
import type { Progress, Terminal } from './terminal';
import { withDatabase } from './with-database';

export interface RecomputeOptions {
  project: string;
  /** Epoch ms. */
  from?: number;
  to?: number;
}

const LOOK_EVERY_MS = 200;

/**
 * Concludes a project's stored operations again and works the job itself, beside any worker that is running. Ctrl-C
 * cancels it between two slices. A job that was left unfinished, by a killed command or worker, is gone on with.
 */
export async function recomputeCommand(terminal: Terminal, options: RecomputeOptions): Promise<void> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    await withDatabase((db) => recompute(db, terminal, options, stopping.signal), { signals: 'left to the command' });
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

async function recompute(
  db: Database,
  terminal: Terminal,
  options: RecomputeOptions,
  signal: AbortSignal,
): Promise<void> {
  const { project } = await findProject(db, options.project);
  const ctx: ProjectContext = { db, project, ...commandContext() };
  const id = await startOrJoin(ctx, terminal, options);
  const progress = terminal.progress(1, 'operations');
  try {
    await follow(ctx, id, progress, signal);
  } finally {
    progress.stop();
  }
  const job = await getRecomputeJob(ctx, id);
  if (job?.mode === 'apply') report(terminal, project.slug, job);
}

async function startOrJoin(ctx: ProjectContext, terminal: Terminal, { from, to }: RecomputeOptions): Promise<string> {
  const started = await startRecompute(ctx, {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  });
  if (started.ok) return started.value.id;
  const { refusal } = started;
  if (refusal.code === 'invalid_request') {
    throw new CommandFailure('invalid_request', refusal.faults.map((fault) => fault.detail).join(' '));
  }
  if (refusal.code !== 'already_running') throw new CommandFailure(refusal.code, 'This may not be done here.');
  const active = refusal.job;
  if (active && (await covers(ctx, active, { from, to }))) {
    terminal.note('A recomputation of this project is not finished: going on with it.');
    return active.id;
  }
  const text = 'Another recomputation or preview of this project is not finished: wait for it, or cancel it.';
  throw new CommandFailure('already_running', text, EXIT.again);
}

async function covers(
  ctx: ProjectContext,
  active: RecomputeJob,
  wanted: { from?: number; to?: number },
): Promise<boolean> {
  const from = Math.max(wanted.from ?? 0, await findHorizon(ctx.db.sql, ctx.project.id));
  // What began after the job was asked for is settled by the rules of now anyway.
  return active.mode === 'apply' && active.from <= from && active.to >= (wanted.to ?? active.createdAt);
}

/** Works and watches until the job is over. */
async function follow(ctx: ProjectContext, id: string, progress: Progress, signal: AbortSignal): Promise<void> {
  const context: RecomputeContext = { db: ctx.db, log: createLog('warn', { part: 'command' }), clock: systemClock };
  for (;;) {
    if (signal.aborted) await cancelRecompute({ ...ctx, now: systemClock() }, id);
    const outcome = signal.aborted ? 'idle' : await runRecomputeSlice(context, ctx.project.id);
    const job = await findJob(ctx.db.sql, ctx.project.id, id);
    if (!job || job.finishedAt !== null) {
      progress.update(job?.done ?? 0, job?.total);
      return await settleWindows(context, ctx.project.id, signal);
    }
    progress.update(job.done, Math.max(1, job.total));
    if (outcome !== 'worked') await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Marked windows wait for a moment, so that what arrives together is looked at once; here everything has arrived. */
const WINDOWS_DUE_MS = 10_000;

/** Checks across the operations that were concluded again: without a worker nobody else would run them. */
async function settleWindows({ db, log }: RecomputeContext, projectId: number, signal: AbortSignal): Promise<void> {
  for (let more = true; more && !signal.aborted;) {
    ({ more } = await settleStreams({ db, log, now: systemClock() + WINDOWS_DUE_MS }, projectId));
  }
}

type ApplyJob = Extract<RecomputeJobView, { mode: 'apply' }>;

function report(terminal: Terminal, slug: string, { id, state, done, total, from, to, error, result }: ApplyJob): void {
  const moved = `${result?.attemptsMoved ?? 0} attempts and ${result?.talliesMoved ?? 0} tallies count otherwise`;
  const text =
    state === 'cancelled'
      ? `${slug}: cancelled after ${done} of ${total} operations; run it again for the rest`
      : `${slug}: ${done} operations concluded again, ${moved}`;
  const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  terminal.result({ project: slug, id, state, done, total, ...range, error, result }, text);
  if (state === 'failed') throw new CommandFailure('recompute_failed', error ?? 'It failed.');
  if (state === 'cancelled') throw new CommandFailure('cancelled', 'Cancelled.', EXIT.cancelled);
}
