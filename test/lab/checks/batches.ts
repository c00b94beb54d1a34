import type { EnvelopeFacts } from '@/lib/client/answer-facts';
import type { Step } from '../lab-server';
import type { CheckScenario } from './check-scenario';
import { sendByAxios, sendByHand, type Ask, type Seen } from './clients';
import type { Kit } from './kit';

/** Calls that carry many items: each has an outcome of its own. */

interface ItemAnswer {
  item: string;
  status: number;
}

function itemsIn(body: unknown): ItemAnswer[] {
  return typeof body === 'object' && body !== null && 'items' in body ? (body.items as ItemAnswer[]) : [];
}

/** Reads an answer that speaks of each item; `size` is what was sent. */
function perItem(size: number): (body: unknown) => EnvelopeFacts {
  return (body) => ({ items: itemsIn(body), batch: { id: 'batch', size } });
}

/** A batch's answer, and the items that were really done. */
function answerItems(operationId: string, items: ItemAnswer[], status = 200): Step {
  const done = items.filter((one) => one.status < 300).map(({ item }) => `${operationId}#${item}`);
  return { do: 'answer', status, work: done, body: JSON.stringify({ items }) };
}

function item(name: number, status: number): ItemAnswer {
  return { item: String(name), status };
}

const MIXED = [item(0, 201), item(1, 503), item(2, 201)];

function batchOp(kit: Kit, answers: ItemAnswer[][]): Ask {
  const operationId = `${kit.name}:op`;
  return {
    operationId: kit.operation(
      'op',
      answers.map((items) => answerItems(operationId, items)),
    ),
    kind: 'write',
  };
}

const failedOf = ({ body }: Seen): ItemAnswer[] => itemsIn(body).filter(({ status }) => status >= 300);

async function sendBatch(kit: Kit, ask: Ask, sendsMax: number, size = 3): Promise<void> {
  await sendByHand(kit, ask, {
    sendsMax,
    envelope: perItem(size),
    repeatsSuccess: true,
    waitMs: (seen) => (failedOf(seen).length > 0 ? 200 : null),
  });
}

/** Sends again what failed, and nothing else. */
async function sendRest(kit: Kit): Promise<void> {
  const operationId = `${kit.name}:op`;
  const ask = batchOp(kit, [MIXED, [item(1, 201)]]);
  let sends = 0;
  await sendByHand(kit, ask, {
    sendsMax: 2,
    // Of the second call only one item is spoken of, and only one was sent.
    envelope: (body) => ({ items: itemsIn(body), batch: { id: `batch-${++sends}` } }),
    repeatsSuccess: true,
    waitMs: (seen) => (failedOf(seen).length > 0 ? 200 : null),
    change: (attempt) => ({ body: { of: operationId, items: attempt === 1 ? [0, 1, 2] : [1] } }),
  });
}

interface Summary {
  total: number;
  failed: number;
}

/** An answer that only counts: `{total, failed}`. */
function summed(body: unknown): EnvelopeFacts {
  const { total, failed } = body as Summary;
  return { bodySummary: { total, failed } };
}

async function importRows(kit: Kit, failed: number): Promise<void> {
  const body = JSON.stringify({ total: 20, failed });
  const ask: Ask = {
    operationId: kit.operation('op', [{ do: 'answer', status: 200, work: true, body }]),
    kind: 'write',
  };
  await sendByAxios(kit, ask, { retry: { retries: 2 }, envelope: summed });
}

export const BATCHES: readonly CheckScenario[] = [
  {
    check: 'partial_success',
    title: 'A 200 that hides failed rows',
    client: 'axios',
    flawed: (kit) => importRows(kit, 3),
    sound: (kit) => importRows(kit, 0),
    found: [{ attempt: 1, severity: 'low', evidence: { total: 20, failed: 3 } }],
    state: 'partially_applied',
  },
  {
    check: 'partial_success',
    title: 'A 200 with a failed item',
    client: 'fetch',
    flawed: (kit) => sendBatch(kit, batchOp(kit, [MIXED]), 1),
    sound: (kit) => sendBatch(kit, batchOp(kit, [[item(0, 201), item(1, 201), item(2, 201)]]), 1),
    found: [{ operation: 'op#1', attempt: 1, evidence: {} }],
    also: ['retryable_not_retried'],
  },
  {
    check: 'whole_batch_resent',
    title: 'The whole batch sent again for one item',
    client: 'fetch',
    flawed: (kit) => sendBatch(kit, batchOp(kit, [MIXED, [item(0, 201), item(1, 201), item(2, 201)]]), 2),
    sound: sendRest,
    found: [
      { operation: 'op#0', attempt: 2, severity: 'medium', evidence: { after: 1, itemsThatHadWorked: 1 } },
      { operation: 'op#2', attempt: 2, severity: 'medium', evidence: { after: 1, itemsThatHadWorked: 1 } },
    ],
    also: ['duplicate_suspected', 'partial_success'],
    // The first answer hid a failed item from whoever looks at the status alone.
    soundShows: ['partial_success'],
  },
  {
    check: 'item_without_outcome',
    title: 'An answer that forgets an item',
    client: 'fetch',
    flawed: (kit) => sendBatch(kit, batchOp(kit, [[item(0, 201), item(1, 201)]]), 1),
    sound: (kit) => sendBatch(kit, batchOp(kit, [[item(0, 201), item(1, 201), item(2, 201)]]), 1),
    found: [{ operation: 'op#2', attempt: 1, severity: 'low', evidence: {} }],
  },
];
