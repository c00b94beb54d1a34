import type { Browser, BrowserContext, Page } from 'playwright-core';
import { LOCALE_COOKIE, SCHEME_COOKIE } from '@/lib/core/preference';
import { signInForCookie, type DemoSite } from './e2e-setup';

export interface VisitOptions {
  locale?: 'en' | 'ru';
  scheme?: 'light' | 'dark';
  /** Viewport width in CSS pixels. */
  width?: number;
  /** Cookie of a session; a visit without one is anonymous. */
  cookie?: string;
}

export interface Visit {
  page: Page;
  context: BrowserContext;
  /** What the page complained of in the console, and what it threw. */
  complaints: string[];
}

const sessions = new Map<string, Promise<string>>();

/** One sign-in a run and person: passwords are slow to check on purpose. */
export function sessionOf(site: DemoSite): Promise<string> {
  const known = sessions.get(site.email) ?? signInForCookie(site);
  sessions.set(site.email, known);
  return known;
}

export async function openVisit(browser: Browser, url: string, options: VisitOptions = {}): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: 900 },
    colorScheme: options.scheme ?? 'light',
    locale: options.locale === 'ru' ? 'ru-RU' : 'en-GB',
    timezoneId: 'Europe/Berlin',
  });
  const jar = [
    ...(options.cookie ?? '').split('; ').filter(Boolean),
    `${LOCALE_COOKIE}=${options.locale ?? 'en'}`,
    `${SCHEME_COOKIE}=${options.scheme ?? 'light'}`,
  ];
  await context.addCookies(
    jar.map((pair) => ({ name: pair.slice(0, pair.indexOf('=')), value: pair.slice(pair.indexOf('=') + 1), url })),
  );
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, context, complaints };
}
