/**
 * Builds the dashboard and notes what it was built from, so that a start knows whether the build still fits.
 * `npm run build` runs it; `npm start` calls it when needed.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const LOCK = join(ROOT, 'node_modules', '.cache', 'readback-build.pid');
const STAMP = join(ROOT, '.next', 'readback-build.txt');
/** What the dashboard is made from. Tests, docs and the command line aren't in it. */
const SOURCES = [
  'app',
  'lib',
  'db',
  'messages',
  'public',
  'proxy.ts',
  'instrumentation.ts',
  'next.config.js',
  'postcss.config.cjs',
  'postcss.config.mjs',
  'tsconfig.json',
  'package-lock.json',
];

/** True when there is a finished build of exactly these sources. */
export function isBuilt() {
  if (!existsSync(join(ROOT, '.next', 'BUILD_ID')) || !existsSync(STAMP)) return false;
  return readFileSync(STAMP, 'utf8') === sourceHash();
}

/** @returns {string} SHA-256 over names and contents of the sources */
function sourceHash() {
  const hash = createHash('sha256');
  for (const source of SOURCES) addTo(hash, source);
  return hash.digest('hex');
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} name path below the root
 */
function addTo(hash, name) {
  const path = join(ROOT, name);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return;
  if (stat.isDirectory()) {
    for (const entry of readdirSync(path).sort()) addTo(hash, `${name}/${entry}`);
    return;
  }
  hash.update(`${name}\0${stat.size}\0`);
  hash.update(readFileSync(path));
}

/**
 * Runs `next build`, after another process that is building has finished.
 * @param {{ quiet: boolean }} options `quiet` keeps Next's own words back unless it fails
 * @returns {Promise<boolean>} false when it failed; then Next's words are on stderr
 */
export async function build({ quiet }) {
  const release = await takeTurn();
  try {
    return isBuilt() || (await runNext(quiet));
  } finally {
    release();
  }
}

/** One build at a time; the note of a builder that was killed counts no more. */
async function takeTurn() {
  mkdirSync(dirname(LOCK), { recursive: true });
  for (;;) {
    try {
      writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
      return () => rmSync(LOCK, { force: true });
    } catch {
      if (!isAlive(readLock())) rmSync(LOCK, { force: true });
      else await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

function readLock() {
  try {
    return Number(readFileSync(LOCK, 'utf8'));
  } catch {
    return 0;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** @param {boolean} quiet */
async function runNext(quiet) {
  const before = sourceHash();
  rmSync(STAMP, { force: true });
  const child = spawn(process.execPath, [join(ROOT, 'node_modules/next/dist/bin/next'), 'build'], {
    cwd: ROOT,
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
  });
  const words = [];
  child.stdout?.on('data', (chunk) => words.push(chunk));
  child.stderr?.on('data', (chunk) => words.push(chunk));
  let stopped = false;
  const stopChild = () => {
    stopped = true;
    child.kill('SIGTERM');
  };
  process.once('SIGTERM', stopChild).once('SIGINT', stopChild);
  const code = await new Promise((resolve) => child.once('exit', resolve).once('error', () => resolve(1)));
  process.off('SIGTERM', stopChild).off('SIGINT', stopChild);
  if (stopped) {
    rmSync(LOCK, { force: true });
    process.exit(0);
  }
  if (code !== 0) {
    for (const chunk of words) process.stderr.write(chunk);
    return false;
  }
  writeFileSync(STAMP, before);
  return true;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exit((await build({ quiet: false })) ? 0 : 1);
}
