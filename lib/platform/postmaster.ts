import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, processCommand } from './process-identity';

/** What a PostgreSQL server writes into `postmaster.pid` of its cluster folder (utils/pidfile.h). */
export interface Postmaster {
  pid: number;
  port: number;
  ready: boolean;
}

/** Reads `postmaster.pid`; null when there is none or it is half written. */
export function readPostmaster(cluster: string): Postmaster | null {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return null;
  }
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return { pid, port: Number.isInteger(port) ? port : 0, ready: lines[7]?.trim() === 'ready' };
}

/** The cluster's server when one really runs: the id alone may by now belong to something else. */
export function findRunningPostmaster(cluster: string): Postmaster | null {
  const found = readPostmaster(cluster);
  if (!found || !isAlive(found.pid)) return null;
  const command = processCommand(found.pid);
  return command === '' || (command.includes('postgres') && command.includes(cluster)) ? found : null;
}

/**
 * Clears the way for a new server: stops one that was left running (its parent was killed), and takes
 * the note of a dead one over. The file isn't deleted, because its shared-memory key is what keeps a new
 * server from starting beside backends that outlived theirs.
 */
export async function clearStalePostmaster(cluster: string): Promise<void> {
  const running = findRunningPostmaster(cluster);
  if (running) await stopPostmaster(running.pid);
  const left = readPostmaster(cluster);
  if (!left || !isAlive(left.pid) || findRunningPostmaster(cluster)) return;
  const path = join(cluster, 'postmaster.pid');
  // PostgreSQL takes an id equal to its parent's as stale (CreateLockFile in miscinit.c).
  writeFileSync(path, readFileSync(path, 'utf8').replace(/^\d+/, String(process.pid)));
}

/** Fast shutdown, then immediate after `patienceMs`: both lose nothing that was committed. */
export async function stopPostmaster(pid: number, patienceMs = 6_000): Promise<void> {
  send(pid, 'SIGINT');
  if (await waitGone(pid, patienceMs)) return;
  send(pid, 'SIGQUIT');
  if (await waitGone(pid, 3_000)) return;
  send(pid, 'SIGKILL');
  await waitGone(pid, 2_000);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // gone already
  }
}

async function waitGone(pid: number, patienceMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += 20) {
    if (!isAlive(pid)) return true;
    await sleep(20);
  }
  return !isAlive(pid);
}
