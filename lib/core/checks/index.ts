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

/** Checks of one operation with the sends they need, in the order they are shown: harm first, manners after. */
const CHECKS: readonly (readonly [check: Check, leastSends: 1 | 2])[] = [
  [checkBlindWriteRetry, 2],
  [checkDuplicateSuspected, 1],
  [checkBatchTruth, 1],
  [checkKeyChanges, 1],
  [checkNeverRetryRetried, 2],
  [checkAuthLoop, 2],
  [checkEarlyRetry, 2],
  [checkEarlyCapped, 2],
  [checkThrottleInBackoffLoop, 2],
  [checkRetryLimit, 1],
  [checkPastDeadline, 2],
  [checkWaitPastDeadline, 2],
  [checkOperationIdReused, 2],
  [checkZeroDelay, 2],
  [checkUnitError, 2],
  [checkStaleDelayUsed, 2],
  [checkOverlappingAttempts, 2],
  [checkRetryAfterAbort, 2],
  [checkAttemptStarved, 2],
  [checkAttemptNumbers, 1],
  [checkRetryableNotRetried, 1],
  [checkWastedRetry, 2],
  [checkLongWait, 1],
  [checkExcessWait, 2],
  [checkBackoffShape, 2],
  [checkIncompleteGiveUp, 1],
  [checkContractAnomaly, 1],
];

/** Most operations are one send: what compares two has nothing to say of them. */
const OF_ONE_SEND = CHECKS.filter(([, leastSends]) => leastSends === 1);

export function findInOperation(timeline: Timeline, conclusion: OperationConclusion, context: FoldContext): Finding[] {
  const lone = timeline.sends.length < 2;
  const input: CheckInput = { timeline, conclusion, context, steps: lone ? [] : stepsOf(timeline, conclusion) };
  const findings: Finding[] = [];
  for (const [check] of lone ? OF_ONE_SEND : CHECKS) {
    for (const finding of check(input)) findings.push(finding);
  }
  return findings;
}
