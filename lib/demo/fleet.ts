import type { Kind, Money, Policy, Profile, SdkName } from '@/lib/core/attempt';
import type { Random } from './random';

/** Who calls, with what, and whom: the demo company's services. */
export interface Caller {
  service: string;
  sdks: readonly (readonly [SdkName, number])[];
  instances: number;
  target: string;
  profile: Profile;
  policy?: Policy;
  environment?: string;
}

export interface Route {
  call: string;
  kind: Kind;
  method: string;
  /** Median of a healthy answer. */
  latencyMs: number;
  /** Calls in the busiest hour, tallied ones included. */
  callsPeak: number;
}

export interface Stream {
  caller: Caller;
  routes: readonly Route[];
}

const VIBECODE = 'vibecode.bitrix24.tech';
const FULL_JITTER: Policy = { maxRetries: 5, baseMs: 1_000, capMs: 30_000, jitter: 'full', deadlineMs: 120_000 };

export const CRM_SYNC: Caller = {
  service: 'crm-sync',
  sdks: [
    [{ name: 'vibe-js', version: '2.4.1' }, 7],
    [{ name: 'vibe-js', version: '2.2.0' }, 3],
  ],
  instances: 24,
  target: VIBECODE,
  profile: 'vibecode',
  policy: { maxRetries: 4, baseMs: 1_000, capMs: 30_000, jitter: 'equal', deadlineMs: 300_000 },
};

/** 1.8.0 repeats a write that timed out without a look; 1.9.1 reads back first. */
export const ORDER_INTAKE: Caller = {
  service: 'order-intake',
  sdks: [
    [{ name: 'orders-sdk', version: '1.9.1' }, 8],
    [{ name: 'orders-sdk', version: '1.8.0' }, 2],
  ],
  instances: 6,
  target: VIBECODE,
  profile: 'vibecode',
  policy: { maxRetries: 3, baseMs: 1_000, capMs: 20_000, jitter: 'full', deadlineMs: 180_000 },
};

/** 0.9.2 does not read Retry-After at all. */
export const NIGHTLY_EXPORT: Caller = {
  service: 'nightly-export',
  sdks: [
    [{ name: 'vibe-py', version: '0.9.4' }, 3],
    [{ name: 'vibe-py', version: '0.9.2' }, 2],
  ],
  instances: 3,
  target: VIBECODE,
  profile: 'vibecode',
  policy: { maxRetries: 6, baseMs: 500, capMs: 8_000, jitter: 'none' },
};

export const BILLING: Caller = {
  service: 'billing',
  sdks: [[{ name: 'axios-retry', version: '4.5.0' }, 1]],
  instances: 4,
  target: 'api.paystream.example',
  profile: 'http',
  policy: { maxRetries: 3, baseMs: 200, capMs: 10_000, jitter: 'partial', deadlineMs: 60_000 },
};

export const TRANSCRIBER: Caller = {
  service: 'transcriber',
  sdks: [[{ name: 'got', version: '14.6.6' }, 1]],
  instances: 3,
  target: 'quillhub.ai',
  profile: 'quillhub',
  policy: FULL_JITTER,
};

export const BOT_GATEWAY: Caller = {
  service: 'bot-gateway',
  sdks: [[{ name: 'vibe-js', version: '2.4.1' }, 1]],
  instances: 5,
  target: VIBECODE,
  profile: 'vibecode',
  policy: { maxRetries: 2, baseMs: 500, capMs: 5_000, jitter: 'full', deadlineMs: 60_000 },
};

export const PORTAL_CONNECTOR: Caller = {
  service: 'portal-connector',
  sdks: [
    [{ name: 'b24phpsdk', version: '1.7.0' }, 2],
    [{ name: 'b24jssdk', version: '1.3.0' }, 1],
  ],
  instances: 4,
  target: 'romashka.bitrix24.ru',
  profile: 'bitrix_rest',
  policy: { maxAttempts: 3, baseMs: 1_000, capMs: 30_000, jitter: '±10%' },
};

export const AGENT_WORKER: Caller = {
  service: 'agent-worker',
  sdks: [[{ name: 'vibe-agent', version: '0.4.0' }, 1]],
  instances: 2,
  target: VIBECODE,
  profile: 'vibecode',
  policy: { maxRetries: 2, baseMs: 1_000, capMs: 10_000, jitter: 'full' },
};

