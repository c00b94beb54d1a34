import { exponentialDelay } from 'axios-retry';
import type { Step } from '../lab-server';
import type { CheckScenario } from './check-scenario';
import { askedMs, envelope, sendByAxios, sendByGot, sendByHand, type Ask } from './clients';
import type { Kit } from './kit';
import { atLeast, between } from './ranges';

/** What a server asked to wait, and what clients make of it. */

const OK: Step = { do: 'answer', status: 200, work: false };

function busy(headers: Record<string, string>, status = 503): Step {
  return { do: 'answer', status, work: false, headers };
}

function readOp(kit: Kit, steps: Step[], more: Partial<Ask> = {}): Ask {
  return { operationId: kit.operation('op', steps), kind: 'read', ...more };
}

const TWO_SECONDS = [busy({ 'retry-after': '2' }), OK];
const TEN_MINUTES = [busy({ 'retry-after': '600' })];
const CAPPED = { retryAfterCapMs: 600 };

/** Waits as long as it was told, unless that exceeds what it declared. */
function keepWithin(kit: Kit, ask: Ask, capMs: number): Promise<unknown> {
  return sendByHand(
    kit,
    { ...ask, policy: { retryAfterCapMs: capMs, ...ask.policy } },
    {
      sendsMax: 3,
      waitMs: (seen) => {
        const wait = askedMs(seen) ?? 100;
        return wait > capMs ? null : wait;
      },
    },
  );
}

const IGNORED: CheckScenario[] = [
  {
    check: 'early_retry',
    title: 'Retry-After hidden by an own retryDelay',
    client: 'axios',
    // A retryDelay of one's own replaces the one that reads the header.
    flawed: async (kit) => {
      await sendByAxios(kit, readOp(kit, TWO_SECONDS), { retry: { retries: 2, retryDelay: (count) => count * 200 } });
    },
    sound: async (kit) => {
      await sendByAxios(kit, readOp(kit, TWO_SECONDS), {
        retry: { retries: 2, retryDelay: exponentialDelay },
      });
    },
    found: [
      {
        attempt: 2,
        severity: 'medium',
        evidence: { askedBy: 1, askedMs: 2_000, waitedMs: between(195, 1_500), earlyMs: atLeast(500), strict: false },
      },
    ],
    state: 'succeeded',
  },
  {
    check: 'early_retry',
    title: 'Wait in milliseconds that the library does not know',
    client: 'axios',
    flawed: async (kit) => {
      const ask = readOp(kit, [busy({ 'retry-after-ms': '1500' }), OK]);
      await sendByAxios(kit, ask, {
        retry: { retries: 1, retryDelay: (count, error) => exponentialDelay(count, error, 100) },
      });
    },
    sound: async (kit) => {
      await sendByHand(kit, readOp(kit, [busy({ 'retry-after-ms': '1500' }), OK]), {
        sendsMax: 2,
        waitMs: ({ header }) => Number(header('retry-after-ms')),
      });
    },
    found: [{ attempt: 2, evidence: { askedBy: 1, askedMs: 1_500, waitedMs: between(195, 1_300) } }],
  },
  {
    check: 'early_retry',
    title: 'Strict pause cut at a cap of its own',
    client: 'fetch',
    flawed: async (kit) => {
      await sendByHand(kit, strictRead(kit), { sendsMax: 2, waitMs: (seen) => Math.min(askedMs(seen) ?? 0, 600) });
    },
    sound: async (kit) => {
      await sendByHand(kit, strictRead(kit), { sendsMax: 2, waitMs: askedMs });
    },
    // A cap excuses nothing where the whole time is asked for.
    found: [{ attempt: 2, evidence: { askedMs: 2_000, waitedMs: between(590, 1_980), strict: true } }],
  },
];

const DATED: CheckScenario = {
  check: 'early_retry',
  title: 'A date taken for a number',
  client: 'fetch',
  flawed: async (kit) => {
    await sendByHand(kit, readOp(kit, [{ do: 'throttle_until', status: 503, inMs: 4_000 }, OK]), {
      sendsMax: 2,
      waitMs: ({ header }) => Number(header('retry-after')) || 150,
    });
  },
  sound: async (kit) => {
    await sendByHand(kit, readOp(kit, [{ do: 'throttle_until', status: 503, inMs: 2_000 }, OK]), {
      sendsMax: 2,
      waitMs: ({ header }) => Date.parse(header('retry-after') ?? '') - Date.now(),
    });
  },
  found: [{ attempt: 2, evidence: { askedMs: between(3_000, 4_000), waitedMs: between(145, 2_000), approx: false } }],
};

