import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wireAttempt } from '@/test/factories/wire-event';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { createIngestClient } from '@/test/support/ingest-client';
import { startIngestServer, type IngestServer } from '@/test/support/ingest-server';
import { createTestProject, type TestProject } from '@/test/support/project';

let database: TestDatabase;
let server: IngestServer;
let other: IngestServer;

beforeAll(async () => {
  database = await createTestDatabase();
  // Two processes' worth: they share nothing but the database.
  server = await startIngestServer(database.db);
  other = await startIngestServer(database.db);
});

afterAll(async () => {
  await server?.close();
  await other?.close();
  await database?.close();
});

/** What the rows say, beside what the rollups say, at every grain. */
async function recount(project: TestProject) {
  const { sql } = database.db;
  const id = project.project.id;
  const stored = await sql`
    with counted as (
      select started_at as at, dimension_id, 1 as attempts, 0 as tallied from attempt where project_id = ${id}
      union all select at, dimension_id, 0, successes from fact where project_id = ${id} and type = 'tally'),
    named as (
      select d.id, n.id as narrow from dimension d
      join dimension n using (project_id, service, kind, code, action, profile, environment)
      where d.project_id = ${id} and n.call = '' and n.target = '' and n.sdk = '')
    select g.grain, date_bin(make_interval(mins => abs(g.grain)), c.at, 'epoch') as at,
      (case when g.grain > 0 then c.dimension_id else d.narrow end)::text as dimension,
      sum(c.attempts)::int as attempts, sum(c.tallied)::int as tallied
    from counted c left join named d on d.id = c.dimension_id
    cross join (values (1), (15), (60), (-15), (-60)) as g(grain) group by 1, 2, 3 order by 1, 2, 3`;
  const kept = await sql`select grain::int as grain, at, dimension_id::text as dimension, attempts, tallied
    from rate_rollup where project_id = ${id} order by 1, 2, 3`;
  const [ids] = await sql`select
    (select count(*)::int from event_ledger where project_id = ${id}) as ledger,
    (select count(*)::int from attempt where project_id = ${id}) + (select count(*)::int from fact where project_id = ${id}) as rows`;
  return { stored: [...stored], kept: [...kept], ids };
}

describe('an event counts once', () => {
  it('however often, in whichever batch and through whichever process it is sent at once', async () => {
    const project = await createTestProject(database.db);
    const clients = [server, other].map(({ port }) => createIngestClient(port, project.keys.ingest));
    const events = Array.from({ length: 200 }, (_, place) =>
      wireAttempt({ operationId: `op-${place % 20}`, status: place % 5 ? 200 : 503 }),
    );
    const batches = Array.from({ length: 24 }, (_, sending) =>
      events.slice((sending * 37) % 150, ((sending * 37) % 150) + 50),
    );
    batches.push(events.slice(0, 100), events.slice(100));
    const answers = await Promise.all(
      batches.map(
        (batch, place) => clients[place % 2]?.post(batch) ?? Promise.reject(new Error('there are two clients')),
      ),
    );
    const sum = (name: string): number => answers.reduce((total, answer) => total + Number(answer?.json[name]), 0);
    expect(answers.map((answer) => answer?.status)).toEqual(batches.map(() => 202));
    expect(sum('accepted')).toBe(200);
    expect(sum('accepted') + sum('duplicates')).toBe(batches.flat().length);
    expect(answers.flatMap((answer) => answer?.json.conflicts)).toEqual([]);
    const { stored, kept, ids } = await recount(project);
    expect(ids).toEqual({ ledger: 200, rows: 200 });
    expect(kept).toEqual(stored);
  });

  it('keeps the first content and names the others, within a batch and across batches', async () => {
    const project = await createTestProject(database.db);
    const client = createIngestClient(server.port, project.keys.ingest);
    const id = randomUUID();
    const first = wireAttempt({ id });
    const answer = await client.post([first, wireAttempt(), { ...first, status: 500 }, first]);
    expect(answer.json).toMatchObject({ accepted: 2, duplicates: 2, conflicts: [2] });
    expect((await client.post([{ ...first, call: 'x' }, first])).json).toMatchObject({ duplicates: 2, conflicts: [0] });
    const [row] = await database.db
      .sql`select event from attempt where project_id = ${project.project.id} and id = ${id}`;
    expect((row?.event as { status: number }).status).toBe(200);
  });

  it('derives the same id for the same event sent without one, whatever order its members have', async () => {
    const project = await createTestProject(database.db);
    const client = createIngestClient(server.port, project.keys.ingest);
    const { id: _id, ...event } = wireAttempt({ instance: 'pod-1', credential: 'c' });
    const turned = Object.fromEntries(Object.entries(event).reverse());
    const answers = [await client.post(event), await client.post(turned), await client.post({ ...event, attempt: 2 })];
    expect(answers.map(({ json }) => [json.accepted, json.duplicates, json.conflicts])).toEqual([
      [1, 0, []],
      [0, 1, []],
      [1, 0, []],
    ]);
  });
});

const anyEvent = fc.record({
  id: fc.integer({ min: 0, max: 60 }),
  minutesAgo: fc.integer({ min: 0, max: 3_000 }),
  status: fc.constantFrom(200, 429, 504),
  service: fc.constantFrom('a', 'b'),
  tally: fc.boolean(),
});

describe('rollups', () => {
  it('equal a recount after any events, sent again and again in parallel', async () => {
    const now = Date.now();
    const property = fc.asyncProperty(
      fc.array(fc.array(anyEvent, { maxLength: 40 }), { minLength: 1, maxLength: 6 }),
      async (batches) => {
        const project = await createTestProject(database.db);
        const ids = Array.from({ length: 61 }, () => randomUUID());
        const clients = [server, other].map(({ port }) => createIngestClient(port, project.keys.ingest));
        const wire = batches.map((batch) =>
          batch.map(({ id, minutesAgo, status, service, tally }) => {
            const at = now - minutesAgo * 60_000;
            return tally
              ? { type: 'tally', id: ids[id], service, call: 'c', minute: at, successes: id + 1 }
              : wireAttempt({ id: ids[id], startedAt: at, status, service });
          }),
        );
        const sendings = [...wire, ...wire].map(
          (batch, place) => clients[place % 2]?.post(batch) ?? Promise.reject(new Error('there are two clients')),
        );
        for (const answer of await Promise.all(sendings)) expect(answer?.status).toBe(202);
        const { stored, kept, ids: counts } = await recount(project);
        expect(kept).toEqual(stored);
        const distinct = new Set(batches.flat().map(({ id }) => id)).size;
        expect(counts).toEqual({ ledger: distinct, rows: distinct });
      },
    );
    await fc.assert(property, { numRuns: 15 });
  });
});
