import { HOUR_MS, MINUTE_MS } from '../calendar';
import {
  BOT_GATEWAY,
  CRM_SYNC,
  DEAL_ADD,
  DEAL_UPDATE,
  drawAmount,
  LEAD_ADD,
  MESSAGE_SEND,
  ORDER_INTAKE,
  PORTALS,
  type Caller,
  type Route,
} from '../fleet';
import { cutBody, refuse, resetByPeer, succeed, timeOut } from '../outcomes';
import type { Operation, SendOutcome, Story } from '../story';
import { drawInstants, type Plot } from './plot';

function drawDoubt(story: Story, caller: Caller): SendOutcome {
  const { random } = story;
  if (caller === BOT_GATEWAY) {
    return refuse(random, random.pick(['BH_APP_TIMEOUT', 'BH_APP_CONNECTION_LOST', 'BH_APP_STARTING'] as const));
  }
  return random.weighted([
    [() => refuse(random, 'BITRIX_TIMEOUT'), 6],
    [() => refuse(random, 'SERVICE_UNAVAILABLE'), 2],
    [() => refuse(random, 'BITRIX_UNAVAILABLE'), 3],
    [() => refuse(random, 'DB_TRANSIENT'), 1],
    [() => refuse(random, 'POOL_EXHAUSTED'), 1],
    [() => refuse(random, 'OPERATION_TIME_LIMIT'), 0.6],
    [() => timeOut(20_000 + random.int(0, 30)), 3],
    [() => resetByPeer(random.latencyMs(700)), 2],
    [() => cutBody(random.latencyMs(600)), 0.6],
  ] as const)();
}

interface Cast {
  caller: Caller;
  route: Route;
}

const CAST: readonly (readonly [Cast, number])[] = [
  [{ caller: ORDER_INTAKE, route: DEAL_ADD }, 5],
  [{ caller: ORDER_INTAKE, route: LEAD_ADD }, 3],
  [{ caller: CRM_SYNC, route: DEAL_UPDATE }, 3],
  [{ caller: BOT_GATEWAY, route: MESSAGE_SEND }, 2],
];

function beginWrite(story: Story, at: number, cast: Cast): Operation {
  const { random } = story;
  const order = `ORD-${random.int(100_000, 999_999)}`;
  const costs = cast.caller === ORDER_INTAKE;
  return story.begin(cast.caller, cast.route, at, {
    scope: random.pick(PORTALS),
    businessKey: order,
    ...(costs && { amount: drawAmount(random), attributes: { order, channel: random.pick(['web', 'app', 'phone']) } }),
  });
}

/** 1.8.0: a write without an answer is sent again, unseen, until something comes back. */
function repeatBlindly(story: Story, operation: Operation, caller: Caller, route: Route): void {
  const { random } = story;
  const again = random.chance(0.25);
  operation.wait(random.between(800, 2_200));
  if (again) operation.send(drawDoubt(story, caller)).wait(random.between(1_500, 4_000));
  operation.send(succeed(random.latencyMs(route.latencyMs), 201));
}

/** A careful client looks first, and writes again only when nothing is there. */
function lookFirst(story: Story, operation: Operation, route: Route): void {
  const { random } = story;
  const afterMs = random.between(65_000, 240_000);
  const entityIds = [String(random.int(10_000, 99_999))];
  random.weighted([
    [() => operation.readBack('present', { afterMs, entityIds }), 42],
    [
      () =>
        operation
          .readBack('absent', { afterMs })
          .wait(random.between(200, 900))
          .send(succeed(random.latencyMs(route.latencyMs), 201)),
      30,
    ],
    [() => operation.readBack('inconclusive', { afterMs }), 5],
    [() => operation.readBack('present', { afterMs, criterion: 'weak', entityIds }), 4],
    // Nobody looked: the process had other things to do.
    [() => operation, 10],
  ] as const)();
}

function tellUnknownWrite(story: Story, at: number): void {
  const { random } = story;
  const cast = random.weighted(CAST);
  const operation = beginWrite(story, at, cast);
  operation.announce().send(drawDoubt(story, cast.caller));
  if (operation.sdk.version === '1.8.0') repeatBlindly(story, operation, cast.caller, cast.route);
  else lookFirst(story, operation, cast.route);
}

/** Writes that may or may not have happened. */
export const tellUnknownWrites: Plot = (story, setting) => {
  for (const at of drawInstants(story, setting, 9, 1.5)) tellUnknownWrite(story, at);
  tellSlowReadBacks(story, setting.anchor);
};

const SLOW_EVERY_MS = 8 * MINUTE_MS;

/** A reader that is always behind: from the demo's last hour on, some write waits for its read-back at any time. */
function tellSlowReadBacks(story: Story, anchor: number): void {
  const { random } = story;
  if (story.hourStart < Math.floor(anchor / HOUR_MS) * HOUR_MS - HOUR_MS) return;
  for (let at = story.hourStart; at < story.hourStart + HOUR_MS; at += SLOW_EVERY_MS) {
    const operation = beginWrite(story, at, { caller: ORDER_INTAKE, route: LEAD_ADD });
    operation.send(refuse(random, 'BITRIX_TIMEOUT'));
    const entityIds = [String(random.int(10_000, 99_999))];
    operation.readBack('present', { afterMs: random.between(10.5, 13) * MINUTE_MS, entityIds });
  }
}

/** Clients that died between sending and hearing: only their start is known. */
export const tellDiedClients: Plot = (story, setting) => {
  for (const at of drawInstants(story, setting, 0.35, 0.08)) {
    beginWrite(story, at, story.random.weighted(CAST)).announce();
  }
};
