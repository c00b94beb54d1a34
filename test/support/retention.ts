import type { Database } from '@/db/client';
import { ANNOUNCE_MS, runRetention, type RetentionOutcome } from '@/lib/jobs/retention';
import { createLog } from '@/lib/platform/log';
import type { Fact } from '@/lib/core/attempt';
import type { AuthorizedProject } from '@/lib/core/project';
import { recordFacts } from './record-facts';

const log = createLog('silent');

/** Runs retention twice, so that what the first run announces is removed by the second, at `now` epoch ms. */
export async function pruneAll(db: Database, now: number): Promise<RetentionOutcome> {
  await runRetention({ db, log, now: now - ANNOUNCE_MS });
  return await runRetention({ db, log, now });
}

/** The instant before which {@link pruneAll} removes. */
export function removedBefore(now: number, retentionMs: number): number {
  return now - ANNOUNCE_MS - retentionMs;
}

/** Facts as ingestion leaves them, the ledger included. */
export async function recordWithIds(db: Database, project: AuthorizedProject, facts: readonly Fact[]): Promise<void> {
  await recordFacts(db, project, facts);
  await db.sql`
    insert into event_ledger (project_id, id, content_hash, at)
    select project_id, id, 0, started_at from attempt where project_id = ${project.id}
    union all select project_id, id, 0, at from fact where project_id = ${project.id}
    on conflict do nothing`;
}
