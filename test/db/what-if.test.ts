import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '@/db/client';
import type { SettingsChange } from '@/lib/core/settings-change';
import { getRecomputeJob } from '@/lib/queries/recompute';
import type { WhatIfResultView } from '@/lib/queries/views';
import { changeSettings } from '@/lib/services/project/change-settings';
import { startRecompute, startWhatIf } from '@/lib/services/recompute/start';
import { makeUnclear } from '../factories/facts';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { dumpSettled } from '../support/dump-settled';
import { createTestProject, type TestProject } from '../support/project';
import { actingIn, workJob } from '../support/recompute';
import { recordFacts } from '../support/record-facts';
import { settleAll, settleWindows } from '../support/settle-all';
import { storySteps, tellStory } from '../support/tell-story';

const T0 = Date.UTC(2026, 10, 29, 10, 7);
const NOW = T0 + 24 * 3_600_000;

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.close());

const CHANGE: SettingsChange = {
  settings: {
    toleranceSecondsMs: 900,
    idleOverMs: 60_000,
    // Checks across operations: what is a pause broken by others, a loop of errors, too much load.
    pauseGraceMs: 5_000,
    errorLoopMinCount: 3,
    errorLoopWindowMs: 3_600_000,
    amplificationFactor: 1.1,
    amplificationOperationsMinCount: 1,
  },
  targets: [{ pattern: 'api.example', profile: 'http' }],
  ruleSets: { vibecode: 'vibecode@older-ru' },
};

async function preview(home: TestProject, change: SettingsChange, knobs = {}): Promise<WhatIfResultView> {
  const started = await startWhatIf(actingIn(db, home, NOW), change);
  if (!started.ok) throw new Error(JSON.stringify(started.refusal));
  await workJob(db, home, NOW, { sliceOperations: 4, ...knobs });
  const job = await getRecomputeJob(actingIn(db, home, NOW), started.value.id);
  if (job?.mode !== 'preview' || !job.result) throw new Error('no result');
  return job.result;
}

async function apply(home: TestProject, change: SettingsChange): Promise<void> {
  const changed = await changeSettings(actingIn(db, home, NOW), { version: 1, ...change });
  const started = changed.ok && (await startRecompute(actingIn(db, home, NOW), {}));
  if (!started || !started.ok) throw new Error('not applied');
  await workJob(db, home, NOW);
  await settleWindows(db, home.project.id, NOW);
}

/** What is stored, by the keys that a preview counts by. */
async function standing(home: TestProject) {
  const dump = await dumpSettled(db, home.project.id);
  const attempts = await db.sql<{ id: string; action: string }[]>`
    select a.id, d.action from attempt a
    join dimension d on d.project_id = a.project_id and d.id = a.dimension_id where a.project_id = ${home.project.id}`;
  const textOf = (row: Record<string, unknown>, name: string) => String(row[name]);
  const findings = new Map<string, number>();
  for (const row of dump.finding) {
    const key = [row.check_name, row.operation_id, row.attempt, row.severity, row.subject_value].join('|');
    findings.set(key, (findings.get(key) ?? 0) + 1);
  }
  return {
    states: new Map(dump.operation.map((row) => [textOf(row, 'operation_id'), textOf(row, 'state')])),
    actions: new Map(attempts.map((row) => [row.id, row.action])),
    waits: new Map(dump.retry_pair.map((row) => [textOf(row, 'attempt_event_id'), textOf(row, 'compliance')])),
    open: new Set(dump.review_item.filter((row) => row.state !== 'resolved').map((row) => textOf(row, 'operation_id'))),
    findings,
  };
}

type Standing = Awaited<ReturnType<typeof standing>>;

function changesOf(before: Map<string, string>, after: Map<string, string>) {
  const sums = new Map<string, number>();
  for (const [key, to] of after) {
    const from = before.get(key);
    if (from !== undefined && from !== to) sums.set(`${from} ${to}`, (sums.get(`${from} ${to}`) ?? 0) + 1);
  }
  return Object.fromEntries(sums);
}

