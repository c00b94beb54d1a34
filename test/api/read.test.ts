import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '@/db/client';
import { getWebRuntime } from '@/lib/auth/web-runtime';
import { makeReadBack, makeSuccess, makeTally, makeThrottled, makeUnclear } from '../factories/facts';
import { callRead, READ_ROUTES } from '../support/call-api';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestProject, type TestProject } from '../support/project';
import { recordFacts } from '../support/record-facts';
import { settleAll } from '../support/settle-all';
import { useWebRuntime } from '../support/web';

const HOUR = 3_600_000;
const NOW = Math.floor(Date.now() / HOUR) * HOUR;
const T0 = NOW - 5 * HOUR;
const RANGE = `from=${new Date(T0 - HOUR).toISOString()}&to=${new Date(NOW).toISOString()}`;

let database: TestDatabase;
let db: Database;
let home: TestProject;
let foreign: TestProject;

async function fill(project: TestProject, prefix: string): Promise<void> {
  await recordFacts(db, project.project, [
    makeThrottled(5, { operationId: `${prefix}-late`, startedAt: T0, sdk: { name: 'got', version: '14' } }),
    makeSuccess({ operationId: `${prefix}-late`, startedAt: T0 + 7_000, attempt: 2, requestId: `${prefix}-req` }),
    makeThrottled(5, { operationId: `${prefix}-early`, startedAt: T0 }),
    makeSuccess({ operationId: `${prefix}-early`, startedAt: T0 + 1_200, attempt: 2 }),
    makeUnclear({ operationId: `${prefix}-lost`, startedAt: T0, amount: { value: '10.00', currency: 'EUR' } }),
    makeReadBack({
      operationId: `${prefix}-lost`,
      startedAt: T0 + 30_000,
      criterion: 'weak',
      entityIds: [`${prefix}-e1`],
    }),
    makeSuccess({
      operationId: `${prefix}-mail`,
      startedAt: T0,
      service: 'mail',
      call: 'POST /v1/mail',
      parentOperationId: `${prefix}-late`,
    }),
    makeTally({ minute: T0, successes: 95 }),
  ]);
  await settleAll(db, project.project.id, NOW);
}

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  useWebRuntime(database.url);
  [home, foreign] = [await createTestProject(db), await createTestProject(db)];
  await fill(home, 'a');
  await fill(foreign, 'b');
});
afterAll(async () => {
  await getWebRuntime().db.close(1);
  await database.close();
});

type Json = Record<string, unknown>;

async function read(path: string, project = home): Promise<Json> {
  const answer = await callRead(path, { key: project.keys.read });
  expect(answer.status, await answer.clone().text()).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
  return (await answer.json()) as Json;
}

