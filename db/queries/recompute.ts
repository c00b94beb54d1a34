import type postgres from 'postgres';
import type { SettingsChange } from '@/lib/core/settings-change';

/** Recomputation jobs of a project. Instants are epoch ms. */

export type RecomputeState = 'queued' | 'running' | 'done' | 'cancelled' | 'failed';

/** A window of a stream that a preview looks at; `value` is told by the operation where it is null. */
export interface PreviewWindow {
  group: string;
  digest: string;
  windowFrom: number;
  value: string | null;
  operationId: string | null;
}

/** The last row that was worked on, by its sort key (`at` is text, to the microsecond), or the windows still to do. */
export type RecomputePosition =
  | { part: 'operations' | 'tallies'; after: { at: string; id: string } | null }
  | { part: 'windows'; left: PreviewWindow[] };

export interface RecomputeJob {
  id: string;
  mode: 'preview' | 'apply';
  state: RecomputeState;
  change: SettingsChange | null;
  from: number;
  to: number;
  settingsVersion: number;
  position: RecomputePosition | null;
  done: number;
  total: number;
  /** Counts so far, the result once it is done; its shape is the mode's. */
  result: Record<string, unknown> | null;
  requestedBy: string;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  error: string | null;
}

export type NewRecomputeJob = Pick<
  RecomputeJob,
  'id' | 'mode' | 'change' | 'from' | 'to' | 'settingsVersion' | 'requestedBy' | 'createdAt'
>;

/** Finished jobs that are kept; older ones go when a new one is asked for. */
const JOBS_KEPT = 100;

function columns(sql: postgres.ISql) {
  return sql`
    id, mode, state, change, settings_version as "settingsVersion", position, done, total, result,
    requested_by as "requestedBy", error, (extract(epoch from range_from) * 1000)::float8 as "from",
    (extract(epoch from range_to) * 1000)::float8 as "to",
    (extract(epoch from created_at) * 1000)::float8 as "createdAt",
    (extract(epoch from started_at) * 1000)::float8 as "startedAt",
    (extract(epoch from finished_at) * 1000)::float8 as "finishedAt"`;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

function json(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** @returns false when another job of the project isn't finished yet */
export async function insertJob(tx: postgres.ISql, projectId: number, job: NewRecomputeJob): Promise<boolean> {
  const done = await tx`
    insert into recompute_job (project_id, id, mode, state, change, range_from, range_to, settings_version, requested_by,
                               created_at)
    values (${projectId}, ${job.id}::uuid, ${job.mode}, 'queued', ${json(job.change)}::text::jsonb,
            ${iso(job.from)}::timestamptz, ${iso(job.to)}::timestamptz, ${job.settingsVersion}, ${job.requestedBy},
            ${iso(job.createdAt)}::timestamptz)
    on conflict (project_id) where state in ('queued', 'running') do nothing`;
  if (done.count === 0) return false;
  await tx`
    delete from recompute_job where project_id = ${projectId} and finished_at is not null and id not in (
      select id from recompute_job where project_id = ${projectId} order by id desc limit ${JOBS_KEPT})`;
  return true;
}

export async function hasActiveJob(sql: postgres.ISql, projectId: number): Promise<boolean> {
  const rows = await sql`
    select 1 from recompute_job where project_id = ${projectId} and state in ('queued', 'running')`;
  return rows.length > 0;
}

export async function findActiveJob(sql: postgres.ISql, projectId: number): Promise<RecomputeJob | null> {
  const [row] = await sql<RecomputeJob[]>`
    select ${columns(sql)} from recompute_job where project_id = ${projectId} and state in ('queued', 'running')`;
  return row ?? null;
}

export async function findJob(sql: postgres.ISql, projectId: number, id: string): Promise<RecomputeJob | null> {
  const [row] = await sql<RecomputeJob[]>`
    select ${columns(sql)} from recompute_job where project_id = ${projectId} and id = ${id}::uuid`;
  return row ?? null;
}

/** Newest first. @param before id of the last job of the page before */
export async function listJobs(
  sql: postgres.ISql,
  projectId: number,
  before: string | null,
  limit: number,
): Promise<RecomputeJob[]> {
  const rows = await sql<RecomputeJob[]>`
    select ${columns(sql)} from recompute_job
    where project_id = ${projectId} and (${before}::uuid is null or id < ${before}::uuid)
    order by id desc limit ${limit}`;
  return [...rows];
}

/** The project's unfinished job, locked for one slice; null when there is none or another worker has it. */
export async function lockActiveJob(tx: postgres.ISql, projectId: number): Promise<RecomputeJob | null> {
  const [row] = await tx<RecomputeJob[]>`
    select ${columns(tx)} from recompute_job where project_id = ${projectId} and state in ('queued', 'running')
    for update skip locked`;
  return row ?? null;
}

/** Writes down how far a locked job is; `finishedAt` ends it. */
export async function saveJob(tx: postgres.ISql, projectId: number, job: RecomputeJob): Promise<void> {
  const at = (value: number | null) => (value === null ? null : iso(value));
  await tx`
    update recompute_job set state = ${job.state}, settings_version = ${job.settingsVersion},
      position = ${json(job.position)}::text::jsonb, done = ${job.done}, total = ${job.total},
      result = ${json(job.result)}::text::jsonb, started_at = ${at(job.startedAt)}::timestamptz,
      finished_at = ${at(job.finishedAt)}::timestamptz, error = ${job.error}
    where project_id = ${projectId} and id = ${job.id}::uuid`;
}

/** Waits for the slice under way, at most the lock timeout. @returns false when it was finished already */
export async function cancelJob(tx: postgres.ISql, projectId: number, id: string, now: number): Promise<boolean> {
  const done = await tx`
    update recompute_job set state = 'cancelled', finished_at = ${iso(now)}::timestamptz
    where project_id = ${projectId} and id = ${id}::uuid and state in ('queued', 'running')`;
  return done.count === 1;
}
