import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wireAttempt } from '@/test/factories/wire-event';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { sendHttp, type RawAnswer } from '@/test/support/http-send';
import { createIngestClient } from '@/test/support/ingest-client';
import { createTestProject, type TestProject } from '@/test/support/project';
import { startServer, type TestServer } from '@/test/support/server';

let database: TestDatabase;
let server: TestServer;
let project: TestProject;
let other: TestProject;

beforeAll(async () => {
  database = await createTestDatabase();
  project = await createTestProject(database.db);
  other = await createTestProject(database.db);
  server = await startServer({ role: 'ingest', databaseUrl: database.url, env: { LOG_LEVEL: 'warn' } });
  const mine = createIngestClient(server.port, project.keys.ingest);
  const events = Array.from({ length: 7 }, () => wireAttempt());
  await mine.post([...events, {}, 'x', wireAttempt({ operationId: 'a\u0000' })]);
  await mine.post([...events.slice(0, 3), { ...events[3], code: 'OTHER' }]);
  await createIngestClient(server.port, other.keys.ingest).post([wireAttempt(), wireAttempt()]);
});

afterAll(async () => {
  await server?.stop();
  await database?.close();
});

function scrape(key?: string, method = 'GET'): Promise<RawAnswer> {
  const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {};
  return sendHttp({ port: server.port, method, path: '/metrics', headers });
}

const LINE =
  /^(?:# (?:HELP|TYPE) [a-z_][a-z0-9_]* .*|[a-z_][a-z0-9_]*(?:\{[a-z]+="[^"]*"(?:,[a-z]+="[^"]*")*\})? -?(?:\d[\d.e+-]*|NaN|\+Inf))$/;

/** Every sample by its name and labels; throws on a line that is none. */
function parse(text: string): Record<string, number> {
  const samples: Record<string, number> = {};
  for (const line of text.trimEnd().split('\n')) {
    expect(line).toMatch(LINE);
    if (line.startsWith('#')) continue;
    const at = line.lastIndexOf(' ');
    samples[line.slice(0, at)] = Number(line.slice(at + 1));
  }
  return samples;
}

const events = (outcome: string, code = ''): string =>
  `readback_ingest_events_total{outcome="${outcome}",code="${code}"}`;

describe('GET /metrics', () => {
  test('tells everybody what became of all events, and of no project', async () => {
    const answer = await scrape();
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    const samples = parse(answer.text);
    expect(samples[events('accepted')]).toBe(9);
    expect(samples[events('duplicate')]).toBe(3);
    expect(samples[events('conflict')]).toBe(1);
    expect(samples[events('rejected', 'validation_failed')]).toBe(2);
    expect(samples[events('rejected', 'invalid_characters')]).toBe(1);
    expect(samples.readback_database_up).toBe(1);
    expect(samples.readback_process_resident_memory_bytes).toBeGreaterThan(10_000_000);
    expect(samples.readback_ingest_waiting_requests).toBe(0);
    expect(samples['readback_ingest_answers_total{status="202"}']).toBe(3);
    expect(answer.text).not.toContain(project.project.slug);
    expect(answer.text).not.toContain('readback_project_');
  });

  test('tells the holder of a read key of its own project', async () => {
    const { text, status } = await scrape(project.keys.read);
    expect(status).toBe(200);
    const samples = parse(text);
    const label = `project="${project.project.slug}"`;
    expect(samples[`readback_project_events_total{${label},outcome="accepted",code=""}`]).toBe(7);
    expect(samples[`readback_project_events_total{${label},outcome="rejected",code="validation_failed"}`]).toBe(2);
    expect(samples[`readback_project_events_today{${label}}`]).toBe(7);
    expect(samples[`readback_project_quarantined_events{${label}}`]).toBe(0);
    expect(samples[`readback_project_open_review_items{${label}}`]).toBe(0);
    expect(text).not.toContain(other.project.slug);
    expect((await scrape(project.keys.operate)).status).toBe(200);
  });

  test('refuses keys that may not read, and other methods', async () => {
    expect(await scrape(project.keys.ingest)).toMatchObject({ status: 403, json: { code: 'wrong_scope' } });
    expect(await scrape('rb_read_nonsense')).toMatchObject({ status: 401, json: { code: 'invalid_credentials' } });
    expect(await scrape(undefined, 'POST')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    expect(await scrape(undefined, 'HEAD')).toMatchObject({ status: 200, text: '' });
  });

  test('still adds up after the process was killed', async () => {
    server.kill('SIGKILL');
    await server.exit;
    server = await startServer({ role: 'ingest', databaseUrl: database.url, env: { LOG_LEVEL: 'warn' } });
    const samples = parse((await scrape()).text);
    expect(samples[events('accepted')]).toBe(9);
    const all = Object.entries(samples).filter(([name]) => name.startsWith('readback_ingest_events_total'));
    expect(all.reduce((sum, [, count]) => sum + count, 0)).toBe(10 + 4 + 2);
  });

  test('answers without the database, and says so', async () => {
    const name = new URL(database.url).pathname.slice(1);
    const admin = await createTestDatabase();
    await admin.db.sql.unsafe(`alter database ${name} allow_connections false`);
    await admin.db.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
    try {
      // What was read is kept for five seconds.
      await new Promise((resolve) => setTimeout(resolve, 5_100));
      const started = performance.now();
      const samples = parse((await scrape()).text);
      expect(performance.now() - started).toBeLessThan(4_500);
      expect(samples.readback_database_up).toBe(0);
      expect(samples[events('accepted')]).toBeUndefined();
    } finally {
      await admin.db.sql.unsafe(`alter database ${name} allow_connections true`);
      await admin.close();
    }
  });
});
