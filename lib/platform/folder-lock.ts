import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readText } from './data-folder';
import { errorCode } from './plain-error';
import { processIdentity } from './process-identity';

/** `start`: a running service, held for as long as it lives. `command`: one command, over soon. */
export type LockKind = 'start' | 'command';

export interface LockHolder {
  pid: number;
  kind: LockKind;
  identity: string;
}

export interface FolderLock {
  release: () => void;
}

const FILE = 'owner.json';

/** Who holds the folder now; null when nobody does or the holder has died. */
export function findLockHolder(folder: string): LockHolder | null {
  let holder: LockHolder;
  try {
    holder = JSON.parse(readFileSync(join(folder, FILE), 'utf8')) as LockHolder;
  } catch {
    return null;
  }
  return processIdentity(holder.pid) === holder.identity ? holder : null;
}

/**
 * Takes the data folder for this process. A holder that died without a word is replaced.
 * Waits up to `waitMs` for a `command`; a `start` is never waited for.
 * @returns the lock, or who holds it
 */
export async function takeFolderLock(
  folder: string,
  kind: LockKind,
  waitMs = 60_000,
): Promise<FolderLock | { heldBy: LockHolder }> {
  const path = join(folder, FILE);
  const mine = JSON.stringify({ pid: process.pid, kind, identity: processIdentity(process.pid) });
  const draft = `${path}.${process.pid}.new`;
  for (let waitedMs = 0; ; waitedMs += 100) {
    const holder = findLockHolder(folder);
    if (holder === null) {
      rmSync(path, { force: true });
      writeFileSync(draft, mine, { mode: 0o644 });
      const won = tryLink(draft, path);
      rmSync(draft, { force: true });
      // Somebody who judged the same dead holder a moment ago may have removed ours: look again before believing it.
      if (won) await sleep(30);
      if (won && readText(path) === mine) return { release: () => release(path, mine) };
    } else if (holder.kind === 'start' || waitedMs >= waitMs) {
      return { heldBy: holder };
    }
    await sleep(100);
  }
}

function tryLink(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function release(path: string, mine: string): void {
  try {
    if (readFileSync(path, 'utf8') === mine) rmSync(path);
  } catch {
    // already gone
  }
}
