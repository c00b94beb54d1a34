import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '@/db/client';
import { readRecount } from '@/db/queries/recount';
import { recountProject, runNightlyRecount, sliceSpan } from '@/lib/jobs/recount';
import { createLog } from '@/lib/platform/log';
import { makeSuccess, makeTally, makeThrottled, makeUnclear } from '../factories/facts';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestProject, type TestProject } from '../support/project';
import { recordFacts } from '../support/record-facts';
import { recountRollups } from '../support/recount';
import { pruneAll, recordWithIds } from '../support/retention';
import { settleAll } from '../support/settle-all';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The last noon: the night of its day is over, and retention, which trusts no clock ahead of the database's, takes it. */
const NOW = Math.floor((Date.now() - 12 * HOUR_MS) / DAY_MS) * DAY_MS + 12 * HOUR_MS;
const T0 = NOW - 3 * DAY_MS + 7 * 60_000;
const log = createLog('silent');

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.close());
afterEach(async () => {
  for (const table of ['recount', 'api_key', 'retention_mark', 'settle_turn', 'project']) {
    await db.sql.unsafe(`delete from ${table}`);
  }
});

/** Two days of sends at every ending, with tallies, settled. */
async function tellStory(settings = {}, begin = T0): Promise<TestProject> {
  const home = await createTestProject(db, { settings });
  const facts = Array.from({ length: 24 }, (_, i) => {
    const send = { operationId: `op-${i}`, startedAt: begin + i * 2 * HOUR_MS, call: `call.${i % 4}` };
    const again = { ...send, attempt: 2, startedAt: send.startedAt + (i % 2 ? 31_000 : 2_000) };
    if (i % 4 === 0) return [makeThrottled(30, send), makeSuccess(again)];
    if (i % 4 === 1) return [makeUnclear(send)];
    if (i % 4 === 2) return [makeSuccess(send)];
    return [makeTally({ minute: send.startedAt - (send.startedAt % 60_000), successes: 3 + i, service: 'billing' })];
  }).flat();
  await recordWithIds(db, home.project, facts);
  await settleAll(db, home.project.id, NOW);
  return home;
}

const recountNow = (home: TestProject, asked = {}) => recountProject({ db, log, now: NOW }, home.project.id, asked);

describe('a recount', () => {
  test('of exact rollups finds nothing, in whole hours from the first row to the last', async () => {
    const home = await tellStory();
    const result = await recountNow(home);
    expect(result).toMatchObject({ drift: 0, examples: [], slices: 2 });
    expect(result?.span).toEqual({ from: T0 - 7 * 60_000, to: T0 - 7 * 60_000 + 47 * HOUR_MS });
    expect(await readRecount(db.sql, home.project.id)).toMatchObject({ drift: 0, finishedAt: NOW });
  });

  test('of a project without rows finds nothing', async () => {
    const home = await createTestProject(db);
    expect(await recountNow(home)).toMatchObject({ drift: 0, slices: 0 });
  });

  test.each([
    ['rate_rollup', 'attempts', 1],
    ['rate_rollup', 'tallied', 15],
    ['rate_rollup', 'attempts', -60],
    ['operation_rollup', 'operations', 60],
    ['operation_rollup', 'attempts', -15],
    ['compliance_rollup', 'pairs', 1],
    ['compliance_rollup', 'early_ms', -60],
    ['compliance_rollup', 'over_ms', 15],
  ])('finds one too many in %s.%s at grain %i, and where', async (table, column, grain) => {
    const home = await tellStory();
    const projectId = home.project.id;
    const [row] = await db.sql.unsafe<{ at: string; dimension_id: string; value: number }[]>(
      `update ${table} r set ${column} = ${column} + 1 where ctid = (
         select ctid from ${table} where project_id = $1 and grain = $2 order by at desc limit 1)
       returning at, dimension_id::text as dimension_id, ${column}::int as value`,
      [projectId, grain],
    );
    const result = await recountNow(home);
    expect(result?.drift).toBe(1);
    const [example] = result?.examples ?? [];
    expect(example).toMatchObject({ table, grain, at: Date.parse(row?.at ?? ''), dimensionId: row?.dimension_id });
    const { stored = [], counted = [] } = example ?? {};
    expect(stored.map((value, i) => value - (counted[i] ?? 0)).filter((by) => by !== 0)).toEqual([1]);
    expect(stored).toContain(row?.value);
    expect((await readRecount(db.sql, projectId))?.examples).toEqual(result?.examples);
  });

  test('finds rows that are missing and rows that count nothing', async () => {
    const home = await tellStory();
    const projectId = home.project.id;
    await db.sql`delete from rate_rollup where ctid = (
      select ctid from rate_rollup where project_id = ${projectId} and grain = 60 order by at limit 1)`;
    await db.sql`insert into operation_rollup (project_id, grain, at, dimension_id, state, retried, operations, attempts)
      select project_id, grain, at + interval '3 days', dimension_id, state, retried, 1, 1 from operation_rollup
      where project_id = ${projectId} and grain = 1 order by at limit 1`;
    const result = await recountNow(home);
    expect(result?.examples.map(({ table, stored }) => [table, stored[0]])).toEqual([
      ['rate_rollup', 0],
      ['operation_rollup', 1],
    ]);
    const faults = await recountRollups(db, projectId);
    expect(result?.drift).toBe(faults.rate.length + faults.operation.length + faults.compliance.length);
  });

  test('finds an attempt that was never counted, and one project’s drift is not another’s', async () => {
    const [home, other] = [await tellStory(), await tellStory()];
    await db.sql`
      insert into attempt (project_id, started_at, id, operation_id, attempt, dimension_id, received_at, rule_set, event)
      select project_id, started_at, ${randomUUID()}::uuid, operation_id, 9, dimension_id, received_at, rule_set, event
      from attempt where project_id = ${home.project.id} limit 1`;
    expect((await recountNow(home))?.drift).toBe(5);
    expect((await recountNow(other))?.drift).toBe(0);
  });

  test('looks at the hours that are asked for', async () => {
    const home = await tellStory();
    const at = T0 + 20 * HOUR_MS;
    await db.sql`update rate_rollup set attempts = attempts + 1 where project_id = ${home.project.id} and grain = 1
      and at >= ${new Date(at).toISOString()}::timestamptz
      and at < ${new Date(at + HOUR_MS).toISOString()}::timestamptz and attempts > 0`;
    expect((await recountNow(home, { to: T0 + 18 * HOUR_MS }))?.drift).toBe(0);
    expect(await readRecount(db.sql, home.project.id)).toBeNull();
    expect((await recountNow(home, { from: at + 2 * HOUR_MS }))?.drift).toBe(0);
    const found = await recountNow(home, { from: at - 5 * 60_000, to: at + HOUR_MS });
    expect(found?.drift).toBeGreaterThan(0);
    expect((await readRecount(db.sql, home.project.id))?.drift).toBe(found?.drift);
  });

  test('leaves out what retention has removed, and still counts what is left', async () => {
    await createTestProject(db);
    const home = await tellStory({ retentionMs: 2 * DAY_MS });
    await pruneAll(db, NOW);
    const left = await db.sql`select 1 from attempt where project_id = ${home.project.id}
      and started_at < ${new Date(NOW - 2 * DAY_MS - HOUR_MS).toISOString()}::timestamptz`;
    expect((await recountRollups(db, home.project.id)).rate.length).toBeGreaterThan(left.length);
    const result = await recountNow(home);
    expect(result).toMatchObject({ drift: 0 });
    expect(result?.span.from).toBe(NOW - 2 * DAY_MS);
    await db.sql`update rate_rollup set attempts = attempts + 1 where project_id = ${home.project.id} and grain = 60`;
    expect((await recountNow(home))?.drift).toBeGreaterThan(0);
  });
});

