import { afterAll, beforeAll, expect, it } from 'vitest';
import { refreshStatistics } from '@/db/statistics';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestProject, type TestProject } from '../support/project';

let database: TestDatabase;
let home: TestProject;

beforeAll(async () => {
  database = await createTestDatabase();
  home = await createTestProject(database.db);
});
afterAll(() => database.close());

const operations = (from: number, to: number) => database.db.sql`
  insert into operation_ref (project_id, kind, value, at, operation_id)
  select ${home.project.id}::int, 'code', 'X', now(), 'op-' || i from generate_series(${from}::int, ${to}::int) i`;

async function rowsKnown(): Promise<number> {
  const [row] = await database.db.sql<{ rows: number }[]>`
    select reltuples::float8 as rows from pg_class where oid = 'operation_ref'::regclass`;
  return row?.rows ?? Number.NaN;
}

/** A backend tells its counts a moment after its transaction. */
async function refreshed(): Promise<string[]> {
  await database.db.sql`select pg_stat_force_next_flush()`;
  return await refreshStatistics(database.db.sql);
}

it('analyses a table once it has rows, again when it has grown many times over, and not for a few more', async () => {
  await database.db.sql`alter table operation_ref set (autovacuum_enabled = false)`;
  await operations(1, 2_000);
  await expect.poll(refreshed, { timeout: 10_000 }).toContain('operation_ref');
  expect(await rowsKnown()).toBe(2_000);
  await operations(2_001, 3_000);
  for (let look = 0; look < 3; look += 1) expect(await refreshed()).not.toContain('operation_ref');
  await operations(3_001, 20_000);
  await expect.poll(refreshed, { timeout: 10_000 }).toContain('operation_ref');
  expect(await rowsKnown()).toBe(20_000);
});