describe('reading', () => {
  test('rates count attempts and tallies, and calls add up', async () => {
    const { totals, series, buckets } = await read(`/api/v1/rates?${RANGE}&step=1h&groupBy=code`);
    expect(totals).toMatchObject({ calls: 99, attempts: 101, errors: 3, firstTrySuccess: 96, successAfterRetry: 2 });
    expect(totals).toMatchObject({ unresolved: 1, open: 0, exhausted: 0 });
    const throttled = (series as { key: string; points: Json[] }[]).find((line) => line.key === 'HTTP_429');
    expect(throttled?.points).toHaveLength(6);
    expect(throttled?.points[1]).toEqual({ at: new Date(T0).toISOString(), count: 2, rate: 2 / 101 });
    expect(buckets).toContainEqual({ at: new Date(T0).toISOString(), attempts: 101 });
  });

  test('a code filter keeps the denominator, other filters narrow it', async () => {
    const byCode = await read(`/api/v1/rates?${RANGE}&step=1h&code=HTTP_429`);
    const points = (byCode.series as { points: Json[] }[])[0]?.points;
    expect(points?.[1]).toMatchObject({ count: 2, rate: 2 / 101 });
    const byService = await read(`/api/v1/rates?${RANGE}&step=1h&service=mail`);
    expect(byService.totals).toMatchObject({ calls: 1, attempts: 1, errors: 0 });
  });

  test('compliance judges each wait and says how early', async () => {
    const { rows, total, histogram } = await read(`/api/v1/compliance?${RANGE}&groupBy=service`);
    expect(rows).toMatchObject([{ key: 'billing', asked: 2, honoured: 1, early: 1, rate: 0.5, earlyMsP50: 4_000 }]);
    expect(total).toMatchObject({ asked: 2, earlyMsMax: 4_000 });
    expect((histogram as Json[]).find((line) => line.count === 1)).toMatchObject({ fromMs: 2_000, toMs: 5_000 });
  });

  test('operations are found by prefix, request id, entity id, code and state', async () => {
    const ids = async (query: string): Promise<unknown[]> =>
      ((await read(`/api/v1/operations?${RANGE}&${query}`)).items as Json[]).map((row) => row.operationId).sort();
    expect(await ids('')).toEqual(['a-early', 'a-late', 'a-lost', 'a-mail']);
    expect(await ids('q=a-l')).toEqual(['a-late', 'a-lost']);
    expect(await ids('q=a-req')).toEqual(['a-late']);
    expect(await ids('q=a-e1')).toEqual(['a-lost']);
    expect(await ids('q=%25')).toEqual([]);
    expect(await ids('code=HTTP_429')).toEqual(['a-early', 'a-late']);
    expect(await ids('state=unresolved')).toEqual(['a-lost']);
    expect(await ids('service=mail&service=nobody')).toEqual(['a-mail']);
    expect(await ids('code=OK')).toEqual(['a-early', 'a-late', 'a-mail']);
  });

  test('one operation is told whole', async () => {
    const story = await read('/api/v1/operations/a-late');
    expect(story).toMatchObject({ operationId: 'a-late', state: 'succeeded', attempts: 2, over: true });
    expect(story.pairs).toMatchObject([{ attempt: 1, compliance: 'honoured' }, { compliance: 'not_asked' }]);
    expect(story.sends).toMatchObject([{ verdict: { code: 'HTTP_429' } }, { verdict: { action: 'none' } }]);
    expect(story.related).toEqual({ parent: null, children: ['a-mail'] });
    expect(story.firstAt).toBe(new Date(T0).toISOString());
    const lost = await read('/api/v1/operations/a-lost');
    expect(lost).toMatchObject({ state: 'unresolved', suggestion: { resolution: 'applied_once' } });
    expect(lost.reviews).toMatchObject([{ state: 'open', amount: { value: '10.00', currency: 'EUR' } }]);
  });

  test('codes, overview, summary and choices agree with each other', async () => {
    const codes = (await read(`/api/v1/codes?${RANGE}`)).items as Json[];
    expect(codes.map((row) => [row.code, row.count])).toEqual([
      ['HTTP_429', 2],
      ['TimeoutError', 1],
    ]);
    const overview = await read(`/api/v1/overview?${RANGE}`);
    expect((overview.codes as Json[]).map((row) => row.count)).toEqual([2, 1]);
    expect(overview.services).toMatchObject([
      { service: 'billing', attempts: 100, errors: 3, openReviews: 1, complianceRate: 0.5 },
      { service: 'mail', attempts: 1, errors: 0 },
    ]);
    expect(overview.review).toMatchObject({ open: 1, atStake: [{ value: '10.00', currency: 'EUR' }] });
    expect(await read('/api/v1/review/summary')).toEqual(overview.review);
    expect((await read('/api/v1/choices')).code).toEqual(['HTTP_429', 'OK', 'TimeoutError']);
    const code = await read(`/api/v1/codes/HTTP_429?${RANGE}`);
    expect(code).toMatchObject({ total: { count: 2 }, byService: [{ key: 'billing', count: 2 }] });
    expect(code.recent).toHaveLength(2);
  });

  test('pages follow each other without a gap or a repeat', async () => {
    const seen: unknown[] = [];
    let cursor = '';
    for (let page = 0; page < 10; page += 1) {
      const answer = await read(`/api/v1/operations?${RANGE}&limit=1${cursor}`);
      seen.push(...(answer.items as Json[]).map((row) => row.operationId));
      if (answer.nextCursor === null) break;
      cursor = `&cursor=${answer.nextCursor as string}`;
    }
    expect([...seen].sort()).toEqual(['a-early', 'a-late', 'a-lost', 'a-mail']);
    expect(new Set(seen).size).toBe(4);
  });
});

