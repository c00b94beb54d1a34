import { randomUUID } from 'node:crypto';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { wireAttempt } from '@/test/factories/wire-event';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { createIngestClient, type IngestClient } from '@/test/support/ingest-client';
import { startIngestServer, type IngestServer } from '@/test/support/ingest-server';
import { createTestProject, type TestProject } from '@/test/support/project';

let database: TestDatabase;
let server: IngestServer;
let project: TestProject;
let client: IngestClient;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startIngestServer(database.db);
});

beforeEach(async () => {
  project = await createTestProject(database.db, { profile: 'vibecode' });
  client = createIngestClient(server.port, project.keys.ingest);
});

afterAll(async () => {
  await server?.close();
  await database?.close();
});

interface Row {
  operation_id: string | null;
  type: string;
  event: Record<string, unknown>;
}

const attempts = (): Promise<Row[]> => database.db.sql<Row[]>`
  select operation_id, 'attempt' as type, event from attempt where project_id = ${project.project.id} order by started_at, id`;
const facts = (): Promise<Row[]> => database.db.sql<Row[]>`
  select operation_id, type, event from fact where project_id = ${project.project.id} order by at, type`;

describe('what is stored of an event', () => {
  it('is the attempt, its id, its rates at three grains, its mark and the settler’s turn', async () => {
    const event = wireAttempt({ kind: 'WRITE', status: 429, code: 'RATE_LIMITED', retryAfter: '30' });
    expect(await client.post(event)).toMatchObject({
      status: 202,
      json: { accepted: 1, duplicates: 0, conflicts: [], rejected: [], sanitized: 0, ignoredFields: 0, redacted: 0 },
    });
    const { sql } = database.db;
    const id = project.project.id;
    const [row] = await attempts();
    expect(row?.event).toMatchObject({ type: 'attempt', kind: 'write', environment: 'production', retryAfter: ['30'] });
    expect(row?.operation_id).toBe(event.operationId);
    const rates = await sql`select grain, attempts, tallied, code from rate_rollup r
      join dimension d on d.project_id = r.project_id and d.id = r.dimension_id where r.project_id = ${id} order by grain`;
    expect(rates.map((rate): unknown[] => [rate.grain, rate.attempts, rate.code])).toEqual(
      [-60, -15, 1, 15, 60].map((grain) => [grain, 1, 'RATE_LIMITED']),
    );
    expect(await sql`select operation_id from operation_touch where project_id = ${id}`).toMatchObject([
      { operation_id: event.operationId },
    ]);
    expect(await sql`select 1 from settle_turn where project_id = ${id}`).toHaveLength(1);
  });

  it('never holds the idempotency key, the credential, a header outside the list, or a secret in a text', async () => {
    const quoted = { key: '"order-key-1"', mode: 'server' };
    const more = { credential: 'user-token-77', headers: { 'X-Should-Retry': 'false', 'Set-Cookie': 'sid=42' } };
    const first = wireAttempt({ ...more, idempotency: quoted, message: 'password=hunter2 refused' });
    const second = wireAttempt({ ...more, idempotency: { key: 'order-key-1' }, attempt: 2 });
    const answer = await client.post([first, second]);
    expect(answer.json).toMatchObject({ accepted: 2, redacted: 1 });
    const rows = await attempts();
    const text = JSON.stringify(rows);
    for (const secret of ['order-key-1', 'user-token-77', 'sid=42', 'hunter2']) expect(text).not.toContain(secret);
    const hashes = rows.map(({ event }) => (event.idempotency as { keyHash: string }).keyHash);
    expect(new Set(hashes).size).toBe(1);
    expect(rows.every(({ event }) => JSON.stringify(event.headers) === '{"x-should-retry":"false"}')).toBe(true);
  });

  it('takes every event type', async () => {
    const startedAt = Date.now();
    const operationId = 'op-types';
    const events = [
      { type: 'attempt_started', operationId, attempt: 1, startedAt, service: 's', call: 'c' },
      { type: 'readback', operationId, startedAt, endedAt: startedAt, result: 'absent', criterion: 'unique' },
      { type: 'auth_refresh', credential: 'tok', startedAt, ok: true },
      { type: 'cause_fixed', code: 'X', startedAt },
      { type: 'job_result', operationId, jobId: 'j1', result: 'failed', startedAt },
      { type: 'closed', operationId, startedAt, result: 'done', entityIds: ['7'] },
      { type: 'webhook_delivery', jobId: 'j1', event: 'done', startedAt, status: 200 },
      { type: 'tally', id: randomUUID(), service: 's', call: 'c', minute: startedAt, successes: 40 },
    ];
    expect((await client.post({ events })).json).toMatchObject({ accepted: 8, rejected: [] });
    expect((await facts()).map(({ type }) => type).sort()).toEqual(events.map(({ type }) => type).sort());
    const [rate] = await database.db.sql`
      select attempts, tallied from rate_rollup where project_id = ${project.project.id} and grain = 60`;
    expect(rate).toMatchObject({ attempts: 0, tallied: 40 });
    const spread = await database.db.sql`
      select f.type from fact_touch t join fact f on f.project_id = t.project_id and f.id = t.fact_id
      where t.project_id = ${project.project.id} order by 1`;
    expect(spread.map(({ type }) => String(type))).toEqual([
      'auth_refresh',
      'cause_fixed',
      'tally',
      'webhook_delivery',
    ]);
    expect((await client.post({ type: 'cause_fixed', startedAt })).status).toBe(422);
  });

  it('is one attempt an item of an expanded batch, each its own operation', async () => {
    const items = [
      { item: 'a', status: 200 },
      { item: 1, code: 'X', status: 400 },
      { item: 'c', operationId: 'own', notRun: true },
    ];
    const event = wireAttempt({ operationId: 'carrier', items, id: undefined });
    const answers = [await client.post(event), await client.post(event)];
    expect(answers.map(({ json }) => [json.accepted, json.duplicates])).toEqual([
      [3, 0],
      [0, 3],
    ]);
    expect((await attempts()).map(({ operation_id }) => operation_id).sort()).toEqual([
      'carrier#1',
      'carrier#a',
      'own',
    ]);
  });

  it('counts what was dropped and what was replaced', async () => {
    const event = wireAttempt({ odd: 1, sdk: { name: 'got', build: 7 }, message: 'a\0b', warning: 'x'.repeat(5_000) });
    expect((await client.post(event)).json).toMatchObject({ accepted: 1, ignoredFields: 2, sanitized: 2 });
  });
});

