import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listRecomputeJobs } from '@/lib/queries/recompute';
import type { RecomputeJobView } from '@/lib/queries/views';
import { changeSettings } from '@/lib/services/project/change-settings';
import { startWhatIf } from '@/lib/services/recompute/start';
import { makeThrottled } from '../factories/facts';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestProject, type TestProject } from '../support/project';
import { actingIn, workJob } from '../support/recompute';
import { recordFacts } from '../support/record-facts';
import { recountRollups } from '../support/recount';
import { settleAll } from '../support/settle-all';

const PROGRAM = fileURLToPath(new URL('../../bin/readback.mjs', import.meta.url));
const T0 = Date.UTC(2026, 10, 29, 10);
const NOW = T0 + 24 * 3_600_000;
const COUNT = 700;

let database: TestDatabase;
let home: TestProject;

beforeAll(async () => {
  database = await createTestDatabase();
  home = await createTestProject(database.db, { profile: 'vibecode' });
  const facts = Array.from({ length: COUNT }, (_, i) =>
    makeThrottled(5, { operationId: `op-${i}`, startedAt: T0 + i * 1_000, code: 'CALLER_RATE_LIMITED' }),
  );
  await recordFacts(database.db, home.project, facts);
  await settleAll(database.db, home.project.id, NOW);
}, 120_000);
afterAll(() => database.close());

interface Running {
  child: ChildProcess;
  end: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

function start(args: string[]): Running {
  const env = { ...process.env, DATABASE_URL: database.url, READBACK_DATA_DIR: join('/nonexistent', 'data') };
  const child = spawn(process.execPath, [PROGRAM, 'recompute', ...args], { env });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return { child, end: new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr }))) };
}

const run = (args: string[]) => start(args).end;

async function latestJob(): Promise<RecomputeJobView | undefined> {
  const { items } = await listRecomputeJobs(actingIn(database.db, home, NOW), { limit: 1 });
  return items[0];
}

/** Waits until a job other than `known` has done some of its operations and not all. */
async function untilHalfway(known: string | undefined): Promise<void> {
  for (;;) {
    const job = await latestJob();
    if (job && job.id !== known && job.done > 0) return expect(job.done).toBeLessThan(COUNT);
    await sleep(2);
  }
}

let version = 1;
async function pin(edition: string | null): Promise<void> {
  const ctx = actingIn(database.db, home, Date.now());
  const done = await changeSettings(ctx, { version, ruleSets: { vibecode: edition } });
  if (!done.ok) throw new Error(done.refusal.code);
  ({ version } = done.value);
}

const editions = async (): Promise<string[]> => {
  const rows = await database.db.sql<{ rule_set: string }[]>`
    select distinct rule_set from attempt where project_id = ${home.project.id} order by 1`;
  return rows.map((row) => row.rule_set);
};

describe('readback recompute', () => {
  test('concludes everything again and says what moved', async () => {
    await pin('vibecode@older-ru');
    const done = await run(['--project', home.project.slug, '--json']);
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(JSON.parse(done.stdout)).toMatchObject({
      project: home.project.slug,
      state: 'done',
      done: COUNT,
      total: COUNT,
      error: null,
      result: { operations: COUNT, attemptsMoved: COUNT, talliesMoved: 0, failed: 0 },
    });
    expect(await editions()).toEqual(['vibecode@older-ru']);
    const again = await run(['--project', home.project.slug]);
    expect(again).toMatchObject({
      code: 0,
      stdout: `${home.project.slug}: ${COUNT} operations concluded again, 0 attempts and 0 tallies count otherwise\n`,
    });
    expect(await recountRollups(database.db, home.project.id)).toEqual({ rate: [], operation: [], compliance: [] });
  });

  test('a range is of what began in it', async () => {
    const range = ['--from', '2026-11-29T10:00:10Z', '--to', '2026-11-29T10:00:20Z'];
    const done = await run(['--project', home.project.slug, ...range, '--json']);
    expect(JSON.parse(done.stdout)).toMatchObject({ done: 10, from: '2026-11-29T10:00:10.000Z' });
    const day = await run(['--project', home.project.slug, '--from', '2026-11-30', '--json']);
    expect(JSON.parse(day.stdout)).toMatchObject({ done: 0, state: 'done' });
  });

  test('Ctrl-C cancels it within two seconds, half done; the next run does the rest', async () => {
    await pin(null);
    const known = (await latestJob())?.id;
    const running = start(['--project', home.project.slug, '--json']);
    await untilHalfway(known);
    const stoppedAt = Date.now();
    running.child.kill('SIGINT');
    const { code, stdout } = await running.end;
    expect(code).toBe(130);
    const answer = JSON.parse(stdout) as { state: string; done: number };
    expect(answer.state).toBe('cancelled');
    expect(answer.done).toBeLessThan(COUNT);
    const job = await latestJob();
    expect((job?.finishedAt ?? Infinity) - stoppedAt).toBeLessThan(2_000);
    expect(await editions()).toHaveLength(2);
    expect(await recountRollups(database.db, home.project.id)).toEqual({ rate: [], operation: [], compliance: [] });
    expect((await run(['--project', home.project.slug])).code).toBe(0);
    expect(await editions()).toEqual(['vibecode@2026-10-22']);
  });

  test('killed half-way, the next run goes on with the same job', async () => {
    await pin('vibecode@older-ru');
    const known = (await latestJob())?.id;
    const running = start(['--project', home.project.slug]);
    await untilHalfway(known);
    running.child.kill('SIGKILL');
    await running.end;
    const left = await latestJob();
    expect(left?.state).toBe('running');
    const done = await run(['--project', home.project.slug]);
    expect(done).toMatchObject({
      code: 0,
      stderr: 'A recomputation of this project is not finished: going on with it.\n',
    });
    expect(await latestJob()).toMatchObject({
      id: left?.id,
      state: 'done',
      done: COUNT,
      result: { operations: COUNT },
    });
    expect(await editions()).toEqual(['vibecode@older-ru']);
    expect(await recountRollups(database.db, home.project.id)).toEqual({ rate: [], operation: [], compliance: [] });
  });

  test('another job in the way is said, and the command may simply be run again', async () => {
    await startWhatIf(actingIn(database.db, home, Date.now()), { settings: {} });
    const done = await run(['--project', home.project.slug, '--json']);
    expect(done.code).toBe(3);
    expect(JSON.parse(done.stdout)).toMatchObject({ error: { code: 'already_running' } });
    await workJob(database.db, home, Date.now());
  });

  test.each<[string, string[], number, RegExp]>([
    ['no project', [], 2, /required option/],
    ['an unknown project', ['--project', 'nope'], 1, /There is no project nope/],
    ['a time without an offset', ['--project', 'x', '--from', '2026-11-29T10:00:00'], 2, /ISO 8601 with an offset/],
    ['a day that is none', ['--project', 'x', '--from', '2026-13-41'], 2, /ISO 8601 with an offset/],
  ])('%s is refused', async (_name, args, code, stderr) => {
    const done = await run(args);
    expect([done.code, done.stdout]).toEqual([code, '']);
    expect(done.stderr).toMatch(stderr);
  });

  test('a range the wrong way round is refused', async () => {
    const done = await run(['--project', home.project.slug, '--from', '2026-11-30', '--to', '2026-11-29']);
    expect([done.code, done.stderr]).toEqual([1, '`from` must lie before `to`.\n']);
  });
});
