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

/** Checks of one operation, in the order they are shown: harm first, manners after. */
const OPERATION_CHECKS: readonly Check[] = [
  checkBlindWriteRetry,
  checkDuplicateSuspected,
  checkBatchTruth,
  checkKeyChanges,
  checkNeverRetryRetried,
  checkAuthLoop,
  checkEarlyRetry,
  checkEarlyCapped,
  checkThrottleInBackoffLoop,
  checkRetryLimit,
  checkPastDeadline,
  checkWaitPastDeadline,
  checkOperationIdReused,
  checkZeroDelay,
  checkUnitError,
  checkStaleDelayUsed,
  checkOverlappingAttempts,
  checkRetryAfterAbort,
  checkAttemptStarved,
  checkAttemptNumbers,
  checkRetryableNotRetried,
  checkWastedRetry,
  checkLongWait,
  checkExcessWait,
  checkBackoffShape,
  checkIncompleteGiveUp,
  checkContractAnomaly,
];

const NEEDS_TWO_SENDS: ReadonlySet<Check> = new Set([
  checkBlindWriteRetry,
  checkNeverRetryRetried,
  checkAuthLoop,
  checkEarlyRetry,
  checkEarlyCapped,
  checkThrottleInBackoffLoop,
  checkPastDeadline,
  checkWaitPastDeadline,
  checkOperationIdReused,
  checkZeroDelay,
  checkUnitError,
  checkStaleDelayUsed,
  checkOverlappingAttempts,
  checkRetryAfterAbort,
  checkAttemptStarved,
  checkWastedRetry,
  checkExcessWait,
  checkBackoffShape,
]);

/** Most operations are one send: what compares two has nothing to say of them. */
const LONE_SEND_CHECKS: readonly Check[] = OPERATION_CHECKS.filter((check) => !NEEDS_TWO_SENDS.has(check));

export function findInOperation(timeline: Timeline, conclusion: OperationConclusion, context: FoldContext): Finding[] {
  const lone = timeline.sends.length < 2;
  const input: CheckInput = { timeline, conclusion, context, steps: lone ? [] : stepsOf(timeline, conclusion) };
  const findings: Finding[] = [];
  for (const check of lone ? LONE_SEND_CHECKS : OPERATION_CHECKS) {
    for (const finding of check(input)) findings.push(finding);
  }
  return findings;
}
