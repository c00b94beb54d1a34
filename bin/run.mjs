/** The part of `npm start` that may use modern Node. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build, isBuilt, ROOT } from './build.mjs';
import { stopWithParent } from './stop-with-parent.mjs';

export async function run() {
  if (!existsSync(join(ROOT, 'node_modules', 'tsx'))) return stop('The packages are missing: run npm ci first.');
  const unknown = process.argv.slice(2).filter((word) => word !== '--demo');
  if (unknown.length > 0) return stop(`npm start knows no ${unknown[0]}: the only option is --demo.`);
  if (process.env.npm_lifecycle_event === 'start') stopWithParent();
  const role = process.env.READBACK_ROLE || 'all';
  if ((role === 'all' || role === 'web') && !isBuilt() && !(await buildWithWords())) {
    return stop('The dashboard could not be built: see above.');
  }
  process.env.TSX_TSCONFIG_PATH ??= join(ROOT, 'tsconfig.json');
  await import('tsx');
  await import('../server.ts');
}

/** Tells a person at a terminal that something is going on, and for how long already. */
async function buildWithWords() {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  const line = () => `Building the dashboard, once for this version: ${seconds()} s`;
  const terminal = process.stdout.isTTY;
  process.stdout.write(terminal ? line() : 'Building the dashboard, once for this version …\n');
  const ticking = terminal ? setInterval(() => process.stdout.write(`\r${line()}`), 1000) : undefined;
  const done = await build({ quiet: true });
  clearInterval(ticking);
  if (terminal) process.stdout.write('\n');
  if (done) console.log(`Built in ${seconds()} s.`);
  return done;
}

/** @param {string} sentence */
function stop(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
