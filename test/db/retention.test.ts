import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '@/db/client';
import { readRetentionMark } from '@/db/queries/retention-mark';
import type { Fact } from '@/lib/core/attempt';
import { getOperation } from '@/lib/queries/operation';
import { isNeededStill, runRetention } from '@/lib/jobs/retention';
import { createLog } from '@/lib/platform/log';
import {
  makeClosed,
  makeReadBack,
  makeStarted,
  makeSuccess,
  makeTally,
  makeThrottled,
  makeUnclear,
} from '../factories/facts';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestProject, type TestProject } from '../support/project';
import { pruneAll, recordWithIds, removedBefore } from '../support/retention';
import { settleAll } from '../support/settle-all';

const DAY_MS = 86_400_000;
const NOW = Date.now();
const SHORT_MS = 10 * DAY_MS;
const EDGE = removedBefore(NOW, SHORT_MS);
const log = createLog('silent');

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.close());

/** Keeps its events for longer than the projects of the tests, so that theirs go row by row. */
beforeEach(() => createTestProject(db));
afterEach(async () => {
  for (const table of ['api_key', 'retention_mark', 'settle_turn']) await db.sql.unsafe(`delete from ${table}`);
  await db.sql`delete from project`;
});

const shortProject = (): Promise<TestProject> => createTestProject(db, { settings: { retentionMs: SHORT_MS } });

async function count(table: string, projectId: number, where = 'true'): Promise<number> {
  const [row] = await db.sql.unsafe(`select count(*)::int as n from ${table} where project_id = $1 and ${where}`, [
    projectId,
  ]);
  return Number(row?.n);
}

async function settled(home: TestProject, facts: readonly Fact[]): Promise<void> {
  await recordWithIds(db, home.project, facts);
  await settleAll(db, home.project.id, NOW);
}

async function idsOf(table: 'attempt' | 'fact' | 'event_ledger', home: TestProject): Promise<string[]> {
  const rows = await db.sql.unsafe(`select id::text as id from ${table} where project_id = $1`, [home.project.id]);
  return rows.map((row) => String(row.id)).sort();
}

async function itemOf(home: TestProject, operationId: string) {
  const [row] = await db.sql`select * from review_item where project_id = ${home.project.id}
    and operation_id = ${operationId} order by episode desc limit 1`;
  return row;
}

async function stateOf(home: TestProject, operationId: string) {
  const [row] = await db.sql`select * from operation where project_id = ${home.project.id}
    and operation_id = ${operationId}`;
  return row;
}

test('a day is not dropped while there is a project that nobody has looked at', async () => {
  const [first, second] = [await shortProject(), await shortProject()];
  const rows = await db.sql<{ id: number }[]>`select id from project`;
  const all = rows.map(({ id }) => id);
  const day = { from: EDGE - 2 * DAY_MS, to: EDGE - DAY_MS };
  expect(await isNeededStill(db.sql, all, day)).toBe(false);
  const madeSince = all.filter((id) => id !== second.project.id);
  expect(await isNeededStill(db.sql, madeSince, day)).toBe(true);
  await recordWithIds(db, first.project, [makeSuccess({ operationId: 'late', startedAt: day.from })]);
  expect(await isNeededStill(db.sql, all, day)).toBe(true);
});

