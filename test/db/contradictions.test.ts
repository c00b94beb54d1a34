import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Attempt } from '@/lib/core/attempt';
import { listContradictions } from '@/lib/queries/contradictions';
import { listReview } from '@/lib/queries/review';
import { resolveReviewItem } from '@/lib/services/review/resolve';
import { makeClosed, makeReadBack, makeSuccess, makeUnclear } from '../factories/facts';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestProject, type TestProject } from '../support/project';
import { recordFacts } from '../support/record-facts';
import { settleAll } from '../support/settle-all';

/** A code documented as safe, and stored evidence that says otherwise (requirement 69). */

const T0 = Date.UTC(2026, 10, 29, 10, 7);
const MINUTE = 60_000;
const NOW = T0 + 6 * 60 * MINUTE;
const RANGE = { from: T0 - MINUTE, to: NOW, tz: 'UTC' };

let database: TestDatabase;
let home: TestProject;
let other: TestProject;

function refused(operationId: string, over: Partial<Attempt> = {}): Attempt {
  const send = { profile: 'vibecode', outcome: 'http_error', status: 429, code: 'QUEUE_OVERFLOW' } as const;
  return makeSuccess({ operationId, startedAt: T0, ...send, ...over });
}

const done = (operationId: string) =>
  makeSuccess({ operationId, startedAt: T0 + MINUTE, attempt: 2, profile: 'vibecode' });
const seen = (operationId: string, entityIds?: string[]) =>
  makeReadBack({ operationId, startedAt: T0 + 10 * MINUTE, ...(entityIds ? { entityIds } : {}) });

const context = (project = home.project) => ({ db: database.db, project, now: NOW });

beforeAll(async () => {
  database = await createTestDatabase();
  home = await createTestProject(database.db);
  other = await createTestProject(database.db);
  await recordFacts(database.db, home.project, [
    refused('refused-but-there'),
    seen('refused-but-there'),
    refused('refused-then-done', { service: 'crm' }),
    done('refused-then-done'),
    seen('refused-then-done', ['41', '42']),
    refused('as-documented'),
    done('as-documented'),
    seen('as-documented', ['43']),
    makeUnclear({ operationId: 'explained', startedAt: T0 - 30_000, profile: 'vibecode' }),
    refused('explained', { attempt: 2 }),
    seen('explained'),
    refused('closed-with-two'),
    done('closed-with-two'),
    makeClosed({ operationId: 'closed-with-two', startedAt: T0 + 2 * MINUTE, entityIds: ['44', '45'] }),
    refused('other-code', { code: 'QUEUE_TIMEOUT', status: 504 }),
    seen('other-code'),
  ]);
  await recordFacts(database.db, other.project, [refused('foreign'), seen('foreign')]);
  await settleAll(database.db, home.project.id, NOW);
  await settleAll(database.db, other.project.id, NOW);
});
afterAll(() => database.close());

describe('contradicted by evidence', () => {
  test('only operations whose evidence exceeds what their other sends explain', async () => {
    const found = await listContradictions(context(), RANGE, {});
    expect(found.map((one) => [one.operationId, one.code, one.proven, one.explained]).sort()).toEqual([
      ['closed-with-two', 'QUEUE_OVERFLOW', 2, 1],
      ['other-code', 'QUEUE_TIMEOUT', 1, 0],
      ['refused-but-there', 'QUEUE_OVERFLOW', 1, 0],
      ['refused-then-done', 'QUEUE_OVERFLOW', 2, 1],
    ]);
  });

  test('of one code, under the same filters and range as the page', async () => {
    const ids = async (range = RANGE, filters = {}, code = 'QUEUE_OVERFLOW') =>
      (await listContradictions(context(), range, filters, code)).map((one) => one.operationId).sort();
    expect(await ids()).toEqual(['closed-with-two', 'refused-but-there', 'refused-then-done']);
    expect(await ids(RANGE, { service: ['crm'] })).toEqual(['refused-then-done']);
    expect(await ids({ ...RANGE, from: T0 + MINUTE })).toEqual([]);
    expect(await ids(RANGE, {}, 'BITRIX_TIMEOUT')).toEqual([]);
  });

  test("another project's evidence stays there", async () => {
    const found = await listContradictions(context(other.project), RANGE, {});
    expect(found.map((one) => one.operationId)).toEqual(['foreign']);
  });

  test('a person who finds more than the unclear send can explain contradicts the refusal beside it', async () => {
    const mine = await createTestProject(database.db);
    await recordFacts(database.db, mine.project, [
      makeUnclear({ operationId: 'judged', startedAt: T0 - 30_000, profile: 'vibecode' }),
      refused('judged', { attempt: 2 }),
    ]);
    await settleAll(database.db, mine.project.id, NOW);
    const verb = {
      ...context(mine.project),
      actor: { type: 'user', id: 'p', name: 'P' },
      role: 'operator',
      requestId: 'r',
    } as const;
    const [item] = (await listReview(verb, { filters: {}, sort: 'due', limit: 5 })).items;
    expect(await listContradictions(verb, RANGE, {})).toEqual([]);
    const input = {
      version: item?.version,
      resolution: 'applied_more_than_once',
      note: 'Two deals with this number.',
    };
    const resolved = await resolveReviewItem(verb, item?.id ?? '', input);
    expect(resolved.ok).toBe(true);
    expect(await listContradictions(verb, RANGE, {})).toMatchObject([
      { operationId: 'judged', code: 'QUEUE_OVERFLOW', evidence: 'resolution', proven: 2, explained: 1 },
    ]);
  });
});
