import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Browser } from 'playwright-core';
import en from '@/messages/en/shell.json';
import { findAxeFaults, launchBrowser } from '../support/browser';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { startServer, type TestServer } from '../support/server';
import { visitInTest } from '../support/visit-in-test';

let browser: Browser;
let database: TestDatabase;
let server: TestServer;

beforeAll(async () => {
  browser = await launchBrowser();
  database = await createTestDatabase(inject('databaseUrl'));
  server = await startServer({ databaseUrl: database.url });
});
afterAll(async () => {
  await browser.close();
  await server.stop();
  await database.close();
});

const SIGHTS = (['light', 'dark'] as const).flatMap((scheme) => [1280, 360].map((width) => ({ scheme, width })));

/** The page that only a fresh installation shows, as its one reader may see it. */
async function findFaultsOfSetup(path: string): Promise<Record<string, unknown>> {
  const faults: Record<string, unknown> = {};
  for (const sight of SIGHTS) {
    const { page } = await visitInTest(browser, server.url, sight);
    await page.goto(server.url + path);
    await page.locator('h1').first().waitFor();
    await page.waitForTimeout(300);
    const found = await findAxeFaults(page);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (found.length > 0 || width > sight.width) faults[`${sight.scheme} ${sight.width}`] = { found, width };
  }
  return faults;
}

test('the set-up page and its closed notice have no serious fault, in both schemes and on a narrow screen', async () => {
  expect(await findFaultsOfSetup(server.setupPath ?? '')).toEqual({});
  expect(await findFaultsOfSetup('/setup?token=unknown')).toEqual({});
});

test('the one-time link makes the owner and a project, and its key brings the first write in doubt to the queue', async () => {
  const { page, complaints } = await visitInTest(browser, server.url);
  await page.goto(`${server.url}${server.setupPath ?? ''}`);
  await page.getByLabel(en.setup.name).fill('Olga Owner');
  await page.getByLabel(en.setup.email).fill('olga@example.org');
  await page.getByLabel(en.setup.password, { exact: true }).fill('correct horse battery');
  await page.getByLabel(en.setup.projectName).fill('Shop');
  await page.getByRole('button', { name: en.setup.submit }).click();
  await page.getByRole('heading', { name: en.setup.doneTitle }).waitFor();
  const key = /rb_ingest_\w+/.exec(await page.locator('main').innerText())?.[0];
  expect(key).toBeDefined();

  await page.getByRole('link', { name: 'Open Shop' }).click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();

  const answer = await fetch(`${server.url}/api/v1/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key ?? ''}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      operationId: 'order-1001',
      attempt: 1,
      startedAt: Date.now() - 500,
      endedAt: Date.now(),
      service: 'checkout',
      call: 'POST /v1/charges',
      method: 'POST',
      kind: 'write',
      status: 504,
    }),
  });
  expect(answer.status).toBe(202);

  // The empty overview notices the first event by itself.
  await page.getByText('HTTP_504').first().waitFor({ timeout: 40_000 });
  await page.goto(`${server.url}/p/shop/review?tab=waiting`);
  await page.getByRole('link', { name: 'order-1001' }).click();
  await page.getByText('checkout').first().waitFor();
  expect(complaints).toEqual([]);
});

test('the link works once, and strangers are sent to sign in', async () => {
  const { page } = await visitInTest(browser, server.url);
  await page.goto(`${server.url}${server.setupPath ?? ''}`);
  expect(await page.getByLabel(en.setup.projectName).count()).toBe(0);
  expect(await findFaultsOfSetup(server.setupPath ?? '')).toEqual({});
  await page.goto(`${server.url}/p/shop/overview`);
  await page.getByLabel(en.login.email).fill('olga@example.org');
  await page.getByLabel(en.login.password, { exact: true }).fill('correct horse battery');
  await page.getByRole('button', { name: en.login.submit }).click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
});
