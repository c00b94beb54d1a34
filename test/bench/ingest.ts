import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { createTestProject, type TestProject } from '@/test/support/project';
import { startServer, type TestServer } from '@/test/support/server';
import { benchBodies, benchEvent } from './bench-events';
import { median, type BenchLine } from './bench-line';
import { startBareNext } from './bare-next';
import { watchCpu } from './cpu-time';
import { percentile, requestBytes, runLoad, type Load } from './tiny-client';

/** Speed of ingestion, as ratios of two numbers taken in one run (docs/benchmarks.md). */

const BATCH = 1_000;
const BATCHES = 60;
const BATCH_CONNECTIONS = 4;
const ROUNDS = 3;
const SINGLE_ROUNDS = 5;
const SINGLE_CONNECTIONS = 64;
const SINGLES = 12_000;
const NEXT_SINGLES = 4_000;

function allAccepted(load: Load): void {
  const [[status] = [0], ...others] = [...load.statuses];
  if (others.length > 0 || status !== 202) throw new Error(`answers: ${JSON.stringify([...load.statuses])}`);
}

function iterate(bodies: Buffer[]): () => Buffer | null {
  let next = 0;
  return () => bodies[next++] ?? null;
}

interface Bench {
  database: TestDatabase;
  server: TestServer;
}

async function sendBatches(bench: Bench, project: TestProject, batches: number): Promise<number> {
  const target = {
    port: bench.server.port,
    path: '/api/v1/events',
    headers: { Authorization: `Bearer ${project.keys.ingest}` },
  };
  const bodies = benchBodies(batches, BATCH, Date.now()).map((body) => requestBytes(target, body));
  const load = await runLoad(bench.server.port, BATCH_CONNECTIONS, iterate(bodies));
  allAccepted(load);
  return (batches * BATCH) / load.seconds;
}

const ATTEMPT_COLUMNS = 'started_at, id, operation_id, attempt, dimension_id, received_at, rule_set, event';
const LEDGER_COLUMNS = 'id, content_hash, at';

/** The same rows under another project: server-side files, one connection, one transaction. */
async function copyRows(bench: Bench, from: TestProject, to: TestProject): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'readback-bench-'));
  // PostgreSQL runs as an account of its own when we are root.
  chmodSync(folder, 0o777);
  const tables: [string, string][] = [
    ['event_ledger', LEDGER_COLUMNS],
    ['attempt', ATTEMPT_COLUMNS],
  ];
  const { sql } = bench.database.db;
  try {
    for (const [table, columns] of tables) {
      const rows = `select ${to.project.id}, ${columns} from ${table} where project_id = ${from.project.id}`;
      await sql.unsafe(`copy (${rows}) to '${join(folder, table)}'`);
    }
    const started = performance.now();
    await sql.begin(async (tx) => {
      await tx`set local statement_timeout = 0`;
      for (const [table, columns] of tables)
        await tx.unsafe(`copy ${table} (project_id, ${columns}) from '${join(folder, table)}'`);
    });
    const seconds = (performance.now() - started) / 1000;
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from attempt where project_id = ${to.project.id}`;
    return (row?.count ?? 0) / seconds;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function withBench<T>(serverUrl: string, work: (bench: Bench) => Promise<T>): Promise<T> {
  const database = await createTestDatabase(serverUrl);
  const server = await startServer({ databaseUrl: database.url, role: 'ingest', env: { LOG_LEVEL: 'warn' } });
  try {
    return await work({ database, server });
  } finally {
    await server.stop();
    await database.close();
  }
}

/** Durable events a second over HTTP in batches of 1,000, against COPY of the same rows into attempt and ledger. */
export function benchBatches(serverUrl: string): Promise<BenchLine> {
  return withBench(serverUrl, async (bench) => {
    const { db } = bench.database;
    await sendBatches(bench, await createTestProject(db, { profile: 'vibecode' }), 20);
    const [http, copy]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      const project = await createTestProject(db, { profile: 'vibecode' });
      http.push(await sendBatches(bench, project, BATCHES));
      copy.push(await copyRows(bench, project, await createTestProject(db)));
    }
    return {
      what: 'durable events/s over HTTP, batches of 1,000',
      measured: `${Math.round(median(http))} events/s`,
      against: `${Math.round(median(copy))} rows/s by COPY`,
      ratio: median(http.map((value, round) => value / (copy[round] ?? NaN))),
      asked: '≥ 0.3',
    };
  });
}

interface Side {
  port: number;
  path: string;
  key: string;
}

/** Its requests are made before the clock starts: the load must not be what is measured. */
async function sendSingles({ port, path, key }: Side, count: number): Promise<Load & { perSecond: number }> {
  const target = { port, path, headers: { Authorization: `Bearer ${key}` } };
  const from = Date.now() - 600_000;
  const requests = Array.from({ length: count }, (_, serial) =>
    requestBytes(target, JSON.stringify(benchEvent(serial, from + serial))),
  );
  const load = await runLoad(port, SINGLE_CONNECTIONS, iterate(requests));
  allAccepted(load);
  return { ...load, perSecond: count / load.seconds };
}

/** Processes of PostgreSQL that serve the listener. */
async function findBackends({ database }: Bench): Promise<number[]> {
  const rows = await database.db.sql<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and application_name = 'readback-ingest'`;
  return rows.map(({ pid }) => pid);
}

/** One round of ours, with the CPU a post of listener and database. */
async function measureSingles(bench: Bench, ours: Side) {
  const database = watchCpu(await findBackends(bench));
  const listener = watchCpu([bench.server.pid]);
  const { perSecond, latencies } = await sendSingles(ours, SINGLES);
  return {
    ours: perSecond,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    listenerMicros: listener() / SINGLES,
    databaseMicros: database() / SINGLES,
  };
}

/** Durable single-event posts at 64 connections, against a bare Next route that only parses. */
export function benchSingles(serverUrl: string): Promise<BenchLine> {
  return withBench(serverUrl, async (bench) => {
    const { keys } = await createTestProject(bench.database.db, { profile: 'vibecode' });
    const next = await startBareNext();
    const ours = { port: bench.server.port, path: '/api/v1/events', key: keys.ingest };
    const bare = { port: next.port, path: '/events', key: keys.ingest };
    try {
      await sendSingles(ours, SINGLES);
      await sendSingles(bare, NEXT_SINGLES);
      const rounds: (Awaited<ReturnType<typeof measureSingles>> & { bare: number })[] = [];
      for (let round = 0; round < SINGLE_ROUNDS; round += 1) {
        const measured = await measureSingles(bench, ours);
        rounds.push({ ...measured, bare: (await sendSingles(bare, NEXT_SINGLES)).perSecond });
      }
      const of = (pick: (round: (typeof rounds)[number]) => number): number => median(rounds.map(pick));
      const waits = `p50 ${of((round) => round.p50).toFixed(0)} ms, p99 ${of((round) => round.p99).toFixed(0)} ms`;
      const cpu = `listener ${of((round) => round.listenerMicros).toFixed(0)} µs, PostgreSQL ${of((round) => round.databaseMicros).toFixed(0)} µs`;
      return {
        what: 'durable single-event posts/s, 64 connections',
        measured: `${Math.round(of((round) => round.ours))} posts/s (${waits}; CPU a post: ${cpu})`,
        against: `${Math.round(of((round) => round.bare))} posts/s, a Next route that only parses`,
        ratio: of((round) => round.ours / round.bare),
        asked: '≥ 5',
      };
    } finally {
      await next.stop();
    }
  });
}
