import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type Page } from 'playwright-core';
import { findChromium } from './find-chromium.mjs';

const require = createRequire(import.meta.url);

/** Starts the machine's Chromium, headless, with nothing that reaches outside. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('No Chromium found: set CHROMIUM_PATH.');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

export interface AxeFault {
  id: string;
  impact: string;
  nodes: string[];
}

interface AxeResult {
  violations: { id: string; impact: string | null; nodes: { html: string; failureSummary?: string }[] }[];
}

const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Accessibility faults of the page as it is now; serious and critical ones only.
 * @param within reads only what matches this selector, if anything does
 */
export async function findAxeFaults(page: Page, within?: string): Promise<AxeFault[]> {
  // evaluate runs outside the page's own scripts, so the strict script policy doesn't stop it
  await page.evaluate(axeSource);
  const result = await page.evaluate((selector) => {
    const { axe } = globalThis as unknown as { axe: { run: (context?: object) => Promise<AxeResult> } };
    const found = selector && document.querySelector(selector);
    return found ? axe.run({ include: [[selector]] }) : axe.run();
  }, within);
  return result.violations
    .filter((violation) => violation.impact === 'serious' || violation.impact === 'critical')
    .map((violation) => ({
      id: violation.id,
      impact: violation.impact ?? '',
      nodes: violation.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 200)} ${node.failureSummary ?? ''}`),
    }));
}
