import { describe, expect, it } from 'vitest';
import { findAmplification, judgeLoad, type ServiceLoad } from '@/lib/core/checks/stream/amplification';
import type { StreamSend } from '@/lib/core/checks/stream/stream';
import { DEFAULT_SETTINGS, type Settings } from '@/lib/core/operation';
import { T0 } from '../support/event';
import { find, streamSend, tally } from '../support/stream-send';

/** M17 by rule: which hops nest, what each multiplies, and attempts per operation against the time before. */

const MINUTE = 60_000;
/** `count` sends of one operation, each 100 ms, the first `at` ms after T0. */
const layer = (operationId: string, parent: string | undefined, count: number, at: number, stepMs = 1_000) =>
  Array.from({ length: count }, (_, n) =>
    streamSend(at + n * stepMs, { operationId, parentOperationId: parent, attempt: n + 1 }),
  );
const nested = (...sends: StreamSend[]) =>
  find(findAmplification, sends).filter(({ evidence }) => evidence.kind === 'nested');

describe('retries that nest', () => {
  const root = layer('a', undefined, 2, 0);
  it('says of each hop how many operations and attempts, and names the operations', () => {
    const sends = [...layer('c', 'a', 3, 1_000, 10), ...root, ...layer('b', 'a', 2, 10, 10)];
    expect(nested(...sends)).toEqual([
      {
        check: 'amplification',
        severity: 'low',
        operationId: 'a',
        subject: { kind: 'operation', value: 'a' },
        at: T0,
        evidence: {
          kind: 'nested',
          hops: [
            { operations: 1, attempts: 2, perOperation: 2 },
            { operations: 2, attempts: 5, perOperation: 2.5 },
          ],
          factor: 5,
          sends: 7,
          operationIds: ['a', 'b', 'c'],
        },
        window: expect.anything() as unknown,
        lookedAt: { operations: 3, attempts: 7 },
      },
    ]);
  });
  it('two hops must repeat', () => {
    expect(nested(...root, ...layer('b', 'a', 1, 10))).toEqual([]);
    expect(nested(...layer('a', undefined, 1, 0, 100), ...layer('b', 'a', 2, 10, 10))).toEqual([]);
    // The hop between may be a single try each.
    const through = [...root, ...layer('b', 'a', 1, 10), ...layer('c', 'b', 4, 20, 10)];
    expect(nested(...through)[0]?.evidence).toMatchObject({ factor: 4, sends: 7 });
    // Many operations below, one send each: calls, not repeats.
    expect(nested(...root, ...layer('b', 'a', 1, 10), ...layer('c', 'a', 1, 20))).toEqual([]);
  });
  it.each([
    ['before its parent started', -1, 0],
    ['with its start', 0, 1],
    ['as its last try ends', 1_100, 1],
    ['after its last try had ended', 1_101, 0],
  ])('a child that starts %s: %i ms gives %i', (_name, at, count) => {
    expect(nested(...root, ...layer('b', 'a', 2, at, 10))).toHaveLength(count);
  });
  it('a parent lasts to its latest end, in whatever order its tries end', () => {
    const hedged = root.map((send, at) => (at === 0 ? { ...send, endAt: T0 + 9_000 } : send));
    expect(nested(...hedged, ...layer('b', 'a', 2, 9_000, 10))).toHaveLength(1);
    expect(nested(...hedged, ...layer('b', 'a', 2, 9_001, 10))).toEqual([]);
  });
  it('told once, at the top; its own parent need not be known', () => {
    const deep = [...root, ...layer('b', 'a', 2, 10, 10), ...layer('c', 'b', 2, 15, 1)];
    expect(nested(...deep).map(({ operationId }) => operationId)).toEqual(['a']);
    const adopted = layer('a', 'elsewhere', 2, 0);
    expect(nested(...adopted, ...layer('b', 'a', 2, 10, 10)).map(({ operationId }) => operationId)).toEqual(['a']);
    expect(nested(...layer('b', 'elsewhere', 2, 10, 10))).toEqual([]);
  });
  it('operations apart nest apart', () => {
    const two = ['x', 'y'].flatMap((name) => [
      ...layer(name, undefined, 2, 0),
      ...layer(`${name}-child`, name, 2, 10, 10),
    ]);
    expect(nested(...two).map(({ evidence }) => evidence.operationIds)).toEqual([
      ['x', 'x-child'],
      ['y', 'y-child'],
    ]);
  });
  it('operations that name themselves or each other nest nothing, and end', () => {
    expect(nested(...layer('a', 'a', 3, 0))).toEqual([]);
    // What names itself stands alone, and others may nest in it.
    expect(nested(...layer('a', 'a', 2, 0), ...layer('b', 'a', 2, 10, 10))).toHaveLength(1);
    expect(nested(...layer('a', 'b', 3, 0), ...layer('b', 'a', 3, 0))).toEqual([]);
  });
  it('names at most twenty operations', () => {
    const many = Array.from({ length: 30 }, (_, n) => layer(`b-${n}`, 'a', 2, 10 + n, 1)).flat();
    expect(nested(...root, ...many)[0]?.evidence.operationIds).toHaveLength(20);
  });
});

