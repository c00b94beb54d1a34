import { exponentialDelay } from 'axios-retry';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Step } from '../lab-server';
import type { CheckScenario } from './check-scenario';
import { sendByAxios, sendByGot, sendByHand, type Ask } from './clients';
import type { Kit } from './kit';
import { readBack, SETTLED_MS } from './read-back';

/** Writes whose outcome nobody knew, sent again. */

const DONE: Step = { do: 'answer', status: 201, work: true };
const LATE: Step = { do: 'answer', status: 504, work: true };
const RESET: Step = { do: 'reset', work: false };
const RESET_DONE: Step = { do: 'reset', work: true };

function writeOp(kit: Kit, steps: Step[], more: Partial<Ask> = {}): Ask {
  return { operationId: kit.operation('op', steps), kind: 'write', ...more };
}

/** Sends, looks, and sends again where nothing is there, or all the same. */
async function lookThenSend(kit: Kit, step: Step, how: { waitMs: number; weak?: boolean; heedless?: boolean }) {
  const ask = writeOp(kit, [step, DONE]);
  await sendByHand(kit, ask, {
    sendsMax: 2,
    waitMs: async () => {
      await sleep(how.waitMs);
      const there = await readBack(kit, ask, how.weak === true);
      return there && !how.heedless ? null : 150;
    },
  });
}

const BLIND: CheckScenario[] = [
  {
    check: 'blind_write_retry',
    title: 'POST repeated after a reset',
    client: 'got',
    flawed: (kit) => sendByGot(kit, writeOp(kit, [RESET_DONE, DONE]), { retry: { limit: 1, methods: ['POST'] } }),
    // Looks first; nothing is there, so it may send again.
    sound: (kit) => lookThenSend(kit, RESET, { waitMs: SETTLED_MS }),
    found: [{ attempt: 2, severity: 'high', evidence: { grade: 'blind', doubtfulAttempt: 1, code: 'ECONNRESET' } }],
    also: ['duplicate_suspected'],
    state: 'succeeded_with_possible_duplicates',
  },
  {
    check: 'blind_write_retry',
    title: 'Sent again although it was found',
    client: 'fetch',
    flawed: (kit) => lookThenSend(kit, RESET_DONE, { waitMs: SETTLED_MS, heedless: true }),
    sound: (kit) => lookThenSend(kit, RESET_DONE, { waitMs: SETTLED_MS }),
    found: [{ attempt: 2, severity: 'critical', evidence: { grade: 'after_confirmed', doubtfulAttempt: 1 } }],
    also: ['duplicate_suspected'],
  },
  {
    check: 'blind_write_retry',
    title: 'Looked by a criterion that proves nothing',
    client: 'fetch',
    flawed: (kit) => lookThenSend(kit, RESET, { waitMs: SETTLED_MS, weak: true }),
    sound: (kit) => lookThenSend(kit, RESET, { waitMs: SETTLED_MS }),
    found: [{ attempt: 2, severity: 'medium', evidence: { grade: 'weak' } }],
    also: ['duplicate_suspected'],
  },
  {
    check: 'blind_write_retry',
    title: 'Looked before the platform was done',
    client: 'fetch',
    flawed: (kit) => lookThenSend(kit, RESET, { waitMs: 0 }),
    sound: (kit) => lookThenSend(kit, RESET, { waitMs: SETTLED_MS }),
    found: [{ attempt: 2, severity: 'medium', evidence: { grade: 'premature' } }],
    also: ['duplicate_suspected'],
  },
];

async function repeatOnTimeout(kit: Kit, ask: Ask): Promise<void> {
  await sendByAxios(kit, ask, {
    retry: { retries: 1, retryCondition: () => true, retryDelay: exponentialDelay },
  });
}

/** A job queue runs an order once more, as an operation of its own. The first run had an unclear send before it worked. */
async function runJobAgain(kit: Kit, keyOf: (part: string) => string): Promise<void> {
  for (const part of ['op', 'again']) {
    const ask: Ask = {
      operationId: kit.operation(part, part === 'op' ? [LATE, DONE] : [DONE]),
      kind: 'write',
      body: { order: kit.name },
      key: keyOf(part),
    };
    await sendByHand(kit, ask, { sendsMax: 2, waitMs: () => 200 });
  }
}

const TWICE: CheckScenario[] = [
  {
    check: 'duplicate_suspected',
    title: 'A blind repeat that succeeded',
    client: 'axios',
    flawed: (kit) => repeatOnTimeout(kit, writeOp(kit, [LATE, DONE])),
    sound: (kit) => repeatOnTimeout(kit, writeOp(kit, [LATE, DONE], { key: `key-${kit.name}` })),
    found: [{ attempt: 2, severity: 'medium', evidence: { level: 'probable', attempts: [1, 2], extraEffects: 1 } }],
    also: ['blind_write_retry'],
    state: 'succeeded_with_possible_duplicates',
  },
  {
    check: 'duplicate_suspected',
    title: 'A job run again after it had worked',
    client: 'fetch',
    // The key is made of the run where the order has one.
    flawed: (kit) => runJobAgain(kit, (part) => `key-${kit.name}-${part}`),
    sound: (kit) => runJobAgain(kit, () => `key-${kit.name}`),
    found: [{ operation: 'again', attempt: 1, severity: 'low', evidence: { level: 'possible', by: 'request' } }],
  },
];

const IGNORED_KEY: CheckScenario = {
  check: 'duplicate_suspected',
  title: 'A key that the server ignores',
  client: 'axios',
  server: 'ignores_keys',
  flawed: (kit) => repeatOnTimeout(kit, writeOp(kit, [LATE, DONE], { key: `key-${kit.name}`, keyMode: 'none' })),
  // Who knows that the key is ignored leaves the write to a person.
  sound: async (kit) => {
    const ask = writeOp(kit, [LATE, DONE], { key: `key-${kit.name}`, keyMode: 'none' });
    await sendByAxios(kit, ask, { retry: { retries: 0 } });
  },
  found: [{ attempt: 2, severity: 'medium', evidence: { level: 'probable', attempts: [1, 2], extraEffects: 1 } }],
  also: ['blind_write_retry'],
  state: 'succeeded_with_possible_duplicates',
};

export const WRITES: readonly CheckScenario[] = [...BLIND, ...TWICE, IGNORED_KEY];
