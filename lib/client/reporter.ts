import type { Kind, Profile, SdkName } from '../core/attempt';
import { EventQueue, type QueuedEvent } from './event-queue';
import { postBatch, type PostOptions, type PostResult, type Rejection } from './post-batch';
import { makeUuidV7 } from './uuid';
import type { EventWire } from './wire';

export interface ReporterOptions {
  /** Where Readback listens, e.g. `https://readback.example.com`. */
  url: string;
  /** A key of scope `ingest`. */
  key: string;
  service: string;
  instance?: string;
  environment?: string;
  /** Client library and version that makes the requests. */
  sdk?: SdkName;
  /** Used for calls that name none. */
  profile?: Profile;
  flushIntervalMs?: number;
  batchEventsMax?: number;
  batchBytesMax?: number;
  /** Events kept while Readback can't be reached; beyond it the oldest reads go first, and are counted. */
  queueEventsMax?: number;
  gzip?: boolean;
  requestTimeoutMs?: number;
  backoffBaseMs?: number;
  backoffCapMs?: number;
  /** Told of every event the server will not take, with its reason. */
  onRejected?: (rejected: Rejection[]) => void;
  fetch?: typeof fetch;
  now?: () => number;
  random?: () => number;
}

export interface ReporterStats {
  queued: number;
  accepted: number;
  duplicates: number;
  conflicts: number;
  rejected: number;
  dropped: number;
  /** Posts that had to be repeated. */
  resends: number;
}

export interface Reporter {
  readonly now: () => number;
  /** Queues one event and gives its id. Never throws, never waits. */
  report(event: EventWire): string;
  /** Asks for sending now. @returns true when everything queued was answered within `timeoutMs`. */
  flush(timeoutMs?: number): Promise<boolean>;
  /** Flushes, then stops the timer. Call it on SIGTERM. */
  close(timeoutMs?: number): Promise<boolean>;
  stats(): ReporterStats;
}

const DEFAULTS = {
  flushIntervalMs: 1_000,
  batchEventsMax: 500,
  batchBytesMax: 1_000_000,
  queueEventsMax: 20_000,
  requestTimeoutMs: 10_000,
  backoffBaseMs: 500,
  backoffCapMs: 30_000,
  closeTimeoutMs: 5_000,
};

/** A key that was refused is asked about again this slowly. */
const UNAUTHORIZED_WAIT_MS = 60_000;

/** The longest wait Node's timers can keep. */
const TIMER_MAX_MS = 2_147_483_647;

function eventTime(event: EventWire, now: number): number {
  return event.type === 'tally' ? event.minute : (event.startedAt ?? now);
}

function isWrite(event: EventWire): boolean {
  if (event.type === 'tally' || event.type === 'webhook_delivery') return false;
  const kind: Kind | undefined = 'kind' in event ? event.kind : undefined;
  return kind !== 'read';
}

