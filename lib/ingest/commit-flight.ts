import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@/db/client';
import { makePartitions } from '@/db/partitions';
import { inOneStatement, inPipelinedTransaction } from '@/db/safe-begin';
import { describeFault, type DatabaseFault } from '@/lib/platform/database-fault';
import type { Logger } from '@/lib/platform/log';
import { KnownRows, storeEvents, type Entry } from './store-events';
import { ShortWay, storeNew, type NewFlight } from './store-new';

export interface FlightDeps {
  db: Database;
  log: Logger;
  /** Called after every commit; it wakes the settler. */
  onCommitted?: (projectIds: number[]) => void;
}

const AGAIN_MAX = 3;
const AGAIN_AFTER_MS = 100;
/** One connection ended; the database itself may be well. */
const LOST_CONNECTION = new Set([
  '57P01',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'ECONNRESET',
  'EPIPE',
]);
/** A flight of which nothing is heard any more gives its place up; its requests were answered at their deadline. */
const FLIGHT_MS_MAX = 15_000;

/** Only an answer ends the wait for a driver that lost a statement. */
function withinFlight<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const lost = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(Object.assign(new Error('the transaction did not end'), { code: 'CONNECT_TIMEOUT' }));
    }, FLIGHT_MS_MAX);
  });
  return Promise.race([work, lost]).finally(() => clearTimeout(timer));
}

type Groups = (readonly [number, Entry[]])[];

/** By project, in order of project, so that two flights never wait for each other crosswise. */
function groupByProject(entries: readonly Entry[]): Groups {
  const groups = new Map<number, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.projectId);
    if (group) group.push(entry);
    else groups.set(entry.projectId, [entry]);
  }
  return [...groups].sort(([a], [b]) => a - b);
}

/** Brings flights of events into the database, each in one transaction, and finds what can't be stored. */
export class FlightCommitter {
  quarantined = 0;
  /** Transactions committed, by the way they took. */
  readonly committed = { short: 0, long: 0 };
  private readonly known = new KnownRows();
  private readonly shortWay = new ShortWay(this.known);

  constructor(private readonly deps: FlightDeps) {}

  /**
   * Decides the fate of every entry that no fault hit. A value that the database refuses is our defect: halving finds
   * its event, and the others are stored.
   * @param faults filled with the tickets whose events are not stored
   */
  async commitOrSplit(entries: Entry[], faults: Map<number, DatabaseFault>): Promise<void> {
    if (entries.length === 0) return;
    const fault = await this.commit(entries);
    if (!fault) return;
    if (fault.kind !== 'data') {
      for (const entry of entries) faults.set(entry.ticket, fault);
      return;
    }
    const [only] = entries;
    if (entries.length === 1 && only) {
      this.quarantined += 1;
      only.fate = 'quarantined';
      this.deps.log.error({ eventId: only.event.id, sqlState: fault.sqlState }, 'event quarantined');
      return;
    }
    const half = Math.ceil(entries.length / 2);
    await this.commitOrSplit(entries.slice(0, half), faults);
    await this.commitOrSplit(entries.slice(half), faults);
  }

  private async commit(entries: Entry[]): Promise<DatabaseFault | null> {
    const groups = groupByProject(entries);
    for (let tries = 1; ; tries += 1) {
      try {
        await withinFlight(this.transact(groups));
        return null;
      } catch (error) {
        const fault = describeFault(error);
        if (fault.kind === 'again' && tries < AGAIN_MAX) continue;
        // What was committed all the same comes back as a duplicate: an id counts once.
        if (LOST_CONNECTION.has(fault.sqlState) && tries < AGAIN_MAX) {
          await sleep(AGAIN_AFTER_MS * tries);
          continue;
        }
        if (fault.kind === 'partition' && tries < AGAIN_MAX && (await this.makeDays(entries))) continue;
        if (fault.kind === 'defect') this.deps.log.error({ err: error }, 'group commit failed');
        else this.deps.log.warn({ sqlState: fault.sqlState, kind: fault.kind }, 'group commit refused');
        return fault;
      }
    }
  }

  /** Days inside a project's retention that the job has not made yet, or that only this project still keeps. */
  private async makeDays(entries: Entry[]): Promise<boolean> {
    const times = entries.map(({ event }) => event.at);
    const range = { from: times.reduce((a, b) => Math.min(a, b)), to: times.reduce((a, b) => Math.max(a, b)) };
    try {
      return (await makePartitions(this.deps.db.sql, range)).length > 0;
    } catch (error) {
      this.deps.log.warn({ sqlState: describeFault(error).sqlState }, 'days could not be made');
      return false;
    }
  }

  private async transact(groups: Groups): Promise<void> {
    const flights = this.shortWay.plan(groups);
    if (!flights || !(await this.goShort(flights))) await this.goLong(groups);
    this.deps.onCommitted?.(groups.map(([projectId]) => projectId));
  }

  /** @returns false when an id was taken, and so nothing is stored */
  private async goShort(flights: NewFlight[]): Promise<boolean> {
    const { sql } = this.deps.db;
    const [only, ...others] = flights;
    try {
      if (only && others.length === 0) await inOneStatement(sql, (one) => storeNew(one, only));
      else
        await inPipelinedTransaction(sql, (tx, commit) =>
          Promise.all([...flights.map((flight) => storeNew(tx, flight)), commit()]),
        );
    } catch (error) {
      if (this.shortWay.isTaken(error)) return false;
      throw error;
    }
    for (const { entries } of flights) for (const entry of entries) entry.fate = 'accepted';
    this.committed.short += 1;
    return true;
  }

  private async goLong(groups: Groups): Promise<void> {
    const stored = await inPipelinedTransaction(this.deps.db.sql, async (sql, commit) => {
      const results = [];
      for (const [place, [projectId, entries]] of groups.entries()) {
        const last = (): PromiseLike<unknown> | null => (place === groups.length - 1 ? commit() : null);
        results.push({ projectId, entries, ...(await storeEvents(sql, projectId, entries, this.known, last)) });
      }
      return results;
    });
    this.committed.long += 1;
    for (const { projectId, entries, fates, dimensions } of stored) {
      entries.forEach((entry, place) => (entry.fate = fates[place] ?? 'duplicate'));
      this.known.learn(projectId, dimensions);
    }
  }
}