describe('attempts per operation against the time before', () => {
  const judged = (now: ServiceLoad, before: ServiceLoad, settings: Partial<Settings> = {}) =>
    judgeLoad('orders', 7, [now, before], { ...DEFAULT_SETTINGS, ...settings }, ['a', 'b']);
  it('says both rates and how many times', () => {
    expect(judged({ operations: 20, attempts: 90 }, { operations: 40, attempts: 60 })).toEqual([
      {
        check: 'amplification',
        severity: 'low',
        subject: { kind: 'service', value: 'orders' },
        at: 7,
        evidence: {
          kind: 'above_baseline',
          attemptsPerOperation: 4.5,
          baseline: 1.5,
          factor: 3,
          operations: 20,
          operationIds: ['a', 'b'],
        },
      },
    ]);
  });
  it.each([
    ['twice as many', [20, 40], [20, 20], 1],
    ['just under twice', [20, 39], [20, 20], 0],
    ['twice a raised baseline', [20, 60], [20, 30], 1],
    ['just under it', [20, 59], [20, 30], 0],
    ['nineteen operations now', [19, 380], [20, 20], 0],
    ['nineteen operations before', [20, 400], [19, 19], 0],
  ])('%s: %j against %j gives %i', (_name, [operations = 0, attempts = 0], [known = 0, tried = 0], count) => {
    const found = judged({ operations, attempts }, { operations: known, attempts: tried });
    expect(found).toHaveLength(count);
  });
  it('without a denominator there is no value, whatever the setting says', () => {
    const none = { operations: 0, attempts: 0 };
    const some = { operations: 1, attempts: 9 };
    expect(judged(some, none, { amplificationOperationsMinCount: 0 })).toEqual([]);
    expect(judged(none, some, { amplificationOperationsMinCount: 0 })).toEqual([]);
    expect(judged(some, { operations: 1, attempts: 1 }, { amplificationOperationsMinCount: 1 })).toHaveLength(1);
  });

  const window = { from: 0, to: 10 * MINUTE };
  const load = (name: string, at: number, operations: number, each: number, service = 'orders') =>
    Array.from({ length: operations }, (_, n) =>
      Array.from({ length: each }, (_x, i) => streamSend(at + n, { operationId: `${name}-${n}`, attempt: i, service })),
    ).flat();
  const risen = (sends: StreamSend[], tallies: Parameters<typeof tally>[] = [], settings: Partial<Settings> = {}) =>
    find(findAmplification, sends, {
      window,
      settings: { amplificationOperationsMinCount: 2, ...settings },
      facts: { tallies: tallies.map((one) => tally(...one)) },
    });
  it('the window is half-open, and so is the hour before it', () => {
    const calm = load('calm', -30 * MINUTE, 2, 1);
    expect(risen([...calm, ...load('now', 0, 2, 3)])[0]?.evidence).toMatchObject({ factor: 3, operations: 2 });
    expect(risen([...calm, ...load('now', 10 * MINUTE - 2, 2, 3)])).toHaveLength(1);
    expect(risen([...calm, ...load('now', 10 * MINUTE - 1, 2, 3)])).toEqual([]);
    expect(risen([...load('calm', -60 * MINUTE, 2, 1), ...load('now', 0, 2, 3)])).toHaveLength(1);
    expect(risen([...load('calm', -60 * MINUTE - 1, 2, 1), ...load('now', 0, 2, 3)])).toEqual([]);
    const shorter = { amplificationBaselineMs: 20 * MINUTE };
    expect(risen([...calm, ...load('now', 0, 2, 3)], [], shorter)).toEqual([]);
  });
  it('services apart, each named with its own operations', () => {
    const calm = [...load('a', -MINUTE, 2, 1), ...load('b', -MINUTE, 2, 1, 'billing')];
    const now = [...load('c', 0, 2, 2), ...load('d', 0, 2, 1, 'billing')];
    expect(risen([...calm, ...now]).map(({ subject, evidence }) => [subject.value, evidence.operationIds])).toEqual([
      ['orders', ['c-0', 'c-1']],
    ]);
  });
  it('tallied first tries are operations and attempts of their minute and service', () => {
    const calm = load('calm', -MINUTE, 2, 1);
    const now = load('now', 0, 2, 2);
    expect(risen([...calm, ...now])).toHaveLength(1);
    expect(risen([...calm, ...now], [[0, 1]])).toEqual([]);
    expect(risen([...calm, ...now], [[9 * MINUTE, 1]])).toEqual([]);
    expect(risen([...calm, ...now], [[10 * MINUTE, 1]])).toHaveLength(1);
    expect(risen([...calm, ...now], [[0, 1, { service: 'billing' }]])).toHaveLength(1);
    expect(risen(now, [[-60 * MINUTE, 2]])).toHaveLength(1);
    expect(risen(now, [[-61 * MINUTE, 2]])).toEqual([]);
    expect(risen(now, [[-MINUTE, 2, { service: 'billing' }]])).toEqual([]);
  });
  it('tallied first tries count in both numbers', () => {
    const calm = load('calm', -MINUTE, 2, 1);
    const [found] = risen([...calm, ...load('now', 0, 2, 5)], [[0, 3]]);
    expect(found?.evidence).toMatchObject({ attemptsPerOperation: 13 / 5, baseline: 1, operations: 5 });
  });
  it('looks back over the time it compares with', () => {
    expect(findAmplification.lookBackMs(DEFAULT_SETTINGS)).toBe(60 * MINUTE);
    expect(findAmplification.lookAheadMs(DEFAULT_SETTINGS)).toBe(0);
    expect([findAmplification.check, findAmplification.groupBy]).toEqual(['amplification', 'service']);
  });
});
