import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, type Database } from '@/db/client';
import { findJob } from '@/db/queries/recompute';
import type { Fact } from '@/lib/core/attempt';
import { applyChange, type SettingsChange } from '@/lib/core/settings-change';
import { runRecomputeSlice } from '@/lib/jobs/recompute';
import { settleProject } from '@/lib/jobs/settle';
import { systemClock } from '@/lib/platform/clock';
import { createLog } from '@/lib/platform/log';
import { getRecomputeJob } from '@/lib/queries/recompute';
import { getReviewItem, listReview } from '@/lib/queries/review';
import { changeSettings } from '@/lib/services/project/change-settings';
import { cancelRecompute } from '@/lib/services/recompute/cancel';
import { startRecompute } from '@/lib/services/recompute/start';
import { claimReviewItem } from '@/lib/services/review/claim';
import { resolveReviewItem } from '@/lib/services/review/resolve';
import { makeReadBack, makeSuccess, makeTally, makeThrottled, makeUnclear } from '../factories/facts';
import { wireAttempt } from '../factories/wire-event';
import { conclusionsOf } from '../support/conclusions';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createIngestClient } from '../support/ingest-client';
import { startIngestServer } from '../support/ingest-server';
import { createTestProject, type TestProject } from '../support/project';
import { actingIn, workJob } from '../support/recompute';
import { recordFacts } from '../support/record-facts';
import { recountRollups } from '../support/recount';
import { settleAll } from '../support/settle-all';

const T0 = Date.UTC(2026, 10, 29, 10);
const NOW = T0 + 24 * 3_600_000;
const log = createLog('silent');
const NO_FAULTS = { rate: [], operation: [], compliance: [] };

const OLDER: SettingsChange = { ruleSets: { vibecode: 'vibecode@older-ru' }, settings: { toleranceSecondsMs: 900 } };

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.close());

/** Operations that the older edition, and a wider tolerance, conclude otherwise. */
function traffic(count: number): Fact[] {
  return Array.from({ length: count }, (_, i) => {
    const [operationId, startedAt] = [`op-${i}`, T0 + i * 1_000];
    if (i % 3 === 0) return [makeThrottled(5, { operationId, startedAt, code: 'CALLER_RATE_LIMITED' })];
    const second = { operationId, startedAt: startedAt + 4_700, attempt: 2 };
    return [makeThrottled(5, { operationId, startedAt, kind: 'read' }), makeSuccess({ ...second, kind: 'read' })];
  }).flat();
}

async function settled(facts: readonly Fact[], ruleSets = {}, settings = {}): Promise<TestProject> {
  const home = await createTestProject(db, { profile: 'vibecode', ruleSets, settings });
  await recordFacts(db, home.project, facts);
  await settleAll(db, home.project.id, NOW);
  return home;
}

async function change(home: TestProject, wished: SettingsChange, version = 1, at = NOW): Promise<void> {
  const done = await changeSettings(actingIn(db, home, at), { version, ...wished });
  if (!done.ok) throw new Error(JSON.stringify(done.refusal));
}

async function queue(home: TestProject, now = NOW): Promise<string> {
  const started = await startRecompute(actingIn(db, home, now), {});
  if (!started.ok) throw new Error(started.refusal.code);
  return started.value.id;
}

const jobOf = async (home: TestProject, id: string) => {
  const job = await getRecomputeJob(actingIn(db, home, NOW), id);
  if (!job) throw new Error('no job');
  return job;
};

