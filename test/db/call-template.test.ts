import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { touchOperations } from '@/db/queries/touch';
import { dimensionOf } from '@/lib/core/rollup';
import { dimensionId } from '@/lib/platform/ids';
import { listFilterChoices } from '@/lib/queries/choices';
import { getOperation } from '@/lib/queries/operation';
import { listOperations } from '@/lib/queries/operations';
import { getRates } from '@/lib/queries/rates';
import { makeSuccess, makeTally, makeThrottled, makeUnclear } from '../factories/facts';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestProject, type TestProject } from '../support/project';
import { recordFacts } from '../support/record-facts';
import { recountRollups } from '../support/recount';
import { settleAll } from '../support/settle-all';

/** Calls are counted by their template; the events, and with them the verdicts, keep what was sent. */

const T0 = Date.UTC(2026, 10, 27, 10, 0);
const HOUR_MS = 3_600_000;
const NOW = T0 + 3 * HOUR_MS;
const NO_FAULTS = { rate: [], operation: [], compliance: [] };
const TEMPLATE = 'PUT /orders/{id}';
const range = { from: T0, to: T0 + HOUR_MS, tz: 'UTC' };

let database: TestDatabase;
let home: TestProject;
beforeAll(async () => {
  database = await createTestDatabase();
  home = await createTestProject(database.db);
  const facts = Array.from({ length: 30 }, (_, i) => {
    const send = { operationId: `op-${i}`, startedAt: T0 + i * 60_000, call: `PUT /orders/${1000 + i}` };
    const again = { ...send, attempt: 2, startedAt: send.startedAt + 5_000 };
    if (i % 3 === 0) return [makeUnclear(send)];
    return i % 3 === 1 ? [makeThrottled(3, send), makeSuccess(again)] : [makeSuccess(send)];
  }).flat();
  const tally = makeTally({ minute: T0, successes: 7, service: 'billing', call: 'PUT /orders/77' });
  const other = makeSuccess({ operationId: 'other', startedAt: T0, call: 'crm.deal.add' });
  await recordFacts(database.db, home.project, [...facts, tally, other]);
  await settleAll(database.db, home.project.id, NOW);
});
afterAll(() => database.close());

const context = () => ({ db: database.db, project: home.project, now: NOW });

async function idsBy(call: string): Promise<string[]> {
  const { items } = await listOperations(context(), { range, filters: { call: [call] }, limit: 100 });
  return items.map(({ operationId }) => operationId);
}

describe('calls that hold ids', () => {
  test('are one call in rates and menus, and every sum is a count over the rows', async () => {
    const { series } = await getRates(context(), { range, step: '1h', groupBy: 'call', filters: {} });
    const counts = series.map(({ key, points }) => [key, points.reduce((sum, point) => sum + point.count, 0)]);
    expect(Object.fromEntries(counts)).toEqual({ [TEMPLATE]: 47, 'crm.deal.add': 1 });
    expect((await listFilterChoices(context())).call).toEqual([TEMPLATE, 'crm.deal.add']);
    expect(await recountRollups(database.db, home.project.id)).toEqual(NO_FAULTS);
  });

  test('are found by their template and by any call of it', async () => {
    expect(await idsBy(TEMPLATE)).toHaveLength(30);
    expect(await idsBy('PUT /orders/1003')).toHaveLength(30);
    expect(await idsBy('PUT /orders')).toEqual([]);
    expect(await idsBy('crm.deal.add')).toEqual(['other']);
  });

  test('are told as they were sent, beside the template', async () => {
    const story = await getOperation(context(), 'op-4');
    expect(story).toMatchObject({ call: 'PUT /orders/1004', callTemplate: TEMPLATE });
    expect(story?.sends.map(({ attempt }) => attempt.call)).toEqual(['PUT /orders/1004', 'PUT /orders/1004']);
    expect(await getOperation(context(), 'other')).toMatchObject({
      call: 'crm.deal.add',
      callTemplate: 'crm.deal.add',
    });
  });
});

describe('rows from before calls were counted by templates', () => {
  /** Gives an operation's attempt the dimension that it would have had, rates included. */
  async function countAsSent(operationId: string, call: string): Promise<void> {
    const { sql } = database.db;
    const projectId = home.project.id;
    const attempt = makeSuccess({ operationId, startedAt: T0, call });
    const dimension = dimensionOf(attempt, { action: 'none', code: 'OK' }, 'write', 'http');
    const old = { ...dimension, call };
    const [from, to] = [dimensionId(dimension).toString(), dimensionId(old).toString()];
    await sql`insert into dimension (project_id, id, service, call, kind, code, action, profile, target, sdk, environment)
      values (${projectId}, ${to}::bigint, ${old.service}, ${old.call}, ${old.kind}, ${old.code}, ${old.action},
        ${old.profile}, ${old.target}, ${old.sdk}, ${old.environment})`;
    await sql`update attempt set dimension_id = ${to}::bigint
      where project_id = ${projectId} and operation_id = ${operationId}`;
    const moved = await sql`update rate_rollup r set attempts = r.attempts - 1
      from attempt a where a.project_id = ${projectId} and a.operation_id = ${operationId}
        and r.project_id = a.project_id and r.dimension_id = ${from}::bigint and r.grain > 0
        and r.at = to_timestamp(floor(extract(epoch from a.started_at) / (r.grain * 60)) * r.grain * 60)
      returning r.grain, r.at`;
    for (const { grain, at } of moved) {
      await sql`insert into rate_rollup (project_id, grain, at, dimension_id, attempts, tallied)
        values (${projectId}, ${Number(grain)}, ${at as string}, ${to}::bigint, 1, 0)`;
    }
    expect(moved.map(({ grain }) => Number(grain)).sort((a, b) => a - b)).toEqual([1, 15, 60]);
  }

  test('are still found as they were sent, and move to the template when they are settled again', async () => {
    await countAsSent('op-2', 'PUT /orders/1002');
    expect(await recountRollups(database.db, home.project.id)).toEqual(NO_FAULTS);
    const asSent = await getRates(context(), {
      range,
      step: '1h',
      groupBy: 'call',
      filters: { call: ['PUT /orders/1002'] },
    });
    expect(asSent.series.map(({ key }) => key).sort()).toEqual(['PUT /orders/1002', TEMPLATE]);
    await touchOperations(database.db.sql, home.project.id, ['op-2']);
    await settleAll(database.db, home.project.id, NOW);
    const { series } = await getRates(context(), { range, step: '1h', groupBy: 'call', filters: {} });
    expect(series.map(({ key }) => key).sort()).toEqual([TEMPLATE, 'crm.deal.add']);
    expect(await recountRollups(database.db, home.project.id)).toEqual(NO_FAULTS);
  });
});
