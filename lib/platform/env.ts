import { z } from 'zod';

/** The one place that reads `process.env` (docs/operations.md lists every variable). */

const positiveInt = z.coerce.number().int().min(1);

const schema = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('production'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Addresses or CIDR blocks, comma separated, whose X-Forwarded-For is believed. */
  TRUSTED_PROXIES: z.string().default(''),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_READ_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  READBACK_DATA_DIR: z.string().min(1).default('./.readback'),
  READBACK_ROLE: z.enum(['all', 'ingest', 'web', 'worker']).default('all'),
  READBACK_SECRET: z.string().min(32).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  SMTP_URL: z.string().optional(),
  CHROMIUM_PATH: z.string().optional(),
  /** Events a second that a key may send through one process, unless it has a rate of its own. */
  READBACK_KEY_EVENTS_PER_SECOND: positiveInt.max(10_000_000).default(50_000),
  /** Connections of the ingest pool. */
  READBACK_INGEST_POOL: positiveInt.max(100).default(4),
  READBACK_WEB_POOL: positiveInt.max(100).default(6),
  READBACK_WORKER_POOL: positiveInt.max(100).default(2),
});

export type Env = z.infer<typeof schema>;

export class EnvError extends Error {
  override name = 'EnvError';
}

/**
 * Reads and checks the environment.
 * @param needs `secret`: also that READBACK_SECRET comes with DATABASE_URL, which single commands do without
 * @throws EnvError one sentence that names every variable that is wrong.
 */
export function readEnv(
  source: Record<string, string | undefined> = process.env,
  needs: { secret: boolean } = { secret: true },
): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const wrong = parsed.error.issues.map((issue) => `${issue.path.join('.')} (${issue.message})`);
    throw new EnvError(`Wrong environment: ${[...new Set(wrong)].join('; ')}.`);
  }
  const env = parsed.data;
  if (needs.secret && env.DATABASE_URL && !env.READBACK_SECRET) {
    throw new EnvError('Wrong environment: READBACK_SECRET (at least 32 characters) is required with DATABASE_URL.');
  }
  return env;
}

/** The environment as single commands need it. */
export function readCommandEnv(): Env {
  return readEnv(process.env, { secret: false });
}

/** This process's environment for a child, with what was settled meanwhile (port, database, secret) put over it. */
export function childEnvironment(over: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, ...over };
}