describe('findings', () => {
  test('each is listed with what it speaks of, filtered by the failure it blames', async () => {
    const { items } = await read(`/api/v1/findings?${RANGE}`);
    expect((items as Json[]).map((row) => row.check)).toContain('early_retry');
    const [early, ...others] = (await read(`/api/v1/findings?${RANGE}&check=early_retry`)).items as Json[];
    expect(others).toEqual([]);
    expect(early).toMatchObject({
      severity: 'medium',
      attempt: 2,
      operationId: 'a-early',
      code: 'HTTP_429',
      window: null,
    });
    expect(early).toMatchObject({ at: new Date(T0 + 1_200).toISOString(), service: 'billing', sdk: '' });
    expect(early).toMatchObject({ subject: { kind: 'operation', value: 'a-early' }, evidence: { earlyMs: 4_000 } });
    const counted = async (query: string) =>
      ((await read(`/api/v1/findings?${RANGE}&${query}`)).items as Json[]).length;
    expect(await counted('check=early_retry&code=HTTP_429&severity=medium&severity=high')).toBe(1);
    expect(await counted('check=early_retry&severity=critical')).toBe(0);
    expect(await counted('check=early_retry&service=mail')).toBe(0);
    expect(await counted('operationId=a-lost&check=early_retry')).toBe(0);
  });

  test('counts by check and the scorecard add up to the list', async () => {
    const { items } = await read(`/api/v1/findings?${RANGE}`);
    const { checks } = (await read(`/api/v1/findings/counts?${RANGE}`)) as {
      checks: { counts: Record<string, number> }[];
    };
    const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0);
    expect(checks.reduce((all, { counts }) => all + sum(counts), 0)).toBe((items as Json[]).length);
    expect(checks).toContainEqual({
      check: 'early_retry',
      worst: 'medium',
      counts: { critical: 0, high: 0, medium: 1, low: 0, info: 0 },
      operations: 1,
      services: 1,
      firstAt: new Date(T0 + 1_200).toISOString(),
      lastAt: new Date(T0 + 1_200).toISOString(),
    });
    const { rows } = (await read(`/api/v1/findings/scorecard?${RANGE}`)) as { rows: Json[] };
    const billing = rows.find((row) => row.key === 'billing');
    expect(billing).toMatchObject({ operations: 98, attempts: 100, byCheck: { early_retry: 1 } });
    const faults = sum(billing?.byCheck as Record<string, number>);
    expect(billing?.perThousand).toBeCloseTo((faults * 1_000) / 98, 9);
    const sdks = (await read(`/api/v1/findings/scorecard?${RANGE}&by=sdk`)).rows as Json[];
    expect(sdks.map((row) => row.key).sort()).toEqual(['', 'got@14']);
  });

  test('pages follow each other', async () => {
    const all = (await read(`/api/v1/findings?${RANGE}`)).items as Json[];
    const seen: unknown[] = [];
    let cursor = '';
    for (let page = 0; page < all.length + 2; page += 1) {
      const answer = await read(`/api/v1/findings?${RANGE}&limit=1${cursor}`);
      seen.push(...(answer.items as Json[]).map((row) => row.id));
      if (answer.nextCursor === null) break;
      cursor = `&cursor=${answer.nextCursor as string}`;
    }
    expect(seen).toEqual(all.map((row) => row.id));
  });
});

