import type { Fact } from '@/lib/core/attempt';
import type { Settings } from '@/lib/core/operation';
import type { ProblemItem } from '@/lib/platform/problem';

export const AHEAD_MS_MAX = 10 * 60_000;

/** Times that are taken, both ends included; epoch ms. */
export interface TimeWindow {
  from: number;
  to: number;
}

/**
 * What retention has let go of stays out even where it has become longer since: the ledger doesn't know those ids any
 * more, so an event sent again would count twice.
 * @param keptFrom epoch ms, from the project's mark
 */
export function timeWindow(now: number, settings: Settings, keptFrom: number): TimeWindow {
  return { from: Math.max(now - settings.retentionMs, keptFrom), to: now + AHEAD_MS_MAX };
}

/**
 * Never clamped: an event any of whose times lies outside the window is refused, with its code. An end a year ahead
 * would keep a doubtful write waiting for a year, so the ends are held to it like the start. `oldestSeen` is not a time
 * of the event: a listing reaches back as far as it does.
 */
export function refuseTimes(fact: Fact, window: TimeWindow, index: number): ProblemItem | null {
  if (fact.type === 'tally') return refuseTime(fact.minute, window, index, '/minute');
  const refused = refuseTime(fact.startedAt, window, index, '/startedAt');
  if (refused) return refused;
  if (fact.type === 'attempt' && fact.headersAt !== undefined) {
    const head = refuseTime(fact.headersAt, window, index, '/headersAt');
    if (head) return head;
  }
  if ((fact.type === 'attempt' || fact.type === 'readback') && fact.endedAt !== undefined)
    return refuseTime(fact.endedAt, window, index, '/endedAt');
  return null;
}

function refuseTime(at: number, { from, to }: TimeWindow, index: number, pointer: string): ProblemItem | null {
  const late = at < from;
  if (!late && at <= to) return null;
  const detail = late ? 'The time is older than the retention.' : 'The time is more than 10 minutes ahead.';
  return { index, pointer, code: 'timestamp_out_of_range', detail };
}