function differences(before: Standing, after: Standing) {
  const findings: Record<string, { added: number; removed: number }> = {};
  for (const key of new Set([...before.findings.keys(), ...after.findings.keys()])) {
    const more = (after.findings.get(key) ?? 0) - (before.findings.get(key) ?? 0);
    const sum = (findings[key.split('|')[0] ?? ''] ??= { added: 0, removed: 0 });
    if (more > 0) sum.added += more;
    else sum.removed -= more;
  }
  const waited = new Set([...before.waits.keys(), ...after.waits.keys()]);
  return {
    verdicts: changesOf(before.actions, after.actions),
    states: changesOf(before.states, after.states),
    opened: [...after.open].filter((id) => !before.open.has(id)).length,
    closed: [...before.open].filter((id) => !after.open.has(id)).length,
    pairsChanged: [...waited].filter((id) => before.waits.get(id) !== after.waits.get(id)).length,
    findings: Object.fromEntries(Object.entries(findings).filter(([, sum]) => sum.added + sum.removed > 0)),
  };
}

function keyed(list: readonly { from: string; to: string; count: number }[]): Record<string, number> {
  return Object.fromEntries(list.map(({ from, to, count }) => [`${from} ${to}`, count]));
}

describe('what-if', () => {
  test('says exactly what applying then does, and stores nothing itself', async () => {
    let moved = 0;
    // A client that died leaves a made-up send, which no stored attempt shows.
    const told = storySteps.map((steps) => steps.filter((step) => step.kind !== 'started'));
    await fc.assert(
      fc.asyncProperty(told, async (steps) => {
        const home = await createTestProject(db, { profile: 'vibecode' });
        await recordFacts(db, home.project, tellStory(steps, T0));
        await settleAll(db, home.project.id, NOW);
        const before = await dumpSettled(db, home.project.id);
        const was = await standing(home);
        const said = await preview(home, CHANGE);
        expect(await dumpSettled(db, home.project.id)).toEqual(before);
        await apply(home, CHANGE);
        const is = differences(was, await standing(home));
        expect({
          verdicts: keyed(said.verdictsChanged),
          states: keyed(said.states),
          ...said.reviewItems,
          pairsChanged: said.pairsChanged,
          findings: Object.fromEntries(said.findings.map(({ check, added, removed }) => [check, { added, removed }])),
        }).toEqual(is);
        expect(said).toMatchObject({ operations: was.states.size, total: was.states.size, cut: false });
        if (Object.keys(is.states).length > 0 && is.opened + is.closed > 0) moved += 1;
      }),
      { numRuns: 8 },
    );
    expect(moved).toBeGreaterThanOrEqual(2);
  }, 180_000);

  test('a change to what already holds moves nothing', async () => {
    const home = await createTestProject(db, { profile: 'vibecode' });
    await recordFacts(db, home.project, [makeUnclear({ operationId: 'op', startedAt: T0 })]);
    await settleAll(db, home.project.id, NOW);
    expect(await preview(home, { settings: { toleranceSecondsMs: 50 }, ruleSets: { http: null } })).toMatchObject({
      operations: 1,
      total: 1,
      cut: false,
      verdictsChanged: [],
      findings: [],
      reviewItems: { opened: 0, closed: 0 },
      states: [],
      pairsChanged: 0,
    });
  });

  test('a range too long for one look says how much it saw, the newest', async () => {
    const home = await createTestProject(db, { profile: 'vibecode' });
    const facts = Array.from({ length: 20 }, (_, i) =>
      makeUnclear({
        operationId: `op-${i}`,
        startedAt: T0 + i * 1_000,
        target: i >= 13 ? 'api.example' : 'crm.example',
      }),
    );
    await recordFacts(db, home.project, facts);
    await settleAll(db, home.project.id, NOW);
    const cut = await preview(home, { targets: [{ pattern: 'api.*', profile: 'http' }] }, { previewOperationsMax: 7 });
    expect(cut).toMatchObject({ operations: 7, total: 20, cut: true });
  });

  test('a range looks at what began in it', async () => {
    const home = await createTestProject(db, { profile: 'vibecode' });
    const facts = [0, 1, 2, 3].map((i) => makeUnclear({ operationId: `op-${i}`, startedAt: T0 + i * 60_000 }));
    await recordFacts(db, home.project, facts);
    await settleAll(db, home.project.id, NOW);
    const range = { from: T0 + 60_000, to: new Date(T0 + 180_000).toISOString() };
    const started = await startWhatIf(actingIn(db, home, NOW), { ...range, settings: {} });
    if (!started.ok) throw new Error(started.refusal.code);
    await workJob(db, home, NOW);
    expect(await getRecomputeJob(actingIn(db, home, NOW), started.value.id)).toMatchObject({ done: 2, total: 2 });
  });
});