describe('what goes and what stays', () => {
  test('attempts, their ids and conclusions: a millisecond older goes, the edge itself stays', async () => {
    const home = await shortProject();
    const old = makeSuccess({ operationId: 'old', startedAt: EDGE - 1, endedAt: EDGE - 1, requestId: 'r-old' });
    const kept = makeSuccess({ operationId: 'kept', startedAt: EDGE, endedAt: EDGE + 1, requestId: 'r-kept' });
    await settled(home, [old, kept]);
    const { projects } = await pruneAll(db, NOW);
    expect(projects.find(({ projectId }) => projectId === home.project.id)?.pruned).toMatchObject({
      attempts: 1,
      ids: 1,
      operations: 1,
    });
    expect(await idsOf('attempt', home)).toEqual([kept.id]);
    expect(await idsOf('event_ledger', home)).toEqual([kept.id]);
    expect(await stateOf(home, 'old')).toBeUndefined();
    expect(await stateOf(home, 'kept')).toBeDefined();
    for (const table of ['operation_ref', 'stream_member']) {
      expect(await count(table, home.project.id, `operation_id = 'old'`)).toBe(0);
      expect(await count(table, home.project.id, `operation_id = 'kept'`)).toBeGreaterThan(0);
    }
    // What it counted stays counted: rates outlive attempts.
    expect(await count('operation_rollup', home.project.id, 'grain = 1 and operations = 2')).toBe(1);
  });

  test('an operation goes as a whole: not before its last moment is over too', async () => {
    const home = await shortProject();
    await settled(home, [
      makeThrottled(1, { operationId: 'long', startedAt: EDGE - 60_000, endedAt: EDGE - 59_000 }),
      makeSuccess({ operationId: 'long', startedAt: EDGE - 1, endedAt: EDGE, attempt: 2 }),
    ]);
    await pruneAll(db, NOW);
    expect(await count('attempt', home.project.id)).toBe(0);
    expect(await stateOf(home, 'long')).toMatchObject({ state: 'succeeded', attempts: 2 });
    expect(await count('retry_pair', home.project.id)).toBe(1);
  });

  test('every type of fact: a millisecond older goes, the edge itself stays', async () => {
    const home = await shortProject();
    const at = (ms: number): Fact[] =>
      [
        makeStarted({ operationId: `s${ms}`, startedAt: ms }),
        makeSuccess({ operationId: `s${ms}`, startedAt: ms, endedAt: ms }),
        makeReadBack({ operationId: `s${ms}`, startedAt: ms, endedAt: ms }),
        makeClosed({ operationId: `s${ms}`, startedAt: ms }),
        makeTally({ minute: ms, successes: 3 }),
        {
          type: 'auth_refresh',
          id: crypto.randomUUID(),
          environment: 'production',
          credential: 'c',
          startedAt: ms,
          ok: true,
        },
        { type: 'cause_fixed', id: crypto.randomUUID(), environment: 'production', code: 'X', startedAt: ms },
        {
          type: 'webhook_delivery',
          id: crypto.randomUUID(),
          environment: 'production',
          jobId: 'j',
          event: 'e',
          startedAt: ms,
          status: 200,
        },
      ] as Fact[];
    const [old, kept] = [at(EDGE - 1), at(EDGE)];
    await settled(home, [...old, ...kept]);
    await pruneAll(db, NOW);
    const facts = kept.filter(({ type }) => type !== 'attempt').map(({ id }) => id);
    expect(await idsOf('fact', home)).toEqual(facts.sort());
    expect(await idsOf('event_ledger', home)).toEqual(kept.map(({ id }) => id).sort());
    expect(await count('rate_rollup', home.project.id, 'grain = 1 and tallied > 0')).toBeGreaterThan(0);
  });

  test('two projects: each by its own retention', async () => {
    const [short, long] = [await shortProject(), await createTestProject(db)];
    const at = NOW - 20 * DAY_MS;
    for (const home of [short, long]) await settled(home, [makeSuccess({ operationId: 'op', startedAt: at })]);
    await pruneAll(db, NOW);
    expect(await count('attempt', short.project.id)).toBe(0);
    expect(await stateOf(short, 'op')).toBeUndefined();
    expect(await count('attempt', long.project.id)).toBe(1);
    expect(await stateOf(long, 'op')).toMatchObject({ state: 'succeeded' });
  });

  test('what settling has not seen yet stays, however old', async () => {
    const home = await shortProject();
    await recordWithIds(db, home.project, [makeUnclear({ operationId: 'late', startedAt: EDGE - DAY_MS })]);
    await pruneAll(db, NOW);
    expect(await count('attempt', home.project.id)).toBe(1);
    await settleAll(db, home.project.id, NOW);
    expect(await itemOf(home, 'late')).toMatchObject({ state: 'open' });
  });

  test('attempts that nothing marks and no conclusion knows are concluded first', async () => {
    const home = await shortProject();
    await recordWithIds(db, home.project, [makeUnclear({ operationId: 'lost', startedAt: EDGE - DAY_MS })]);
    await db.sql`delete from operation_touch where project_id = ${home.project.id}`;
    await pruneAll(db, NOW);
    expect(await count('attempt', home.project.id)).toBe(1);
    await settleAll(db, home.project.id, NOW);
    expect(await itemOf(home, 'lost')).toMatchObject({ state: 'open' });
    await pruneAll(db, NOW + 60_000);
    expect(await count('attempt', home.project.id)).toBe(0);
  });
});

