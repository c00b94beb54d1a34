import type { Settings } from '@/lib/core/operation';
import type { ProblemItem } from '@/lib/platform/problem';

export const AHEAD_MS_MAX = 10 * 60_000;

/** Never clamped: an event outside the window is refused, with its code. */
export function refuseTime(
  at: number,
  now: number,
  settings: Settings,
  index: number,
  pointer: string,
): ProblemItem | null {
  const late = at < now - settings.retentionMs;
  if (!late && at <= now + AHEAD_MS_MAX) return null;
  const detail = late ? 'The time is older than the retention.' : 'The time is more than 10 minutes ahead.';
  return { index, pointer, code: 'timestamp_out_of_range', detail };
}
