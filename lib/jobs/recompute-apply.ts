import { recordDimensions } from '@/db/queries/dimension';
import { updateTallies } from '@/db/queries/rejudge';
import type { RecomputeJob, RecomputePosition } from '@/db/queries/recompute';
import { pageOperations, pageTallies, type WalkedTally } from '@/db/queries/recompute-range';
import type { SettleProject } from '@/db/queries/settle-project';
import type { Transaction } from '@/db/transaction';
import { judgeTally, type PreparedDimension } from '@/lib/ingest/judge-attempt';
import type { RateCount } from '@/lib/ingest/rate-increments';
import { postpone, settleOperations } from './settle';
import { moveCounts } from './settle-rejudge';
import type { RecomputeContext, Slice } from './recompute-slice';

/** Tallies of one slice. */
const TALLIES = 1_000;
/**
 * So long after a change of settings ingestion may still judge by the old ones: a key's project is remembered for 10 s,
 * then the request is read and waits for its commit. Settling mends attempts by itself; tallies it never looks at.
 */
export const INGEST_LAG_MS = 30_000;

interface Counts {
  operations: number;
  attemptsMoved: number;
  talliesMoved: number;
  failed: number;
}

function countsOf(job: RecomputeJob): Counts {
  return { operations: 0, attemptsMoved: 0, talliesMoved: 0, failed: 0, ...(job.result as Partial<Counts> | null) };
}

type Walk = Exclude<RecomputePosition, { part: 'windows' }>;

function walkOf({ position }: RecomputeJob): Walk {
  return position && position.part !== 'windows' ? position : { part: 'operations', after: null };
}

/** Concludes the next operations again, or the next tallies, under the project's turn. */
export async function applySlice(
  context: RecomputeContext,
  tx: Transaction,
  project: SettleProject,
  job: RecomputeJob,
  limit: number,
): Promise<Slice> {
  const position = walkOf(job);
  return position.part === 'operations'
    ? await applyOperations(context, tx, project, { ...job, position }, limit)
    : await applyTallies(context, tx, project, { ...job, position });
}

type Positioned = RecomputeJob & { position: Walk };

async function applyOperations(
  context: RecomputeContext,
  tx: Transaction,
  project: SettleProject,
  job: Positioned,
  limit: number,
): Promise<Slice> {
  const { db, log, clock } = context;
  const rows = await pageOperations(tx.sql, project.id, job, job.position.after, limit);
  const settle = { db, log, now: clock() };
  const ids = rows.map((row) => row.id);
  const { failed, attemptsMoved } = await settleOperations(settle, tx, project, ids);
  const counts = countsOf(job);
  counts.operations += rows.length - failed;
  counts.failed += failed;
  counts.attemptsMoved += attemptsMoved;
  const after = rows.at(-1) ?? job.position.after;
  const position: Walk = rows.length < limit ? { part: 'tallies', after: null } : { part: 'operations', after };
  return { job: { ...job, position, done: job.done + rows.length, result: { ...counts } }, waits: false };
}

/** Steps over one operation whose rows the database refuses; settling tries it again later. */
export async function skipOperation(
  context: RecomputeContext,
  tx: Transaction,
  project: SettleProject,
  job: RecomputeJob,
): Promise<Slice> {
  const position = walkOf(job);
  const [row] = await pageOperations(tx.sql, project.id, job, position.after, 1);
  if (!row || position.part !== 'operations') return { job, waits: false };
  const { db, log, clock } = context;
  await postpone({ db, log, now: clock() }, tx, project.id, row.id);
  const counts = countsOf(job);
  counts.failed += 1;
  const next = { ...job, position: { ...position, after: row }, done: job.done + 1, result: { ...counts } };
  return { job: next, waits: false };
}

async function applyTallies(
  context: RecomputeContext,
  tx: Transaction,
  project: SettleProject,
  job: Positioned,
): Promise<Slice> {
  const rows = await pageTallies(tx.sql, project.id, job, job.position.after, TALLIES);
  const now = context.clock();
  const lagsUntil = (project.settingsChangedAt ?? 0) + (context.ingestLagMs ?? INGEST_LAG_MS);
  if (rows.length > 0 && job.position.after === null && now < lagsUntil) return { job, waits: true };
  const counts = countsOf(job);
  counts.talliesMoved += await moveTallies(tx, project, rows);
  const last = rows.at(-1);
  const next = { ...job, result: { ...counts } };
  if (rows.length < TALLIES || !last) return { job: { ...next, state: 'done', finishedAt: now }, waits: false };
  return { job: { ...next, position: { part: 'tallies', after: { at: last.at, id: last.id } } }, waits: false };
}

/** @returns how many count under another dimension than before */
async function moveTallies(tx: Transaction, project: SettleProject, rows: readonly WalkedTally[]): Promise<number> {
  const moved: { id: string; dimensionId: bigint }[] = [];
  const dimensions = new Map<bigint, PreparedDimension>();
  const counts: Omit<RateCount, 'narrowId'>[] = [];
  for (const { id, minute, dimensionId, successes, event } of rows) {
    const made = judgeTally(event, project);
    const stored = BigInt(dimensionId);
    if (made.id === stored) continue;
    moved.push({ id, dimensionId: made.id });
    dimensions.set(made.id, made);
    counts.push({ at: minute, dimensionId: stored, attempts: 0, tallied: -successes });
    counts.push({ at: minute, dimensionId: made.id, attempts: 0, tallied: successes });
  }
  if (moved.length === 0) return 0;
  const named = [...dimensions.values()].map(({ id, dimension }) => ({ id, ...dimension }));
  await recordDimensions(tx.sql, project.id, named);
  await updateTallies(tx.sql, project.id, moved);
  await moveCounts(tx.sql, project.id, counts);
  return moved.length;
}