describe('a write nobody can vouch for', () => {
  const old = EDGE - 5 * DAY_MS;

  test('stays with its attempts and read-backs, and evidence that comes months later still settles it', async () => {
    const home = await shortProject();
    await settled(home, [
      makeUnclear({ operationId: 'op', startedAt: old }),
      makeReadBack({ operationId: 'op', startedAt: old + 120_000, result: 'inconclusive' }),
    ]);
    const before = await stateOf(home, 'op');
    await pruneAll(db, NOW);
    expect(await count('attempt', home.project.id)).toBe(0);
    expect(await count('fact', home.project.id)).toBe(0);
    expect(await stateOf(home, 'op')).toEqual(before);
    const shown = await getOperation({ db, project: home.project, now: NOW }, 'op');
    expect(shown).toMatchObject({ state: 'unresolved', sends: [{ attempt: { startedAt: old } }] });
    expect(shown?.facts.map(({ type }) => type)).toContain('readback');

    await settled(home, [makeReadBack({ operationId: 'op', startedAt: NOW - 60_000 })]);
    expect(await stateOf(home, 'op')).toMatchObject({ state: 'succeeded', attempts: 1 });
    expect(await itemOf(home, 'op')).toMatchObject({ state: 'resolved', resolution: 'applied_once' });
  });

  test('a decision stays, and the next event of the operation finds it', async () => {
    const home = await shortProject();
    await settled(home, [makeUnclear({ operationId: 'op', startedAt: old })]);
    await db.sql`update review_item set state = 'resolved', resolution = 'not_applied', resolution_note = 'looked',
      resolved_at = ${new Date(old + DAY_MS).toISOString()}, resolved_by = 'Anna' where project_id = ${home.project.id}`;
    await db.sql`insert into operation_touch (project_id, operation_id) values (${home.project.id}, 'op')`;
    await settleAll(db, home.project.id, NOW);
    await pruneAll(db, NOW);
    expect(await count('attempt', home.project.id)).toBe(0);
    expect(await itemOf(home, 'op')).toMatchObject({
      state: 'resolved',
      resolution: 'not_applied',
      resolved_by: 'Anna',
    });

    await settled(home, [makeReadBack({ operationId: 'op', startedAt: NOW - 3_600_000, result: 'absent' })]);
    expect(await count('review_item', home.project.id)).toBe(1);
    expect(await itemOf(home, 'op')).toMatchObject({
      state: 'resolved',
      resolution: 'not_applied',
      resolved_by: 'Anna',
    });
    expect(await stateOf(home, 'op')).toMatchObject({ state: 'failed' });

    await settled(home, [makeUnclear({ operationId: 'op', startedAt: NOW - 30 * 60_000, attempt: 2 })]);
    expect(await itemOf(home, 'op')).toMatchObject({ episode: 2, state: 'open' });
  });

  test('an item that does not hold an attempt keeps the attempt', async () => {
    const home = await shortProject();
    await settled(home, [makeUnclear({ operationId: 'op', startedAt: old })]);
    await db.sql`update review_item set facts = '{"covered":[],"facts":[]}' where project_id = ${home.project.id}`;
    await pruneAll(db, NOW);
    expect(await count('attempt', home.project.id)).toBe(1);
  });
});

