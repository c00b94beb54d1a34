import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '@/db/client';
import { runJobs, createWake } from '@/lib/jobs';
import { settleProject } from '@/lib/jobs/settle';
import { systemClock } from '@/lib/platform/clock';
import { createLog } from '@/lib/platform/log';
import { getOperation } from '@/lib/queries/operation';
import { listOperations } from '@/lib/queries/operations';
import { makeSuccess, makeThrottled, makeUnclear } from '../factories/facts';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestProject } from '../support/project';
import { recordFacts } from '../support/record-facts';
import { settleAll } from '../support/settle-all';

const T0 = Date.UTC(2026, 10, 29, 10);
const log = createLog('silent');

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.close());

async function countRows(table: string, projectId: number): Promise<number> {
  const [row] = await db.sql.unsafe(`select count(*)::int as n from ${table} where project_id = $1`, [projectId]);
  return Number(row?.n);
}

describe('settling under faults', () => {
  test('one operation that the database refuses holds up nobody, and is settled once it can be', async () => {
    await db.sql.unsafe(`create function refuse_bad() returns trigger language plpgsql as $$ begin
      if new.operation_id = 'bad' then raise check_violation using message = 'made by the test'; end if;
      return new; end $$;
      create trigger refuse_bad before insert or update on operation for each row execute function refuse_bad()`);
    const home = await createTestProject(db);
    const names = ['a', 'bad', 'c'];
    await recordFacts(
      db,
      home.project,
      names.map((operationId) => makeSuccess({ operationId, startedAt: T0 })),
    );
    const outcome = await settleProject({ db, log, now: T0 }, home.project.id);
    expect(outcome).toMatchObject({ settled: 2, failed: 1 });
    const range = { from: T0 - 1, to: T0 + 60_000, tz: 'UTC' };
    const ctx = { db, project: home.project, now: T0 };
    const { items } = await listOperations(ctx, { range, filters: {}, limit: 10 });
    expect(items.map((row) => row.operationId).sort()).toEqual(['a', 'c']);
    expect(await getOperation(ctx, 'bad')).toMatchObject({ state: 'succeeded' });

    await db.sql.unsafe('drop trigger refuse_bad on operation');
    await db.sql`update operation_touch set touched_at = now() where project_id = ${home.project.id}`;
    expect(await settleAll(db, home.project.id, T0)).toMatchObject({ settled: 1, failed: 0 });
    expect(await countRows('operation_touch', home.project.id)).toBe(0);
  });

  test('a worker killed again and again leaves nothing half done', async () => {
    const home = await createTestProject(db);
    const facts = Array.from({ length: 300 }, (_, i) => [
      makeThrottled(5, { operationId: `k-${i}`, startedAt: T0 + i * 1_000 }),
      i % 3 === 0
        ? makeUnclear({ operationId: `k-${i}`, startedAt: T0 + i * 1_000 + 6_000, attempt: 2 })
        : makeSuccess({ operationId: `k-${i}`, startedAt: T0 + i * 1_000 + 6_000, attempt: 2 }),
    ]).flat();
    const startWorker = () =>
      fork(new URL('../../lib/runtime/worker-child.ts', import.meta.url), [], {
        execArgv: ['--import', 'tsx'],
        env: { ...process.env, DATABASE_URL: database.url, READBACK_SECRET: 'x'.repeat(40), LOG_LEVEL: 'silent' },
        stdio: 'ignore',
      });
    for (let round = 0; round < 4; round += 1) {
      const worker = startWorker();
      await once(worker, 'message');
      await recordFacts(db, home.project, facts.slice(round * 150, (round + 1) * 150));
      await sleep(30 + round * 40);
      worker.kill('SIGKILL');
      await once(worker, 'exit');
    }
    await settleAll(db, home.project.id, T0 + 3_600_000);
    const [operations] = await db.sql`
      select sum(operations)::int as n, sum(attempts)::int as attempts from operation_rollup
      where project_id = ${home.project.id} and grain = 60`;
    expect(operations).toEqual({ n: 300, attempts: 600 });
    const [pairs] = await db.sql`
      select sum(pairs)::int as n from compliance_rollup where project_id = ${home.project.id} and grain = 60`;
    expect(pairs?.n).toBe(await countRows('retry_pair', home.project.id));
    expect(await countRows('review_item', home.project.id)).toBe(100);
    expect(await countRows('operation_touch', home.project.id)).toBe(0);
  });

  test('in quiet traffic an operation is settled well within five seconds, woken or not', async () => {
    const home = await createTestProject(db);
    const stop = new AbortController();
    const wake = createWake();
    const running = runJobs({ db, log, clock: systemClock, signal: stop.signal, wake });
    const lags: number[] = [];
    for (const woken of [true, false, true]) {
      const operationId = `q-${lags.length}`;
      await recordFacts(db, home.project, [makeUnclear({ operationId, startedAt: Date.now() })]);
      const since = Date.now();
      if (woken) wake.notify();
      while ((await countRows('review_item', home.project.id)) === lags.length) await sleep(10);
      lags.push(Date.now() - since);
    }
    stop.abort();
    await running;
    expect(Math.max(...lags)).toBeLessThan(5_000);
  });

  test('a paused project is left alone', async () => {
    const home = await createTestProject(db);
    await db.sql`update settle_turn set paused = true where project_id = ${home.project.id}`;
    await recordFacts(db, home.project, [makeSuccess({ operationId: 'x', startedAt: T0 })]);
    expect(await settleProject({ db, log, now: T0 }, home.project.id)).toMatchObject({ taken: false, settled: 0 });
    expect(await countRows('operation_touch', home.project.id)).toBe(1);
  });
});
