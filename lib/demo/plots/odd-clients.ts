import { BILLING, CATALOG_WEB, CHARGE_CREATE, CRM_SYNC, DEAL_ADD, DEAL_LIST, drawAmount, ORDER_INTAKE } from '../fleet';
import { ITEM_ADD, PORTAL_CONNECTOR, SEARCH, TRANSCRIBER, TRANSCRIPTION_CREATE } from '../fleet';
import { answerStatus, refuse, refuseConnection, succeed, timeOut } from '../outcomes';
import type { SendOutcome, Story } from '../story';
import { drawInstants, type Plot } from './plot';

/** Rare faults of single releases, a few a day of each: what somebody would look for in Findings. */

const OLD_RETRY = { name: 'axios-retry', version: '3.1.0' };
const OLD_FETCH = { name: 'fetch-again', version: '0.3.2' };
const MINUTE_MS = 60_000;

type Oddity = (story: Story, at: number) => void;

const newKeyEachTime: Oddity = (story, at) => {
  const { random } = story;
  const key = (): string => `idem-${Math.floor(random.next() * 0xffffffffffff).toString(16)}`;
  const draft = { sdk: OLD_RETRY, amount: drawAmount(random), idempotency: { key: key(), mode: 'server' as const } };
  const operation = story.begin(BILLING, CHARGE_CREATE, at, draft);
  operation.send(timeOut(8_004)).wait(random.between(300, 900));
  const next = random.chance(0.6) ? { key: key(), mode: 'server' as const } : {};
  operation.send({ ...succeed(random.latencyMs(620), 201), idempotency: next });
};

const oneKeyForTwo: Oddity = (story, at) => {
  const { random } = story;
  const key = `cart-${random.int(10_000, 99_999)}`;
  for (const later of [0, random.between(2, 40) * MINUTE_MS]) {
    const draft = { sdk: OLD_RETRY, amount: drawAmount(random), idempotency: { key, mode: 'server' as const } };
    story.begin(BILLING, CHARGE_CREATE, at + later, draft).send(succeed(random.latencyMs(620), 201));
  }
};

const equalOrders: Oddity = (story, at) => {
  const { random } = story;
  const scope = 'nordwind.bitrix24.eu';
  const fingerprint = `form-${random.int(10_000, 99_999)}`;
  const first = story.begin(ORDER_INTAKE, DEAL_ADD, at, { scope, amount: drawAmount(random) });
  first.send({ ...timeOut(10_002), fingerprint }).wait(random.between(900, 2_000));
  first.send({ ...succeed(random.latencyMs(420)), fingerprint });
  const again = story.begin(ORDER_INTAKE, DEAL_ADD, at + random.between(2, 9) * MINUTE_MS, { scope });
  again.send({ ...succeed(random.latencyMs(420)), fingerprint });
};

const refusedAgain: Oddity = (story, at) => {
  const { random } = story;
  const credential = 'nordwind:app';
  const operation = story.begin(CRM_SYNC, DEAL_LIST, at, { scope: 'nordwind.bitrix24.eu', sdk: OLD_FETCH });
  operation.send({ ...refuse(random, 'TOKEN_REFRESH_FAILED', null), credential }).wait(random.between(800, 2_000));
  operation.send({ ...refuse(random, 'TOKEN_REFRESH_FAILED', null), credential });
  for (let tries = 0; tries < 3; tries += 1) {
    operation.wait(random.between(40_000, 90_000));
    operation.say({ type: 'auth_refresh', credential, startedAt: Math.round(operation.now), ok: false });
  }
};

const throttledTwice: Oddity = (story, at) => {
  const { random } = story;
  const operation = story.begin(TRANSCRIBER, TRANSCRIPTION_CREATE, at, {
    idempotency: { key: `t-${random.int(1, 1e9)}` },
  });
  operation.send(answerStatus(60, 429, '2')).wait(2_050 + random.int(0, 400));
  operation.send(answerStatus(60, 429, '2')).wait(4_100 + random.int(0, 400));
  operation.send(succeed(random.latencyMs(260), 202));
};

const hotLoop: Oddity = (story, at) => {
  const operation = story.begin(CATALOG_WEB, SEARCH, at, { sdk: OLD_FETCH });
  for (let tries = 0; tries < 4; tries += 1) operation.send(answerStatus(12, 503)).wait(1);
  operation.send(succeed(story.random.latencyMs(45)));
};

const secondsForMs: Oddity = (story, at) => {
  const { random } = story;
  const operation = story.begin(CATALOG_WEB, SEARCH, at, { sdk: OLD_FETCH });
  for (let tries = 0; tries < 2; tries += 1) operation.send(answerStatus(20, 429, '30')).wait(30 + random.int(0, 3));
  operation.send(succeed(random.latencyMs(45)));
};

const msForSeconds: Oddity = (story, at) => {
  const operation = story.begin(CATALOG_WEB, SEARCH, at, { sdk: OLD_FETCH });
  operation.send(answerStatus(20, 429, '2')).wait(2_000_000);
  operation.send(succeed(story.random.latencyMs(45)));
};

const hedged: Oddity = (story, at) => {
  const operation = story.begin(CATALOG_WEB, SEARCH, at);
  operation.send(succeed(1_900));
  const startedAt = Math.round(at) + 700;
  operation.send({ ...succeed(60), startedAt, headersAt: startedAt + 58, endedAt: startedAt + 60, reason: 'hedge' });
};

