import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { operationPath } from '@/lib/present/routes';
import { launchBrowser } from '../support/browser';
import { sessionOf } from '../support/visit';
import { visitInTest } from '../support/visit-in-test';

const demo = inject('demo');
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

interface Story {
  operationId: string;
  attempts: number;
}

test('the list leads to one operation, whose page tells every send with its verdict and raw event', async () => {
  const cookie = await sessionOf(demo);
  const from = new Date(Date.now() - 6 * 86_400_000).toISOString();
  const listed = await fetch(
    `${demo.url}/api/v1/operations?project=demo&code=BITRIX_TIMEOUT&limit=100&from=${from}&to=${new Date().toISOString()}`,
    { headers: { cookie } },
  );
  const { items } = (await listed.json()) as { items: Story[] };
  const story = items.find((item) => item.attempts >= 2);
  if (!story) throw new Error('the demo has no retried BITRIX_TIMEOUT');

  const { page, complaints } = await visitInTest(browser, demo.url, { cookie });
  await page.goto(`${demo.url}${operationPath('demo', story.operationId)}`);
  await page.getByText(story.operationId).first().waitFor();
  await page.getByText('BITRIX_TIMEOUT').first().waitFor();
  const rule = page.getByRole('link', { name: /BITRIX_TIMEOUT/ }).first();
  expect(await rule.getAttribute('href')).toMatch(/rules|codes/);
  expect(await page.locator('svg[role="img"], figure svg').count()).toBeGreaterThan(0);
  await page.locator('summary').first().click();
  expect(complaints).toEqual([]);
});