describe('how a body may come', () => {
  const packers: [string, (text: string) => Buffer][] = [
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
  ];
  it.each(packers)('%s', async (encoding, pack) => {
    const body = pack(JSON.stringify(Array.from({ length: 700 }, () => wireAttempt())));
    expect((await client.post(body, { 'content-encoding': encoding })).json).toMatchObject({ accepted: 700 });
  });

  it('NDJSON, with a line for an index', async () => {
    const lines = [JSON.stringify(wireAttempt()), '', '{"attempt":1}', JSON.stringify(wireAttempt())].join('\n');
    const answer = await client.post(lines, { 'content-type': 'application/x-ndjson' });
    expect(answer.json).toMatchObject({ accepted: 2, rejected: [{ index: 2, pointer: '/operationId' }] });
  });

  it('NDJSON, a line that is not UTF-8 refused alone', async () => {
    const good = (message: string) => Buffer.from(`${JSON.stringify(wireAttempt({ message }))}\n`);
    const lines = Buffer.concat([good('ждём'), Buffer.from([0x7b, 0xff, 0x7d, 0x0a]), good('готово')]);
    const answer = await client.post(lines, { 'content-type': 'application/x-ndjson' });
    expect(answer).toMatchObject({
      status: 202,
      json: { accepted: 2, sanitized: 0, rejected: [{ index: 1, code: 'validation_failed' }] },
    });
  });

  it('not larger than 10 MiB, announced or not', async () => {
    const answer = await client.post(`{"events":[],"pad":"${'x'.repeat(10 * 1024 * 1024)}"}`);
    expect(answer).toMatchObject({ status: 413, json: { code: 'payload_too_large' } });
    expect(server.deps.budget.usedBytes).toBe(0);
  });

  it('counts the items of an expanded batch towards 5,000', async () => {
    const items = Array.from({ length: 2_600 }, (_, item) => ({ item, status: 200 }));
    const answer = await client.post([wireAttempt({ items }), wireAttempt({ items })]);
    expect(answer).toMatchObject({ status: 413, json: { code: 'batch_too_large' } });
  });
});

