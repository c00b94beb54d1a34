import { fork, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@/lib/platform/ports';
import manifest from '@/package.json';

/** The real program in a process of its own, as `npm start` runs it. */
export interface TestServer {
  /** `http://localhost:<port>`. */
  url: string;
  port: number;
  pid: number;
  /** Path of the one-time owner link, while no user exists. */
  setupPath: string | null;
  output: () => string;
  errors: () => string;
  /** SIGTERM, then its exit code. */
  stop: () => Promise<number | null>;
  kill: (signal: NodeJS.Signals) => void;
  exit: Promise<number | null>;
}

export interface ServerOptions {
  /** A database of the test's own. Without one the server brings up its embedded PostgreSQL in `folder`. */
  databaseUrl?: string;
  role?: 'all' | 'ingest' | 'web' | 'worker';
  /** Data folder; one of its own, removed at the end, when left out. */
  folder?: string;
  port?: number;
  env?: Record<string, string>;
  args?: string[];
}

export const TEST_SECRET = 'a secret of at least thirty-two characters';
/** Node's own options of `npm start`: a young generation large enough for what a second of posts leaves behind. */
const START_OPTIONS = /^node (.*) bin\/start\.mjs$/.exec(manifest.scripts.start)?.[1]?.split(' ') ?? [];
const START = fileURLToPath(new URL('../../bin/start.mjs', import.meta.url));

/** A folder that the embedded PostgreSQL can use, also when tests run as root. */
export function makeDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'readback-data-'));
  chmodSync(folder, 0o711);
  return folder;
}

/** Starts the program without waiting for anything; for tests of failing starts. */
export function launchServer(options: ServerOptions & { port: number; folder: string }): LaunchedServer {
  const child = fork(START, options.args ?? [], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: START_OPTIONS,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(options.port),
      READBACK_DATA_DIR: options.folder,
      READBACK_ROLE: options.role ?? 'all',
      LOG_LEVEL: 'info',
      ...(options.databaseUrl ? { DATABASE_URL: options.databaseUrl, READBACK_SECRET: TEST_SECRET } : {}),
      ...options.env,
    },
  });
  let output = '';
  let errors = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  // `close` and not `exit`: all of its words have arrived by then.
  const exit = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  return { child, output: () => output, errors: () => errors, exit };
}

export interface LaunchedServer {
  child: ChildProcess;
  output: () => string;
  errors: () => string;
  exit: Promise<number | null>;
}

/** Starts the program and waits until it says that it runs (the dashboard too, for roles that have it). */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const folder = options.folder ?? makeDataFolder();
  const port = options.port ?? (await findFreePort());
  const launched = launchServer({ ...options, folder, port });
  const { child, exit, output, errors } = launched;
  const ready = new Promise<{ url: string; setupPath: string | null }>((resolve, reject) => {
    child.once('message', (message: { url: string; setupPath: string | null }) => resolve(message));
    void exit.then((code) => reject(new Error(`the server ended with ${String(code)}: ${errors()}${output()}`)));
  });
  const { url, setupPath } = await ready;
  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM');
    const code = await exit;
    if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
    return code;
  };
  return { url, port, pid: child.pid ?? 0, setupPath, output, errors, stop, kill: (s) => child.kill(s), exit };
}
