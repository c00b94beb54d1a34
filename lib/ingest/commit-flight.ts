import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@/db/client';
import { makePartitions } from '@/db/partitions';
import { wasCounted, type CountedBy } from '@/db/queries/ingest-outcome';
import { inOneStatement, inPipelinedTransaction } from '@/db/safe-begin';
import { describeFault, type DatabaseFault } from '@/lib/platform/database-fault';
import type { Logger } from '@/lib/platform/log';
import { dayOf, Slots, type Flight } from './count-outcomes';
import { quarantine } from './quarantine';
import { KnownRows, storeEvents, type Entry } from './store-events';
import { ShortWay, storeNew, type NewFlight } from './store-new';

export interface FlightDeps {
  db: Database;
  log: Logger;
  /** Called after every commit that stored events; it wakes the settler. */
  onCommitted?: (projectIds: number[]) => void;
}

/** Halvings of one flight for a fault of no known kind: enough for one event among thousands. */
const SEARCHES_MAX = 16;
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

type Groups = (readonly [number, Flight])[];

/** By project, in order of project, so that two flights never wait for each other crosswise. */
function groupByProject({ entries, rejections }: Flight): Groups {
  const groups = new Map<number, Flight>();
  const of = (projectId: number): Flight => {
    const group = groups.get(projectId) ?? { entries: [], rejections: [] };
    groups.set(projectId, group);
    return group;
  };
  for (const entry of entries) of(entry.projectId).entries.push(entry);
  for (const refused of rejections) of(refused.projectId).rejections.push(refused);
  return [...groups].sort(([a], [b]) => a - b);
}

/** Brings flights of events into the database, each in one transaction, and finds what can't be stored. */
export class FlightCommitter {
  quarantined = 0;
  /** Transactions committed, by the way they took. */
  readonly committed = { short: 0, long: 0 };
  private readonly known = new KnownRows();
  private readonly shortWay = new ShortWay(this.known);
  private readonly slots = new Slots(randomInt(2 ** 16));

  constructor(private readonly deps: FlightDeps) {}

  /**
   * Decides the fate of every entry that no fault hit, and counts all of them and the refusals.
   * @param faults filled with the tickets of which something is not stored or not counted
   */
  async commitOrSplit(flight: Flight, faults: Map<number, DatabaseFault>): Promise<void> {
    const slot = this.slots.take();
    try {
      await this.bring(flight, slot, faults, { left: SEARCHES_MAX });
    } finally {
      this.slots.give(slot);
    }
  }

  /**
   * A value that the database refuses is our defect: halving finds its event, and the others are stored. A fault that
   * nobody foresaw is looked for in the same way, but not at any price: it may be everybody's.
   */
  private async bring(
    flight: Flight,
    slot: number,
    faults: Map<number, DatabaseFault>,
    search: { left: number },
  ): Promise<void> {
    const { entries, rejections } = flight;
    if (entries.length === 0 && rejections.length === 0) return;
    const by = { day: dayOf(flight), slot, flight: randomBytes(8).readBigInt64LE() };
    const fault = await this.commit(flight, by);
    if (!fault) return;
    const [only] = entries;
    const unforeseen = fault.kind === 'defect' && entries.length > 1 && search.left > 0;
    if (unforeseen) search.left -= 1;
    if (!only || (fault.kind !== 'data' && !unforeseen)) return spread(flight, fault, faults);
    if (entries.length === 1) {
      const failed = await this.setAside(only, flight, by, fault.sqlState);
      return failed ? spread(flight, failed, faults) : undefined;
    }
    const half = Math.ceil(entries.length / 2);
    await this.bring({ entries: entries.slice(0, half), rejections }, slot, faults, search);
    await this.bring({ entries: entries.slice(half), rejections: [] }, slot, faults, search);
  }

  private async setAside(only: Entry, flight: Flight, by: CountedBy, sqlState: string): Promise<DatabaseFault | null> {
    only.fate = 'quarantined';
    try {
      await withinFlight(quarantine(this.deps.db.sql, only, groupByProject(flight), by, sqlState));
    } catch (error) {
      return describeFault(error);
    }
    this.quarantined += 1;
    this.deps.log.error({ eventId: only.event.id, sqlState }, 'event quarantined');
    return null;
  }

  private async commit(flight: Flight, by: CountedBy): Promise<DatabaseFault | null> {
    const groups = groupByProject(flight);
    let lost = false;
    for (let tries = 1; ; tries += 1) {
      try {
        if (!lost || !(await this.hasArrived(groups, by))) await withinFlight(this.transact(groups, by));
        this.tellCommitted(groups);
        return null;
      } catch (error) {
        const fault = describeFault(error);
        if (fault.kind === 'again' && tries < AGAIN_MAX) continue;
        if (LOST_CONNECTION.has(fault.sqlState) && tries < AGAIN_MAX) {
          lost = true;
          await sleep(AGAIN_AFTER_MS * tries);
          continue;
        }
        if (fault.kind === 'partition' && tries < AGAIN_MAX && (await this.makeDays(flight.entries))) continue;
        if (fault.kind === 'defect') this.deps.log.error({ err: error }, 'group commit failed');
        else this.deps.log.warn({ sqlState: fault.sqlState, kind: fault.kind }, 'group commit refused');
        return fault;
      }
    }
  }

  /** Whether a transaction whose end was not heard of was committed after all: then its fates hold, and its counts. */
  private async hasArrived(groups: Groups, by: CountedBy): Promise<boolean> {
    const [[projectId] = []] = groups;
    return projectId !== undefined && (await withinFlight(wasCounted(this.deps.db.sql, projectId, by)));
  }

  private tellCommitted(groups: Groups): void {
    const stored = groups.filter(([, { entries }]) => entries.length > 0).map(([projectId]) => projectId);
    if (stored.length > 0) this.deps.onCommitted?.(stored);
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

  private async transact(groups: Groups, by: CountedBy): Promise<void> {
    const flights = this.shortWay.plan(groups);
    if (!flights || !(await this.goShort(flights, by))) await this.goLong(groups, by);
  }

  /** @returns false when an id was taken, and so nothing is stored */
  private async goShort(flights: NewFlight[], by: CountedBy): Promise<boolean> {
    const { sql } = this.deps.db;
    const [only, ...others] = flights;
    for (const { group } of flights) for (const entry of group.entries) entry.fate = 'accepted';
    try {
      if (only && others.length === 0) await inOneStatement(sql, (one) => storeNew(one, only, by));
      else
        await inPipelinedTransaction(sql, (tx, commit) =>
          Promise.all([...flights.map((flight) => storeNew(tx, flight, by)), commit()]),
        );
    } catch (error) {
      if (this.shortWay.isTaken(error)) return false;
      throw error;
    }
    this.committed.short += 1;
    return true;
  }

  private async goLong(groups: Groups, by: CountedBy): Promise<void> {
    const stored = await inPipelinedTransaction(this.deps.db.sql, async (sql, commit) => {
      const results = [];
      for (const [place, [projectId, group]] of groups.entries()) {
        const last = (): PromiseLike<unknown> | null => (place === groups.length - 1 ? commit() : null);
        results.push({ projectId, dimensions: await storeEvents(sql, projectId, group, this.known, by, last) });
      }
      return results;
    });
    this.committed.long += 1;
    for (const { projectId, dimensions } of stored) this.known.learn(projectId, dimensions);
  }
}

function spread({ entries, rejections }: Flight, fault: DatabaseFault, faults: Map<number, DatabaseFault>): void {
  for (const { ticket } of entries) faults.set(ticket, fault);
  for (const { ticket } of rejections) faults.set(ticket, fault);
}
