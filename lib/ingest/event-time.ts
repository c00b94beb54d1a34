import type { Fact } from '@/lib/core/attempt';
import type { Settings } from '@/lib/core/operation';
import type { ProblemItem } from '@/lib/platform/problem';

export const AHEAD_MS_MAX = 10 * 60_000;

/**
 * Never clamped: an event any of whose times lies outside the window is refused, with its code. An end a year ahead
 * would keep a doubtful write waiting for a year, so the ends are held to it like the start. `oldestSeen` is not a time
 * of the event: a listing reaches back as far as it does.
 */
export function refuseTimes(fact: Fact, now: number, settings: Settings, index: number): ProblemItem | null {
  if (fact.type === 'tally') return refuseTime(fact.minute, now, settings, index, '/minute');
  const refused = refuseTime(fact.startedAt, now, settings, index, '/startedAt');
  if (refused) return refused;
  if (fact.type === 'attempt' && fact.headersAt !== undefined) {
    const head = refuseTime(fact.headersAt, now, settings, index, '/headersAt');
    if (head) return head;
  }
  if ((fact.type === 'attempt' || fact.type === 'readback') && fact.endedAt !== undefined)
    return refuseTime(fact.endedAt, now, settings, index, '/endedAt');
  return null;
}

function refuseTime(at: number, now: number, settings: Settings, index: number, pointer: string): ProblemItem | null {
  const late = at < now - settings.retentionMs;
  if (!late && at <= now + AHEAD_MS_MAX) return null;
  const detail = late ? 'The time is older than the retention.' : 'The time is more than 10 minutes ahead.';
  return { index, pointer, code: 'timestamp_out_of_range', detail };
}
