import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { findAxeFaults, launchBrowser } from '../support/browser';
import { listDemoPages } from '../support/demo-pages';
import { sessionOf } from '../support/visit';
import { visitInTest } from '../support/visit-in-test';

const demo = inject('demo');
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const SIGHTS = [
  { scheme: 'light', width: 1280 },
  { scheme: 'dark', width: 1280 },
  { scheme: 'light', width: 360 },
  { scheme: 'dark', width: 360 },
] as const;

for (const sight of SIGHTS) {
  test(`no page has a serious or critical fault, ${sight.scheme}, ${sight.width} px wide`, async () => {
    const cookie = await sessionOf(demo);
    const { page } = await visitInTest(browser, demo.url, { ...sight, cookie });
    const faults: Record<string, unknown> = {};
    for (const { name, path } of [...(await listDemoPages(demo, cookie)), { name: 'login', path: '/login' }]) {
      await page.goto(demo.url + path);
      await page.locator('h1').first().waitFor();
      await page.waitForTimeout(400);
      const found = await findAxeFaults(page);
      if (found.length > 0) faults[name] = found;
    }
    expect(faults).toEqual({});
  });
}

const OPENERS = 'button[aria-haspopup]:visible, button[aria-expanded="false"]:visible';
const OPENED = '[role="dialog"], [role="menu"], [role="listbox"]';

/** Opens every menu and dialog of a part of the page one after another and reads each while it is open. */
async function findFaultsOfOpened(page: Page, part: string, faults: Record<string, unknown>): Promise<number> {
  const openers = page.locator(part).locator(OPENERS);
  const count = await openers.count();
  let opened = 0;
  for (let i = 0; i < count; i += 1) {
    const opener = openers.nth(i);
    if (!(await opener.isVisible().catch(() => false))) continue;
    await opener.click({ timeout: 2_000 }).catch(() => undefined);
    await page.waitForTimeout(300);
    opened += await page.locator(OPENED).count();
    const found = await findAxeFaults(page, OPENED);
    if (found.length > 0) faults[`${page.url()} ${part} ${i}`] = found;
    await page.keyboard.press('Escape');
    await page.waitForTimeout(150);
  }
  return opened;
}

for (const sight of [SIGHTS[0], SIGHTS[3]]) {
  test(`nor with a menu or dialog open, ${sight.scheme}, ${sight.width} px wide`, { timeout: 300_000 }, async () => {
    const cookie = await sessionOf(demo);
    const { page } = await visitInTest(browser, demo.url, { ...sight, cookie });
    const faults: Record<string, unknown> = {};
    let opened = 0;
    for (const { name, path } of await listDemoPages(demo, cookie)) {
      await page.goto(demo.url + path);
      await page.locator('h1').first().waitFor();
      // the head of the page is the same on all of them
      if (name === 'overview') opened += await findFaultsOfOpened(page, 'header', faults);
      opened += await findFaultsOfOpened(page, 'main', faults);
    }
    expect(opened).toBeGreaterThan(10);
    expect(faults).toEqual({});
  });
}
