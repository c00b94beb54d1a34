import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import en from '@/messages/en/settings.json';
import { findAxeFaults, launchBrowser } from '../support/browser';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestProject, type TestProject } from '../support/project';
import { startServer, type TestServer } from '../support/server';
import { sessionOf } from '../support/visit';
import { visitInTest } from '../support/visit-in-test';
import { createTestPerson, TEST_PASSWORD, type TestPerson } from '../support/web';

let browser: Browser;
let database: TestDatabase;
let server: TestServer;
let home: TestProject;
let lead: TestPerson;

/** Asked to wait 2 s, came back 100 ms early: inside a tolerance of 200 ms, outside the default of 50 ms. */
function earlyBy100ms(operationId: string, from: number): object[] {
  const send = { operationId, service: 'shop', call: 'GET /v1/stock', kind: 'read' };
  return [
    { ...send, attempt: 1, startedAt: from, endedAt: from + 100, status: 429, retryAfter: '2' },
    { ...send, attempt: 2, startedAt: from + 2_000, endedAt: from + 2_100, status: 200 },
  ];
}

beforeAll(async () => {
  browser = await launchBrowser();
  database = await createTestDatabase();
  home = await createTestProject(database.db);
  lead = await createTestPerson(database.db, { roles: [{ projectId: home.project.id, role: 'lead' }] });
  server = await startServer({ databaseUrl: database.url });
  const from = Date.now() - 3_600_000;
  const sent = await fetch(`${server.url}/api/v1/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${home.keys.ingest}`, 'content-type': 'application/json' },
    body: JSON.stringify([1, 2, 3].flatMap((n) => earlyBy100ms(`read-${n}`, from + n * 10_000))),
  });
  if (sent.status !== 202) throw new Error(`events answered ${sent.status}`);
});
afterAll(async () => {
  await browser.close();
  await server.stop();
  await database.close();
});

const session = () => sessionOf({ url: server.url, email: lead.email, password: TEST_PASSWORD });
const address = () => `${server.url}/p/${home.project.slug}/settings/judging`;

async function openSettings(options: { scheme?: 'light' | 'dark'; width?: number } = {}): Promise<Page> {
  const { page } = await visitInTest(browser, server.url, { ...options, cookie: await session() });
  await page.goto(address());
  await page.getByRole('heading', { name: en.judging.title, level: 1 }).waitFor();
  return page;
}

const tolerance = (page: Page) => page.getByRole('textbox', { name: en.judging.label.toleranceSecondsMs, exact: true });

async function findEarly(): Promise<number> {
  const answer = await fetch(`${server.url}/api/v1/findings?project=${home.project.slug}&check=early_retry`, {
    headers: { cookie: await session() },
  });
  return ((await answer.json()) as { items: unknown[] }).items.length;
}

test('a lead tries a tolerance out on stored operations, then applies it, and they are judged again', async () => {
  await expect.poll(findEarly, { timeout: 30_000 }).toBe(3);
  const page = await openSettings();
  await tolerance(page).fill('200');
  await page.getByRole('button', { name: en.judging.bar.preview }).click();
  const dialog = page.getByRole('dialog', { name: en.whatIf.title });
  await dialog.getByText(`${en.judging.label.toleranceSecondsMs}: 50ms → 200ms`).waitFor();
  await dialog.getByRole('button', { name: en.whatIf.start }).click();
  await dialog.getByText(/Looked at 3 of 3 operations/).waitFor({ timeout: 60_000 });
  const moved = dialog.getByRole('region', { name: en.whatIf.findings }).locator('tbody tr').first();
  expect((await moved.innerText()).split(/\s+/).slice(-2)).toEqual(['0', '3']);
  expect(await findEarly()).toBe(3);

  await dialog.getByRole('button', { name: en.whatIf.apply }).click();
  await page.getByText(en.judging.answer.saved).waitFor();
  await page.getByText(/^Done, .*3 operations judged again/).waitFor({ timeout: 60_000 });
  expect(await findEarly()).toBe(0);
  await page.reload();
  expect(await tolerance(page).inputValue()).toBe('200');
});

