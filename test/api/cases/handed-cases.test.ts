import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { startIngestServer, type IngestServer } from '@/test/support/ingest-server';
import { createTestProject } from '@/test/support/project';
import { describeAfresh } from '../../cases/afresh/index';
import matrix from '../../cases/data/matrix.json';
import type { Judge } from '../../cases/judge';
import { CASE_TARGETS } from '../../cases/judge-here';
import { describeArticle } from '../../cases/matrix/article';
import { describeQuillhub } from '../../cases/matrix/quillhub';
import { describeVibecode } from '../../cases/matrix/vibecode';
import { checkOpenUnknowns, checkScenario, METRIC_CHECKS } from '../../cases/metrics';
import { describePrecedence } from '../../cases/precedence';
import { checkPublicBug, OTLP_BUGS, PUBLIC_BUGS } from '../../cases/public-bugs';
import { checkRetryAfter, RETRY_AFTER_CASES } from '../../cases/retry-after';
import { RULINGS } from '../../cases/rulings/index';
import { describeVariants } from '../../cases/variants/index';
import { SCENARIOS } from '../../unit/core/support/finding-scenarios';
import { createApiJudge } from './api-judge';

/** Every handed case through a real server, named by its id. */

let database: TestDatabase;
let server: IngestServer;
let judge: Judge;

/** Cases whose expectation breaks a ruling, each with the argument that quotes it. At most three. */
const ARGUED: readonly { id: string; argument: string }[] = [];

let handed = 0;
let passed = 0;
/** A handed case: counted when it passed. */
function handedCase(id: string, run: () => Promise<void>): void {
  handed += 1;
  it(id, async () => {
    await run();
    passed += 1;
  });
}

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
  for (const row of RETRY_AFTER_CASES) handedCase(row.name, () => checkRetryAfter(row, judge));
});

describe('public-bugs.json', () => {
  for (const row of PUBLIC_BUGS) handedCase(row.id, () => checkPublicBug(row, judge));
});

describe('matrix.json, tables', () => {
  describeVibecode(() => judge);
  describeQuillhub(() => judge);
  describeArticle(() => judge);
});

describe('matrix.json, contradictions', () => {
  for (const { id, says, holds } of RULINGS) handedCase(`${id} ${says}`, () => holds(judge));
});

describe('matrix.json, metrics', () => {
  for (const [id, checks] of Object.entries(METRIC_CHECKS))
    for (const { check, variant, facts } of SCENARIOS.filter((scenario) => checks.includes(scenario.check)))
      handedCase(`${id} ${check} ${variant}`, () => checkScenario(check, facts(), judge));
  handedCase('M5 open unknowns', () => checkOpenUnknowns(judge));
  it('every metric has one', () => {
    const told = [...Object.keys(METRIC_CHECKS), 'M5'].sort();
    expect(told).toEqual(matrix.metrics.map(({ id }) => id).sort());
  });
});

describe('issue 3, part 2', () => describePrecedence(() => judge));

describe('cases like these', () => describeVariants(() => judge));

describe('cases nobody handed over', () => describeAfresh(() => judge));

describe('what is carried otherwise', () => {
  it('only cases of OTLP are left to their own issue', () => {
    expect(OTLP_BUGS).toEqual([
      'retry-spans-lost-dotnet',
      'retries-folded-into-one-span',
      'otlp-protobuf-hex-ids',
      'otlp-json-snake-case',
    ]);
  });
  it('every handed case passed, or at most three carry an argument', () => {
    process.stdout.write(
      `handed cases passed: ${passed} of ${handed}, carried by a written argument: ${ARGUED.length}, ` +
        `left to the OTLP issue: ${OTLP_BUGS.length} (tables of matrix.json are counted apart)\n`,
    );
    expect(ARGUED.length).toBeLessThanOrEqual(3);
    expect(passed + ARGUED.length).toBe(handed);
  });
});
