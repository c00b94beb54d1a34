import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import operations from '@/messages/en/operations.json';
import en from '@/messages/en/shell.json';
import { launchBrowser } from '../support/browser';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestProject, type TestProject } from '../support/project';
import { startServer, type TestServer } from '../support/server';
import { sessionOf } from '../support/visit';
import { visitInTest } from '../support/visit-in-test';
import { createTestPerson, TEST_PASSWORD } from '../support/web';

/** A page keeps itself up to date, but never under the hands of its reader (requirement 37). */

let browser: Browser;
let database: TestDatabase;
let server: TestServer;
let home: TestProject;
let cookie: string;

beforeAll(async () => {
  browser = await launchBrowser();
  database = await createTestDatabase();
  home = await createTestProject(database.db);
  const viewer = await createTestPerson(database.db, { roles: [{ projectId: home.project.id, role: 'viewer' }] });
  server = await startServer({ databaseUrl: database.url });
  cookie = await sessionOf({ url: server.url, email: viewer.email, password: TEST_PASSWORD });
  await send('first-operation');
});
afterAll(async () => {
  await browser.close();
  await server.stop();
  await database.close();
});

async function send(operationId: string): Promise<void> {
  const answer = await fetch(`${server.url}/api/v1/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${home.keys.ingest}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      operationId,
      attempt: 1,
      startedAt: Date.now() - 200,
      endedAt: Date.now() - 100,
      service: 'shop',
      call: 'GET /v1/stock',
      kind: 'read',
      status: 500,
    }),
  });
  expect(answer.status).toBe(202);
}

const row = (page: Page, operationId: string) => page.getByRole('link', { name: operationId });
const news = (page: Page) => page.getByRole('button', { name: en.live.showNew });

async function readStamp(): Promise<string> {
  const answer = await fetch(`${server.url}/api/live?project=${home.project.slug}`, { headers: { cookie } });
  return ((await answer.json()) as { stamp: string }).stamp;
}

/** A page that shows what there is, with no refresh under way: one that began earlier may still land. */
async function open(): Promise<Page> {
  const { page } = await visitInTest(browser, server.url, { cookie });
  await page.goto(`${server.url}/p/${home.project.slug}/operations?last=1h`);
  await row(page, 'first-operation').waitFor({ timeout: 30_000 });
  const still = async (): Promise<boolean> => {
    const before = await readStamp();
    await sleep(2_000);
    return before === (await readStamp());
  };
  await expect.poll(still, { timeout: 40_000 }).toBe(true);
  const asked = page.waitForResponse((response) => response.url().includes('/api/live'));
  await page.reload();
  await asked;
  await page.locator('[data-live="on"]:not([data-refreshing])').waitFor();
  return page;
}

/** What makes a reader busy, and how they are done with it. */
const BUSY: Record<string, { begin: (page: Page) => Promise<void>; end: (page: Page) => Promise<void> }> = {
  dialog: {
    begin: (page) => page.getByRole('button', { name: en.display.open }).click(),
    end: (page) => page.keyboard.press('Escape'),
  },
  menu: {
    begin: (page) => page.getByRole('button', { name: /^Account of/ }).click(),
    end: (page) => page.keyboard.press('Escape'),
  },
  field: {
    begin: (page) => page.getByRole('searchbox', { name: operations.search.label }).focus(),
    end: (page) => page.getByRole('searchbox', { name: operations.search.label }).blur(),
  },
  selection: {
    begin: (page) => page.locator('main h1').selectText(),
    end: (page) => page.evaluate(() => globalThis.getSelection()?.removeAllRanges()),
  },
};

for (const [what, { begin, end }] of Object.entries(BUSY)) {
  test(`a ${what} in use holds new data back and says so; done with it, the page catches up`, async () => {
    const page = await open();
    await begin(page);
    const operationId = `while-${what}-was-in-use`;
    await send(operationId);
    await news(page).waitFor({ timeout: 40_000 });
    await page.locator('[data-live="busy"]').waitFor();
    expect(await row(page, operationId).count()).toBe(0);
    await end(page);
    await row(page, operationId).waitFor({ timeout: 40_000 });
    await news(page).waitFor({ state: 'detached' });
  });
}

test('the button shows new data at once, while the reader stays busy', async () => {
  const page = await open();
  await BUSY.selection?.begin(page);
  await send('asked-for');
  await news(page).click({ timeout: 40_000 });
  await row(page, 'asked-for').waitFor({ timeout: 10_000 });
});

test('columns that were left out stay out, on the next page too, and come back', async () => {
  const page = await open();
  const heads = async (): Promise<string[]> => page.locator('main thead th').allInnerTexts();
  const before = await heads();
  expect(before).toContain(operations.column.effects);
  await page.getByRole('button', { name: /^Columns:/ }).click();
  await page.getByRole('checkbox', { name: operations.column.effects }).uncheck();
  await expect.poll(heads).not.toContain(operations.column.effects);
  await page.reload();
  await row(page, 'first-operation').waitFor();
  expect(await heads()).toEqual(before.filter((head) => head !== operations.column.effects));
  await page.getByRole('button', { name: /^Columns:/ }).click();
  await page.getByRole('checkbox', { name: operations.column.effects }).check();
  await expect.poll(heads).toEqual(before);
});
