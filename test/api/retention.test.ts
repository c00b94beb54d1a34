import { fork, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listPartitions, neededPartitions, partitionName } from '@/db/partitions';
import { ANNOUNCE_MS, runRetention } from '@/lib/jobs/retention';
import { createLog } from '@/lib/platform/log';
import { makeSuccess, makeUnclear } from '../factories/facts';
import { wireAttempt } from '../factories/wire-event';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createIngestClient } from '../support/ingest-client';
import { startIngestServer } from '../support/ingest-server';
import { createTestProject, type TestProject } from '../support/project';
import { recordWithIds } from '../support/retention';
import { settleAll } from '../support/settle-all';

const DAY_MS = 86_400_000;
const RETENTION_MS = 2 * DAY_MS;
const PROGRAM = fileURLToPath(new URL('../../bin/readback.mjs', import.meta.url));
const WORKER = new URL('../../lib/runtime/worker-child.ts', import.meta.url);
const log = createLog('silent');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  // Keeps its events for longer, so that those of the others go row by row.
  await createTestProject(database.db);
});
afterAll(() => database.close());

const shortProject = (): Promise<TestProject> =>
  createTestProject(database.db, { settings: { retentionMs: RETENTION_MS } });

async function number(query: string, projectId: number): Promise<number> {
  const [row] = await database.db.sql.unsafe(query, [projectId]);
  return Number(row?.n);
}

const countRows = (table: string, home: TestProject, where = 'true'): Promise<number> =>
  number(`select count(*) as n from ${table} where project_id = $1 and ${where}`, home.project.id);

/** Ids that the ledger knows without a row, or that a row has without the ledger. */
const strayIds = (home: TestProject): Promise<number> =>
  number(
    `select count(*) as n from event_ledger l full join (
       select project_id, id from attempt where project_id = $1 union all select project_id, id from fact where project_id = $1
     ) r on r.project_id = l.project_id and r.id = l.id
     where coalesce(l.project_id, r.project_id) = $1 and (l.id is null or r.id is null)`,
    home.project.id,
  );

