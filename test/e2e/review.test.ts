import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Browser } from 'playwright-core';
import en from '@/messages/en/review.json';
import { launchBrowser } from '../support/browser';
import { sessionOf } from '../support/visit';
import { visitInTest } from '../support/visit-in-test';

const demo = inject('demo');
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('a person takes the next item, claims it, says what is true, and the history says who', async () => {
  const { page, complaints } = await visitInTest(browser, demo.url, { cookie: await sessionOf(demo) });
  await page.goto(`${demo.url}/p/demo/review`);
  await page.getByRole('button', { name: en.list.takeNext }).click();
  await page.waitForURL(/\/review\/[0-9a-f-]{36}/);
  await page.getByRole('button', { name: en.claim.release }).waitFor();

  await page.getByRole('radio', { name: new RegExp(en.resolution.not_applied) }).check();
  await page
    .getByRole('textbox', { name: new RegExp(`^${en.form.note}`) })
    .first()
    .fill('Looked in the ledger by order number: nothing there.');
  await page.getByRole('button', { name: /^Resolve/ }).click();
  await page.getByText('Looked in the ledger by order number: nothing there.').first().waitFor();
  await page.getByText(new RegExp(en.event.resolved)).first().waitFor();
  await page.getByRole('button', { name: en.form.reopen }).first().waitFor();
  expect(complaints).toEqual([]);
});

test('text typed while somebody else changes the item stays, and the change is shown', async () => {
  const cookie = await sessionOf(demo);
  const listed = await fetch(`${demo.url}/api/v1/review?project=demo&state=open&limit=3`, { headers: { cookie } });
  const { items } = (await listed.json()) as { items: { id: string; version: number }[] };
  const item = items[1];
  if (!item) throw new Error('no open item is left');
  const { page } = await visitInTest(browser, demo.url, { cookie });
  await page.goto(`${demo.url}/p/demo/review/${item.id}`);
  await page
    .getByRole('radio', { name: new RegExp(en.resolution.applied_once) })
    .first()
    .check();
  const reason = page.getByRole('textbox', { name: new RegExp(`^${en.form.note}`) }).first();
  await reason.fill('half a sentence');

  const noted = await fetch(`${demo.url}/api/v1/review/${item.id}/note?project=demo`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json', origin: demo.url },
    body: JSON.stringify({ version: item.version, note: 'a colleague was here' }),
  });
  expect(noted.status).toBe(200);

  await page.getByRole('button', { name: /^Resolve/ }).click();
  await page.getByText(en.stale.title).first().waitFor();
  expect(await reason.inputValue()).toBe('half a sentence');
});
