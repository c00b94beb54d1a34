import type { Database } from '@/db/client';
import { runReviewTimers } from '@/lib/jobs/review-timers';
import { settleProject, type SettleOutcome } from '@/lib/jobs/settle';
import { createLog } from '@/lib/platform/log';

const log = createLog('silent');

/** Settles a project at `now` until nothing is left, then moves the items whose time is up. */
export async function settleAll(db: Database, projectId: number, now: number, limit = 500): Promise<SettleOutcome> {
  const total: SettleOutcome = { taken: true, settled: 0, failed: 0, more: true };
  while (total.more) {
    const outcome = await settleProject({ db, log, now }, projectId, limit);
    total.settled += outcome.settled;
    total.failed += outcome.failed;
    total.more = outcome.taken && outcome.more;
  }
  await runReviewTimers({ db, log, now }, projectId);
  return total;
}
