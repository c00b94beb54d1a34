import { performance } from 'node:perf_hooks';
import type { Database } from '@/db/client';
import { makePartitions } from '@/db/partitions';
import type { AuthorizedProject } from '@/lib/core/project';
import { chooseStep } from '@/lib/present/range';
import { listFilterChoices } from '@/lib/queries/choices';
import { prepareCodes } from '@/lib/queries/codes';
import {
  countOpenReviews,
  getSettling,
  hasEverReceived,
  viewCompliance,
  viewSeries,
  viewServices,
  viewTotals,
} from '@/lib/queries/overview';
import { preparePeriods, readCompliancePeriods, readOperationPeriods } from '@/lib/queries/periods';
import { readRatePeriods } from '@/lib/queries/rate-periods';
import { getPulse } from '@/lib/queries/pulse';
import { getReviewSummary } from '@/lib/queries/review';
import type { QueryContext, Range } from '@/lib/queries/views';
import { createTestProject } from '../support/project';

/** Overview's data over a project with many attempts against one with few: same fortnight, services and codes. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 14;
/** Operations have 1.25 attempts in the mean. */
const ATTEMPTS_PER_OPERATION = 1.25;

export interface OverviewBench {
  smallAttempts: number;
  largeAttempts: number;
  /** By the kind of range asked for. */
  times: Record<RangeKind, { smallMs: number; largeMs: number; ratio: number }>;
}

/** `week`: seven days in steps of an hour; `day`: the page's own first view, 24 hours in steps of 15 minutes. */
export type RangeKind = 'week' | 'day';
const RANGE_KINDS: readonly RangeKind[] = ['week', 'day'];

/**
 * @param db a migrated database that may be filled
 * @param rounds requests of each project, taken in turn, every one of another range and none from a cache of ours
 */
export async function benchOverview(
  db: Database,
  { smallAttempts = 10_000, largeAttempts = 1_000_000, rounds = 40 } = {},
): Promise<OverviewBench> {
  const to = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  await makePartitions(db.sql, { from: to - DAYS * DAY_MS, to });
  const small = await fillProject(db, smallAttempts, to);
  const large = await fillProject(db, largeAttempts, to);
  await withPatience(db, ['vacuum analyze']);
  const times = {} as OverviewBench['times'];
  for (const kind of RANGE_KINDS) times[kind] = await measure(db, { small, large, to, rounds, kind });
  return { smallAttempts, largeAttempts, times };
}

interface Measuring {
  small: AuthorizedProject;
  large: AuthorizedProject;
  to: number;
  rounds: number;
  kind: RangeKind;
}

/** Medians in ms of both projects, asked in turn. */
async function measure(
  db: Database,
  { small, large, to, rounds, kind }: Measuring,
): Promise<{ smallMs: number; largeMs: number; ratio: number }> {
  const times = { small: [] as number[], large: [] as number[] };
  for (let round = -3; round < rounds; round += 1) {
    const range = chooseBenchRange(kind, round + 3, to);
    for (const [name, project] of [
      ['small', small],
      ['large', large],
    ] as const) {
      const since = performance.now();
      await readOverviewPage({ db, project, now: to }, range);
      if (round >= 0) times[name].push(performance.now() - since);
    }
  }
  const [smallMs, largeMs] = [median(times.small), median(times.large)];
  return { smallMs, largeMs, ratio: largeMs / smallMs };
}

/** Ends as the page's relative ranges do, at a step's end; each number is another range. */
function chooseBenchRange(kind: RangeKind, number: number, end: number): Range {
  const tz = 'Europe/Berlin';
  if (kind === 'day') {
    const to = end - number * 15 * 60_000;
    return { from: to - DAY_MS, to, tz };
  }
  const to = end - number * HOUR_MS;
  return { from: to - 7 * DAY_MS, to, tz };
}

/**
 * Everything the page and its frame ask, and what the panels make of it. What they share is read once a request there
 * (app/(dashboard)/p/[project]/overview/_components/read-periods.ts), and once here.
 */