class QueueingReporter implements Reporter {
  readonly now: () => number;
  readonly #options: ReporterOptions;
  readonly #post: PostOptions;
  readonly #queue: EventQueue;
  readonly #random: () => number;
  readonly #counts = { accepted: 0, duplicates: 0, conflicts: 0, rejected: 0, dropped: 0, resends: 0 };
  #inFlight: QueuedEvent[] = [];
  #pump: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;
  #cutWait: (() => void) | null = null;
  readonly #onExit = (): void => {
    void this.flush(DEFAULTS.closeTimeoutMs);
  };

  constructor(options: ReporterOptions) {
    this.#options = options;
    this.now = options.now ?? Date.now;
    this.#random = options.random ?? Math.random;
    this.#queue = new EventQueue(options.queueEventsMax ?? DEFAULTS.queueEventsMax);
    this.#post = {
      url: new URL('/api/v1/events', options.url).toString(),
      key: options.key,
      gzip: options.gzip ?? true,
      requestTimeoutMs: options.requestTimeoutMs ?? DEFAULTS.requestTimeoutMs,
      fetch: options.fetch ?? globalThis.fetch,
    };
    process.once('beforeExit', this.#onExit);
  }

  report(event: EventWire): string {
    const id = event.id ?? makeUuidV7(eventTime(event, this.now()));
    const items = 'items' in event ? (event.items?.length ?? 0) : 0;
    const queued = {
      line: JSON.stringify(this.#stamp(event, id)),
      weight: Math.max(1, items),
      write: isWrite(event),
    };
    this.#counts.dropped += this.#queue.push(queued);
    const full = this.#queue.length >= (this.#options.batchEventsMax ?? DEFAULTS.batchEventsMax);
    // A start must be away before the client can die of what it starts.
    if (full || event.type === 'attempt_started') void this.#start();
    else this.#arm();
    return id;
  }

  async flush(timeoutMs = DEFAULTS.closeTimeoutMs): Promise<boolean> {
    const until = this.now() + timeoutMs;
    while (this.stats().queued > 0 && this.now() < until) {
      const left = until - this.now();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, left);
      });
      await Promise.race([this.#start(), late]);
      clearTimeout(timer);
    }
    return this.stats().queued === 0;
  }

  async close(timeoutMs = DEFAULTS.closeTimeoutMs): Promise<boolean> {
    const done = await this.flush(timeoutMs);
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#cutWait?.();
    process.removeListener('beforeExit', this.#onExit);
    return done;
  }

  stats(): ReporterStats {
    return { queued: this.#queue.length + this.#inFlight.length, ...this.#counts };
  }

  #stamp(event: EventWire, id: string): object {
    const { service, instance, environment, sdk, profile } = this.#options;
    const common = { id, ...(environment && { environment }) };
    const type = event.type ?? 'attempt';
    if (type === 'attempt' || type === 'attempt_started') {
      return {
        ...common,
        service,
        ...(instance && { instance }),
        ...(sdk && { sdk }),
        ...(profile && { profile }),
        ...event,
        type,
      };
    }
    if (type === 'tally') return { ...common, service, ...(instance && { instance }), ...event };
    return { ...common, ...event };
  }

  #arm(): void {
    if (this.#timer || this.#pump || this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#start();
    }, this.#options.flushIntervalMs ?? DEFAULTS.flushIntervalMs);
    this.#timer.unref();
  }

  #start(): Promise<void> {
    this.#pump ??= this.#drain().finally(() => {
      this.#pump = null;
      if (this.#queue.length > 0) this.#arm();
    });
    return this.#pump;
  }

  async #drain(): Promise<void> {
    const limits = {
      eventsMax: this.#options.batchEventsMax ?? DEFAULTS.batchEventsMax,
      bytesMax: this.#options.batchBytesMax ?? DEFAULTS.batchBytesMax,
    };
    while (this.#queue.length > 0 && !this.#stopped) {
      this.#inFlight = this.#queue.take(limits);
      await this.#deliver(this.#inFlight);
      this.#inFlight = [];
    }
  }

  /** Sends the same events until they are answered for good; only `close` gives up. */
  async #deliver(batch: QueuedEvent[]): Promise<void> {
    for (let failures = 0; !this.#stopped; failures += 1) {
      const result = await postBatch(
        batch.map((event) => event.line),
        this.#post,
      );
      const waitMs = this.#settle(result, failures, batch.length);
      if (result.kind === 'too_large' && batch.length > 1) {
        const middle = Math.ceil(batch.length / 2);
        await this.#deliver(batch.slice(0, middle));
        return this.#deliver(batch.slice(middle));
      }
      if (result.kind === 'too_large') this.#reject(413, batch.length, []);
      if (waitMs === null) return;
      this.#counts.resends += 1;
      await this.#wait(waitMs);
    }
    this.#counts.dropped += batch.length;
  }

  /** Counts an answer. @returns how long to wait before the same events go out again; null when they don't. */
  #settle(result: PostResult, failures: number, count: number): number | null {
    switch (result.kind) {
      case 'stored':
        this.#counts.accepted += result.receipt.accepted;
        this.#counts.duplicates += result.receipt.duplicates;
        this.#counts.conflicts += result.receipt.conflicts;
        this.#counts.rejected += result.receipt.rejected.length;
        if (result.receipt.rejected.length > 0) this.#options.onRejected?.(result.receipt.rejected);
        return null;
      case 'refused':
        this.#reject(result.status, count, result.rejected);
        return null;
      case 'too_large':
        return null;
      case 'unauthorized':
        return UNAUTHORIZED_WAIT_MS;
      case 'again':
        return this.#backoffMs(failures, result.retryAfterMs);
    }
  }

  #reject(status: number, count: number, rejected: Rejection[]): void {
    this.#counts.rejected += count;
    const fallback = [{ index: 0, pointer: '', code: `http_${status}`, detail: 'The batch was refused as a whole.' }];
    this.#options.onRejected?.(rejected.length > 0 ? rejected : fallback);
  }

  /** Full jitter (delay = random(0, min(cap, base·2ⁿ))), and never before the asked wait is over. */
  #backoffMs(failures: number, askedMs: number | null): number {
    const base = this.#options.backoffBaseMs ?? DEFAULTS.backoffBaseMs;
    const cap = this.#options.backoffCapMs ?? DEFAULTS.backoffCapMs;
    const jitter = this.#random() * Math.min(cap, base * 2 ** Math.min(failures, 20));
    return Math.min(TIMER_MAX_MS, (askedMs ?? 0) + jitter);
  }

  #wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#cutWait = null;
        resolve();
      };
      const timer = setTimeout(done, delayMs);
      timer.unref();
      this.#cutWait = done;
    });
  }
}

/** A reporter that queues, batches and re-sends by itself. It keeps the advice Readback gives to others. */
export function createReporter(options: ReporterOptions): Reporter {
  return new QueueingReporter(options);
}
