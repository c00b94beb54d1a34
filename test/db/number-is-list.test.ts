import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Attempt } from '@/lib/core/attempt';
import { prepareCalls } from '@/lib/present/calls';
import { getCodeEndings } from '@/lib/queries/code-endings';
import { listOperations } from '@/lib/queries/operations';
import { getRateTotals } from '@/lib/queries/rates';
import type { Filters } from '@/lib/queries/views';
import { makeSuccess, makeThrottled, makeUnclear } from '../factories/facts';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestProject, type TestProject } from '../support/project';
import { recordFacts } from '../support/record-facts';
import { settleAll } from '../support/settle-all';

/** A number and the list behind it share one scope, a code filter included. */

const T0 = Date.UTC(2026, 10, 29, 10, 7);
const NOW = T0 + 6 * 3_600_000;
const RANGE = { from: T0 - 3_600_000, to: NOW, tz: 'Europe/Berlin' };

let database: TestDatabase;
let home: TestProject;

/** Throttled then done, throttled to the end, unclear, throttled then unclear, done at once. */
function tell(): Attempt[] {
  const send = (operationId: string, attempt: number) => ({ operationId, attempt, startedAt: T0 + attempt * 60_000 });
  return [
    makeThrottled(30, send('rescued', 1)),
    makeSuccess(send('rescued', 2)),
    makeThrottled(30, send('given-up', 1)),
    makeThrottled(30, send('given-up', 2)),
    makeUnclear(send('unclear', 1)),
    makeThrottled(30, send('both', 1)),
    makeUnclear(send('both', 2)),
    makeSuccess(send('clean', 1)),
  ];
}

beforeAll(async () => {
  database = await createTestDatabase();
  home = await createTestProject(database.db);
  await recordFacts(database.db, home.project, tell());
  await settleAll(database.db, home.project.id, NOW);
});
afterAll(() => database.close());

const context = () => ({ db: database.db, project: home.project, now: NOW });

/** The code each operation stands under in the totals, and the code of its first send. */
async function readCodes(): Promise<{ last: Record<string, string>; throttled: string; unclear: string }> {
  const { items } = await listOperations(context(), { range: RANGE, filters: {}, limit: 50 });
  const last = Object.fromEntries(items.map((item) => [item.operationId, item.code]));
  return { last, throttled: last['given-up'] ?? '', unclear: last['unclear'] ?? '' };
}

describe('how calls ended under a code filter', () => {
  test('every part and the sum have as many rows in their list, and only those', async () => {
    const { throttled, unclear } = await readCodes();
    expect(throttled).not.toBe(unclear);
    const filters: Filters[] = [{}, ...[throttled, unclear, 'OK'].map((code) => ({ code: [code] }))];
    filters.push({ code: [throttled, unclear] }, { code: [throttled], service: ['billing'] });
    for (const filter of filters) {
      const totals = await getRateTotals(context(), RANGE, filter);
      const list = { range: RANGE, filters: filter, codeOf: 'last', limit: 50 } as const;
      for (const part of prepareCalls(totals)) {
        const { items } = await listOperations(context(), { ...list, ended: part.id });
        expect([filter, part.id, items.length]).toEqual([filter, part.id, part.count]);
      }
      const { items } = await listOperations(context(), list);
      expect([filter, items.length]).toEqual([filter, totals.calls]);
      if (filter.code) expect(items.every((item) => filter.code?.includes(item.code))).toBe(true);
    }
  });

  test('without being told the list still finds a code on any send, as the page of a code counts', async () => {
    const { throttled } = await readCodes();
    const filters = { code: [throttled] };
    const any = await listOperations(context(), { range: RANGE, filters, limit: 50 });
    expect(any.items.map((item) => item.operationId).sort()).toEqual(['both', 'given-up', 'rescued']);
    const endings = await getCodeEndings(context(), throttled, RANGE, {});
    expect(endings.calls).toBe(any.items.length);
    const last = await listOperations(context(), { range: RANGE, filters, codeOf: 'last', limit: 50 });
    expect(last.items.map((item) => item.operationId)).toEqual(['given-up']);
  });
});
