import axios from 'axios';
import { exponentialDelay } from 'axios-retry';
import type { Step } from '../lab-server';
import { startNameServer } from '../name-server';
import type { CheckScenario } from './check-scenario';
import { envelope, sendByAxios, sendByGot, sendByHand, type Ask } from './clients';
import type { Kit } from './kit';
import { atLeast, between } from './ranges';

/** How often clients repeat, what they repeat although nothing can change, and what they leave behind. */

const OK: Step = { do: 'answer', status: 200, work: false };
const BUSY: Step = { do: 'answer', status: 503, work: false };
const HANG: Step = { do: 'hang', work: false };
const UNPROCESSABLE: Step = { do: 'answer', status: 422, work: false, body: envelope('validation_failed') };

const calm = (count: number, error: Parameters<typeof exponentialDelay>[1]): number =>
  exponentialDelay(count, error, 100);

function readOp(kit: Kit, steps: Step[], more: Partial<Ask> = {}): Ask {
  return { operationId: kit.operation('op', steps), kind: 'read', ...more };
}

const COUNTS: CheckScenario[] = [
  {
    check: 'over_limit',
    title: 'Attempts taken for retries',
    client: 'axios',
    // Three tries were meant and declared; `retries: 3` makes four.
    flawed: async (kit) => {
      const ask = readOp(kit, [BUSY], { policy: { maxAttempts: 3 } });
      await sendByAxios(kit, ask, { retry: { retries: 3, retryDelay: calm } });
    },
    sound: async (kit) => {
      const ask = readOp(kit, [BUSY], { policy: { maxAttempts: 3 } });
      await sendByAxios(kit, ask, { retry: { retries: 2, retryDelay: calm } });
    },
    found: [{ attempt: 4, severity: 'medium', evidence: { retries: 3, retriesMax: 2, limitBy: 'maxAttempts' } }],
    state: 'failed',
  },
  {
    check: 'under_limit',
    title: 'Time-outs left out of the retrying',
    client: 'axios',
    // axios-retry repeats a 503 and gives up at a time-out (ECONNABORTED).
    flawed: async (kit) => {
      const ask = readOp(kit, [BUSY, HANG, OK], { policy: { maxRetries: 3 } });
      await sendByAxios(kit, ask, { retry: { retries: 3, retryDelay: calm }, timeoutMs: 1_000 });
    },
    sound: async (kit) => {
      const ask = readOp(kit, [BUSY, HANG, OK], { policy: { maxRetries: 3 } });
      await sendByAxios(kit, ask, {
        retry: { retries: 3, retryDelay: calm, retryCondition: () => true },
        timeoutMs: 1_000,
      });
    },
    found: [{ attempt: 2, severity: 'medium', evidence: { retries: 1, retriesMax: 3, limitBy: 'maxRetries' } }],
    state: 'failed',
  },
  {
    check: 'retryable_not_retried',
    title: 'POST never repeated, refused or not',
    client: 'got',
    // got's own list of methods has no POST; a 503 refused this one before any work.
    flawed: (kit) => {
      const ask: Ask = { operationId: kit.operation('op', [BUSY, { ...OK, work: true }]), kind: 'write' };
      return sendByGot(kit, ask, {});
    },
    sound: (kit) => {
      const ask: Ask = { operationId: kit.operation('op', [BUSY, { ...OK, work: true }]), kind: 'write' };
      return sendByGot(kit, ask, { retry: { limit: 1, methods: ['POST'], statusCodes: [429, 503] } });
    },
    found: [{ attempt: 1, severity: 'low', evidence: { code: 'HTTP_503', askedMs: null } }],
    state: 'failed',
  },
];

const HOPELESS: CheckScenario[] = [
  {
    check: 'never_retry_retried',
    title: 'Everything is worth a retry',
    client: 'axios',
    flawed: async (kit) => {
      await sendByAxios(kit, readOp(kit, [UNPROCESSABLE, OK]), {
        retry: { retries: 2, retryDelay: calm, retryCondition: () => true },
      });
    },
    // Its own condition leaves a 4xx alone.
    sound: async (kit) => {
      await sendByAxios(kit, readOp(kit, [UNPROCESSABLE, OK]), { retry: { retries: 2, retryDelay: calm } });
    },
    found: [{ attempt: 2, severity: 'medium', evidence: { after: 1, rule: 'HTTP_422', code: 'validation_failed' } }],
  },
  {
    check: 'never_retry_retried',
    title: 'A refusal without a listed code repeated',
    client: 'axios',
    flawed: (kit) => repeatForbidden(kit, () => true),
    sound: (kit) => repeatForbidden(kit, undefined),
    // The platform's default row allows the repeat: advice, no fault.
    found: [{ attempt: 2, severity: 'info', evidence: { after: 1, code: 'MISSING_API_KEY' } }],
    also: ['contract_anomaly'],
    soundShows: ['contract_anomaly', 'retryable_not_retried'],
  },
  {
    check: 'wasted_retry',
    title: 'Name that does not exist looked up again',
    client: 'got',
    // ENOTFOUND is on got's own list.
    flawed: (kit) => lookUp(kit, {}),
    sound: (kit) => lookUp(kit, { errorCodes: ['ETIMEDOUT', 'ECONNRESET', 'ECONNREFUSED'] }),
    found: [{ attempt: 2, severity: 'low', evidence: { code: 'ENOTFOUND', spentMs: atLeast(0) } }],
    also: ['never_retry_retried'],
    state: 'failed',
  },
];

