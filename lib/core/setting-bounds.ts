import type { Settings } from './operation';

/** How far each setting of a project may go, both ends included. */
export interface SettingBounds {
  /** `ms` durations, `count` whole numbers, `share` of 1, `factor` how many times, `switch` 0 or 1. */
  unit: 'ms' | 'count' | 'share' | 'factor' | 'switch';
  min: number;
  max: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const ms = (min: number, max: number): SettingBounds => ({ unit: 'ms', min, max });
const count = (min: number, max: number): SettingBounds => ({ unit: 'count', min, max });
const share = (min: number, max: number): SettingBounds => ({ unit: 'share', min, max });
const factor = (min: number, max: number): SettingBounds => ({ unit: 'factor', min, max });
const toggle: SettingBounds = { unit: 'switch', min: 0, max: 1 };

/** One row a setting: a new setting is not complete without its bounds. */
export const SETTING_BOUNDS: Readonly<Record<keyof Settings, SettingBounds>> = {
  readBackGraceMs: ms(0, 7 * DAY),
  idleOverMs: ms(SECOND, 7 * DAY),
  readBackSettleMs: ms(0, DAY),
  claimLeaseMs: ms(MINUTE, DAY),
  reviewDeadlineMs: ms(MINUTE, 90 * DAY),
  snoozeMaxMs: ms(MINUTE, 365 * DAY),
  retentionMs: ms(DAY, 365 * DAY),
  diedAfterMs: ms(SECOND, DAY),
  clockSkewFlagMs: ms(SECOND, DAY),
  toleranceSecondsMs: ms(0, MINUTE),
  toleranceStrictMs: ms(0, MINUTE),
  toleranceDateMs: ms(0, MINUTE),
  dateUncertaintyMs: ms(0, MINUTE),
  pauseGraceMs: ms(0, MINUTE),
  pauseMaxMs: ms(SECOND, DAY),
  callerPauseMaxMs: ms(SECOND, DAY),
  quarantineByTargetSwitch: toggle,
  retriesMaxCount: count(0, 1000),
  quillhubDeadlineMs: ms(SECOND, DAY),
  jitterPairsMinCount: count(5, 10_000),
  jitterSpreadMinShare: share(0, 1),
  jitterOverFactor: factor(1, 100),
  herdBinMs: ms(10, MINUTE),
  herdReceiveBinMs: ms(10, MINUTE),
  herdInstancesMinCount: count(2, 10_000),
  herdFactor: factor(1, 100),
  herdBaselineMs: ms(SECOND, HOUR),
  keyLookBackMs: ms(MINUTE, 7 * DAY),
  duplicateLookBackMs: ms(MINUTE, 7 * DAY),
  throttleWaitMinMs: ms(0, HOUR),
  authFailuresMinCount: count(1, 1000),
  authWindowMs: ms(SECOND, DAY),
  authFlightMs: ms(0, MINUTE),
  errorLoopMinCount: count(2, 1000),
  errorLoopWindowMs: ms(SECOND, DAY),
  amplificationFactor: factor(1, 100),
  amplificationOperationsMinCount: count(1, 1000),
  amplificationBaselineMs: ms(MINUTE, DAY),
  agentDeleteWindowMs: ms(0, HOUR),
  overflowWindowMs: ms(SECOND, HOUR),
  webhookByOffsetsSwitch: toggle,
  webhookToleranceShare: share(0, 1),
  webhookDeliveriesMaxCount: count(1, 1000),
  backoffPairsMinCount: count(5, 10_000),
  backoffMedianShare: share(0, 1),
  zeroDelayMs: ms(0, MINUTE),
  hotLoopMinCount: count(1, 100),
  longWaitMs: ms(0, DAY),
  excessWaitMs: ms(0, DAY),
  uncappedDelayMs: ms(0, DAY),
  starvedMs: ms(0, MINUTE),
  starvedShare: share(0, 1),
  staleDelayMs: ms(0, MINUTE),
  abortAtOnceMs: ms(0, MINUTE),
  secondsAsMsShare: share(0, 1),
  msAsSecondsShare: share(0, 1),
};

/** Whole numbers but for shares and factors. */
export function isWholeUnit({ unit }: SettingBounds): boolean {
  return unit === 'ms' || unit === 'count' || unit === 'switch';
}
