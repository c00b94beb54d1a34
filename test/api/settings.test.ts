import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { POST as signInRoute } from '@/app/api/auth/sign-in/route';
import { GET as getSettings, POST as postSettings } from '@/app/api/v1/settings/route';
import { POST as postWhatIf } from '@/app/api/v1/what-if/route';
import { GET as listJobs, POST as postRecompute } from '@/app/api/v1/recompute/route';
import { GET as getJob } from '@/app/api/v1/recompute/[id]/route';
import { POST as cancelJob } from '@/app/api/v1/recompute/[id]/cancel/route';
import { auditLog } from '@/db/schema';
import { ADDRESS_HEADER } from '@/lib/auth/better-auth';
import { getWebRuntime } from '@/lib/auth/web-runtime';
import { DEFAULT_SETTINGS } from '@/lib/core/operation';
import type { Role } from '@/lib/core/permission';
import { SETTING_BOUNDS } from '@/lib/core/setting-bounds';
import { makeSuccess, makeThrottled } from '../factories/facts';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestProject, type TestProject } from '../support/project';
import { recordFacts } from '../support/record-facts';
import { workJob } from '../support/recompute';
import { settleAll } from '../support/settle-all';
import { browserRequest, cookieHeader, createTestPerson, ORIGIN, useWebRuntime } from '../support/web';

let database: TestDatabase;
let home: TestProject;
let other: TestProject;
let lead: string;

beforeAll(async () => {
  database = await createTestDatabase();
  useWebRuntime(database.url);
  home = await createTestProject(database.db, { profile: 'vibecode' });
  other = await createTestProject(database.db);
  lead = await signInAs('lead');
});
afterAll(async () => {
  await getWebRuntime().db.close(1);
  await database.close();
});

let addresses = 0;
async function signInAs(role: Role): Promise<string> {
  const person = await createTestPerson(database.db, { roles: [{ projectId: home.project.id, role }] });
  const headers = { [ADDRESS_HEADER]: `192.0.2.${(addresses += 1)}` };
  return cookieHeader(await signInRoute(browserRequest('/api/auth/sign-in', person, headers)));
}

type Route = (request: Request) => Promise<Response>;
type Json = Record<string, unknown>;

const at = (path: string, slug: string) => `/api/v1/${path}?project=${slug}`;

function post(route: Route, path: string, body: unknown, cookie = lead, slug = home.project.slug): Promise<Response> {
  return route(browserRequest(at(path, slug), body, { cookie }));
}

function get(route: Route, path: string, cookie = lead, slug = home.project.slug): Promise<Response> {
  return route(new Request(new URL(at(path, slug), ORIGIN), { headers: { cookie } }));
}

