import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '@/db/client';
import type { Attempt, Fact } from '@/lib/core/attempt';
import { toStreamFacts, toStreamSends } from '@/lib/core/checks/stream/build-stream';
import { findInStream } from '@/lib/core/checks/stream/index';
import { foldOperation } from '@/lib/core/fold';
import { getOperation } from '@/lib/queries/operation';
import { listFindings } from '@/lib/queries/findings';
import { makeSuccess, makeTally, makeUnclear } from '../factories/facts';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { dumpSettled } from '../support/dump-settled';
import { createTestProject, type TestProject } from '../support/project';
import { recordFacts } from '../support/record-facts';
import { settleAll } from '../support/settle-all';

/** What is found across operations, as settling stores it. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Half an hour before midnight, so that windows of every length end within a story. */
const T0 = Date.UTC(2026, 10, 28, 23, 30);
const END = T0 + 600 * HOUR;

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.close());

async function settled(facts: Fact[], profile: 'http' | 'vibecode' | 'quillhub' = 'http'): Promise<TestProject> {
  const home = await createTestProject(db, { profile });
  await recordFacts(db, home.project, facts);
  await settleAll(db, home.project.id, END);
  return home;
}

async function findingsOf(home: TestProject, check?: string) {
  const ctx = { db, project: home.project, now: END };
  const range = { from: T0 - 48 * HOUR, to: END, tz: 'UTC' };
  const { items } = await listFindings(ctx, { range, filters: {}, limit: 1_000 });
  return items.filter((row) => row.window !== null && (check === undefined || row.check === check));
}

describe('findings across operations', () => {
  test('one key for two requests, a day apart at most, is told on both operations', async () => {
    const key = { idempotency: { keyHash: 'k1' } };
    const home = await settled([
      makeSuccess({ operationId: 'a', startedAt: T0, fingerprint: 'f1', ...key }),
      makeSuccess({ operationId: 'b', startedAt: T0 + 20 * HOUR, fingerprint: 'f2', ...key }),
      makeSuccess({ operationId: 'c', startedAt: T0 + 50 * HOUR, fingerprint: 'f3', ...key }),
    ]);
    const found = await findingsOf(home, 'key_reused');
    expect(found).toMatchObject([
      {
        operationId: 'b',
        severity: 'medium',
        service: 'billing',
        evidence: { firstOperationId: 'a', apartMs: 20 * HOUR },
      },
    ]);
    expect(found[0]?.window).toMatchObject({ operations: 2, attempts: 2 });
    const ctx = { db, project: home.project, now: END };
    for (const operationId of ['a', 'b']) {
      const story = await getOperation(ctx, operationId);
      expect(story?.findings.filter((one) => one.window !== undefined)).toMatchObject([{ check: 'key_reused' }]);
    }
    expect((await getOperation(ctx, 'c'))?.findings).toEqual([]);
  });
});

