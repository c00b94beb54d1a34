import type { AuthorizedProject } from '@/lib/core/project';
import type { DatabaseFault } from '@/lib/platform/database-fault';
import type { ProblemCode } from '@/lib/platform/problem';
import { FlightCommitter, type FlightDeps } from './commit-flight';
import type { PreparedEvent } from './prepare';
import type { Entry, Fate } from './store-events';

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

export function createGroupCommit(deps: GroupCommitDeps): GroupCommit {
  return new Committer(deps, { ...DEFAULT_LIMITS, ...deps.limits });
}

class Committer implements GroupCommit {
  private queue: Ticket[] = [];
  private requests = 0;
  private bytes = 0;
  private flights = 0;
  private scheduled = false;
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

  submit(project: AuthorizedProject, events: PreparedEvent[], receivedAt: number): Promise<Outcome> {
    const bytes = events.reduce((sum, event) => sum + event.json.length, 0);
    const full = this.requests >= this.limits.requestsMax || this.bytes + bytes > this.limits.bytesMax;
    if (full) return Promise.resolve({ ok: false, code: 'overloaded', retryAfterSeconds: 1 });
    return new Promise((answer) => {
      if (!this.sweeper) this.startSweeping();
      const deadlineAt = this.now + this.limits.deadlineMs;
      const ticket = { project, events, receivedAt, bytes, deadlineAt, answer, answered: false };
      this.requests += 1;
      this.bytes += bytes;
      this.open.add(ticket);
      this.queue.push(ticket);
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
    if (this.scheduled || this.flights >= this.limits.flightsMax) return;
    this.scheduled = true;
    // A turn of the loop lets everything that has arrived join.
    setImmediate(() => {
      this.scheduled = false;
      void this.fly();
    });
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
    const entries: Entry[] = [];
    tickets.forEach(({ events, receivedAt, project }, ticket) => {
      for (const event of events) entries.push({ event, receivedAt, ticket, projectId: project.id, fate: null });
    });
    const faults = new Map<number, DatabaseFault>();
    await this.committer.commitOrSplit(entries, faults);
    const answers = tickets.map((): Fate[] => []);
    for (const entry of entries) answers[entry.ticket]?.push(entry.fate ?? 'quarantined');
    tickets.forEach((ticket, place) => {
      const fault = faults.get(place);
      if (fault) this.settle(ticket, { ok: false, code: fault.code, retryAfterSeconds: fault.retryAfterSeconds });
      else this.settle(ticket, { ok: true, fates: answers[place] ?? [] });
    });
  }
}
