import { fork, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@/lib/platform/log';

/** What a child tells us. `pong` answers `ping`: without it for long, the child is stuck. */
export type ChildReport = { type: 'ready'; port?: number } | { type: 'pong' };
/** What we tell a child. It ends by itself when the channel closes, however we ended. */
export type ChildOrder = { type: 'ping' } | { type: 'wake' } | { type: 'stop' };

export interface ChildOptions {
  name: string;
  /** Absolute path of its program. */
  program: string;
  execArgv: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  log: Logger;
  onReady: (report: { port?: number }) => void;
  onGone: () => void;
}

export interface SupervisedChild {
  send: (order: ChildOrder) => void;
  pid: () => number | undefined;
  /** Asks it to end and kills it when it hasn't within `patienceMs`. */
  stop: (patienceMs: number) => Promise<void>;
}

const BACKOFF_FIRST_MS = 250;
const BACKOFF_MAX_MS = 10_000;
/** A child that lived so long has earned the short wait again. */
const HEALTHY_AFTER_MS = 30_000;
const PING_EVERY_MS = 5_000;
const STUCK_AFTER_MS = 45_000;

/** Keeps one child process running: started anew when it ends or is stuck, after a growing wait. */
export function superviseChild(options: ChildOptions): SupervisedChild {
  let child: ChildProcess | undefined;
  let stopping = false;
  let backoffMs = BACKOFF_FIRST_MS;
  let restart: NodeJS.Timeout | undefined;

  const start = (): void => {
    const startedAt = Date.now();
    child = launch(options);
    const { pid } = child;
    const guard = guardAgainstStall(child, options);
    child.once('exit', (code, signal) => {
      clearInterval(guard);
      options.onGone();
      if (stopping) return;
      if (Date.now() - startedAt > HEALTHY_AFTER_MS) backoffMs = BACKOFF_FIRST_MS;
      options.log.warn({ child: options.name, pid, code, signal, restartInMs: backoffMs }, 'child ended');
      restart = setTimeout(start, backoffMs);
      backoffMs = Math.min(backoffMs * 2, BACKOFF_MAX_MS);
    });
  };
  start();

  const stop = async (patienceMs: number): Promise<void> => {
    stopping = true;
    clearTimeout(restart);
    const last = child;
    if (!last || last.exitCode !== null || last.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => last.once('exit', () => resolve()));
    if (last.connected) last.send({ type: 'stop' }, () => undefined);
    await Promise.race([gone, sleep(patienceMs, undefined, { ref: false })]);
    if (last.exitCode === null && last.signalCode === null) last.kill('SIGKILL');
    await gone;
  };
  const send = (order: ChildOrder): void => {
    if (child?.connected) child.send(order, () => undefined);
  };
  return { send, stop, pid: () => child?.pid };
}

function launch(options: ChildOptions): ChildProcess {
  const child = fork(options.program, [], {
    execArgv: options.execArgv,
    cwd: options.cwd,
    env: options.env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.on('error', (error) => options.log.error({ err: error, child: options.name }, 'child could not be reached'));
  child.on('message', (report: ChildReport) => {
    if (report.type !== 'ready') return;
    options.log.debug({ child: options.name, pid: child.pid }, 'child ready');
    options.onReady(report);
  });
  return child;
}

/** Kills a child whose event loop hasn't turned for long: a hung page render must not be for ever. */
function guardAgainstStall(child: ChildProcess, options: ChildOptions): NodeJS.Timeout {
  let heardAt = Date.now();
  child.on('message', () => {
    heardAt = Date.now();
  });
  return setInterval(() => {
    if (Date.now() - heardAt > STUCK_AFTER_MS) {
      options.log.error({ child: options.name, pid: child.pid }, 'child is stuck');
      child.kill('SIGKILL');
    } else if (child.connected) {
      child.send({ type: 'ping' }, () => undefined);
    }
  }, PING_EVERY_MS).unref();
}