describe('a recomputation under faults', () => {
  test('its workers killed again and again, it goes on where it was and ends as if nothing had happened', async () => {
    const facts = traffic(350);
    const home = await settled(facts);
    await change(home, OLDER);
    const id = await queue(home);
    let killedHalfway = 0;
    for (let round = 0; (await jobOf(home, id)).finishedAt === null; round += 1) {
      const worker = fork(new URL('../../lib/runtime/worker-child.ts', import.meta.url), [], {
        execArgv: ['--import', 'tsx'],
        env: { ...process.env, DATABASE_URL: database.url, READBACK_SECRET: 'x'.repeat(40), LOG_LEVEL: 'silent' },
        stdio: 'ignore',
      });
      await once(worker, 'message');
      const { done: before } = await jobOf(home, id);
      while ((await jobOf(home, id)).finishedAt === null && (await jobOf(home, id)).done < before + 60) await sleep(3);
      worker.kill('SIGKILL');
      await once(worker, 'exit');
      const { done, total, finishedAt } = await jobOf(home, id);
      if (done > 0 && done < total && finishedAt === null) killedHalfway += 1;
      if (round > 60) throw new Error('it gets nowhere');
    }
    expect(killedHalfway).toBeGreaterThanOrEqual(2);
    expect(await jobOf(home, id)).toMatchObject({ state: 'done', done: 350, total: 350, result: { failed: 0 } });
    expect(await recountRollups(db, home.project.id)).toEqual(NO_FAULTS);
    // The workers concluded at another moment; by now nothing changes with time.
    await settleAll(db, home.project.id, NOW);
    const { settings } = applyChange(home.project, OLDER);
    const fresh = await settled(facts, OLDER.ruleSets ?? {}, settings);
    expect(await conclusionsOf(db, home)).toEqual(await conclusionsOf(db, fresh));
  }, 120_000);

  test('several workers, settlers and live events at once: every row counts once, all by the rules of now', async () => {
    const home = await settled(traffic(300));
    const server = await startIngestServer(db);
    const client = createIngestClient(server.port, home.keys.ingest);
    const event = () => wireAttempt({ status: 429, code: 'CALLER_RATE_LIMITED', kind: 'write', target: 'crm.example' });
    // The server has seen the project before the change, and judges by the old edition for a while.
    expect((await client.post([event()])).status).toBe(202);
    await change(home, OLDER, 1, Date.now());
    const id = await queue(home, Date.now());
    const context = { db, log, clock: systemClock, ingestLagMs: 0, sliceOperations: 20 };
    const ended = async () => (await jobOf(home, id)).finishedAt !== null;
    const recompute = async (): Promise<void> => {
      while (!(await ended())) if ((await runRecomputeSlice(context, home.project.id)) !== 'worked') await sleep(2);
    };
    const settle = async (): Promise<void> => {
      while (!(await ended())) {
        await settleProject({ db, log, now: Date.now() }, home.project.id, 50);
        await sleep(5);
      }
    };
    const send = async (): Promise<void> => {
      while (!(await ended())) {
        expect((await client.post([event(), event(), event()])).status).toBe(202);
        await sleep(10);
      }
    };
    await Promise.all([recompute(), recompute(), settle(), settle(), send(), send()]);
    await settleAll(db, home.project.id, Date.now());
    expect(await recountRollups(db, home.project.id)).toEqual(NO_FAULTS);
    const editions = await db.sql`
      select rule_set, count(*)::int as n from attempt where project_id = ${home.project.id} group by 1`;
    expect(editions.map((row) => row.rule_set as string)).toEqual(['vibecode@older-ru']);
    expect(await jobOf(home, id)).toMatchObject({ state: 'done', result: { failed: 0 } });
    await server.close();
  }, 120_000);

  test('settings that change under it make it start over', async () => {
    const facts = traffic(60);
    const home = await settled(facts);
    await change(home, { ruleSets: { vibecode: 'vibecode@older-ru' } });
    const id = await queue(home);
    await workJob(db, home, NOW, { sliceOperations: 20, slices: 2 });
    expect(await jobOf(home, id)).toMatchObject({ done: 40, state: 'running' });
    await change(home, { targets: [{ pattern: '*', profile: 'http' }], defaultProfile: 'http' }, 2);
    await workJob(db, home, NOW, { sliceOperations: 20 });
    expect(await jobOf(home, id)).toMatchObject({ done: 60, state: 'done', result: { operations: 60 } });
    const fresh = await createTestProject(db, { profile: 'http', targets: [{ pattern: '*', profile: 'http' }] });
    await recordFacts(db, fresh.project, facts);
    await settleAll(db, fresh.project.id, NOW);
    expect(await conclusionsOf(db, home)).toEqual(await conclusionsOf(db, fresh));
  });

  test('one operation that the database refuses holds up nobody and is named in the count', async () => {
    const home = await settled(traffic(30));
    await change(home, OLDER);
    await db.sql.unsafe(`create function refuse_one() returns trigger language plpgsql as $$ begin
      if new.operation_id = 'op-12' and new.state is distinct from old.state then
        raise check_violation using message = 'made by the test'; end if;
      return new; end $$;
      create trigger refuse_one before update on operation for each row execute function refuse_one()`);
    const id = await queue(home);
    await workJob(db, home, NOW);
    expect(await jobOf(home, id)).toMatchObject({ state: 'done', done: 30, result: { operations: 29, failed: 1 } });
    await db.sql.unsafe('drop trigger refuse_one on operation');
    await db.sql`update operation_touch set touched_at = now() where project_id = ${home.project.id}`;
    await settleAll(db, home.project.id, NOW);
    const { settings } = applyChange(home.project, OLDER);
    const fresh = await settled(await attemptsOf(home), OLDER.ruleSets ?? {}, settings);
    expect(await conclusionsOf(db, home)).toEqual(await conclusionsOf(db, fresh));
  });

  test('one that takes too long holds up nobody either', async () => {
    const home = await settled(traffic(12));
    await change(home, OLDER);
    await db.sql.unsafe(`create function sleep_on_one() returns trigger language plpgsql as $$ begin
      if new.operation_id = 'op-3' and new.state is distinct from old.state then perform pg_sleep(3); end if;
      return new; end $$;
      create trigger sleep_on_one before update on operation for each row execute function sleep_on_one()`);
    const hurried = openDatabase({ url: database.url, max: 2, name: 'test-hurried', statementTimeoutMs: 800 });
    const id = await queue(home);
    await workJob(hurried, home, NOW);
    await hurried.close();
    await db.sql.unsafe('drop trigger sleep_on_one on operation');
    expect(await jobOf(home, id)).toMatchObject({ state: 'done', done: 12, result: { operations: 11, failed: 1 } });
  });

  test('a paused project waits, and is cancelled within two seconds even while a settler holds its turn', async () => {
    const home = await settled(traffic(10));
    const id = await queue(home);
    await db.sql`update settle_turn set paused = true where project_id = ${home.project.id}`;
    const context = { db, log, clock: () => NOW };
    expect(await runRecomputeSlice(context, home.project.id)).toBe('waiting');
    await db.sql`update settle_turn set paused = false where project_id = ${home.project.id}`;
    const startedAt = Date.now();
    await db.sql.begin(async (tx) => {
      await tx`select 1 from settle_turn where project_id = ${home.project.id} for update`;
      const slice = runRecomputeSlice(context, home.project.id);
      await sleep(50);
      const done = cancelRecompute(actingIn(db, home, NOW), id);
      expect(await slice).toBe('waiting');
      expect((await done).ok).toBe(true);
    });
    expect(Date.now() - startedAt).toBeLessThan(2_600);
    expect((await findJob(db.sql, home.project.id, id))?.state).toBe('cancelled');
  });
});

