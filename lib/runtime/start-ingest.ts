import type { Database } from '@/db/client';
import type { Env } from '@/lib/platform/env';
import type { Logger } from '@/lib/platform/log';
import type { Taker } from './front';

export interface RunningIngest {
  take: Taker;
  stop: () => Promise<void>;
}

export interface IngestOptions {
  env: Env;
  db: Database;
  log: Logger;
  /** Called after every commit: settling needs not wait for its next look. */
  wake: () => void;
}

export function startIngest(_options: IngestOptions): RunningIngest {
  return { take: () => false, stop: () => Promise.resolve() };
}
