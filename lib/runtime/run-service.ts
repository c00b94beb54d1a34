import { fileURLToPath } from 'node:url';
import { openDatabase, type Database } from '@/db/client';
import { issueSetupToken } from '@/lib/auth/setup-token';
import { childEnvironment, readEnv, type Env } from '@/lib/platform/env';
import { createLog, type Logger } from '@/lib/platform/log';
import { openDatabaseFor, type ServiceStore } from './open-database-for';
import { openFront, type Front } from './front';
import { createMetrics } from './metrics/answer-metrics';
import { openStore } from './open-store';
import { isPastEndOfLife, partsOf, readProxies, type Parts } from './process-role';
import { createReadiness } from './readiness';
import { startIngest, type RunningIngest } from './start-ingest';
import { superviseChild, type SupervisedChild } from './supervised-child';

export interface RunningService {
  /** Address for people: PUBLIC_URL, else this machine's port. */
  url: string;
  db: Database;
  /** Resolves when the dashboard's process answers; at once for roles without one. */
  webReady: Promise<void>;
  /** One-time path that creates the owner, while no user exists. */
  setupPath: string | null;
  /** Starts the demo's process: project, people, the week, then a trickle. */
  startDemo: () => void;
  /** Finishes what was accepted and stops every process and server started here. */
  stop: () => Promise<void>;
}

const DRAIN_MS = 5_500;
const CHILD_PATIENCE_MS = 1_500;
/** All of it, below the ten seconds that were promised. */
const STOP_MS = 8_500;
const STORE_PATIENCE_MIN_MS = 500;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Service {
  env: Env;
  log: Logger;
  parts: Parts;
  front: Front;
  store: ServiceStore;
  db: Database;
}

/**
 * Starts this process's role: port, database, migrations, listener, dashboard, jobs, in this order.
 * @throws EnvError | PlainError one sentence; what had been started is stopped again
 */
export async function runService(options: { demo: boolean }): Promise<RunningService> {
  const env = readEnv();
  const log = createLog(env.LOG_LEVEL, { role: env.READBACK_ROLE });
  const parts = partsOf(env.READBACK_ROLE);
  if (isPastEndOfLife(process.version)) {
    log.warn({ node: process.version }, 'Node 20 is past its end of life: run Readback on Node 22 or 24');
  }
  const front = await openFront({ host: env.HOST, port: env.PORT, proxies: readProxies(env), servesWeb: parts.web });
  const store = await openDatabaseFor(env, log);
  try {
    const { applied } = await openStore(store.url, Date.now());
    if (applied.length > 0) log.info({ applied }, 'migrations applied');
    const db = openDatabase({
      url: store.url,
      max: env.READBACK_INGEST_POOL + 1,
      name: `readback-${env.READBACK_ROLE}`,
    });
    return await startParts({ env, log, parts, front, store, db }, options.demo);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function startParts(service: Service, demo: boolean): Promise<RunningService> {
  const { env, log, parts, front, store, db } = service;
  const url = env.PUBLIC_URL ? new URL(env.PUBLIC_URL).origin : `http://localhost:${front.port}`;
  const worker = parts.worker ? startTyped(service, 'worker', 'worker-child.ts') : null;
  const ingest = parts.ingest ? startIngest({ env, db, log, wake: () => worker?.send({ type: 'wake' }) }) : null;
  if (ingest) front.setIngest(ingest.take);
  front.setMetrics(createMetrics({ role: env.READBACK_ROLE, db, ingest: ingest?.deps ?? null }));
  front.setReadiness(createReadiness(db.sql, Date.now));
  const { web, webReady } = parts.web ? startWeb(service) : { web: null, webReady: Promise.resolve() };
  const children = [web, worker];
  // The demo brings its own people: a link that only works until they are there would be a trap.
  const token = parts.web && !demo ? await issueSetupToken(db, Date.now()) : null;
  return {
    url,
    db,
    webReady,
    setupPath: token ? `/setup?token=${token}` : null,
    startDemo: () => void children.push(startTyped(service, 'demo', 'demo-child.ts')),
    stop: () => stopParts({ front, store, db, ingest, children }),
  };
}

function startWeb({ env, log, front, store }: Service): { web: SupervisedChild; webReady: Promise<void> } {
  let markReady: () => void = () => undefined;
  const webReady = new Promise<void>((resolve) => (markReady = resolve));
  const web = superviseChild({
    name: 'web',
    program: fileURLToPath(new URL('../../bin/web-child.mjs', import.meta.url)),
    execArgv: [],
    cwd: ROOT,
    env: { ...settledEnvironment(env, front, store), READBACK_FRONT_TOKEN: front.token },
    log,
    onReady: ({ port }) => {
      front.setWebPort(port ?? null);
      markReady();
    },
    onGone: () => front.setWebPort(null),
  });
  return { web, webReady };
}

/** A child of ours written in TypeScript. */
function startTyped({ env, log, front, store }: Service, name: string, file: string): SupervisedChild {
  return superviseChild({
    name,
    program: fileURLToPath(new URL(file, import.meta.url)),
    execArgv: ['--import', 'tsx'],
    cwd: ROOT,
    env: settledEnvironment(env, front, store),
    log,
    onReady: () => undefined,
    onGone: () => undefined,
  });
}

/** Children are told what was settled here instead of finding it out again. */
function settledEnvironment(env: Env, front: Front, store: ServiceStore): NodeJS.ProcessEnv {
  return childEnvironment({
    NODE_ENV: 'production',
    PORT: String(front.port),
    DATABASE_URL: store.url,
    READBACK_SECRET: store.secret,
    READBACK_ROLE: env.READBACK_ROLE,
    NEXT_TELEMETRY_DISABLED: '1',
  });
}

interface Stoppable {
  front: Front;
  store: ServiceStore;
  db: Database;
  ingest: RunningIngest | null;
  children: (SupervisedChild | null)[];
}

/** In the order of need: requests first, they need the dashboard and the database; the database last. */
async function stopParts({ front, store, db, ingest, children }: Stoppable): Promise<void> {
  const startedAt = Date.now();
  await front.drain(DRAIN_MS);
  await ingest?.stop();
  await Promise.all(children.map((child) => child?.stop(CHILD_PATIENCE_MS) ?? Promise.resolve()));
  await db.close(1);
  await store.close(Math.max(STORE_PATIENCE_MIN_MS, STOP_MS - (Date.now() - startedAt)));
}
