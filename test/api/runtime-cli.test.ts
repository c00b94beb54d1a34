import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authorizeKey } from '@/lib/auth/authorize-key';
import { makeKeyText, parseKeyText } from '@/lib/auth/key';
import { readPostmaster } from '@/lib/platform/postmaster';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database';
import { createTestProject } from '../support/project';
import { makeDataFolder, startServer, type TestServer } from '../support/server';

const PROGRAM = fileURLToPath(new URL('../../bin/readback.mjs', import.meta.url));

let database: TestDatabase;
let server: TestServer;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'readback-cli-'));
  server = await startServer({ role: 'ingest', databaseUrl: database.url });
});
afterAll(async () => {
  await server.stop();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

function run(args: string[], options: { input?: string; env?: Record<string, string> } = {}): Promise<Finished> {
  const env = { ...process.env, DATABASE_URL: database.url, READBACK_DATA_DIR: join(folder, 'data'), ...options.env };
  const child = spawn(process.execPath, [PROGRAM, ...args], { env });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.end(options.input ?? '');
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

let counter = 0;
const event = (over: Record<string, unknown> = {}) => ({
  operationId: `op-${(counter += 1)}`,
  attempt: 1,
  startedAt: new Date().toISOString(),
  service: 'shop',
  kind: 'write',
  call: 'crm.deal.add',
  profile: 'vibecode',
  status: 500,
  code: 'BITRIX_TIMEOUT',
  ...over,
});

describe('limits', () => {
  test('of a key and of a project are set and taken back', async () => {
    const { project, keys } = await createTestProject(database.db);
    const keyId = parseKeyText(keys.ingest)?.keyId ?? '';
    const rate = ['key', 'limit', keyId, '--project', project.slug, '--events-per-second'];
    expect(await run([...rate, '25'])).toMatchObject({ code: 0, stdout: `${keyId}: 25 events a second\n` });
    expect(await run([...rate, 'default'])).toMatchObject({ code: 0, stdout: `${keyId}: the default rate\n` });
    expect(await run([...rate, '0'])).toMatchObject({ code: 1, stdout: '' });
    const quota = ['project', 'limit', project.slug, '--daily-events'];
    expect(await run([...quota, '1000'])).toMatchObject({
      code: 0,
      stdout: `${project.slug}: 1000 new events a day\n`,
    });
    expect(await run([...quota, 'none'])).toMatchObject({
      code: 0,
      stdout: `${project.slug}: any number of events\n`,
    });
  });
});

describe('projects, people and keys', () => {
  test('a script makes all three; the key is alone on stdout and works', async () => {
    expect(await run(['project', 'create', 'From a script'])).toMatchObject({ code: 0, stdout: 'from-a-script\n' });
    const user = ['user', 'create', '--email', 'ann@example.org', '--role', 'operator', '--project', 'From a script'];
    expect(await run([...user, '--password-stdin'], { input: 'long enough to be one\n' })).toMatchObject({
      code: 0,
      stdout: 'ann@example.org: operator of from-a-script\n',
    });
    const key = await run(['key', 'create', '--project', 'from-a-script', '--scope', 'ingest']);
    expect(key).toMatchObject({ code: 0, stderr: 'Keep it now: it is not shown again.\n' });
    expect(key.stdout).toMatch(/^rb_ingest_\w{10}_\w{38}\n$/);
    expect(await authorizeKey(database.db, `Bearer ${key.stdout.trim()}`, ['ingest'])).toMatchObject({ ok: true });
  });

  test('--json gives one document, for refusals too', async () => {
    const made = await run(['project', 'create', 'Json', '--profile', 'http', '--json']);
    expect(JSON.parse(made.stdout)).toEqual({ slug: 'json', name: 'Json', profile: 'http' });
    const again = await run(['--json', 'project', 'create', 'Json']);
    expect(again.code).toBe(1);
    expect(JSON.parse(again.stdout)).toEqual({
      error: { code: 'name_taken', message: 'There is already a project Json.' },
    });
    expect(again.stderr).toBe('There is already a project Json.\n');
  });

  test.each([
    ['an unknown project', ['key', 'create', '--project', 'nope', '--scope', 'read'], 1, 'There is no project nope.\n'],
    ['an unknown scope', ['key', 'create', '--project', 'json', '--scope', 'admin'], 2, /Allowed choices are/],
    ['a missing option', ['key', 'create'], 2, /required option/],
    ['an unknown command', ['frobnicate'], 2, /unknown command/],
  ])('%s', async (_name, args, code, stderr) => {
    const done = await run(args);
    expect(done.code).toBe(code);
    expect(done.stderr).toEqual(typeof stderr === 'string' ? stderr : expect.stringMatching(stderr));
    expect(done.stdout).toBe('');
  });

  test('a short password is refused', async () => {
    const user = ['user', 'create', '--email', 'b@example.org', '--role', 'owner', '--password-stdin'];
    expect(await run(user, { input: 'short' })).toMatchObject({
      code: 1,
      stderr: 'A password has 12 to 128 characters.\n',
    });
  });
});

describe('classify', () => {
  test('verdicts of a file without any server or database', async () => {
    const path = file('events.ndjson', `${JSON.stringify(event())}\n${JSON.stringify(event({ kind: 'read' }))}\n`);
    const done = await run(['classify', path, '--json'], { env: { DATABASE_URL: '' } });
    expect(done).toMatchObject({ code: 0, stderr: '' });
    const { results } = JSON.parse(done.stdout) as { results: { index: number; verdict: Record<string, unknown> }[] };
    expect(results[0]).toMatchObject({ index: 0, verdict: { code: 'BITRIX_TIMEOUT', unknownOutcome: true } });
    expect(results[1]).toMatchObject({ index: 1, verdict: { action: 'retry_with_limit', unknownOutcome: false } });
  });

  test('from standard input in every form, as text', async () => {
    const one = event();
    for (const input of [JSON.stringify(one), JSON.stringify([one], null, 2), JSON.stringify({ events: [one] })]) {
      const done = await run(['classify', '-'], { input });
      expect(done.code).toBe(0);
      expect(done.stdout).toMatch(/^0\tBITRIX_TIMEOUT\tstate_verification_required\t.*\tunknown outcome\n$/);
    }
  });

  test('wrong events are named and make the exit code 1; the others are judged', async () => {
    const path = file('mixed.ndjson', `${JSON.stringify(event())}\n{"attempt":0}\nno json\n`);
    const done = await run(['classify', path, '--json']);
    expect(done.code).toBe(1);
    const { results } = JSON.parse(done.stdout) as { results: object[] };
    expect(results).toHaveLength(3);
    expect(results[0]).toHaveProperty('verdict');
    expect(results[1]).toHaveProperty('error');
    expect(results[2]).toHaveProperty('error');
  });

  test('places count through more events than one batch holds', async () => {
    const path = file('many.ndjson', Array.from({ length: 2_500 }, () => JSON.stringify(event())).join('\n'));
    const { results } = JSON.parse((await run(['classify', path, '--json'])).stdout) as {
      results: { index: number }[];
    };
    expect(results.map((result) => result.index)).toEqual(Array.from({ length: 2_500 }, (_, at) => at));
  });

  test('a file that is not there, and an edition that is not', async () => {
    expect(await run(['classify', join(folder, 'none')])).toMatchObject({
      code: 1,
      stderr: `${join(folder, 'none')} can't be read (ENOENT).\n`,
    });
    expect(await run(['classify', '-', '--rule-set', 'x@1'])).toMatchObject({
      code: 1,
      stderr: 'There is no rule set x@1.\n',
    });
  });
});

describe('send', () => {
  test('stores a file once, however often it is sent', async () => {
    const { keys, project } = await createTestProject(database.db);
    const path = file('send.ndjson', Array.from({ length: 2_345 }, () => JSON.stringify(event())).join('\n'));
    const args = ['send', path, '--url', server.url, '--key', keys.ingest];
    expect(await run(args)).toMatchObject({
      code: 0,
      stdout: '2345 events: 2345 accepted, 0 duplicates, 0 conflicts, 0 rejected\n',
    });
    expect(JSON.parse((await run([...args, '--json'])).stdout)).toEqual({
      events: 2_345,
      accepted: 0,
      duplicates: 2_345,
      conflicts: 0,
      rejected: [],
    });
    const rows = await database.db.sql`select count(*)::int as n from attempt where project_id = ${project.id}`;
    expect(rows).toEqual([{ n: 2_345 }]);
  });

  test('refused events are listed by their place in the file, exit code 1, the rest is stored', async () => {
    const { keys } = await createTestProject(database.db);
    const lines = Array.from({ length: 1_500 }, (_, at) => JSON.stringify(event(at === 1_234 ? { attempt: 0 } : {})));
    const done = await run(['send', file('bad.ndjson', lines.join('\n')), '--url', server.url, '--key', keys.ingest]);
    expect(done.code).toBe(1);
    expect(done.stdout).toMatch(
      /^1500 events: 1499 accepted, 0 duplicates, 0 conflicts, 1 rejected\n {2}1234\/attempt: /,
    );
  });

  test('a mistyped, an unknown and a wrong key', async () => {
    const { keys } = await createTestProject(database.db);
    const send = (key: string) =>
      run(['send', '-', '--url', server.url, '--key', key], { input: JSON.stringify(event()) });
    expect(await send(`${keys.ingest}x`)).toMatchObject({
      code: 1,
      stderr: 'This is not a Readback key: a letter is wrong or missing.\n',
    });
    expect(await send(makeKeyText('ingest').text)).toMatchObject({
      code: 1,
      stderr: 'The server does not know this key, or it was revoked.\n',
    });
    expect(await send(keys.read)).toMatchObject({ code: 1, stderr: 'The key is not one for sending events.\n' });
  });

  test('waits as long as the server asks, then goes on', async () => {
    const seen: number[] = [];
    const busy: Server = createServer((request, response) => {
      request.resume();
      seen.push(Date.now());
      if (seen.length > 1) {
        response.writeHead(202, { 'content-type': 'application/json' });
        return response.end('{"accepted":1,"duplicates":0,"conflicts":[],"rejected":[]}');
      }
      response.writeHead(503, { 'retry-after': '1' }).end();
    });
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(busy.address() as AddressInfo).port}`;
    const args = ['send', '-', '--url', url, '--key', makeKeyText('ingest').text];
    expect(await run(args, { input: JSON.stringify(event()) })).toMatchObject({ code: 0 });
    expect((seen[1] ?? 0) - (seen[0] ?? 0)).toBeGreaterThanOrEqual(1_000);
    busy.close();
  });

  test('nobody there: exit code 3 and the word that repeating is safe', async () => {
    const args = ['send', '-', '--url', 'http://127.0.0.1:1', '--key', makeKeyText('ingest').text, '--patience', '0'];
    const done = await run(args, { input: JSON.stringify(event()) });
    expect(done.code).toBe(3);
    expect(done.stderr).toContain('sending all again is safe');
  });
});

describe('migrate and doctor', () => {
  test('migrate brings an empty database up to date, and then has nothing to do', async () => {
    const empty = await createEmptyDatabase();
    const env = { DATABASE_URL: empty.url };
    const refused = await run(['project', 'create', 'Early'], { env });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('run readback migrate') as string });
    const first = JSON.parse((await run(['migrate', '--json'], { env })).stdout) as { applied: string[] };
    expect(first.applied[0]).toBe('0000_create_tables');
    expect(await run(['migrate'], { env })).toMatchObject({
      code: 0,
      stdout: 'Nothing to apply: DATABASE_URL is up to date.\n',
    });
    await empty.close();
  });

  test('doctor finds everything well', async () => {
    const done = await run(['doctor', '--json'], { env: { PORT: String(server.port) } });
    const { ok, checks } = JSON.parse(done.stdout) as { ok: boolean; checks: { name: string; state: string }[] };
    expect(done.code).toBe(0);
    expect(ok).toBe(true);
    expect(checks.map((check) => check.name)).toEqual([
      'Node',
      'environment',
      'dashboard',
      `port ${server.port}`,
      'database',
      'durability',
      'migrations',
      'partitions',
      'rollups',
    ]);
  });

  test('doctor names what is wrong', async () => {
    const broken = await createTestDatabase();
    const day = new Date().toISOString().slice(0, 10).replaceAll('-', '');
    await broken.db.sql.unsafe(`drop table attempt_${day}`);
    await broken.db.sql`alter table fact set unlogged`;
    const done = await run(['doctor'], { env: { DATABASE_URL: broken.url } });
    expect(done.code).toBe(1);
    expect(done.stdout).toMatch(/WRONG\s+durability: the table fact is unlogged/);
    expect(done.stdout).toMatch(/WRONG\s+partitions: 1 days are missing/);
    await broken.close();
  });
});

describe('without DATABASE_URL', () => {
  test(
    'the embedded server is started for the command and used while it runs for the service',
    { timeout: 180_000 },
    async () => {
      const data = makeDataFolder();
      const env = { DATABASE_URL: '', READBACK_DATA_DIR: data };
      const at = (name: string) => run(['project', 'create', name], { env });
      // Two at once: the second waits for the first's server to be gone, or for its turn.
      const [one, two] = await Promise.all([at('One'), at('Two')]);
      expect([one, two]).toMatchObject([{ code: 0 }, { code: 0 }]);
      expect(readPostmaster(join(data, 'postgres'))).toBeNull();
      const service = await startServer({ folder: data });
      expect(await at('Three')).toMatchObject({ code: 0, stdout: 'three\n' });
      expect(await at('One')).toMatchObject({ code: 1, stderr: 'There is already a project One.\n' });
      expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
      expect(await service.stop()).toBe(0);
      rmSync(data, { recursive: true, force: true });
    },
  );
});
