import { describe, expect, it } from 'vitest';
import type { ReadBack } from '@/lib/core/attempt';
import type { Suggestion } from '@/lib/core/operation';
import { demandReason } from '@/lib/core/review-reason';

const readBack = (rest: Partial<ReadBack>): ReadBack => ({
  type: 'readback',
  id: 'r',
  operationId: 'op',
  environment: 'production',
  startedAt: 2_000,
  endedAt: 2_100,
  result: 'present',
  criterion: 'unique',
  ...rest,
});

const applied: Suggestion = { resolution: 'applied_once', reason: 'conflict_after_unclear_write', evidence: ['a'] };
const base = { suggestion: null, facts: [], doubtUntil: 1_000 };

describe('demandReason', () => {
  it('req 68: asks for a reason when nothing was read back', () => {
    expect(demandReason({ ...base, resolution: 'applied_once' })).toBe('no_read_back');
    expect(demandReason({ ...base, resolution: 'not_applied' })).toBe('no_read_back');
  });

  it('asks for none when a unique read-back from after the doubt says the same', () => {
    expect(demandReason({ ...base, resolution: 'applied_once', facts: [readBack({})] })).toBeNull();
    expect(demandReason({ ...base, resolution: 'not_applied', facts: [readBack({ result: 'absent' })] })).toBeNull();
  });

  it.each([
    ['says the opposite', readBack({ result: 'absent' })],
    ['is inconclusive', readBack({ result: 'inconclusive' })],
    ['used a weak criterion', readBack({ criterion: 'weak' })],
    ['was made before the doubt ended', readBack({ startedAt: 999 })],
  ])('asks for a reason when the read-back %s', (_, fact) => {
    expect(demandReason({ ...base, resolution: 'applied_once', facts: [fact] })).toBe('no_read_back');
  });

  it('takes the latest of two read-backs', () => {
    const facts = [readBack({ id: 'r2', startedAt: 3_000, result: 'absent' }), readBack({ id: 'r1' })];
    expect(demandReason({ ...base, resolution: 'not_applied', facts })).toBeNull();
    expect(demandReason({ ...base, resolution: 'applied_once', facts })).toBe('no_read_back');
  });

  it('asks for a reason against a suggestion, read back or not', () => {
    const question = { ...base, suggestion: applied, resolution: 'not_applied' as const };
    expect(demandReason(question)).toBe('against_suggestion');
    expect(demandReason({ ...question, facts: [readBack({ result: 'absent' })] })).toBe('against_suggestion');
  });

  it.each(['applied_more_than_once', 'partly_applied', 'cannot_be_known'] as const)(
    'req 57: always asks for a reason with %s',
    (resolution) => {
      expect(demandReason({ ...base, resolution, facts: [readBack({})] })).toBe('outcome');
    },
  );
});
