import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAlwaysEarly } from '@/lib/queries/always-early';
import { QueryInputError } from '@/lib/queries/range';
import { makeSuccess, makeThrottled } from '../factories/facts';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestProject, type TestProject } from '../support/project';
import { recordFacts } from '../support/record-facts';
import { settleAll } from '../support/settle-all';

const T0 = Date.UTC(2026, 10, 29, 10, 7);
const NOW = T0 + 6 * 3_600_000;
const RANGE = { from: T0 - 60_000, to: NOW, tz: 'UTC' };

let database: TestDatabase;
let home: TestProject;

/** Told to wait 30 s: one or two retries too early, by few different spans, so that most of the order is a tie. */
function early(i: number) {
  const send = (attempt: number, at: number) => ({ operationId: `op-${i}`, attempt, startedAt: T0 + i * 60_000 + at });
  const gap = 1_000 + (i % 3) * 500;
  if (i % 4 === 0)
    return [makeThrottled(30, send(1, 0)), makeThrottled(30, send(2, gap)), makeSuccess(send(3, 2 * gap))];
  return [makeThrottled(30, send(1, 0)), makeSuccess(send(2, gap))];
}

beforeAll(async () => {
  database = await createTestDatabase();
  home = await createTestProject(database.db);
  const patient = { operationId: 'patient', startedAt: T0 };
  await recordFacts(database.db, home.project, [
    ...Array.from({ length: 23 }, (_, i) => early(i)).flat(),
    makeThrottled(30, { ...patient, attempt: 1 }),
    makeSuccess({ ...patient, startedAt: T0 + 31_000, attempt: 2 }),
  ]);
  await settleAll(database.db, home.project.id, NOW);
});
afterAll(() => database.close());

describe('operations whose every retry came too early', () => {
  const context = () => ({ db: database.db, project: home.project, now: NOW });

  test('come the worst first, and pages follow each other without a gap or a repeat', async () => {
    const whole = await listAlwaysEarly(context(), { range: RANGE, filters: {}, limit: 100 });
    expect(whole.nextCursor).toBeNull();
    expect(new Set(whole.items.map((row) => row.operationId)).size).toBe(23);
    expect(whole.items.map((row) => row.operationId)).not.toContain('patient');
    expect(whole.items.map((row) => row.retries)).toEqual([...Array<number>(6).fill(2), ...Array<number>(17).fill(1)]);

    const seen: unknown[] = [];
    let cursor: string | null = null;
    do {
      const page = await listAlwaysEarly(context(), {
        range: RANGE,
        filters: {},
        limit: 4,
        ...(cursor === null ? {} : { cursor }),
      });
      expect(page.items.length).toBeGreaterThan(0);
      seen.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(whole.items);
  });

  test('a cursor of another list is refused', async () => {
    const input = { range: RANGE, filters: {}, limit: 4, cursor: Buffer.from('["2",1]').toString('base64url') };
    await expect(listAlwaysEarly(context(), input)).rejects.toThrow(QueryInputError);
  });
});
