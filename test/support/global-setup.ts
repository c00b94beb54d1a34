import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the run's PostgreSQL; tests get their own database in it from `createTestDatabase`. */
    databaseUrl: string;
  }
}

interface Kept {
  keeper: ChildProcess;
  url: Promise<string>;
  users: number;
}

/** One server a run, however many vitest projects ask for it: each loads this module anew, so it hangs on the process. */
const HOME = globalThis as { readbackTestServer?: Kept };

/** Starts the run's PostgreSQL in a process of its own; also for benches and scripts, outside vitest. */
export function startTestServer(): { url: Promise<string>; stop: () => Promise<void> } {
  HOME.readbackTestServer ??= startKeeper();
  const kept = HOME.readbackTestServer;
  kept.users += 1;
  const stop = async (): Promise<void> => {
    kept.users -= 1;
    if (kept.users > 0) return;
    delete HOME.readbackTestServer;
    const gone = new Promise((resolve) => kept.keeper.once('exit', resolve));
    if (kept.keeper.connected) kept.keeper.disconnect();
    if (kept.keeper.exitCode === null) await gone;
  };
  return { url: kept.url, stop };
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = startTestServer();
  project.provide('databaseUrl', await server.url);
  return server.stop;
}

function startKeeper(): Kept {
  const path = fileURLToPath(new URL('database-keeper.ts', import.meta.url));
  // Its own session: Ctrl-C reaches the run, whose end reaches the keeper.
  const keeper = fork(path, {
    execArgv: ['--import', 'tsx'],
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const url = new Promise<string>((resolve, reject) => {
    keeper.once('message', (message: { url: string }) => resolve(message.url));
    keeper.once('exit', (code) => reject(new Error(`the test database's keeper ended with ${String(code)}`)));
  });
  url.catch(() => undefined);
  return { keeper, url, users: 0 };
}