describe('ingestion, settling and retention side by side', () => {
  test('an id counts once, a doubt is never lost, nothing waits crosswise', async () => {
    const { db } = database;
    const home = await shortProject();
    let clock = Date.now() - 3_600_000;
    const server = await startIngestServer(db, { clock: () => clock });
    const client = createIngestClient(server.port, home.keys.ingest);
    const accepted = new Map<string, { at: number; unclear: boolean }>();
    const statuses = new Map<number, number>();
    let running = true;
    const make = () => {
      const at =
        clock -
        Math.floor(Math.random() * (Math.random() < 0.5 ? 200_000 : RETENTION_MS)) -
        (Math.random() < 0.5 ? RETENTION_MS - 200_000 : 0);
      const unclear = Math.random() < 0.3;
      const common = {
        operationId: `op-${Math.floor(at / 2_000)}-${Math.floor(Math.random() * 3)}`,
        startedAt: at,
        endedAt: at + 100,
        kind: 'write',
      };
      return unclear
        ? wireAttempt({ ...common, status: undefined, outcome: 'timeout', error: { name: 'TimeoutError', code: 23 } })
        : wireAttempt({
            ...common,
            attempt: 1 + Math.floor(Math.random() * 3),
            status: Math.random() < 0.5 ? 201 : 422,
          });
    };
    const sent: Record<string, unknown>[] = [];
    const talk = async () => {
      while (running) {
        await sleep(60);
        const fresh = Array.from({ length: 12 }, make);
        const old = Array.from({ length: 6 }, () => sent[Math.floor(Math.random() * sent.length)] ?? make());
        const events = [...fresh, ...old];
        const { status, json } = await client.post(events);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        const answer = json as { rejected?: { index: number }[] };
        const rejected = new Set((answer.rejected ?? []).map(({ index }) => index));
        if (status === 202) {
          events.forEach((event, index) => {
            if (rejected.has(index)) return;
            accepted.set(String(event.id), { at: Number(event.startedAt), unclear: event.outcome === 'timeout' });
          });
        }
        sent.push(...fresh);
      }
    };
    const settle = async () => {
      while (running) {
        await settleAll(db, home.project.id, clock, 100);
        await sleep(20);
      }
    };
    const prune = async () => {
      for (let run = 0; run < 8; run += 1) {
        clock += ANNOUNCE_MS + 1_000;
        await runRetention({ db, log, now: clock });
        await sleep(100);
      }
      running = false;
    };
    const stop = () => (running = false);
    await Promise.all([talk(), talk(), talk(), settle(), prune()].map((work) => work.finally(stop)));
    await server.close();
    await settleAll(db, home.project.id, clock);
    for (let run = 0; run < 2; run += 1) await runRetention({ db, log, now: (clock += ANNOUNCE_MS + 1) });

    expect([...statuses.keys()].every((status) => status === 202 || status === 422)).toBe(true);
    const before = clock - ANNOUNCE_MS - 1 - RETENTION_MS;
    const rows = await db.sql<
      { id: string }[]
    >`select id::text as id from attempt where project_id = ${home.project.id}`;
    const stored = new Set(rows.map(({ id }) => id));
    const young = [...accepted].filter(([, { at }]) => at >= before);
    expect(young.filter(([id]) => !stored.has(id))).toEqual([]);
    expect(rows).toHaveLength(young.length);
    expect(accepted.size - young.length).toBeGreaterThan(20);
    const held = await db.sql<{ id: string }[]>`
      select distinct f ->> 'id' as id from review_item, jsonb_array_elements(facts -> 'facts') f where project_id = ${home.project.id}`;
    const known = new Set([...stored, ...held.map(({ id }) => id)]);
    expect([...accepted].filter(([id, { unclear }]) => unclear && !known.has(id))).toEqual([]);
    const sums = await db.sql<{ grain: number; n: number }[]>`
      select grain::int as grain, sum(attempts)::int as n from rate_rollup where project_id = ${home.project.id} group by 1`;
    expect(sums.map(({ n }) => n)).toEqual(sums.map(() => accepted.size));
    expect(await strayIds(home)).toBe(0);
    // Operations that began within what is kept count exactly what is stored of them.
    const edge = new Date(Math.ceil(before / 60_000) * 60_000).toISOString();
    const counted = await db.sql`
      select (select coalesce(sum(operations), 0)::int from operation_rollup
              where project_id = ${home.project.id} and grain = 1 and at >= ${edge}::timestamptz) as rollup,
             (select count(*)::int from operation where project_id = ${home.project.id} and first_at >= ${edge}::timestamptz) as stored`;
    expect(counted[0]?.rollup).toBe(counted[0]?.stored);
    const [stat] = await db.sql<{ n: number }[]>`
      select deadlocks::int as n from pg_stat_database where datname = current_database()`;
    expect(stat?.n).toBe(0);
  }, 120_000);
});

describe('late events', () => {
  test('stay refused when the project comes to keep its events for longer', async () => {
    const { db } = database;
    const home = await shortProject();
    const now = Date.now();
    const server = await startIngestServer(db);
    const client = createIngestClient(server.port, home.keys.ingest);
    const event = wireAttempt({ startedAt: now - RETENTION_MS + 60_000 });
    expect(await client.post(event)).toMatchObject({ status: 202, json: { accepted: 1 } });
    await settleAll(db, home.project.id, now);
    // Kept for an hour less from now on: the event goes, and its id with it.
    await db.sql`update project set settings = ${JSON.stringify({ retentionMs: RETENTION_MS - 3_600_000 })}::text::jsonb
      where id = ${home.project.id}`;
    await runRetention({ db, log, now: now - ANNOUNCE_MS });
    await runRetention({ db, log, now });
    expect(await countRows('event_ledger', home)).toBe(0);
    await db.sql`update project set settings = ${JSON.stringify({ retentionMs: 60 * DAY_MS })}::text::jsonb
      where id = ${home.project.id}`;
    await server.close();
    const other = await startIngestServer(db);
    // Keys and what they open are remembered for ten seconds.
    await sleep(10_100);
    const again = createIngestClient(other.port, home.keys.ingest);
    expect(await again.post(event)).toMatchObject({ status: 422, json: { code: 'timestamp_out_of_range' } });
    expect(await countRows('attempt', home)).toBe(0);
    await other.close();
  }, 60_000);
});

