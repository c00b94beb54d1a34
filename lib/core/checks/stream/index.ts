import type { Settings } from '../../operation';
import { findAmplification } from './amplification';
import { findAuthLoop } from './auth-loop';
import { findBackoffShape } from './backoff-shape';
import { findContractAnomaly } from './contract-anomaly';
import { findDuplicateSuspected } from './duplicate-suspected';
import { findErrorLoop } from './error-loop';
import { findKeyReused } from './key-reused';
import { findNoJitter } from './no-jitter';
import { findPauseBrokenByOthers } from './pause-broken-by-others';
import { compareText, type StreamCheck, type StreamFinding, type StreamHit, type StreamInput } from './stream';
import { findSynchronisedRetries } from './synchronised-retries';
import { findWebhookSchedule } from './webhook-schedule';

/** Every check that looks across operations, in the order their findings are shown. */
export const STREAM_CHECKS: readonly StreamCheck[] = [
  findPauseBrokenByOthers,
  findDuplicateSuspected,
  findKeyReused,
  findAuthLoop,
  findErrorLoop,
  findSynchronisedRetries,
  findNoJitter,
  findBackoffShape,
  findAmplification,
  findWebhookSchedule,
  findContractAnomaly,
];

/** What one check finds, its window and what it looked at written on each finding, in order of time. */
export function findWith(check: StreamCheck, input: StreamInput): StreamFinding[] {
  const { window, sends } = input;
  const hits = check.find(input).filter(({ at }) => at >= window.from && at < window.to);
  if (hits.length === 0) return [];
  const operations = new Set(sends.map(({ operationId }) => operationId)).size;
  const lookedAt = { operations, attempts: sends.length };
  return hits.map((hit: StreamHit) => ({ ...hit, window, lookedAt })).sort(byInstant);
}

function byInstant(a: StreamFinding, b: StreamFinding): number {
  return a.at - b.at || compareText(a.subject.value, b.subject.value);
}

/** All stream checks over what was handed over. Pure; the order of sends and facts doesn't matter. */
export function findInStream(input: StreamInput): StreamFinding[] {
  return STREAM_CHECKS.flatMap((check) => findWith(check, input));
}

/** How far before and after a window sends and facts must reach for every check to be whole, ms. */
export function streamReach(settings: Settings): { backMs: number; aheadMs: number } {
  return {
    backMs: STREAM_CHECKS.reduce((most, check) => Math.max(most, check.lookBackMs(settings)), 0),
    aheadMs: STREAM_CHECKS.reduce((most, check) => Math.max(most, check.lookAheadMs(settings)), 0),
  };
}
