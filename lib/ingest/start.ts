import type { Database } from '@/db/client';
import { ByteBudget } from '@/lib/http/byte-budget';
import { systemClock, type Clock } from '@/lib/platform/clock';
import type { Logger } from '@/lib/platform/log';
import { createGroupCommit, type GroupCommitLimits } from './group-commit';
import type { IngestDeps } from './request-context';

const BODIES_BYTES_MAX = 192 * 1024 * 1024;

export interface IngestOptions {
  db: Database;
  log: Logger;
  clock?: Clock;
  limits?: Partial<GroupCommitLimits>;
  bodiesBytesMax?: number;
  /** Called after every commit with the projects that got events. */
  onCommitted?: (projectIds: number[]) => void;
}

/** One process's ingestion: make it once, over its own pool. */
export function createIngest(options: IngestOptions): IngestDeps {
  const { db, log, limits, onCommitted } = options;
  return {
    db,
    log,
    clock: options.clock ?? systemClock,
    commit: createGroupCommit({ db, log, limits, onCommitted }),
    budget: new ByteBudget(options.bodiesBytesMax ?? BODIES_BYTES_MAX),
  };
}
