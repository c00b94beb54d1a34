import { describe, expect, it } from 'vitest';
import { findKeyReused } from '@/lib/core/checks/stream/key-reused';
import type { StreamSend } from '@/lib/core/checks/stream/stream';
import { DEFAULT_SETTINGS } from '@/lib/core/operation';
import { T0 } from '../support/event';
import { find, streamSend } from '../support/stream-send';

/** M11 over all operations by rule: one key, two requests, charged to the one that took a key that was taken. */

const DAY = 86_400_000;
const use = (operationId: string, at: number, fingerprint: string | undefined, fields: Partial<StreamSend> = {}) =>
  streamSend(at, { operationId, fingerprint, keyHash: 'k', kind: 'write', method: 'POST', ...fields });
const found = (sends: StreamSend[], given?: Parameters<typeof find>[2]) =>
  find(findKeyReused, sends, given).map(({ operationId, at, evidence }) => [
    operationId,
    at - T0,
    evidence.firstOperationId,
  ]);

describe('key_reused', () => {
  it('says who had it first, at which try, and how long before', () => {
    expect(find(findKeyReused, [use('b', 9_000, 'q', { attempt: 3 }), use('a', 0, 'p', { attempt: 2 })])).toEqual([
      {
        check: 'key_reused',
        severity: 'medium',
        attempt: 3,
        operationId: 'b',
        subject: { kind: 'operation', value: 'b' },
        at: T0 + 9_000,
        evidence: { firstOperationId: 'a', firstAttempt: 2, apartMs: 9_000, operationIds: ['a', 'b'] },
        window: expect.anything() as unknown,
        lookedAt: { operations: 2, attempts: 2 },
      },
    ]);
  });
  it('the same request, another key, or an unknown of either is no reuse', () => {
    expect(found([use('a', 0, 'p'), use('b', 1, 'p')])).toEqual([]);
    expect(found([use('a', 0, 'p'), use('b', 1, 'q', { keyHash: 'l' })])).toEqual([]);
    expect(found([use('a', 0, 'p', { keyHash: undefined }), use('b', 1, 'q', { keyHash: undefined })])).toEqual([]);
    expect(found([use('a', 0, 'p', { keyHash: '' }), use('b', 1, 'q', { keyHash: '' })])).toEqual([]);
    expect(found([use('a', 0, undefined), use('b', 1, 'q')])).toEqual([]);
    expect(found([use('a', 0, 'p'), use('b', 1, undefined)])).toEqual([]);
  });
  it('two requests of one operation are its own check’s', () => {
    expect(found([use('a', 0, 'p'), use('a', 1, 'q')])).toEqual([]);
    // Another operation's use of the same request doesn't change that.
    expect(found([use('a', 0, 'p'), use('b', 1, 'p'), use('b', 2, 'p')])).toEqual([]);
    expect(found([use('a', 0, 'p'), use('a', 1, 'q'), use('b', 2, 'q')])).toEqual([['b', 2, 'a']]);
  });
  it.each([
    ['a day later', DAY, 1],
    ['more than a day later', DAY + 1, 0],
  ])('%s (%i ms): %i', (_name, at, count) => {
    expect(found([use('a', 0, 'p'), use('b', at, 'q')])).toHaveLength(count);
  });
  it('counts from the latest use of the other request, also within a run of tries', () => {
    expect(found([use('a', 0, 'p'), use('a', DAY, 'p'), use('b', 2 * DAY, 'q')])).toEqual([['b', 2 * DAY, 'a']]);
    expect(found([use('a', 0, 'p'), use('c', DAY, 'p'), use('b', 2 * DAY, 'q')])).toEqual([['b', 2 * DAY, 'c']]);
    expect(found([use('a', 0, 'p'), use('c', 10, 'p'), use('b', DAY + 5, 'q')])).toEqual([['b', DAY + 5, 'c']]);
    expect(found([use('a', 0, 'p'), use('c', 10, 'p'), use('b', DAY + 11, 'q')])).toEqual([]);
  });
  it('of tries in a row the latest is named', () => {
    const run = [use('a', 0, 'p'), use('a', 10, 'p', { attempt: 2 }), use('b', 30, 'q')];
    expect(find(findKeyReused, run)[0]?.evidence).toMatchObject({ firstAttempt: 2, apartMs: 20 });
  });
  it('the first other operation is named, its own earlier uses passed over', () => {
    const sends = [use('b', 0, 'p'), use('c', 1, 'p'), use('b', 2, 'q')];
    expect(found(sends)).toEqual([['b', 2, 'c']]);
    expect(found([use('c', 0, 'p'), use('b', 1, 'p'), use('b', 2, 'q')])).toEqual([['b', 2, 'c']]);
    expect(found([use('b', 0, 'p'), use('b', 1, 'q'), use('b', 2, 'p'), use('c', 3, 'r')])).toEqual([['c', 3, 'b']]);
  });
  it('once an operation, again only after a quiet day', () => {
    const taken = use('a', 0, 'p');
    expect(found([taken, use('b', 1, 'q'), use('b', 2, 'q'), use('b', 3, 'q')])).toEqual([['b', 1, 'a']]);
    const kept = [taken, use('a', DAY, 'p'), use('a', 2 * DAY, 'p')];
    expect(found([...kept, use('b', 5, 'q'), use('b', DAY + 5, 'q')])).toHaveLength(2);
    expect(found([...kept, use('b', 5, 'q'), use('b', DAY + 6, 'q')])).toEqual([
      ['b', 5, 'a'],
      ['a', DAY, 'b'],
      ['b', DAY + 6, 'a'],
    ]);
    // Each further use keeps it told.
    expect(found([...kept, use('b', 5, 'q'), use('b', DAY, 'q', { attempt: 2 }), use('b', 2 * DAY, 'q')])).toEqual([
      ['b', 5, 'a'],
      ['a', DAY, 'b'],
    ]);
  });
  it('looks back as set, and as far again for what was told', () => {
    const settings = { keyLookBackMs: 1_000 };
    expect(found([use('a', 0, 'p'), use('b', 1_000, 'q')], { settings })).toHaveLength(1);
    expect(found([use('a', 0, 'p'), use('b', 1_001, 'q')], { settings })).toEqual([]);
    expect(findKeyReused.lookBackMs({ ...DEFAULT_SETTINGS, ...settings })).toBe(2_000);
    expect(findKeyReused.lookAheadMs(DEFAULT_SETTINGS)).toBe(0);
    expect([findKeyReused.check, findKeyReused.groupBy]).toEqual(['key_reused', 'key']);
  });
});
