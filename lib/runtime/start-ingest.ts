import type { Database } from '@/db/client';
import { createIngestListener } from '@/lib/ingest/listener';
import type { IngestDeps } from '@/lib/ingest/request-context';
import { createIngest } from '@/lib/ingest/start';
import type { Env } from '@/lib/platform/env';
import type { Logger } from '@/lib/platform/log';
import type { Taker } from './front';

export interface RunningIngest {
  take: Taker;
  deps: IngestDeps;
  stop: () => Promise<void>;
}

export interface IngestOptions {
  env: Env;
  db: Database;
  log: Logger;
  /** Called after every commit: settling needs not wait for its next look. */
  wake: () => void;
}

/** Transactions at once; the pool's other connections look keys up. */
const FLIGHTS_MAX = 3;

export function startIngest({ env, db, log, wake }: IngestOptions): RunningIngest {
  const flightsMax = Math.max(1, Math.min(FLIGHTS_MAX, env.READBACK_INGEST_POOL - 1));
  const ingest = createIngest({
    db,
    log,
    limits: { flightsMax },
    keyEventsPerSecond: env.READBACK_KEY_EVENTS_PER_SECOND,
    onCommitted: wake,
  });
  return { take: createIngestListener(ingest), deps: ingest, stop: () => ingest.commit.drain() };
}
