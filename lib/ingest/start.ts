import type { Database } from '@/db/client';
import { ByteBudget } from '@/lib/http/byte-budget';
import { systemClock, type Clock } from '@/lib/platform/clock';
import type { Logger } from '@/lib/platform/log';
import { DailyQuotas } from './daily-quota';
import { createGroupCommit, type GroupCommitLimits } from './group-commit';
import type { IngestDeps } from './request-context';
import { RequestLimits } from './request-limits';

/** Requests at once, those included whose body still comes. */
const REQUESTS_MAX = 4_000;
const BODIES_BYTES_MAX = 192 * 1024 * 1024;

/** The same default as READBACK_KEY_EVENTS_PER_SECOND, for hosts that read no environment. */
const KEY_EVENTS_PER_SECOND = 50_000;

export interface IngestOptions {
  db: Database;
  log: Logger;
  clock?: Clock;
  limits?: Partial<GroupCommitLimits>;
  bodiesBytesMax?: number;
  requestsMax?: number;
  /** Of a key without a rate of its own. */
  keyEventsPerSecond?: number;
  /** Called after every commit with the projects that got events. */
  onCommitted?: (projectIds: number[]) => void;
}

/** One process's ingestion: make it once, over its own pool. */
export function createIngest(options: IngestOptions): IngestDeps {
  const { db, log, limits, onCommitted, clock = systemClock } = options;
  const eventsPerSecond = options.keyEventsPerSecond ?? KEY_EVENTS_PER_SECOND;
  return {
    db,
    log,
    clock,
    commit: createGroupCommit({ db, log, limits, onCommitted }),
    budget: new ByteBudget(options.bodiesBytesMax ?? BODIES_BYTES_MAX),
    limits: new RequestLimits({ eventsPerSecond, quotas: new DailyQuotas(db.sql), clock }),
    open: { requests: 0, requestsMax: options.requestsMax ?? REQUESTS_MAX, answers: new Map() },
  };
}
