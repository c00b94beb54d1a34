import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { startIngestServer, type IngestServer } from '@/test/support/ingest-server';
import { createTestProject, type TestProject } from '@/test/support/project';

let database: TestDatabase;
let server: IngestServer;
let project: TestProject;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startIngestServer(database.db);
  project = await createTestProject(database.db, { profile: 'vibecode' });
});

afterAll(async () => {
  await server?.close();
  await database?.close();
});

interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

async function post(body: unknown, headers: Record<string, string> = {}, path = '/api/v1/events'): Promise<Answer> {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${project.keys.ingest}`, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

const attempt = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  id: randomUUID(),
  operationId: `op-${randomUUID()}`,
  attempt: 1,
  startedAt: Date.now(),
  service: 'crm-sync',
  call: 'crm.deal.add',
  status: 200,
  ...more,
});

describe('POST /api/v1/events', () => {
  it('stores an attempt with its ledger entry, rollups at three grains and its mark', async () => {
    const event = attempt({ kind: 'Write', status: 429, code: 'RATE_LIMITED', retryAfter: '30' });
    const answer = await post(event);
    expect(answer).toMatchObject({ status: 202, body: { accepted: 1, duplicates: 0, rejected: [] } });
    const { sql } = database.db;
    const projectId = project.project.id;
    const [row] = await sql`select * from attempt where project_id = ${projectId} and id = ${event.id as string}`;
    expect(row).toMatchObject({ operation_id: event.operationId, attempt: 1 });
    expect(row?.event).toMatchObject({ type: 'attempt', kind: 'write', environment: 'production', retryAfter: ['30'] });
    const rates = await sql`select grain, attempts, tallied, code from rate_rollup join dimension using (project_id)
      where project_id = ${projectId} and dimension.id = dimension_id order by grain`;
    expect(rates.map(({ grain, attempts }) => [grain, attempts])).toEqual([
      [1, 1],
      [15, 1],
      [60, 1],
    ]);
    const touched = await sql`select operation_id from operation_touch where project_id = ${projectId}`;
    expect(touched.map(({ operation_id }) => operation_id as string)).toContain(event.operationId);
  });
});