const abortedThenSent: Oddity = (story, at) => {
  const abort: SendOutcome = {
    lastsMs: 2_400,
    outcome: 'aborted',
    abortBy: 'user',
    error: { name: 'AbortError', code: 20, message: 'This operation was aborted' },
  };
  const operation = story.begin(CATALOG_WEB, SEARCH, at, { sdk: OLD_FETCH });
  operation
    .send(abort)
    .wait(900)
    .send(succeed(story.random.latencyMs(45)));
};

const starved: Oddity = (story, at) => {
  const operation = story.begin(
    BILLING,
    { ...CHARGE_CREATE, call: 'GET /v1/charges/{id}', kind: 'read', method: 'GET' },
    at,
  );
  operation
    .send(timeOut(9_000))
    .wait(400)
    .send({ ...timeOut(2), abortBy: 'deadline' });
};

const lostNumbers: Oddity = (story, at) => {
  const operation = story.begin(CATALOG_WEB, SEARCH, at);
  operation.send(answerStatus(40, 503)).wait(2_600);
  operation.send({ ...succeed(story.random.latencyMs(45)), attempt: 3 });
};

const otherRequest: Oddity = (story, at) => {
  const { random } = story;
  const operation = story.begin(ORDER_INTAKE, DEAL_ADD, at, { scope: 'romashka.bitrix24.ru' });
  operation.send(refuse(random, 'BITRIX_ERROR', null)).wait(random.between(20_000, 90_000));
  operation.send({ ...succeed(random.latencyMs(420)), fingerprint: `mended-${random.int(1_000, 9_999)}` });
};

const nestedRetries: Oddity = (story, at) => {
  const { random } = story;
  const outer = story.begin(ORDER_INTAKE, { ...DEAL_ADD, call: 'crm.deal.list', kind: 'read', method: 'GET' }, at);
  for (let tries = 0; tries < 2; tries += 1) {
    const inner = story.begin(CRM_SYNC, DEAL_LIST, outer.now + 20, { parentOperationId: outer.operationId });
    for (let again = 0; again < 2; again += 1) inner.send(answerStatus(200, 502)).wait(random.between(1_000, 1_500));
    inner.send(answerStatus(200, 502));
    outer.send(answerStatus(inner.now - outer.now + 30, 502)).wait(random.between(1_000, 2_000));
  }
  outer.send(succeed(random.latencyMs(420)));
};

const gaveUpSilently: Oddity = (story, at) => {
  const operation = story.begin(BILLING, CHARGE_CREATE, at, { sdk: OLD_RETRY });
  for (let tries = 0; tries < 3; tries += 1) operation.send(refuseConnection(3)).wait(400 * 2 ** tries);
  operation.send({ ...answerStatus(90, 422), requestId: undefined });
};

const strayDeliveries: Oddity = (story, at) => {
  const { random } = story;
  const jobId = `job_${random.int(100_000, 999_999)}`;
  const operation = story.begin(TRANSCRIBER, TRANSCRIPTION_CREATE, at, { idempotency: { key: jobId } });
  operation.send({ ...succeed(random.latencyMs(260), 202), jobId });
  for (const [waitMs, status] of [
    [90_000, 500],
    [62_000, 500],
    [95_000, 200],
    [400_000, 200],
  ] as const) {
    operation.wait(waitMs);
    const startedAt = Math.round(operation.now);
    operation.say({ type: 'webhook_delivery', jobId, event: 'transcription.done', startedAt, status });
  }
};

const wholeBatchAgain: Oddity = (story, at) => {
  const { random } = story;
  const route = { ...ITEM_ADD, call: 'batch' };
  const operation = story.begin(PORTAL_CONNECTOR, route, at, { scope: PORTAL_CONNECTOR.target });
  operation.send({ ...succeed(random.latencyMs(900)), bodySummary: { total: 6, failed: 2 } }).wait(2_000);
  operation.send({ ...succeed(random.latencyMs(900)), bodySummary: { total: 6, failed: 0 } });
};

const silentItems: Oddity = (story, at) => {
  const { random } = story;
  const items = ['c0', 'c1', 'c3'].map((item) => ({ item, kind: 'write' as const, call: ITEM_ADD.call, status: 200 }));
  story.begin(PORTAL_CONNECTOR, { ...ITEM_ADD, call: 'batch' }, at, { scope: PORTAL_CONNECTOR.target }).send({
    ...succeed(random.latencyMs(900)),
    batch: { id: `s-${random.int(10_000, 99_999)}`, size: 5 },
    items,
  });
};

const ODDITIES: readonly Oddity[] = [
  newKeyEachTime,
  oneKeyForTwo,
  equalOrders,
  refusedAgain,
  throttledTwice,
  hotLoop,
  secondsForMs,
  msForSeconds,
  hedged,
  abortedThenSent,
  starved,
  lostNumbers,
  otherRequest,
  nestedRetries,
  gaveUpSilently,
  strayDeliveries,
  wholeBatchAgain,
  silentItems,
];

export const tellOddClients: Plot = (story, setting) => {
  for (const oddity of ODDITIES) for (const at of drawInstants(story, setting, 0.2, 0.01)) oddity(story, at);
};
