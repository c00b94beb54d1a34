import { CHECK_NAMES, type CheckName } from './checks/check-name';
import { HARM_MEANINGS, type CheckMeaning } from './finding-words/harm-meanings';
import { MANNERS_MEANINGS } from './finding-words/manners-meanings';
import type { Severity, Settings } from './operation';
import type { LocalText } from './rules/rule';

/** What there is to find: for lists of checks, their filters and the settings that move them. */

export interface CheckInfo {
  check: CheckName;
  /** Number of the measure in domain.md §8 it belongs to; `flag` for those that stand beside the measures. */
  metric: string;
  /** The usual one; grades of a check go up or down from it. */
  severity: Severity;
  /** `operation`: from one operation's facts. `stream`: from many, over a window. */
  reach: readonly ('operation' | 'stream')[];
  /** One line: what it means when it is found. */
  meaning: LocalText;
  /** The formula in words, its denominator named where there is one. */
  formula: LocalText;
  /** Settings it reads. */
  settings: readonly (keyof Settings)[];
}

type Facts = Pick<CheckInfo, 'metric' | 'severity' | 'settings'> & { stream?: 'only' | 'too' };

const PAIR_TOLERANCES = ['toleranceSecondsMs', 'toleranceStrictMs', 'toleranceDateMs', 'dateUncertaintyMs'] as const;

const FACTS: Readonly<Record<CheckName, Facts>> = {
  blind_write_retry: { metric: 'M4', severity: 'high', settings: ['readBackSettleMs'] },
  duplicate_suspected: { metric: 'M15', severity: 'medium', settings: ['duplicateLookBackMs'], stream: 'too' },
  pause_broken_by_others: {
    metric: 'M3',
    severity: 'high',
    settings: ['pauseGraceMs', 'pauseMaxMs', 'callerPauseMaxMs', 'quarantineByTargetSwitch', ...PAIR_TOLERANCES],
    stream: 'only',
  },
  never_retry_retried: { metric: 'M6', severity: 'medium', settings: [] },
  error_loop: {
    metric: 'M14',
    severity: 'medium',
    settings: ['errorLoopMinCount', 'errorLoopWindowMs'],
    stream: 'only',
  },
  auth_loop: {
    metric: 'M13',
    severity: 'medium',
    settings: ['authFailuresMinCount', 'authWindowMs', 'authFlightMs'],
    stream: 'too',
  },
  early_retry: { metric: 'M1', severity: 'medium', settings: PAIR_TOLERANCES },
  early_capped: { metric: 'M2', severity: 'medium', settings: PAIR_TOLERANCES },
  wait_past_deadline: { metric: 'M2', severity: 'medium', settings: ['quillhubDeadlineMs'] },
  past_deadline: { metric: 'M8', severity: 'medium', settings: ['quillhubDeadlineMs'] },
  over_limit: { metric: 'M7', severity: 'medium', settings: ['retriesMaxCount'] },
  under_limit: { metric: 'M7', severity: 'medium', settings: ['idleOverMs', 'quillhubDeadlineMs'] },
  throttle_in_backoff_loop: {
    metric: 'M12',
    severity: 'medium',
    settings: ['throttleWaitMinMs', 'toleranceSecondsMs'],
  },
  key_regenerated: { metric: 'M11', severity: 'medium', settings: [] },
  key_dropped: { metric: 'M11', severity: 'medium', settings: [] },
  key_missing: { metric: 'M11', severity: 'medium', settings: [] },
  key_reused: { metric: 'M11', severity: 'medium', settings: ['keyLookBackMs'], stream: 'too' },
  operation_id_reused: { metric: 'M6', severity: 'medium', settings: [] },
  whole_batch_resent: { metric: 'M20', severity: 'medium', settings: [] },
  partial_success: { metric: 'M20', severity: 'low', settings: [] },
  item_without_outcome: { metric: 'M20', severity: 'low', settings: [] },
  hot_loop: { metric: 'flag', severity: 'medium', settings: ['zeroDelayMs', 'hotLoopMinCount'] },
  zero_delay: { metric: 'flag', severity: 'low', settings: ['zeroDelayMs'] },
  unit_error_seconds_as_ms: { metric: 'flag', severity: 'medium', settings: ['secondsAsMsShare'] },
  unit_error_ms_as_seconds: { metric: 'flag', severity: 'medium', settings: ['msAsSecondsShare'] },
  stale_delay_used: { metric: 'flag', severity: 'medium', settings: ['staleDelayMs'] },
  long_wait: { metric: 'flag', severity: 'low', settings: ['longWaitMs'] },
  excess_wait: { metric: 'flag', severity: 'low', settings: ['excessWaitMs'] },
  delay_uncapped: { metric: 'flag', severity: 'low', settings: ['uncappedDelayMs', 'toleranceSecondsMs'] },
  no_jitter: {
    metric: 'M9',
    severity: 'low',
    settings: ['jitterPairsMinCount', 'jitterSpreadMinShare', 'jitterOverFactor'],
    stream: 'only',
  },
  backoff_shape: {
    metric: 'M23',
    severity: 'low',
    settings: ['backoffPairsMinCount', 'backoffMedianShare', 'toleranceSecondsMs'],
    stream: 'too',
  },
  synchronised_retries: {
    metric: 'M10',
    severity: 'low',
    settings: ['herdBinMs', 'herdReceiveBinMs', 'herdInstancesMinCount', 'herdFactor', 'herdBaselineMs'],
    stream: 'only',
  },
  overlapping_attempts: { metric: 'M16', severity: 'low', settings: ['dateUncertaintyMs'] },
  amplification: {
    metric: 'M17',
    severity: 'low',
    settings: ['amplificationFactor', 'amplificationOperationsMinCount', 'amplificationBaselineMs'],
    stream: 'too',
  },
  wasted_retry: { metric: 'M18', severity: 'low', settings: [] },
  retryable_not_retried: { metric: 'flag', severity: 'low', settings: ['idleOverMs'] },
  retry_after_abort: { metric: 'flag', severity: 'low', settings: ['abortAtOnceMs'] },
  attempt_starved: { metric: 'flag', severity: 'low', settings: ['starvedMs', 'starvedShare'] },
  attempt_gap: { metric: 'flag', severity: 'low', settings: [] },
  incomplete_give_up: { metric: 'M19', severity: 'low', settings: ['idleOverMs'] },
  contract_anomaly: {
    metric: 'M21',
    severity: 'low',
    settings: ['agentDeleteWindowMs', 'overflowWindowMs'],
    stream: 'too',
  },
  webhook_schedule: {
    metric: 'M22',
    severity: 'low',
    settings: ['webhookByOffsetsSwitch', 'webhookToleranceShare', 'webhookDeliveriesMaxCount'],
    stream: 'only',
  },
};

function reachOf({ stream }: Facts): CheckInfo['reach'] {
  if (stream === 'only') return ['stream'];
  return stream === 'too' ? ['operation', 'stream'] : ['operation'];
}

const MEANINGS: Readonly<Record<CheckName, CheckMeaning>> = { ...HARM_MEANINGS, ...MANNERS_MEANINGS };

const CATALOGUE: readonly CheckInfo[] = CHECK_NAMES.map((check) => {
  const { metric, severity, settings } = FACTS[check];
  return { check, metric, severity, settings, reach: reachOf(FACTS[check]), ...MEANINGS[check] };
});

/** Every check there is, harm first. */
export function listChecks(): readonly CheckInfo[] {
  return CATALOGUE;
}
