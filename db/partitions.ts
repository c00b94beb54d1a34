import type postgres from 'postgres';

/** Daily partitions of `attempt`, made ahead of the events that need them. Days are UTC. */

const DAY_MS = 86_400_000;
/** So many days after today always exist: a stopped worker has that long to be noticed. */
const DAYS_AHEAD = 14;
/** Serialises makers and droppers of partitions ("readback partitions"). */
const LOCK = 7_214_503_602;

/** Midnight UTC of the day that holds `at`, epoch ms. */
function dayOf(at: number): number {
  return Math.floor(at / DAY_MS) * DAY_MS;
}

/** Name of the partition of a day given by any instant in it, e.g. `attempt_20261130`. */
export function partitionName(at: number): string {
  return `attempt_${new Date(at).toISOString().slice(0, 10).replaceAll('-', '')}`;
}

export interface PartitionRange {
  /** Epoch ms of any instant in the first and the last day. */
  from: number;
  to: number;
}

/** Days that events may fall into at `now`: the retention and a day back, {@link DAYS_AHEAD} days ahead. */
export function neededPartitions(now: number, retentionMs: number): PartitionRange {
  return { from: dayOf(now) - Math.ceil(retentionMs / DAY_MS) * DAY_MS - DAY_MS, to: dayOf(now) + DAYS_AHEAD * DAY_MS };
}

/** Names of the partitions that exist, oldest first. */
export async function listPartitions(sql: postgres.ISql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'attempt'::regclass order by 1`;
  return rows.map((row) => row.name);
}

/**
 * Makes the missing partitions of a range. Any number of processes may do it at once.
 * A table is made beside its parent and then attached, which blocks neither readers nor writers of the parent
 * (`create table … partition of` would lock it exclusively).
 * @returns names made now
 */
export async function makePartitions(sql: postgres.Sql, range: PartitionRange): Promise<string[]> {
  const wanted: number[] = [];
  for (let day = dayOf(range.from); day <= dayOf(range.to); day += DAY_MS) wanted.push(day);
  const present = new Set(await listPartitions(sql));
  if (wanted.every((day) => present.has(partitionName(day)))) return [];
  return await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCK})`;
    const existing = new Set(await listPartitions(tx));
    const missing = wanted.filter((day) => !existing.has(partitionName(day)));
    for (const day of missing) await tx.unsafe(statementFor(day)).simple();
    return missing.map(partitionName);
  });
}

function statementFor(day: number): string {
  const name = partitionName(day);
  const bounds = `from ('${new Date(day).toISOString()}') to ('${new Date(day + DAY_MS).toISOString()}')`;
  return `create table ${name} (like attempt including defaults including constraints);
          alter table attempt attach partition ${name} for values ${bounds};`;
}

/** Whole days that exist and end at `before` (epoch ms) or earlier, oldest first. Half-open, epoch ms. */
export async function listDaysBefore(sql: postgres.ISql, before: number): Promise<PartitionRange[]> {
  const days = (await listPartitions(sql)).flatMap((name) => {
    const found = /^attempt_(\d{4})(\d{2})(\d{2})$/.exec(name);
    return found ? [Date.UTC(Number(found[1]), Number(found[2]) - 1, Number(found[3]))] : [];
  });
  return days.filter((day) => day + DAY_MS <= before).map((day) => ({ from: day, to: day + DAY_MS }));
}

/**
 * Drops the day that begins at `day` (epoch ms), unless `isNeeded` says no once nobody can write to it any more. The
 * parent is locked meanwhile, so it waits for a moment only and throws 55P03 then: try again later. Several processes may try at once.
 * @returns false when the day is needed or was dropped already
 */
export async function dropDay(
  sql: postgres.Sql,
  day: number,
  isNeeded: (tx: postgres.TransactionSql) => Promise<boolean>,
): Promise<boolean> {
  const name = partitionName(day);
  return await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCK})`;
    if (!(await listPartitions(tx)).includes(name)) return false;
    // Ingestion queues behind this lock, so it is not waited for as long as others are.
    await tx`set local lock_timeout = '300ms'`;
    await tx`lock table attempt in access exclusive mode`;
    if (await isNeeded(tx)) return false;
    await tx.unsafe(`drop table ${name}`);
    return true;
  });
}
