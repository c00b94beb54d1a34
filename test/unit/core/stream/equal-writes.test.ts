import { describe, expect, it } from 'vitest';
import { findDuplicateSuspected } from '@/lib/core/checks/stream/duplicate-suspected';
import type { StreamSend } from '@/lib/core/checks/stream/stream';
import { DEFAULT_SETTINGS } from '@/lib/core/operation';
import { T0 } from '../support/event';
import { find, jobResult, streamSend } from '../support/stream-send';

/** M15 across operations by rule: equal writes of which one was doubtful, and two jobs under one key. */

type Fields = Partial<StreamSend>;
type Given = Parameters<typeof find>[2];
const DAY = 86_400_000;

const wrote = (operationId: string, at: number, fields: Fields = {}) =>
  streamSend(at, {
    operationId,
    scope: 'portal',
    fingerprint: 'f',
    kind: 'write',
    method: 'POST',
    call: 'POST /things',
    action: 'none',
    effect: 'applied',
    code: 'OK',
    rule: 'OK',
    ...fields,
  });
/** A send of the operation that nobody can vouch for. */
const unclear = (operationId: string, at: number, fields: Fields = {}) =>
  wrote(operationId, at, { action: 'state_verification_required', effect: 'possible', code: 'TIMEOUT', ...fields });
const found = (sends: StreamSend[], given?: Given) =>
  find(findDuplicateSuspected, sends, given).map(({ operationId, evidence }) => [
    operationId,
    evidence.firstOperationId,
  ]);

