/**
 * The whole test suite: one kind after another, because small machines choke on several at once.
 * `node test/run.mjs [kind …]`. Ends with a line `N passed, N failed` and says what was left out.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, isBuilt } from '../bin/build.mjs';
import { findChromium } from './support/find-chromium.mjs';

const KINDS = ['unit', 'db', 'api', 'lab', 'e2e'];
const NEEDS_BROWSER = new Set(['e2e']);
const NEEDS_DASHBOARD = new Set(['api', 'e2e']);

const asked = process.argv.slice(2);
const unknown = asked.filter((kind) => !KINDS.includes(kind));
if (unknown.length > 0) {
  console.error(`Unknown kind of test: ${unknown.join(', ')}. Kinds: ${KINDS.join(', ')}.`);
  process.exit(1);
}

const kinds = asked.length > 0 ? asked : KINDS;
if (kinds.some((kind) => NEEDS_DASHBOARD.has(kind)) && !isBuilt()) {
  console.log('Building the dashboard, once for this version …');
  if (!(await build({ quiet: true }))) {
    console.error('The dashboard could not be built: npm run build says why.');
    process.exit(1);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'readback-test-'));
const leftOut = [];
let passed = 0;
let failed = 0;
let broken = false;

for (const kind of kinds) {
  if (NEEDS_BROWSER.has(kind) && !findChromium()) {
    leftOut.push(`${kind} (no Chromium found: set CHROMIUM_PATH)`);
    continue;
  }
  const report = join(folder, `${kind}.json`);
  console.log(`\n── ${kind} ──`);
  const run = spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project',
      kind,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    { stdio: 'inherit' },
  );
  const counts = readCounts(report);
  passed += counts.passed;
  failed += counts.failed;
  if (run.status !== 0 && counts.failed === 0) failed += 1;
  if (run.status !== 0) broken = true;
  if (counts.passed + counts.failed === 0) {
    console.error(`No ${kind} test ran.`);
    failed += 1;
    broken = true;
  }
}

rmSync(folder, { recursive: true, force: true });
if (leftOut.length > 0) console.log(`\nLeft out: ${leftOut.join('; ')}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(broken || failed > 0 ? 1 : 0);

/** @param {string} path */
function readCounts(path) {
  try {
    const report = JSON.parse(readFileSync(path, 'utf8'));
    return { passed: report.numPassedTests ?? 0, failed: report.numFailedTests ?? 0 };
  } catch {
    return { passed: 0, failed: 0 };
  }
}
