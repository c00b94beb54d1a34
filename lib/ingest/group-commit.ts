import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@/db/client';
import type { AuthorizedProject } from '@/lib/core/project';
import { makePartitions } from '@/db/partitions';
import { inPipelinedTransaction } from '@/db/safe-begin';
import { describeFault, type DatabaseFault } from '@/lib/platform/database-fault';
import type { Logger } from '@/lib/platform/log';
import type { ProblemCode } from '@/lib/platform/problem';
import type { PreparedEvent } from './prepare';
import { KnownRows, storeEvents, type Entry, type Fate } from './store-events';

export interface GroupCommitLimits {
  /** Transactions at once. */
  flightsMax: number;
  /** Events of one transaction, unless a single request holds more. */
  flightEventsMax: number;
  /** Requests and bytes of events waiting, those in flight included. */
  requestsMax: number;
  bytesMax: number;
  /** From admission to answer. */
  deadlineMs: number;
}

export const DEFAULT_LIMITS: GroupCommitLimits = {
  flightsMax: 3,
  flightEventsMax: 4_000,
  requestsMax: 2_000,
  bytesMax: 96 * 1024 * 1024,
  deadlineMs: 5_000,
};

export interface GroupCommitDeps {
  db: Database;
  log: Logger;
  limits?: Partial<GroupCommitLimits>;
  /** Called after every commit; it wakes the settler. */
  onCommitted?: (projectIds: number[]) => void;
}

/** The fate of each submitted event in its order; `quarantined` ones passed every check and can't be stored. */
export type Outcome =
  { ok: true; fates: (Fate | 'quarantined')[] } | { ok: false; code: ProblemCode; retryAfterSeconds: number };

interface Ticket {
  project: AuthorizedProject;
  events: PreparedEvent[];
  receivedAt: number;
  bytes: number;
  deadlineAt: number;
  answer: (outcome: Outcome) => void;
  answered: boolean;
}

export interface GroupCommit {
  submit: (project: AuthorizedProject, events: PreparedEvent[], receivedAt: number) => Promise<Outcome>;
  /** What waits and what was quarantined since the start. */
  stats: () => { requests: number; bytes: number; flights: number; quarantined: number };
  /** Resolves once nothing waits. */
  drain: () => Promise<void>;
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
    const error = Object.assign(new Error('the transaction did not end'), { code: 'CONNECT_TIMEOUT' });
    timer = setTimeout(() => reject(error), FLIGHT_MS_MAX);
  });
  return Promise.race([work, lost]).finally(() => clearTimeout(timer));
}
const SWEEP_MS = 100;

export function createGroupCommit(deps: GroupCommitDeps): GroupCommit {
  return new Committer(deps, { ...DEFAULT_LIMITS, ...deps.limits });
}

class Committer implements GroupCommit {
  private queue: Ticket[] = [];
  private requests = 0;
  private bytes = 0;
  private flights = 0;
  private quarantined = 0;
  private scheduled = false;
  private sweeper: NodeJS.Timeout | null = null;
  private readonly open = new Set<Ticket>();
  private readonly known = new KnownRows();
  private idle: (() => void)[] = [];

  constructor(
    private readonly deps: GroupCommitDeps,
    private readonly limits: GroupCommitLimits,
  ) {}

  submit(project: AuthorizedProject, events: PreparedEvent[], receivedAt: number): Promise<Outcome> {
    const bytes = events.reduce((sum, event) => sum + event.json.length, 0);
    const full = this.requests >= this.limits.requestsMax || this.bytes + bytes > this.limits.bytesMax;
    if (full) return Promise.resolve({ ok: false, code: 'overloaded', retryAfterSeconds: 1 });
    return new Promise((answer) => {
      const deadlineAt = performance.now() + this.limits.deadlineMs;
      const ticket = { project, events, receivedAt, bytes, deadlineAt, answer, answered: false };
      this.requests += 1;
      this.bytes += bytes;
      this.open.add(ticket);
      this.queue.push(ticket);
      this.schedule();
    });
  }

  stats() {
    const { requests, bytes, flights, quarantined } = this;
    return { requests, bytes, flights, quarantined };
  }

  drain(): Promise<void> {
    if (this.requests === 0) return Promise.resolve();
    return new Promise((resolve) => this.idle.push(resolve));
  }

  private schedule(): void {
    this.sweeper ??= setInterval(() => this.sweep(), SWEEP_MS).unref();
    if (this.scheduled || this.flights >= this.limits.flightsMax) return;
    this.scheduled = true;
    // A turn of the loop lets everything that has arrived join.
    setImmediate(() => {
      this.scheduled = false;
      void this.fly();
    });
  }

