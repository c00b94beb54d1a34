import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** True when a process with this id exists, ours or not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}

/**
 * A text that differs between two processes that had the same id at different times
 * (ids are used again, in containers within seconds); null when no such process runs.
 */
export function processIdentity(pid: number): string | null {
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      // The command name may hold spaces and brackets: fields are counted from the last bracket. See proc_pid_stat(5).
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields[0] === 'Z' || fields[0] === 'X') return null;
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
      return `${boot}:${fields[19] ?? ''}`;
    } catch {
      return null;
    }
  }
  if (!isAlive(pid)) return null;
  if (process.platform === 'win32') return 'alive';
  return askPs(pid, 'lstart') || null;
}

/** The command line of a process, for telling a PostgreSQL server from something else; empty when unknown. */
export function processCommand(pid: number): string {
  if (process.platform === 'linux') {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    } catch {
      return '';
    }
  }
  if (process.platform === 'win32') return '';
  return askPs(pid, 'command');
}

function askPs(pid: number, column: string): string {
  try {
    return execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}
