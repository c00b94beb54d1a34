import { LRUCache } from 'lru-cache';
import type postgres from 'postgres';
import { countAccepted } from '@/db/queries/ingest-outcome';

const DAY_MS = 86_400_000;
/** What other processes took is known after this time at the latest. */
const FRESH_MS = 10_000;
const PROJECTS_MAX = 5_000;

interface Known {
  day: number;
  count: number;
  /** Epoch ms. */
  readAt: number;
}

export interface QuotaView {
  ok: boolean;
  remaining: number;
  /** Whole seconds until the day ends, in UTC. */
  endsInSeconds: number;
}

/**
 * New events of a project's day against its quota. The count is that of the counters in the database, read anew every
 * ten seconds; a request is let in whole or not at all, so that the last one may go over.
 */
export class DailyQuotas {
  private readonly known = new LRUCache<number, Known>({ max: PROJECTS_MAX });
  private readonly reading = new Map<number, Promise<Known>>();

  constructor(private readonly sql: postgres.Sql) {}

  /** @param now epoch ms */
  async look(projectId: number, max: number, now: number): Promise<QuotaView> {
    const day = Math.floor(now / DAY_MS);
    let known = this.known.get(projectId);
    if (known?.day !== day || now - known.readAt > FRESH_MS) known = await this.readOnce(projectId, day, now);
    const endsInSeconds = Math.max(1, Math.ceil(((day + 1) * DAY_MS - now) / 1000));
    return { ok: known.count < max, remaining: Math.max(0, max - known.count), endsInSeconds };
  }

  /** What this process took meanwhile. */
  add(projectId: number, accepted: number): void {
    const known = this.known.get(projectId);
    if (known) known.count += accepted;
  }

  /** Many requests at a time ask the database only once. */
  private readOnce(projectId: number, day: number, now: number): Promise<Known> {
    const before = this.reading.get(projectId);
    if (before) return before;
    const reading = this.read(projectId, day, now).finally(() => this.reading.delete(projectId));
    this.reading.set(projectId, reading);
    return reading;
  }

  private async read(projectId: number, day: number, now: number): Promise<Known> {
    const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
    const known = { day, count: await countAccepted(this.sql, projectId, date), readAt: now };
    this.known.set(projectId, known);
    return known;
  }
}
