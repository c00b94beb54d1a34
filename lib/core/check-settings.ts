/**
 * Tolerances of the checks (domain.md §8). Every one is a project setting, flat and numeric, its unit in the name:
 * `Ms` milliseconds, `Count` a whole number, `Share` a part of 1, `Factor` how many times, `Switch` 0 or 1.
 */
export interface CheckSettings {
  /** M3: another instance may not have heard of a pause this long after it was asked: labelled, not excused. */
  pauseGraceMs: number;
  /** M3: longest pause that other operations are held to. */
  pauseMaxMs: number;
  /** M3: CALLER_RATE_LIMITED pauses are a minute's allowance. */
  callerPauseMaxMs: number;
  /** M3: 0 a quarantine holds for the portal (else host and credential), 1 for the whole host. */
  quarantineByTargetSwitch: number;
  /** M7: retries where nobody declared a limit, QuillHub's own too. */
  retriesMaxCount: number;
  /** M8: QuillHub's deadline where none was declared. */
  quillhubDeadlineMs: number;
  /** M9: pairs below which jitter is not judged. */
  jitterPairsMinCount: number;
  /** M9: spread (standard deviation ÷ mean) below which there is none. */
  jitterSpreadMinShare: number;
  /** M9: a gap over this share of its bound is overhead or a wrong base, and left out. */
  jitterOverFactor: number;
  /** M10: width of a bin, and of the wider bins by receive time. */
  herdBinMs: number;
  herdReceiveBinMs: number;
  /** M10: distinct instances in one bin. */
  herdInstancesMinCount: number;
  /** M10: times the mean of the time after it. */
  herdFactor: number;
  herdBaselineMs: number;
  /** M11, M15: how far apart two uses of a key, or two equal writes, still belong together. */
  keyLookBackMs: number;
  duplicateLookBackMs: number;
  /** M12: least wait after a 429. */
  throttleWaitMinMs: number;
  /** M13: failed renewals within a time. */
  authFailuresMinCount: number;
  authWindowMs: number;
  /** M13: two renewals of one credential this close were in flight together. */
  authFlightMs: number;
  /** M14: equal failures within a time. */
  errorLoopMinCount: number;
  errorLoopWindowMs: number;
  /** M17: attempts per operation against the time before. */
  amplificationFactor: number;
  amplificationOperationsMinCount: number;
  amplificationBaselineMs: number;
  /** M21: a second DELETE, and load after QUEUE_OVERFLOW. */
  agentDeleteWindowMs: number;
  overflowWindowMs: number;
  /** M22: 0 the schedule names gaps, 1 offsets from the first delivery (Q19). */
  webhookByOffsetsSwitch: number;
  webhookToleranceShare: number;
  webhookDeliveriesMaxCount: number;
  /** M23: pairs of a step, and how far their median may be from half the bound. */
  backoffPairsMinCount: number;
  backoffMedianShare: number;
  /** Gaps at or below it are none; a loop is so many in a row. */
  zeroDelayMs: number;
  hotLoopMinCount: number;
  longWaitMs: number;
  excessWaitMs: number;
  /** Longest wait that nobody asked for, where no cap was declared. */
  uncappedDelayMs: number;
  starvedMs: number;
  starvedShare: number;
  staleDelayMs: number;
  abortAtOnceMs: number;
  /** Seconds taken for milliseconds, and the other way round: how near to a thousandth, or thousandfold. */
  secondsAsMsShare: number;
  msAsSecondsShare: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export const DEFAULT_CHECK_SETTINGS: CheckSettings = {
  pauseGraceMs: 1_000,
  pauseMaxMs: 60 * MINUTE_MS,
  callerPauseMaxMs: MINUTE_MS,
  quarantineByTargetSwitch: 0,
  retriesMaxCount: 5,
  quillhubDeadlineMs: 2 * MINUTE_MS,
  jitterPairsMinCount: 30,
  jitterSpreadMinShare: 0.1,
  jitterOverFactor: 1.05,
  herdBinMs: 250,
  herdReceiveBinMs: 2_000,
  herdInstancesMinCount: 10,
  herdFactor: 5,
  herdBaselineMs: 30_000,
  keyLookBackMs: DAY_MS,
  duplicateLookBackMs: DAY_MS,
  throttleWaitMinMs: 1_000,
  authFailuresMinCount: 3,
  authWindowMs: 10 * MINUTE_MS,
  authFlightMs: 2_000,
  errorLoopMinCount: 5,
  errorLoopWindowMs: 5 * MINUTE_MS,
  amplificationFactor: 2,
  amplificationOperationsMinCount: 20,
  amplificationBaselineMs: 60 * MINUTE_MS,
  agentDeleteWindowMs: 30_000,
  overflowWindowMs: 10_000,
  webhookByOffsetsSwitch: 0,
  webhookToleranceShare: 0.2,
  webhookDeliveriesMaxCount: 6,
  backoffPairsMinCount: 30,
  backoffMedianShare: 0.5,
  zeroDelayMs: 5,
  hotLoopMinCount: 2,
  longWaitMs: 5 * MINUTE_MS,
  excessWaitMs: MINUTE_MS,
  uncappedDelayMs: 5 * MINUTE_MS,
  starvedMs: 10,
  starvedShare: 0.01,
  staleDelayMs: 50,
  abortAtOnceMs: 5,
  secondsAsMsShare: 0.5,
  msAsSecondsShare: 0.1,
};
