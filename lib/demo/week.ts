import { HOUR_MS, WEEK_MS } from './calendar';
import { tellAgentDeletes, tellBusinessErrors, tellTokenTrouble } from './plots/agents-and-tokens';
import { tellCleanTraffic } from './plots/clean-traffic';
import { tellIncident } from './plots/incident';
import { tellOddClients } from './plots/odd-clients';
import { tellPayments } from './plots/payments';
import type { Plot, Setting } from './plots/plot';
import { tellPortalBatches } from './plots/portal-batches';
import { tellNightlyExport, tellSearchErrors, tellThrottledReads } from './plots/throttled-reads';
import { tellTranscriptions } from './plots/transcriptions';
import { tellDiedClients, tellUnknownWrites } from './plots/unknown-writes';
import { Random } from './random';
import { Story, type TimedEvent } from './story';

/** The order is part of the seed: a plot moved or added takes a place at the end. */
const PLOTS: readonly Plot[] = [
  tellCleanTraffic,
  tellThrottledReads,
  tellNightlyExport,
  tellSearchErrors,
  tellUnknownWrites,
  tellDiedClients,
  tellPayments,
  tellTranscriptions,
  tellPortalBatches,
  tellAgentDeletes,
  tellTokenTrouble,
  tellBusinessErrors,
  tellIncident,
  tellOddClients,
];

const SEED = 20_261_022;

/** No story of an hour runs longer than this past its end. */
export const STORY_TAIL_MS = 2 * HOUR_MS;

/** Everything that begins in an hour; its events may be known up to two hours later. */
export function tellHour(hourStart: number, setting: Setting): TimedEvent[] {
  return PLOTS.flatMap((plot, index) => {
    const story = new Story(new Random(SEED, Math.round(hourStart / HOUR_MS), index), hourStart);
    plot(story, setting);
    return story.events;
  });
}

/** The first whole hour of the seven days before `until`: the seven days before those stay empty. */
export function weekStart(until: number): number {
  return Math.ceil((until - WEEK_MS) / HOUR_MS) * HOUR_MS;
}

/** Hours of [from, to) in order, each with what its clients know by `to`. */
export function* tellWeek(from: number, to: number, setting: Setting): Generator<TimedEvent[]> {
  for (let hour = from; hour < to; hour += HOUR_MS) {
    yield tellHour(hour, setting).filter((event) => event.at <= to);
  }
}
