import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { getTableColumns } from 'drizzle-orm';
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as schema from '@/db/schema';
import { createTestDatabase, type TestDatabase } from '../support/database';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const tables = Object.values(schema).map((table: PgTable) => ({ table, config: getTableConfig(table) }));

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** Names of what the catalogue holds of one table. */
async function readCatalogue(name: string) {
  const { sql } = database.db;
  const columns = await sql<{ column: string; type: string; required: boolean }[]>`
    select attname as column, format_type(atttypid, atttypmod) as type, attnotnull as required
    from pg_attribute where attrelid = ${name}::regclass and attnum > 0 and not attisdropped`;
  const constraints = await sql<{ name: string; kind: string }[]>`
    select conname as name, contype::text as kind from pg_constraint
    where conrelid = ${name}::regclass and contype in ('c', 'p', 'f')`;
  const indexes = await sql<{ name: string; unique: boolean }[]>`
    select c.relname as name, i.indisunique as unique from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = ${name}::regclass and not i.indisprimary`;
  return { columns: [...columns], constraints: [...constraints], indexes: [...indexes] };
}

describe('the committed migrations make the schema that the code says', () => {
  test('drizzle finds nothing left to generate', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'readback-schema-'));
    await cp(join(ROOT, 'drizzle'), join(folder, 'drizzle'), { recursive: true });
    for (const part of ['db', 'lib', 'node_modules', 'tsconfig.json', 'package.json']) {
      await symlink(join(ROOT, part), join(folder, part));
    }
    const config = `export default { dialect: 'postgresql', schema: './db/schema/index.ts', out: './drizzle' };`;
    await writeFile(join(folder, 'drizzle.config.ts'), config);
    const before = await readdir(join(folder, 'drizzle'));
    const program = join(ROOT, 'node_modules/drizzle-kit/bin.cjs');
    const { stdout } = await promisify(execFile)(process.execPath, [program, 'generate'], { cwd: folder });
    expect(stdout).toContain('No schema changes');
    expect(await readdir(join(folder, 'drizzle'))).toEqual(before);
    await rm(folder, { recursive: true, force: true });
  });

  test('the database has these tables, their partitions, the migrator’s own, and no other', async () => {
    const rows = await database.db.sql<{ name: string }[]>`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`;
    const expected = [...tables.map(({ config }) => config.name), 'schema_migration'].sort();
    expect(rows.map((row) => row.name)).toEqual(expected);
  });

  test.each(tables.map(({ table, config }) => [config.name, table, config] as const))(
    '%s',
    async (name, table, config) => {
      const found = await readCatalogue(name);
      const columns = Object.values(getTableColumns(table)).map((column) => ({
        column: column.name,
        type: column.getSQLType(),
        required: column.notNull || column.primary,
      }));
      expect(found.columns.toSorted((a, b) => a.column.localeCompare(b.column))).toEqual(
        columns
          .map((column) => ({
            ...column,
            required:
              column.required ||
              config.primaryKeys.some((key) => key.columns.some((part) => part.name === column.column)),
          }))
          .toSorted((a, b) => a.column.localeCompare(b.column)),
      );
      const namesOf = (kind: string): string[] =>
        found.constraints
          .filter((one) => one.kind === kind)
          .map((one) => one.name)
          .sort();
      expect(namesOf('c')).toEqual(config.checks.map((check) => check.name).sort());
      expect(namesOf('f')).toEqual(config.foreignKeys.map((key) => key.getName()).sort());
      expect(namesOf('p')).toHaveLength(1);
      const indexes = config.indexes.map((index) => ({ name: index.config.name, unique: index.config.unique }));
      const byName = (a: { name?: string }, b: { name?: string }): number => (a.name ?? '').localeCompare(b.name ?? '');
      expect(found.indexes.toSorted(byName)).toEqual(indexes.toSorted(byName));
    },
  );
});