  /** Nobody waits past the deadline, whatever the database does. */
  private sweep(): void {
    const now = performance.now();
    for (const ticket of this.open)
      if (now >= ticket.deadlineAt) this.settle(ticket, { ok: false, code: 'deadline_exceeded', retryAfterSeconds: 2 });
    this.queue = this.queue.filter((ticket) => !ticket.answered);
    if (this.open.size === 0 && this.sweeper) {
      clearInterval(this.sweeper);
      this.sweeper = null;
    }
  }

  private settle(ticket: Ticket, outcome: Outcome): void {
    if (ticket.answered) return;
    ticket.answered = true;
    this.open.delete(ticket);
    this.requests -= 1;
    this.bytes -= ticket.bytes;
    ticket.answer(outcome);
    if (this.requests === 0) this.idle.splice(0).forEach((resolve) => resolve());
  }

  private board(): Ticket[] {
    const boarded: Ticket[] = [];
    let events = 0;
    for (const ticket of this.queue) {
      if (boarded.length > 0 && events + ticket.events.length > this.limits.flightEventsMax) break;
      boarded.push(ticket);
      events += ticket.events.length;
    }
    this.queue.splice(0, boarded.length);
    return boarded.filter((ticket) => !ticket.answered);
  }

  private async fly(): Promise<void> {
    if (this.flights >= this.limits.flightsMax) return;
    const tickets = this.board();
    if (tickets.length === 0) return;
    this.flights += 1;
    if (this.queue.length > 0) this.schedule();
    try {
      await this.commitTickets(tickets);
    } finally {
      this.flights -= 1;
      if (this.queue.length > 0) this.schedule();
    }
  }

  private async commitTickets(tickets: Ticket[]): Promise<void> {
    const entries = tickets.flatMap((ticket, place) =>
      ticket.events.map((event): Entry => ({ event, receivedAt: ticket.receivedAt, ticket: place })),
    );
    const fates = new Map<Entry, Fate | 'quarantined'>();
    const faults = new Map<number, DatabaseFault>();
    await this.commitOrSplit(tickets, entries, fates, faults);
    const answers = tickets.map((): (Fate | 'quarantined')[] => []);
    for (const entry of entries) answers[entry.ticket]?.push(fates.get(entry) ?? 'quarantined');
    tickets.forEach((ticket, place) => {
      const fault = faults.get(place);
      if (fault) this.settle(ticket, { ok: false, code: fault.code, retryAfterSeconds: fault.retryAfterSeconds });
      else this.settle(ticket, { ok: true, fates: answers[place] ?? [] });
    });
  }

  /** A value that the database refuses is our defect: halving finds its event, and the others are stored. */
  private async commitOrSplit(
    tickets: Ticket[],
    entries: Entry[],
    fates: Map<Entry, Fate | 'quarantined'>,
    faults: Map<number, DatabaseFault>,
  ): Promise<void> {
    if (entries.length === 0) return;
    const fault = await this.commit(tickets, entries, fates);
    if (!fault) return;
    if (fault.kind !== 'data') {
      for (const entry of entries) faults.set(entry.ticket, fault);
      return;
    }
    const [only] = entries;
    if (entries.length === 1 && only) {
      this.quarantined += 1;
      fates.set(only, 'quarantined');
      this.deps.log.error({ eventId: only.event.id, sqlState: fault.sqlState }, 'event quarantined');
      return;
    }
    const half = Math.ceil(entries.length / 2);
    await this.commitOrSplit(tickets, entries.slice(0, half), fates, faults);
    await this.commitOrSplit(tickets, entries.slice(half), fates, faults);
  }

  private async commit(
    tickets: Ticket[],
    entries: Entry[],
    fates: Map<Entry, Fate | 'quarantined'>,
  ): Promise<DatabaseFault | null> {
    const byProject = new Map<number, Entry[]>();
    for (const entry of entries) {
      const projectId = tickets[entry.ticket]?.project.id ?? 0;
      const group = byProject.get(projectId);
      if (group) group.push(entry);
      else byProject.set(projectId, [entry]);
    }
    // In order of project, so that two flights never wait for each other crosswise.
    const groups = [...byProject].sort(([a], [b]) => a - b);
    for (let tries = 1; ; tries += 1) {
      try {
        await withinFlight(this.transact(groups, fates));
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

  private async transact(groups: [number, Entry[]][], fates: Map<Entry, Fate | 'quarantined'>): Promise<void> {
    const stored = await inPipelinedTransaction(this.deps.db.sql, async (sql, commit) => {
      const results = [];
      for (const [place, [projectId, entries]] of groups.entries()) {
        const last = (): PromiseLike<unknown> | null => (place === groups.length - 1 ? commit() : null);
        results.push({ projectId, entries, ...(await storeEvents(sql, projectId, entries, this.known, last)) });
      }
      return results;
    });
    for (const result of stored) {
      result.entries.forEach((entry, place) => fates.set(entry, result.fates[place] ?? 'duplicate'));
      this.known.learn(result.projectId, result.dimensions);
    }
    this.deps.onCommitted?.(stored.map(({ projectId }) => projectId));
  }
}