describe('equal writes of two operations', () => {
  it('says which two, how far apart, and no more than possible', () => {
    const sends = [wrote('b', 9_000, { attempt: 3 }), unclear('a', 0), wrote('a', 4_000)];
    expect(find(findDuplicateSuspected, sends)).toEqual([
      {
        check: 'duplicate_suspected',
        severity: 'low',
        attempt: 3,
        operationId: 'b',
        subject: { kind: 'operation', value: 'b' },
        at: T0 + 9_000,
        evidence: {
          level: 'possible',
          firstOperationId: 'a',
          apartMs: 5_000,
          extraEffects: 1,
          by: 'request',
          operationIds: ['a', 'b'],
        },
        window: expect.anything() as unknown,
        lookedAt: { operations: 2, attempts: 3 },
      },
    ]);
  });
  it('the doubt may be either’s; without one equal writes are legitimate', () => {
    expect(found([wrote('a', 0), unclear('b', 1_000), wrote('b', 2_000)])).toEqual([['b', 'a']]);
    expect(found([wrote('a', 0), wrote('b', 2_000)])).toEqual([]);
    // The doubt of a third says nothing of these two.
    expect(found([wrote('a', 0), wrote('b', 2_000), unclear('c', 3_000)])).toEqual([]);
  });
  it('both must have succeeded', () => {
    expect(found([unclear('a', 0), wrote('b', 2_000)])).toEqual([]);
    const refused = { action: 'retry_with_limit' as const, effect: 'none' as const };
    expect(found([unclear('a', 0), wrote('a', 500), wrote('b', 2_000, refused)])).toEqual([]);
    expect(found([unclear('a', 0), wrote('a', 500), wrote('b', 2_000, { effect: 'none' })])).toEqual([]);
    // A part of it was applied: that is no success.
    expect(found([unclear('a', 0), wrote('a', 500), wrote('b', 2_000, { action: 'fix_before_retry' })])).toEqual([]);
    expect(found([unclear('a', 0), wrote('a', 500), wrote('b', 2_000, { replayed: true })])).toEqual([]);
    const told = { rule: 'AGENT_WRITE_ALREADY_EXECUTED' };
    expect(found([unclear('a', 0), wrote('a', 500), wrote('b', 2_000, told)])).toEqual([]);
  });
  it('each is compared with the one before it: one doubt concerns its neighbours alone', () => {
    const doubtful = [unclear('a', 0), wrote('a', 1_000)];
    expect(found([...doubtful, wrote('b', 2_000), wrote('c', 3_000)])).toEqual([['b', 'a']]);
    expect(found([wrote('x', -20), wrote('y', -10), ...doubtful, wrote('z', 2_000)])).toEqual([
      ['a', 'y'],
      ['z', 'a'],
    ]);
  });
  it('an operation’s own repeats are its own check’s; its last success counts', () => {
    expect(found([unclear('a', 0), wrote('a', 1_000), wrote('a', 2_000)])).toEqual([]);
    const sends = [unclear('a', 0), wrote('a', 1_000), wrote('a', 5_000), wrote('b', 6_000)];
    expect(find(findDuplicateSuspected, sends)[0]?.evidence.apartMs).toBe(1_000);
    expect(find(findDuplicateSuspected, [...sends].reverse())[0]?.evidence.apartMs).toBe(1_000);
    const between = [unclear('a', 0), wrote('a', 1_000), wrote('b', 3_000), wrote('a', 5_000)];
    expect(found(between)).toEqual([['a', 'b']]);
  });
  it.each([
    ['a day apart', DAY, 1],
    ['more', DAY + 1, 0],
  ])('%s (%i ms): %i', (_name, at, count) => {
    expect(found([unclear('a', -1_000), wrote('a', 0), wrote('b', at)])).toHaveLength(count);
  });
  it('the same request in the same scope, else host, else nowhere named', () => {
    const pair = (first: Fields, second: Fields) =>
      found([unclear('a', 0, first), wrote('a', 1_000, first), wrote('b', 2_000, second)]).length;
    const bare = { scope: undefined };
    expect(pair({ fingerprint: 'g' }, {})).toBe(0);
    expect(pair({ fingerprint: undefined }, { fingerprint: undefined })).toBe(0);
    expect(pair({ scope: 'other' }, {})).toBe(0);
    expect(pair({ target: 'x' }, { target: 'y' })).toBe(1);
    expect(pair({ ...bare, target: 'x' }, { ...bare, target: 'y' })).toBe(0);
    expect(pair({ ...bare, target: 'x' }, { ...bare, target: 'x' })).toBe(1);
    expect(pair(bare, bare)).toBe(1);
    expect(pair({ kind: 'read' }, { kind: 'read' })).toBe(0);
    // Scope and fingerprint do not run into one another.
    expect(pair({ scope: 'a', fingerprint: 'bc' }, { scope: 'ab', fingerprint: 'c' })).toBe(0);
  });
  it('where the request makes no new thing it is only noted', () => {
    const pair = (fields: Fields) =>
      find(findDuplicateSuspected, [unclear('a', 0, fields), wrote('a', 1_000, fields), wrote('b', 2_000, fields)])[0]
        ?.severity;
    expect(pair({ method: 'PUT' })).toBe('info');
    expect(pair({ method: 'PATCH' })).toBe('info');
    expect(pair({ method: 'DELETE' })).toBe('info');
    expect(pair({ call: 'crm.deal.update' })).toBe('info');
    expect(pair({ call: ' crm.deal.delete.json ' })).toBe('info');
    expect(pair({ call: 'crm.deal.updated' })).toBe('low');
    expect(pair({ method: '' })).toBe('low');
  });
  it('one server key makes one effect', () => {
    const k = { serverKey: 'k' };
    const first = [unclear('a', 0, k), wrote('a', 1_000, k)];
    expect(found([...first, wrote('b', 2_000, k)])).toEqual([]);
    expect(found([...first, wrote('b', 2_000, { serverKey: 'l' })])).toEqual([['b', 'a']]);
    expect(found([...first, wrote('b', 2_000)])).toEqual([['b', 'a']]);
    expect(found([unclear('a', 0), wrote('a', 1_000), wrote('b', 2_000, k), wrote('c', 3_000, k)])).toEqual([
      ['b', 'a'],
    ]);
  });
});