async function repeatForbidden(kit: Kit, retryCondition: (() => boolean) | undefined): Promise<void> {
  const step: Step = { do: 'answer', status: 403, work: false, body: envelope('MISSING_API_KEY') };
  await sendByAxios(kit, readOp(kit, [step, OK], { profile: 'vibecode' }), {
    retry: { retries: 1, retryDelay: calm, ...(retryCondition && { retryCondition }) },
  });
}

async function lookUp(kit: Kit, more: { errorCodes?: string[] }): Promise<void> {
  const names = await startNameServer();
  const ask = readOp(kit, [], { url: 'http://nobody.lab.test/things' });
  await sendByGot(kit, ask, { retry: { limit: 1, ...more }, dnsLookup: names.lookup });
  await names.close();
}

/** The user presses cancel; the loop takes it for one more network error. */
function cancelOnce(kit: Kit, waitMs: () => number | null): Promise<unknown> {
  return sendByHand(kit, readOp(kit, [HANG, OK]), {
    sendsMax: 2,
    waitMs,
    signalOf: (attempt) => {
      const button = new AbortController();
      if (attempt === 1) setTimeout(() => button.abort(), 250);
      return { signal: button.signal, ...(attempt === 1 && { abortBy: 'user' as const }) };
    },
  });
}

/** The server is slow to refuse; then it doesn't answer any more. */
async function timeOut(kit: Kit, shouldResetTimeout: boolean): Promise<void> {
  const slow: Step = { do: 'answer', status: 503, work: false, lateMs: 1_300 };
  await sendByAxios(kit, readOp(kit, [slow, HANG]), {
    retry: { retries: 1, retryDelay: () => 150, retryCondition: () => true, shouldResetTimeout },
    timeoutMs: 1_800,
  });
}

/** One clock over all tries, or one for each. */
async function sendUnderSignal(kit: Kit, shared: boolean): Promise<void> {
  const whole = AbortSignal.timeout(1_500);
  await sendByHand(kit, readOp(kit, [HANG, OK]), {
    sendsMax: 2,
    waitMs: () => 150,
    signalOf: () =>
      shared ? { signal: whole, abortBy: 'deadline' } : { signal: AbortSignal.timeout(1_500), abortBy: 'per_try' },
  });
}

const CUT_SHORT: CheckScenario[] = [
  {
    check: 'retry_after_abort',
    title: 'Cancelled by the user and sent again',
    client: 'fetch',
    flawed: async (kit) => void (await cancelOnce(kit, () => 150)),
    sound: async (kit) => void (await cancelOnce(kit, () => null)),
    found: [{ attempt: 2, severity: 'low', evidence: { afterUserAbort: true } }],
  },
  {
    check: 'retry_after_abort',
    title: 'One signal for every try',
    client: 'axios',
    // Once it has fired, axios-retry sends at once, and each further try dies the moment it starts.
    flawed: async (kit) => {
      await sendByAxios(kit, readOp(kit, [HANG]), {
        retry: { retries: 1, retryDelay: () => 150 },
        config: { signal: AbortSignal.timeout(300) },
      });
    },
    sound: async (kit) => {
      await sendByAxios(kit, readOp(kit, [HANG]), {
        retry: { retries: 1, retryDelay: () => 150, retryCondition: (error) => !axios.isCancel(error) },
        config: { signal: AbortSignal.timeout(300) },
      });
    },
    found: [{ attempt: 2, evidence: { lengthMs: between(0, 5) } }],
    also: ['zero_delay', 'attempt_starved'],
  },
  {
    check: 'attempt_starved',
    title: 'A total deadline that has passed cuts the next try',
    client: 'fetch',
    flawed: (kit) => sendUnderSignal(kit, true),
    sound: (kit) => sendUnderSignal(kit, false),
    found: [{ attempt: 2, severity: 'low', evidence: { lengthMs: between(0, 100), previousMs: atLeast(1_450) } }],
  },
  {
    check: 'attempt_starved',
    title: 'Time-out used up by the first try',
    client: 'axios',
    // axios-retry counts the time-out over all tries unless shouldResetTimeout is set.
    flawed: (kit) => timeOut(kit, false),
    sound: (kit) => timeOut(kit, true),
    found: [{ attempt: 2, severity: 'low', evidence: { lengthMs: between(0, 400), previousMs: atLeast(1_250) } }],
  },
];

async function giveUp(kit: Kit, step: Step): Promise<void> {
  const ask = readOp(kit, [step], { profile: 'vibecode' });
  await sendByAxios(kit, ask, { retry: { retries: 1, retryDelay: calm } });
}

const PAGE = '<html><h1>502 Bad Gateway</h1></html>';

const LEFT_BEHIND: CheckScenario[] = [
  {
    check: 'incomplete_give_up',
    title: 'Given up on a page of the edge',
    client: 'axios',
    flawed: (kit) =>
      giveUp(kit, {
        do: 'answer',
        status: 502,
        work: false,
        bare: true,
        body: PAGE,
        headers: { 'content-type': 'text/html' },
      }),
    sound: (kit) => giveUp(kit, { do: 'answer', status: 502, work: false, body: envelope('BITRIX_UNAVAILABLE') }),
    found: [{ attempt: 2, severity: 'low', evidence: { missing: ['code', 'requestId'], code: 'HTTP_502' } }],
    state: 'failed',
  },
];

export const LIMITS: readonly CheckScenario[] = [...COUNTS, ...HOPELESS, ...CUT_SHORT, ...LEFT_BEHIND];
