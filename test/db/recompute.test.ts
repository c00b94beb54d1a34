import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '@/db/client';
import type { Fact } from '@/lib/core/attempt';
import { applyChange, overridesOf, type SettingsChange } from '@/lib/core/settings-change';
import { getRecomputeJob } from '@/lib/queries/recompute';
import { changeSettings } from '@/lib/services/project/change-settings';
import { cancelRecompute } from '@/lib/services/recompute/cancel';
import { startRecompute } from '@/lib/services/recompute/start';
import { conclusionsOf } from '../support/conclusions';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { dumpSettled } from '../support/dump-settled';
import { createTestProject, type TestProject } from '../support/project';
import { actingIn, workJob } from '../support/recompute';
import { recordFacts } from '../support/record-facts';
import { recountRollups } from '../support/recount';
import { settleAll, settleWindows } from '../support/settle-all';
import { storySteps, tellStory } from '../support/tell-story';

const T0 = Date.UTC(2026, 10, 29, 10, 7);
const END = T0 + 24 * 3_600_000;
const LATER = END + 60_000;

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.close());

const CHANGE: SettingsChange = {
  settings: { toleranceSecondsMs: 900, idleOverMs: 60_000, diedAfterMs: 30_000, reviewDeadlineMs: 3_600_000 },
  targets: [{ pattern: 'api.example', profile: 'http' }],
  ruleSets: { vibecode: 'vibecode@older-ru' },
};

const BASE = { profile: 'vibecode' as const };

/** Settled live: piece by piece, in any order. */
async function settleLive(home: TestProject, facts: readonly Fact[], order: readonly number[]): Promise<void> {
  const shuffled = facts.map((fact, i) => ({ fact, key: order[i] ?? 0 })).sort((a, b) => a.key - b.key);
  for (let i = 0; i < shuffled.length; i += 7) {
    await recordFacts(
      db,
      home.project,
      shuffled.slice(i, i + 7).map(({ fact }) => fact),
    );
    await settleAll(db, home.project.id, END, 3);
  }
}

async function factsOf(home: TestProject) {
  const { sql } = db;
  const attempts = await sql`select id, event from attempt where project_id = ${home.project.id} order by id`;
  const facts = await sql`select id, event from fact where project_id = ${home.project.id} order by id`;
  return [...attempts, ...facts];
}

async function queue(home: TestProject, now: number): Promise<string> {
  const started = await startRecompute(actingIn(db, home, now), {});
  if (!started.ok) throw new Error(started.refusal.code);
  return started.value.id;
}

async function recompute(home: TestProject, now: number): Promise<string> {
  const id = await queue(home, now);
  await workJob(db, home, now, { sliceOperations: 3 });
  await settleWindows(db, home.project.id, now);
  return id;
}

async function change(home: TestProject, wished: SettingsChange, version = 1): Promise<void> {
  const done = await changeSettings(actingIn(db, home, LATER), { version, ...wished });
  if (!done.ok) throw new Error(JSON.stringify(done.refusal));
}

/** A project that had the changed settings from the start. */
async function freshWith(wished: SettingsChange, facts: readonly Fact[]): Promise<TestProject> {
  const plain = await createTestProject(db, BASE);
  const { settings, profiles, ruleSets } = applyChange(plain.project, wished);
  const home = await createTestProject(db, {
    ...BASE,
    targets: profiles.targets,
    settings: overridesOf(settings),
    ruleSets,
  });
  await recordFacts(db, home.project, facts);
  await settleAll(db, home.project.id, LATER);
  return home;
}

async function expectRecount(home: TestProject): Promise<void> {
  expect(await recountRollups(db, home.project.id)).toEqual({ rate: [], operation: [], compliance: [] });
}

const orders = fc.array(fc.nat(), { minLength: 60, maxLength: 60 });

describe('recomputing random traffic', () => {
  test('under unchanged rules no row changes, not even its time of writing', async () => {
    await fc.assert(
      fc.asyncProperty(storySteps, orders, async (list, order) => {
        const home = await createTestProject(db, BASE);
        await settleLive(home, tellStory(list, T0), order);
        const before = [await dumpSettled(db, home.project.id), await conclusionsOf(db, home)];
        const id = await recompute(home, END);
        expect([await dumpSettled(db, home.project.id), await conclusionsOf(db, home)]).toEqual(before);
        const { operations } = await conclusionsOf(db, home);
        expect(await getRecomputeJob(actingIn(db, home, END), id)).toMatchObject({
          state: 'done',
          done: operations.length,
          total: operations.length,
          result: { operations: operations.length, attemptsMoved: 0, talliesMoved: 0, failed: 0 },
        });
      }),
      { numRuns: 4 },
    );
  }, 120_000);

  test('after a change it ends as if the change had always been there, and facts stay as they were', async () => {
    let moved = 0;
    await fc.assert(
      fc.asyncProperty(storySteps, orders, async (list, order) => {
        const facts = tellStory(list, T0);
        const home = await createTestProject(db, BASE);
        await settleLive(home, facts, order);
        const stored = await factsOf(home);
        const before = JSON.stringify(await conclusionsOf(db, home));
        await change(home, CHANGE);
        await recompute(home, LATER);
        if (JSON.stringify(await conclusionsOf(db, home)) !== before) moved += 1;
        expect(await conclusionsOf(db, home)).toEqual(await conclusionsOf(db, await freshWith(CHANGE, facts)));
        await expectRecount(home);
        expect(await factsOf(home)).toEqual(stored);
      }),
      { numRuns: 6 },
    );
    // Traffic on which the change makes no difference would prove nothing.
    expect(moved).toBeGreaterThanOrEqual(5);
  }, 180_000);

  test('cancelled half-way and run again, it ends the same', async () => {
    await fc.assert(
      fc.asyncProperty(storySteps, orders, fc.integer({ min: 1, max: 4 }), async (list, order, slices) => {
        const facts = tellStory(list, T0);
        const home = await createTestProject(db, BASE);
        await settleLive(home, facts, order);
        await change(home, CHANGE);
        const first = await queue(home, LATER);
        await workJob(db, home, LATER, { sliceOperations: 2, slices });
        await cancelRecompute(actingIn(db, home, LATER), first);
        await expectRecount(home);
        expect(await workJob(db, home, LATER)).toBe(0);
        await recompute(home, LATER);
        expect(await conclusionsOf(db, home)).toEqual(await conclusionsOf(db, await freshWith(CHANGE, facts)));
      }),
      { numRuns: 3 },
    );
  }, 120_000);
});