describe('facts told of no operation', () => {
  const refused = (over: Partial<Attempt> & Pick<Attempt, 'operationId' | 'startedAt'>): Attempt => ({
    ...makeSuccess(over),
    outcome: 'http_error',
    status: 401,
    credential: 'c1',
    fingerprint: 'f1',
    ...over,
  });
  const renewal = (startedAt: number, ok: boolean): Fact => {
    return { type: 'auth_refresh', id: randomUUID(), environment: 'production', credential: 'c1', startedAt, ok };
  };
  const ownChecks = async (home: TestProject, operationId: string) => {
    const ctx = { db, project: home.project, now: END };
    const range = { from: T0 - HOUR, to: END, tz: 'UTC' };
    const { items } = await listFindings(ctx, { range, filters: {}, operationId, limit: 100 });
    const story = await getOperation(ctx, operationId);
    expect(story?.findings.map(({ check }) => check).sort()).toEqual(items.map(({ check }) => check).sort());
    return items.map(({ check }) => check).sort();
  };

  test('a renewal that arrives late takes back what its lack had shown, one that failed does not', async () => {
    const home = await settled([
      refused({ operationId: 'a', startedAt: T0 }),
      makeSuccess({ operationId: 'a', startedAt: T0 + MINUTE, attempt: 2, credential: 'c1', fingerprint: 'f1' }),
    ]);
    expect(await ownChecks(home, 'a')).toEqual(['auth_loop', 'never_retry_retried']);
    await recordFacts(db, home.project, [renewal(T0 + 20_000, false)]);
    await settleAll(db, home.project.id, END);
    expect(await ownChecks(home, 'a')).toEqual(['auth_loop', 'never_retry_retried']);
    await recordFacts(db, home.project, [renewal(T0 + 30_000, true)]);
    await settleAll(db, home.project.id, END);
    expect(await ownChecks(home, 'a')).toEqual([]);
  });

  test('a fix of a code excuses its service only', async () => {
    const twice = (operationId: string, service: string): Fact[] => [
      refused({ operationId, service, startedAt: T0, status: 422, code: 'INVALID_FIELD' }),
      refused({ operationId, service, startedAt: T0 + MINUTE, attempt: 2, status: 422, code: 'INVALID_FIELD' }),
    ];
    const home = await settled([...twice('a', 'billing'), ...twice('b', 'mail')]);
    expect(await ownChecks(home, 'a')).toContain('never_retry_retried');
    const fix = { type: 'cause_fixed' as const, id: randomUUID(), environment: 'production', startedAt: T0 + 1_000 };
    await recordFacts(db, home.project, [{ ...fix, code: 'INVALID_FIELD', service: 'billing' }]);
    await settleAll(db, home.project.id, END);
    expect(await ownChecks(home, 'a')).not.toContain('never_retry_retried');
    expect(await ownChecks(home, 'b')).toContain('never_retry_retried');
  });

  test('a deletion that the platform calls done although nobody had asked for it', async () => {
    const told = { profile: 'vibecode', method: 'DELETE', call: 'crm.deal.delete', scope: 'north' } as const;
    const answer = { ...told, status: 409, outcome: 'http_error', code: 'AGENT_WRITE_ALREADY_EXECUTED' } as const;
    for (const firstStatus of [200, null]) {
      const lone = makeUnclear({ operationId: 'lone', startedAt: T0, ...answer, firstStatus });
      const home = await settled([{ ...lone, error: undefined }], 'vibecode');
      expect(await findingsOf(home, 'contract_anomaly')).toMatchObject([
        { operationId: 'lone', evidence: { anomalies: ['no_first_delete'] } },
      ]);
      const first = makeUnclear({ operationId: 'first', startedAt: T0 - 20_000, ...told });
      const second = await settled([first, { ...lone, error: undefined }], 'vibecode');
      expect(await findingsOf(second, 'contract_anomaly')).toEqual([]);
    }
  });

  test('renewals that fail again and again are found without any send, and only while they do', async () => {
    const failures = [0, 2, 4].map((minute) => renewal(T0 + minute * MINUTE, false));
    const home = await settled(failures);
    expect(await findingsOf(home, 'auth_loop')).toMatchObject([
      { severity: 'high', operationId: null, subject: { kind: 'credential', value: 'c1' }, service: '' },
    ]);
    await recordFacts(db, home.project, [renewal(T0 + 3 * MINUTE, true)]);
    await settleAll(db, home.project.id, END);
    expect(await findingsOf(home, 'auth_loop')).toEqual([]);
  });

  test('deliveries are held against the schedule, and named with the operation that made the job', async () => {
    const delivery = (startedAt: number): Fact => {
      return {
        type: 'webhook_delivery',
        id: randomUUID(),
        environment: 'production',
        jobId: 'j',
        event: 'done',
        startedAt,
        status: 500,
      };
    };
    const home = await settled([
      makeSuccess({ operationId: 'a', startedAt: T0, jobId: 'j' }),
      delivery(T0 + MINUTE),
      delivery(T0 + 2 * MINUTE),
      delivery(T0 + 3 * MINUTE),
    ]);
    expect(await findingsOf(home)).toMatchObject([
      { check: 'webhook_schedule', operationId: 'a', evidence: { kind: 'off_schedule', expectedMs: 300_000 } },
    ]);
  });

  test('load above what it was is counted with tallies, also those that come late', async () => {
    const hour = T0 + 30 * MINUTE;
    const calm = Array.from({ length: 25 }, (_, i) => makeSuccess({ operationId: `calm-${i}`, startedAt: hour + i }));
    const busy = Array.from({ length: 25 }, (_, i) =>
      [1, 2, 3].map((attempt) =>
        makeSuccess({ operationId: `busy-${i}`, attempt, startedAt: hour + HOUR + i + attempt * MINUTE }),
      ),
    ).flat();
    const home = await settled([...calm, ...busy]);
    expect(await findingsOf(home, 'amplification')).toMatchObject([
      {
        operationId: null,
        subject: { kind: 'service', value: 'billing' },
        evidence: { baseline: 1, attemptsPerOperation: 3 },
      },
    ]);
    await recordFacts(db, home.project, [makeTally({ minute: hour + HOUR, successes: 200 })]);
    await settleAll(db, home.project.id, END);
    expect(await findingsOf(home, 'amplification')).toEqual([]);
  });
});

