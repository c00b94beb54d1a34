import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { errorCode, PlainError } from './plain-error';

/**
 * Makes the data folder when it's missing and checks that it can be written to.
 * @returns its absolute path
 * @throws PlainError when it can't be made or written to
 */
export function openDataFolder(path: string): string {
  const folder = resolve(path);
  try {
    // Passable for PostgreSQL's account when we are root; every secret inside has its own mode.
    mkdirSync(folder, { recursive: true, mode: 0o711 });
    const probe = join(folder, `.probe-${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    throw new PlainError(`The data folder ${folder} can't be written to (${errorCode(error) || 'unknown fault'}).`);
  }
  return folder;
}

/**
 * A secret kept in the data folder, made at the first call; readable by its owner alone.
 * Two processes that make it at once agree: the first one's file stays.
 */
export function keepSecret(folder: string, name: string): string {
  const path = join(folder, name);
  const found = readText(path);
  if (found) return found;
  const draft = `${path}.${process.pid}.new`;
  writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600 });
  renameSync(draft, path);
  return readFileSync(path, 'utf8').trim();
}

/** The file's text without surrounding space, or null when there is none. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim() || null;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
