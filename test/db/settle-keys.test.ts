import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '@/db/client';
import type { Attempt, Fact } from '@/lib/core/attempt';
import { evaluateFacts } from '@/lib/ingest/handle-evaluate';
import { getOperation } from '@/lib/queries/operation';
import { getReviewItem, listReview } from '@/lib/queries/review';
import { resolveReviewItem } from '@/lib/services/review/resolve';
import { startRecompute } from '@/lib/services/recompute/start';
import { makeStarted, makeSuccess, makeUnclear } from '../factories/facts';
import { conclusionsOf } from '../support/conclusions';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestProject, type TestProject } from '../support/project';
import { actingIn, workJob } from '../support/recompute';
import { recordFacts } from '../support/record-facts';
import { settleAll } from '../support/settle-all';
import { storySteps, tellStory } from '../support/tell-story';

/** A key that another operation used for another request proves nothing, in whatever order the two are told. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const T0 = Date.UTC(2026, 10, 29, 23, 30);
const NOW = T0 + 30 * HOUR;

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.close());

type Fields = Partial<Attempt>;
const keyed = (key: string, fields: Fields): Fields => ({
  idempotency: { keyHash: key },
  target: 'api.pay',
  ...fields,
});

/** Nobody heard of it, then it worked under the same key. */
function retried(operationId: string, fields: Fields, at = T0): [Attempt, Attempt] {
  return [
    makeUnclear({ operationId, startedAt: at, ...keyed('k', fields) }),
    makeSuccess({ operationId, startedAt: at + MINUTE, attempt: 2, ...keyed('k', fields) }),
  ];
}

function single(operationId: string, fields: Fields, at = T0 + HOUR): Attempt {
  return makeSuccess({ operationId, startedAt: at, ...keyed('k', fields) });
}

/** Tells some facts at a time, settling after each. */
async function told(...parts: Fact[][]): Promise<TestProject> {
  const home = await createTestProject(db, { profile: 'http' });
  for (const part of parts) await tell(home, part);
  return home;
}

async function tell(home: TestProject, facts: Fact[], now = NOW): Promise<number> {
  await recordFacts(db, home.project, facts);
  const { settled } = await settleAll(db, home.project.id, now);
  const left = await db.sql`select 1 from operation_touch where project_id = ${home.project.id}`;
  expect(left).toHaveLength(0);
  return settled;
}

async function storyOf(home: TestProject, operationId: string) {
  const story = await getOperation({ db, project: home.project, now: NOW }, operationId);
  const [stored] = await db.sql`
    select state, possible_effects from operation where project_id = ${home.project.id} and operation_id = ${operationId}`;
  expect(stored).toEqual({ state: story?.state, possible_effects: story?.possibleEffects });
  return story;
}

async function itemsOf(home: TestProject, now = NOW) {
  const page = await listReview({ db, project: home.project, now }, { filters: {}, sort: 'due', limit: 50 });
  return page.items;
}

const DOUBTFUL = { state: 'succeeded_with_possible_duplicates', possibleEffects: 2 };
const SETTLED = { state: 'succeeded', possibleEffects: 1 };

describe('a key used by two operations', () => {
  const a = retried('a', { fingerprint: 'f1' });
  const other = single('b', { fingerprint: 'f2' });
  const fresh = (facts: Fact[]): Fact[] => facts.map((fact) => ({ ...fact, id: crypto.randomUUID() }));

  test('for two requests is trusted in neither, whatever came first', async () => {
    const [first, second] = a;
    const orders: Fact[][][] = [
      [[...a], [other]],
      [[other], [...a]],
      [[...a, other]],
      [[first], [other], [second]],
      [[second], [first], [other]],
    ];
    for (const order of orders) {
      const home = await told(...order.map(fresh));
      expect(await storyOf(home, 'a')).toMatchObject(DOUBTFUL);
      expect(await itemsOf(home)).toMatchObject([{ operationId: 'a', state: 'open', cause: 'possible_duplicates' }]);
    }
  });

  test('for one request stays trusted, and neither sets the other off for ever', async () => {
    const home = await told(fresh(a));
    const settled = await tell(home, retried('b', { fingerprint: 'f1' }, T0 + HOUR));
    expect(settled).toBe(1);
    for (const operationId of ['a', 'b']) expect(await storyOf(home, operationId)).toMatchObject(SETTLED);
    expect(await itemsOf(home)).toEqual([]);
    // The first of all to use it for something else takes it from both.
    await tell(home, [single('c', { fingerprint: 'f2' }, T0 + 2 * HOUR)]);
    for (const operationId of ['a', 'b']) expect(await storyOf(home, operationId)).toMatchObject(DOUBTFUL);
    expect(await itemsOf(home)).toHaveLength(2);
  });

  test('counts from an announcement on, across midnight, and no longer than a server remembers it', async () => {
    const started = makeStarted({
      operationId: 'b',
      startedAt: T0 + MINUTE + 24 * HOUR,
      fingerprint: 'f2',
      target: 'api.pay',
      idempotency: { keyHash: 'k' },
    });
    const home = await told(fresh(a), [started]);
    expect(await storyOf(home, 'a')).toMatchObject(DOUBTFUL);
    const late = await told(fresh(a), [
      { ...started, id: crypto.randomUUID(), startedAt: T0 + MINUTE + 24 * HOUR + 1 },
    ]);
    expect(await storyOf(late, 'a')).toMatchObject(SETTLED);
  });

  test('is of its own project and server', async () => {
    const home = await told(fresh(a), fresh([{ ...other, target: 'api.mail' }]));
    await told(fresh([other]));
    expect(await storyOf(home, 'a')).toMatchObject(SETTLED);
  });
});

