import { exponentialDelay } from 'axios-retry';
import { setTimeout as sleep } from 'node:timers/promises';
import { wrapFetch } from '@/lib/client';
import type { Step } from '../lab-server';
import type { CheckScenario } from './check-scenario';
import { bodyOf, factsOf, headersOf, sendByAxios, sendByHand, type Ask } from './clients';
import type { Kit } from './kit';
import { atLeast } from './ranges';

/** Layers inside one client: retries in retries, tries side by side, sends that the hooks never see. */

const OK: Step = { do: 'answer', status: 200, work: false };
const BUSY: Step = { do: 'answer', status: 503, work: false };
const SLOW: Step = { do: 'answer', status: 200, work: false, lateMs: 900 };

const calm = (count: number, error: Parameters<typeof exponentialDelay>[1]): number =>
  exponentialDelay(count, error, 100);

function readOp(kit: Kit, steps: Step[], more: Partial<Ask> = {}): Ask {
  return { operationId: kit.operation('op', steps), kind: 'read', ...more };
}

/** An application's loop around a library that repeats too: each round counts its sends from one. */
async function loopAround(kit: Kit, retries: number): Promise<void> {
  const ask = readOp(kit, [BUSY]);
  for (let round = 1; round <= 2; round += 1) {
    const status = await sendByAxios(kit, ask, { retry: { retries, retryDelay: calm } });
    if (status === 200 || retries === 0) return;
    await sleep(250);
  }
}

/** An SDK whose `fetch` repeats by itself, each call an operation of its own beneath the caller's. */
function makeSdk(kit: Kit, parent: string, sendsMax: number): typeof fetch {
  let calls = 0;
  return async (input) => {
    calls += 1;
    const send = wrapFetch(kit.reporter);
    const ask: Ask = { operationId: `${parent}:${calls}`, kind: 'read', parentOperationId: parent };
    kit.server.script(ask.operationId, [BUSY]);
    for (let attempt = 1; ; attempt += 1) {
      const about = { ...factsOf(kit, ask), attempt, ...(attempt > 1 && { reason: 'retry' as const }) };
      const answer = await send(input instanceof Request ? input.url : input, { headers: headersOf(ask) }, about);
      if (answer.ok || attempt >= sendsMax) return answer;
      await answer.text();
      await sleep(120);
    }
  };
}

async function callSdk(kit: Kit, sendsMax: number): Promise<void> {
  const ask = readOp(kit, [BUSY]);
  await sendByHand(kit, ask, { sendsMax: 2, waitMs: () => 250, fetch: makeSdk(kit, ask.operationId, sendsMax) });
}

const NESTED: CheckScenario[] = [
  {
    check: 'amplification',
    title: 'A loop around a library that repeats',
    client: 'axios',
    flawed: (kit) => loopAround(kit, 1),
    sound: (kit) => loopAround(kit, 0),
    found: [{ attempt: 1, severity: 'low', evidence: { kind: 'numbers_restart', sends: 4, distinctNumbers: 2 } }],
    // One layer that gave up is a retry missed.
    soundShows: ['retryable_not_retried'],
    state: 'failed',
  },
  {
    check: 'amplification',
    title: 'An SDK that repeats under a loop',
    client: 'fetch',
    flawed: (kit) => callSdk(kit, 3),
    sound: (kit) => callSdk(kit, 1),
    found: [
      {
        severity: 'low',
        evidence: {
          kind: 'nested',
          factor: 6,
          sends: 8,
          hops: [
            { operations: 1, attempts: 2, perOperation: 2 },
            { operations: 2, attempts: 6, perOperation: 3 },
          ],
        },
      },
    ],
    // Six times the same refusal in a moment: what amplification does to a platform.
    also: ['error_loop'],
    soundShows: ['retryable_not_retried'],
  },
];

/** Races a send against a timer. The timer wins; the request goes on, and is heard of later. */
async function raceTimer(kit: Kit, ask: Ask): Promise<void> {
  const send = wrapFetch(kit.reporter);
  const running: Promise<unknown>[] = [];
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const about = { ...factsOf(kit, ask), attempt, ...(attempt > 1 && { reason: 'retry' as const }) };
    const answer = send(`${kit.server.url}/things`, { headers: headersOf(ask) }, about).then((got) => got.text());
    running.push(answer);
    const first = await Promise.race([answer, sleep(300).then(() => null)]);
    if (first !== null) break;
    await sleep(150);
  }
  await Promise.all(running);
}

const SIDE_BY_SIDE: CheckScenario[] = [
  {
    check: 'overlapping_attempts',
    title: 'A time-out that cancels nothing',
    client: 'fetch',
    flawed: (kit) => raceTimer(kit, readOp(kit, [SLOW, OK])),
    sound: async (kit) => {
      await sendByHand(kit, readOp(kit, [SLOW, OK]), { sendsMax: 2, timeoutMs: 300, waitMs: () => 150 });
    },
    found: [{ attempt: 2, severity: 'low', evidence: { with: 1, overlapMs: atLeast(50), hedge: false } }],
  },
  {
    check: 'overlapping_attempts',
    title: 'A write hedged',
    client: 'fetch',
    flawed: (kit) => hedge(kit, 2),
    sound: (kit) => hedge(kit, 1),
    found: [{ attempt: 2, evidence: { with: 1, overlapMs: atLeast(100), hedge: true } }],
    also: ['blind_write_retry', 'duplicate_suspected'],
    state: 'succeeded_with_possible_duplicates',
  },
];

/** A second copy of the same write before the first has been answered; the first answer is taken. */
async function hedge(kit: Kit, copies: number): Promise<void> {
  const step: Step = { do: 'answer', status: 201, work: true, lateMs: 600 };
  const ask: Ask = { operationId: kit.operation('op', [step]), kind: 'write' };
  const send = wrapFetch(kit.reporter);
  const running = Array.from({ length: copies }, async (_, at) => {
    await sleep(at * 200);
    const about = { ...factsOf(kit, ask), attempt: at + 1, ...(at > 0 && { reason: 'hedge' as const }) };
    const init = { method: 'POST', headers: headersOf(ask), body: bodyOf(ask) };
    return (await send(`${kit.server.url}/things`, init, about)).text();
  });
  await Promise.race(running);
  await Promise.all(running);
}

async function hideRepeats(kit: Kit, hookedLate: boolean): Promise<void> {
  await sendByAxios(kit, readOp(kit, [BUSY, BUSY, OK]), { retry: { retries: 3, retryDelay: calm }, hookedLate });
}

const UNSEEN: CheckScenario[] = [
  {
    check: 'attempt_gap',
    title: 'Hooked behind the layer that repeats',
    client: 'axios',
    // Interceptors after axios-retry hear of the end alone.
    flawed: (kit) => hideRepeats(kit, true),
    sound: (kit) => hideRepeats(kit, false),
    found: [{ severity: 'low', evidence: { missing: [1, 2], observed: 1, highest: 3 } }],
    state: 'succeeded',
  },
];

export const LAYERS: readonly CheckScenario[] = [...NESTED, ...SIDE_BY_SIDE, ...UNSEEN];
