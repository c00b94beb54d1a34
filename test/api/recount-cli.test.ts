import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeSuccess } from '../factories/facts';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestProject, type TestProject } from '../support/project';
import { recordFacts } from '../support/record-facts';
import { settleAll } from '../support/settle-all';

const PROGRAM = fileURLToPath(new URL('../../bin/readback.mjs', import.meta.url));
const T0 = Date.UTC(2026, 10, 29, 10);

let database: TestDatabase;
let home: TestProject;

beforeAll(async () => {
  database = await createTestDatabase();
  home = await createTestProject(database.db);
  await recordFacts(database.db, home.project, [makeSuccess({ operationId: 'op', startedAt: T0 })]);
  await settleAll(database.db, home.project.id, T0 + 3_600_000);
});
afterAll(() => database.close());

function run(args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const env = { ...process.env, DATABASE_URL: database.url, READBACK_DATA_DIR: join('/nonexistent', 'data') };
  const child = spawn(process.execPath, [PROGRAM, ...args], { env });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

test('recount says that rollups are exact, then where they are not; doctor remembers', async () => {
  const { slug, id } = home.project;
  const exact = await run(['recount', '--project', slug, '--json']);
  expect(exact).toMatchObject({ code: 0 });
  const hour = { from: '2026-11-29T10:00:00.000Z', to: '2026-11-29T11:00:00.000Z' };
  expect(JSON.parse(exact.stdout)).toEqual({ project: slug, ...hour, drift: 0, examples: [] });
  expect((await run(['doctor'])).stdout).toContain('ok       rollups: equal a recount of 1 projects');

  await database.db.sql`update rate_rollup set attempts = attempts + 1 where project_id = ${id} and grain = 15`;
  const wrong = await run(['recount', '--project', slug]);
  expect(wrong.code).toBe(1);
  expect(wrong.stdout).toMatch(
    /1 rollup rows differ[^]*rate_rollup 15 min 2026-11-29T10:00:00.000Z .*kept 2\/0\/0, counted 1\/0\/0/,
  );
  expect(wrong.stderr).toContain('defect');
  expect((await run(['doctor'])).stdout).toContain(`WRONG    rollups: differ from a recount: 1 rows of project ${id}`);

  const nobody = await run(['recount', '--project', 'nobody', '--json']);
  expect(nobody.code).toBe(1);
  expect(JSON.parse(nobody.stdout)).toMatchObject({ error: { code: 'project_not_found' } });
}, 120_000);
