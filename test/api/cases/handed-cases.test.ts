import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { startIngestServer, type IngestServer } from '@/test/support/ingest-server';
import { createTestProject } from '@/test/support/project';
import type { Judge } from '../../cases/judge';
import { CASE_TARGETS } from '../../cases/judge-here';
import { describeArticle } from '../../cases/matrix/article';
import { describeQuillhub } from '../../cases/matrix/quillhub';
import { describeVibecode } from '../../cases/matrix/vibecode';
import { checkPublicBug, OTLP_BUGS, PUBLIC_BUGS } from '../../cases/public-bugs';
import { checkRetryAfter, RETRY_AFTER_CASES } from '../../cases/retry-after';
import { RULINGS } from '../../cases/rulings/index';
import { createApiJudge } from './api-judge';

/** Every handed case through a real server, named by its id. */

let database: TestDatabase;
let server: IngestServer;
let judge: Judge;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startIngestServer(database.db);
  const { keys } = await createTestProject(database.db, { profile: 'http', targets: CASE_TARGETS });
  judge = createApiJudge(server.port, keys.read);
});

afterAll(async () => {
  await server?.close();
  await database?.close();
});

describe('retry-after.json', () => {
  for (const row of RETRY_AFTER_CASES) it(row.name, () => checkRetryAfter(row, judge));
});

describe('public-bugs.json', () => {
  for (const row of PUBLIC_BUGS) it(row.id, () => checkPublicBug(row, judge));
});

describe('matrix.json, tables', () => {
  describeVibecode(() => judge);
  describeQuillhub(() => judge);
  describeArticle(() => judge);
});

describe('matrix.json, contradictions', () => {
  for (const { id, says, holds } of RULINGS) it(`${id} ${says}`, () => holds(judge));
});

describe('what is carried otherwise', () => {
  it('only cases of OTLP are left to their own issue', () => {
    expect(OTLP_BUGS).toEqual([
      'retry-spans-lost-dotnet',
      'retries-folded-into-one-span',
      'otlp-protobuf-hex-ids',
      'otlp-json-snake-case',
    ]);
  });
});
