import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { createTestProject, type TestProject } from '@/test/support/project';
import { startServer, type TestServer } from '@/test/support/server';
import { benchBodies, benchEvent } from './bench-events';
import { startBareNext } from './bare-next';
import { percentile, requestBytes, runLoad, type Load } from './tiny-client';

/** Speed of ingestion, as ratios of two numbers taken in one run (docs/benchmarks.md). */

export interface Ratio {
  name: string;
  /** Ours and the yardstick's, per second. */
  ours: number;
  yardstick: number;
  ratio: number;
  floor: number;
  detail: Record<string, number | string>;
}

const BATCH = 1_000;
const BATCHES = 60;
const BATCH_CONNECTIONS = 4;
const ROUNDS = 3;
const SINGLES = 20_000;
const SINGLE_CONNECTIONS = 64;
const NEXT_SINGLES = 6_000;

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

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

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
export function benchBatches(serverUrl: string): Promise<Ratio> {
  return withBench(serverUrl, async (bench) => {
    const { db } = bench.database;
    await sendBatches(bench, await createTestProject(db, { profile: 'vibecode' }), 20);
    const [http, copy]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      const project = await createTestProject(db, { profile: 'vibecode' });
      http.push(await sendBatches(bench, project, BATCHES));
      copy.push(await copyRows(bench, project, await createTestProject(db)));
    }
    const [ours, yardstick] = [median(http), median(copy)];
    const detail = { http: http.map(Math.round).join(' '), copy: copy.map(Math.round).join(' ') };
    return {
      name: 'events/s in batches of 1,000 ÷ COPY rows/s',
      ours,
      yardstick,
      ratio: ours / yardstick,
      floor: 0.3,
      detail,
    };
  });
}

function singles(port: number, path: string, key: string, count: number): () => Buffer | null {
  let serial = 0;
  const target = { port, path, headers: { Authorization: `Bearer ${key}` } };
  const now = Date.now();
  return () =>
    serial < count ? requestBytes(target, JSON.stringify(benchEvent(serial++, now - 600_000 + serial))) : null;
}

/** Durable single-event posts at 64 connections, against a bare Next route that only parses. */
export function benchSingles(serverUrl: string): Promise<Ratio> {
  return withBench(serverUrl, async (bench) => {
    const { keys } = await createTestProject(bench.database.db, { profile: 'vibecode' });
    const { port } = bench.server;
    await runLoad(port, SINGLE_CONNECTIONS, singles(port, '/api/v1/events', keys.ingest, 5_000));
    const load = await runLoad(port, SINGLE_CONNECTIONS, singles(port, '/api/v1/events', keys.ingest, SINGLES));
    allAccepted(load);
    const next = await startBareNext();
    try {
      await runLoad(next.port, SINGLE_CONNECTIONS, singles(next.port, '/events', keys.ingest, 2_000));
      const bare = await runLoad(
        next.port,
        SINGLE_CONNECTIONS,
        singles(next.port, '/events', keys.ingest, NEXT_SINGLES),
      );
      allAccepted(bare);
      const [ours, yardstick] = [SINGLES / load.seconds, NEXT_SINGLES / bare.seconds];
      const detail = {
        p50Ms: percentile(load.latencies, 0.5).toFixed(1),
        p99Ms: percentile(load.latencies, 0.99).toFixed(1),
        nextP99Ms: percentile(bare.latencies, 0.99).toFixed(1),
      };
      return {
        name: 'single-event posts/s ÷ bare Next route',
        ours,
        yardstick,
        ratio: ours / yardstick,
        floor: 5,
        detail,
      };
    } finally {
      await next.stop();
    }
  });
}
