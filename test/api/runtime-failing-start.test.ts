import { createServer, type Server } from 'node:http';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listPartitions } from '@/db/partitions';
import { findFreePort } from '@/lib/platform/ports';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database';
import { launchServer, makeDataFolder, type ServerOptions } from '../support/server';
import { startWeakPostgres } from '../support/weak-postgres';

let folder: string;
let database: TestDatabase;
beforeAll(async () => {
  folder = makeDataFolder();
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts and expects exit code 1 with exactly this one sentence on stderr. */
async function expectSentence(options: ServerOptions, sentence: string | RegExp): Promise<void> {
  const port = options.port ?? (await findFreePort());
  const { exit, errors } = launchServer({ folder, role: 'ingest', ...options, port });
  expect(await exit).toBe(1);
  const lines = errors().split('\n').filter(Boolean);
  expect(lines).toEqual([typeof sentence === 'string' ? sentence : expect.stringMatching(sentence)]);
}

describe('a start that cannot work says why in one sentence and ends with 1', () => {
  test('port in use', async () => {
    const other: Server = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    await expectSentence(
      { port, databaseUrl: database.url },
      `Port ${port} is in use: stop the program that has it, or set PORT to a free one.`,
    );
    other.close();
  });

  test('an address this machine does not have', () =>
    expectSentence(
      { databaseUrl: database.url, env: { HOST: '192.0.2.1' } },
      'This machine has no address 192.0.2.1: correct HOST.',
    ));

  test('DATABASE_URL that is no address', () =>
    expectSentence({ env: { DATABASE_URL: 'mysql://x' } }, /^Wrong environment: DATABASE_URL \(.*\)\.$/));

  test('every wrong variable is named at once', () =>
    expectSentence(
      { env: { DATABASE_URL: 'nonsense', LOG_LEVEL: 'loud', READBACK_SECRET: 'short' } },
      /^Wrong environment: .*DATABASE_URL.*READBACK_SECRET.*LOG_LEVEL.*\.$/,
    ));

  test('DATABASE_URL without READBACK_SECRET', () =>
    expectSentence(
      { databaseUrl: database.url, env: { READBACK_SECRET: '' } },
      'Wrong environment: READBACK_SECRET (at least 32 characters) is required with DATABASE_URL.',
    ));

  test('a database that nobody serves, password not shown', () =>
    expectSentence(
      { databaseUrl: 'postgres://someone:verysecret@127.0.0.1:1/db' },
      "The database at 127.0.0.1:1/db can't be reached (ECONNREFUSED): start it, or correct DATABASE_URL.",
    ));

  test('a wrong password', () => {
    const url = new URL(database.url);
    url.password = 'wrong';
    return expectSentence(
      { databaseUrl: url.href },
      `The database at ${url.host}${url.pathname} refuses the user or password of DATABASE_URL.`,
    );
  });

  test('a database that does not exist', () => {
    const url = new URL(database.url);
    url.pathname = '/nowhere';
    return expectSentence(
      { databaseUrl: url.href },
      `The database server has no database ${url.host}/nowhere: create it, or correct DATABASE_URL.`,
    );
  });

  test('a host nobody knows', () =>
    expectSentence(
      { databaseUrl: 'postgres://someone@no-such-host.invalid/db' },
      'The host of DATABASE_URL is unknown (no-such-host.invalid:5432/db).',
    ));

  test('a database that could lose what it confirmed', async () => {
    const weak = await createEmptyDatabase();
    const name = new URL(weak.url).pathname.slice(1);
    await weak.db.sql.unsafe(`alter database ${name} set synchronous_commit = off`);
    await expectSentence(
      { databaseUrl: weak.url },
      'The database could lose what it has confirmed (synchronous_commit is off): mend that first, because a 202 is a promise.',
    );
    await weak.close();
  });

  test('a server that forgets what it has written, or tears pages', async () => {
    const weak = await startWeakPostgres({ fsync: 'off', full_page_writes: 'off' });
    await expectSentence(
      { databaseUrl: weak.url },
      'The database could lose what it has confirmed (fsync is off, full_page_writes is off): mend that first, because a 202 is a promise.',
    );
    await weak.stop();
  });

  test('an unlogged day', async () => {
    const weak = await createTestDatabase();
    const [first] = await listPartitions(weak.db.sql);
    await weak.db.sql.unsafe(`alter table ${first} set unlogged`);
    await expectSentence({ databaseUrl: weak.url }, new RegExp(`\\(the table ${first} is unlogged\\)`));
    await weak.close();
  });

  test('an unlogged table', async () => {
    const weak = await createTestDatabase();
    await weak.db.sql`alter table event_ledger set unlogged`;
    await expectSentence({ databaseUrl: weak.url }, /\(the table event_ledger is unlogged\)/);
    await weak.close();
  });

  test('a data folder that cannot be written to', async () => {
    // A file where a folder should be stops root too, which no mode does.
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    await expectSentence(
      { role: 'all', folder: join(file, 'data') },
      `The data folder ${join(file, 'data')} can't be written to (ENOTDIR).`,
    );
  });

  test('a single role without a database', () =>
    expectSentence({}, 'READBACK_ROLE=ingest needs DATABASE_URL: only the role all brings a database along.'));

  test('a proxy that is no address', () =>
    expectSentence(
      { databaseUrl: database.url, env: { TRUSTED_PROXIES: '10.0.0.0/8, proxy.local' } },
      'Wrong environment: TRUSTED_PROXIES (proxy.local is neither an address nor a CIDR block).',
    ));

  test('a Node that is too old', async () => {
    const preload = `data:text/javascript,${encodeURIComponent(
      "Object.defineProperty(process.versions, 'node', { value: '18.20.4' })",
    )}`;
    await expectSentence(
      { databaseUrl: database.url, env: { NODE_OPTIONS: `--import ${preload}` } },
      'Readback needs Node 20.19 or newer, and this is Node 18.20.4: update it.',
    );
  });
});
