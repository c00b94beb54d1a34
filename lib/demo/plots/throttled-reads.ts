import type { Policy } from '@/lib/core/attempt';
import { CATALOG_WEB, CRM_SYNC, DEAL_LIST, DEAL_UPDATE, NIGHTLY_EXPORT, COMPANY_LIST, PORTALS, SEARCH } from '../fleet';
import { answerStatus, refuse, refuseConnection, resetByPeer, succeed, timeOut, type PlatformCode } from '../outcomes';
import type { Operation, Story } from '../story';
import { drawInstants, type Plot } from './plot';

const LIMITERS: readonly (readonly [PlatformCode, number])[] = [
  ['RATE_LIMITED', 10],
  ['CALLER_RATE_LIMITED', 3],
  ['QUEUE_TIMEOUT', 1],
  ['QUEUE_OVERFLOW', 2],
  ['OPERATION_TIME_LIMIT', 0.4],
  ['TIMEOUT_QUARANTINE', 0.6],
];

/** 2.2.0 waits 30 s at most, whatever it is told. */
const OLD_CAP_MS = 30_000;
export const OLD_POLICY: Policy = {
  maxRetries: 4,
  baseMs: 1_000,
  capMs: 30_000,
  jitter: 'equal',
  retryAfterCapMs: OLD_CAP_MS,
};

/** The wait a vibe-js client chooses after an answer. */
export function chooseWaitMs(story: Story, operation: Operation, askedMs: number | null, retry: number): number {
  const { random } = story;
  if (askedMs === null) return random.between(0.5, 1) * Math.min(30_000, 1_000 * 2 ** retry);
  if (operation.sdk.version === '2.2.0') return Math.min(askedMs, OLD_CAP_MS) + random.between(5, 120);
  return askedMs * random.between(1.01, 1.25) + random.between(5, 60);
}

function tellThrottledCall(story: Story, at: number): void {
  const { random } = story;
  const route = random.chance(0.8) ? DEAL_LIST : DEAL_UPDATE;
  const operation = story.begin(CRM_SYNC, route, at, { scope: random.pick(PORTALS) });
  const policy = operation.sdk.version === '2.2.0' ? { policy: OLD_POLICY } : {};
  const code = random.weighted(LIMITERS);
  // A write that ran out of its time budget is a doubt, told elsewhere.
  const limiter = route.kind === 'write' && code === 'OPERATION_TIME_LIMIT' ? 'RATE_LIMITED' : code;
  for (let retry = 0; retry < 4; retry += 1) {
    const answer = refuse(random, limiter);
    operation.send({ ...answer, ...policy });
    // Two minutes are more than an interactive caller has.
    if ((answer.askedMs ?? 0) > 120_000 && random.chance(0.7)) return;
    operation.wait(chooseWaitMs(story, operation, answer.askedMs, retry));
    if (random.chance(0.82)) {
      operation.send({ ...succeed(random.latencyMs(route.latencyMs)), ...policy });
      return;
    }
  }
}

/** Reads and safe writes that were told to slow down, and mostly did. */
export const tellThrottledReads: Plot = (story, setting) => {
  for (const at of drawInstants(story, setting, 165, 8)) tellThrottledCall(story, at);
};

const NIGHT_HOURS = [0, 1, 2];

/** The export that runs at night: 0.9.4 waits as asked, 0.9.2 backs off by its own table and asks again too soon. */
export const tellNightlyExport: Plot = (story, setting) => {
  const { random } = story;
  if (!NIGHT_HOURS.includes(new Date(story.hourStart).getUTCHours())) return;
  for (const at of drawInstants(story, setting, 0, 420)) {
    const operation = story.begin(NIGHTLY_EXPORT, COMPANY_LIST, at, { scope: 'nordwind.bitrix24.eu' });
    const deaf = operation.sdk.version === '0.9.2';
    const limited = random.chance(0.45);
    for (let retry = 0; limited && retry < 6; retry += 1) {
      const askedSeconds = random.pick([4, 6, 10]);
      operation.send(refuse(random, 'RATE_LIMITED', askedSeconds));
      operation.wait(deaf ? 500 * 2 ** Math.min(retry, 4) : askedSeconds * 1000 + random.between(5, 90));
      if (random.chance(deaf ? 0.25 : 0.75)) break;
    }
    operation.send(succeed(random.latencyMs(COMPANY_LIST.latencyMs)));
  }
};

/** The shop's search: short reads, short waits. */
export const tellSearchErrors: Plot = (story, setting) => {
  const { random } = story;
  for (const at of drawInstants(story, setting, 38, 3)) {
    const operation = story.begin(CATALOG_WEB, SEARCH, at);
    const first = random.weighted([
      [() => refuseConnection(random.int(1, 4)), 3],
      [() => timeOut(2_000 + random.int(0, 8)), 3],
      [() => resetByPeer(random.latencyMs(60)), 1],
      [() => answerStatus(random.latencyMs(40), 503, '1'), 3],
      [() => answerStatus(random.latencyMs(30), 404), 2],
    ] as const)();
    operation.send(first);
    if (first.status === 404) continue;
    operation.wait(first.retryAfter === '1' ? 1_000 + random.between(2, 40) : random.between(20, 200));
    if (random.chance(0.1)) operation.send(timeOut(2_000 + random.int(0, 8))).wait(random.between(50, 400));
    operation.send(succeed(random.latencyMs(SEARCH.latencyMs)));
  }
};
