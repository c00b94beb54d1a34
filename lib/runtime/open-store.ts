import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { findDurabilityFaults } from '@/db/durability';
import { migrate, MigrationError } from '@/db/migrate';
import { errorCode, PlainError } from '@/lib/platform/plain-error';

/** Not there yet, perhaps: a database that starts beside us gets a moment. */
const NOT_YET = new Set(['ECONNREFUSED', 'ECONNRESET', '57P03', 'CONNECT_TIMEOUT', 'CONNECTION_CLOSED']);
const PATIENCE_MS = 5_000;

/**
 * Makes a database ready: reachable, durable, migrated.
 * @throws PlainError one sentence, without the address's password
 */
export async function openStore(url: string, now: number): Promise<{ applied: string[] }> {
  const sql = postgres(url, { max: 1, connect_timeout: 3, backoff: () => 0.2, onnotice: () => undefined });
  try {
    await waitForServer(sql, url);
    await refuseUndurable(sql);
    const applied = await migrate(url, { now });
    await refuseUndurable(sql);
    return { applied };
  } catch (error) {
    throw toPlain(error, url);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function waitForServer(sql: postgres.Sql, url: string): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += 250) {
    try {
      await sql`select 1`;
      return;
    } catch (error) {
      if (!NOT_YET.has(errorCode(error)) || waitedMs >= PATIENCE_MS) throw toPlain(error, url);
      await sleep(250);
    }
  }
}

async function refuseUndurable(sql: postgres.Sql): Promise<void> {
  const faults = await findDurabilityFaults(sql);
  if (faults.length === 0) return;
  throw new PlainError(
    `The database could lose what it has confirmed (${faults.join(', ')}): mend that first, because a 202 is a promise.`,
  );
}

function toPlain(error: unknown, url: string): Error {
  if (error instanceof PlainError) return error;
  if (error instanceof MigrationError) return new PlainError(error.message);
  const place = describePlace(url);
  switch (errorCode(error)) {
    case '28P01':
    case '28000':
      return new PlainError(`The database at ${place} refuses the user or password of DATABASE_URL.`);
    case '3D000':
      return new PlainError(`The database server has no database ${place}: create it, or correct DATABASE_URL.`);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new PlainError(`The host of DATABASE_URL is unknown (${place}).`);
    case '42501':
      return new PlainError(`The user of DATABASE_URL may not make tables in ${place}.`);
  }
  const code = errorCode(error);
  if (/^(E[A-Z]+|CONNECT.*|57P0\d|53300|08\w+)$/.test(code)) {
    return new PlainError(`The database at ${place} can't be reached (${code}): start it, or correct DATABASE_URL.`);
  }
  return error instanceof Error ? error : new Error(String(error));
}

/** `host:port/name`, never user or password. */
export function describePlace(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port || '5432'}${pathname}`;
}
