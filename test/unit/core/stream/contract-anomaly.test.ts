import { describe, expect, it } from 'vitest';
import { findContractAnomaly } from '@/lib/core/checks/stream/contract-anomaly';
import type { StreamSend } from '@/lib/core/checks/stream/stream';
import { DEFAULT_SETTINGS } from '@/lib/core/operation';
import { T0 } from '../support/event';
import { find, streamSend } from '../support/stream-send';

/** M21 across operations by rule: load after QUEUE_OVERFLOW, and an executed DELETE that nobody sent. */

type Fields = Partial<StreamSend>;
type Given = Parameters<typeof find>[2];

describe('load after QUEUE_OVERFLOW', () => {
  /** From `at` to `until`, ms. */
  const call = (at: number, until: number, fields: Fields = {}) =>
    streamSend(at, {
      operationId: `o-${at}`,
      scope: 'portal',
      endAt: T0 + until,
      refAt: T0 + until,
      action: 'none',
      code: 'OK',
      rule: 'OK',
      ...fields,
    });
  const overflow = (at: number, until: number, fields: Fields = {}) =>
    call(at, until, { code: 'QUEUE_OVERFLOW', rule: 'QUEUE_OVERFLOW', action: 'retry_with_limit', ...fields });
  const found = (sends: StreamSend[], given?: Given) =>
    find(findContractAnomaly, sends, given).map(({ operationId, evidence: { before, after } }) => [
      operationId,
      before,
      after,
    ]);
  const pair = (at: number) => [call(at, at + 500), call(at + 1, at + 500)];

  it('says how many were under way before and after', () => {
    const sends = [...pair(3_000), overflow(10, 200, { attempt: 3 }), call(0, 1_000)];
    expect(find(findContractAnomaly, sends)).toEqual([
      {
        check: 'contract_anomaly',
        severity: 'low',
        attempt: 3,
        operationId: 'o-10',
        subject: { kind: 'operation', value: 'o-10' },
        at: T0 + 10,
        evidence: {
          anomalies: ['load_unchanged_after_overflow'],
          code: 'QUEUE_OVERFLOW',
          before: 2,
          after: 2,
          operationIds: ['o-10'],
        },
        window: expect.anything() as unknown,
        lookedAt: { operations: 4, attempts: 4 },
      },
    ]);
  });
  it('fewer at once is what was asked for; more is worse', () => {
    expect(found([call(0, 1_000), overflow(10, 200), call(3_000, 3_500)])).toEqual([]);
    expect(found([call(0, 1_000), call(5, 1_000), overflow(10, 200), ...pair(3_000)])).toEqual([]);
    expect(found([call(0, 1_000), overflow(10, 200), ...pair(3_000), call(3_002, 4_000)])).toEqual([['o-10', 2, 3]]);
    expect(found([call(0, 1_000), overflow(10, 200)])).toEqual([]);
  });
  it('one call at a time has nothing to lower', () => {
    expect(found([overflow(10, 200), ...pair(3_000)])).toEqual([]);
    expect(found([call(0, 10), overflow(10, 200), ...pair(3_000)])).toEqual([]);
    expect(found([call(0, 11), overflow(10, 200), ...pair(3_000)])).toHaveLength(1);
  });
  it('what had ended is no load, whenever it began', () => {
    // At 3,001 only the long one and the latest are under way.
    expect(found([call(0, 9_000), overflow(10, 200), call(3_000, 3_001), call(3_001, 3_500)])).toEqual([
      ['o-10', 2, 2],
    ]);
    expect(found([call(0, 1_000), overflow(10, 200), call(3_000, 3_001), call(3_001, 3_500)])).toEqual([]);
    // A call that took no time counts for itself alone.
    expect(found([call(0, 1_000), overflow(10, 200), call(3_000, 3_000), call(3_001, 3_500)])).toEqual([]);
    expect(found([call(0, 20), overflow(10, 10), ...pair(3_000)])).toEqual([['o-10', 2, 2]]);
  });
  it.each([
    ['at the answer itself', 200, 0],
    ['just after it', 201, 1],
    ['as the ten seconds end', 10_200, 1],
    ['once they are over', 10_201, 0],
  ])('the second of two at once starts %s (%i ms): %i', (_name, at, count) => {
    expect(found([call(0, 150), overflow(10, 200), ...pair(at - 1)])).toHaveLength(count);
  });
  it('the time after it is a setting', () => {
    const sends = [call(0, 150), overflow(10, 200), ...pair(5_000)];
    expect(found(sends, { settings: { overflowWindowMs: 4_801 } })).toHaveLength(1);
    expect(found(sends, { settings: { overflowWindowMs: 4_800 } })).toEqual([]);
  });
  it('told once in that time', () => {
    const again = (at: number) => overflow(at, at + 100);
    const busy = [call(0, 90_000), overflow(10, 200)];
    expect(found([...busy, again(3_000), ...pair(6_000)])).toHaveLength(1);
    expect(found([...busy, again(10_199), ...pair(12_000)])).toHaveLength(1);
    expect(found([...busy, ...pair(6_000), again(10_200), ...pair(12_000)])).toHaveLength(2);
  });
  it('other codes and other scopes say nothing; without any scope nobody is compared', () => {
    const other = { code: 'RATE_LIMITED', rule: 'RATE_LIMITED' };
    expect(found([call(0, 1_000), overflow(10, 200, other), ...pair(3_000)])).toEqual([]);
    const elsewhere = pair(3_000).map((send) => ({ ...send, scope: 'other' }));
    expect(found([call(0, 1_000), overflow(10, 200), ...elsewhere])).toEqual([]);
    const bare = [call(0, 1_000), overflow(10, 200), ...pair(3_000)].map((send) => ({ ...send, scope: undefined }));
    expect(found(bare)).toEqual([]);
    expect(found(bare.map((send) => ({ ...send, target: 'host' })))).toHaveLength(1);
  });
});

