import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Browser } from 'playwright-core';
import findings from '@/messages/en/findings.json';
import operations from '@/messages/en/operations.json';
import { launchBrowser } from '../support/browser';
import { sessionOf } from '../support/visit';
import { visitInTest } from '../support/visit-in-test';

const demo = inject('demo');
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('from a check to its findings to the operation, with severity and order in the URL', async () => {
  const { page, complaints } = await visitInTest(browser, demo.url, { cookie: await sessionOf(demo) });
  await page.goto(`${demo.url}/p/demo/findings?last=7d`);
  await page.getByRole('heading', { name: findings.title, level: 1 }).waitFor();
  const checks = page.getByRole('region', { name: findings.checks.caption });
  await checks.getByRole('link', { name: operations.check.blind_write_retry }).waitFor();

  await checks.getByRole('link', { name: findings.checks.operations }).click();
  await page.waitForURL(/sort=-operations/);
  await page.getByRole('group', { name: findings.filter.severity }).getByText(operations.severity.high).click();
  await page.waitForURL(/severity=high/);
  expect(page.url()).toContain('sort=-operations');
  // The address changes at once, the table once the server has answered.
  await checks.locator('tbody th a[href*="severity=high"]', { hasText: operations.check.blind_write_retry }).click();

  await page.getByRole('heading', { name: operations.check.blind_write_retry, level: 1 }).waitFor();
  expect(page.url()).toMatch(/findings\/blind_write_retry\?.*last=7d.*severity=high/);
  const row = page.getByRole('region', { name: findings.one.caption }).locator('tbody th a').first();
  // The time stands under the id.
  const [operationId = ''] = (await row.innerText()).split('\n');
  await row.click();
  await page.waitForURL(/\/operations\//);
  await page.getByText(operationId).first().waitFor();
  const named = page.getByRole('link', { name: operations.check.blind_write_retry });
  await named.first().waitFor();
  expect(complaints).toEqual([]);
});

test('the scorecard compares services and SDK versions, and a row narrows the page', async () => {
  const { page } = await visitInTest(browser, demo.url, { cookie: await sessionOf(demo) });
  await page.goto(`${demo.url}/p/demo/findings?last=7d`);
  await page.getByRole('link', { name: findings.scorecard.sdk, exact: true }).click();
  await page.waitForURL(/by=sdk/);
  const card = page.getByRole('region', { name: /SDK version/ });
  const first = card.locator('tbody th a').first();
  const sdk = await first.innerText();
  await first.click();
  await page.waitForURL(/sdk=/);
  await page.getByRole('button', { name: new RegExp(`Change filter SDK: ${sdk.replace(/[.@]/g, '.')}`) }).waitFor();
});
