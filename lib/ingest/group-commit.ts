import type { AuthorizedProject } from '@/lib/core/project';
import type { DatabaseFault } from '@/lib/platform/database-fault';
import type { ProblemCode } from '@/lib/platform/problem';
import { FlightCommitter, type FlightDeps } from './commit-flight';
import type { Flight, RejectedCounts } from './count-outcomes';
import type { PreparedEvent } from './prepare';
import type { Fate } from './store-events';

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

export interface GroupCommitDeps extends FlightDeps {
  limits?: Partial<GroupCommitLimits>;
}

/** The fate of each submitted event in its order. */
export type Outcome = { ok: true; fates: Fate[] } | { ok: false; code: ProblemCode; retryAfterSeconds: number };

/** What one request brings: events to store, and how many others were refused. */
export interface Submission {
  project: AuthorizedProject;
  events: PreparedEvent[];
  rejected: RejectedCounts;
  /** Epoch ms. */
  receivedAt: number;
  /** Of the deadline is gone already. */
  waitedMs?: number;
}

interface Ticket extends Omit<Submission, 'waitedMs'> {
  bytes: number;
  deadlineAt: number;
  answer: (outcome: Outcome) => void;
  answered: boolean;
}

export interface GroupCommit {
  /** Resolves once every event is stored, or known, and everything is counted; or with the fault that prevented it. */
  submit: (submission: Submission) => Promise<Outcome>;
  /** What waits, and since the start what was quarantined and how many transactions went which way. */
  stats: () => {
    requests: number;
    bytes: number;
    flights: number;
    quarantined: number;
    committed: { short: number; long: number };
  };
  /** Resolves once nothing waits. */
  drain: () => Promise<void>;
}

const SWEEP_MS = 100;
/** With fewer requests open, nobody is held up for company. */
const MANY_REQUESTS = 8;
/** Flights leave so far apart that a millisecond carries about so many requests: no pause that many clients would feel. */
const REQUESTS_PER_MS = 16;
/**
 * A flight leaves beside another one that is out for so long (a slow disk, somebody's lock), or with so many events
 * that they are work enough. Flights side by side mostly wait for each other's rollup rows.
 */
const OVERLAP_AFTER_MS = 4;
const HEAVY_EVENTS = 256;

export function createGroupCommit(deps: GroupCommitDeps): GroupCommit {
  return new Committer(deps, { ...DEFAULT_LIMITS, ...deps.limits });
}

class Committer implements GroupCommit {
  private queue: Ticket[] = [];
  private requests = 0;
  private bytes = 0;
  private flights = 0;
  private queuedEvents = 0;
  /** A flight leaves at the end of this turn of the loop. */
  private boarding = false;
  /** A flight gathers until this timer ends. */
  private waiting: NodeJS.Timeout | null = null;
  private tookOffAt = 0;
  private sweeper: NodeJS.Timeout | null = null;
  /** Of the last sweep: a deadline may come that much early, never late, and no request asks the clock. */
  private now = 0;
  private readonly open = new Set<Ticket>();
  private readonly committer: FlightCommitter;
  private idle: (() => void)[] = [];

  constructor(
    deps: FlightDeps,
    private readonly limits: GroupCommitLimits,
  ) {
    this.committer = new FlightCommitter(deps);
  }

  submit(submission: Submission): Promise<Outcome> {
    const { project, events, rejected, receivedAt, waitedMs = 0 } = submission;
    const bytes = events.reduce((sum, event) => sum + event.json.length, 0);
    const full = this.requests >= this.limits.requestsMax || this.bytes + bytes > this.limits.bytesMax;
    if (full) return Promise.resolve({ ok: false, code: 'overloaded', retryAfterSeconds: 1 });
    return new Promise((answer) => {
      if (!this.sweeper) this.startSweeping();
      const deadlineAt = this.now + this.limits.deadlineMs - waitedMs;
      const ticket = { project, events, rejected, receivedAt, bytes, deadlineAt, answer, answered: false };
      this.requests += 1;
      this.bytes += bytes;
      this.open.add(ticket);
      this.queue.push(ticket);
      this.queuedEvents += events.length;
      this.schedule();
    });
  }

