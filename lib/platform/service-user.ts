import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { PlainError } from './plain-error';

/** Whom PostgreSQL runs as when we are root, which it refuses to be. */
export interface ServiceUser {
  name: string;
  uid: number;
  gid: number;
}

const NAMES = ['postgres', '_postgres', 'nobody'];

/**
 * @returns the account to run PostgreSQL as, or null when we aren't root and it can simply be ours.
 * @throws PlainError when we are root and no such account exists.
 */
export function findServiceUser(): ServiceUser | null {
  if (process.getuid?.() !== 0) return null;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of NAMES) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { name, uid: Number(uid), gid: Number(gid) };
  }
  throw new PlainError(
    'PostgreSQL refuses to run as root and this machine has no account named postgres or nobody: start Readback as another user, or set DATABASE_URL.',
  );
}

/** True when the account may pass through every folder above `path` and through `path` itself. */
export function canReach(path: string, user: ServiceUser): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if (!maySearch(folder, user)) return false;
    if (dirname(folder) === folder) return true;
  }
}

function maySearch(path: string, user: ServiceUser): boolean {
  let stat;
  try {
    stat = statSync(path);
  } catch {
    return true; // not made yet: its own mode is ours to choose
  }
  if (stat.uid === user.uid) return (stat.mode & 0o100) !== 0;
  if (stat.gid === user.gid) return (stat.mode & 0o010) !== 0;
  return (stat.mode & 0o001) !== 0;
}