function strictRead(kit: Kit): Ask {
  const pause: Step = {
    do: 'answer',
    status: 429,
    work: false,
    headers: { 'retry-after': '2' },
    body: envelope('TIMEOUT_QUARANTINE'),
  };
  return readOp(kit, [pause, OK], { profile: 'vibecode', policy: CAPPED });
}

const CUT: CheckScenario[] = [
  {
    check: 'early_capped',
    title: 'Asked wait cut at the client’s cap',
    client: 'fetch',
    flawed: async (kit) => {
      await sendByHand(kit, readOp(kit, TWO_SECONDS, { policy: CAPPED }), {
        sendsMax: 2,
        waitMs: (seen) => Math.min(askedMs(seen) ?? 0, CAPPED.retryAfterCapMs),
      });
    },
    // What it can't wait for, it leaves.
    sound: async (kit) => void (await keepWithin(kit, readOp(kit, TWO_SECONDS), CAPPED.retryAfterCapMs)),
    found: [
      {
        attempt: 2,
        severity: 'medium',
        evidence: { askedBy: 1, askedMs: 2_000, waitedMs: between(590, 1_500), capMs: 600 },
      },
    ],
  },
  {
    check: 'long_wait',
    title: 'Ten minutes asked',
    client: 'got',
    // got gives up where the header exceeds its maxRetryAfter.
    flawed: (kit) =>
      sendByGot(kit, readOp(kit, TEN_MINUTES, { policy: { retryAfterCapMs: 2_000 } }), {
        retry: { limit: 2, maxRetryAfter: 2_000 },
      }),
    sound: (kit) =>
      sendByGot(kit, readOp(kit, [busy({ 'retry-after': '1' }), OK], { policy: { retryAfterCapMs: 2_000 } }), {
        retry: { limit: 2, maxRetryAfter: 2_000 },
      }),
    found: [{ attempt: 1, severity: 'low', evidence: { askedMs: 600_000, compliance: 'gave_up_wait_too_long' } }],
    state: 'failed',
  },
  {
    check: 'wait_past_deadline',
    title: 'Slept past its own deadline',
    client: 'fetch',
    flawed: async (kit) => {
      const ask = readOp(kit, TWO_SECONDS, { policy: { deadlineMs: 1_500 } });
      await sendByHand(kit, ask, { sendsMax: 2, waitMs: askedMs });
    },
    sound: async (kit) => {
      const deadlineMs = 1_500;
      await sendByHand(kit, readOp(kit, TWO_SECONDS, { policy: { deadlineMs } }), {
        sendsMax: 2,
        waitMs: (seen) => {
          const wait = askedMs(seen) ?? 0;
          return seen.elapsedMs + wait > deadlineMs ? null : wait;
        },
      });
    },
    found: [
      {
        attempt: 2,
        evidence: { askedMs: 2_000, waitedMs: atLeast(1_950), leftMs: between(0, 1_500), deadlineMs: 1_500 },
      },
    ],
    also: ['past_deadline'],
  },
  {
    check: 'past_deadline',
    title: 'Backoff that knows no deadline',
    client: 'got',
    // got waits a second, then two; the application's deadline is no business of its backoff.
    flawed: (kit) => {
      const steps: Step[] = [busy({}), busy({}), OK];
      return sendByGot(kit, readOp(kit, steps, { policy: { deadlineMs: 1_800 } }), { retry: { limit: 2 } });
    },
    sound: (kit) => {
      const steps: Step[] = [busy({}), busy({}), OK];
      return sendByGot(kit, readOp(kit, steps, { policy: { deadlineMs: 1_800 } }), { retry: { limit: 1 } });
    },
    found: [{ attempt: 3, severity: 'medium', evidence: { deadlineMs: 1_800, lateMs: atLeast(1_000), approx: false } }],
  },
];