  stats() {
    const { requests, bytes, flights, committer } = this;
    return { requests, bytes, flights, quarantined: committer.quarantined, committed: { ...committer.committed } };
  }

  drain(): Promise<void> {
    if (this.requests === 0) return Promise.resolve();
    return new Promise((resolve) => this.idle.push(resolve));
  }

  private schedule(): void {
    if (this.boarding || this.queue.length === 0 || this.flights >= this.limits.flightsMax) return;
    const heavy = this.queuedEvents >= HEAVY_EVENTS;
    if (this.waiting && !heavy) return;
    const waitMs = heavy ? 0 : this.waitMs();
    if (waitMs > 0) {
      this.waiting = setTimeout(() => {
        this.waiting = null;
        this.schedule();
      }, waitMs);
      return;
    }
    this.stopWaiting();
    this.boarding = true;
    // A turn of the loop lets everything that has arrived join.
    setImmediate(() => {
      this.boarding = false;
      void this.fly();
    });
  }

  /** How long the next flight gathers: every one costs the same again, however many events it carries. */
  private waitMs(): number {
    if (this.flights === 0 && this.requests < MANY_REQUESTS) return 0;
    const apartMs = this.flights === 0 ? this.requests / REQUESTS_PER_MS : OVERLAP_AFTER_MS;
    return Math.round(this.tookOffAt + Math.min(apartMs, OVERLAP_AFTER_MS) - performance.now());
  }

  private stopWaiting(): void {
    if (this.waiting) clearTimeout(this.waiting);
    this.waiting = null;
  }

  private startSweeping(): void {
    this.now = performance.now();
    this.sweeper = setInterval(() => this.sweep(), SWEEP_MS).unref();
  }

  /** Nobody waits past the deadline, whatever the database does. */
  private sweep(): void {
    this.now = performance.now();
    for (const ticket of this.open)
      if (this.now >= ticket.deadlineAt)
        this.settle(ticket, { ok: false, code: 'deadline_exceeded', retryAfterSeconds: 2 });
    this.queue = this.queue.filter((ticket) => !ticket.answered);
    this.queuedEvents = this.queue.reduce((sum, ticket) => sum + ticket.events.length, 0);
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
    this.queuedEvents -= events;
    return boarded.filter((ticket) => !ticket.answered);
  }

  private async fly(): Promise<void> {
    if (this.flights >= this.limits.flightsMax) return;
    const tickets = this.board();
    if (tickets.length === 0) return this.schedule();
    this.flights += 1;
    this.tookOffAt = performance.now();
    this.schedule();
    try {
      await this.commitTickets(tickets);
    } finally {
      this.flights -= 1;
      this.stopWaiting();
      this.schedule();
    }
  }

  private async commitTickets(tickets: Ticket[]): Promise<void> {
    const flight: Flight = { entries: [], rejections: [] };
    const { entries, rejections } = flight;
    tickets.forEach(({ events, rejected, receivedAt, project }, ticket) => {
      for (const event of events) entries.push({ event, receivedAt, ticket, projectId: project.id, fate: null });
      if (rejected.size > 0) rejections.push({ projectId: project.id, ticket, receivedAt, counts: rejected });
    });
    const faults = new Map<number, DatabaseFault>();
    await this.committer.commitOrSplit(flight, faults);
    const answers = tickets.map((): Fate[] => []);
    for (const entry of entries) answers[entry.ticket]?.push(entry.fate ?? 'quarantined');
    tickets.forEach((ticket, place) => {
      const fault = faults.get(place);
      if (fault) this.settle(ticket, { ok: false, code: fault.code, retryAfterSeconds: fault.retryAfterSeconds });
      else this.settle(ticket, { ok: true, fates: answers[place] ?? [] });
    });
  }
}
