import { exponentialDelay } from 'axios-retry';
import { randomUUID } from 'node:crypto';
import type { Step } from '../lab-server';
import type { CheckScenario } from './check-scenario';
import { envelope, sendByAxios, sendByHand, type Ask, type LabAxiosConfig } from './clients';
import type { Kit } from './kit';

/** What becomes of idempotency keys and operation ids between sends. */

const DONE: Step = { do: 'answer', status: 201, work: true };
const LATE: Step = { do: 'answer', status: 504, work: true };
const REFUSED: Step = { do: 'answer', status: 503, work: false };
const UNPROCESSABLE: Step = { do: 'answer', status: 422, work: false, body: envelope('validation_failed') };

function writeOp(kit: Kit, steps: Step[], more: Partial<Ask> = {}): Ask {
  return { operationId: kit.operation('op', steps), kind: 'write', ...more };
}

/** A request interceptor runs for each send: a key made in it is a new one every time. */
async function keyInInterceptor(kit: Kit, keyOf: () => string): Promise<void> {
  const ask = writeOp(kit, [LATE, DONE]);
  await sendByAxios(kit, ask, {
    retry: { retries: 1, retryCondition: () => true, retryDelay: exponentialDelay },
    prepare: (instance) => {
      instance.interceptors.request.use((config) => {
        const key = keyOf();
        config.headers.set('idempotency-key', key);
        const own = config as unknown as LabAxiosConfig;
        own.readback = { ...own.readback, idempotency: { key, mode: 'server' } };
        return config;
      });
    },
  });
}

const CHANGED: CheckScenario[] = [
  {
    check: 'key_regenerated',
    title: 'A new key for every send',
    client: 'axios',
    flawed: (kit) => keyInInterceptor(kit, randomUUID),
    sound: (kit) => {
      const key = randomUUID();
      return keyInInterceptor(kit, () => key);
    },
    found: [{ attempt: 2, severity: 'medium', evidence: { attempts: [1, 2], keys: 2 } }],
    also: ['blind_write_retry', 'duplicate_suspected'],
    state: 'succeeded_with_possible_duplicates',
  },
  {
    check: 'key_dropped',
    title: 'The key forgotten on the repeat',
    client: 'fetch',
    flawed: async (kit) => {
      await sendByHand(kit, writeOp(kit, [LATE, DONE]), {
        sendsMax: 2,
        waitMs: () => 200,
        change: (attempt) => (attempt === 1 ? { key: `key-${kit.name}` } : {}),
      });
    },
    sound: async (kit) => {
      const ask = writeOp(kit, [LATE, DONE], { key: `key-${kit.name}` });
      await sendByHand(kit, ask, { sendsMax: 2, waitMs: () => 200 });
    },
    found: [{ attempt: 2, severity: 'medium', evidence: { attempts: [2], keyedSends: 1 } }],
    also: ['blind_write_retry', 'duplicate_suspected'],
    state: 'succeeded_with_possible_duplicates',
  },
  {
    check: 'key_missing',
    title: 'QuillHub job without its key',
    client: 'fetch',
    flawed: async (kit) => {
      await sendByHand(kit, writeOp(kit, [DONE], { profile: 'quillhub' }), { sendsMax: 1, waitMs: () => null });
    },
    sound: async (kit) => {
      const ask = writeOp(kit, [DONE], { profile: 'quillhub', key: `job-${kit.name}`, keyMode: 'client_dedupe' });
      await sendByHand(kit, ask, { sendsMax: 1, waitMs: () => null });
    },
    found: [{ attempt: 1, severity: 'medium', evidence: { attempts: [1] } }],
    state: 'succeeded',
  },
];

/** Two orders, one after the other; the key is made once a process or once an order. */
async function orderTwice(kit: Kit, keyOf: (part: string) => string): Promise<void> {
  for (const part of ['op', 'next']) {
    const ask: Ask = { operationId: kit.operation(part, [DONE]), kind: 'write', key: keyOf(part) };
    await sendByHand(kit, ask, { sendsMax: 1, waitMs: () => null });
  }
}

async function orderKeyed(kit: Kit, step: Step): Promise<void> {
  await sendByAxios(kit, writeOp(kit, [step], { key: `key-${kit.name}` }), { retry: { retries: 1 } });
}

/** The second send is the repaired request. */
async function repair(kit: Kit, asNew: boolean): Promise<void> {
  const ask = writeOp(kit, asNew ? [UNPROCESSABLE] : [UNPROCESSABLE, DONE]);
  const body = { order: ask.operationId, amount: 12 };
  if (!asNew) {
    await sendByHand(kit, ask, {
      sendsMax: 2,
      waitMs: () => 150,
      change: (attempt) => (attempt === 2 ? { body } : {}),
    });
    return;
  }
  await sendByHand(kit, ask, { sendsMax: 1, waitMs: () => null });
  const next: Ask = { ...ask, operationId: kit.operation('next', [DONE]), body };
  await sendByHand(kit, { ...next, parentOperationId: ask.operationId }, { sendsMax: 1, waitMs: () => null });
}

const USED_TWICE: CheckScenario[] = [
  {
    check: 'key_reused',
    title: 'One key for the whole process',
    client: 'fetch',
    flawed: (kit) => orderTwice(kit, () => `key-${kit.name}`),
    sound: (kit) => orderTwice(kit, (part) => `key-${kit.name}-${part}`),
    found: [{ operation: 'next', attempt: 1, severity: 'medium', evidence: { firstAttempt: 1 } }],
  },
  {
    check: 'key_reused',
    title: 'The body changed under its key',
    client: 'fetch',
    flawed: async (kit) => {
      const ask = writeOp(kit, [REFUSED, DONE], { key: `key-${kit.name}` });
      await sendByHand(kit, ask, {
        sendsMax: 2,
        waitMs: () => 200,
        change: (attempt) => ({ body: { order: ask.operationId, sentAs: attempt } }),
      });
    },
    sound: async (kit) => {
      await sendByHand(kit, writeOp(kit, [REFUSED, DONE], { key: `key-${kit.name}` }), {
        sendsMax: 2,
        waitMs: () => 200,
      });
    },
    found: [{ attempt: 2, evidence: { attempts: [1, 2], requests: 2 } }],
    also: ['operation_id_reused'],
  },
  {
    check: 'key_reused',
    title: 'Told by the server that the key was used',
    client: 'axios',
    // The other use was not ours to see.
    flawed: (kit) =>
      orderKeyed(kit, { do: 'answer', status: 422, work: false, body: envelope('idempotency_key_reuse') }),
    sound: (kit) => orderKeyed(kit, DONE),
    found: [{ attempt: 1, severity: 'medium', evidence: { byPlatform: true, code: 'idempotency_key_reuse' } }],
    state: 'failed',
  },
  {
    check: 'operation_id_reused',
    title: 'The repaired request under the old id',
    client: 'fetch',
    flawed: (kit) => repair(kit, false),
    sound: (kit) => repair(kit, true),
    found: [{ attempt: 2, severity: 'medium', evidence: { requests: 2 } }],
  },
];

export const KEYS: readonly CheckScenario[] = [...CHANGED, ...USED_TWICE];
