import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import { findDurabilityFaults } from '@/db/durability';
import { getMigrationState, longestRetention } from '@/db/migrate';
import { listPartitions, neededPartitions, partitionName } from '@/db/partitions';
import { readRecount } from '@/db/queries/recount';
import { listProjectIds } from '@/db/queries/settle-project';
import { openDataFolder } from '@/lib/platform/data-folder';
import { EnvError, readCommandEnv, type Env } from '@/lib/platform/env';
import { findLockHolder } from '@/lib/platform/folder-lock';
import { isPortFree } from '@/lib/platform/ports';
import { isPastEndOfLife, localAddress } from '@/lib/runtime/process-role';
import { CommandFailure } from './command-failure';
import type { Terminal } from './terminal';
import { reachDatabase } from './with-database';

interface Check {
  name: string;
  state: 'ok' | 'warning' | 'wrong';
  message: string;
}

const DAY_MS = 86_400_000;

/** Looks at everything a start depends on, and says each thing in a sentence. Changes nothing that is stored. */
export async function doctorCommand(terminal: Terminal): Promise<void> {
  const checks: Check[] = [checkNode()];
  const env = readEnvFor(checks);
  if (env) {
    checks.push(checkBuild());
    if (!env.DATABASE_URL) checks.push(checkFolder(env));
    checks.push(await checkPort(env), ...(await checkDatabase()));
  }
  const marks = { ok: 'ok     ', warning: 'warning', wrong: 'WRONG  ' };
  const lines = checks.map((check) => `${marks[check.state]}  ${check.name}: ${check.message}`);
  terminal.result({ ok: checks.every((check) => check.state !== 'wrong'), checks }, lines.join('\n'));
  const wrong = checks.filter((check) => check.state === 'wrong').length;
  if (wrong > 0) throw new CommandFailure('unhealthy', `${wrong} of ${checks.length} checks found something wrong.`);
}

function readEnvFor(checks: Check[]): Env | null {
  try {
    const env = readCommandEnv();
    checks.push({ name: 'environment', state: 'ok', message: 'every variable can be read' });
    return env;
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    checks.push({ name: 'environment', state: 'wrong', message: error.message });
    return null;
  }
}

function checkNode(): Check {
  const old = isPastEndOfLife(process.version);
  const message = old ? `${process.version} works but gets no more security fixes: use 22 or 24` : process.version;
  return { name: 'Node', state: old ? 'warning' : 'ok', message };
}

function checkBuild(): Check {
  const built = existsSync(fileURLToPath(new URL('../../.next/BUILD_ID', import.meta.url)));
  return { name: 'dashboard', state: 'ok', message: built ? 'built' : 'not built yet; the next npm start builds it' };
}

function checkFolder(env: Env): Check {
  try {
    const folder = openDataFolder(env.READBACK_DATA_DIR);
    const holder = findLockHolder(folder);
    const use = holder ? `in use by process ${holder.pid}` : 'not in use';
    return { name: 'data folder', state: 'ok', message: `${folder} can be written to, ${use}` };
  } catch (error) {
    return { name: 'data folder', state: 'wrong', message: messageOf(error) };
  }
}

async function checkPort(env: Env): Promise<Check> {
  const name = `port ${env.PORT}`;
  if (env.PORT === 0 || (await isPortFree(env.PORT, env.HOST))) return { name, state: 'ok', message: 'free' };
  const mine = await isOurs(env);
  return mine
    ? { name, state: 'ok', message: 'Readback answers on it' }
    : { name, state: 'wrong', message: 'another program has it: stop that, or set PORT' };
}

async function isOurs(env: Env): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(2_000);
    const answer = await fetch(`${localAddress(env.HOST, env.PORT)}/healthz`, { signal });
    return answer.ok && ((await answer.json()) as { status?: unknown }).status === 'ok';
  } catch {
    return false;
  }
}

async function checkDatabase(): Promise<Check[]> {
  let reached;
  try {
    reached = await reachDatabase();
  } catch (error) {
    return [{ name: 'database', state: 'wrong', message: messageOf(error) }];
  }
  const sql = postgres(reached.url, { max: 1, connect_timeout: 3, onnotice: () => undefined });
  try {
    const [row] = await sql<{ version: string }[]>`select current_setting('server_version') as version`;
    const found: Check = { name: 'database', state: 'ok', message: `PostgreSQL ${row?.version ?? ''}` };
    return [found, await checkDurability(sql), ...(await checkSchema(sql))];
  } catch (error) {
    return [{ name: 'database', state: 'wrong', message: messageOf(error) }];
  } finally {
    await sql.end({ timeout: 1 });
    await reached.close();
  }
}

async function checkDurability(sql: postgres.Sql): Promise<Check> {
  const faults = await findDurabilityFaults(sql);
  return faults.length === 0
    ? { name: 'durability', state: 'ok', message: 'what is confirmed stays' }
    : { name: 'durability', state: 'wrong', message: faults.join(', ') };
}

async function checkSchema(sql: postgres.Sql): Promise<Check[]> {
  const state = await getMigrationState(sql);
  const name = 'migrations';
  if (state.changed.length > 0)
    return [{ name, state: 'wrong', message: `changed after use: ${state.changed.join(', ')}` }];
  if (state.pending.length > 0) {
    return [
      {
        name,
        state: 'warning',
        message: `${state.pending.length} to apply; the next start or readback migrate does it`,
      },
    ];
  }
  const newer = state.unknown.length > 0 ? `, and ${state.unknown.length} of a newer release` : '';
  const applied: Check = { name, state: 'ok', message: `all ${state.applied.length} applied${newer}` };
  return [applied, await checkPartitions(sql), await checkRollups(sql)];
}

/** By the last recount of each project, not by a new one: that takes its time (`readback recount`). */
async function checkRollups(sql: postgres.Sql): Promise<Check> {
  const name = 'rollups';
  let recounted = 0;
  const drifting: string[] = [];
  for (const projectId of await listProjectIds(sql)) {
    const recount = await readRecount(sql, projectId);
    if (!recount || recount.drift === null) continue;
    recounted += 1;
    if (recount.drift > 0) drifting.push(`${recount.drift} rows of project ${projectId}`);
  }
  if (drifting.length > 0)
    return {
      name,
      state: 'wrong',
      message: `differ from a recount: ${drifting.join(', ')}; please report this defect`,
    };
  return {
    name,
    state: 'ok',
    message: recounted === 0 ? 'not recounted yet' : `equal a recount of ${recounted} projects`,
  };
}

async function checkPartitions(sql: postgres.Sql): Promise<Check> {
  const range = neededPartitions(Date.now(), await longestRetention(sql));
  const present = new Set(await listPartitions(sql));
  const missing: string[] = [];
  for (let day = range.from; day <= range.to; day += DAY_MS) {
    if (!present.has(partitionName(day))) missing.push(partitionName(day));
  }
  const name = 'partitions';
  if (missing.length === 0) return { name, state: 'ok', message: `${present.size} days, 14 ahead` };
  const urgent = missing.includes(partitionName(Date.now()));
  return {
    name,
    state: urgent ? 'wrong' : 'warning',
    message: `${missing.length} days are missing (first ${missing[0] ?? ''}): is the worker running?`,
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
