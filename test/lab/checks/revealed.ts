import { exponentialDelay } from 'axios-retry';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Step } from '../lab-server';
import type { CheckScenario } from './check-scenario';
import { envelope, sendByAxios, sendByGot, sendByHand, type Ask } from './clients';
import type { Kit } from './kit';
import { readBack, SETTLED_MS } from './read-back';

/** Doubles that come to light later: by a look, by the jobs they made, by what the platform remembers. */

const DONE: Step = { do: 'answer', status: 201, work: true };
const LATE: Step = { do: 'answer', status: 504, work: true };

/** Repeats a write that was late, then looks what is there. */
async function repeatThenLook(kit: Kit, more: Partial<Ask>): Promise<void> {
  const ask: Ask = { operationId: kit.operation('op', [LATE, DONE]), kind: 'write', ...more };
  await sendByAxios(kit, ask, { retry: { retries: 1, retryCondition: () => true, retryDelay: exponentialDelay } });
  await sleep(SETTLED_MS);
  await readBack(kit, ask);
}

/** Each submission answers with a job of its own: the platform doesn't look at the key. */
async function submit(kit: Kit, parts: readonly string[]): Promise<void> {
  for (const part of parts) {
    const body = JSON.stringify({ id: `job-${kit.name}-${part}` });
    const ask: Ask = {
      operationId: kit.operation(part, [{ do: 'answer', status: 201, work: true, body }]),
      kind: 'write',
      profile: 'quillhub',
      key: `key-${kit.name}`,
      keyMode: 'client_dedupe',
      body: { audio: kit.name },
    };
    await sendByHand(kit, ask, {
      sendsMax: 1,
      waitMs: () => null,
      envelope: (answer) => ({ jobId: (answer as { id: string }).id }),
    });
  }
}

const AGENT_ANSWER: Step = {
  do: 'answer',
  status: 409,
  work: false,
  body: envelope('AGENT_WRITE_ALREADY_EXECUTED', { firstStatus: 200 }),
};

/** A DELETE whose answer was lost; got repeats it, and the platform remembers the first. */
async function deleteTwice(kit: Kit, steps: Step[]): Promise<void> {
  const ask: Ask = { operationId: kit.operation('op', steps), kind: 'write', method: 'DELETE', profile: 'vibecode' };
  await sendByGot(kit, ask, { retry: { limit: 1 } });
}

/** The platform speaks of a first DELETE that this client never sent, or did send half a minute before. */
async function toldOfFirst(kit: Kit, sent: boolean): Promise<void> {
  const common = { kind: 'write', method: 'DELETE', profile: 'vibecode' } as const;
  if (sent) {
    const first: Ask = { operationId: kit.operation('first', [{ do: 'reset', work: true }]), ...common };
    await sendByHand(kit, first, { sendsMax: 1, waitMs: () => null });
  }
  const ask: Ask = { operationId: kit.operation('op', [AGENT_ANSWER]), ...common };
  await sendByHand(kit, ask, { sendsMax: 1, waitMs: () => null });
}

export const REVEALED: readonly CheckScenario[] = [
  {
    check: 'duplicate_suspected',
    title: 'Two found where one was meant',
    client: 'axios',
    flawed: (kit) => repeatThenLook(kit, {}),
    sound: (kit) => repeatThenLook(kit, { key: `key-${kit.name}` }),
    found: [{ attempt: 2, severity: 'critical', evidence: { level: 'confirmed', entities: 2, extraEffects: 1 } }],
    also: ['blind_write_retry'],
    state: 'succeeded_with_possible_duplicates',
  },
  {
    check: 'duplicate_suspected',
    title: 'Two jobs under one key',
    client: 'fetch',
    server: 'ignores_keys',
    flawed: (kit) => submit(kit, ['op', 'again']),
    sound: (kit) => submit(kit, ['op']),
    found: [{ operation: 'again', attempt: 1, severity: 'critical', evidence: { level: 'confirmed', by: 'key' } }],
  },
  {
    check: 'blind_write_retry',
    title: 'A DELETE repeated, its double prevented',
    client: 'got',
    flawed: (kit) => deleteTwice(kit, [{ do: 'reset', work: true }, AGENT_ANSWER]),
    sound: (kit) => deleteTwice(kit, [{ do: 'answer', status: 200, work: true }]),
    found: [{ attempt: 2, severity: 'high', evidence: { grade: 'blind', doubtfulAttempt: 1, effectPrevented: true } }],
    state: 'succeeded',
  },
  {
    check: 'contract_anomaly',
    title: 'A first DELETE that nobody sent',
    client: 'fetch',
    flawed: (kit) => toldOfFirst(kit, false),
    sound: (kit) => toldOfFirst(kit, true),
    found: [{ attempt: 1, severity: 'low', evidence: { anomalies: ['no_first_delete'] } }],
  },
];
