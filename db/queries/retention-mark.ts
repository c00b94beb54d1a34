import type postgres from 'postgres';

/** How far retention has come in each project, as `db/schema/retention.ts` says. Instants are epoch ms. */

export interface RetentionMark {
  keptFrom: number;
  announcedAt: number;
  removeBefore: number | null;
  rollupFrom: number | null;
  prunedAt: number | null;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

export async function readRetentionMark(sql: postgres.ISql, projectId: number): Promise<RetentionMark | null> {
  const [row] = await sql<RetentionMark[]>`
    select (extract(epoch from kept_from) * 1000)::float8 as "keptFrom",
           (extract(epoch from announced_at) * 1000)::float8 as "announcedAt",
           (extract(epoch from remove_before) * 1000)::float8 as "removeBefore",
           (extract(epoch from rollup_from) * 1000)::float8 as "rollupFrom",
           (extract(epoch from pruned_at) * 1000)::float8 as "prunedAt"
    from retention_mark where project_id = ${projectId}`;
  return row ?? null;
}

/**
 * Says from when on events are kept. What an earlier call said becomes removable once it is `afterMs` old; until then
 * nothing changes, so that calls in quick succession can't outrun the processes that have to learn of it.
 * A clock that runs ahead of the database's is not believed.
 */
export async function announceRetention(
  tx: postgres.ISql,
  projectId: number,
  news: { now: number; retentionMs: number; rollupFrom: number; afterMs: number },
): Promise<void> {
  const now = tx`least(${iso(news.now)}::timestamptz, now())`;
  const keptFrom = tx`${now} - make_interval(secs => ${news.retentionMs / 1_000}::float8)`;
  await tx`
    insert into retention_mark (project_id, kept_from, announced_at)
    select ${projectId}::int, ${keptFrom}, ${now} on conflict do nothing`;
  await tx`
    update retention_mark set remove_before = kept_from, kept_from = greatest(kept_from, ${keptFrom}),
      announced_at = ${now},
      rollup_from = greatest(rollup_from, least(${iso(news.rollupFrom)}::timestamptz, kept_from))
    where project_id = ${projectId} and announced_at <= ${now} - make_interval(secs => ${news.afterMs / 1_000}::float8)`;
}

export async function stampPruned(tx: postgres.ISql, projectId: number, now: number): Promise<void> {
  await tx`update retention_mark set pruned_at = ${iso(now)}::timestamptz where project_id = ${projectId}`;
}
