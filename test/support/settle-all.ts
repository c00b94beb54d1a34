import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@/db/client';
import { runReviewTimers } from '@/lib/jobs/review-timers';
import { settleProject, type SettleOutcome } from '@/lib/jobs/settle';
import { settleStreams } from '@/lib/jobs/stream-settle';
import { createLog } from '@/lib/platform/log';

const log = createLog('silent');

/** Settles a project at `now` until nothing is left, then moves the items whose time is up. */
export async function settleAll(db: Database, projectId: number, now: number, limit = 500): Promise<SettleOutcome> {
  const total: SettleOutcome = { taken: true, settled: 0, failed: 0, more: true };
  while (total.more) {
    const outcome = await settleProject({ db, log, now }, projectId, limit);
    total.settled += outcome.settled;
    total.failed += outcome.failed;
    total.more = outcome.more || !outcome.taken;
    // A settler that was killed holds its turn until the database misses it.
    if (!outcome.taken) await sleep(20);
  }
  await settleWindows(db, projectId, now);
  await runReviewTimers({ db, log, now }, projectId);
  return total;
}

/** Computes every marked window, however long it would still have gathered. */
export async function settleWindows(db: Database, projectId: number, now: number): Promise<void> {
  const gathered = { db, log, now: now + 60_000 };
  for (let more = true; more;) more = (await settleStreams(gathered, projectId)).more;
}
