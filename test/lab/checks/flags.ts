import type { Flag } from '@/lib/core/verdict';
import { findClosedPort, type Step } from '../lab-server';
import { startNameServer } from '../name-server';
import type { FlagScenario } from './check-scenario';
import { envelope, factsOf, headersOf, sendByAxios, sendByGot, sendByHand, type Ask } from './clients';
import type { Kit } from './kit';

/** Flags of one attempt: what a single answer, header or error shows. */

type Answer = Extract<Step, { do: 'answer' }>;

function answerOf(status: number, more: Partial<Answer> = {}): Answer {
  return { do: 'answer', status, work: false, ...more };
}

const OK = answerOf(200);

async function readOnce(kit: Kit, step: Step, more: Partial<Ask> = {}): Promise<void> {
  const ask: Ask = { operationId: kit.operation('op', [step]), kind: 'read', ...more };
  await sendByHand(kit, ask, { sendsMax: 1, waitMs: () => null });
}

async function writeOnce(kit: Kit, step: Step, more: Partial<Ask> = {}): Promise<void> {
  await readOnce(kit, step, { kind: 'write', ...more });
}

const vibecode = { profile: 'vibecode' } as const;
const quillhub = { profile: 'quillhub' } as const;

/** A flag that one answer shows, beside an answer without it. */
function byAnswer(
  flag: Flag,
  title: string,
  steps: { flawed: Step; sound: Step },
  ask: Partial<Ask> = {},
): FlagScenario {
  return {
    flag,
    title,
    client: 'fetch',
    flawed: (kit) => readOnce(kit, steps.flawed, ask),
    sound: (kit) => readOnce(kit, steps.sound, ask),
    attempts: [1],
  };
}

const busy = (retryAfter: string, more: Record<string, string> = {}): Answer =>
  answerOf(503, { headers: { 'retry-after': retryAfter, ...more } });

const dated = (aheadMs: number): string => new Date(Date.now() + aheadMs).toUTCString();

const HEADERS: FlagScenario[] = [
  byAnswer('header_malformed', 'Retry-After in words', { flawed: busy('soon'), sound: busy('7') }),
  byAnswer('header_nonconformant', 'Retry-After with a fraction', { flawed: busy('1.5'), sound: busy('2') }),
  byAnswer('header_epoch_value', 'Retry-After as a time in seconds', {
    flawed: busy(String(Math.floor(Date.now() / 1000) + 300)),
    sound: busy('300'),
  }),
  byAnswer('header_nonstandard', 'A wait under a name of its own', {
    flawed: answerOf(503, { headers: { 'x-ms-retry-after-ms': '900' } }),
    sound: busy('1'),
  }),
  byAnswer('clock_skew', 'A server two minutes ahead', {
    flawed: busy('2', { date: dated(150_000) }),
    sound: busy('2'),
  }),
];

const CODES: FlagScenario[] = [
  byAnswer(
    'unknown_code',
    'A code nobody has listed',
    {
      flawed: answerOf(500, { body: envelope('FLUX_LOST') }),
      sound: answerOf(500, { body: envelope('DB_TRANSIENT') }),
    },
    vibecode,
  ),
  byAnswer(
    'code_malformed',
    'A known code in small letters',
    {
      flawed: answerOf(429, { body: envelope('rate_limited') }),
      sound: answerOf(429, { body: envelope('RATE_LIMITED'), headers: { 'retry-after': '1' } }),
    },
    vibecode,
  ),
  byAnswer(
    'advice_fix_first',
    'A refusal without a listed code',
    {
      flawed: answerOf(403, { body: envelope('MISSING_API_KEY') }),
      sound: answerOf(429, { body: envelope('RATE_LIMITED') }),
    },
    vibecode,
  ),
  byAnswer(
    'contract_anomaly',
    'A deletion code on a read',
    {
      flawed: answerOf(409, { body: envelope('AGENT_WRITE_ALREADY_EXECUTED', { firstStatus: null }) }),
      sound: answerOf(409, { body: envelope('BITRIX_ERROR') }),
    },
    vibecode,
  ),
  byAnswer('not_covered', 'A status the guide leaves out', { flawed: answerOf(520), sound: answerOf(502) }),
  byAnswer(
    'unlikely_transient',
    'Not implemented, repeated by the table',
    { flawed: answerOf(501), sound: answerOf(502) },
    quillhub,
  ),
  {
    flag: 'verify_if_questionable',
    title: 'Bitrix24 refused a write',
    client: 'fetch',
    flawed: (kit) => writeOnce(kit, answerOf(400, { body: envelope('BITRIX_ERROR') }), vibecode),
    sound: (kit) => readOnce(kit, answerOf(400, { body: envelope('BITRIX_ERROR') }), vibecode),
    attempts: [1],
  },
];

