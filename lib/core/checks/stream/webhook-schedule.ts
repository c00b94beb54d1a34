import type { WebhookDelivery } from '../../attempt';
import type { Settings } from '../../operation';
import { byStartAt, byStartedAt, groupSends, type StreamCheck, type StreamHit, type StreamInput } from './stream';

/**
 * M22: deliveries that the platform makes to us, per job and event, on the receiver's clock. Gaps (or offsets from the
 * first, Q19: a setting) against the published table, more deliveries than it names, and one after a delivery that was
 * already taken, which a receiver must be able to meet.
 */

const GAPS_MS = [60_000, 300_000, 1_800_000, 7_200_000, 43_200_000] as const;

type Kind = 'off_schedule' | 'too_many' | 'after_success';

/** The wait the table names before delivery number `at` (from 0), and the one that was seen; null past its end. */
function gapBefore(sorted: readonly WebhookDelivery[], at: number, byOffsets: boolean): [number, number] | null {
  const expectedMs = GAPS_MS[at - 1];
  const [own, before] = [sorted[at], sorted[byOffsets ? 0 : at - 1]];
  return expectedMs === undefined || !own || !before ? null : [expectedMs, own.startedAt - before.startedAt];
}

/** @param taken place of the first delivery that was answered with 2xx, -1 without one */
function kindsOf(sorted: readonly WebhookDelivery[], at: number, taken: number, settings: Settings): [Kind, object][] {
  if (taken >= 0 && taken < at) return [['after_success', { takenAs: taken + 1 }]];
  const found: [Kind, object][] = [];
  if (at >= settings.webhookDeliveriesMaxCount) {
    found.push(['too_many', { deliveriesMax: settings.webhookDeliveriesMaxCount }]);
  }
  const gap = gapBefore(sorted, at, settings.webhookByOffsetsSwitch >= 1);
  if (gap !== null) {
    const [expectedMs, gapMs] = gap;
    if (Math.abs(gapMs - expectedMs) > expectedMs * settings.webhookToleranceShare) {
      found.push(['off_schedule', { gapMs, expectedMs }]);
    }
  }
  return found;
}

/** Which operation made a job: the first that was answered with it, else the one a result speaks of. */
function operationsByJob({ sends, facts }: StreamInput): Map<string, string> {
  const owners = new Map<string, string>();
  const claim = (jobId: string | undefined, operationId: string): void => {
    if (jobId !== undefined && !owners.has(jobId)) owners.set(jobId, operationId);
  };
  for (const { jobId, operationId } of [...sends].sort(byStartAt)) claim(jobId, operationId);
  for (const { jobId, operationId } of [...facts.jobs].sort(byStartedAt)) claim(jobId, operationId);
  return owners;
}

function eventOf({ jobId, event }: WebhookDelivery): string {
  return JSON.stringify([jobId, event]);
}

export const findWebhookSchedule: StreamCheck = {
  check: 'webhook_schedule',
  groupBy: 'job',
  lookBackMs: (settings) => GAPS_MS.reduce((sum, gap) => sum + gap * (1 + settings.webhookToleranceShare), 0),
  lookAheadMs: () => 0,
  find(input) {
    if (input.facts.deliveries.length === 0) return [];
    const owners = operationsByJob(input);
    return [...groupSends(input.facts.deliveries, eventOf).values()].flatMap((group) => {
      const sorted = [...group].sort(byStartedAt);
      const taken = sorted.findIndex(({ status }) => status >= 200 && status <= 299);
      return sorted.flatMap((delivery, at) => {
        const operationId = delivery.operationId ?? owners.get(delivery.jobId);
        return kindsOf(sorted, at, taken, input.settings).map(([kind, more]): StreamHit => ({
          check: 'webhook_schedule',
          severity: 'low',
          ...(operationId === undefined ? {} : { operationId }),
          subject: { kind: 'job', value: delivery.jobId },
          at: delivery.startedAt,
          evidence: { kind, event: delivery.event, delivery: at + 1, status: delivery.status, ...more },
        }));
      });
    });
  },
};
