import { exponentialDelay } from 'axios-retry';
import type { Step } from '../lab-server';
import { makeRandom } from '../lab-run';
import type { CheckScenario } from './check-scenario';
import { sendByAxios, sendByGot, sendByHand, type Ask } from './clients';
import type { Kit } from './kit';
import { between } from './ranges';

/** Waits that a client chooses by itself: none, too long, all the same, not of the declared shape. */

const OK: Step = { do: 'answer', status: 200, work: false };
const BUSY: Step = { do: 'answer', status: 503, work: false };
const THROTTLED: Step = { do: 'answer', status: 429, work: false };

function readOp(kit: Kit, steps: Step[], more: Partial<Ask> = {}): Ask {
  return { operationId: kit.operation('op', steps), kind: 'read', ...more };
}

const AT_ONCE: CheckScenario[] = [
  {
    check: 'zero_delay',
    title: 'First retry at once',
    client: 'fetch',
    flawed: async (kit) => {
      await sendByHand(kit, readOp(kit, [BUSY, BUSY, OK]), {
        sendsMax: 3,
        waitMs: ({ attempt }) => (attempt === 1 ? 0 : 300),
      });
    },
    sound: async (kit) => {
      await sendByHand(kit, readOp(kit, [BUSY, BUSY, OK]), { sendsMax: 3, waitMs: ({ attempt }) => attempt * 200 });
    },
    found: [{ attempt: 2, severity: 'low', evidence: { after: 1, gapMs: between(0, 100) } }],
  },
  {
    check: 'hot_loop',
    title: 'Retries without any pause',
    client: 'axios',
    // What axios-retry does unless it is told a delay.
    flawed: async (kit) =>
      void (await sendByAxios(kit, readOp(kit, [BUSY, BUSY, BUSY, OK]), { retry: { retries: 3 } })),
    sound: async (kit) => {
      await sendByAxios(kit, readOp(kit, [BUSY, BUSY, OK]), {
        retry: { retries: 3, retryDelay: exponentialDelay },
      });
    },
    found: [{ attempt: 3, severity: 'medium', evidence: { after: 2, gapMs: between(0, 100) } }],
    also: ['zero_delay'],
  },
];

const TOO_LONG: CheckScenario[] = [
  {
    check: 'delay_uncapped',
    title: 'Exponential delay without its cap',
    client: 'axios',
    // exponentialDelay knows no cap, whatever the application has declared.
    flawed: async (kit) => {
      await sendByAxios(kit, readOp(kit, [BUSY, BUSY, OK], { policy: { capMs: 600 } }), {
        retry: { retries: 2, retryDelay: (count, error) => exponentialDelay(count, error, 200) },
      });
    },
    sound: async (kit) => {
      await sendByAxios(kit, readOp(kit, [BUSY, BUSY, OK], { policy: { capMs: 600 } }), {
        retry: {
          retries: 2,
          retryDelay: (count, error) => Math.min(250, exponentialDelay(count, error, 100)),
        },
      });
    },
    found: [{ attempt: 3, severity: 'low', evidence: { capMs: 600, declared: true, waitedMs: between(795, 1_500) } }],
  },
  {
    check: 'throttle_in_backoff_loop',
    title: '429 taken into the backoff loop',
    client: 'got',
    // got repeats a 429 like any other status, a second and then two apart.
    flawed: (kit) =>
      sendByGot(kit, readOp(kit, [THROTTLED, THROTTLED, OK], { profile: 'quillhub' }), { retry: { limit: 2 } }),
    sound: (kit) => sendByGot(kit, readOp(kit, [THROTTLED, OK], { profile: 'quillhub' }), { retry: { limit: 1 } }),
    found: [
      { attempt: 3, severity: 'medium', evidence: { after: 2, retriesAfter429: 2, growing: true, tooSoon: false } },
    ],
  },
];

const TOO_SOON: CheckScenario = {
  check: 'throttle_in_backoff_loop',
  title: '429 repeated within its second',
  client: 'fetch',
  flawed: async (kit) => {
    await sendByHand(kit, readOp(kit, [THROTTLED, OK], { profile: 'quillhub' }), { sendsMax: 2, waitMs: () => 300 });
  },
  sound: async (kit) => {
    await sendByHand(kit, readOp(kit, [THROTTLED, OK], { profile: 'quillhub' }), { sendsMax: 2, waitMs: () => 1_020 });
  },
  found: [{ attempt: 2, evidence: { retriesAfter429: 1, leastMs: 1_000, tooSoon: true } }],
};