describe('late evidence for an operation that has lost facts', () => {
  test('a failure after a success that is gone says no less than was known', async () => {
    const home = await shortProject();
    await settled(home, [
      makeSuccess({ operationId: 'op', startedAt: EDGE - DAY_MS, requestId: 'first' }),
      makeReadBack({ operationId: 'op', startedAt: NOW - 2 * DAY_MS }),
    ]);
    await pruneAll(db, NOW);
    expect(await count('attempt', home.project.id)).toBe(0);
    const bare = await getOperation({ db, project: home.project, now: NOW }, 'op');
    expect(bare).toMatchObject({ state: 'succeeded', sends: [] });
    await settled(home, [makeThrottled(5, { operationId: 'op', startedAt: NOW - DAY_MS, attempt: 2 })]);
    expect(await stateOf(home, 'op')).toMatchObject({ state: 'succeeded', attempts: 2, possible_effects: 1 });
    expect(await count('operation_ref', home.project.id, `value = 'first'`)).toBe(1);
    expect(await count('operation_rollup', home.project.id, 'grain = 1 and operations <> 0')).toBe(1);
    const ctx = { db, project: home.project, now: NOW };
    expect(await getOperation(ctx, 'op')).toMatchObject({ state: 'succeeded', attempts: 2, sends: [{}] });
    const again = await stateOf(home, 'op');
    await db.sql`insert into operation_touch (project_id, operation_id) values (${home.project.id}, 'op')`;
    await settleAll(db, home.project.id, NOW);
    expect(await stateOf(home, 'op')).toEqual(again);
  });

  test('a doubt on top of a known success is a doubt, and resolving it leaves the success', async () => {
    const home = await shortProject();
    await settled(home, [
      makeSuccess({ operationId: 'op', startedAt: EDGE - DAY_MS }),
      makeReadBack({ operationId: 'op', startedAt: NOW - 2 * DAY_MS }),
    ]);
    await pruneAll(db, NOW);
    await settled(home, [makeUnclear({ operationId: 'op', startedAt: NOW - DAY_MS, attempt: 2 })]);
    expect(await stateOf(home, 'op')).toMatchObject({ state: 'unresolved', possible_effects: 2 });
    expect(await itemOf(home, 'op')).toMatchObject({ state: 'open' });
    await settled(home, [makeReadBack({ operationId: 'op', startedAt: NOW - 60_000, result: 'absent' })]);
    expect(await itemOf(home, 'op')).toMatchObject({ state: 'resolved' });
    expect(await stateOf(home, 'op')).toMatchObject({ state: 'succeeded' });
  });
});

describe('days', () => {
  test('a day is dropped once no project keeps it, and never with an attempt that is needed', async () => {
    const home = await createTestProject(db);
    const day = Math.floor((NOW - 40 * DAY_MS) / DAY_MS) * DAY_MS;
    await settled(home, [makeSuccess({ operationId: 'a', startedAt: day + 1_000 })]);
    await recordWithIds(db, home.project, [makeUnclear({ operationId: 'b', startedAt: day + DAY_MS + 1_000 })]);
    const name = (at: number) => new Date(at).toISOString().slice(0, 10);
    const first = await pruneAll(db, NOW);
    expect(first.days).toContain(name(day));
    expect(first.keptDays).toEqual([name(day + DAY_MS)]);
    expect(await stateOf(home, 'a')).toBeUndefined();
    expect(await idsOf('event_ledger', home)).toHaveLength(1);
    await settleAll(db, home.project.id, NOW);
    expect(await itemOf(home, 'b')).toMatchObject({ state: 'open' });
    const second = await runRetention({ db, log, now: NOW });
    expect(second.days).toEqual([name(day + DAY_MS)]);
    expect(await count('attempt', home.project.id)).toBe(0);
    expect(await count('event_ledger', home.project.id)).toBe(0);
    expect(await stateOf(home, 'b')).toMatchObject({ state: 'unresolved' });
  });
});

describe('the mark', () => {
  test('a longer retention does not bring back what was let go of; nothing goes before everybody knows', async () => {
    const home = await shortProject();
    const { id } = home.project;
    await settled(home, [makeSuccess({ operationId: 'op', startedAt: EDGE - DAY_MS })]);
    await runRetention({ db, log, now: NOW - 40_000 });
    expect(await count('attempt', id)).toBe(1);
    expect(await readRetentionMark(db.sql, id)).toMatchObject({
      keptFrom: NOW - 40_000 - SHORT_MS,
      removeBefore: null,
    });
    await runRetention({ db, log, now: NOW - 20_000 });
    expect(await readRetentionMark(db.sql, id)).toMatchObject({
      keptFrom: NOW - 40_000 - SHORT_MS,
      removeBefore: null,
    });
    await db.sql`update project set settings = ${JSON.stringify({ retentionMs: 60 * DAY_MS })}::text::jsonb where id = ${id}`;
    await runRetention({ db, log, now: NOW });
    expect(await readRetentionMark(db.sql, id)).toMatchObject({
      keptFrom: NOW - 40_000 - SHORT_MS,
      removeBefore: NOW - 40_000 - SHORT_MS,
    });
    expect(await count('attempt', id)).toBe(0);
  });

  test('a clock a year ahead of the database removes nothing', async () => {
    const home = await shortProject();
    await settled(home, [makeSuccess({ operationId: 'op', startedAt: NOW - DAY_MS })]);
    await runRetention({ db, log, now: NOW + 365 * DAY_MS });
    await runRetention({ db, log, now: NOW + 366 * DAY_MS });
    expect(await count('attempt', home.project.id)).toBe(1);
    expect((await readRetentionMark(db.sql, home.project.id))?.keptFrom).toBeLessThan(Date.now() - SHORT_MS + 1);
  });
});

