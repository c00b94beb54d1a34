import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReporter, type Reporter } from '@/lib/client';
import { getCompliance } from '@/lib/queries/compliance';
import { getOperation } from '@/lib/queries/operation';
import type { ComplianceRow, QueryContext } from '@/lib/queries/views';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { startIngestServer, type IngestServer } from '@/test/support/ingest-server';
import { createTestProject, type TestProject } from '@/test/support/project';
import { settleAll } from '@/test/support/settle-all';
import { killMidWrite } from './kill-mid-write';
import { CLIENTS, makeDriver, type ClientName, type Driver } from './lab-clients';
import { checkExpectation, checkPromises, type Observed } from './lab-judge';
import { countEffects, listCases, listWalks, runCases, type LabCase, type LabServers } from './lab-run';
import { findClosedPort, startLabServer } from './lab-server';

/**
 * The main job on real input: servers that really fail, clients that really retry, a reporter that sees only what
 * their hooks show, and a running Readback that has to say what was safe and what nobody can vouch for.
 */

const WALKS = 90;
const WALK_SEED = 20_261_130;
const HOUR_MS = 3_600_000;
const DYING = 'dying:careful:fetch';

let database: TestDatabase;
let ingest: IngestServer;
let project: TestProject;
let servers: LabServers;
let cases: LabCase[];
let reporters: Record<ClientName, Reporter>;

function context(): QueryContext {
  return { db: database.db, project: project.project, now: Date.now() + HOUR_MS };
}

function eachClient<T>(make: (client: ClientName) => T): Record<ClientName, T> {
  return { fetch: make('fetch'), axios: make('axios'), got: make('got') };
}

/** What is settled stays as it is: each operation is read once. */
const observed = new Map<string, Promise<Observed | null>>();

function observe(operationId: string): Promise<Observed | null> {
  const known = observed.get(operationId) ?? readStory(operationId);
  observed.set(operationId, known);
  return known;
}

async function readStory(operationId: string): Promise<Observed | null> {
  const story = await getOperation(context(), operationId);
  if (!story) return null;
  return {
    state: story.state,
    possibleEffects: story.possibleEffects,
    verdicts: story.sends.map((send) => send.verdict),
    pairs: story.pairs,
    reviewItems: story.reviews.length,
  };
}

beforeAll(async () => {
  database = await createTestDatabase();
  ingest = await startIngestServer(database.db);
  project = await createTestProject(database.db, { profile: 'http' });
  servers = {
    honoursKeys: await startLabServer({ honoursKeys: true }),
    ignoresKeys: await startLabServer({ honoursKeys: false }),
    closedPort: await findClosedPort(),
  };
  const common = { url: ingest.url, key: project.keys.ingest };
  reporters = eachClient((name) => createReporter({ ...common, service: `lab-${name}`, sdk: { name } }));
  const drivers: Record<ClientName, Driver> = eachClient((name) => makeDriver(name, reporters[name]));
  cases = [...listCases(servers), ...listWalks(servers, WALKS, WALK_SEED)];
  servers.honoursKeys.script(DYING, [{ do: 'hang', work: true }]);
  const readback = { url: ingest.url, key: project.keys.ingest };
  await Promise.all([runCases(cases, drivers), killMidWrite(readback, servers.honoursKeys, DYING, 'lab-dying')]);
  for (const name of CLIENTS) expect(await reporters[name].close(20_000)).toBe(true);
  // An hour later every operation is over, and every grace has run out.
  await settleAll(database.db, project.project.id, Date.now() + HOUR_MS);
}, 80_000);

afterAll(async () => {
  await Promise.all([servers.honoursKeys.close(), servers.ignoresKeys.close()]);
  await ingest.close();
  await database.close();
});

describe('retry lab', () => {
  it('delivered every event once and had none refused', () => {
    for (const name of CLIENTS) {
      expect(reporters[name].stats()).toMatchObject({ queued: 0, rejected: 0, conflicts: 0, dropped: 0 });
    }
  });

  it('saw as many sends as the servers did', async () => {
    for (const labCase of cases) {
      if (!labCase.server) continue;
      const story = await observe(labCase.call.operationId);
      expect([labCase.title, story?.verdicts.length]).toEqual([
        labCase.title,
        labCase.server.requests.get(labCase.call.operationId),
      ]);
    }
  });

  it('judges each scenario as its servers meant it', async () => {
    const faults: string[] = [];
    for (const labCase of cases) {
      if (!labCase.expect) continue;
      const observed = await observe(labCase.call.operationId);
      const said = observed ? checkExpectation(labCase, observed) : ['unknown to Readback'];
      faults.push(...said.map((fault) => `${labCase.title}: ${fault}`));
    }
    expect(faults).toEqual([]);
  });

  it('never misses a real effect, and asks a person whenever there was more than one', async () => {
    const faults: string[] = [];
    let doubled = 0;
    for (const labCase of cases) {
      const observed = await observe(labCase.call.operationId);
      const said = observed ? checkPromises(labCase, observed) : ['unknown to Readback'];
      faults.push(...said.map((fault) => `${labCase.title}: ${fault}`));
      if (countEffects(labCase.server, labCase.call.operationId) > 1) doubled += 1;
    }
    expect(faults).toEqual([]);
    // A lab in which nothing went wrong would prove nothing.
    expect(doubled).toBeGreaterThan(20);
  });

  it('takes a client that died after its write for a write nobody can vouch for', async () => {
    const observed = await observe(DYING);
    expect(countEffects(servers.honoursKeys, DYING)).toBe(1);
    expect(observed).toMatchObject({ state: 'unresolved', possibleEffects: 1, reviewItems: 1 });
  });

  it('sums compliance up by service: who was asked, who waited, who was in a hurry', async () => {
    const range = { from: Date.now() - HOUR_MS, to: Date.now() + HOUR_MS, tz: 'UTC' };
    const { rows } = await getCompliance(context(), { range, step: '1h', groupBy: 'service', filters: {} });
    const byService = new Map<string, ComplianceRow>(rows.map((row) => [row.key, row]));
    for (const name of CLIENTS) {
      const row = byService.get(`lab-${name}`);
      const titles = cases.filter((labCase) => labCase.client === name && labCase.expect);
      const expected = titles.map((labCase) => labCase.expect?.(2).compliance);
      const count = (word: string): number => expected.filter((compliance) => compliance === word).length;
      expect(row?.early).toBe(count('early'));
      expect(row?.unusable).toBe(count('unusable_header'));
      // Random walks are asked to wait too ("0 seconds"), so there are at least as many.
      expect(row?.honoured).toBeGreaterThanOrEqual(count('honoured'));
    }
  });
});