test('a finding across operations goes when its ground goes, and another project sees none of it', async () => {
  const equal = (operationId: string, startedAt: number) =>
    makeSuccess({ operationId, startedAt, fingerprint: 'f', scope: 's' });
  const unclear = makeUnclear({ operationId: 'a', startedAt: T0, fingerprint: 'f', scope: 's' });
  const home = await settled([unclear, { ...equal('a', T0 + MINUTE), attempt: 2 }, equal('b', T0 + HOUR)]);
  expect(await findingsOf(home, 'duplicate_suspected')).toMatchObject([
    { operationId: 'b', severity: 'low', evidence: { level: 'possible', firstOperationId: 'a' } },
  ]);
  const other = await settled([equal('b', T0 + HOUR), equal('c', T0 + 2 * HOUR)]);
  expect(await findingsOf(other)).toEqual([]);
  expect((await getOperation({ db, project: other.project, now: END }, 'b'))?.findings).toEqual([]);
  // A success between the two that nobody doubts: b now follows c, and c follows a.
  await recordFacts(db, home.project, [equal('c', T0 + 30 * MINUTE)]);
  await settleAll(db, home.project.id, END);
  expect(await findingsOf(home, 'duplicate_suspected')).toMatchObject([{ operationId: 'c' }]);
  const before = await dumpSettled(db, home.project.id);
  await db.sql`insert into operation_touch (project_id, operation_id) select project_id, operation_id from operation
    where project_id = ${home.project.id}`;
  await settleAll(db, home.project.id, END);
  expect(await dumpSettled(db, home.project.id)).toEqual(before);
});

const SCOPES = ['north', 'south'] as const;

interface Step {
  operation: number;
  scope: number;
  kind: (typeof KINDS)[number];
  fingerprint: number;
  key: number;
  afterMs: number;
}

const KINDS = [
  'success',
  'unclear',
  'quarantine',
  'limited',
  'loop',
  'failed',
  'executed',
  'replayed',
  'refused',
  'overflow',
  'refresh_ok',
  'refresh_failed',
  'fixed',
  'delivery',
] as const;

/** Gaps by which every look-back is reached, just missed, or not. */
const GAPS = [1, 700, 20_000, 61_000, 4 * MINUTE, 16 * MINUTE, 59 * MINUTE, 8 * HOUR, 25 * HOUR];

const steps = fc.array(
  fc.record({
    operation: fc.integer({ min: 0, max: 7 }),
    scope: fc.integer({ min: 0, max: 1 }),
    kind: fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...KINDS.slice(0, 8)) },
      { weight: 2, arbitrary: fc.constantFrom(...KINDS) },
    ),
    fingerprint: fc.integer({ min: 0, max: 1 }),
    key: fc.integer({ min: 0, max: 3 }),
    afterMs: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...GAPS.slice(0, 5)) },
      { weight: 1, arbitrary: fc.constantFrom(...GAPS) },
    ),
  }),
  { minLength: 25, maxLength: 45 },
);

function answerOf({ kind }: Step): Partial<Attempt> {
  const refusal = (code: string, status: number, more: Partial<Attempt> = {}): Partial<Attempt> => {
    return { outcome: 'http_error', status, code, ...more };
  };
  switch (kind) {
    case 'success':
      return { outcome: 'success', status: 201 };
    case 'unclear':
      return { outcome: 'timeout', error: { name: 'TimeoutError', code: 23 } };
    case 'quarantine':
      return refusal('TIMEOUT_QUARANTINE', 503, { retryAfter: ['120'] });
    case 'limited':
      return refusal('CALLER_RATE_LIMITED', 429, { retryAfter: ['30'] });
    case 'loop':
      return refusal('ERROR_LOOP_DETECTED', 429);
    case 'executed':
      return refusal('AGENT_WRITE_ALREADY_EXECUTED', 409, { firstStatus: 200 });
    case 'replayed':
      return { outcome: 'success', status: 201, headers: { 'idempotent-replayed': 'true' } };
    case 'overflow':
      return refusal('QUEUE_OVERFLOW', 503, { retryAfter: ['1'] });
    case 'refused':
      return refusal('TOKEN_REFRESH_FAILED', 401);
    default:
      return refusal('BITRIX_ERROR', 400);
  }
}