/** Operations of one service: as many as the lab's projects ask for before they judge a spread. */
export const SPREAD_PAIRS = 15;

type EachOne = (kit: Kit, ask: Ask, at: number) => Promise<unknown>;

async function sendMany(kit: Kit, more: Partial<Ask>, each: EachOne): Promise<void> {
  await Promise.all(
    Array.from({ length: SPREAD_PAIRS }, (_, at) =>
      each(
        kit,
        // A portal each: so many failures of one at once would be an error loop.
        { operationId: kit.operation(`op${at}`, [BUSY, OK]), kind: 'read', scope: `${kit.name}-${at}`, ...more },
        at,
      ),
    ),
  );
}

const BASE_MS = 2_400;
const FULL = { policy: { baseMs: BASE_MS, capMs: 10_000, jitter: 'full' } };

/** Even shares of the bound in an order of chance: full jitter, the same in every run of the lab. */
function shareOf(at: number): number {
  const random = makeRandom(7);
  const order = Array.from({ length: SPREAD_PAIRS }, (_, place) => ({ place, by: random() }));
  order.sort((a, b) => a.by - b.by);
  return ((order[at]?.place ?? 0) + 1) / (SPREAD_PAIRS + 1);
}

const once = (waitMs: number) => ({ sendsMax: 2, waitMs: () => waitMs });

const SPREAD: CheckScenario[] = [
  {
    check: 'no_jitter',
    title: 'A fifth of jitter is none',
    client: 'axios',
    // exponentialDelay adds up to 20 %: all clients that failed together come back together.
    flawed: (kit) =>
      sendMany(kit, {}, (own, ask) =>
        sendByAxios(own, ask, {
          retry: { retries: 1, retryDelay: (count, error) => exponentialDelay(count, error, 1_200) },
        }),
      ),
    sound: (kit) => sendMany(kit, FULL, (own, ask, at) => sendByHand(own, ask, once(BASE_MS * shareOf(at)))),
    found: [{ operation: null, severity: 'low', evidence: { grade: 'none', pairs: SPREAD_PAIRS, approx: true } }],
  },
  {
    check: 'no_jitter',
    title: 'Noise of a tenth of a second',
    client: 'got',
    flawed: (kit) => sendMany(kit, {}, (own, ask) => sendByGot(own, ask, { retry: { limit: 1 } })),
    sound: (kit) => sendMany(kit, FULL, (own, ask, at) => sendByHand(own, ask, once(BASE_MS * shareOf(at)))),
    found: [{ operation: null, evidence: { grade: 'none', pairs: SPREAD_PAIRS } }],
  },
  {
    check: 'backoff_shape',
    title: 'Full jitter declared, whole bound waited',
    client: 'fetch',
    flawed: (kit) => sendMany(kit, FULL, (own, ask) => sendByHand(own, ask, once(BASE_MS))),
    sound: (kit) => sendMany(kit, FULL, (own, ask, at) => sendByHand(own, ask, once(BASE_MS * shareOf(at)))),
    found: [
      {
        operation: null,
        severity: 'low',
        evidence: {
          kind: 'median_off',
          step: 1,
          pairs: SPREAD_PAIRS,
          medianMs: between(2_390, 3_400),
          expectedMs: 1_200,
        },
      },
    ],
    also: ['no_jitter'],
  },
  {
    check: 'backoff_shape',
    title: 'Full jitter declared, cap exceeded',
    client: 'axios',
    flawed: async (kit) => {
      await sendByAxios(kit, readOp(kit, [BUSY, OK], { policy: { capMs: 300, jitter: 'full' } }), {
        retry: { retries: 1, retryDelay: (count, error) => exponentialDelay(count, error, 400) },
      });
    },
    sound: async (kit) => {
      await sendByAxios(kit, readOp(kit, [BUSY, OK], { policy: { capMs: 300, jitter: 'full' } }), {
        retry: { retries: 1, retryDelay: () => 100 + Math.random() * 180 },
      });
    },
    found: [{ attempt: 2, severity: 'low', evidence: { kind: 'cap_exceeded', after: 1, capMs: 300 } }],
    also: ['delay_uncapped'],
  },
];

export const PACING: readonly CheckScenario[] = [...AT_ONCE, ...TOO_LONG, TOO_SOON, ...SPREAD];