/** The first wait that was asked for is taken for every later one. */
function waitAsFirst(): (seen: Parameters<typeof askedMs>[0]) => number | null {
  let first: number | null = null;
  return (seen) => (first ??= askedMs(seen));
}

const MISREAD: CheckScenario[] = [
  {
    check: 'stale_delay_used',
    title: 'Wait of the first answer used for the second',
    client: 'fetch',
    flawed: async (kit) => {
      await sendByHand(kit, readOp(kit, [busy({ 'retry-after': '1' }), ...TWO_SECONDS]), {
        sendsMax: 3,
        waitMs: waitAsFirst(),
      });
    },
    sound: async (kit) => {
      await sendByHand(kit, readOp(kit, [busy({ 'retry-after': '1' }), ...TWO_SECONDS]), {
        sendsMax: 3,
        waitMs: askedMs,
      });
    },
    found: [{ attempt: 3, evidence: { askedMs: 2_000, staleMs: 1_000, staleFrom: 1, waitedMs: between(950, 1_600) } }],
    also: ['early_retry'],
  },
  {
    check: 'unit_error_seconds_as_ms',
    title: 'Seconds given to a timer of milliseconds',
    client: 'fetch',
    flawed: async (kit) => {
      await sendByHand(kit, readOp(kit, [busy({ 'retry-after': '290' }), OK]), {
        sendsMax: 2,
        waitMs: ({ header }) => Number(header('retry-after')),
      });
    },
    sound: async (kit) => void (await keepWithin(kit, readOp(kit, [busy({ 'retry-after': '290' }), OK]), 2_000)),
    found: [{ attempt: 2, evidence: { askedMs: 290_000, waitedMs: between(285, 435) } }],
    also: ['early_retry'],
  },
  {
    check: 'unit_error_ms_as_seconds',
    title: 'Milliseconds taken for seconds',
    client: 'fetch',
    flawed: async (kit) => {
      await sendByHand(kit, readOp(kit, [busy({ 'retry-after-ms': '5' }), OK]), {
        sendsMax: 2,
        waitMs: ({ header }) => Number(header('retry-after-ms')) * 1_000,
      });
    },
    sound: async (kit) => {
      await sendByHand(kit, readOp(kit, [busy({ 'retry-after-ms': '5' }), OK]), {
        sendsMax: 2,
        waitMs: ({ header }) => Math.max(200, Number(header('retry-after-ms'))),
      });
    },
    found: [{ attempt: 2, evidence: { askedMs: 5, waitedMs: between(4_950, 5_500) } }],
    also: ['excess_wait'],
  },
  {
    check: 'excess_wait',
    title: 'Own backoff longer than what was asked',
    client: 'axios',
    // axios-retry takes the larger of the two.
    flawed: async (kit) => {
      await sendByAxios(kit, readOp(kit, [busy({ 'retry-after': '1' }), OK]), {
        retry: { retries: 1, retryDelay: (count, error) => exponentialDelay(count, error, 1_600) },
      });
    },
    sound: async (kit) => {
      await sendByAxios(kit, readOp(kit, [busy({ 'retry-after': '1' }), OK]), {
        retry: { retries: 1, retryDelay: exponentialDelay },
      });
    },
    found: [{ attempt: 2, severity: 'low', evidence: { askedMs: 1_000, overMs: atLeast(2_150), hint: null } }],
  },
];

const HINTED: CheckScenario = {
  check: 'excess_wait',
  title: 'A fixed pause where the hint was a second',
  client: 'fetch',
  flawed: async (kit) => {
    await sendByHand(kit, readOp(kit, [busy({ 'x-ratelimit-reset': '1' }), OK]), { sendsMax: 2, waitMs: () => 3_200 });
  },
  sound: async (kit) => {
    await sendByHand(kit, readOp(kit, [busy({ 'x-ratelimit-reset': '1' }), OK]), { sendsMax: 2, waitMs: () => 1_050 });
  },
  found: [{ attempt: 2, evidence: { askedMs: 1_000, overMs: between(2_100, 3_400), hint: 'x-ratelimit-reset' } }],
};

export const WAITING: readonly CheckScenario[] = [...IGNORED, DATED, HINTED, ...CUT, ...MISREAD];
