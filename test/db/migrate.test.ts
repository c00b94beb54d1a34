import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getMigrationState, listMigrations, migrate, MigrationError, MIGRATIONS_FOLDER } from '@/db/migrate';
import {
  dropDay,
  listDaysBefore,
  listPartitions,
  makePartitions,
  neededPartitions,
  partitionName,
} from '@/db/partitions';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database';

const DAY_MS = 86_400_000;
const now = Date.now();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  await cp(MIGRATIONS_FOLDER, folder, { recursive: true });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function withEmpty(work: (database: TestDatabase) => Promise<void>): Promise<void> {
  const database = await createEmptyDatabase();
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

describe('migrate', () => {
  test('a migration made earlier but merged later is applied', () =>
    withEmpty(async ({ url, db }) => {
      const first = (await listMigrations(folder)).map((file) => file.name);
      expect(await migrate(url, { now, folder })).toEqual(first);
      await writeFile(join(folder, '0009_make_newer.sql'), 'create table newer (id int);');
      expect(await migrate(url, { now, folder })).toEqual(['0009_make_newer']);
      await writeFile(join(folder, '0005_make_older.sql'), 'create table older (id int);');
      expect((await getMigrationState(db.sql, folder)).pending).toEqual(['0005_make_older']);
      expect(await migrate(url, { now, folder })).toEqual(['0005_make_older']);
      expect(await db.sql`select to_regclass('older') is not null as there`).toEqual([{ there: true }]);
      await rm(join(folder, '0009_make_newer.sql'));
      await rm(join(folder, '0005_make_older.sql'));
      expect((await getMigrationState(db.sql, folder)).unknown).toEqual(['0005_make_older', '0009_make_newer']);
    }));

  test('an applied file that was changed is refused, another kind of line end is not a change', () =>
    withEmpty(async ({ url }) => {
      const path = join(folder, '0007_make_thing.sql');
      await writeFile(path, 'create table thing (id int);\n');
      await migrate(url, { now, folder });
      await writeFile(path, 'create table thing (id int);\r\n');
      expect(await migrate(url, { now, folder })).toEqual([]);
      await writeFile(path, 'create table thing (id bigint);\n');
      await expect(migrate(url, { now, folder })).rejects.toThrow(MigrationError);
      await rm(path);
    }));

  test('a migration that fails leaves nothing of itself', () =>
    withEmpty(async ({ url, db }) => {
      const path = join(folder, '0008_fail_late.sql');
      await writeFile(path, 'create table half (id int);\n--> statement-breakpoint\nselect 1 / 0;');
      await expect(migrate(url, { now, folder })).rejects.toThrow('division by zero');
      expect(await db.sql`select to_regclass('half') is null as gone`).toEqual([{ gone: true }]);
      await rm(path);
      expect(await migrate(url, { now, folder })).toEqual([]);
    }));

  test('many processes migrating at once apply each file once', () =>
    withEmpty(async ({ url }) => {
      const results = await Promise.all(Array.from({ length: 6 }, () => migrate(url, { now, folder })));
      expect(results.flat().sort()).toEqual((await listMigrations(folder)).map((file) => file.name));
    }));
});

describe('partitions', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());

  test('exist from the retention and a day back to 14 days ahead', async () => {
    const names = await listPartitions(database.db.sql);
    expect(names[0]).toBe(partitionName(now - 31 * DAY_MS));
    expect(names.at(-1)).toBe(partitionName(now + 14 * DAY_MS));
    expect(names).toHaveLength(46);
  });

  test('eight makers at once make each day once; a longer retention reaches further back', async () => {
    const range = neededPartitions(now, 60 * DAY_MS);
    const made = await Promise.all(Array.from({ length: 8 }, () => makePartitions(database.db.sql, range)));
    expect(made.flat()).toHaveLength(30);
    expect(await makePartitions(database.db.sql, range)).toEqual([]);
  });

  test('a made day holds rows, their index and their check', async () => {
    const { sql } = database.db;
    const at = new Date(now - 50 * DAY_MS).toISOString();
    const insert = (attempt: number) => sql`
      insert into attempt (project_id, started_at, id, operation_id, attempt, dimension_id, received_at, rule_set, event)
      values (1, ${at}, gen_random_uuid(), 'op', ${attempt}, 1, now(), 'http@1', '{}')`;
    await insert(1);
    await expect(insert(0)).rejects.toMatchObject({ code: '23514' });
    const indexes = await sql`select indexname from pg_indexes where tablename = ${partitionName(now - 50 * DAY_MS)}`;
    expect(indexes).toHaveLength(2);
  });

  test('old days are dropped whole, newer ones stay', async () => {
    const { sql } = database.db;
    const days = await listDaysBefore(sql, Math.floor(now / DAY_MS) * DAY_MS - 40 * DAY_MS);
    expect(days).toHaveLength(21);
    const [first, ...others] = days.map(({ from }) => from);
    expect(await dropDay(sql, first ?? 0, () => Promise.resolve(true))).toBe(false);
    expect(await listPartitions(sql)).toContain(partitionName(first ?? 0));
    const free = () => Promise.resolve(false);
    const dropped = await Promise.all(others.flatMap((day) => [dropDay(sql, day, free), dropDay(sql, day, free)]));
    expect(dropped.filter(Boolean)).toHaveLength(20);
    expect(await listPartitions(database.db.sql)).toContain(partitionName(now - 40 * DAY_MS));
  });
});
