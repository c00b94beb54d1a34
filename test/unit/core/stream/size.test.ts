import { expect, it } from 'vitest';
import type { Fact } from '@/lib/core/attempt';
import { toStreamFacts, toStreamSends } from '@/lib/core/checks/stream/build-stream';
import { findInStream } from '@/lib/core/checks/stream/index';
import type { StreamSend } from '@/lib/core/checks/stream/stream';
import { DEFAULT_SETTINGS } from '@/lib/core/operation';
import { fact, fold, T0 } from '../support/event';
import { send } from '../support/find-all';

/** Work grows with the sends, not with their square: what a busy or a hostile client can heap on one key, job or name. */

const COUNT = 40_000;
const [first] = toStreamSends(fold([send(1, 0, { status: 503, scope: 'portal', credential: 'c' })]).attempts);

function many(fields: (at: number) => Partial<StreamSend>): StreamSend[] {
  if (!first) throw new Error('no send');
  return Array.from({ length: COUNT }, (_, at) => {
    const startAt = T0 + at * 20;
    const times = { startAt, refAt: startAt + 10, endAt: startAt + 10 };
    return { ...first, ...times, eventId: `e-${at}`, operationId: `op-${at}`, ...fields(at) };
  });
}

function secondsFor(sends: StreamSend[], facts: Fact[] = []): number {
  const started = performance.now();
  const window = { from: T0, to: T0 + COUNT * 100 };
  findInStream({ window, sends, facts: toStreamFacts(facts), settings: DEFAULT_SETTINGS });
  return (performance.now() - started) / 1_000;
}

// A square of the count takes minutes, twenty times this bound and more.
const SECONDS = 15;

it.each<[string, (at: number) => Partial<StreamSend>]>([
  ['one key for every request', (at) => ({ keyHash: 'k', fingerprint: `f-${at}`, serverKey: 'k' })],
  ['one key for one request', () => ({ keyHash: 'k', fingerprint: 'f', serverKey: 'k' })],
  [
    'one operation under one key, two requests',
    (at) => ({ operationId: 'op', keyHash: 'k', fingerprint: `f-${at % 2}` }),
  ],
  [
    'one operation under one key, each request new',
    (at) => ({ operationId: 'op', keyHash: 'k', fingerprint: `f-${at}` }),
  ],
  ['a pause asked again and again', () => ({ rule: 'TIMEOUT_QUARANTINE', askedMs: 600_000 })],
  ['an error loop that everybody feeds', () => ({ rule: 'ERROR_LOOP_DETECTED', fingerprint: 'f', warned: true })],
  ['one chain of followers', (at) => ({ parentOperationId: at === 0 ? undefined : `op-${at - 1}`, authRefused: true })],
  ['one parent of all', (at) => ({ parentOperationId: at === 0 ? undefined : 'op-0', attempt: 2 })],
])('%s', { timeout: 60_000 }, (_name, fields) => {
  expect(secondsFor(many(fields))).toBeLessThan(SECONDS);
});

it('deliveries and renewals without end', { timeout: 60_000 }, () => {
  const told = Array.from({ length: COUNT }, (_, at) => [
    fact({ type: 'webhook_delivery', operationId: undefined, jobId: 'j', event: 'e', startedAt: T0 + at, status: 500 }),
    fact({ type: 'auth_refresh', operationId: undefined, credential: 'c', startedAt: T0 + at, ok: false }),
  ]).flat();
  expect(secondsFor([], told)).toBeLessThan(SECONDS);
});
