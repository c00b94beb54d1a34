import { describe, expect, it } from 'vitest';
import type { Fact } from '@/lib/core/attempt';
import { foldOperation } from '@/lib/core/fold';
import type { Resolution } from '@/lib/core/operation';
import { fact, foldContext, T0 } from './support/event';
import { send } from './support/find-all';

/** What a person's word does to the state: alone, with a doubt, and when something is sent afterwards. */

const WORD_AT = 3_600_000;
const timeout = { outcome: 'timeout' as const };
const down = { status: 503 };
const folded = (facts: Fact[], resolution: Resolution, at = WORD_AT) =>
  foldOperation({ operationId: 'op', facts, resolution: { resolution, resolvedAt: T0 + at } }, foldContext());
const state = (facts: Fact[], resolution: Resolution, at?: number) => folded(facts, resolution, at).state;

const WORDS = [
  ['applied_once', 'succeeded'],
  ['applied_more_than_once', 'succeeded_with_possible_duplicates'],
  ['partly_applied', 'partially_applied'],
  ['cannot_be_known', 'unresolved'],
  ['not_applied', 'failed'],
] as const;

describe('a person’s word', () => {
  it.each(WORDS)('%s, with nothing in doubt: %s', (resolution, wanted) => {
    expect(state([send(1, 0, down)], resolution)).toBe(wanted);
    // At the very moment it was sent.
    expect(state([send(1, WORD_AT, down)], resolution)).toBe(wanted);
  });
  it.each(WORDS)('%s, with nothing in doubt and sent again afterwards: the word is past', (resolution) => {
    expect(state([send(1, 0, down), send(2, WORD_AT + 1, down)], resolution)).toBe('failed');
  });
  it.each(WORDS)('%s about a doubtful write stays true when a refused try follows: %s', (resolution, wanted) => {
    const facts = [send(1, 0, timeout), send(2, WORD_AT + 1, down)];
    expect(state(facts, resolution)).toBe(wanted);
    expect(folded(facts, resolution).doubt?.settledBy).toBe('resolution');
  });
  it.each(WORDS)('%s about a blind repeat that succeeded', (resolution, wanted) => {
    const facts = [send(1, 0, timeout), send(2, 9_000, { status: 201 })];
    const said = resolution === 'not_applied' ? 'succeeded' : wanted;
    expect(folded(facts, resolution)).toMatchObject({ state: said, needsReview: false, possibleEffects: 2 });
  });
  it('said before the success says nothing of it', () => {
    const later = [send(1, 0, timeout), send(2, WORD_AT + 1, { status: 201 })];
    expect(folded(later, 'applied_once')).toMatchObject({
      state: 'succeeded_with_possible_duplicates',
      needsReview: true,
    });
    expect(folded(later, 'applied_once', WORD_AT + 1)).toMatchObject({ state: 'succeeded', needsReview: false });
  });
  it('a success whose doubts a later look settled is plain, one that was settled before is not', () => {
    const twice = (at: number, result = 'present') =>
      foldOperation(
        {
          operationId: 'op',
          facts: [
            send(1, 0, timeout),
            send(2, 600_000, { status: 201 }),
            fact({ type: 'readback', startedAt: T0 + at, endedAt: T0 + at + 50, result, criterion: 'unique' }),
          ],
        },
        foldContext(),
      ).state;
    expect(twice(600_100)).toBe('succeeded');
    expect(twice(600_099)).toBe('succeeded_with_possible_duplicates');
    expect(twice(300_000)).toBe('succeeded_with_possible_duplicates');
    expect(twice(300_000, 'absent')).toBe('succeeded');
  });
  it('stands against two entities that were seen', () => {
    const seen = fact({
      type: 'readback',
      startedAt: T0 + 600_000,
      endedAt: T0 + 600_050,
      result: 'present',
      criterion: 'unique',
      entityIds: ['1', '2'],
    });
    const facts = [send(1, 0, { status: 201 }), seen];
    expect(foldOperation({ operationId: 'op', facts }, foldContext()).state).toBe('succeeded_with_possible_duplicates');
    expect(state(facts, 'applied_once')).toBe('succeeded');
  });
  it('a partly applied call needs a look only where it is a write that nothing proves', () => {
    const partly = { status: 200, bodySummary: { total: 3, failed: 1 } };
    const review = (facts: Fact[]) => foldOperation({ operationId: 'op', facts }, foldContext());
    expect(review([send(1, 0, partly)])).toMatchObject({ state: 'partially_applied', needsReview: true });
    expect(review([send(1, 0, { ...partly, kind: 'read' })])).toMatchObject({ needsReview: false });
  });
});
