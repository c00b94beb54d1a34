import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiKey, attempt } from '@/db/schema';
import { decodeAttempt } from '@/db/queries/stored-fact';
import { classify, ruleSetOf } from '@/lib/core/classify';
import { makeKeyText } from '@/lib/platform/key-text';
import cases from '@/test/cases/data/bad-inputs.json' with { type: 'json' };
import { wireAttempt } from '@/test/factories/wire-event';
import { makeBody, type BodySpec } from '@/test/support/bad-input-bodies';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { sendHttp, sendSocket, type RawAnswer } from '@/test/support/http-send';
import { startIngestServer, type IngestServer } from '@/test/support/ingest-server';
import { createTestProject, type TestProject } from '@/test/support/project';

interface Case {
  id: string;
  group: string;
  title: string;
  send: {
    method?: string;
    path?: string;
    headers?: Record<string, string | string[] | null>;
    body?: BodySpec;
    raw_socket?: string;
  };
  expect: { status: number; code: string; stored: string };
}

/** Cases that contract.md answers differently, each with its reason. */
const OVERRIDES: Readonly<Record<string, string>> = {
  B077: 'contract.md gives keys no expiry, so there is no expired key to send',
};

const GROUPS = /^[A-G]\./;
const CASES = (cases as unknown as { cases: Case[] }).cases.filter(({ group }) => GROUPS.test(group));
const PLAIN = CASES.filter(({ id, send }) => !send.raw_socket && !OVERRIDES[id]);
const ROWS: Readonly<Record<string, number>> = { '10 events': 10, '2 events': 2, nothing: 0, 'no second row': 1 };

let database: TestDatabase;
let server: IngestServer;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startIngestServer(database.db);
});

afterAll(async () => {
  await server?.close();
  await database?.close();
});

type StoredRow = typeof attempt.$inferSelect;

function rowsOf(project: TestProject): Promise<StoredRow[]> {
  return database.db.orm.select().from(attempt).where(eq(attempt.projectId, project.project.id));
}

async function revokedKey(project: TestProject): Promise<string> {
  await database.db.orm
    .update(apiKey)
    .set({ revokedAt: new Date(), revokedBy: 'test' })
    .where(eq(apiKey.projectId, project.project.id));
  return project.keys.ingest;
}

