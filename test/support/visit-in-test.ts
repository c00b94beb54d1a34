import type { Browser } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { openVisit, type Visit, type VisitOptions } from './visit';

/** A visit that ends with its test: an open page keeps itself up to date, and a dozen of them slow the rest down. */
export async function visitInTest(browser: Browser, url: string, options: VisitOptions = {}): Promise<Visit> {
  const visit = await openVisit(browser, url, options);
  onTestFinished(() => visit.context.close());
  return visit;
}