async function attemptsOf(home: TestProject): Promise<Fact[]> {
  const rows = await db.sql<{ event: Fact }[]>`select event from attempt where project_id = ${home.project.id}`;
  return rows.map((row) => row.event);
}

describe('tallies', () => {
  const MAPPED: SettingsChange = { targets: [{ pattern: 'api.example', profile: 'http' }] };
  const tally = (over = {}) => {
    const { kind: _kind, ...bare } = makeTally({ minute: T0, successes: 7, target: 'api.example', ...over });
    return { ...bare, call: 'POST /v1/deals/search' };
  };

  test('wait until none can come any more that was judged by the old mapping', async () => {
    const home = await settled([tally()]);
    await change(home, MAPPED, 1, NOW);
    const id = await queue(home);
    const context = { db, log, ingestLagMs: 30_000 };
    const slice = (now: number) => runRecomputeSlice({ ...context, clock: () => now }, home.project.id);
    expect(await slice(NOW + 1_000)).toBe('worked');
    expect(await slice(NOW + 2_000)).toBe('waiting');
    // Ingestion, which has not heard of the change, stores one more.
    await recordFacts(db, home.project, [tally({ successes: 5 })]);
    expect(await slice(NOW + 29_000)).toBe('waiting');
    expect(await slice(NOW + 31_000)).toBe('worked');
    expect(await jobOf(home, id)).toMatchObject({ state: 'done', result: { talliesMoved: 2 } });
    expect(await recountRollups(db, home.project.id)).toEqual(NO_FAULTS);
    const rows = await db.sql`
      select d.profile, d.kind, r.tallied from rate_rollup r
      join dimension d on d.project_id = r.project_id and d.id = r.dimension_id
      where r.project_id = ${home.project.id} and r.grain = 1`;
    expect([...rows]).toEqual([{ profile: 'http', kind: 'write', tallied: 12 }]);
  });
});