async function fillHeader(value: string, project: TestProject, other: TestProject): Promise<string> {
  const key = project.keys.ingest;
  const typo = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
  if (value.includes('$KEY_REVOKED')) return value.replace('$KEY_REVOKED', await revokedKey(project));
  return value
    .replace('$KEY_TYPO', typo)
    .replace('$KEY_UNKNOWN', makeKeyText('ingest').text)
    .replace('$KEY_P2', other.keys.ingest)
    .replace('$KEY', key)
    .replace('(20000 bytes)', 'a'.repeat(20_000))
    .replace(/\\x([0-9a-f]{2})/g, (_whole, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

async function headersOf(entry: Case, project: TestProject, other: TestProject) {
  const headers: Record<string, string | string[]> = { authorization: `Bearer ${project.keys.ingest}` };
  for (const [name, value] of Object.entries(entry.send.headers ?? {})) {
    if (value === null) delete headers[name];
    else if (Array.isArray(value))
      headers[name] = await Promise.all(value.map((line) => fillHeader(line, project, other)));
    else headers[name] = await fillHeader(value, project, other);
  }
  return headers;
}

interface Sent {
  answer: RawAnswer;
  project: TestProject;
  other: TestProject;
}

async function send(entry: Case): Promise<Sent> {
  const project = await createTestProject(database.db);
  const other = await createTestProject(database.db);
  const sameId = randomUUID();
  const { method, path = '/', body } = entry.send;
  if (entry.expect.stored === 'no second row') {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${project.keys.ingest}` };
    await sendHttp({ port: server.port, path, headers, body: JSON.stringify(wireAttempt({ id: sameId })) });
  }
  const headers = await headersOf(entry, project, other);
  const bytes = body ? makeBody(body, { sameId, ownKey: project.keys.read }) : undefined;
  const answer = await sendHttp({ port: server.port, method, path, headers, body: bytes });
  return { answer, project, other };
}

const attributeOf = (row: StoredRow | undefined): unknown =>
  (row?.event as { attributes?: { m?: unknown } } | undefined)?.attributes?.m;

/** What else must hold, where the case says more than a number of rows. */
const FURTHER: Readonly<Record<string, (sent: Sent, row: StoredRow | undefined) => void>> = {
  B023: ({ answer }) => expect(answer.json.rejected).toMatchObject([0, 1, 2, 3].map((index) => ({ index }))),
  B025: ({ answer }) => expect(answer.json.rejected).toMatchObject([{ index: 1 }]),
  B068: ({ answer }) => expect(Object.keys(answer.headers).filter((name) => /^access-control/.test(name))).toEqual([]),
  B070: ({ answer }) => expect(answer.headers['www-authenticate']).toBe('Bearer'),
  B083: ({ answer }) => expect(answer.json.ignoredFields).toBe(1),
  B098: ({ answer }) => expect(answer.json).toMatchObject({ accepted: 0, duplicates: 1, conflicts: [0] }),
  B102: ({ answer }, row) => {
    expect(answer.json.sanitized).toBe(1);
    expect(attributeOf(row)).toBe('x\ufffdy');
  },
  B104: (_sent, row) => expect(attributeOf(row)).toBe('\ufffd'),
  B107: (_sent, row) => expect(attributeOf(row)).toBe('\uffff'),
  B108: (_sent, row) => expect(attributeOf(row)).toBe('\u001b[31mred\u0007'),
  B113: (_sent, row) => expect(row?.operationId).toBe('caf\u00e9'),
  B116: (_sent, row) => expect(row?.operationId).toBe("x'; drop table events;--"),
  B117: (_sent, row) => expect(row?.operationId).toBe('<img src=x onerror=alert(1)>'),
  B122: ({ answer }, row) => {
    expect(attributeOf(row)).toBe('key [redacted-key]');
    expect(answer.json.redacted).toBe(1);
  },
  B152: ({ project }, row) => {
    const fact = decodeAttempt(row?.event, row?.receivedAt ?? new Date(0));
    const { profiles } = project.project;
    expect(classify(fact, ruleSetOf(fact, profiles)).flags).toContain('clock_skew');
  },
  B162: ({ answer }) => expect(answer.json.rejected).toMatchObject([{ index: 1 }]),
  B165: ({ answer }) => expect(answer.json.rejected).toMatchObject([{ index: 1 }]),
};

describe('bad inputs', () => {
  it('leaves out only what the contract overrides', () => {
    expect(Object.keys(OVERRIDES).every((id) => CASES.some((entry) => entry.id === id))).toBe(true);
  });

  it.each(PLAIN.map((entry) => [entry.id, entry.title, entry] as const))('%s %s', async (_id, _title, entry) => {
    const sent = await send(entry);
    const { answer, project, other } = sent;
    expect(answer.status, answer.text.slice(0, 500)).toBe(entry.expect.status);
    if (answer.status >= 400) {
      expect(answer.headers['content-type']).toBe('application/problem+json');
      // Of 431 the case says in words that Node's parser refuses it; the code is ours.
      const code = answer.status === 431 ? 'headers_too_large' : entry.expect.code;
      expect(answer.json).toMatchObject({ status: answer.status, code });
      expect(answer.json.requestId).toBe(answer.headers['x-request-id']);
      expect((answer.json.errors as unknown[] | undefined)?.length ?? 0).toBeLessThanOrEqual(100);
    }
    const rows = await rowsOf(entry.id === 'B099' ? other : project);
    expect(rows).toHaveLength(ROWS[entry.expect.stored] ?? (entry.expect.status === 202 ? 1 : 0));
    FURTHER[entry.id]?.(sent, rows[0]);
  });
});

describe('bad inputs over a bare socket', () => {
  const body = (): string => JSON.stringify(wireAttempt());
  const head = (key: string, ...more: string[]): string =>
    [
      'POST /api/v1/events HTTP/1.1',
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      'Connection: close',
      ...more,
    ].join('\r\n');

  it('B056 answers headers that drip with 408, and others meanwhile', async () => {
    const project = await createTestProject(database.db);
    const slow = Array.from({ length: 200 }, () =>
      sendSocket(server.port, 'POST /api/v1/events HTTP/1.1\r\nHost: x\r\nX-A: ', 20_000),
    );
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${project.keys.ingest}` };
    const answer = await sendHttp({ port: server.port, path: '/api/v1/events', headers, body: body() });
    expect(answer.status).toBe(202);
    for (const text of await Promise.all(slow)) expect(text).toMatch(/^HTTP\/1\.1 408 /);
  });

  const REFUSED: [string, (key: string) => string, string][] = [
    [
      'B058 two different lengths',
      (key) => `${head(key, 'Host: x', 'Content-Length: 4', 'Content-Length: 5')}\r\n\r\nabcd`,
      '400',
    ],
    [
      'B059 a chunk size that is none',
      (key) => `${head(key, 'Host: x', 'Transfer-Encoding: chunked')}\r\n\r\nZZ\r\nabcd\r\n`,
      '400',
    ],
    ['B061 no host', (key) => `${head(key, 'Content-Length: 2')}\r\n\r\n{}`, '400'],
    [
      'B065 an expectation nobody can meet',
      (key) => `${head(key, 'Host: x', 'Expect: foo', 'Content-Length: 2')}\r\n\r\n{}`,
      '417',
    ],
  ];
  it.each(REFUSED)('%s', async (_title, bytes, status) => {
    const project = await createTestProject(database.db);
    expect(await sendSocket(server.port, bytes(project.keys.ingest))).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(await rowsOf(project)).toHaveLength(0);
  });

  it('B062 takes the first of two hosts', async () => {
    const project = await createTestProject(database.db);
    const text = body();
    const bytes = `${head(project.keys.ingest, 'Host: x', 'Host: y', `Content-Length: ${text.length}`)}\r\n\r\n${text}`;
    expect(await sendSocket(server.port, bytes)).toMatch(/^HTTP\/1\.1 202 /);
    expect(await rowsOf(project)).toHaveLength(1);
  });

  it('covers every case of the groups', () => {
    const socket = CASES.filter(({ send: { raw_socket } }) => raw_socket).map(({ id }) => id);
    expect(socket).toEqual(['B056', 'B058', 'B059', 'B061', 'B062', 'B065']);
  });
});