export const CATALOG_WEB: Caller = {
  service: 'catalog-web',
  sdks: [[{ name: 'undici', version: '7.30.2' }, 1]],
  instances: 8,
  target: 'search.catalog.example',
  profile: 'http',
  policy: { maxRetries: 2, baseMs: 100, capMs: 2_000, jitter: 'full', deadlineMs: 5_000 },
};

export const DEAL_LIST: Route = {
  call: 'crm.deal.list',
  kind: 'read',
  method: 'GET',
  latencyMs: 210,
  callsPeak: 5_200,
};
export const DEAL_UPDATE: Route = {
  call: 'crm.deal.update',
  kind: 'write',
  method: 'PATCH',
  latencyMs: 340,
  callsPeak: 1_500,
};
export const DEAL_ADD: Route = { call: 'crm.deal.add', kind: 'write', method: 'POST', latencyMs: 420, callsPeak: 520 };
export const LEAD_ADD: Route = { call: 'crm.lead.add', kind: 'write', method: 'POST', latencyMs: 390, callsPeak: 340 };
export const CHARGE_CREATE: Route = {
  call: 'POST /v1/charges',
  kind: 'write',
  method: 'POST',
  latencyMs: 620,
  callsPeak: 430,
};
export const REFUND_CREATE: Route = {
  call: 'POST /v1/refunds',
  kind: 'write',
  method: 'POST',
  latencyMs: 540,
  callsPeak: 46,
};
export const TRANSCRIPTION_CREATE: Route = {
  call: 'POST /v1/transcriptions',
  kind: 'write',
  method: 'POST',
  latencyMs: 260,
  callsPeak: 90,
};
export const MESSAGE_SEND: Route = {
  call: 'imbot.message.add',
  kind: 'write',
  method: 'POST',
  latencyMs: 180,
  callsPeak: 900,
};
export const DEAL_DELETE: Route = {
  call: 'crm.deal.delete',
  kind: 'write',
  method: 'DELETE',
  latencyMs: 300,
  callsPeak: 60,
};
export const ITEM_ADD: Route = { call: 'crm.item.add', kind: 'write', method: 'POST', latencyMs: 450, callsPeak: 240 };
export const COMPANY_LIST: Route = {
  call: 'crm.company.list',
  kind: 'read',
  method: 'GET',
  latencyMs: 330,
  callsPeak: 40,
};
export const SEARCH: Route = { call: 'GET /search', kind: 'read', method: 'GET', latencyMs: 45, callsPeak: 9_000 };

/** Everything that is tallied while it goes well. */
export const STREAMS: readonly Stream[] = [
  {
    caller: CRM_SYNC,
    routes: [
      DEAL_LIST,
      DEAL_UPDATE,
      { call: 'crm.contact.search', kind: 'read', method: 'POST', latencyMs: 260, callsPeak: 1_900 },
    ],
  },
  { caller: ORDER_INTAKE, routes: [DEAL_ADD, LEAD_ADD] },
  { caller: NIGHTLY_EXPORT, routes: [COMPANY_LIST] },
  {
    caller: BILLING,
    routes: [
      CHARGE_CREATE,
      REFUND_CREATE,
      { call: 'GET /v1/charges/{id}', kind: 'read', method: 'GET', latencyMs: 90, callsPeak: 1_300 },
    ],
  },
  {
    caller: TRANSCRIBER,
    routes: [
      TRANSCRIPTION_CREATE,
      { call: 'GET /v1/transcriptions/{id}', kind: 'read', method: 'GET', latencyMs: 110, callsPeak: 620 },
    ],
  },
  { caller: BOT_GATEWAY, routes: [MESSAGE_SEND] },
  {
    caller: PORTAL_CONNECTOR,
    routes: [ITEM_ADD, { call: 'crm.item.list', kind: 'read', method: 'POST', latencyMs: 380, callsPeak: 700 }],
  },
  { caller: AGENT_WORKER, routes: [DEAL_DELETE] },
  { caller: CATALOG_WEB, routes: [SEARCH] },
];

/** Two currencies, amounts as people order. */
export function drawAmount(random: Random): Money {
  const rubles = random.chance(0.45);
  const scale = rubles ? 100 : 1;
  const cents = Math.round(Math.exp(random.between(Math.log(900), Math.log(240_000)))) * scale;
  return { value: (cents / 100).toFixed(2), currency: rubles ? 'RUB' : 'EUR' };
}

export const PORTALS = ['romashka.bitrix24.ru', 'nordwind.bitrix24.eu', 'atelier-lumiere.bitrix24.fr'] as const;
