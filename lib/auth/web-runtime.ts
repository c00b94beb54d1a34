import { openDatabase, type Database } from '../../db/client';
import { systemClock, type Clock } from '../platform/clock';
import { readEnv, type Env } from '../platform/env';
import { createLog, type Logger } from '../platform/log';
import { baseUrl, trustedOrigins } from './origin';
import { createAuth, type Auth } from './session';

/** What the dashboard's process holds for its whole life. */
export interface WebRuntime {
  env: Env;
  db: Database;
  auth: Auth;
  log: Logger;
  clock: Clock;
}

const KEY = Symbol.for('readback.web-runtime');
const holder = globalThis as typeof globalThis & { [KEY]?: WebRuntime };

function createWebRuntime(): WebRuntime {
  const env = readEnv();
  if (!env.DATABASE_URL || !env.READBACK_SECRET) {
    throw new Error('The dashboard needs DATABASE_URL and READBACK_SECRET; `npm start` passes both on.');
  }
  const db = openDatabase({ url: env.DATABASE_URL, max: env.READBACK_WEB_POOL, name: 'readback-web' });
  const auth = createAuth({ db, baseUrl: baseUrl(env), origins: trustedOrigins(env), secret: env.READBACK_SECRET });
  return { env, db, auth, log: createLog(env.LOG_LEVEL, { part: 'web' }), clock: systemClock };
}

/** One per process; Next may load this module more than once, so it hangs on the global object. */
export function getWebRuntime(): WebRuntime {
  return (holder[KEY] ??= createWebRuntime());
}
