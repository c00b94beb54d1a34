import { HOUR_MS, INCIDENT_MS, incidentStart, incidentStrength, MINUTE_MS } from '../calendar';
import {
  CRM_SYNC,
  DEAL_ADD,
  DEAL_LIST,
  DEAL_UPDATE,
  drawAmount,
  LEAD_ADD,
  ORDER_INTAKE,
  PORTALS,
  type Route,
} from '../fleet';
import { refuse, succeed } from '../outcomes';
import type { Operation, Story } from '../story';
import { OLD_POLICY } from './throttled-reads';
import type { Plot, Setting } from './plot';

/** What the platform asks of everybody at once: hence the herd. */
const WAVE_MS = 30_000;
/** Operations an instance has waiting for the next wave, at the worst. */
const WAITING_PER_INSTANCE = 0.6;

/**
 * The portal's queue is full. Every instance is told "30 seconds" in the same moment, comes back in the same moment,
 * and fills the queue again.
 */
function tellWave(story: Story, at: number, strength: number, setting: Setting): void {
  const { random } = story;
  for (let instance = 1; instance <= CRM_SYNC.instances; instance += 1) {
    const count = random.count(WAITING_PER_INSTANCE * strength * setting.scale);
    for (let index = 0; index < count; index += 1) tellHerdMember(story, at, instance, setting.anchor);
  }
}

function tellHerdMember(story: Story, at: number, instance: number, anchor: number): void {
  const { random } = story;
  const route: Route = random.chance(0.75) ? DEAL_LIST : DEAL_UPDATE;
  const operation = story.begin(CRM_SYNC, route, at + random.between(0, 90), {
    instance,
    scope: random.pick(PORTALS),
    sdk: { name: 'vibe-js', version: '2.2.0' },
  });
  for (let sends = 1; sends <= 5; sends += 1) {
    const answer = { ...refuse(random, 'QUEUE_OVERFLOW', 30), lastsMs: random.int(18, 30), policy: OLD_POLICY };
    operation.send(answer);
    // No jitter at all: the next wave.
    operation.wait(WAVE_MS + random.int(1, 60));
    const healthy = incidentStrength(anchor, operation.now) === 0;
    if (healthy || random.chance(0.24)) {
      operation.send({ ...succeed(random.latencyMs(route.latencyMs)), policy: OLD_POLICY });
      return;
    }
  }
}

/** Orders keep coming in while the platform can't say what becomes of them. */
function tellOrder(story: Story, at: number): void {
  const { random } = story;
  const order = `ORD-${random.int(100_000, 999_999)}`;
  const route = random.chance(0.7) ? DEAL_ADD : LEAD_ADD;
  const operation = story.begin(ORDER_INTAKE, route, at, {
    scope: random.pick(PORTALS),
    businessKey: order,
    amount: drawAmount(random),
    attributes: { order, channel: 'web' },
  });
  const fail = (): Operation =>
    operation.send(
      refuse(random, random.pick(['BITRIX_TIMEOUT', 'SERVICE_UNAVAILABLE', 'BITRIX_UNAVAILABLE'] as const)),
    );
  fail();
  if (operation.sdk.version === '1.8.0') {
    operation.wait(random.between(800, 2_000));
    if (random.chance(0.6)) fail().wait(random.between(1_500, 4_000));
    operation.send(succeed(random.latencyMs(2_400), 201));
    return;
  }
  // The client looks once the platform is back.
  const backMs = Math.max(70_000, random.between(0.5, 1) * INCIDENT_MS);
  const seen = random.weighted([
    ['present', 50],
    ['absent', 24],
    ['inconclusive', 10],
    [null, 16],
  ] as const);
  if (seen === null) return;
  operation.readBack(seen, { afterMs: backMs, entityIds: [String(random.int(10_000, 99_999))] });
  if (seen === 'absent') operation.wait(random.between(200, 900)).send(succeed(random.latencyMs(route.latencyMs), 201));
}

/** Orders a minute at the incident's height whose fate is unclear. */
const UNCLEAR_ORDERS_A_MINUTE = 2.2;

export const tellIncident: Plot = (story, setting) => {
  const { anchor, scale } = setting;
  const start = incidentStart(anchor, story.hourStart + HOUR_MS / 2);
  const from = Math.max(start, story.hourStart);
  const to = Math.min(start + INCIDENT_MS, story.hourStart + HOUR_MS);
  for (let at = Math.ceil((from - start) / WAVE_MS) * WAVE_MS + start; at < to; at += WAVE_MS) {
    tellWave(story, at, incidentStrength(anchor, at), setting);
  }
  for (let at = from; at < to; at += MINUTE_MS) {
    const count = story.random.count(UNCLEAR_ORDERS_A_MINUTE * incidentStrength(anchor, at) * scale);
    for (let index = 0; index < count; index += 1) tellOrder(story, at + story.random.next() * MINUTE_MS);
  }
};
