import type { Database } from '@/db/client';
import { longestRetention } from '@/db/migrate';
import { makePartitions, neededPartitions } from '@/db/partitions';
import { hasActiveJob } from '@/db/queries/recompute';
import { hasWork } from '@/db/queries/settle';
import { listProjectIds } from '@/db/queries/settle-project';
import { ensureSettleTurn } from '@/db/queries/touch';
import { refreshStatistics } from '@/db/statistics';
import type { Clock } from '@/lib/platform/clock';
import type { Logger } from '@/lib/platform/log';
import { workRecompute } from './recompute';
import { runNightlyRecount } from './recount';
import { runRetention } from './retention';
import { runReviewTimers } from './review-timers';
import { settleProject } from './settle';
import { settleStreams } from './stream-settle';
import { createWake, type Wake } from './wake';

export { createWake } from './wake';

/** Longest rest between two looks at the queue. */
const POLL_MS = 500;
/** Rest after a wake-up, so that what arrives together is settled together. */
const GATHER_MS = 50;
/** Batches of one project before the next project has its turn. */
const BATCHES_MAX = 4;
/** What a recomputation has of a project's turn, before what arrives is settled again. */
const RECOMPUTE_MS = 250;
/** Often, because a project may come to keep its attempts for longer. */
const PARTITIONS_EVERY_MS = 60_000;
const RETENTION_EVERY_MS = 60_000;
/** Looks whether the night has begun. */
const RECOUNT_EVERY_MS = 600_000;
/** A start has better things to do first. */
const RECOUNT_AFTER_MS = 120_000;
/** Soon after a first import, because until then its pages are slow. */
const STATISTICS_EVERY_MS = 5_000;
const AFTER_ERROR_MS = 1_000;

export interface JobOptions {
  db: Database;
  log: Logger;
  clock: Clock;
  /** Stops the jobs: what is being settled is finished, then `runJobs` resolves. */
  signal: AbortSignal;
  /** Wakes the settler before its next poll. */
  wake?: Wake;
}

/**
 * Runs the background jobs until `signal` aborts: settling, review timers, partitions ahead, retention,
 * recounts, planner statistics. Any number of processes may run them on one database. An unreachable database is waited for; nothing here ends the process.
 */
export async function runJobs(options: JobOptions): Promise<void> {
  const wake = options.wake ?? createWake();
  await Promise.all([
    settleForever(options, wake),
    partitionForever(options),
    pruneForever(options),
    recountForever(options),
    analyseForever(options),
  ]);
}

async function settleForever(options: JobOptions, wake: Wake): Promise<void> {
  const { signal, log } = options;
  while (!signal.aborted) {
    try {
      const busy = await runRound(options);
      if (busy) continue;
      await wake.wait(POLL_MS, signal);
      if (!signal.aborted) await rest(GATHER_MS, signal);
    } catch (error) {
      log.error({ err: error }, 'settling stopped for a moment');
      await rest(AFTER_ERROR_MS, signal);
    }
  }
}

/** @returns true when some project still has work */
async function runRound(options: JobOptions): Promise<boolean> {
  let busy = false;
  for (const projectId of await listProjectIds(options.db.sql)) {
    if (options.signal.aborted) return false;
    try {
      busy = (await workProject(options, projectId)) || busy;
    } catch (error) {
      // One project's trouble is not another's; a lost database fails the next project too and ends the round.
      options.log.error({ err: error, projectId }, 'settling a project failed');
      if (!isStatementError(error)) throw error;
    }
  }
  return busy;
}

function isStatementError(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('08') && !code.startsWith('57');
}

async function workProject(options: JobOptions, projectId: number): Promise<boolean> {
  const { db, log, clock, signal } = options;
  let more = false;
  if (await hasWork(db.sql, projectId, clock())) {
    await ensureSettleTurn(db.sql, projectId);
    for (let batch = 0; batch < BATCHES_MAX && !signal.aborted; batch += 1) {
      const outcome = await settleProject({ db, log, now: clock() }, projectId);
      more = outcome.taken && outcome.more;
      if (!more) break;
    }
    const streams = await settleStreams({ db, log, now: clock() }, projectId);
    more = more || streams.more;
  }
  await runReviewTimers({ db, log, now: clock() }, projectId);
  const recomputes = !signal.aborted && (await hasActiveJob(db.sql, projectId));
  return (recomputes && (await workRecompute({ db, log, clock }, projectId, RECOMPUTE_MS))) || more;
}

async function partitionForever(options: JobOptions): Promise<void> {
  const { db, log, clock, signal } = options;
  while (!signal.aborted) {
    try {
      const made = await makePartitions(db.sql, neededPartitions(clock(), await longestRetention(db.sql)));
      if (made.length > 0) log.info({ made }, 'made partitions ahead');
      await rest(PARTITIONS_EVERY_MS, signal);
    } catch (error) {
      log.error({ err: error }, 'making partitions failed; tried again in a minute');
      await rest(60_000, signal);
    }
  }
}

async function pruneForever(options: JobOptions): Promise<void> {
  const { db, log, clock, signal } = options;
  while (!signal.aborted) {
    try {
      const { days, projects } = await runRetention({ db, log, now: clock(), signal });
      if (days.length > 0) log.info({ days }, 'dropped days that no project keeps');
      for (const { projectId, pruned } of projects) {
        if (Object.values(pruned).some((rows) => rows > 0))
          log.info({ projectId, ...pruned }, 'retention removed rows');
      }
    } catch (error) {
      log.error({ err: error }, 'retention stopped; tried again in a minute');
    }
    await rest(RETENTION_EVERY_MS, signal);
  }
}

async function recountForever(options: JobOptions): Promise<void> {
  const { db, log, clock, signal } = options;
  await rest(RECOUNT_AFTER_MS, signal);
  while (!signal.aborted) {
    try {
      await runNightlyRecount({ db, log, now: clock(), signal });
    } catch (error) {
      log.error({ err: error }, 'a recount stopped; tried again later');
    }
    await rest(RECOUNT_EVERY_MS, signal);
  }
}

async function analyseForever(options: JobOptions): Promise<void> {
  const { db, log, signal } = options;
  while (!signal.aborted) {
    try {
      const analysed = await refreshStatistics(db.sql);
      if (analysed.length > 0) log.info({ analysed }, 'planner statistics refreshed');
      await rest(STATISTICS_EVERY_MS, signal);
    } catch (error) {
      log.error({ err: error }, 'refreshing planner statistics failed; tried again in a minute');
      await rest(60_000, signal);
    }
  }
}

function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
