import type { Fact } from '@/lib/core/attempt';
import { contentUuid } from '@/lib/platform/ids';

/** The instant an event is about, epoch ms: retention, partitions and ids go by it. */
export function eventTime(fact: Fact): number {
  return fact.type === 'tally' ? fact.minute : fact.startedAt;
}

/** For an event without an id: the same event sent again gets the same one (docs/api.md lists the members). */
export function deriveId(fact: Fact): string {
  const member = (name: string): unknown => (fact as unknown as Record<string, unknown>)[name] ?? null;
  const batchId = fact.type === 'attempt' ? (fact.batch?.id ?? null) : null;
  const names = [
    'type',
    'operationId',
    'attempt',
    'startedAt',
    'service',
    'instance',
    'credential',
    'jobId',
    'event',
    'code',
  ];
  return contentUuid(eventTime(fact), JSON.stringify([...names.map(member), batchId]));
}

/** The id of one item of an expanded batch: from its event's id and the item's name. */
export function deriveItemId(eventId: string, item: string, startedAt: number): string {
  return contentUuid(startedAt, JSON.stringify(['item', eventId, item]));
}

/** The id of what a carrying attempt leaves of itself when it is expanded. */
export function deriveTraceId(eventId: string, startedAt: number): string {
  return contentUuid(startedAt, JSON.stringify(['items told', eventId]));
}
