import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Browser } from 'playwright-core';
import common from '@/messages/en/common.json';
import { launchBrowser } from '../support/browser';
import { sessionOf } from '../support/visit';
import { visitInTest } from '../support/visit-in-test';

const demo = inject('demo');
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('range and filters live in the URL, survive a reload, and go with a number to its list', async () => {
  const { page, complaints } = await visitInTest(browser, demo.url, { cookie: await sessionOf(demo) });
  await page.goto(`${demo.url}/p/demo/overview`);
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();

  await page.getByRole('button', { name: /Last 24 hours/ }).click();
  await page
    .getByRole('menuitem', { name: /Last 7 days/ })
    .or(page.getByRole('option', { name: /Last 7 days/ }))
    .or(page.getByRole('link', { name: /Last 7 days/ }))
    .or(page.getByRole('button', { name: /Last 7 days/ }))
    .first()
    .click();
  await page.waitForURL(/last=7d/);

  const withFilter = new URL(page.url());
  withFilter.searchParams.set('code', 'BITRIX_TIMEOUT');
  await page.goto(withFilter.href);
  const chip = page.getByRole('button', { name: /BITRIX_TIMEOUT/ }).first();
  await chip.waitFor();
  await page.reload();
  await chip.waitFor();
  expect(page.url()).toContain('code=BITRIX_TIMEOUT');
  expect(page.url()).toContain('last=7d');

  const unresolved = page
    .getByRole('link')
    .filter({ hasText: /^[\d,. ]+$/ })
    .first();
  const target = await unresolved.getAttribute('href');
  expect(target).toContain('code=BITRIX_TIMEOUT');
  // What the chart gathers as "Other" is no code: its name leads to the list of codes.
  const other = page.getByRole('link', { name: common.chart.other, exact: true });
  await page.goto(`${demo.url}/p/demo/overview?last=7d`);
  expect(await other.first().getAttribute('href')).toBe('/p/demo/codes?last=7d');
  expect(complaints).toEqual([]);
});