/** A body that can't be taken for what its head says. */
const BODIES: FlagScenario[] = [
  byAnswer('error_under_200', 'An error inside a 200', {
    flawed: answerOf(200, { body: envelope('THROTTLED') }),
    sound: OK,
  }),
  byAnswer('response_truncated', 'A body cut in the middle', {
    flawed: { do: 'cut', status: 200, work: false },
    sound: OK,
  }),
  {
    flag: 'partial_success',
    title: 'A summary with failed rows',
    client: 'axios',
    flawed: (kit) => importRows(kit, 2),
    sound: (kit) => importRows(kit, 0),
    attempts: [1],
  },
];

async function importRows(kit: Kit, failed: number): Promise<void> {
  const step = answerOf(200, { work: true, body: JSON.stringify({ total: 9, failed }) });
  const ask: Ask = { operationId: kit.operation('op', [step]), kind: 'write' };
  await sendByAxios(kit, ask, {
    retry: { retries: 0 },
    envelope: (body) => ({ bodySummary: body as { total: number; failed: number } }),
  });
}

/** An SDK that answers for the server: its own time-out becomes a 408. */
async function sendBySdk(kit: Kit, step: Step): Promise<void> {
  const ask: Ask = { operationId: kit.operation('op', [step]), kind: 'write' };
  const startedAt = Date.now();
  const answer = await fetch(`${kit.server.url}/things`, {
    method: 'POST',
    headers: headersOf(ask),
    signal: AbortSignal.timeout(300),
  }).catch(() => null);
  await answer?.text();
  const made = answer === null ? ({ status: 408, statusOrigin: 'sdk' } as const) : { status: answer.status };
  kit.reporter.report({ ...factsOf(kit, ask), attempt: 1, method: 'POST', startedAt, endedAt: Date.now(), ...made });
}

async function lookUp(kit: Kit, url: string): Promise<void> {
  const names = await startNameServer();
  const ask: Ask = { operationId: kit.operation('op', [OK]), kind: 'read', url };
  await sendByGot(kit, ask, { retry: { limit: 0 }, dnsLookup: names.lookup });
  await names.close();
}

const NETWORK: FlagScenario[] = [
  {
    flag: 'synthetic_status',
    title: 'A 408 that no server sent',
    client: 'fetch',
    flawed: (kit) => sendBySdk(kit, { do: 'hang', work: true }),
    sound: (kit) => sendBySdk(kit, answerOf(408)),
    attempts: [1],
  },
  {
    flag: 'persistent_dns_suspected',
    title: 'A name that nobody knows',
    client: 'got',
    flawed: (kit) => lookUp(kit, 'http://nobody.lab.test/things'),
    sound: (kit) => lookUp(kit, `${kit.server.url}/things`),
    attempts: [1],
  },
  {
    flag: 'preflight',
    title: 'A port that nobody listens on',
    client: 'fetch',
    flawed: async (kit) =>
      writeOnce(kit, OK, { ...vibecode, url: `http://127.0.0.1:${await findClosedPort()}/things` }),
    sound: (kit) => writeOnce(kit, { do: 'reset', work: false }, vibecode),
    attempts: [1],
  },
];

export const FLAG_SCENARIOS: readonly FlagScenario[] = [...HEADERS, ...CODES, ...BODIES, ...NETWORK];
