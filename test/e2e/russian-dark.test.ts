import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Browser } from 'playwright-core';
import ru from '@/messages/ru/shell.json';
import { launchBrowser } from '../support/browser';
import { listDemoPages } from '../support/demo-pages';
import { sessionOf } from '../support/visit';
import { visitInTest } from '../support/visit-in-test';

const demo = inject('demo');
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('every page speaks Russian on dark ground and fits 360 pixels', async () => {
  const cookie = await sessionOf(demo);
  const { page, complaints } = await visitInTest(browser, demo.url, {
    cookie,
    locale: 'ru',
    scheme: 'dark',
    width: 360,
  });
  for (const { name, path } of await listDemoPages(demo, cookie)) {
    await page.goto(demo.url + path);
    await page.locator('h1').first().waitFor();
    expect(await page.locator('html').getAttribute('lang'), name).toBe('ru');
    expect(await page.locator('html').getAttribute('data-mantine-color-scheme'), name).toBe('dark');
    expect(await page.locator('h1').first().innerText(), name).toMatch(/[А-Яа-яЁё]|_|-|\d/);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width, `${name} is wider than the screen`).toBeLessThanOrEqual(360);
  }
  expect(complaints).toEqual([]);
});

test('language and colours are chosen in the display settings and stay', async () => {
  const { page } = await visitInTest(browser, demo.url, { cookie: await sessionOf(demo) });
  await page.goto(`${demo.url}/p/demo/overview`);
  await page.getByRole('button', { name: 'Display settings' }).click();
  await page.getByText('Русский', { exact: true }).first().click();
  await page.getByRole('link', { name: ru.nav.operations }).first().waitFor();
  await page.reload();
  await page.getByRole('link', { name: ru.nav.operations }).first().waitFor();
});
