import type { Database } from '@/db/client';
import type { RecomputeJob } from '@/db/queries/recompute';
import type { Clock } from '@/lib/platform/clock';
import type { Logger } from '@/lib/platform/log';

export interface RecomputeContext {
  db: Database;
  log: Logger;
  clock: Clock;
  /** For tests: how long after a change of settings tallies may still come judged by the old ones. */
  ingestLagMs?: number;
  /** For tests: operations of one slice. */
  sliceOperations?: number;
  /** For tests: operations that a preview looks at. */
  previewOperationsMax?: number;
}

/** What a slice made of the job. */
export interface Slice {
  job: RecomputeJob;
  /** Nothing could be done yet: come back in a moment. */
  waits: boolean;
}
