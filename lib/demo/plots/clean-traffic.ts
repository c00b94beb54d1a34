import { HOUR_MS, incidentStrength, MINUTE_MS, shareOfPeak } from '../calendar';
import { STREAMS, type Caller, type Route } from '../fleet';
import { succeed } from '../outcomes';
import type { Story } from '../story';
import { drawInstants, type Plot } from './plot';

/** Tallies are this long before the demo began, and a minute from shortly before it on. */
const COARSE_MS = 15 * MINUTE_MS;
const FINE_BEFORE_ANCHOR_MS = 3 * HOUR_MS;

/** Single successes told as attempts in the busiest hour, over all services. */
const SINGLES_PEAK = 420;

function tallyOf(story: Story, caller: Caller, route: Route, at: number, lengthMs: number, anchor: number): void {
  const hit = caller.profile === 'vibecode' ? incidentStrength(anchor, at) : 0;
  const calls = route.callsPeak * shareOfPeak(at) * (lengthMs / HOUR_MS) * (1 - 0.6 * hit);
  const successes = Math.round(calls * story.random.between(0.9, 1.1));
  if (successes === 0) return;
  const event = {
    type: 'tally' as const,
    service: caller.service,
    call: route.call,
    kind: route.kind,
    target: caller.target,
    profile: caller.profile,
    minute: at,
    successes,
    ...(caller.environment && { environment: caller.environment }),
  };
  story.tell(at + lengthMs, event, at);
}

/** What went well: most of it in bulk, some of it as attempts of its own. */
export const tellCleanTraffic: Plot = (story, setting) => {
  const fine = story.hourStart >= Math.floor(setting.anchor / HOUR_MS) * HOUR_MS - FINE_BEFORE_ANCHOR_MS;
  const lengthMs = fine ? MINUTE_MS : COARSE_MS;
  for (const { caller, routes } of STREAMS) {
    for (const route of routes) {
      for (let at = story.hourStart; at < story.hourStart + HOUR_MS; at += lengthMs) {
        tallyOf(story, caller, route, at, lengthMs, setting.anchor);
      }
    }
  }
  const choices = STREAMS.flatMap(({ caller, routes }) =>
    routes.map((route) => [{ caller, route }, Math.sqrt(route.callsPeak)] as const),
  );
  for (const at of drawInstants(story, setting, SINGLES_PEAK)) {
    const { caller, route } = story.random.weighted(choices);
    story.begin(caller, route, at).send(succeed(story.random.latencyMs(route.latencyMs)));
  }
};
