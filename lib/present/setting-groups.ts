import type { Settings } from '../core/operation';
import { SETTING_KEYS } from '../core/settings-change';

/** Settings as the screen groups them: what is looked for together stands together. */

export const SETTING_GROUPS = [
  'waits',
  'operation',
  'review',
  'limits',
  'speed',
  'pauses',
  'backoff',
  'herd',
  'keys',
  'loops',
  'amplification',
  'webhooks',
  'storage',
] as const;
export type SettingGroup = (typeof SETTING_GROUPS)[number];

const GROUP_OF: Readonly<Record<keyof Settings, SettingGroup>> = {
  toleranceSecondsMs: 'waits',
  toleranceStrictMs: 'waits',
  toleranceDateMs: 'waits',
  dateUncertaintyMs: 'waits',
  clockSkewFlagMs: 'waits',
  idleOverMs: 'operation',
  diedAfterMs: 'operation',
  readBackSettleMs: 'operation',
  readBackGraceMs: 'review',
  reviewDeadlineMs: 'review',
  claimLeaseMs: 'review',
  snoozeMaxMs: 'review',
  retriesMaxCount: 'limits',
  quillhubDeadlineMs: 'limits',
  throttleWaitMinMs: 'limits',
  longWaitMs: 'limits',
  excessWaitMs: 'limits',
  uncappedDelayMs: 'limits',
  zeroDelayMs: 'speed',
  hotLoopMinCount: 'speed',
  staleDelayMs: 'speed',
  secondsAsMsShare: 'speed',
  msAsSecondsShare: 'speed',
  starvedMs: 'speed',
  starvedShare: 'speed',
  abortAtOnceMs: 'speed',
  pauseGraceMs: 'pauses',
  pauseMaxMs: 'pauses',
  callerPauseMaxMs: 'pauses',
  quarantineByTargetSwitch: 'pauses',
  overflowWindowMs: 'pauses',
  jitterPairsMinCount: 'backoff',
  jitterSpreadMinShare: 'backoff',
  jitterOverFactor: 'backoff',
  backoffPairsMinCount: 'backoff',
  backoffMedianShare: 'backoff',
  herdBinMs: 'herd',
  herdReceiveBinMs: 'herd',
  herdInstancesMinCount: 'herd',
  herdFactor: 'herd',
  herdBaselineMs: 'herd',
  keyLookBackMs: 'keys',
  duplicateLookBackMs: 'keys',
  agentDeleteWindowMs: 'keys',
  authFailuresMinCount: 'loops',
  authWindowMs: 'loops',
  authFlightMs: 'loops',
  errorLoopMinCount: 'loops',
  errorLoopWindowMs: 'loops',
  amplificationFactor: 'amplification',
  amplificationOperationsMinCount: 'amplification',
  amplificationBaselineMs: 'amplification',
  webhookByOffsetsSwitch: 'webhooks',
  webhookToleranceShare: 'webhooks',
  webhookDeliveriesMaxCount: 'webhooks',
  retentionMs: 'storage',
};

/** Settings of one group, in the order in which they are declared. */
export function listSettingsOf(group: SettingGroup): (keyof Settings)[] {
  const order = Object.keys(GROUP_OF) as (keyof Settings)[];
  return order.filter((key) => GROUP_OF[key] === group && SETTING_KEYS.includes(key));
}
