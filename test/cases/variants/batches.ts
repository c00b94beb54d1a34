import { send, type Wire } from '../judge';

/** Batch shapes derived from domain.md §1.1, §1.2, V13 and the contract: item → state of its own operation. */
export interface BatchVariant {
  name: string;
  events: Wire[];
  states: Record<string, string>;
  /** Checks and flags of any of them. */
  has?: string[];
  not?: string[];
}

const V = { profile: 'vibecode', call: 'POST /v1/batch' };
const C = { profile: 'bitrix_rest', call: 'batch' };
const B3 = { profile: 'bitrix_rest', call: '/rest/api/batch' };
const H = { profile: 'http', call: 'POST /bulk' };
const OK = { status: 200 };

const create = (item: string, fields: Wire = {}): Wire => ({ item, call: 'create', ...fields });
const read = (item: string, fields: Wire = {}): Wire => ({ item, call: 'list', ...fields });
const index = (item: string, fields: Wire = {}): Wire => ({ item, kind: 'write', call: 'index', ...fields });

export const BATCH_VARIANTS: readonly BatchVariant[] = [
  {
    name: 'reads and writes lost with one envelope',
    events: [send(1, 0, { ...V, status: 504, code: 'BITRIX_TIMEOUT', items: [create('0'), read('1')] })],
    states: { 'op#0': 'unresolved', 'op#1': 'failed' },
  },
  {
    name: 'the whole batch was refused before it began',
    events: [send(1, 0, { ...V, status: 400, code: 'MISSING_ENTITY_ID', items: [create('0'), read('1')] })],
    states: { 'op#0': 'unresolved', 'op#1': 'failed' },
  },
  {
    name: 'refused by the queue as a whole, then done',
    events: [
      send(1, 0, { ...V, status: 429, code: 'QUEUE_OVERFLOW', items: [create('0'), create('1')] }),
      send(2, 9_000, { ...V, ...OK, items: [create('0', { status: 201 }), create('1', { status: 201 })] }),
    ],
    states: { 'op#0': 'succeeded', 'op#1': 'succeeded' },
    not: ['whole_batch_resent', 'blind_write_retry', 'duplicate_suspected'],
  },
  {
    name: 'the failed items alone are sent again',
    events: [
      send(1, 0, { ...V, ...OK, items: [create('0', { status: 201 }), create('1', { code: 'RATE_LIMITED' })] }),
      send(2, 9_000, { ...V, ...OK, items: [create('1', { status: 201 })] }),
    ],
    states: { 'op#0': 'succeeded', 'op#1': 'succeeded' },
    has: ['partial_success'],
    not: ['whole_batch_resent', 'duplicate_suspected'],
  },
  {
    name: 'all of it is sent again although one had worked',
    events: [
      send(1, 0, { ...V, ...OK, items: [create('0', { status: 201 }), create('1', { code: 'RATE_LIMITED' })] }),
      send(2, 9_000, { ...V, ...OK, items: [create('0', { status: 201 }), create('1', { status: 201 })] }),
    ],
    states: { 'op#0': 'succeeded_with_possible_duplicates', 'op#1': 'succeeded' },
    has: ['whole_batch_resent', 'duplicate_suspected'],
  },
  {
    name: 'all of it again, and this time nothing is heard',
    events: [
      send(1, 0, { ...V, ...OK, items: [create('0', { status: 201 }), create('1', { code: 'RATE_LIMITED' })] }),
      send(2, 9_000, { ...V, outcome: 'timeout', items: [create('0'), create('1')] }),
    ],
    states: { 'op#0': 'unresolved', 'op#1': 'unresolved' },
    has: ['whole_batch_resent'],
  },
  {
    name: 'a read that had worked may be sent again',
    events: [
      send(1, 0, { ...V, ...OK, items: [read('0', { status: 200 }), create('1', { code: 'RATE_LIMITED' })] }),
      send(2, 9_000, { ...V, ...OK, items: [read('0', { status: 200 }), create('1', { status: 201 })] }),
    ],
    states: { 'op#0': 'succeeded', 'op#1': 'succeeded' },
    not: ['whole_batch_resent', 'duplicate_suspected'],
  },
  {
    name: 'an item with an operation of its own',
    events: [
      send(1, 0, {
        ...V,
        ...OK,
        items: [create('0', { status: 201, operationId: 'deal-7' }), create('1', { status: 201 })],
      }),
    ],
    states: { 'deal-7': 'succeeded', 'op#1': 'succeeded' },
  },
  {
    name: 'an item retried alone under its own operation',
    events: [
      send(1, 0, { ...V, ...OK, items: [create('0', { code: 'BITRIX_TIMEOUT', operationId: 'deal-7' })] }),
      { ...send(2, 9_000, { profile: 'vibecode', call: 'POST /v1/deals', status: 201 }), operationId: 'deal-7' },
    ],
    states: { 'deal-7': 'succeeded_with_possible_duplicates' },
    has: ['blind_write_retry'],
  },
  {
    name: 'classic: halt leaves the rest unsent',
    events: [
      send(1, 0, {
        ...C,
        ...OK,
        items: [
          { item: 'a', call: 'crm.deal.add', status: 200 },
          { item: 'b', call: 'crm.deal.add', code: 'ERROR_CORE' },
          { item: 'c', call: 'crm.deal.add', notRun: true },
        ],
      }),
    ],
    states: { 'op#a': 'succeeded', 'op#b': 'unresolved', 'op#c': 'failed' },
    has: ['partial_success'],
  },
  {
    name: 'classic: a limit inside is refused, not unknown',
    events: [send(1, 0, { ...C, ...OK, items: [{ item: 'a', call: 'crm.deal.add', code: 'query_limit_exceeded' }] })],
    states: { 'op#a': 'failed' },
  },
  {
    name: 'REST 3.0: one error, any write may have run, whatever the error says',
    events: [
      send(1, 0, {
        ...B3,
        status: 401,
        code: 'expired_token',
        items: [
          { item: '0', call: 'crm.item.add' },
          { item: '1', call: 'crm.item.list' },
        ],
      }),
    ],
    states: { 'op#0': 'unresolved', 'op#1': 'failed' },
    has: ['item_without_outcome'],
  },
  {
    name: 'REST 3.0: the error under 200',
    events: [
      send(1, 0, {
        ...B3,
        ...OK,
        bodyErrors: ['BITRIX_REST_V3_EXCEPTION_X'],
        items: [{ item: '0', call: 'crm.item.add' }],
      }),
    ],
    states: { 'op#0': 'unresolved' },
  },
  {
    name: 'REST 3.0: all well',
    events: [send(1, 0, { ...B3, ...OK, items: [{ item: '0', call: 'crm.item.add', status: 200 }] })],
    states: { 'op#0': 'succeeded' },
  },
  {
    name: 'a bulk call whose items differ',
    events: [
      send(1, 0, {
        ...H,
        ...OK,
        items: [index('0', { status: 201 }), index('1', { status: 429 }), index('2', { status: 500 }), index('3')],
      }),
    ],
    states: { 'op#0': 'succeeded', 'op#1': 'failed', 'op#2': 'unresolved', 'op#3': 'unresolved' },
    has: ['partial_success', 'item_without_outcome'],
  },
  {
    name: 'a bulk call that timed out, keyed: the same key again',
    events: [
      send(1, 0, { ...H, outcome: 'timeout', idempotency: { key: 'k' }, items: [index('0')] }),
      send(2, 9_000, { ...H, ...OK, idempotency: { key: 'k' }, items: [index('0', { status: 201 })] }),
    ],
    states: { 'op#0': 'succeeded' },
    not: ['blind_write_retry'],
  },
  {
    name: 'a cut answer is every item’s doubt',
    events: [
      send(1, 0, {
        ...H,
        ...OK,
        error: { name: 'TypeError', message: 'terminated', cause: { code: 'UND_ERR_SOCKET' } },
        items: [index('0'), { item: '1', kind: 'read' }],
      }),
    ],
    states: { 'op#0': 'unresolved', 'op#1': 'failed' },
    has: ['response_truncated'],
  },
  {
    name: 'a made-up 200 carries nothing',
    events: [send(1, 0, { ...H, ...OK, statusOrigin: 'sdk', items: [index('0')] })],
    states: { 'op#0': 'unresolved' },
  },
  {
    name: 'a blank code is no answer',
    events: [send(1, 0, { ...H, ...OK, items: [index('0', { code: '' })] })],
    states: { 'op#0': 'unresolved' },
    has: ['item_without_outcome'],
  },
  {
    name: 'numbers for names',
    events: [
      send(1, 0, { ...H, ...OK, batch: { id: 'b', size: 3 }, items: [{ item: 1, kind: 'write', status: 201 }] }),
    ],
    states: { 'op#0': 'unresolved', 'op#1': 'succeeded', 'op#2': 'unresolved' },
  },
];