describe('an executed DELETE that nobody sent', () => {
  const CODE = 'AGENT_WRITE_ALREADY_EXECUTED';
  const destroy = (at: number, fields: Fields = {}) =>
    streamSend(at, { operationId: `d-${at}`, scope: 'portal', kind: 'write', method: 'DELETE', call: '/1', ...fields });
  const answer = (at: number, fields: Fields = {}) => destroy(at, { code: CODE, rule: CODE, ...fields });
  const found = (sends: StreamSend[], given: Given = { seenFrom: -600_000 }) =>
    find(findContractAnomaly, sends, given).map(({ operationId }) => operationId);

  it('says what it missed', () => {
    expect(find(findContractAnomaly, [answer(0, { attempt: 2 })], { seenFrom: -600_000 })).toEqual([
      expect.objectContaining({
        severity: 'low',
        attempt: 2,
        operationId: 'd-0',
        at: T0,
        evidence: { anomalies: ['no_first_delete'], code: CODE, operationIds: ['d-0'] },
      }),
    ]);
  });
  it.each([
    ['thirty seconds before', -30_000, 0],
    ['more than that before', -30_001, 1],
    ['at the same time', 0, 0],
  ])('a first DELETE %s (%i ms): %i', (_name, at, count) => {
    expect(found([destroy(at, { operationId: 'first', eventId: 'e-0' }), answer(0)])).toHaveLength(count);
  });
  it('looks past other calls, for any DELETE or the same call', () => {
    const between = destroy(-1_000, { method: 'POST', call: '/2' });
    expect(found([destroy(-2_000), between, answer(0)])).toEqual([]);
    expect(found([destroy(-2_000, { call: '/9' }), between, answer(0)])).toEqual([]);
    expect(found([destroy(-2_000, { method: '' }), between, answer(0)])).toEqual([]);
    expect(found([destroy(-2_000, { method: 'POST', call: '/3' }), between, answer(0)])).toEqual(['d-0']);
    expect(found([destroy(-2_000, { scope: 'other' }), answer(0)])).toEqual(['d-0']);
    // A later DELETE was not the first.
    expect(found([answer(0), destroy(1_000)])).toEqual(['d-0']);
  });
  it('only where the time before it was looked at', () => {
    expect(found([answer(0)], { seenFrom: -30_000 })).toHaveLength(1);
    expect(found([answer(0)], { seenFrom: -29_999 })).toEqual([]);
    expect(found([answer(0)], { window: { from: -30_000, to: 1 } })).toHaveLength(1);
    expect(found([answer(0)], { window: { from: -29_999, to: 1 } })).toEqual([]);
    expect(found([answer(0)], { window: { from: 0, to: 1 }, seenFrom: -30_000 })).toHaveLength(1);
    const settings = { agentDeleteWindowMs: 1_000 };
    expect(found([destroy(-1_001), answer(0)], { seenFrom: -1_000, settings })).toEqual(['d-0']);
  });
  it('sends of one operation are the operation’s own; a read’s answer is an anomaly of another name', () => {
    expect(found([answer(0, { previous: destroy(-40_000) })])).toEqual([]);
    expect(found([answer(0, { kind: 'read' })])).toEqual([]);
    expect(found([answer(0, { rule: 'OTHER' })])).toEqual([]);
  });
  it('looks as far around as either of the two takes', () => {
    const reach = (agentDeleteWindowMs: number, overflowWindowMs: number) => {
      const settings = { ...DEFAULT_SETTINGS, agentDeleteWindowMs, overflowWindowMs };
      return [findContractAnomaly.lookBackMs(settings), findContractAnomaly.lookAheadMs(settings)];
    };
    expect(reach(30_000, 10_000)).toEqual([30_000, 10_000]);
    expect(reach(1_000, 9_000)).toEqual([9_000, 9_000]);
    expect([findContractAnomaly.check, findContractAnomaly.groupBy]).toEqual(['contract_anomaly', 'scope']);
  });
});
