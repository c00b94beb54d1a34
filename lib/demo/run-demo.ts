import { setTimeout as sleep } from 'node:timers/promises';
import { HOUR_MS } from './calendar';
import { loadDemoWeek, makePostOptions, sendLines, type LoadOptions, type LoadResult } from './load-week';
import type { TimedEvent } from './story';
import { STORY_TAIL_MS, tellHour } from './week';

export interface DemoOptions extends Omit<LoadOptions, 'until'> {
  signal: AbortSignal;
  /** Called once the week is in, before the trickle begins. */
  onLoaded?: (result: LoadResult) => void;
  /** Told of a trickle that could not be sent; the next one sends it again. */
  onTrickleFailed?: (error: unknown) => void;
  now?: () => number;
}

const TRICKLE_EVERY_MS = 2_000;

/** The hours whose events may still become known, told once each. */
class LivingHours {
  readonly #told = new Map<number, TimedEvent[]>();
  readonly #setting: { anchor: number; scale: number };

  constructor(setting: { anchor: number; scale: number }) {
    this.#setting = setting;
  }

  /** Events that became known in (from, to]. */
  between(from: number, to: number): TimedEvent[] {
    const first = Math.floor((from - STORY_TAIL_MS) / HOUR_MS) * HOUR_MS;
    for (const hour of this.#told.keys()) if (hour < first) this.#told.delete(hour);
    const events: TimedEvent[] = [];
    for (let hour = first; hour <= to; hour += HOUR_MS) {
      const told = this.#told.get(hour) ?? tellHour(hour, this.#setting);
      this.#told.set(hour, told);
      events.push(...told.filter((event) => event.at > from && event.at <= to));
    }
    return events.sort((a, b) => a.at - b.at);
  }
}

/**
 * Loads the week, then sends each further event when its time comes, until `signal` fires.
 * @throws DemoLoadError when the week itself can't be loaded
 */
export async function runDemo(options: DemoOptions): Promise<void> {
  const now = options.now ?? Date.now;
  const until = now();
  options.onLoaded?.(await loadDemoWeek({ ...options, until }));
  const hours = new LivingHours({ anchor: options.anchor, scale: options.scale ?? 1 });
  const post = makePostOptions(options.baseUrl, options.ingestKey);
  for (let sent = until; !options.signal.aborted;) {
    await sleep(TRICKLE_EVERY_MS, undefined, { signal: options.signal }).catch(() => undefined);
    if (options.signal.aborted) return;
    const to = now();
    const lines = hours.between(sent, to).map(({ event }) => JSON.stringify(event));
    try {
      if (lines.length > 0) await sendLines(lines, post, options.signal);
      sent = to;
    } catch (error) {
      if (!options.signal.aborted) options.onTrickleFailed?.(error);
    }
  }
}