describe('what outlives attempts', () => {
  test('rollups go by whole days after 400, and an operation that is still in doubt then moves only what is left', async () => {
    const home = await shortProject();
    const { id } = home.project;
    const gone = NOW - 401 * DAY_MS;
    const kept = Math.floor((NOW - 400 * DAY_MS) / DAY_MS) * DAY_MS;
    await settled(home, [
      makeUnclear({ operationId: 'ancient', startedAt: gone }),
      makeSuccess({ operationId: 'edge', startedAt: kept }),
    ]);
    const grains = await count('rate_rollup', id, `at >= '${new Date(kept).toISOString()}'`);
    await pruneAll(db, NOW);
    expect(await count('rate_rollup', id)).toBe(grains);
    expect(await count('operation_rollup', id, `at < '${new Date(kept).toISOString()}'`)).toBe(0);
    expect(await count('operation_rollup', id)).toBeGreaterThan(0);
    expect(await stateOf(home, 'ancient')).toMatchObject({ state: 'unresolved' });

    await settled(home, [makeReadBack({ operationId: 'ancient', startedAt: NOW - DAY_MS })]);
    expect(await stateOf(home, 'ancient')).toMatchObject({ state: 'succeeded' });
    expect(await count('operation_rollup', id, `at < '${new Date(kept).toISOString()}'`)).toBe(0);
    expect(await count('operation_touch', id)).toBe(0);
  });

  test('findings across operations go at the edge, but not those charged to a write that waits for a person', async () => {
    const home = await shortProject();
    const { id } = home.project;
    const burst = (operationId: string, at: number): Fact[] => [
      makeThrottled(600, {
        operationId,
        startedAt: at,
        code: 'CALLER_RATE_LIMITED',
        profile: 'vibecode',
        credential: 'c',
      }),
    ];
    const early = (operationId: string, at: number): Fact =>
      makeUnclear({ operationId, startedAt: at, profile: 'vibecode', credential: 'c' });
    const old = EDGE - 2 * DAY_MS;
    await settled(home, [...burst('a', old), early('b', old + 5_000)]);
    const waiting = await count('finding', id, `stream_key is not null and operation_id = 'b'`);
    const all = await count('finding', id, 'stream_key is not null');
    expect(waiting).toBeGreaterThan(0);
    await pruneAll(db, NOW);
    expect(await count('finding', id, `stream_key is not null and operation_id = 'b'`)).toBe(waiting);
    await db.sql`update review_item set state = 'resolved', resolution = 'not_applied', resolution_note = 'looked',
      resolved_at = now(), resolved_by = 'Anna' where project_id = ${id}`;
    const { projects } = await runRetention({ db, log, now: NOW });
    expect(projects.find(({ projectId }) => projectId === id)?.pruned.findings).toBeGreaterThan(0);
    expect(await count('finding', id, 'stream_key is not null')).toBe(0);
    expect(await count('finding_operation', id)).toBe(0);
    expect(all).toBeGreaterThanOrEqual(waiting);
  });

  test('a window that reaches behind the mark keeps what was found in it', async () => {
    const home = await shortProject();
    const { id } = home.project;
    const at = EDGE + 10_000;
    await settled(home, [
      makeThrottled(600, {
        operationId: 'a',
        startedAt: at - 20_000,
        code: 'CALLER_RATE_LIMITED',
        profile: 'vibecode',
        credential: 'c',
      }),
      makeSuccess({ operationId: 'b', startedAt: at, profile: 'vibecode', credential: 'c' }),
    ]);
    const before = await count('finding', id, `stream_key is not null and operation_id = 'b'`);
    expect(before).toBeGreaterThan(0);
    await pruneAll(db, NOW);
    await settled(home, [
      makeSuccess({ operationId: 'late', startedAt: at + 1_000, profile: 'vibecode', credential: 'c' }),
    ]);
    expect(await count('finding', id, `stream_key is not null and operation_id = 'b'`)).toBe(before);
    expect(await count('stream_touch', id)).toBe(0);
  });
});
