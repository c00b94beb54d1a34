import type { WebhookDelivery } from '../../attempt';
import type { Settings } from '../../operation';
import { byStartAt, byStartedAt, groupSends, type StreamCheck, type StreamHit, type StreamInput } from './stream';

/**
 * M22: deliveries that the platform makes to us, per job and event, on the receiver's clock. Gaps (or offsets from the
 * first, Q19: a setting) against the published table, more deliveries than it names, and one after a delivery that was
 * already taken, which a receiver must be able to meet. Each is judged by those of the two days before it, more than
 * twice what the table takes: what it is told never depends on how much more a look has before it.
 */

const GAPS_MS = [60_000, 300_000, 1_800_000, 7_200_000, 43_200_000] as const;
const LOOK_BACK_MS = 48 * 3_600_000;

type Kind = 'off_schedule' | 'too_many' | 'after_success';

/** What is known before a delivery: how many there were, and of which. */
interface Before {
  count: number;
  first: WebhookDelivery;
  last: WebhookDelivery;
  /** How many deliveries before it were made until one was answered with 2xx, that one included; null without one. */
  takenAs: number | null;
}

/** The wait the table names, and the one that was seen; null past its end. */
function gapBefore(own: WebhookDelivery, before: Before, byOffsets: boolean): [number, number] | null {
  const expectedMs = GAPS_MS[before.count - 1];
  const from = byOffsets ? before.first : before.last;
  return expectedMs === undefined ? null : [expectedMs, own.startedAt - from.startedAt];
}

function kindsOf(own: WebhookDelivery, before: Before, settings: Settings): [Kind, object][] {
  if (before.takenAs !== null) return [['after_success', { takenAs: before.takenAs }]];
  const found: [Kind, object][] = [];
  if (before.count >= settings.webhookDeliveriesMaxCount) {
    found.push(['too_many', { deliveriesMax: settings.webhookDeliveriesMaxCount }]);
  }
  const gap = gapBefore(own, before, settings.webhookByOffsetsSwitch >= 1);
  if (gap !== null) {
    const [expectedMs, gapMs] = gap;
    if (Math.abs(gapMs - expectedMs) > expectedMs * settings.webhookToleranceShare) {
      found.push(['off_schedule', { gapMs, expectedMs }]);
    }
  }
  return found;
}

/** Every delivery that has others in the time before it, with what is known of those. In one pass. */
function pairWithBefore(sorted: readonly WebhookDelivery[]): { own: WebhookDelivery; before: Before }[] {
  const takes = sorted.flatMap(({ status }, at) => (status >= 200 && status <= 299 ? [at] : []));
  let from = 0;
  let take = 0;
  return sorted.flatMap((own, at) => {
    while (own.startedAt - (sorted[from]?.startedAt ?? own.startedAt) > LOOK_BACK_MS) from += 1;
    while ((takes[take] ?? Infinity) < from) take += 1;
    const [first, last] = [sorted[from], sorted[at - 1]];
    if (!first || !last || from === at) return [];
    const taken = takes[take] ?? Infinity;
    return [{ own, before: { count: at - from, first, last, takenAs: taken < at ? taken - from + 1 : null } }];
  });
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
  lookBackMs: () => LOOK_BACK_MS,
  lookAheadMs: () => 0,
  find(input) {
    if (input.facts.deliveries.length === 0) return [];
    const owners = operationsByJob(input);
    return [...groupSends(input.facts.deliveries, eventOf).values()].flatMap((group) => {
      return pairWithBefore([...group].sort(byStartedAt)).flatMap(({ own, before }) => {
        const operationId = own.operationId ?? owners.get(own.jobId);
        return kindsOf(own, before, input.settings).map(([kind, more]): StreamHit => ({
          check: 'webhook_schedule',
          severity: 'low',
          ...(operationId === undefined ? {} : { operationId }),
          subject: { kind: 'job', value: own.jobId },
          at: own.startedAt,
          evidence: { kind, event: own.event, delivery: before.count + 1, status: own.status, ...more },
        }));
      });
    });
  },
};