describe('a mixed batch', () => {
  const mixed = () => [
    wireAttempt(),
    wireAttempt({ attempt: 0 }),
    wireAttempt({ startedAt: '2001-01-01T00:00:00Z' }),
    wireAttempt(),
  ];

  it('keeps the good events and says what is wrong with the others', async () => {
    const events = mixed();
    const answer = await client.post({ events });
    expect(answer).toMatchObject({
      status: 202,
      json: {
        accepted: 2,
        rejected: [
          { index: 1, pointer: '/attempt', code: 'validation_failed' },
          { index: 2, pointer: '/startedAt', code: 'timestamp_out_of_range' },
        ],
      },
    });
    expect((await client.post({ events })).json).toMatchObject({ accepted: 0, duplicates: 2 });
    expect(await attempts()).toHaveLength(2);
  });

  it('is refused as a whole where strictness is asked for', async () => {
    const answer = await client.post({ events: mixed() }, { prefer: 'respond-async, handling=strict' });
    expect(answer).toMatchObject({ status: 422, json: { code: 'validation_failed', accepted: 0 } });
    expect(await attempts()).toHaveLength(0);
  });

  it('of bad events only has their common code', async () => {
    const late = { events: [wireAttempt({ startedAt: 0 }), wireAttempt({ startedAt: 1 })] };
    expect(await client.post(late)).toMatchObject({ status: 422, json: { code: 'timestamp_out_of_range' } });
  });
});

describe('times', () => {
  const ahead = (ms: number) => new Date(Date.now() + ms).toISOString();

  it.each(['startedAt', 'headersAt', 'endedAt'])(
    '%s more than ten minutes ahead is refused, never kept waiting',
    async (name) => {
      const answer = await client.post(wireAttempt({ status: 504, kind: 'write', [name]: ahead(11 * 60_000) }));
      expect(answer).toMatchObject({
        status: 422,
        json: { code: 'timestamp_out_of_range', rejected: [{ pointer: `/${name}` }] },
      });
      const inside = await client.post(wireAttempt({ status: 504, kind: 'write', [name]: ahead(9 * 60_000) }));
      expect(inside).toMatchObject({ status: 202, json: { accepted: 1 } });
    },
  );

  it('of a read-back are held to the same window, but not how far its listing reached', async () => {
    const readback = { type: 'readback', operationId: 'times-1', result: 'absent', criterion: 'unique' };
    const now = ahead(-5_000);
    const late = { ...readback, startedAt: now, endedAt: ahead(3_600_000) };
    expect(await client.post(late)).toMatchObject({ status: 422, json: { rejected: [{ pointer: '/endedAt' }] } });
    const deep = { ...readback, startedAt: now, endedAt: now, oldestSeen: '2019-01-01T00:00:00Z' };
    expect(await client.post(deep)).toMatchObject({ status: 202, json: { accepted: 1 } });
  });
});

describe('a word for kind', () => {
  it.each(['', '  ', 'READ ME', 'delete'])('that is not read is a write: "%s"', async (kind) => {
    const event = wireAttempt({ kind, method: 'GET', profile: 'http', status: 504 });
    expect(await client.post(event, {}, '/api/v1/classify')).toMatchObject({
      status: 200,
      json: { results: [{ verdict: { unknownOutcome: true } }] },
    });
  });
});

describe('who may', () => {
  it('only an ingest key writes; others are refused by scope', async () => {
    for (const scope of ['read', 'operate'] as const) {
      const other = createIngestClient(server.port, project.keys[scope]);
      expect(await other.post(wireAttempt())).toMatchObject({ status: 403, json: { code: 'wrong_scope' } });
    }
    const evaluate = await client.post([wireAttempt()], {}, '/api/v1/operations/evaluate');
    expect(evaluate).toMatchObject({ status: 403, json: { code: 'wrong_scope' } });
  });
});