describe('the wall between projects', () => {
  test.each(Object.keys(READ_ROUTES))("%s never shows what is the other project's", async (path) => {
    const query = path.endsWith('choices') || path.endsWith('review') || path.endsWith('summary') ? '' : `?${RANGE}`;
    const text = JSON.stringify(await read(`${path}${query}`));
    expect(text).not.toMatch(/"b-|b-e1|b-req/);
    const empty = await createTestProject(db);
    const answer = await callRead(`${path}${query}`, { key: empty.keys.read });
    expect(await answer.text()).not.toMatch(/billing|a-late|a-lost|HTTP_429/);
  });

  test('a foreign operation, item, code or project is one that never was', async () => {
    const [item] = (await read('/api/v1/review', foreign)).items as Json[];
    const paths = [
      '/api/v1/operations/b-late',
      '/api/v1/operations/never',
      `/api/v1/review/${String(item?.id)}`,
      '/api/v1/review/not-an-id',
      '/api/v1/review/0197b4a0-0000-7000-8000-000000000000',
      `/api/v1/rates?project=${foreign.project.slug}`,
      '/api/v1/rates?project=never',
    ];
    for (const path of paths) {
      const answer = await callRead(path, { key: home.keys.read });
      expect(answer.status, path).toBe(404);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(await answer.json()).toMatchObject({ code: 'not_found', detail: 'There is nothing here' });
    }
  });

  test('keys: none 401, unknown 401, ingest scope 403', async () => {
    const codeOf = async (caller: { key?: string }) => {
      const answer = await callRead('/api/v1/rates', caller);
      return [answer.status, ((await answer.json()) as Json).code];
    };
    expect(await codeOf({})).toEqual([401, 'missing_credentials']);
    expect(await codeOf({ key: 'rb_read_x' })).toEqual([401, 'invalid_credentials']);
    expect(await codeOf({ key: home.keys.ingest })).toEqual([403, 'wrong_scope']);
    expect(await codeOf({ key: home.keys.operate })).toEqual([200, undefined]);
  });
});

describe('wrong questions are refused', () => {
  test.each([
    ['/api/v1/rates?step=2h', '/step'],
    ['/api/v1/rates?tz=Mars/Olympus', '/tz'],
    ['/api/v1/rates?groupBy=colour', '/groupBy'],
    ['/api/v1/rates?kind=delete', '/kind'],
    ['/api/v1/rates?servise=mail', '/servise'],
    ['/api/v1/rates?from=yesterday', '/from'],
    ['/api/v1/rates?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', '/from'],
    ['/api/v1/rates?from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z&step=1m', '/step'],
    ['/api/v1/rates?step=1h&step=1d', '/step'],
    ['/api/v1/operations?cursor=bm9wZQ', '/cursor'],
    ['/api/v1/operations?cursor=%27;--', '/cursor'],
    ['/api/v1/operations?limit=1001', '/limit'],
    ['/api/v1/operations?limit=0', '/limit'],
    [`/api/v1/operations?q=${'x'.repeat(201)}`, '/q'],
    ['/api/v1/review?sort=age', '/sort'],
    ['/api/v1/review?state=lost', '/state'],
    [`/api/v1/review?cursor=${Buffer.from('[1,"x"]').toString('base64url')}`, '/cursor'],
    ['/api/v1/compliance?groupBy=kind', '/groupBy'],
    ['/api/v1/findings?check=early', '/check'],
    ['/api/v1/findings?severity=bad', '/severity'],
    ['/api/v1/findings?limit=1001', '/limit'],
    [`/api/v1/findings?cursor=${Buffer.from('[1,"x"]').toString('base64url')}`, '/cursor'],
    ['/api/v1/findings/counts?check=early_retry', '/check'],
    ['/api/v1/findings/scorecard?by=call', '/by'],
  ])('%s', async (path, pointer) => {
    const answer = await callRead(path, { key: home.keys.read });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'invalid_request', errors: [{ pointer }] });
  });
});