function startPrune(args: string[]) {
  const env = { ...process.env, DATABASE_URL: database.url, READBACK_DATA_DIR: join('/nonexistent', 'data') };
  const child = spawn(process.execPath, [PROGRAM, 'prune', ...args], { env });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const end = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout, stderr })),
  );
  return { child, end };
}

describe('readback prune', () => {
  test('counts first; killed in the middle it leaves whole rows, and the next run goes on', async () => {
    const { db } = database;
    const home = await shortProject();
    const old = Date.now() - RETENTION_MS - DAY_MS;
    const facts = Array.from({ length: 1_200 }, (_, i) => makeSuccess({ operationId: `op-${i}`, startedAt: old + i }));
    const doubt = makeUnclear({ operationId: 'doubt', startedAt: old, id: randomUUID() });
    await recordWithIds(db, home.project, [...facts, doubt]);
    await settleAll(db, home.project.id, Date.now());
    const { slug } = home.project;

    const dry = await startPrune(['--project', slug, '--dry-run', '--json']).end;
    expect(dry.code, dry.stderr).toBe(0);
    expect(JSON.parse(dry.stdout)).toMatchObject({
      dryRun: true,
      projects: [{ project: slug, attempts: 1_201, operations: 1_200 }],
    });
    expect(await countRows('attempt', home)).toBe(1_201);

    await runRetention({ db, log, now: Date.now() - 2 * ANNOUNCE_MS }, 0);
    await db.sql.unsafe(`create function take_time() returns trigger language plpgsql as $$ begin
      perform pg_sleep(0.002); return old; end $$;
      create trigger take_time before delete on attempt for each row execute function take_time()`);
    const { child, end } = startPrune(['--project', slug]);
    while ((await countRows('attempt', home)) === 1_201) await sleep(2);
    child.kill('SIGKILL');
    await end;
    const left = await countRows('attempt', home);
    expect(left).toBeGreaterThan(0);
    expect(await strayIds(home)).toBe(0);
    expect(await countRows('operation', home)).toBe(1_201);

    await db.sql.unsafe('drop trigger take_time on attempt');
    const done = await startPrune(['--project', slug, '--json']).end;
    expect(done.code, done.stderr).toBe(0);
    expect(JSON.parse(done.stdout)).toMatchObject({
      dryRun: false,
      projects: [{ project: slug, attempts: left, ids: left, operations: 1_200 }],
    });
    expect(await countRows('attempt', home)).toBe(0);
    expect(await countRows('event_ledger', home)).toBe(0);
    expect(await countRows('operation', home)).toBe(1);
    expect(await countRows('review_item', home, `state = 'open' and operation_id = 'doubt'`)).toBe(1);
    expect(
      await number(`select sum(attempts) as n from rate_rollup where project_id = $1 and grain = 60`, home.project.id),
    ).toBe(1_201);
  }, 120_000);
});

describe('days ahead', () => {
  test('four workers starting at once make the days that are missing, each once', async () => {
    const { db } = database;
    const names = await listPartitions(db.sql);
    for (const name of names.slice(-12)) await db.sql.unsafe(`drop table ${name}`);
    const workers = Array.from({ length: 4 }, () =>
      fork(WORKER, [], {
        execArgv: ['--import', 'tsx'],
        env: { ...process.env, DATABASE_URL: database.url, READBACK_SECRET: 'x'.repeat(40), LOG_LEVEL: 'silent' },
        stdio: 'ignore',
      }),
    );
    try {
      const ahead = partitionName(neededPartitions(Date.now(), 30 * DAY_MS).to);
      for (let tries = 0; tries < 400 && !(await listPartitions(db.sql)).includes(ahead); tries += 1) await sleep(100);
      expect(await listPartitions(db.sql)).toEqual(expect.arrayContaining(names));
      expect(workers.map(({ exitCode }) => exitCode)).toEqual([null, null, null, null]);
    } finally {
      for (const worker of workers) worker.kill('SIGKILL');
    }
  }, 60_000);
});
