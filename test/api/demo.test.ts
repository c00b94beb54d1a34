import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RESOLUTIONS } from '@/lib/core/operation';
import { MINUTE_MS, WEEK_MS } from '@/lib/demo/calendar';
import { loadDemoWeek, type LoadOptions, type LoadProgress, type LoadResult } from '@/lib/demo/load-week';
import { DEMO_PEOPLE } from '@/lib/demo/people';
import { playDemoQueue, type QueueOptions } from '@/lib/demo/play-queue';
import { getCompliance } from '@/lib/queries/compliance';
import { getRates } from '@/lib/queries/rates';
import { REVIEW_STATES, type ComplianceRow } from '@/lib/queries/views';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { startIngestServer, type IngestServer } from '@/test/support/ingest-server';
import { createTestProject, type TestProject } from '@/test/support/project';
import { recountRollups } from '@/test/support/recount';
import { settleAll } from '@/test/support/settle-all';

const SCALE = 0.04;

let database: TestDatabase;
let ingest: IngestServer;
let project: TestProject;
let until: number;
let loaded: LoadResult;
const progress: LoadProgress[] = [];

function loadOptions(): LoadOptions {
  return { baseUrl: ingest.url, ingestKey: project.keys.ingest, anchor: until, until, scale: SCALE };
}

async function countRows(): Promise<unknown> {
  const { sql } = database.db;
  const id = project.project.id;
  const [row] = await sql`select
    (select count(*)::int from attempt where project_id = ${id}) as attempts,
    (select count(*)::int from fact where project_id = ${id}) as facts,
    (select count(*)::int from event_ledger where project_id = ${id}) as ids,
    (select sum(attempts + tallied)::text from rate_rollup where project_id = ${id}) as counted`;
  return row;
}

function queueOptions(): QueueOptions {
  const members = DEMO_PEOPLE.map(({ email, name, role }) => ({ userId: `user-${email}`, email, name, role }));
  return { db: database.db, project: project.project, members, now: () => until };
}

beforeAll(async () => {
  database = await createTestDatabase();
  ingest = await startIngestServer(database.db);
  project = await createTestProject(database.db, { profile: 'vibecode' });
  until = Date.now();
  loaded = await loadDemoWeek({ ...loadOptions(), onProgress: (step) => progress.push(step) });
  await settleAll(database.db, project.project.id, until, 2_000);
}, 180_000);

afterAll(async () => {
  await ingest.close();
  await database.close();
});

describe('demo week', () => {
  it('is taken in whole, and says how far it is', () => {
    expect(loaded.rejected).toBe(0);
    expect(loaded.duplicates).toBe(0);
    // A batch call's event counts as its items do.
    expect(loaded.accepted).toBeGreaterThanOrEqual(loaded.events);
    expect(loaded.events).toBeGreaterThan(10_000);
    const last = progress.at(-1);
    expect(last?.hoursDone).toBe(last?.hoursTotal);
  });

  it('leaves rollups that equal a recount', async () => {
    expect(await recountRollups(database.db, project.project.id)).toEqual({ rate: [], operation: [], compliance: [] });
  });

  it('adds nothing when it is loaded again', async () => {
    const before = await countRows();
    const again = await loadDemoWeek(loadOptions());
    expect(again).toMatchObject({ events: loaded.events, accepted: 0, duplicates: loaded.accepted, rejected: 0 });
    expect(await countRows()).toEqual(before);
  });

  it('tells who waits as asked and who does not', async () => {
    const ctx = { db: database.db, project: project.project, now: until };
    const range = { from: until - WEEK_MS, to: until, tz: 'UTC' };
    const { rows } = await getCompliance(ctx, { range, step: '1d', groupBy: 'sdk', filters: {} });
    const bySdk = new Map<string, ComplianceRow>(rows.map((row) => [row.key, row]));
    expect(bySdk.get('vibe-py@0.9.2')?.rate).toBeLessThan(0.35);
    expect(bySdk.get('vibe-py@0.9.4')?.rate).toBeGreaterThan(0.95);
    expect(bySdk.get('vibe-js@2.4.1')?.rate).toBeGreaterThan(0.95);
    expect(bySdk.get('vibe-js@2.2.0')?.earlyCapped).toBeGreaterThan(0);
  });

  it('has errors of every profile, and mostly success', async () => {
    const ctx = { db: database.db, project: project.project, now: until };
    const range = { from: until - WEEK_MS, to: until, tz: 'UTC' };
    const { totals, series } = await getRates(ctx, { range, step: '1d', groupBy: 'code', filters: {} });
    const codes = series.map((one) => one.key);
    expect(codes).toEqual(
      expect.arrayContaining(['RATE_LIMITED', 'BITRIX_TIMEOUT', 'QUEUE_OVERFLOW', 'HTTP_504', 'QUERY_LIMIT_EXCEEDED']),
    );
    expect(totals.errors / totals.attempts).toBeLessThan(0.1);
    expect(totals.unresolved).toBeGreaterThan(0);
  });

  it('gives the people work, and what they did shows every state and every way to end', async () => {
    const played = await playDemoQueue(queueOptions());
    await settleAll(database.db, project.project.id, until, 2_000);
    expect(played.resolved).toBeGreaterThan(RESOLUTIONS.length);
    const rows = await database.db.sql<{ state: string; resolution: string | null; resolved_by: string | null }[]>`
      select state, resolution, resolved_by from review_item where project_id = ${project.project.id}`;
    expect(new Set(rows.map((row) => row.state))).toEqual(new Set(REVIEW_STATES));
    expect(new Set(rows.flatMap((row) => row.resolution ?? []))).toEqual(new Set(RESOLUTIONS));
    const names = new Set(rows.flatMap((row) => row.resolved_by ?? []));
    expect([...names].some((name) => /[а-я]/i.test(name))).toBe(true);
    const currencies = await database.db.sql<{ currency: string }[]>`
      select distinct amount_currency as currency from review_item
      where project_id = ${project.project.id} and amount_currency is not null order by 1`;
    expect(currencies.map((row) => row.currency)).toEqual(['EUR', 'RUB']);
    expect(await recountRollups(database.db, project.project.id)).toEqual({ rate: [], operation: [], compliance: [] });
  });

  it('has no history in which an item is opened after somebody decided it', async () => {
    const wrong = await database.db.sql`
      select o.item_id from review_event o join review_event r on r.project_id = o.project_id and r.item_id = o.item_id
      where o.project_id = ${project.project.id} and o.action = 'opened' and r.action = 'resolved' and o.at > r.at`;
    expect(wrong).toHaveLength(0);
  });

  it('says each remark once, however often the people come by', async () => {
    await playDemoQueue({ ...queueOptions(), now: () => until + MINUTE_MS / 2 }, []);
    const twice = await database.db.sql`
      select item_id, note from review_event where project_id = ${project.project.id} and action = 'noted'
      group by 1, 2 having count(*) > 1`;
    expect(twice).toHaveLength(0);
  });

  it('leaves decisions alone when the people come back', async () => {
    const decided = () =>
      database.db.sql`select id, resolution, resolved_by, resolved_at from review_item
        where project_id = ${project.project.id} and state = 'resolved' order by id`;
    const before = await decided();
    await playDemoQueue({ ...queueOptions(), now: () => until + MINUTE_MS });
    const after = new Map((await decided()).map((row) => [row.id as string, row]));
    for (const row of before) expect(after.get(row.id as string)).toEqual(row);
  });
});
