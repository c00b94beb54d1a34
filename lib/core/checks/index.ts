import type { Finding, OperationConclusion } from '../operation';
import type { FoldContext, Timeline } from '../timeline';
import { checkAttemptNumbers } from './attempt-numbers';
import { checkAttemptStarved } from './attempt-starved';
import { checkAuthLoop } from './auth-loop';
import { checkBackoffShape } from './backoff-shape';
import { checkBatchTruth } from './batch-truth';
import { checkBlindWriteRetry } from './blind-write-retry';
import { stepsOf, type Check, type CheckInput } from './check';
import { checkContractAnomaly } from './contract-anomaly';
import { checkDuplicateSuspected } from './duplicate-suspected';
import { checkEarlyCapped } from './early-capped';
import { checkEarlyRetry } from './early-retry';
import { checkExcessWait } from './excess-wait';
import { checkIncompleteGiveUp } from './incomplete-give-up';
import { checkKeyChanges } from './key-changes';
import { checkLongWait } from './long-wait';
import { checkNeverRetryRetried } from './never-retry-retried';
import { checkOperationIdReused } from './operation-id-reused';
import { checkOverlappingAttempts } from './overlapping-attempts';
import { checkPastDeadline } from './past-deadline';
import { checkRetryAfterAbort } from './retry-after-abort';
import { checkRetryLimit } from './retry-limit';
import { checkRetryableNotRetried } from './retryable-not-retried';
import { checkStaleDelayUsed } from './stale-delay-used';
import { checkThrottleInBackoffLoop } from './throttle-in-backoff-loop';
import { checkUnitError } from './unit-error';
import { checkWaitPastDeadline } from './wait-past-deadline';
import { checkWastedRetry } from './wasted-retry';
import { checkZeroDelay } from './zero-delay';

interface Row {
  check: Check;
  /** It compares sends: of one alone it has nothing to say. */
  comparing: boolean;
}

const comparing = (check: Check): Row => ({ check, comparing: true });
const each = (check: Check): Row => ({ check, comparing: false });

/** Checks of one operation, in the order they are shown: harm first, manners after. */
const ROWS: readonly Row[] = [
  comparing(checkBlindWriteRetry),
  each(checkDuplicateSuspected),
  each(checkBatchTruth),
  each(checkKeyChanges),
  comparing(checkNeverRetryRetried),
  comparing(checkAuthLoop),
  comparing(checkEarlyRetry),
  comparing(checkEarlyCapped),
  comparing(checkThrottleInBackoffLoop),
  each(checkRetryLimit),
  comparing(checkPastDeadline),
  comparing(checkWaitPastDeadline),
  comparing(checkOperationIdReused),
  comparing(checkZeroDelay),
  comparing(checkUnitError),
  comparing(checkStaleDelayUsed),
  comparing(checkOverlappingAttempts),
  comparing(checkRetryAfterAbort),
  comparing(checkAttemptStarved),
  each(checkAttemptNumbers),
  each(checkRetryableNotRetried),
  comparing(checkWastedRetry),
  each(checkLongWait),
  comparing(checkExcessWait),
  comparing(checkBackoffShape),
  each(checkIncompleteGiveUp),
  each(checkContractAnomaly),
];

const ALL: readonly Check[] = ROWS.map(({ check }) => check);
/** Most operations are one send. */
const OF_ONE_SEND: readonly Check[] = ROWS.filter((row) => !row.comparing).map(({ check }) => check);

export function findInOperation(timeline: Timeline, conclusion: OperationConclusion, context: FoldContext): Finding[] {
  const lone = timeline.sends.length < 2;
  const input: CheckInput = { timeline, conclusion, context, steps: lone ? [] : stepsOf(timeline, conclusion) };
  const findings: Finding[] = [];
  for (const check of lone ? OF_ONE_SEND : ALL) {
    for (const finding of check(input)) findings.push(finding);
  }
  return findings;
}
