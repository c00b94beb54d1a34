import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getWebRuntime } from '@/lib/auth/web-runtime';
import { listChecks } from '@/lib/core/check-catalogue';
import { FLAGS } from '@/lib/core/verdict';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { startIngestServer, type IngestServer } from '@/test/support/ingest-server';
import { createTestProject, type TestProject } from '@/test/support/project';
import { settleAll } from '@/test/support/settle-all';
import { useWebRuntime } from '@/test/support/web';
import { checksIn, findingsOf, flagsOf, observeAll, runScenarios, type Observations } from './checks/check-run';
import { nameRun, type CheckScenario } from './checks/check-scenario';
import { FLAG_SCENARIOS } from './checks/flags';
import { CHECK_SCENARIOS, NOT_BY_ONE_CLIENT } from './checks/index';
import { SPREAD_PAIRS } from './checks/pacing';
import { SETTLED_MS } from './checks/read-back';
import { countEffects } from './lab-run';
import { startLabServer, type LabServer } from './lab-server';

/**
 * Every check that one client can show, on real input: a server with a fault or a client with one, beside the same
 * client without it, and a running Readback that has to tell the two apart.
 */

const HOUR_MS = 3_600_000;

/** Real waits are seconds here and minutes in life: the thresholds are the project's, the formulas are not. */
const SETTINGS = {
  readBackSettleMs: SETTLED_MS / 2,
  zeroDelayMs: 100,
  staleDelayMs: 600,
  excessWaitMs: 1_500,
  starvedMs: 400,
  starvedShare: 0.35,
  jitterPairsMinCount: SPREAD_PAIRS,
  jitterSpreadMinShare: 0.2,
  backoffPairsMinCount: SPREAD_PAIRS,
  authFlightMs: 500,
};

let database: TestDatabase;
let ingest: IngestServer;
let project: TestProject;
let honoursKeys: LabServer;
let ignoresKeys: LabServer;
let startedAt: number;
let broken: string[];
let seen: Observations;

beforeAll(async () => {
  // A reporter each, a dozen at a time.
  process.setMaxListeners(50);
  database = await createTestDatabase();
  useWebRuntime(database.url);
  ingest = await startIngestServer(database.db);
  project = await createTestProject(database.db, { profile: 'http', settings: SETTINGS });
  honoursKeys = await startLabServer({ honoursKeys: true });
  ignoresKeys = await startLabServer({ honoursKeys: false });
  startedAt = Date.now();
  const sources = { readbackUrl: ingest.url, ingestKey: project.keys.ingest, honoursKeys, ignoresKeys };
  broken = await runScenarios([...CHECK_SCENARIOS, ...FLAG_SCENARIOS], sources);
  // An hour later every operation is over, and every grace has run out.
  await settleAll(database.db, project.project.id, Date.now() + HOUR_MS);
  seen = await observeAll(project.keys.read, startedAt - HOUR_MS, startedAt + HOUR_MS);
}, 110_000);

afterAll(async () => {
  await Promise.all([honoursKeys.close(), ignoresKeys.close()]);
  await ingest.close();
  await getWebRuntime().db.close(1);
  await database.close();
});

function namesOf({ check, also = [] }: CheckScenario): string[] {
  return [...new Set([check, ...also])].sort();
}

/** A finding that names no operation is told apart by its evidence alone. */
function expectedOf({ found }: CheckScenario, name: string): object[] {
  return found.map(({ operation = 'op', ...rest }) =>
    operation === null ? rest : { ...rest, operationId: `${name}:${operation}` },
  );
}

describe('check lab', () => {
  it('drove every client to its end, and lost no event', () => {
    expect(broken).toEqual([]);
  });

  it('covers every check of the catalogue but those that no single client can show', () => {
    const covered = new Set(CHECK_SCENARIOS.map(({ check }) => check as string));
    const left = Object.keys(NOT_BY_ONE_CLIENT);
    expect(left.filter((check) => covered.has(check))).toEqual([]);
    expect([...covered, ...left].sort()).toEqual(
      listChecks()
        .map(({ check }) => check)
        .sort(),
    );
  });

  describe.each(CHECK_SCENARIOS)('$check: $title', (scenario) => {
    it('is found in the client that has the fault', () => {
      const name = nameRun(scenario, 'flawed');
      const findings = findingsOf(name, seen);
      const own = findings.filter(({ check }) => check === scenario.check);
      expect(own).toMatchObject(expectedOf(scenario, name));
      expect(checksIn(findings)).toEqual(namesOf(scenario));
      if (scenario.state === undefined) return;
      const operation = seen.operations.find(({ operationId }) => operationId === `${name}:op`);
      expect(operation?.state).toBe(scenario.state);
    });

    it('is not found in the same client without it', () => {
      const findings = findingsOf(nameRun(scenario, 'sound'), seen);
      expect(checksIn(findings)).toEqual([...(scenario.soundShows ?? [])].sort());
    });
  });

  it('covers every flag of a single attempt', () => {
    expect(FLAG_SCENARIOS.map(({ flag }) => flag).sort()).toEqual([...FLAGS].sort());
  });

  it.each(FLAG_SCENARIOS)('flag $flag: $title', async (scenario) => {
    const { read } = project.keys;
    expect(await flagsOf(nameRun(scenario, 'flawed'), scenario.flag, read)).toEqual(scenario.attempts);
    expect(await flagsOf(nameRun(scenario, 'sound'), scenario.flag, read)).toEqual([]);
  });

  it('never misses a real effect, and asks a person whenever there was more than one', () => {
    const faults: string[] = [];
    const asked = new Set(seen.reviews.map(({ operationId }) => operationId));
    let doubled = 0;
    for (const { operationId, possibleEffects } of seen.operations) {
      const real = countEffects(honoursKeys, operationId) + countEffects(ignoresKeys, operationId);
      if (real > possibleEffects)
        faults.push(`${operationId}: done ${real} times, ${possibleEffects} thought possible`);
      if (real > 1 && !asked.has(operationId)) faults.push(`${operationId}: done ${real} times, nobody asked`);
      if (real > 1) doubled += 1;
    }
    expect(faults).toEqual([]);
    expect(doubled).toBeGreaterThan(5);
  });

  it('knows every operation whose work was really done', () => {
    const known = new Set(seen.operations.map(({ operationId }) => operationId));
    const done = [...honoursKeys.effects, ...ignoresKeys.effects].map(({ operationId }) => operationId);
    expect(done.filter((operationId) => !known.has(operationId))).toEqual([]);
  });
});
