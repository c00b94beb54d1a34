import type { Timeline } from './timeline';

/** How many things one operation is known to have made: ids that were read back or reported, and jobs (M15). */

function distinct(ids: readonly string[] | undefined): number {
  return new Set(ids).size;
}

/** Jobs that writes answered with or that ended well; a failed job made nothing. */
export function countJobs({ sends, jobs }: Timeline): number {
  if (jobs.length === 0 && sends.every(({ attempt }) => attempt.jobId === undefined)) return 0;
  const failed = new Set(jobs.filter(({ result }) => result === 'failed').map(({ jobId }) => jobId));
  const made = sends.filter(({ kind, verdict }) => kind === 'write' && verdict.action === 'none');
  const ids = [...made.map(({ attempt }) => attempt.jobId), ...jobs.map(({ jobId }) => jobId)];
  return new Set(ids.filter((id) => id !== undefined && !failed.has(id))).size;
}

/** Jobs that are known to have ended well. */
export function countCompletedJobs({ jobs }: Timeline): number {
  return distinct(jobs.filter(({ result }) => result === 'completed').map(({ jobId }) => jobId));
}

/** The most that any one fact shows. */
export function countEntitiesSeen(timeline: Timeline): number {
  const lists = [...timeline.readBacks, ...timeline.closures].map(({ entityIds }) => distinct(entityIds));
  return lists.reduce((a, b) => Math.max(a, b), countJobs(timeline));
}

/** Two or more for certain: a weak criterion may have met somebody else's entities. */
export function hasProvenDuplicate(timeline: Timeline): boolean {
  if (timeline.sends.every(({ kind }) => kind === 'read')) return false;
  if (timeline.readBacks.length + timeline.closures.length === 0) return countJobs(timeline) >= 2;
  const unique = timeline.readBacks.filter(({ result, criterion }) => result === 'present' && criterion === 'unique');
  const done = timeline.closures.filter(({ result }) => result === 'done');
  return countJobs(timeline) >= 2 || [...unique, ...done].some(({ entityIds }) => distinct(entityIds) >= 2);
}
