import { readdirSync, readFileSync } from 'node:fs';

/**
 * CPU that processes have used so far, all their threads, in microseconds. Much steadier than the clock while others use
 * the machine. Linux only: NaN elsewhere, and for processes that are gone.
 */
export function cpuMicros(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuOf(pid), 0);
}

function cpuOf(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce((sum, thread) => sum + onCpuNanos(`/proc/${pid}/task/${thread}/schedstat`) / 1_000, 0);
  } catch {
    return NaN;
  }
}

/** First number of `schedstat`: time on a processor. */
function onCpuNanos(path: string): number {
  return Number(readFileSync(path, 'utf8').split(' ', 1)[0]);
}