describe('two jobs under one key', () => {
  const made = (operationId: string, at: number, jobId: string | undefined, fields: Fields = {}) =>
    wrote(operationId, at, { profile: 'quillhub', keyHash: 'k', fingerprint: undefined, jobId, ...fields });
  it('are two for certain', () => {
    expect(find(findDuplicateSuspected, [made('b', 9_000, 'j2', { attempt: 2 }), made('a', 0, 'j1')])).toEqual([
      expect.objectContaining({
        severity: 'critical',
        attempt: 2,
        operationId: 'b',
        at: T0 + 9_000,
        evidence: {
          level: 'confirmed',
          firstOperationId: 'a',
          apartMs: 9_000,
          extraEffects: 1,
          by: 'key',
          jobIds: ['j1', 'j2'],
          operationIds: ['a', 'b'],
        },
      }),
    ]);
  });
  it('every job once', () => {
    expect(found([made('a', 0, 'j1'), made('b', 1_000, 'j1')])).toEqual([]);
    expect(found([made('a', 0, 'j1'), made('b', 1_000, 'j2'), made('c', 2_000, 'j1')])).toEqual([['b', 'a']]);
    expect(found([made('a', 0, 'j1'), made('b', 1_000, 'j2'), made('c', 2_000, 'j3')])).toEqual([
      ['b', 'a'],
      ['c', 'b'],
    ]);
  });
  it('one that failed made nothing; answers without a job say nothing', () => {
    const failed = (jobId: string) => ({ facts: { jobs: [jobResult(5_000, 'failed', { jobId })] } });
    const sends = [made('a', 0, 'j1'), made('b', 1_000, 'j2')];
    expect(found(sends, failed('j1'))).toEqual([]);
    expect(found(sends, failed('j2'))).toEqual([]);
    expect(found(sends, failed('j3'))).toHaveLength(1);
    expect(found(sends, { facts: { jobs: [jobResult(5_000, 'completed', { jobId: 'j1' })] } })).toHaveLength(1);
    expect(found([made('a', 0, 'j1'), made('b', 1_000, undefined)])).toEqual([]);
    expect(found([made('a', 0, undefined), made('b', 1_000, 'j2')])).toEqual([]);
    expect(found([made('a', 0, 'j1'), made('b', 1_000, 'j2', { kind: 'read' })])).toEqual([]);
    expect(found([made('a', 0, 'j1'), made('b', 1_000, 'j2', { action: 'retry_with_limit' })])).toEqual([]);
  });
  it('under one key, within a day', () => {
    expect(found([made('a', 0, 'j1'), made('b', 1_000, 'j2', { keyHash: 'l' })])).toEqual([]);
    expect(found([made('a', 0, 'j1', { keyHash: '' }), made('b', 1_000, 'j2', { keyHash: '' })])).toEqual([]);
    expect(found([made('a', 0, 'j1', { keyHash: undefined }), made('b', 1, 'j2', { keyHash: undefined })])).toEqual([]);
    expect(found([made('a', 0, 'j1'), made('b', DAY, 'j2')])).toHaveLength(1);
    expect(found([made('a', 0, 'j1'), made('b', DAY + 1, 'j2')])).toEqual([]);
  });
  it('is told once where the requests are equal too', () => {
    const both = { fingerprint: 'f' };
    const sends = [unclear('a', 0, both), made('a', 1_000, 'j1', both), made('b', 2_000, 'j2', both)];
    expect(find(findDuplicateSuspected, sends).map(({ evidence }) => evidence.level)).toEqual(['confirmed']);
    const third = [unclear('c', 2_500, both), wrote('c', 3_000, both)];
    expect(find(findDuplicateSuspected, [...sends, ...third]).map(({ evidence }) => evidence.level)).toEqual([
      'confirmed',
      'possible',
    ]);
  });
  it('looks back a day, as set', () => {
    expect(findDuplicateSuspected.lookBackMs(DEFAULT_SETTINGS)).toBe(DAY);
    expect(findDuplicateSuspected.lookAheadMs(DEFAULT_SETTINGS)).toBe(0);
    expect([findDuplicateSuspected.check, findDuplicateSuspected.groupBy]).toEqual([
      'duplicate_suspected',
      'fingerprint',
    ]);
  });
});
