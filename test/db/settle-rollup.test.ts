import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '@/db/client';
import type { Fact } from '@/lib/core/attempt';
import { settleProject } from '@/lib/jobs/settle';
import { createLog } from '@/lib/platform/log';
import { getRates } from '@/lib/queries/rates';
import { makeReadBack, makeStarted, makeSuccess, makeTally, makeThrottled, makeUnclear } from '../factories/facts';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { dumpSettled } from '../support/dump-settled';
import { createTestProject, type TestProject } from '../support/project';
import { recordFacts } from '../support/record-facts';
import { bucketOf, countedUnder } from '../support/recount';
import { settleAll } from '../support/settle-all';

const T0 = Date.UTC(2026, 10, 29, 10, 7);
const END = T0 + 3 * 3_600_000;
const log = createLog('silent');

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.close());

interface Step {
  operation: number;
  kind: 'unclear' | 'success' | 'throttled' | 'started' | 'absent' | 'present';
  afterMs: number;
}

const steps = fc.array(
  fc.record({
    operation: fc.integer({ min: 0, max: 5 }),
    kind: fc.constantFrom<Step['kind']>('unclear', 'success', 'throttled', 'started', 'absent', 'present'),
    afterMs: fc.integer({ min: 1, max: 400_000 }),
  }),
  { minLength: 1, maxLength: 25 },
);

/** A story a service could have told: times grow, attempts are numbered. */
function tell(list: readonly Step[]): Fact[] {
  let at = T0;
  const counts = new Map<number, number>();
  return list.map(({ operation, kind, afterMs }) => {
    at += afterMs;
    const operationId = `op-${operation}`;
    const service = operation % 2 === 0 ? 'billing' : 'mail';
    if (kind === 'absent' || kind === 'present') return makeReadBack({ operationId, startedAt: at, result: kind });
    const attempt = (counts.get(operation) ?? 0) + 1;
    counts.set(operation, attempt);
    const send = { operationId, service, startedAt: at, attempt, requestId: `req-${operation}-${attempt}` };
    if (kind === 'started') return makeStarted({ operationId, service, startedAt: at, attempt });
    if (kind === 'throttled') return makeThrottled(30, send);
    return kind === 'success' ? makeSuccess(send) : makeUnclear(send);
  });
}

const recount = async (projectId: number) => {
  const rows = await db.sql.unsafe(
    `select g.grain::int as grain, ${bucketOf('o.first_at')} as at, counted.dimension_id, o.state, o.retried,
            count(*)::int as operations, sum(o.attempts)::int as attempts
     from operation o ${countedUnder('o')} where o.project_id = $1 group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
    [projectId],
  );
  const pairs = await db.sql.unsafe(
    `select g.grain::int as grain, ${bucketOf('p.at')} as at, counted.dimension_id, p.compliance, count(*)::int as pairs,
            sum(p.early_ms)::text as early_ms, sum(p.over_ms)::text as over_ms
     from retry_pair p ${countedUnder('p')} where p.project_id = $1 group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    [projectId],
  );
  return { operations: [...rows], pairs: [...pairs] };
};

async function expectRecount(home: TestProject): Promise<void> {
  const stored = await dumpSettled(db, home.project.id);
  const counted = await recount(home.project.id);
  const bare = (rows: Record<string, unknown>[]) => rows.map(({ project_id: _project, ...row }) => row);
  expect(bare(stored.operation_rollup)).toEqual(counted.operations);
  expect(bare(stored.compliance_rollup)).toEqual(counted.pairs);
}

/** What settled rows say, without ids and times that differ between two projects. */
async function conclusions(home: TestProject) {
  const { operation, operation_ref, retry_pair } = await dumpSettled(db, home.project.id);
  const strip = (rows: Record<string, unknown>[]) =>
    rows.map(({ project_id: _p, settled_at: _s, changes_at: _c, attempt_event_id: _a, ...row }) => row);
  return { operation: strip(operation), references: strip(operation_ref), pairs: strip(retry_pair) };
}

describe('rollups of settled operations', () => {
  test('equal a recount, and any order of arrival ends in the same rows', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.array(fc.nat(), { minLength: 25, maxLength: 25 }), async (list, shuffle) => {
        const facts = tell(list);
        const together = await createTestProject(db);
        await recordFacts(db, together.project, facts);
        await settleAll(db, together.project.id, END);
        await expectRecount(together);

        const piecemeal = await createTestProject(db);
        const order = facts.map((fact, i) => ({ fact, key: shuffle[i] ?? 0 })).sort((a, b) => a.key - b.key);
        for (let i = 0; i < order.length; i += 3) {
          await recordFacts(
            db,
            piecemeal.project,
            order.slice(i, i + 3).map(({ fact }) => fact),
          );
          await settleAll(db, piecemeal.project.id, END, 2);
          await expectRecount(piecemeal);
        }
        expect(await conclusions(piecemeal)).toEqual(await conclusions(together));
      }),
      { numRuns: 12 },
    );
  }, 120_000);

  test('two settlers at once settle every operation exactly once', async () => {
    const home = await createTestProject(db);
    const facts = Array.from({ length: 120 }, (_, i) => [
      makeThrottled(5, { operationId: `p-${i}`, startedAt: T0 + i * 1_000 }),
      makeSuccess({ operationId: `p-${i}`, startedAt: T0 + i * 1_000 + 6_000, attempt: 2 }),
    ]).flat();
    await recordFacts(db, home.project, facts);
    const settler = async (): Promise<void> => {
      for (;;) {
        const outcome = await settleProject({ db, log, now: END }, home.project.id, 10);
        if (outcome.taken && !outcome.more) return;
        if (!outcome.taken) await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    await Promise.all([settler(), settler(), settler()]);
    await expectRecount(home);
    const [left] = await db.sql`select count(*)::int as n from operation_touch where project_id = ${home.project.id}`;
    expect(left?.n).toBe(0);
  });

  test('calls are operations and tallies, and the parts add up', async () => {
    const home = await createTestProject(db);
    await recordFacts(db, home.project, [
      ...tell([
        { operation: 1, kind: 'success', afterMs: 1_000 },
        { operation: 2, kind: 'throttled', afterMs: 1_000 },
        { operation: 2, kind: 'success', afterMs: 60_000 },
        { operation: 3, kind: 'unclear', afterMs: 1_000 },
        { operation: 4, kind: 'throttled', afterMs: 1_000 },
      ]),
      makeTally({ minute: T0, successes: 40 }),
    ]);
    await settleAll(db, home.project.id, T0 + 600_000);
    const range = { from: T0, to: END, tz: 'UTC' };
    const rates = await getRates(
      { db, project: home.project, now: T0 + 600_000 },
      { range, step: '1h', groupBy: 'code', filters: {} },
    );
    const { totals } = rates;
    expect(totals).toMatchObject({ calls: 44, attempts: 45, errors: 3, firstTrySuccess: 41, successAfterRetry: 1 });
    expect(totals).toMatchObject({ exhausted: 0, unresolved: 1, open: 1 });
    expect(rates.buckets[0]).toEqual({ at: Date.UTC(2026, 10, 29, 10), attempts: 45 });
    expect(rates.series.find((line) => line.key === 'OK')?.points[0]).toMatchObject({ count: 42, rate: 42 / 45 });
    expect(rates.incompleteFrom).toBe(Date.UTC(2026, 10, 29, 10));
  });
});