describe('the nightly run', () => {
  const night = (now: number) => runNightlyRecount({ db, log, now });

  test('takes every project once a night, whoever asks', async () => {
    const homes = [await tellStory(), await createTestProject(db)];
    const runs = await Promise.all([night(NOW), night(NOW), night(NOW)]);
    expect(runs.reduce((sum, n) => sum + n, 0)).toBe(homes.length);
    expect(await night(NOW + 2 * HOUR_MS)).toBe(0);
    expect(await night(NOW + 13 * HOUR_MS)).toBe(0);
    expect(await night(NOW + 14 * HOUR_MS)).toBe(homes.length);
  });

  test('goes on where a worker was killed, and keeps the last result until then', async () => {
    const home = await createTestProject(db);
    await night(NOW);
    await db.sql`update recount set started_at = ${new Date(NOW + DAY_MS).toISOString()}::timestamptz`;
    expect(await readRecount(db.sql, home.project.id)).toMatchObject({ finishedAt: NOW, drift: 0 });
    expect(await night(NOW + DAY_MS + HOUR_MS)).toBe(0);
    expect(await night(NOW + DAY_MS + 4 * HOUR_MS)).toBe(1);
  });

  test('stops between two slices when it is told to', async () => {
    const home = await tellStory();
    const stopped = new AbortController();
    stopped.abort();
    expect(await recountProject({ db, log, now: NOW, signal: stopped.signal }, home.project.id)).toBeNull();
    expect(await readRecount(db.sql, home.project.id)).toBeNull();
  });
});

describe('while events arrive and are settled', () => {
  test('nothing half done is taken for a drift', { timeout: 60_000 }, async () => {
    const home = await tellStory();
    let over = false;
    const arriving = (async () => {
      for (let i = 0; i < 8; i += 1) {
        const send = { operationId: `late-${i}`, startedAt: T0 + i * 60_000 };
        await recordFacts(db, home.project, [makeThrottled(30, send)]);
        await recordFacts(db, home.project, [makeSuccess({ ...send, attempt: 2, startedAt: send.startedAt + 2_000 })]);
        await settleAll(db, home.project.id, NOW);
      }
    })().finally(() => (over = true));
    while (!over) expect(await recountNow(home, { to: T0 + HOUR_MS })).toMatchObject({ drift: 0 });
    await arriving;
  });
});

describe('slices', () => {
  test('are whole hours, without a gap, of a day or of what one statement may count', () => {
    const hours = new Map([
      [2 * HOUR_MS, 150_000],
      [3 * HOUR_MS, 150_000],
      [4 * HOUR_MS, 900_000],
    ]);
    const at = (hour: number) => hour * HOUR_MS;
    expect(sliceSpan({ from: 0, to: at(40) }, hours)).toEqual([
      { from: 0, to: at(3) },
      { from: at(3), to: at(4) },
      { from: at(4), to: at(5) },
      { from: at(5), to: at(29) },
      { from: at(29), to: at(40) },
    ]);
    expect(sliceSpan({ from: 0, to: 0 }, hours)).toEqual([]);
  });
});
