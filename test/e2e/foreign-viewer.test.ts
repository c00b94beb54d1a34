import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import settings from '@/messages/en/settings.json';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestProject, type TestProject } from '../support/project';
import { createTestPerson, TEST_PASSWORD, type TestPerson } from '../support/web';
import { launchBrowser } from '../support/browser';
import { startServer, type TestServer } from '../support/server';
import { sessionOf } from '../support/visit';
import { visitInTest } from '../support/visit-in-test';

let browser: Browser;
let database: TestDatabase;
let server: TestServer;
let mine: TestProject;
let theirs: TestProject;
let viewer: TestPerson;

beforeAll(async () => {
  browser = await launchBrowser();
  database = await createTestDatabase();
  mine = await createTestProject(database.db);
  theirs = await createTestProject(database.db);
  viewer = await createTestPerson(database.db, { roles: [{ projectId: mine.project.id, role: 'viewer' }] });
  server = await startServer({ databaseUrl: database.url });
  await fetch(`${server.url}/api/v1/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${theirs.keys.ingest}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      operationId: 'secret-order',
      attempt: 1,
      startedAt: Date.now(),
      service: 'their-service',
      call: 'POST /pay',
      kind: 'write',
      status: 504,
    }),
  });
});
afterAll(async () => {
  await browser.close();
  await server.stop();
  await database.close();
});

const SECTIONS = [
  'overview',
  'codes',
  'codes/HTTP_504',
  'review',
  'operations',
  'operations/secret-order',
  'compliance',
  'findings',
  'findings/retryable_not_retried',
  'rules',
  'settings/judging',
  'settings/keys',
];

test('a viewer of one project sees nothing of another, in any form a page can be asked for', async () => {
  const cookie = await sessionOf({ url: server.url, email: viewer.email, password: TEST_PASSWORD });
  const slug = theirs.project.slug;
  const forms: Record<string, string>[] = [
    {},
    { rsc: '1' },
    { rsc: '1', 'next-router-prefetch': '1' },
    { rsc: '1', 'next-router-prefetch': '1', 'next-router-segment-prefetch': '/_tree' },
  ];
  for (const section of SECTIONS) {
    for (const headers of forms) {
      for (const session of [cookie, '']) {
        const answer = await fetch(`${server.url}/p/${slug}/${section}`, {
          headers: { ...headers, ...(session ? { cookie: session } : {}) },
          redirect: 'manual',
        });
        const body = await answer.text();
        expect(body, `${section} ${JSON.stringify(headers)}`).not.toMatch(/secret-order<|their-service/);
        expect(body).not.toContain(theirs.project.name === slug ? 'POST /pay' : theirs.project.name);
      }
    }
  }
  const api = await fetch(`${server.url}/api/v1/operations/secret-order?project=${slug}`, { headers: { cookie } });
  expect(api.status).toBe(404);
});

test('a viewer reads the own project and has nothing to press that changes it', async () => {
  const cookie = await sessionOf({ url: server.url, email: viewer.email, password: TEST_PASSWORD });
  const { page } = await visitInTest(browser, server.url, { cookie });
  await page.goto(`${server.url}/p/${mine.project.slug}/review`);
  await page.locator('h1').first().waitFor();
  expect(await page.getByRole('button', { name: 'Take next' }).count()).toBe(0);
  await page.goto(`${server.url}/p/${mine.project.slug}/settings`);
  await page.getByRole('heading', { name: settings.judging.title, level: 1 }).waitFor();
  await page.getByText(settings.judging.readOnly).waitFor();
  await page.getByText(settings.judging.label.toleranceSecondsMs).waitFor();
  expect(await page.locator('main').locator('input, select').count()).toBe(0);
  for (const name of [settings.judging.bar.apply, settings.judging.bar.preview, settings.recompute.start]) {
    expect(await page.getByRole('button', { name }).count()).toBe(0);
  }
  expect(await page.getByRole('link', { name: settings.nav.keys }).count()).toBe(0);
  await page.goto(`${server.url}/p/${theirs.project.slug}/overview`);
  await page.getByText('Nothing here').first().waitFor();
});