/** A story that services told: times grow, attempts are numbered, an operation stays on its portal. */
function tell(list: readonly Step[]): Fact[] {
  let at = T0;
  const counts = new Map<number, number>();
  return list.map((step): Fact => {
    const { operation, kind, fingerprint, key } = step;
    at += step.afterMs;
    const common = { id: randomUUID(), environment: 'production', startedAt: at };
    const scope = SCOPES[operation % 2] ?? 'north';
    const credential = `${scope}-key`;
    if (kind === 'refresh_ok' || kind === 'refresh_failed') {
      return { ...common, type: 'auth_refresh', credential, ok: kind === 'refresh_ok' };
    }
    if (kind === 'fixed') return { ...common, type: 'cause_fixed', code: 'BITRIX_ERROR' };
    if (kind === 'delivery') {
      return { ...common, type: 'webhook_delivery', jobId: `job-${key}`, event: 'done', status: key === 0 ? 200 : 500 };
    }
    const attempt = (counts.get(operation) ?? 0) + 1;
    counts.set(operation, attempt);
    return {
      ...common,
      type: 'attempt',
      operationId: `op-${operation}`,
      attempt,
      endedAt: at + 100,
      service: operation < 4 ? 'billing' : 'mail',
      call: `crm.deal.${fingerprint}`,
      kind: 'write',
      scope,
      credential,
      fingerprint: `f-${fingerprint}`,
      ...(key === 3 ? {} : { idempotency: { keyHash: `k-${key}` } }),
      ...(operation === 7 ? { parentOperationId: 'op-5' } : {}),
      ...answerOf(step),
    };
  });
}

/** Statistics of whole hours are another number for every window; the rest is the same however time is cut. */
const BY_THE_HOUR = new Set(['no_jitter', 'backoff_shape']);

/** What the checks find over everything at once, as rows without what windows alone know. */
function expectedOf(facts: readonly Fact[], { project }: TestProject) {
  const { settings, profiles } = project;
  const ids = [...new Set(facts.flatMap((fact) => (fact.type === 'attempt' ? [fact.operationId] : [])))];
  const sends = ids.flatMap((operationId) => {
    const own = facts.filter((fact) => fact.type === 'attempt' && fact.operationId === operationId);
    return toStreamSends(foldOperation({ operationId, facts: own }, { asOf: END, settings, profiles }).attempts);
  });
  const window = { from: T0 - HOUR, to: END };
  const input = { window, sends, facts: toStreamFacts(facts), settings, heldMs: settings.pauseMaxMs };
  return findInStream(input)
    .filter(({ check, evidence }) => !BY_THE_HOUR.has(check) && evidence.kind !== 'above_baseline')
    .map(({ check, severity, operationId = null, attempt = null, at, subject, evidence }) => {
      return JSON.stringify([check, severity, operationId, attempt, at, subject, sortedEvidence(evidence)]);
    })
    .sort();
}

/** Evidence in one order of names, without those that depend on how far back a window looks. */
function sortedEvidence(evidence: Record<string, unknown>): unknown {
  const { operationIds: _named, ...rest } = evidence;
  return sorted(rest);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, inner]) => [name, sorted(inner)]);
}

async function storedOf(home: TestProject) {
  const rows = (await findingsOf(home)).filter(
    ({ check, evidence }) => !BY_THE_HOUR.has(check) && evidence.kind !== 'above_baseline',
  );
  return rows
    .map(({ check, severity, operationId, attempt, at, subject, evidence }) => {
      return JSON.stringify([check, severity, operationId, attempt, at, subject, sortedEvidence(evidence)]);
    })
    .sort();
}

describe('windows', () => {
  const seen = new Set<string>();

  test('find what one look at everything finds, in whatever order, batches and repeats facts came', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.array(fc.nat(), { minLength: 60, maxLength: 60 }), async (list, shuffle) => {
        const facts = tell(list);
        const together = await settled(facts, 'vibecode');
        const expected = expectedOf(facts, together);
        for (const row of await findingsOf(together)) seen.add(row.check);
        expect(await storedOf(together)).toEqual(expected);

        const piecemeal = await createTestProject(db, { profile: 'vibecode' });
        const order = facts.map((fact, i) => ({ fact, key: shuffle[i] ?? 0 })).sort((a, b) => a.key - b.key);
        for (let i = 0; i < order.length; i += 15) {
          await recordFacts(
            db,
            piecemeal.project,
            order.slice(i, i + 15).map(({ fact }) => fact),
          );
          await settleAll(db, piecemeal.project.id, END, 5);
        }
        expect(await conclusions(piecemeal)).toEqual(await conclusions(together));
      }),
      { numRuns: 3, endOnFailure: true },
    );
    expect([...seen]).toEqual(expect.arrayContaining(['pause_broken_by_others', 'key_reused', 'error_loop']));
  }, 180_000);
});

/** All findings and places, without what differs between two projects, and what is left to do. */
async function conclusions(home: TestProject) {
  const { id } = home.project;
  const { finding, finding_operation, stream_member } = await dumpSettled(db, id);
  const strip = (rows: Record<string, unknown>[]) => rows.map(({ project_id: _project, ...row }) => row);
  const [left] = await db.sql`
    select (select count(*)::int from stream_touch where project_id = ${id}) as windows,
           (select count(*)::int from fact_touch where project_id = ${id}) as facts`;
  expect(left).toEqual({ windows: 0, facts: 0 });
  return { finding: strip(finding), links: strip(finding_operation), members: strip(stream_member) };
}
