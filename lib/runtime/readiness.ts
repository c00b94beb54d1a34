import type postgres from 'postgres';
import { findDurabilityFaults } from '@/db/durability';
import { getMigrationState } from '@/db/migrate';

export interface Readiness {
  ready: boolean;
  /** What was looked at and how it is: `ok`, or why not. */
  checks: Record<string, string>;
}

/** A dead database must show within two seconds. */
const PATIENCE_MS = 1_500;
const FRESH_MS = 500;
/** Settings can change under a running server: a promise is kept only while they hold. */
const DURABLE_MS = 10_000;

/**
 * Answers `/readyz`: database and migrations. What was found is kept for half a second, so that a probe in a loop
 * costs one statement at a time; migrations, once complete, stay so; durability is asked for every ten
 * seconds.
 */
export function createReadiness(sql: postgres.Sql, now: () => number): () => Promise<Readiness> {
  let migrated = false;
  let durableAt = -Infinity;
  let last: { at: number; result: Promise<Readiness> } | undefined;
  const look = async (): Promise<Readiness> => {
    const checks: Record<string, string> = { process: 'ok', database: 'ok', migrations: 'ok' };
    try {
      await withPatience(sql`select 1`);
      if (now() - durableAt > DURABLE_MS) {
        const faults = await withPatience(findDurabilityFaults(sql));
        if (faults.length > 0) checks.database = `not durable: ${faults.join(', ')}`;
        else durableAt = now();
      }
      if (!migrated) {
        const state = await withPatience(getMigrationState(sql));
        if (state.pending.length > 0) checks.migrations = `pending: ${state.pending.length}`;
        else migrated = true;
      }
    } catch {
      checks.database = 'unreachable';
      if (!migrated) checks.migrations = 'unknown';
    }
    return { ready: Object.values(checks).every((check) => check === 'ok'), checks };
  };
  return () => {
    if (!last || now() - last.at > FRESH_MS) last = { at: now(), result: look() };
    return last.result;
  };
}

async function withPatience<T>(work: PromiseLike<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('too slow')), PATIENCE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
