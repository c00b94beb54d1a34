import { describe, expect, it } from 'vitest';
import type { Attempt, Fact } from '@/lib/core/attempt';
import { findContradictions } from '@/lib/core/contradiction';
import { DEFAULT_SETTINGS, type Resolution } from '@/lib/core/operation';
import { makeClosed, makeReadBack, makeSuccess, makeUnclear } from '../../factories/facts';

const T0 = Date.UTC(2026, 10, 29, 10, 0);
const MINUTE = 60_000;
const at = (minute: number) => ({ operationId: 'op', startedAt: T0 + minute * MINUTE });

function refused(minute: number, over: Partial<Attempt> = {}): Attempt {
  const send = {
    ...at(minute),
    profile: 'vibecode',
    outcome: 'http_error',
    status: 429,
    code: 'QUEUE_OVERFLOW',
  } as const;
  return makeSuccess({ ...send, attempt: minute + 1, ...over });
}

function find(facts: Fact[], resolution?: Resolution) {
  return findContradictions(
    { operationId: 'op', facts, ...(resolution ? { resolution: { resolution, resolvedAt: T0 + 60 * MINUTE } } : {}) },
    {
      asOf: T0 + 120 * MINUTE,
      settings: DEFAULT_SETTINGS,
      profiles: { defaultProfile: 'vibecode', targets: [] },
    },
  );
}

describe('a code documented as safe', () => {
  it('is contradicted by a read-back that finds the effect of a refused write', () => {
    const [found, ...more] = find([refused(0), makeReadBack(at(5))]);
    expect(found).toMatchObject({
      code: 'QUEUE_OVERFLOW',
      rule: 'QUEUE_OVERFLOW',
      attempt: 1,
      evidence: 'read_back',
      proven: 1,
      explained: 0,
    });
    expect(more).toEqual([]);
  });

  it('is contradicted by a confirmed duplicate: two entities after one refusal and one success', () => {
    const facts = [
      refused(0),
      makeSuccess({ ...at(1), attempt: 2 }),
      makeReadBack({ ...at(5), entityIds: ['a', 'b'] }),
    ];
    expect(find(facts)).toMatchObject([{ code: 'QUEUE_OVERFLOW', proven: 2, explained: 1 }]);
  });

  it('is contradicted by a person who says it was applied, or more than once', () => {
    expect(find([refused(0)], 'applied_once')).toMatchObject([{ evidence: 'resolution', proven: 1, explained: 0 }]);
    const retried = [refused(0), makeSuccess({ ...at(1), attempt: 2 })];
    expect(find(retried, 'applied_once')).toEqual([]);
    expect(find(retried, 'applied_more_than_once')).toMatchObject([{ proven: 2, explained: 1 }]);
  });

  it('is contradicted by ids the client closed with', () => {
    expect(find([refused(0), makeClosed({ ...at(2), entityIds: ['a'] })])).toMatchObject([{ evidence: 'closed' }]);
  });

  it('is not, where another send explains the effect: before the evidence, unclear, applied or doubtful', () => {
    const twice = makeReadBack({ ...at(5), entityIds: ['a', 'b'] });
    expect(find([makeUnclear({ ...at(0), attempt: 1 }), refused(1), makeReadBack(at(5))])).toEqual([]);
    expect(
      find([makeUnclear({ ...at(0), attempt: 1 }), refused(1), makeSuccess({ ...at(2), attempt: 3 }), twice]),
    ).toEqual([]);
    expect(find([refused(0), refused(1, { code: 'BITRIX_ERROR' }), makeReadBack(at(5))])).toEqual([]);
  });

  it('is, although a later send could have made it: the read-back came before', () => {
    const facts = [refused(0), makeReadBack(at(1)), makeSuccess({ ...at(2), attempt: 2 })];
    expect(find(facts)).toMatchObject([{ code: 'QUEUE_OVERFLOW', explained: 0 }]);
  });

  it('is not by what was seen before it was refused, by a weak criterion, or by an absent effect', () => {
    expect(find([makeReadBack(at(0)), refused(1)])).toEqual([]);
    expect(find([refused(0), makeReadBack({ ...at(5), criterion: 'weak' })])).toEqual([]);
    expect(find([refused(0), makeReadBack({ ...at(5), result: 'absent' })])).toEqual([]);
    expect(find([refused(0)], 'cannot_be_known')).toEqual([]);
  });

  it('does not speak of reads, nor of codes that never promised anything', () => {
    expect(find([refused(0, { kind: 'read' }), makeReadBack(at(5))])).toEqual([]);
    expect(find([refused(0, { code: 'BITRIX_TIMEOUT' }), makeReadBack(at(5))])).toEqual([]);
    expect(find([refused(0, { code: 'AGENT_WRITE_ALREADY_EXECUTED', method: 'DELETE' }), makeReadBack(at(5))])).toEqual(
      [],
    );
  });
});
