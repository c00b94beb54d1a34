import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '@/db/migrate';
import type { Fact } from '@/lib/core/attempt';
import { listCodes } from '@/lib/queries/codes';
import { getCompliance } from '@/lib/queries/compliance';
import { getOverview } from '@/lib/queries/overview';
import { getRates } from '@/lib/queries/rates';
import type { Filters, Range, Step } from '@/lib/queries/views';
import { makeSuccess, makeTally, makeThrottled, makeUnclear } from '../factories/facts';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestProject, type TestProject } from '../support/project';
import { recordFacts } from '../support/record-facts';
import { recountRollups } from '../support/recount';
import { settleAll } from '../support/settle-all';

/** Rollup rows summed over call, target and sdk: the same numbers from fewer rows, also after an upgrade. */

const T0 = Date.UTC(2026, 10, 27, 22, 7);
const HOUR_MS = 3_600_000;
const NOW = T0 + 40 * HOUR_MS;
/** Names as a JSON array writes them in more than one way: ids are hashes of that. */
const SERVICES = ['billing', 'a"b\\c', 'почта\u{1f4ee}', 'tab\there\u007f\u2028', '</é'];
const CALLS = ['POST /v1/charges', 'GET /v1/charges', 'DELETE /v1/charges', 'PUT /v1/refunds'];

let database: TestDatabase;
let home: TestProject;

/** Ten bursts in two days: two services each, calls and SDKs in turn, three endings, and successes that were tallied. */
function tell(): Fact[] {
  return Array.from({ length: 240 }, (_, i): Fact[] => {
    const burst = Math.floor(i / 24);
    const at = T0 + burst * 3.7 * HOUR_MS + (i % 24) * 20_000;
    const send = {
      operationId: `op-${i}`,
      service: SERVICES[(burst + (i % 2)) % SERVICES.length] ?? '',
      call: CALLS[Math.floor(i / 4) % CALLS.length] ?? '',
      target: i % 3 === 0 ? 'api.example.org' : 'api.example.net',
      sdk: { name: 'got', version: `14.${Math.floor(i / 4) % 3}` },
    };
    const first = { ...send, startedAt: at, attempt: 1 };
    const again = { ...send, startedAt: at + (i % 2 ? 31_000 : 2_000), attempt: 2 };
    if (i % 4 === 0) return [makeThrottled(30, first), makeSuccess(again)];
    if (i % 4 === 1) return [makeUnclear(first)];
    if (i % 4 === 2) return [makeSuccess(first)];
    return [
      makeTally({ minute: Math.floor(at / 60_000) * 60_000, successes: i, service: send.service, call: send.call }),
    ];
  }).flat();
}

beforeAll(async () => {
  database = await createTestDatabase();
  home = await createTestProject(database.db);
  await recordFacts(database.db, home.project, tell());
  await settleAll(database.db, home.project.id, NOW);
});
afterAll(() => database.close());

const context = () => ({ db: database.db, project: home.project, now: NOW });
const NO_FAULTS = { rate: [], operation: [], compliance: [] };
const range = (from: number, to: number): Range => ({ from: T0 + from, to: T0 + to, tz: 'Asia/Kolkata' });

/** Filters that let everything through: those on `call` and `target` must be answered from the wide rows. */
const EVERYTHING: Filters[] = [{ call: CALLS }, { target: ['api.example.org', 'api.example.net', ''] }];

describe('narrow rollup rows', () => {
  test('equal a recount after settling, and there are fewer of them', async () => {
    expect(await recountRollups(database.db, home.project.id)).toEqual(NO_FAULTS);
    const [rows] = await database.db.sql<{ narrow: number; wide: number }[]>`
      select count(*) filter (where grain = -60)::int as narrow, count(*) filter (where grain = 60)::int as wide
      from rate_rollup where project_id = ${home.project.id}`;
    expect(rows?.narrow).toBeGreaterThan(0);
    expect(rows?.narrow).toBeLessThan(rows?.wide ?? 0);
  });

  test.each<[string, Range, Step]>([
    ['whole hours', range(-7 * 60_000, 30 * HOUR_MS - 7 * 60_000), '1h'],
    ['edges of minutes', range(11 * 60_000, 20 * HOUR_MS + 3 * 60_000), '15m'],
    ['days of a zone half an hour off', range(0, 37 * HOUR_MS), '1d'],
    ['minutes', range(0, 2 * HOUR_MS), '1m'],
  ])('give what the wide ones give: %s', async (_name, asked, step) => {
    const ctx = context();
    const scopes: Filters[] = [{}, { service: SERVICES.slice(1) }, { code: ['HTTP_429'] }, { kind: ['write'] }];
    for (const scope of scopes) {
      const read = async (filters: Filters) => ({
        rates: await getRates(ctx, { range: asked, step, groupBy: 'code', filters }),
        codes: await listCodes(ctx, asked, filters),
        overview: await getOverview(ctx, asked, filters),
        compliance: await getCompliance(ctx, { range: asked, step, groupBy: 'service', filters }),
      });
      const narrow = await read(scope);
      expect(narrow.rates.totals.attempts + narrow.overview.rates.totals.attempts).toBeGreaterThan(0);
      for (const everything of EVERYTHING) expect(await read({ ...scope, ...everything })).toEqual(narrow);
    }
  });

  test('are made from what a database of 0.1.0 holds', async () => {
    const { sql } = database.db;
    await sql`delete from schema_migration where name like '%_add_narrow_rollups'`;
    for (const table of ['rate_rollup', 'operation_rollup', 'compliance_rollup']) {
      await sql.unsafe(`delete from ${table} where grain < 0`);
      await sql.unsafe(`alter table ${table} drop constraint ${table}_grain_word`);
      await sql.unsafe(`alter table ${table} add constraint ${table}_grain_word check (grain in (1, 15, 60))`);
    }
    const narrow = await sql`delete from dimension where call = '' returning project_id, id::text as id, service`;
    expect(new Set(narrow.map((row) => row.service as string))).toEqual(new Set(SERVICES));
    expect((await recountRollups(database.db, home.project.id)).rate).not.toEqual([]);

    expect(await migrate(database.url, { now: NOW })).toEqual(['0003_add_narrow_rollups']);
    expect(await recountRollups(database.db, home.project.id)).toEqual(NO_FAULTS);
    const made = await sql`select project_id, id::text as id, service from dimension where call = ''`;
    const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
    expect([...(made as unknown as { id: string }[])].sort(byId)).toEqual(
      [...(narrow as unknown as { id: string }[])].sort(byId),
    );
  });

  test('move with attempts that come to be judged by other rules', async () => {
    const { sql } = database.db;
    const id = home.project.id;
    const count = () => sql`
      select d.profile, sum(r.attempts)::int as attempts from rate_rollup r
      join dimension d on d.project_id = r.project_id and d.id = r.dimension_id
      where r.project_id = ${id} and r.grain = -60 and r.attempts > 0 group by 1`;
    const [before] = await count();
    expect(before?.profile).toBe('http');
    await sql`update project set default_profile = 'vibecode' where id = ${id}`;
    await sql`insert into operation_touch (project_id, operation_id)
      select project_id, operation_id from operation where project_id = ${id}`;
    await settleAll(database.db, id, NOW);
    expect([...(await count())]).toEqual([{ profile: 'vibecode', attempts: before?.attempts as unknown }]);
    expect(await recountRollups(database.db, id)).toEqual(NO_FAULTS);
  });
});
