import type { Outcome, OutcomeCount } from '@/db/queries/ingest-outcome';
import type { Entry } from './store-events';

/** How many events of a request were refused under which code. */
export type RejectedCounts = ReadonlyMap<string, number>;

/** What was refused of one request, on its way into the counters beside what was not. */
export interface Rejections {
  projectId: number;
  /** Whose answer it belongs to. */
  ticket: number;
  receivedAt: number;
  counts: RejectedCounts;
}

/** What one transaction decides: events to store, and refusals to count with them. */
export interface Flight {
  entries: Entry[];
  rejections: Rejections[];
}

/** Code of good events that `Prefer: handling=strict` refused for others' sake; no problem code, they have no fault. */
export const BATCH_REFUSED = 'batch_refused';

/** Counts of decided entries and of refusals, in the order in which their rows are locked. */
export function tallyOutcomes({ entries, rejections }: Readonly<Flight>): OutcomeCount[] {
  const counts = new Map<string, OutcomeCount>();
  const add = (outcome: Outcome, code: string, count: number): void => {
    const key = `${outcome} ${code}`;
    const known = counts.get(key);
    if (known) known.count += count;
    else if (count > 0) counts.set(key, { outcome, code, count });
  };
  for (const { fate, event } of entries) {
    if (!event.counted || fate === null) continue;
    if (fate === 'quarantined') add('rejected', 'event_quarantined', 1);
    else add(fate, '', 1);
  }
  for (const { counts: refused } of rejections) for (const [code, count] of refused) add('rejected', code, count);
  return [...counts.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
}

/** Day of receipt in UTC, by the latest of a flight. */
export function dayOf({ entries, rejections }: Readonly<Flight>): string {
  const latest = [...entries, ...rejections].reduce((max, { receivedAt }) => Math.max(max, receivedAt), 0);
  return new Date(latest).toISOString().slice(0, 10);
}

/** Counter rows are spread over so many slots; the processes of one installation meet rarely. */
const SLOTS = 16;

/** Gives every flight under way a slot of its own, as long as there are no more than {@link SLOTS}. */
export class Slots {
  private readonly taken = new Set<number>();

  /** @param base where this process begins */
  constructor(private readonly base: number) {}

  take(): number {
    for (let lane = 0; lane < SLOTS; lane += 1) {
      const slot = (this.base + lane) % SLOTS;
      if (this.taken.has(slot)) continue;
      this.taken.add(slot);
      return slot;
    }
    return this.base % SLOTS;
  }

  give(slot: number): void {
    this.taken.delete(slot);
  }
}
