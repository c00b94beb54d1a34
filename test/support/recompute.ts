import type { Database } from '@/db/client';
import type { Role } from '@/lib/core/permission';
import { runRecomputeSlice } from '@/lib/jobs/recompute';
import type { RecomputeContext } from '@/lib/jobs/recompute-slice';
import { createLog } from '@/lib/platform/log';
import type { ProjectContext } from '@/lib/services/project/change-settings';
import type { TestProject } from './project';

const log = createLog('silent');

/** Somebody of the project at an instant, fit for its verbs and read models. */
export function actingIn(db: Database, home: TestProject, now: number, role: Role = 'lead'): ProjectContext {
  return { db, project: home.project, actor: { type: 'user', id: 'u-1', name: 'Lea' }, role, now, requestId: 'r-1' };
}

/** Works the project's job at `now` until none is left, or for so many slices. @returns slices worked */
export async function workJob(
  db: Database,
  home: TestProject,
  now: number,
  { slices = Infinity, ...knobs }: Partial<RecomputeContext> & { slices?: number } = {},
): Promise<number> {
  for (let worked = 0; ; worked += 1) {
    if (worked >= slices) return worked;
    const context = { db, log, clock: () => now, ingestLagMs: 0, ...knobs };
    const outcome = await runRecomputeSlice(context, home.project.id);
    if (outcome === 'waiting') throw new Error('the job waits for something');
    if (outcome === 'idle') return worked;
  }
}
