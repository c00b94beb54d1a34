import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '@/db/client';
import type { Fact } from '@/lib/core/attempt';
import { getReviewItem, listReview } from '@/lib/queries/review';
import { getOperation } from '@/lib/queries/operation';
import { makeClosed, makeReadBack, makeStarted, makeSuccess, makeThrottled, makeUnclear } from '../factories/facts';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestProject, type TestProject } from '../support/project';
import { recordFacts } from '../support/record-facts';
import { settleAll } from '../support/settle-all';
import { dumpSettled } from '../support/dump-settled';

const MINUTE = 60_000;
const T0 = Date.UTC(2026, 10, 29, 10, 7);

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.close());

async function settled(facts: Fact[], now: number): Promise<TestProject> {
  const home = await createTestProject(db);
  await recordFacts(db, home.project, facts);
  await settleAll(db, home.project.id, now);
  return home;
}

async function reviewOf(home: TestProject, now: number) {
  const page = await listReview({ db, project: home.project, now }, { filters: {}, sort: 'due', limit: 50 });
  return page.items;
}

describe('settling', () => {
  test('a batch call that its items stand for is no operation, also when they come after it was given up', async () => {
    const started = makeStarted({ operationId: 'op', startedAt: T0 });
    const home = await settled([started], T0 + 6 * MINUTE);
    const context = { db, project: home.project, now: T0 + 20 * MINUTE };
    expect(await getOperation(context, 'op')).toMatchObject({ state: 'unresolved' });
    const trace = makeStarted({ operationId: 'op', startedAt: T0, itemsTold: true });
    const item = makeSuccess({ operationId: 'op#0', startedAt: T0, endedAt: T0 + 8 * MINUTE });
    await recordFacts(db, home.project, [trace, item]);
    await settleAll(db, home.project.id, T0 + 20 * MINUTE);
    expect(await getOperation(context, 'op')).toBeNull();
    expect(await reviewOf(home, T0 + 20 * MINUTE)).toMatchObject([
      { operationId: 'op', state: 'resolved', resolution: 'cannot_be_known' },
    ]);
    const counted = (await dumpSettled(db, home.project.id)).operation_rollup.filter(({ grain }) => grain === 1);
    expect(counted).toMatchObject([{ state: 'succeeded', operations: 1, attempts: 1 }]);
  });

  test('an unclear write waits for its read-back, then opens, with its money and its deadline', async () => {
    const unclear = makeUnclear({ operationId: 'op', startedAt: T0, amount: { value: '12.50', currency: 'EUR' } });
    const home = await settled([unclear], T0 + 5_000);
    const [waiting] = await reviewOf(home, T0 + 5_000);
    expect(waiting).toMatchObject({ state: 'waiting', cause: 'unknown_outcome', code: 'TimeoutError', version: 1 });
    expect(waiting).toMatchObject({ amount: { value: '12.50', currency: 'EUR' }, openedAt: T0 + 200 + 10 * MINUTE });
    expect(waiting?.dueAt).toBe(T0 + 200 + 10 * MINUTE + 24 * 60 * MINUTE);

    await settleAll(db, home.project.id, T0 + 11 * MINUTE);
    const [open] = await reviewOf(home, T0 + 11 * MINUTE);
    expect(open).toMatchObject({ state: 'open', id: waiting?.id });
    const item = await getReviewItem({ db, project: home.project, now: T0 }, open?.id ?? '');
    expect(item?.history.map((event) => event.action)).toEqual(['opened', 'due']);
  });

  test('a unique read-back settles the item by itself; a weak one only suggests', async () => {
    const unclear = makeUnclear({ operationId: 'op', startedAt: T0 });
    const home = await settled([unclear], T0 + 5_000);
    const weak = makeReadBack({ operationId: 'op', startedAt: T0 + 2 * MINUTE, criterion: 'weak' });
    await recordFacts(db, home.project, [weak]);
    await settleAll(db, home.project.id, T0 + 3 * MINUTE);
    const [still] = await reviewOf(home, T0 + 3 * MINUTE);
    expect(still).toMatchObject({ state: 'waiting', suggestion: { resolution: 'applied_once' } });

    await recordFacts(db, home.project, [makeReadBack({ operationId: 'op', startedAt: T0 + 4 * MINUTE })]);
    await settleAll(db, home.project.id, T0 + 5 * MINUTE);
    const [closed] = await reviewOf(home, T0 + 5 * MINUTE);
    expect(closed).toMatchObject({ state: 'resolved', resolution: 'applied_once', resolvedBy: 'Readback' });
    const item = await getReviewItem({ db, project: home.project, now: T0 }, closed?.id ?? '');
    expect(item?.history.map((event) => event.action)).toEqual(['opened', 'evidence', 'evidence', 'settled']);
  });

  test('closed: abandoned settles no doubt', async () => {
    const unclear = makeUnclear({ operationId: 'op', startedAt: T0 });
    const gone = makeClosed({ operationId: 'op', startedAt: T0 + MINUTE, result: 'abandoned' });
    const home = await settled([unclear, gone], T0 + 30 * MINUTE);
    expect(await reviewOf(home, T0)).toMatchObject([{ state: 'open', resolution: null }]);
  });

  test('a recurrence after proof opens a linked new episode; the first stays as it was', async () => {
    const first = makeUnclear({ operationId: 'op', startedAt: T0 });
    const absent = makeReadBack({ operationId: 'op', startedAt: T0 + 5 * MINUTE, result: 'absent' });
    const home = await settled([first, absent], T0 + 6 * MINUTE);
    expect(await reviewOf(home, T0)).toEqual([]);
    const again = makeUnclear({ operationId: 'op', startedAt: T0 + 7 * MINUTE, attempt: 2 });
    await recordFacts(db, home.project, [again]);
    await settleAll(db, home.project.id, T0 + 8 * MINUTE);
    expect(await reviewOf(home, T0)).toMatchObject([{ episode: 1, state: 'waiting' }]);
    const absentAgain = makeReadBack({ operationId: 'op', startedAt: T0 + 9 * MINUTE, result: 'absent' });
    await recordFacts(db, home.project, [absentAgain]);
    await settleAll(db, home.project.id, T0 + 10 * MINUTE);
    await recordFacts(db, home.project, [makeUnclear({ operationId: 'op', startedAt: T0 + 11 * MINUTE, attempt: 3 })]);
    await settleAll(db, home.project.id, T0 + 12 * MINUTE);
    const items = (await reviewOf(home, T0)).sort((a, b) => a.episode - b.episode);
    expect(items).toMatchObject([
      { episode: 1, state: 'resolved', resolution: 'not_applied' },
      { episode: 2, state: 'waiting' },
    ]);
  });

  test('a client that died after its start becomes an unclear write once its time is up', async () => {
    const started = makeStarted({ operationId: 'op', startedAt: T0 });
    const home = await settled([started], T0 + MINUTE);
    expect(await getOperation({ db, project: home.project, now: T0 + MINUTE }, 'op')).toBeNull();
    const later = T0 + 6 * MINUTE;
    await settleAll(db, home.project.id, later);
    expect(await getOperation({ db, project: home.project, now: later }, 'op')).toMatchObject({ state: 'unresolved' });
    expect(await reviewOf(home, later)).toMatchObject([{ state: 'waiting' }]);
    // The attempt itself arrives late after all: a success, so the doubt has lost its ground.
    await recordFacts(db, home.project, [makeSuccess({ operationId: 'op', startedAt: T0, endedAt: T0 + 400_000 })]);
    await settleAll(db, home.project.id, later + MINUTE);
    expect(await reviewOf(home, later)).toMatchObject([{ state: 'resolved', resolution: 'applied_once' }]);
  });

  test('run twice, or with every operation touched again, changes no row', async () => {
    const home = await settled(
      [
        makeThrottled(5, { operationId: 'a', startedAt: T0 }),
        makeSuccess({ operationId: 'a', startedAt: T0 + 6_000, attempt: 2 }),
        makeThrottled(5, { operationId: 'b', startedAt: T0 }),
        makeSuccess({ operationId: 'b', startedAt: T0 + 2_000, attempt: 2 }),
        makeUnclear({ operationId: 'c', startedAt: T0, amount: { value: '007.50', currency: 'EUR' } }),
      ],
      T0 + MINUTE,
    );
    const before = await dumpSettled(db, home.project.id);
    await settleAll(db, home.project.id, T0 + MINUTE);
    for (const id of ['a', 'b', 'c']) {
      await db.sql`insert into operation_touch (project_id, operation_id) values (${home.project.id}, ${id})`;
    }
    await settleAll(db, home.project.id, T0 + MINUTE);
    expect(await dumpSettled(db, home.project.id)).toEqual(before);
    expect(before.retry_pair).toMatchObject([{ compliance: 'honoured' }, { compliance: 'early', early_ms: '3200' }]);
  });
});
