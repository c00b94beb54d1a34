/**
 * Pictures of every page of the demo in both languages and schemes, wide and 360 px: `npm run screenshots [folder [page…]]`.
 * Without a folder only the README's picture is made; with names of pages (demo-pages.ts) only theirs. The demo runs on a database of its own and is gone afterwards.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { launchBrowser } from './browser';
import { listDemoPages, type NamedPage } from './demo-pages';
import { startDemo } from './e2e-setup';
import { openVisit, sessionOf, type VisitOptions } from './visit';

const README_FOLDER = fileURLToPath(new URL('../../docs/screenshots', import.meta.url));

const SIGHTS: (VisitOptions & { name: string })[] = [
  { name: 'en.light', locale: 'en', scheme: 'light' },
  { name: 'en.dark', locale: 'en', scheme: 'dark' },
  { name: 'ru.light', locale: 'ru', scheme: 'light' },
  { name: 'ru.dark', locale: 'ru', scheme: 'dark' },
  { name: 'en.light.360', locale: 'en', scheme: 'light', width: 360 },
  { name: 'ru.dark.360', locale: 'ru', scheme: 'dark', width: 360 },
];

async function takeAll(browser: Browser, url: string, pages: NamedPage[], folder: string, cookie: string) {
  for (const { name, ...sight } of SIGHTS) {
    const { page, context, complaints } = await openVisit(browser, url, { ...sight, cookie });
    for (const { name: pageName, path } of pages) {
      await page.goto(url + path);
      await page.locator('h1').first().waitFor();
      await page.waitForTimeout(1_200);
      await page.screenshot({ path: join(folder, `${pageName}.${name}.png`), fullPage: true });
    }
    if (complaints.length > 0) console.error(name, complaints);
    await context.close();
    console.log(`${name}: ${pages.length} pages`);
  }
}

async function takeReadme(browser: Browser, url: string, pages: NamedPage[], cookie: string) {
  const overview = pages.find((page) => page.name === 'overview');
  const { page } = await openVisit(browser, url, { cookie });
  await page.goto(url + (overview?.path ?? '/'));
  await page.locator('h1').first().waitFor();
  await page.waitForTimeout(1_500);
  mkdirSync(README_FOLDER, { recursive: true });
  await page.screenshot({ path: join(README_FOLDER, 'overview.en.light.png') });
  console.log('docs/screenshots/overview.en.light.png');
}

const [folder, ...names] = process.argv.slice(2);
const demo = await startDemo();
const browser = await launchBrowser();
try {
  const cookie = await sessionOf(demo.site);
  const pages = await listDemoPages(demo.site, cookie);
  if (folder) {
    mkdirSync(folder, { recursive: true });
    const wanted = pages.filter((page) => names.length === 0 || names.includes(page.name));
    await takeAll(browser, demo.site.url, wanted, folder, cookie);
  } else {
    await takeReadme(browser, demo.site.url, pages, cookie);
  }
} finally {
  await browser.close();
  await demo.stop();
}