describe('review items', () => {
  const itemOf = async (home: TestProject) => {
    const ctx = { db, project: home.project, now: NOW };
    const { items } = await listReview(ctx, { filters: {}, sort: 'due', limit: 10 });
    const item = await getReviewItem(ctx, items[0]?.id ?? '');
    return item;
  };
  const UNDER_OLDER = [makeThrottled(5, { operationId: 'op', startedAt: T0, code: 'CALLER_RATE_LIMITED' })];

  test('what a person resolved stays resolved, whatever the rules say then', async () => {
    const home = await settled(UNDER_OLDER, { vibecode: 'vibecode@older-ru' });
    const item = await itemOf(home);
    const operator = actingIn(db, home, NOW, 'operator');
    await claimReviewItem(operator, item?.id ?? '', { version: item?.version });
    const said = { version: (item?.version ?? 0) + 1, resolution: 'applied_once', note: 'Found in the ledger.' };
    expect((await resolveReviewItem(operator, item?.id ?? '', said)).ok).toBe(true);
    await settleAll(db, home.project.id, NOW);
    const resolved = await itemOf(home);
    for (const [version, edition] of [null, 'vibecode@older-ru', null].entries()) {
      await change(home, { ruleSets: { vibecode: edition } }, version + 1);
      await queue(home);
      await workJob(db, home, NOW);
      expect(await itemOf(home)).toEqual(resolved);
    }
  });

  test('one that the rules opened is closed by other rules, saying so, and is back when they are', async () => {
    const home = await settled(UNDER_OLDER, { vibecode: 'vibecode@older-ru' });
    await change(home, { ruleSets: { vibecode: null } });
    await queue(home);
    await workJob(db, home, NOW);
    const closed = await itemOf(home);
    expect(closed).toMatchObject({ state: 'resolved', resolution: 'not_applied', resolvedBy: 'Readback' });
    expect(closed?.history.find((event) => event.action === 'settled')?.newValue).toMatchObject({
      settledBy: 'rules_changed',
    });
    await change(home, { ruleSets: { vibecode: 'vibecode@older-ru' } }, 2);
    await queue(home);
    await workJob(db, home, NOW);
    const back = await itemOf(home);
    expect(back).toMatchObject({ state: 'open', episode: 1 });
    expect(back?.history.find((event) => event.action === 'reopened')?.newValue).toMatchObject({
      reason: 'rules_changed',
    });
  });

  test('one that a read-back settled stays so', async () => {
    const home = await settled([makeUnclear({ operationId: 'op', startedAt: T0 })]);
    await recordFacts(db, home.project, [makeReadBack({ operationId: 'op', startedAt: T0 + 60_000 })]);
    await settleAll(db, home.project.id, NOW);
    const before = await itemOf(home);
    expect(before?.state).toBe('resolved');
    await change(home, OLDER);
    await queue(home);
    await workJob(db, home, NOW);
    expect(await itemOf(home)).toEqual(before);
  });

  test('the deadline of an open one follows the setting, counted from its opening', async () => {
    const home = await settled([makeUnclear({ operationId: 'op', startedAt: T0 })]);
    const before = await itemOf(home);
    await change(home, { settings: { reviewDeadlineMs: 3_600_000 } });
    await queue(home);
    await workJob(db, home, NOW);
    const after = await itemOf(home);
    expect(after).toMatchObject({ openedAt: before?.openedAt, dueAt: (before?.openedAt ?? 0) + 3_600_000 });
  });
});

describe('what retention has taken', () => {
  test('keeps its conclusion: half of the facts would give a wrong one', async () => {
    const old = Date.UTC(2026, 8, 1, 10);
    const home = await settled([
      makeUnclear({ operationId: 'old', startedAt: old, kind: 'write' }),
      makeSuccess({ operationId: 'old', startedAt: T0, attempt: 2 }),
      ...traffic(3),
    ]);
    const names = await db.sql<{ name: string }[]>`
      select relname as name from pg_class where relname ~ '^attempt_2026(08|09|10)' and relkind = 'r'`;
    for (const { name } of names) await db.sql.unsafe(`drop table ${name}`);
    const [before] =
      await db.sql`select * from operation where project_id = ${home.project.id} and operation_id = 'old'`;
    await change(home, OLDER);
    const id = await queue(home);
    await workJob(db, home, NOW);
    expect(await jobOf(home, id)).toMatchObject({ state: 'done', done: 3, total: 3 });
    const [after] =
      await db.sql`select * from operation where project_id = ${home.project.id} and operation_id = 'old'`;
    expect(after).toEqual(before);
  });
});
