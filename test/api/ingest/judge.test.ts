import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
  project = await createTestProject(database.db, { profile: 'vibecode' });
  client = createIngestClient(server.port, project.keys.read);
});

afterAll(async () => {
  await server?.close();
  await database?.close();
});

interface Result {
  index: number;
  item?: string;
  verdict?: { action: string; code: string; ruleSet: string } | null;
  error?: { code: string };
  explanation?: { what: string; now: string };
}

async function classify(body: unknown, query = '', headers: Record<string, string> = {}): Promise<Result[]> {
  const answer = await client.post(body, headers, `/api/v1/classify${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json.results as Result[];
}

describe('POST /api/v1/classify', () => {
  it('gives every event its verdict or its error, in order, and stores nothing', async () => {
    const items = [
      { item: 'a', status: 200 },
      { item: 'b', code: 'X', status: 400 },
    ];
    const results = await classify({
      events: [
        wireAttempt({ status: 504, code: 'BITRIX_TIMEOUT', startedAt: '2019-01-01T00:00:00Z' }),
        { attempt: 1 },
        wireAttempt({ items }),
        { type: 'closed', operationId: 'o', startedAt: 0, result: 'done' },
      ],
    });
    expect(results.map(({ index, item }) => [index, item])).toEqual([
      [0, undefined],
      [1, undefined],
      [2, 'a'],
      [2, 'b'],
      [3, undefined],
    ]);
    expect(results[0]?.verdict).toMatchObject({ action: 'state_verification_required', code: 'BITRIX_TIMEOUT' });
    expect(results[1]?.error?.code).toBe('validation_failed');
    expect(results[4]?.verdict).toBeNull();
    expect(await database.db.sql`select 1 from event_ledger where project_id = ${project.project.id}`).toHaveLength(0);
  });

  it('judges by the edition that was asked for, and knows when there is none', async () => {
    const [result] = await classify(wireAttempt({ status: 504 }), '?ruleSet=vibecode@older-ru');
    expect(result?.verdict?.ruleSet).toBe('vibecode@older-ru');
    const answer = await client.post(wireAttempt(), {}, '/api/v1/classify?ruleSet=nothing@1');
    expect(answer).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
  });

  it('explains in the language that is preferred', async () => {
    const event = wireAttempt({ status: 504, code: 'BITRIX_TIMEOUT' });
    const [en] = await classify(event, '?explain=1', { 'accept-language': 'de, en;q=0.5' });
    const [ru] = await classify(event, '?explain=1', { 'accept-language': 'ru-RU,ru;q=0.9,en;q=0.8' });
    expect(en?.explanation?.now).toMatch(/[a-z]{3}/);
    expect(ru?.explanation?.now).toMatch(/[а-я]{3}/);
    const [plain] = await classify(event);
    expect(plain).not.toHaveProperty('explanation');
  });

  it('takes keys of every scope', async () => {
    for (const key of Object.values(project.keys)) {
      const answer = await createIngestClient(server.port, key).post([], {}, '/api/v1/classify');
      expect(answer).toMatchObject({ status: 200, json: { results: [] } });
    }
  });
});

describe('POST /api/v1/operations/evaluate', () => {
  const startedAt = Date.parse('2026-10-01T10:00:00Z');
  const first = wireAttempt({
    operationId: 'a',
    kind: 'write',
    startedAt,
    endedAt: startedAt + 1_000,
    status: 504,
    code: 'BITRIX_TIMEOUT',
  });
  const second = wireAttempt({ operationId: 'b', startedAt, status: 200 });

  async function evaluate(body: unknown, query = '') {
    const answer = await client.post(body, {}, `/api/v1/operations/evaluate${query}`);
    return {
      status: answer.status,
      operations: answer.json.operations as Record<string, unknown>[],
      json: answer.json,
    };
  }

  it('concludes about every operation of the body', async () => {
    const { operations } = await evaluate({ events: [first, second], asOf: startedAt + 3_600_000 });
    expect(operations).toMatchObject([
      {
        operationId: 'a',
        state: 'unresolved',
        possibleEffects: 1,
        attempts: [{ attempt: 1 }],
        findings: expect.any(Array) as unknown,
      },
      { operationId: 'b', state: 'succeeded' },
    ]);
  });

  it('takes asOf beside the events or in the query', async () => {
    const throttled = wireAttempt({
      operationId: 'c',
      startedAt,
      endedAt: startedAt + 10,
      status: 429,
      code: 'RATE_LIMITED',
      retryAfter: '60',
    });
    const early = await evaluate({ events: [throttled], asOf: startedAt + 20_000 });
    const late = await evaluate([throttled], `?asOf=${startedAt + 3_600_000}`);
    expect(early.operations).toMatchObject([{ state: 'in_progress', pairs: [{ compliance: 'pending' }] }]);
    expect(late.operations).toMatchObject([{ state: 'failed', pairs: [{ compliance: 'no_retry_observed' }] }]);
    expect(await evaluate([throttled], '?asOf=soon')).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
  });

  it('brings facts that name no operation to those they bear on', async () => {
    const denied = wireAttempt({ operationId: 'd', startedAt, status: 401, code: 'TOKEN_EXPIRED', credential: 'tok' });
    const retried = wireAttempt({
      operationId: 'd',
      attempt: 2,
      startedAt: startedAt + 5_000,
      status: 200,
      credential: 'tok',
    });
    const refresh = { type: 'auth_refresh', credential: 'tok', startedAt: startedAt + 2_000, ok: true };
    const { operations } = await evaluate({ events: [denied, refresh, retried], asOf: startedAt + 60_000 });
    expect(operations).toMatchObject([{ operationId: 'd', attempts: [{ attempt: 1 }, { attempt: 2 }] }]);
    const checks = (of: typeof operations) => (of[0]?.findings as { check: string }[]).map(({ check }) => check);
    expect(checks(operations)).not.toContain('auth_loop');
  });
});