describe('an operation that the database refuses', () => {
  test('holds up nobody that used its key, and is concluded again once it can be', async () => {
    const home = await told(retried('bad', { fingerprint: 'f1' }));
    await db.sql.unsafe(`create function refuse_bad() returns trigger language plpgsql as $$ begin
      if new.operation_id = 'bad' then raise check_violation using message = 'made by the test'; end if;
      return new; end $$;
      create trigger refuse_bad before insert or update on operation for each row execute function refuse_bad()`);
    await recordFacts(db, home.project, [single('b', { fingerprint: 'f2' })]);
    await settleAll(db, home.project.id, NOW);
    expect(await storyOf(home, 'b')).toMatchObject({ state: 'succeeded' });
    await db.sql.unsafe('drop trigger refuse_bad on operation');
    await settleAll(db, home.project.id, NOW + HOUR);
    expect(await storyOf(home, 'bad')).toMatchObject(DOUBTFUL);
    expect(await itemsOf(home)).toMatchObject([{ operationId: 'bad', state: 'open' }]);
  });
});

describe('an item that a key had settled', () => {
  const a = retried('a', { fingerprint: 'f1' });
  const other = () => single('b', { fingerprint: 'f2' });

  test('opens again when another operation turns out to have used the key, and says why', async () => {
    const home = await createTestProject(db, { profile: 'http' });
    await tell(home, [a[0]], T0 + 30_000 + 20 * MINUTE);
    expect(await itemsOf(home)).toMatchObject([{ operationId: 'a', state: 'open' }]);
    await tell(home, [a[1]]);
    expect(await itemsOf(home)).toMatchObject([{ state: 'resolved', resolution: 'applied_once' }]);
    await tell(home, [other()], NOW + HOUR);
    const [item] = await itemsOf(home);
    expect(item).toMatchObject({ state: 'open', resolution: null, cause: 'possible_duplicates' });
    const { history } = (await getReviewItem({ db, project: home.project, now: NOW }, item?.id ?? '')) ?? {};
    expect(history?.map(({ action }) => action)).toEqual(['opened', 'evidence', 'settled', 'reopened']);
    expect(history?.at(-1)?.newValue).toMatchObject({ reason: 'proof_withdrawn' });
  });

  test('stays open when retention has taken the other operation and its places', async () => {
    const home = await told([...a, other()]);
    const { id } = home.project;
    await db.sql`delete from attempt where project_id = ${id} and operation_id = 'b'`;
    await db.sql`delete from stream_member where project_id = ${id} and operation_id = 'b'`;
    await db.sql`insert into operation_touch (project_id, operation_id) values (${id}, 'a')`;
    await settleAll(db, id, NOW + HOUR);
    expect(await storyOf(home, 'a')).toMatchObject(DOUBTFUL);
    expect(await itemsOf(home)).toMatchObject([{ operationId: 'a', state: 'open' }]);
  });

  test('that a person resolved stays resolved', async () => {
    const home = await told([...a, other()]);
    const [item] = await itemsOf(home);
    const ctx = actingIn(db, home, NOW + 1_000);
    const note = 'looked it up';
    const body = { version: item?.version, resolution: 'applied_once', note };
    const done = await resolveReviewItem(ctx, item?.id ?? '', body);
    if (!done.ok) throw new Error(done.refusal.code);
    await tell(home, [single('c', { fingerprint: 'f3' }, T0 + 2 * HOUR)], NOW + HOUR);
    expect(await itemsOf(home, NOW + HOUR)).toMatchObject([{ state: 'resolved', resolution: 'applied_once' }]);
    expect(await storyOf(home, 'a')).toMatchObject({ state: 'succeeded' });
  });
});

describe('random traffic with shared keys', () => {
  const orders = fc.array(fc.nat(), { minLength: 60, maxLength: 60 });
  const END = T0 + 24 * HOUR;

  test('ends the same told in any order and computed again, and evaluation says the same', async () => {
    let doubted = 0;
    await fc.assert(
      fc.asyncProperty(storySteps, orders, async (steps, order) => {
        const facts = tellStory(steps, T0).filter(({ type }) => type !== 'tally');
        const bare = facts.map((fact) => ('idempotency' in fact ? { ...fact, idempotency: undefined } : fact));
        const shuffled = facts.map((fact, i) => ({ fact, at: order[i] ?? 0 })).sort((x, y) => x.at - y.at);
        const [home, whole] = [await createTestProject(db, { profile: 'http' }), await createTestProject(db)];
        for (let i = 0; i < shuffled.length; i += 5) {
          const part = shuffled.slice(i, i + 5).map(({ fact }) => fact);
          await recordFacts(db, home.project, part);
          await settleAll(db, home.project.id, END, 2);
        }
        await recordFacts(db, whole.project, facts);
        await settleAll(db, whole.project.id, END);
        const live = await conclusionsOf(db, home);
        expect(live).toEqual(await conclusionsOf(db, whole));
        await startRecompute(actingIn(db, home, END), {});
        await workJob(db, home, END, { sliceOperations: 3 });
        expect(await conclusionsOf(db, home)).toEqual(live);
        const stored = live.operations.map(({ operation_id: id, state, possible_effects: effects }) => [
          id,
          state,
          effects,
        ]);
        const evaluated = evaluateFacts(facts, home.project, END)
          .filter(({ attempts }) => attempts.length > 0)
          .map(({ operationId, state, possibleEffects }) => [operationId, state, possibleEffects]);
        expect(stored).toEqual(evaluated.sort(([x], [y]) => (String(x) < String(y) ? -1 : 1)));
        if (JSON.stringify(evaluated) !== JSON.stringify(evaluateFacts(bare, home.project, END))) doubted += 1;
      }),
      { numRuns: 6 },
    );
    expect(doubted).toBeGreaterThan(0);
  }, 120_000);
});