const withKey = (route: Route, path: string, key: string, body?: unknown): Promise<Response> =>
  route(
    new Request(new URL(`/api/v1/${path}`, ORIGIN), {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );

const read = async (answer: Response): Promise<Json> => (await answer.json()) as Json;
const current = async (): Promise<Json & { version: number }> =>
  (await read(await get(getSettings, 'settings'))) as Json & { version: number };

describe('settings of a project', () => {
  test('a lead changes some, everybody reads them, and the audit log keeps old and new values', async () => {
    const { version } = await current();
    const change = {
      version,
      settings: { toleranceSecondsMs: 200 },
      targets: [{ pattern: ' *.example ', profile: 'http' }],
      defaultProfile: 'quillhub',
      ruleSets: { vibecode: 'vibecode@older-ru' },
    };
    const answer = await post(postSettings, 'settings', change);
    expect(answer.status).toBe(200);
    const wanted = {
      version: version + 1,
      settings: { ...DEFAULT_SETTINGS, toleranceSecondsMs: 200 },
      defaults: DEFAULT_SETTINGS,
      targets: [{ pattern: '*.example', profile: 'http' }],
      defaultProfile: 'quillhub',
      ruleSets: { vibecode: 'vibecode@older-ru' },
      changedBy: 'Test Person',
    };
    expect(await read(answer)).toMatchObject(wanted);
    expect(await read(await get(getSettings, 'settings', await signInAs('viewer')))).toMatchObject(wanted);
    const byKey = await read(await withKey(getSettings, 'settings', home.keys.read));
    expect(byKey).toMatchObject(wanted);
    expect(byKey.changedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const [row] = await database.db.orm.select().from(auditLog).where(eq(auditLog.action, 'settings.changed'));
    expect(row).toMatchObject({ projectId: home.project.id, actorName: 'Test Person', subject: home.project.slug });
    expect(row?.detail).toEqual({
      version: version + 1,
      oldValue: { defaultProfile: 'vibecode', targets: [], toleranceSecondsMs: 50, 'ruleSets.vibecode': null },
      newValue: {
        defaultProfile: 'quillhub',
        targets: [{ pattern: '*.example', profile: 'http' }],
        toleranceSecondsMs: 200,
        'ruleSets.vibecode': 'vibecode@older-ru',
      },
    });
  });

  test('null goes back to the default; what changes nothing is no new version', async () => {
    const { version } = await current();
    const back = {
      settings: { toleranceSecondsMs: null },
      targets: [],
      ruleSets: { vibecode: null },
      defaultProfile: 'vibecode',
    };
    const answer = await read(await post(postSettings, 'settings', { version, ...back }));
    expect(answer).toMatchObject({ version: version + 1, settings: DEFAULT_SETTINGS, ruleSets: {} });
    const [row] = await database.db.sql`select settings from project where id = ${home.project.id}`;
    expect(row?.settings).toEqual({});
    const again = await read(await post(postSettings, 'settings', { version: version + 1, ...back }));
    expect(again.version).toBe(version + 1);
  });

  test('a stale version gets 409 with the current settings and changes nothing', async () => {
    const { version } = await current();
    const body = (value: number) => ({ version, settings: { longWaitMs: value } });
    const answers = await Promise.all([1, 2, 3, 4, 5].map((n) => post(postSettings, 'settings', body(n))));
    const statuses = answers.map((answer) => answer.status).sort();
    expect(statuses).toEqual([200, 409, 409, 409, 409]);
    const refused = answers.find((answer) => answer.status === 409) as Response;
    const problem = await read(refused);
    expect(problem).toMatchObject({ code: 'stale_version' });
    expect(problem.current).toEqual(await current());
    expect(problem.current).toMatchObject({ version: version + 1 });
  });

  test.each<[string, unknown, string, RegExp]>([
    ['an unknown setting', { settings: { toleranceSeconds: 1 } }, '/settings/toleranceSeconds', /toleranceSecondsMs/],
    ['an unknown member', { tolerances: {} }, '/tolerances', /settings, targets, defaultProfile, ruleSets/],
    ['a negative time', { settings: { idleOverMs: -1 } }, '/settings/idleOverMs', /whole number of milliseconds/],
    ['a huge time', { settings: { idleOverMs: 1e300 } }, '/settings/idleOverMs', /from 1000 to 604800000/],
    ['a part of a millisecond', { settings: { idleOverMs: 1000.5 } }, '/settings/idleOverMs', /whole number/],
    ['a text', { settings: { idleOverMs: '60000' } }, '/settings/idleOverMs', /whole number/],
    ['a list', { settings: { idleOverMs: [60_000] } }, '/settings/idleOverMs', /whole number/],
    ['no object', { settings: 7 }, '/settings', /object/],
    ['an unknown edition', { ruleSets: { vibecode: 'vibecode@2099' } }, '/ruleSets/vibecode', /vibecode@older-ru/],
    ['another profile’s edition', { ruleSets: { http: 'vibecode@older-ru' } }, '/ruleSets/http', /http@/],
    ['an unknown profile', { defaultProfile: 'soap' }, '/defaultProfile', /vibecode, quillhub, http/],
    ['a profile without editions', { ruleSets: { soap: 'soap@1' } }, '/ruleSets/soap', /vibecode, quillhub, http/],
    ['an empty pattern', { targets: [{ pattern: ' ', profile: 'http' }] }, '/targets/0/pattern', /./],
    ['a pattern with a blank', { targets: [{ pattern: 'a b', profile: 'http' }] }, '/targets/0/pattern', /blanks/],
    [
      'a pattern with what can’t be kept',
      { targets: [{ pattern: 'a\0b', profile: 'http' }] },
      '/targets/0/pattern',
      /blanks/,
    ],
    [
      'a pattern twice',
      {
        targets: [
          { pattern: 'a.b', profile: 'http' },
          { pattern: 'A.b', profile: 'vibecode' },
        ],
      },
      '/targets/1/pattern',
      /already/,
    ],
    [
      'too many patterns',
      { targets: Array.from({ length: 201 }, (_, i) => ({ pattern: `h${i}`, profile: 'http' })) },
      '/targets',
      /200/,
    ],
    [
      'a mapping with more',
      { targets: [{ pattern: 'a', profile: 'http', note: 'x' }] },
      '/targets/0/note',
      /pattern, profile/,
    ],
  ])('%s is refused by name', async (_name, change, pointer, detail) => {
    const before = await current();
    const answer = await post(postSettings, 'settings', { version: before.version, ...(change as Json) });
    expect(answer.status).toBe(400);
    const problem = (await read(answer)) as { code: string; errors: { pointer: string; detail: string }[] };
    expect(problem.code).toBe('invalid_request');
    expect(problem.errors.find((fault) => fault.pointer === pointer)?.detail).toMatch(detail);
    expect(await current()).toEqual(before);
  });

  test('every setting is refused just outside its bounds and taken at both ends', async () => {
    for (const [key, { min, max, unit }] of Object.entries(SETTING_BOUNDS)) {
      const step = unit === 'share' || unit === 'factor' ? 0.001 : 1;
      for (const value of [min - step, max + step]) {
        const { version } = await current();
        const answer = await post(postSettings, 'settings', { version, settings: { [key]: value } });
        expect([key, value, answer.status]).toEqual([key, value, 400]);
      }
      for (const value of [min, max, null]) {
        const { version } = await current();
        const answer = await post(postSettings, 'settings', { version, settings: { [key]: value } });
        expect([key, value, answer.status]).toEqual([key, value, 200]);
      }
    }
  }, 60_000);

  test.each(['', '{', '[]', 'null', '{"version":"1"}', '{"settings":{}}', '{"version":1e999}'])(
    'a body that is %j is refused',
    async (body) => {
      expect((await post(postSettings, 'settings', body)).status).toBe(400);
    },
  );

  test('NaN has no way in', async () => {
    const { version } = await current();
    const answer = await post(postSettings, 'settings', `{"version":${version},"settings":{"idleOverMs":NaN}}`);
    expect([answer.status, (await read(answer)).code]).toEqual([400, 'invalid_json']);
  });
});

const APPLYING: [string, Route][] = [
  ['settings', postSettings],
  ['what-if', postWhatIf],
  ['recompute', postRecompute],
];

describe('who may', () => {
  test.each(['viewer', 'operator'] as const)('a %s sees and neither previews nor applies', async (role) => {
    const cookie = await signInAs(role);
    for (const [path, route] of APPLYING) {
      expect((await post(route, path, { version: 1, settings: {} }, cookie)).status).toBe(403);
    }
    expect((await get(getSettings, 'settings', cookie)).status).toBe(200);
    expect((await get(listJobs, 'recompute', cookie)).status).toBe(200);
  });

  test('no key applies, an ingest key does not even read', async () => {
    for (const [path, route] of APPLYING) {
      for (const key of Object.values(home.keys)) {
        expect((await withKey(route, path, key, { version: 1 })).status).toBe(403);
      }
    }
    expect((await withKey(getSettings, 'settings', home.keys.ingest)).status).toBe(403);
  });

  test('a project that is not theirs is not there', async () => {
    const { slug } = other.project;
    for (const [path, route] of APPLYING) {
      expect((await post(route, path, { version: 1 }, lead, slug)).status).toBe(404);
    }
    expect((await get(getSettings, 'settings', lead, slug)).status).toBe(404);
    expect((await get(listJobs, 'recompute', lead, slug)).status).toBe(404);
  });

  test('nobody without a session, and no page elsewhere', async () => {
    expect((await post(postSettings, 'settings', { version: 1 }, '')).status).toBe(401);
    const path = at('settings', home.project.slug);
    const foreign = browserRequest(path, { version: 1 }, { cookie: lead, origin: 'https://evil.example' });
    expect((await postSettings(foreign)).status).toBe(403);
  });
});

describe('jobs', () => {
  const waiting = async (): Promise<string[]> => {
    const rows = await database.db.sql<{ operation_id: string }[]>`
      select operation_id from review_item where project_id = ${home.project.id} and state <> 'resolved'
      order by operation_id`;
    return rows.map((row) => row.operation_id);
  };
  const byId = (id: string) => ({ params: Promise.resolve({ id }) });
  const cancel = (id: string, cookie = lead, slug = home.project.slug) =>
    cancelJob(browserRequest(at(`recompute/${id}/cancel`, slug), {}, { cookie }), byId(id));
  const job = async (id: string, slug = home.project.slug, cookie = lead) =>
    getJob(new Request(new URL(at(`recompute/${id}`, slug), ORIGIN), { headers: { cookie } }), byId(id));

  test('a preview counts what would move and stores nothing else; the change and a recomputation then move it', async () => {
    const startedAt = Date.now() - 3_600_000;
    const facts = [
      makeThrottled(30, { operationId: 'a', startedAt, target: 'crm.example' }),
      makeSuccess({ operationId: 'a', startedAt: startedAt + 29_300, attempt: 2, target: 'crm.example' }),
      makeThrottled(30, { operationId: 'b', startedAt, code: 'CALLER_RATE_LIMITED', target: 'crm.example' }),
    ];
    await recordFacts(database.db, home.project, facts);
    await settleAll(database.db, home.project.id, Date.now());
    expect(await waiting()).toEqual(['a']);
    const change = { settings: { toleranceSecondsMs: 1_000 }, ruleSets: { vibecode: 'vibecode@older-ru' } };
    const answer = await post(postWhatIf, 'what-if', change);
    expect(answer.status).toBe(202);
    const queued = await read(answer);
    expect(queued).toMatchObject({ mode: 'preview', state: 'queued', done: 0, change, result: null });
    const id = String(queued.id);

    const second = await post(postWhatIf, 'what-if', change);
    expect(second.status).toBe(409);
    expect(await read(second)).toMatchObject({ code: 'already_running', job: { id } });

    await workJob(database.db, home, Date.now());
    const done = await read(await job(id));
    expect(done).toMatchObject({ state: 'done', done: 2, total: 2, error: null });
    expect(done.result).toMatchObject({
      operations: 2,
      total: 2,
      cut: false,
      reviewItems: { opened: 1, closed: 0 },
      states: [{ from: 'failed', to: 'unresolved', count: 1 }],
      pairsChanged: 1,
    });
    const { findings, verdictsChanged } = done.result as { findings: Json[]; verdictsChanged: Json[] };
    expect(findings).toContainEqual({ check: 'early_retry', added: 0, removed: 1 });
    expect(verdictsChanged.length).toBeGreaterThan(0);
    expect((await current()).settings).toMatchObject({ toleranceSecondsMs: 50 });
    expect(await waiting()).toEqual(['a']);

    const { version } = await current();
    expect((await post(postSettings, 'settings', { version, ...change })).status).toBe(200);
    const apply = await read(await post(postRecompute, 'recompute', {}));
    await workJob(database.db, home, Date.now());
    expect(await read(await job(String(apply.id)))).toMatchObject({
      mode: 'apply',
      state: 'done',
      change: null,
      result: { operations: 2, failed: 0, talliesMoved: 0 },
    });
    expect(await waiting()).toEqual(['a', 'b']);
    const { items } = (await read(await get(listJobs, 'recompute'))) as { items: Json[] };
    expect(items.map((item) => item.mode)).toEqual(['apply', 'preview']);
  });

  test('a cancelled one stops, twice is no fault, one that ended by itself can not be cancelled', async () => {
    const { id } = (await read(await post(postRecompute, 'recompute', {}))) as { id: string };
    expect(await read(await cancel(id))).toMatchObject({ state: 'cancelled', done: 0 });
    expect(await workJob(database.db, home, Date.now())).toBe(0);
    expect((await cancel(id)).status).toBe(200);
    const { id: next } = (await read(await post(postRecompute, 'recompute', {}))) as { id: string };
    await workJob(database.db, home, Date.now());
    const refused = await cancel(next);
    expect(refused.status).toBe(409);
    expect(await read(refused)).toMatchObject({ code: 'wrong_state', job: { id: next, state: 'done' } });
  });

  test('two at once: one is queued, the other is told of it', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => post(postRecompute, 'recompute', {})));
    expect(answers.map((answer) => answer.status).sort()).toEqual([202, 409, 409]);
    await workJob(database.db, home, Date.now());
  });

  test('another project’s job is not there', async () => {
    const { id } = (await read(await post(postRecompute, 'recompute', {}))) as { id: string };
    expect((await job(id, other.project.slug)).status).toBe(404);
    expect((await cancel(id, lead, other.project.slug)).status).toBe(404);
    expect((await job('nonsense')).status).toBe(404);
    expect((await cancel('nonsense')).status).toBe(404);
    const stranger = await createTestPerson(database.db, { roles: [{ projectId: other.project.id, role: 'owner' }] });
    const headers = { [ADDRESS_HEADER]: `192.0.2.${(addresses += 1)}` };
    const cookie = cookieHeader(await signInRoute(browserRequest('/api/auth/sign-in', stranger, headers)));
    expect((await job(id, other.project.slug, cookie)).status).toBe(404);
    expect((await cancel(id, cookie, other.project.slug)).status).toBe(404);
    await workJob(database.db, home, Date.now());
  });

  test.each<[string, Json]>([
    ['a range the wrong way round', { from: '2026-11-30T00:00:00Z', to: '2026-11-29T00:00:00Z' }],
    ['a range before anything stored', { to: '2020-01-01T00:00:00Z' }],
    ['a time that is none', { from: 'yesterday' }],
    ['an unknown member', { force: true }],
  ])('%s is refused', async (_name, body) => {
    const answer = await post(postRecompute, 'recompute', body);
    expect([answer.status, (await read(answer)).code]).toEqual([400, 'invalid_request']);
  });

  test('a preview checks a change as the settings do', async () => {
    for (const body of [{ settings: { nope: 1 } }, { ruleSets: { http: 'http@1' } }, { version: 1 }]) {
      expect((await post(postWhatIf, 'what-if', body)).status).toBe(400);
    }
  });
});