async function readOverviewPage(ctx: QueryContext, range: Range): Promise<void> {
  const periods = preparePeriods(range, chooseStep(range), ctx.now);
  await Promise.all([getPulse(ctx), hasEverReceived(ctx)]);
  await listFilterChoices(ctx);
  const [rates, endings, waits, openReviews] = await Promise.all([
    readRatePeriods(ctx, periods, {}),
    readOperationPeriods(ctx, periods, {}),
    readCompliancePeriods(ctx, periods, {}),
    countOpenReviews(ctx, {}),
    getReviewSummary(ctx, { actorId: 'bench' }),
    getSettling(ctx),
  ]);
  for (const period of ['now', 'before'] as const) {
    viewTotals(rates[period], endings[period], {});
    viewSeries(rates[period], periods[period], {}, ctx.now);
    viewCompliance(waits[period]);
  }
  viewServices(rates, waits.now, openReviews);
  prepareCodes(rates.now, rates.before, {});
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** Statements that take longer than the pool allows, on one connection. */
async function withPatience(db: Database, statements: string[]): Promise<void> {
  const connection = await db.sql.reserve();
  try {
    await connection.unsafe('set statement_timeout = 0');
    for (const statement of statements) await connection.unsafe(statement);
    await connection.unsafe('reset statement_timeout');
  } finally {
    connection.release();
  }
}

async function fillProject(db: Database, attempts: number, to: number): Promise<AuthorizedProject> {
  const { project } = await createTestProject(db);
  const operations = Math.round(attempts / ATTEMPTS_PER_OPERATION);
  const parts = { project: project.id, operations, from: to - DAYS * DAY_MS };
  await withPatience(db, [
    dimensions(parts),
    attemptRows(parts),
    operationRows(parts),
    pairRows(parts),
    reviewRows(parts),
    ...rollups(parts),
  ]);
  return project;
}

interface Parts {
  project: number;
  operations: number;
  from: number;
}

/** 8 services × 5 calls × 6 codes; ids are the number of the combination. */
function dimensions({ project }: Parts): string {
  return `
    insert into dimension (project_id, id, service, call, kind, code, action, profile, target, sdk, environment)
    select ${project}, s * 100 + c * 10 + e, 'service-' || s, 'POST /v1/call-' || c, 'write',
      (array['OK', 'HTTP_429', 'HTTP_503', 'TimeoutError', 'HTTP_422', 'ECONNRESET'])[e + 1],
      (array['none', 'retry_with_limit', 'retry_with_limit', 'state_verification_required', 'fix_before_retry',
             'state_verification_required'])[e + 1], 'http', 'api.example.org', 'got@14.6.6', 'production'
    from generate_series(1, 8) s, generate_series(1, 5) c, generate_series(0, 5) e`;
}

/** Operation i starts somewhere in the fortnight; every fourth has a first attempt that failed. */
function operationSource({ operations, from }: Parts): string {
  return `(select i, to_timestamp(${from / 1000} + (i::numeric * 7919 % ${operations}) / ${operations} * ${DAYS * 86_400}) as at,
      (1 + i % 8) * 100 + (1 + i / 8 % 5) * 10 as base, i % 4 = 0 as failed, 1 + i / 4 % 5 as code
    from generate_series(0, ${operations - 1}) i) o`;
}

function attemptRows(parts: Parts): string {
  return `
    insert into attempt (project_id, started_at, id, operation_id, attempt, dimension_id, received_at, rule_set, event)
    select ${parts.project}, date_trunc('milliseconds', o.at) + n * interval '2 seconds', gen_random_uuid(), 'op-' || o.i,
      n + 1, o.base + case when o.failed and n = 0 then o.code else 0 end, o.at, 'http@2026',
      jsonb_build_object('type', 'attempt', 'operationId', 'op-' || o.i, 'attempt', n + 1, 'service', 'service',
        'call', 'POST /v1/call', 'requestId', md5(o.i::text), 'environment', 'production')
    from ${operationSource(parts)} cross join generate_series(0, 1) n
    where (n = 0 or o.failed)
      and o.at + n * interval '2 seconds' < to_timestamp(${(parts.from + DAYS * DAY_MS) / 1000})`;
}

function operationRows(parts: Parts): string {
  return `
    insert into operation (project_id, operation_id, state, possible_effects, attempts, retried, dimension_id, first_at,
      last_at, over, changes_at, settled_at)
    select ${parts.project}, 'op-' || o.i, case when o.i % 1000 = 0 then 'unresolved' else 'succeeded' end, 1,
      case when o.failed then 2 else 1 end, o.failed, o.base, o.at, o.at, true, null, o.at
    from ${operationSource(parts)}`;
}

function pairRows(parts: Parts): string {
  return `
    insert into retry_pair (project_id, operation_id, attempt_event_id, attempt, at, dimension_id, compliance, asked_ms,
      gap_ms, early_ms, over_ms, strict, approx)
    select ${parts.project}, 'op-' || o.i, gen_random_uuid(), 1, o.at, o.base + 1,
      case when o.i % 20 = 0 then 'early' else 'honoured' end, 2000, 2000, 0, 0, false, false
    from ${operationSource(parts)} where o.failed and o.code = 1`;
}

function reviewRows(parts: Parts): string {
  return `
    insert into review_item (project_id, id, operation_id, episode, state, cause, dimension_id, doubt_since, doubt_until,
      opened_at, due_at, resolution, resolution_note, resolved_at, resolved_by, facts)
    select ${parts.project}, gen_random_uuid(), 'op-' || o.i, 1,
      case when o.i % 10000 = 0 then 'open' else 'resolved' end, 'unknown_outcome', o.base + 3, o.at, o.at, o.at, o.at,
      case when o.i % 10000 = 0 then null else 'applied_once' end, null, case when o.i % 10000 = 0 then null else o.at end,
      case when o.i % 10000 = 0 then null else 'bench' end, '{"covered": [], "facts": []}'
    from ${operationSource(parts)} where o.i % 1000 = 0`;
}

/** In order of time, as they are written. */
function rollups({ project }: Parts): string[] {
  const bucket = (column: string) => `to_timestamp(floor(extract(epoch from ${column}) / (g * 60)) * g * 60)`;
  const grains = 'cross join (values (1), (15), (60)) v(g)';
  const narrow = (columns: string) =>
    `project_id, -grain, at, (dimension_id / 100 * 100 + dimension_id % 10) * 1000, ${columns}`;
  return [
    `insert into dimension (project_id, id, service, call, kind, code, action, profile, target, sdk, environment)
     select distinct project_id, (id / 100 * 100 + id % 10) * 1000, service, '', kind, code, action, profile, '', '', environment
     from dimension where project_id = ${project}`,
    `insert into rate_rollup (project_id, grain, at, dimension_id, attempts, tallied)
     select project_id, g, ${bucket('started_at')}, dimension_id, count(*), 0 from attempt ${grains}
     where project_id = ${project} group by 1, 2, 3, 4 order by 3`,
    `insert into operation_rollup (project_id, grain, at, dimension_id, state, retried, operations, attempts)
     select project_id, g, ${bucket('first_at')}, dimension_id, state, retried, count(*), sum(attempts) from operation ${grains}
     where project_id = ${project} group by 1, 2, 3, 4, 5, 6 order by 3`,
    `insert into compliance_rollup (project_id, grain, at, dimension_id, compliance, pairs, early_ms, over_ms)
     select project_id, g, ${bucket('at')}, dimension_id, compliance, count(*), sum(early_ms), sum(over_ms) from retry_pair ${grains}
     where project_id = ${project} group by 1, 2, 3, 4, 5 order by 3`,
    `insert into rate_rollup (project_id, grain, at, dimension_id, attempts, tallied)
     select ${narrow('sum(attempts), sum(tallied)')} from rate_rollup
     where project_id = ${project} and grain > 1 group by 1, 2, 3, 4 order by 3`,
    `insert into operation_rollup (project_id, grain, at, dimension_id, state, retried, operations, attempts)
     select ${narrow('state, retried, sum(operations), sum(attempts)')} from operation_rollup
     where project_id = ${project} and grain > 1 group by 1, 2, 3, 4, 5, 6 order by 3`,
    `insert into compliance_rollup (project_id, grain, at, dimension_id, compliance, pairs, early_ms, over_ms)
     select ${narrow('compliance, sum(pairs), sum(early_ms), sum(over_ms)')} from compliance_rollup
     where project_id = ${project} and grain > 1 group by 1, 2, 3, 4, 5 order by 3`,
  ];
}
