import { spawn, type ChildProcess } from 'node:child_process';
import {
  closeSync,
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { keepSecret, readText } from './data-folder';
import { errorCode, PlainError } from './plain-error';
import { findFreePort } from './ports';
import { clearStalePostmaster, findRunningPostmaster, readPostmaster, stopPostmaster } from './postmaster';
import { findPostgresBinaries, ROOT_FOLDER, type PostgresBinaries } from './postgres-binaries';
import { canReach, findServiceUser, type ServiceUser } from './service-user';

export interface EmbeddedOptions {
  /** The data folder, absolute; the caller holds its lock. */
  folder: string;
  /** Server settings over ours, e.g. a smaller buffer for tests. Durability can't be switched off. */
  settings?: Record<string, string>;
  /** Told when the server died and when it is back. */
  onEvent?: (event: 'died' | 'restarted' | 'restart_failed') => void;
}

export interface EmbeddedDatabase {
  /** Address of the database `readback`. */
  url: string;
  port: number;
  pid: () => number | null;
  /** Fast shutdown, a hard one after `patienceMs`; resolves when the server is gone. */
  stop: (patienceMs?: number) => Promise<void>;
}

const DATABASE = 'readback';
const LOG_BYTES_MAX = 10 * 2 ** 20;
const DURABLE = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' };

interface Cluster {
  path: string;
  user: ServiceUser | null;
  binaries: PostgresBinaries;
  password: string;
  folder: string;
  settings: Record<string, string>;
}

/** Server settings by this machine's memory: between 128 MB and 1 GB of buffers, checkpoints spread out. */
function tuneServer(memoryBytes: number): Record<string, string> {
  const buffersMb = Math.min(1024, Math.max(128, Math.floor(memoryBytes / 2 ** 20 / 8)));
  return {
    shared_buffers: `${buffersMb}MB`,
    effective_cache_size: `${Math.max(256, Math.floor(memoryBytes / 2 ** 20 / 2))}MB`,
    max_wal_size: '4GB',
    min_wal_size: '256MB',
    checkpoint_timeout: '15min',
    checkpoint_completion_target: '0.9',
    wal_compression: 'pglz',
    random_page_cost: '1.1',
    max_connections: '60',
    password_encryption: 'scram-sha-256',
    // Statements and row values don't go into the server's log: they may hold what a sender meant to hide.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    timezone: 'UTC',
  };
}

/**
 * Starts the PostgreSQL of this data folder, made first when missing. One that was left running by a killed
 * process is stopped and started anew; one that dies later is restarted on the same port.
 * @throws PlainError when it can't be brought up
 */
export async function startEmbeddedDatabase(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  try {
    return await bringUp(options);
  } catch (error) {
    const code = errorCode(error);
    if (!['EACCES', 'EPERM', 'ENOSPC', 'EROFS'].includes(code)) throw error;
    // Made by another user, most often: root started it once.
    throw new PlainError(`The data folder ${options.folder} can't be used by this user (${code}).`);
  }
}

async function bringUp(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const user = findServiceUser();
  const cluster: Cluster = {
    path: clusterFolder(options.folder, user),
    user,
    binaries: findPostgresBinaries(user),
    password: keepSecret(options.folder, 'database-password'),
    folder: options.folder,
    settings: { ...tuneServer(totalmem()), ...options.settings, ...DURABLE },
  };
  await makeCluster(cluster);
  await clearStalePostmaster(cluster.path);
  const port = await findFreePort(Number(readText(join(options.folder, 'database-port'))) || undefined);
  const started = await startServer(cluster, port);
  writeFileSync(join(options.folder, 'database-port'), String(started.port));
  const server = keepRunning(cluster, started, options.onEvent ?? (() => undefined));
  try {
    await makeDatabase(cluster, started.port);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { ...server, port: started.port, url: databaseUrl(cluster.password, started.port, DATABASE) };
}

/** Address of the data folder's database while its server runs, else null. */
export function findEmbeddedDatabase(folder: string): string | null {
  const password = readText(join(folder, 'database-password'));
  const running = findRunningPostmaster(clusterFolder(folder, findServiceUser()));
  return password && running?.ready ? databaseUrl(password, running.port, DATABASE) : null;
}

function databaseUrl(password: string, port: number, name: string): string {
  return `postgres://readback:${password}@127.0.0.1:${port}/${name}`;
}

/** The data folder's own subfolder, or one under /var/lib when PostgreSQL's account can't get there. */
function clusterFolder(folder: string, user: ServiceUser | null): string {
  if (!user || canReach(folder, user)) return join(folder, 'postgres');
  return join(ROOT_FOLDER, createHash('sha256').update(folder).digest('hex').slice(0, 16));
}

/** `initdb` into a draft folder that is renamed when complete, so that a kill half-way leaves nothing to mend. */
async function makeCluster(cluster: Cluster): Promise<void> {
  if (existsSync(join(cluster.path, 'PG_VERSION'))) return;
  const draft = `${cluster.path}.new`;
  const passwordFile = `${cluster.path}.pw`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(dirname(draft), { recursive: true, mode: 0o755 });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, cluster.password, { mode: 0o600 });
  if (cluster.user) for (const path of [draft, passwordFile]) chownSync(path, cluster.user.uid, cluster.user.gid);
  const child = spawnAs(cluster, cluster.binaries.initdb, [
    `--pgdata=${draft}`,
    '--username=readback',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]);
  const code = await exitOf(child);
  rmSync(passwordFile, { force: true });
  if (code !== 0) {
    throw new PlainError(`PostgreSQL couldn't make its folder ${cluster.path}: see ${logPath(cluster)}.`);
  }
  renameSync(draft, cluster.path);
}

async function makeDatabase(cluster: Cluster, port: number): Promise<void> {
  const sql = postgres(databaseUrl(cluster.password, port, 'postgres'), { max: 1, onnotice: () => undefined });
  try {
    const found = await sql`select 1 from pg_database where datname = ${DATABASE}`;
    if (found.length === 0) await sql.unsafe(`create database ${DATABASE}`);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Tries for a while: backends of a killed server need a moment to notice, and a port can be taken meanwhile. */
async function startServer(cluster: Cluster, firstPort: number): Promise<{ child: ChildProcess; port: number }> {
  let port = firstPort;
  for (let tries = 1; tries <= 40; tries += 1) {
    const settings = {
      ...cluster.settings,
      port: String(port),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawnAs(cluster, cluster.binaries.postgres, ['-D', cluster.path, ...flags]);
    if (await becomesReady(cluster, child)) return { child, port };
    port = await findFreePort(port);
    await sleep(250);
  }
  throw new PlainError(`PostgreSQL doesn't start in ${cluster.path}: see ${logPath(cluster)}.`);
}

/** Waits for the word `ready` in the server's pid file; crash recovery may take minutes after heavy traffic. */
async function becomesReady(cluster: Cluster, child: ChildProcess): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < 600_000; waitedMs += 25) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return false;
    const postmaster = readPostmaster(cluster.path);
    if (postmaster?.pid === child.pid && postmaster.ready) return true;
    await sleep(25);
  }
  await stopPostmaster(child.pid ?? 0);
  return false;
}

function keepRunning(
  cluster: Cluster,
  started: { child: ChildProcess; port: number },
  onEvent: NonNullable<EmbeddedOptions['onEvent']>,
): Pick<EmbeddedDatabase, 'pid' | 'stop'> {
  let child = started.child;
  let stopping = false;
  let restarting: Promise<void> = Promise.resolve();
  const restart = async (): Promise<void> => {
    onEvent('died');
    try {
      child = (await startServer(cluster, started.port)).child;
      if (stopping) return;
      watch();
      onEvent('restarted');
    } catch {
      onEvent('restart_failed');
    }
  };
  const watch = (): void => {
    child.once('exit', () => {
      if (!stopping) restarting = restart();
    });
  };
  watch();
  const stop = async (patienceMs = 6_000): Promise<void> => {
    stopping = true;
    await restarting;
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      await (process.platform === 'win32' ? stopByTool(cluster) : stopPostmaster(child.pid, patienceMs));
    }
  };
  return { pid: () => child.pid ?? null, stop };
}

/** Windows has no signal that asks a process to end. */
async function stopByTool(cluster: Cluster): Promise<void> {
  await exitOf(spawnAs(cluster, cluster.binaries.pgCtl, ['stop', '-D', cluster.path, '-m', 'fast', '-t', '8']));
}

/** In a session of its own, so that Ctrl-C in the terminal doesn't stop it before we have drained. */
function spawnAs(cluster: Cluster, program: string, args: string[]): ChildProcess {
  const path = logPath(cluster);
  const full = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES_MAX;
  const log = openSync(path, full ? 'w' : 'a', 0o600);
  try {
    return spawn(program, args, {
      cwd: '/',
      detached: true,
      stdio: ['ignore', log, log],
      // NODE_ENV: Next's types make it a must of every environment.
      env: { NODE_ENV: 'production', LC_ALL: 'C', LC_MESSAGES: 'C', PATH: '/usr/local/bin:/usr/bin:/bin' },
      ...(cluster.user ? { uid: cluster.user.uid, gid: cluster.user.gid } : {}),
    });
  } finally {
    closeSync(log);
  }
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code));
  });
}

function logPath(cluster: Cluster): string {
  return join(cluster.folder, 'postgres.log');
}
