import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Fact } from '@/lib/core/attempt';
import { listCodes, prepareCodes } from '@/lib/queries/codes';
import { getCompliance } from '@/lib/queries/compliance';
import { viewCompliance, viewSeries, viewTotals } from '@/lib/queries/overview';
import { preparePeriods, readCompliancePeriods, readOperationPeriods } from '@/lib/queries/periods';
import { readRatePeriods } from '@/lib/queries/rate-periods';
import { previousRange } from '@/lib/queries/range';
import { getRateSeries, getRateTotals } from '@/lib/queries/rates';
import type { Filters, Range, Step } from '@/lib/queries/views';
import { makeSuccess, makeTally, makeThrottled, makeUnclear } from '../factories/facts';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestProject, type TestProject } from '../support/project';
import { recordFacts } from '../support/record-facts';
import { settleAll } from '../support/settle-all';

/** The one read that Overview's panels share says what each number read by itself says. */

const MINUTE_MS = 60_000;
const T0 = Date.UTC(2026, 9, 24, 20, 7);
const HOURS = 60;
const END = T0 + HOURS * 60 * MINUTE_MS;

let database: TestDatabase;
let home: TestProject;

/** A call every 17 minutes, over the hour that Berlin's clocks repeat. */
function tell(): Fact[] {
  return Array.from({ length: Math.floor((HOURS * 60) / 17) }, (_, i): Fact[] => {
    const at = T0 + i * 17 * MINUTE_MS + (i % 7) * 11_000;
    const send = {
      operationId: `op-${i}`,
      service: ['billing', 'mail', 'shop'][i % 3] ?? '',
      call: `POST /v1/${i % 4}`,
      target: `api-${i % 2}.example.org`,
    };
    const first = { ...send, startedAt: at, attempt: 1 };
    if (i % 5 === 0) return [makeThrottled(30, first), makeSuccess({ ...send, startedAt: at + 9_000, attempt: 2 })];
    if (i % 5 === 1) return [makeThrottled(5, first), makeUnclear({ ...send, startedAt: at + 9_000, attempt: 2 })];
    if (i % 5 === 2) return [makeUnclear(first)];
    if (i % 5 === 3) return [makeSuccess(first)];
    const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS;
    return [makeTally({ minute, successes: i, service: send.service, call: send.call })];
  }).flat();
}

beforeAll(async () => {
  database = await createTestDatabase();
  home = await createTestProject(database.db);
  await recordFacts(database.db, home.project, tell());
  await settleAll(database.db, home.project.id, END);
});
afterAll(() => database.close());

const filters = fc.constantFrom<Filters>(
  {},
  { service: ['mail'] },
  { code: ['HTTP_429'] },
  { action: ['none'], service: ['billing', 'shop'] },
  { call: ['POST /v1/1', 'POST /v1/2'] },
  { target: ['api-1.example.org'], code: ['OK'] },
);

describe('the periods of Overview', () => {
  test('say what totals, series, codes and compliance say by themselves, now and before', async () => {
    const asked = fc.record({
      fromMinute: fc.integer({ min: -200, max: HOURS * 60 }),
      minutes: fc.integer({ min: 1, max: HOURS * 60 }),
      step: fc.constantFrom<Step>('15m', '1h', '1d'),
      /** Minutes of the range that have elapsed; later ones are to come. */
      elapsed: fc.integer({ min: 0, max: HOURS * 60 }),
      filters,
    });
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(asked, async ({ fromMinute, minutes, step, elapsed, filters: scope }) => {
        const from = T0 + fromMinute * MINUTE_MS;
        const range: Range = { from, to: from + minutes * MINUTE_MS, tz: 'Europe/Berlin' };
        const now = from + elapsed * MINUTE_MS + 500;
        const ctx = { db: database.db, project: home.project, now };
        const periods = preparePeriods(range, step, now);
        const before = previousRange(range, now);
        expect(periods.before.range).toEqual(before);
        const [rates, endings, waits] = await Promise.all([
          readRatePeriods(ctx, periods, scope),
          readOperationPeriods(ctx, periods, scope),
          readCompliancePeriods(ctx, periods, scope),
        ]);
        const list = await listCodes(ctx, range, scope);
        const bare = (rows: typeof list) => rows.map(({ firstAt: _f, lastAt: _l, ...row }) => row);
        expect(bare(prepareCodes(rates.now, rates.before, scope))).toEqual(bare(list));
        for (const [name, own] of [['now', range] as const, ['before', before] as const]) {
          if (own.from >= own.to) {
            expect([rates[name], endings[name], waits[name]]).toEqual([[], [], []]);
            continue;
          }
          const totals = viewTotals(rates[name], endings[name], scope);
          seen += totals.calls;
          expect(totals).toEqual(await getRateTotals(ctx, own, scope));
          expect(viewSeries(rates[name], periods[name], scope, now)).toEqual(
            await getRateSeries(ctx, { range: own, step, groupBy: 'code', filters: scope }),
          );
          const { total } = await getCompliance(ctx, { range: own, step, groupBy: 'service', filters: scope });
          expect(viewCompliance(waits[name])).toEqual({ ...total, earlyMsP50: null, earlyMsMax: null });
        }
      }),
      { numRuns: 60 },
    );
    expect(seen).toBeGreaterThan(0);
  });
});
