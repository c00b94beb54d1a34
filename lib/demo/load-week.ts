import { setTimeout as sleep } from 'node:timers/promises';
import { postBatch, type PostOptions } from '@/lib/client/post-batch';
import { HOUR_MS } from './calendar';
import type { TimedEvent } from './story';
import { tellWeek, weekStart } from './week';

export interface LoadOptions {
  /** Where Readback listens. */
  baseUrl: string;
  ingestKey: string;
  /** Epoch ms that stays the same for one demo project (when it was made): the incident is dated by it. */
  anchor: number;
  /** Epoch ms the week ends at. */
  until: number;
  /** Share of the full week's traffic; 1 when left out. */
  scale?: number;
  signal?: AbortSignal;
  onProgress?: (progress: LoadProgress) => void;
}

export interface LoadProgress {
  /** Hours of the week sent so far, of all of them. */
  hoursDone: number;
  hoursTotal: number;
  eventsSent: number;
}

export interface LoadResult {
  events: number;
  accepted: number;
  duplicates: number;
  rejected: number;
}

/** The server kept refusing, or the key is wrong. */
export class DemoLoadError extends Error {
  override name = 'DemoLoadError';
}

const BATCH_EVENTS_MAX = 2_000;
const PARALLEL = 3;
const RESENDS_MAX = 30;
const BACKOFF_BASE_MS = 200;
const BACKOFF_CAP_MS = 5_000;

/** Sends lines until they are stored; the wait is what the server asks plus jitter. */
export async function sendLines(lines: string[], post: PostOptions, signal?: AbortSignal): Promise<LoadResult> {
  for (let resends = 0; ; resends += 1) {
    const result = await postBatch(lines, post);
    if (result.kind === 'stored') {
      const { accepted, duplicates, rejected } = result.receipt;
      return { events: lines.length, accepted, duplicates, rejected: rejected.length };
    }
    if (result.kind === 'unauthorized') throw new DemoLoadError('The ingest key was refused.');
    if (result.kind !== 'again') {
      const reason = result.kind === 'refused' ? JSON.stringify(result.rejected[0] ?? {}) : 'batch too large';
      throw new DemoLoadError(`Readback refused a batch of the demo week: ${reason}.`);
    }
    if (resends >= RESENDS_MAX) throw new DemoLoadError('Readback could not take the demo week in; try again later.');
    const jitterMs = Math.random() * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** resends);
    await sleep((result.retryAfterMs ?? 0) + jitterMs, undefined, signal ? { signal } : {});
  }
}

/** @returns options for posting to the events endpoint of `baseUrl`. */
export function makePostOptions(baseUrl: string, key: string): PostOptions {
  const url = new URL('/api/v1/events', baseUrl).toString();
  return { url, key, gzip: true, requestTimeoutMs: 60_000, fetch: globalThis.fetch };
}

interface Batch {
  lines: string[];
  /** The hour is complete once this batch and those before it are stored. */
  endsHour: boolean;
}

/** The week in batches; `items` of platform batches count towards the server's limit of a body. */
function* batchWeek(hours: Iterable<TimedEvent[]>): Generator<Batch> {
  let lines: string[] = [];
  let weight = 0;
  for (const events of hours) {
    for (const { event } of events) {
      lines.push(JSON.stringify(event));
      weight += Math.max(1, 'items' in event ? (event.items?.length ?? 0) : 0);
      if (weight < BATCH_EVENTS_MAX) continue;
      yield { lines, endsHour: false };
      lines = [];
      weight = 0;
    }
    yield { lines, endsHour: true };
    lines = [];
    weight = 0;
  }
}

/**
 * Loads the seven days before `until` through `POST /api/v1/events`. Safe to repeat: the same hours are the same
 * events, so that a second load adds only what time has added.
 * @throws DemoLoadError when Readback will not take it
 */
export async function loadDemoWeek(options: LoadOptions): Promise<LoadResult> {
  const { until, anchor, signal } = options;
  const from = weekStart(until);
  const post = makePostOptions(options.baseUrl, options.ingestKey);
  const batches = batchWeek(tellWeek(from, until, { anchor, scale: options.scale ?? 1 }));
  const total: LoadResult = { events: 0, accepted: 0, duplicates: 0, rejected: 0 };
  const hoursTotal = Math.ceil((until - from) / HOUR_MS);
  let hoursDone = 0;
  const worker = async (): Promise<void> => {
    for (let next = batches.next(); !next.done; next = batches.next()) {
      signal?.throwIfAborted();
      const { lines, endsHour } = next.value;
      if (lines.length > 0) {
        const result = await sendLines(lines, post, signal);
        total.events += result.events;
        total.accepted += result.accepted;
        total.duplicates += result.duplicates;
        total.rejected += result.rejected;
      }
      if (endsHour) hoursDone += 1;
      options.onProgress?.({ hoursDone, hoursTotal, eventsSent: total.events });
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return total;
}
