import type { Database } from '@/db/client';
import {
  claimRecount,
  compareRollup,
  countHours,
  findCountedSpan,
  RECOUNTED,
  storeRecount,
  type Drift,
  type Span,
} from '@/db/queries/recount';
import { readRetentionMark } from '@/db/queries/retention-mark';
import { listProjectIds } from '@/db/queries/settle-project';
import { inTransaction } from '@/db/transaction';
import type { Logger } from '@/lib/platform/log';

/** Counts again what rollups say. They are kept exact, so every difference is a defect of ours. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Attempts of one statement, as far as whole hours allow. */
const SLICE_ATTEMPTS = 200_000;
const SLICE_HOURS = 24;
const SLICE_TIMEOUT_MS = 120_000;
const EXAMPLES_MAX = 20;
/** The hour of the night in UTC. */
const NIGHT_HOUR = 2;
/** A worker that says nothing for so long is gone. */
const GIVEN_UP_MS = 3 * HOUR_MS;

export interface RecountContext {
  db: Database;
  log: Logger;
  /** Epoch ms. */
  now: number;
  /** Stops between two slices. */
  signal?: AbortSignal;
}

export interface RecountResult {
  /** Half-open, whole hours in UTC. */
  span: Span;
  slices: number;
  /** Rows that differ. */
  drift: number;
  /** The first of them. */
  examples: Drift[];
}

function floorHour(at: number): number {
  return Math.floor(at / HOUR_MS) * HOUR_MS;
}

function ceilHour(at: number): number {
  return Math.ceil(at / HOUR_MS) * HOUR_MS;
}

/** Start of the first hour whose rows are all there: what retention has removed can't be counted. */
async function firstWhole(db: Database, projectId: number): Promise<number> {
  const mark = await readRetentionMark(db.sql, projectId);
  return ceilHour(Math.max(mark?.removeBefore ?? 0, mark?.rollupFrom ?? 0));
}

async function findSpan(db: Database, projectId: number, asked: Partial<Span>): Promise<Span> {
  const all = await findCountedSpan(db.sql, projectId);
  if (!all) return { from: 0, to: 0 };
  const from = Math.max(floorHour(Math.max(all.from, asked.from ?? 0)), await firstWhole(db, projectId));
  const to = floorHour(all.to) + HOUR_MS;
  return { from, to: Math.max(from, asked.to === undefined ? to : Math.min(to, ceilHour(asked.to))) };
}

/** Whole hours, so many at once as hold a bounded number of attempts. */
export function sliceSpan({ from, to }: Span, hours: ReadonlyMap<number, number>): Span[] {
  const slices: Span[] = [];
  let start = from;
  let attempts = 0;
  for (let at = from; at < to; at += HOUR_MS) {
    const more = hours.get(at) ?? 0;
    const full = at > start && (attempts + more > SLICE_ATTEMPTS || at - start >= SLICE_HOURS * HOUR_MS);
    if (full) {
      slices.push({ from: start, to: at });
      start = at;
      attempts = 0;
    }
    attempts += more;
  }
  if (start < to) slices.push({ from: start, to });
  return slices;
}

async function compareSlice(
  db: Database,
  projectId: number,
  slice: Span,
): Promise<Pick<RecountResult, 'drift' | 'examples'>> {
  const found = { drift: 0, examples: [] as Drift[] };
  for (const table of RECOUNTED) {
    const { rows, examples } = await inTransaction(db, async ({ sql }) => {
      await sql`set transaction read only`;
      await sql`select set_config('statement_timeout', ${`${SLICE_TIMEOUT_MS}ms`}, true)`;
      return await compareRollup(sql, table, projectId, slice, EXAMPLES_MAX);
    });
    found.drift += rows;
    found.examples.push(...examples);
  }
  // Retention may have begun to remove while this was counted.
  return (await firstWhole(db, projectId)) > slice.from ? { drift: 0, examples: [] } : found;
}

/**
 * Compares every grain of a project's three rollups with a count over its attempts, tallies, operations and pairs, slice
 * by slice, and changes none of them. Hours that retention has begun to remove are left out.
 * @param asked epoch ms; widened to whole hours
 * @returns null when it was stopped
 */
export async function recountProject(
  context: RecountContext,
  projectId: number,
  asked: Partial<Span> = {},
  onSlice: (done: number, total: number) => void = () => undefined,
): Promise<RecountResult | null> {
  const { db, signal } = context;
  const span = await findSpan(db, projectId, asked);
  const slices = sliceSpan(span, await countHours(db.sql, projectId, span));
  const result: RecountResult = { span, slices: slices.length, drift: 0, examples: [] };
  for (const [done, slice] of slices.entries()) {
    if (signal?.aborted === true) return null;
    onSlice(done, slices.length);
    const { drift, examples } = await compareSlice(db, projectId, slice);
    result.drift += drift;
    result.examples = [...result.examples, ...examples].slice(0, EXAMPLES_MAX);
  }
  const whole = asked.from === undefined && asked.to === undefined;
  // A part says nothing of the rest, but a drift found in it is one.
  if (whole || result.drift > 0) await storeRecount(db.sql, projectId, { now: context.now, ...result });
  return result;
}

/** Last time that the night began, epoch ms. */
function lastNight(now: number): number {
  return Math.floor((now - NIGHT_HOUR * HOUR_MS) / DAY_MS) * DAY_MS + NIGHT_HOUR * HOUR_MS;
}

/**
 * Recounts every project that wasn't since the night began. Any number of processes may call it: each project is one's.
 * @returns projects that were recounted
 */
export async function runNightlyRecount(context: RecountContext): Promise<number> {
  const { db, log, now, signal } = context;
  let recounted = 0;
  for (const projectId of await listProjectIds(db.sql)) {
    if (signal?.aborted === true) break;
    const due = { now, finishedBefore: lastNight(now), startedBefore: now - GIVEN_UP_MS };
    if (!(await claimRecount(db.sql, projectId, due))) continue;
    const result = await recountProject(context, projectId);
    if (!result) break;
    recounted += 1;
    const { drift, examples, slices } = result;
    if (drift > 0) log.error({ projectId, drift, examples: examples.slice(0, 3) }, 'rollups differ from a recount');
    else log.info({ projectId, slices }, 'rollups equal a recount');
  }
  return recounted;
}