test('a preview that a reload left behind is shown, and can be stopped there', async () => {
  // Nobody gets at the operations, so that the preview is still under way after the reload.
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const underWay = /^A preview that .* asked for is under way/;
  let holding: Promise<unknown> = Promise.resolve();
  await new Promise<void>((locked) => {
    holding = database.db.sql.begin(async (sql) => {
      await sql`lock table operation in access exclusive mode`;
      locked();
      await released;
    });
  });
  try {
    const page = await openSettings();
    await tolerance(page).fill('250');
    await page.getByRole('button', { name: en.judging.bar.preview }).click();
    await page.getByRole('dialog').getByRole('button', { name: en.whatIf.start }).click();
    await page.getByRole('dialog').getByRole('button', { name: en.whatIf.cancel }).waitFor();
    page.on('dialog', (asked) => void asked.accept());
    await page.reload();
    await page.getByText(underWay).waitFor();
    await page.getByRole('button', { name: en.whatIf.cancel }).click();
    await page.getByText(underWay).waitFor({ state: 'detached' });
  } finally {
    release();
    await holding;
  }
});

test('a colleague who was quicker takes nothing away of what was typed', async () => {
  const page = await openSettings();
  await page.getByRole('textbox', { name: en.judging.label.idleOverMs, exact: true }).fill('20');
  const read = await fetch(`${server.url}/api/v1/settings?project=${home.project.slug}`, {
    headers: { cookie: await session() },
  });
  const { version } = (await read.json()) as { version: number };
  const theirs = await fetch(`${server.url}/api/v1/settings?project=${home.project.slug}`, {
    method: 'POST',
    headers: { cookie: await session(), 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify({ version, settings: { toleranceDateMs: 3_000 } }),
  });
  expect(theirs.status).toBe(200);

  await page.getByRole('button', { name: en.judging.bar.apply }).click();
  await page.getByText(en.judging.answer.stale).waitFor();
  const notice = page.getByRole('alert').filter({ hasText: en.judging.label.toleranceDateMs });
  await notice.getByRole('button', { name: en.judging.stale.seen }).click();
  const mine = page.getByRole('textbox', { name: en.judging.label.idleOverMs, exact: true });
  expect(await mine.inputValue()).toBe('20');
  await page.getByRole('button', { name: en.judging.bar.apply }).click();
  await page.getByText(en.judging.answer.saved).waitFor();
  await page.reload();
  expect(await mine.inputValue()).toBe('20');
});

test('targets are added, moved and checked before they are sent; a wrong number says what is allowed', async () => {
  const page = await openSettings();
  await page.getByRole('button', { name: en.judging.add }).click();
  await page.getByRole('button', { name: en.judging.add }).click();
  await page.getByRole('textbox', { name: 'Target 1' }).fill('api.quillhub.io');
  await page.getByRole('textbox', { name: 'Target 2' }).fill('API.quillhub.io');
  await page.getByText(en.judging.targetFault.twice).waitFor();
  expect(await page.getByRole('button', { name: en.judging.bar.apply }).isDisabled()).toBe(true);
  await page.getByRole('textbox', { name: 'Target 2' }).fill('*.bitrix24.ru');
  await page.getByRole('combobox', { name: 'Rules for target 2' }).selectOption('bitrix_rest');
  await page.getByRole('button', { name: 'Move target 2 up' }).click();
  expect(await page.getByRole('textbox', { name: 'Target 1' }).inputValue()).toBe('*.bitrix24.ru');
  await tolerance(page).fill('9 days');
  await page.getByText(en.judging.fault.not_a_number).waitFor();
  await page.getByRole('button', { name: en.judging.bar.discard }).click();
  expect(await page.getByRole('textbox', { name: 'Target 1' }).count()).toBe(0);
});

test.each([
  { scheme: 'light', width: 1280 },
  { scheme: 'dark', width: 360 },
] as const)('neither page nor preview has a serious fault, $scheme, $width px', async (sight) => {
  const page = await openSettings(sight);
  await page.getByRole('button', { name: en.judging.add }).click();
  await tolerance(page).fill('300');
  await page.getByRole('textbox', { name: 'Target 1' }).fill('two words');
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByRole('textbox', { name: 'Target 1' }).fill('pay.example');
  await page.getByRole('button', { name: en.judging.bar.preview }).click();
  const dialog = page.getByRole('dialog', { name: en.whatIf.title });
  await dialog.getByRole('button', { name: en.whatIf.start }).click();
  await dialog.getByText(/Looked at 3 of 3 operations/).waitFor({ timeout: 60_000 });
  expect(await findAxeFaults(page, '[role="dialog"]')).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(sight.width);
});
