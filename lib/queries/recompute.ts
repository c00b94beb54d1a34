import { findJob, listJobs, type RecomputeJob } from '../../db/queries/recompute';
import { cutPage, decodeCursor } from './cursor';
import { QueryInputError } from './range';
import type { Page, QueryContext, RecomputeJobView, RecomputeResultView, WhatIfResultView } from './views';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Previews and recomputations of the project, newest first. */
export async function listRecomputeJobs(
  ctx: QueryContext,
  { cursor, limit }: { cursor?: string; limit: number },
): Promise<Page<RecomputeJobView>> {
  const [before = null] = cursor === undefined ? [] : (decodeCursor(cursor, ['string']) as string[]);
  if (before !== null && !UUID.test(before)) throw new QueryInputError('cursor', 'The cursor is not one of this list.');
  const jobs = await listJobs(ctx.db.sql, ctx.project.id, before, limit + 1);
  const { rows, nextCursor } = cutPage(jobs, limit, (job) => [job.id]);
  return { items: rows.map(viewRecomputeJob), nextCursor };
}

export async function getRecomputeJob(ctx: QueryContext, id: string): Promise<RecomputeJobView | null> {
  const job = UUID.test(id) ? await findJob(ctx.db.sql, ctx.project.id, id) : null;
  return job && viewRecomputeJob(job);
}

/** Counts of a job that is still going are not shown: a preview's are no result before its end. */
function viewRecomputeJob(job: RecomputeJob): RecomputeJobView {
  const { position: _position, settingsVersion: _version, change, result, ...shared } = job;
  const ended = job.finishedAt !== null;
  if (job.mode === 'apply') {
    return { ...shared, mode: 'apply', change: null, result: ended ? (result as RecomputeResultView | null) : null };
  }
  const whole = job.state === 'done' ? (result as WhatIfResultView | null) : null;
  return { ...shared, mode: 'preview', change: change ?? {}, result: whole };
}
