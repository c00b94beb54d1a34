import { setTimeout as sleep } from 'node:timers/promises';
import type { Step } from '../lab-server';
import type { CheckScenario } from './check-scenario';
import { envelope, headersOf, sendByAxios, sendByHand, type Ask, type HandLoop } from './clients';
import type { Kit } from './kit';
import { between } from './ranges';

/** Refused credentials: used again, renewed in vain, renewed by several at once. */

const OK: Step = { do: 'answer', status: 200, work: false };
const REFUSED: Step = { do: 'answer', status: 401, work: false, body: envelope('token_expired') };
/** The renewal takes its time, as it does over a network. */
const RENEWED: Step = { do: 'answer', status: 200, work: false, lateMs: 600 };
const NOT_RENEWED: Step = { do: 'answer', status: 400, work: false, lateMs: 600 };

function readOp(kit: Kit, steps: Step[], part = 'op'): Ask {
  return { operationId: kit.operation(part, steps), kind: 'read', credential: `token-of-${kit.name}` };
}

/** Fetches a new token and reports it: how a client renews is no business of the hooks. */
async function renew(kit: Kit, part: string, step: Step): Promise<boolean> {
  const ask = readOp(kit, [step], part);
  const startedAt = Date.now();
  const answer = await fetch(`${kit.server.url}/token`, { method: 'POST', headers: headersOf(ask) });
  await answer.text();
  const credential = ask.credential ?? '';
  kit.reporter.report({ type: 'auth_refresh', credential, startedAt, ok: answer.ok });
  return answer.ok;
}

/** On a 401: renews, then sends once more, as often as it is let. */
function renewing(renewal: () => Promise<boolean>, sendsMax: number): HandLoop {
  return {
    sendsMax,
    reason: () => 'reauth',
    waitMs: async ({ status }) => (status === 401 && (await renewal()) ? 100 : null),
  };
}

async function repeatUnrenewed(kit: Kit, repeats: boolean): Promise<void> {
  await sendByAxios(kit, readOp(kit, [REFUSED]), {
    retry: { retries: 2, retryDelay: (count) => count * 150, ...(repeats && { retryCondition: () => true }) },
  });
}

/** Every operation that meets a 401 tries its own luck with a renewal that can't succeed any more. */
async function renewDead(kit: Kit, operations: number): Promise<void> {
  for (let at = 1; at <= operations; at += 1) {
    const ask = readOp(kit, [REFUSED], `op${at}`);
    await sendByHand(
      kit,
      ask,
      renewing(() => renew(kit, `token${at}`, NOT_RENEWED), 2),
    );
  }
}

/** Two operations meet the 401 together. */
async function renewTogether(kit: Kit, shared: boolean): Promise<void> {
  let flight: Promise<boolean> | null = null;
  await Promise.all(
    ['op1', 'op2'].map((part) => {
      const own = () => renew(kit, `token-${part}`, RENEWED);
      const renewal = async (): Promise<boolean> => {
        if (!shared) {
          // The second notices a moment later.
          if (part === 'op2') await sleep(20);
          return own();
        }
        return (flight ??= own());
      };
      return sendByHand(kit, readOp(kit, [REFUSED, OK], part), renewing(renewal, 2));
    }),
  );
}

/** Each 401 is followed by a renewal and a new operation beneath the refused one. */
async function followUp(kit: Kit, statuses: readonly number[]): Promise<void> {
  let parent: string | undefined;
  for (const [at, status] of statuses.entries()) {
    const ask = readOp(kit, [status === 401 ? REFUSED : OK], at === 0 ? 'op' : `op${at + 1}`);
    const child = { ...ask, ...(parent !== undefined && { parentOperationId: parent }) };
    await sendByHand(kit, child, { sendsMax: 1, waitMs: () => null });
    parent = ask.operationId;
    if (at + 1 < statuses.length) await renew(kit, `token${at}`, RENEWED);
  }
}

export const CREDENTIALS: readonly CheckScenario[] = [
  {
    check: 'auth_loop',
    title: 'A 401 repeated without a new token',
    client: 'axios',
    flawed: (kit) => repeatUnrenewed(kit, true),
    sound: (kit) => repeatUnrenewed(kit, false),
    found: [
      { attempt: 2, severity: 'medium', evidence: { kind: 'not_renewed', after: 1 } },
      { attempt: 3, severity: 'medium', evidence: { kind: 'not_renewed', after: 2 } },
    ],
    also: ['never_retry_retried', 'wasted_retry'],
    state: 'failed',
  },
  {
    check: 'auth_loop',
    title: 'Renewed again for every 401',
    client: 'fetch',
    flawed: async (kit) => {
      let renewals = 0;
      const renewal = () => renew(kit, `token${++renewals}`, RENEWED);
      await sendByHand(kit, readOp(kit, [REFUSED]), renewing(renewal, 4));
    },
    sound: async (kit) => {
      await sendByHand(
        kit,
        readOp(kit, [REFUSED, OK]),
        renewing(() => renew(kit, 'token', RENEWED), 2),
      );
    },
    found: [{ attempt: 4, severity: 'high', evidence: { kind: 'renewed_in_vain', renewals: 3, refusals: 3 } }],
    state: 'failed',
  },
  {
    check: 'auth_loop',
    title: 'One follow-up after another',
    client: 'fetch',
    flawed: (kit) => followUp(kit, [401, 401, 401]),
    sound: (kit) => followUp(kit, [401, 200]),
    found: [{ operation: 'op3', attempt: 1, severity: 'high', evidence: { kind: 'renewed_in_vain', renewals: 2 } }],
  },
  {
    check: 'auth_loop',
    title: 'A dead token renewed by every call',
    client: 'fetch',
    flawed: (kit) => renewDead(kit, 3),
    sound: (kit) => renewDead(kit, 1),
    found: [{ operation: null, severity: 'high', evidence: { kind: 'renewal_fails', failures: 3 } }],
  },
  {
    check: 'auth_loop',
    title: 'Two renewals in flight',
    client: 'fetch',
    flawed: (kit) => renewTogether(kit, false),
    sound: (kit) => renewTogether(kit, true),
    found: [
      { operation: null, severity: 'medium', evidence: { kind: 'renewals_in_flight', apartMs: between(1, 500) } },
    ],
  },
];
