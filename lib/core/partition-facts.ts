import type { Attempt, AttemptStarted, AuthRefresh, CauseFixed, Closed, Fact, JobResult, ReadBack } from './attempt';

/** One operation's facts by their type, in one pass: every operation of every project passes here. */
export interface FactParts {
  attempts: Attempt[];
  started: AttemptStarted[];
  /** Announcements of calls whose items tell of themselves. */
  traces: AttemptStarted[];
  readBacks: ReadBack[];
  refreshes: AuthRefresh[];
  fixes: CauseFixed[];
  /** Results of jobs, those included that an attempt reports. */
  jobs: JobResult[];
  closures: Closed[];
  /** Epoch ms of the first and the last thing said of this operation itself; ±Infinity when nothing was. */
  firstAt: number;
  lastAt: number;
}

function endOf(fact: Fact): number {
  switch (fact.type) {
    case 'attempt':
      return Math.max(fact.endedAt ?? fact.startedAt, fact.startedAt);
    case 'readback':
      return Math.max(fact.endedAt, fact.startedAt);
    case 'tally':
      return fact.minute;
    case 'attempt_started':
    case 'auth_refresh':
    case 'cause_fixed':
    case 'job_result':
    case 'closed':
    case 'webhook_delivery':
      return fact.startedAt;
  }
}

/** An attempt that tells how its job ended says what a `job_result` says (contract, `job_result`). */
function jobEndOf({ id, operationId, environment, startedAt, jobId, outcome, code }: Attempt): JobResult | null {
  if (outcome !== 'async_failed' || jobId === undefined) return null;
  return { type: 'job_result', id, operationId, environment, startedAt, jobId, result: 'failed', code };
}

function place(fact: Fact, parts: FactParts): void {
  switch (fact.type) {
    case 'attempt': {
      parts.attempts.push(fact);
      const job = jobEndOf(fact);
      if (job !== null) parts.jobs.push(job);
      return;
    }
    case 'attempt_started':
      (fact.itemsTold === true ? parts.traces : parts.started).push(fact);
      return;
    case 'readback':
      parts.readBacks.push(fact);
      return;
    case 'auth_refresh':
      parts.refreshes.push(fact);
      return;
    case 'cause_fixed':
      parts.fixes.push(fact);
      return;
    case 'job_result':
      parts.jobs.push(fact);
      return;
    case 'closed':
      parts.closures.push(fact);
      return;
    case 'webhook_delivery':
    case 'tally':
  }
}

export function partitionFacts(facts: readonly Fact[], operationId: string): FactParts {
  const parts: FactParts = {
    attempts: [],
    started: [],
    traces: [],
    readBacks: [],
    refreshes: [],
    fixes: [],
    jobs: [],
    closures: [],
    firstAt: Infinity,
    lastAt: -Infinity,
  };
  for (const fact of facts) {
    place(fact, parts);
    // A credential's renewal or a code's fix bears on this operation without speaking of it.
    if (!('operationId' in fact) || fact.operationId !== operationId) continue;
    const startAt = fact.startedAt;
    if (startAt < parts.firstAt) parts.firstAt = startAt;
    const endAt = endOf(fact);
    if (endAt > parts.lastAt) parts.lastAt = endAt;
  }
  return parts;
}
