import type { Settings } from './operation';

/** How far each setting of a project may go, both ends included. */
export interface SettingBounds {
  /** `ms` durations, `count` whole numbers, `share` of 1, `factor` how many times. */
  unit: 'ms' | 'count' | 'share' | 'factor';
  min: number;
  max: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const ms = (min: number, max: number): SettingBounds => ({ unit: 'ms', min, max });

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
};

/** Whole numbers but for shares and factors. */
export function isWholeUnit({ unit }: SettingBounds): boolean {
  return unit === 'ms' || unit === 'count';
}
