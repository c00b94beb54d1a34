import type { OutcomeCount } from '@/db/queries/ingest-outcome';
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
  const fates = { accepted: 0, duplicate: 0, conflict: 0, quarantined: 0 };
  for (const { fate, event } of entries) if (fate !== null && event.counted) fates[fate] += 1;
  const { accepted, conflict, duplicate, quarantined } = fates;
  const counts: OutcomeCount[] = [
    { outcome: 'accepted', code: '', count: accepted },
    { outcome: 'conflict', code: '', count: conflict },
    { outcome: 'duplicate', code: '', count: duplicate },
  ];
  if (rejections.length > 0 || quarantined > 0) counts.push(...tallyRejected(rejections, quarantined));
  return counts.filter(({ count }) => count > 0);
}

function tallyRejected(rejections: readonly Rejections[], quarantined: number): OutcomeCount[] {
  const byCode = new Map([['event_quarantined', quarantined]]);
  for (const { counts } of rejections)
    for (const [code, count] of counts) byCode.set(code, (byCode.get(code) ?? 0) + count);
  return [...byCode]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, count]) => ({ outcome: 'rejected', code, count }));
}

/** Day of receipt in UTC, by the latest of a flight. */
export function dayOf({ entries, rejections }: Readonly<Flight>): string {
  let latest = 0;
  for (const { receivedAt } of entries) if (receivedAt > latest) latest = receivedAt;
  for (const { receivedAt } of rejections) if (receivedAt > latest) latest = receivedAt;
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
