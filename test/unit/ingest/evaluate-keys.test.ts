import { describe, expect, it } from 'vitest';
import type { Attempt, Fact } from '@/lib/core/attempt';
import { DEFAULT_SETTINGS } from '@/lib/core/operation';
import { evaluateAll } from '@/lib/ingest/handle-evaluate';
import { attempt, T0 } from '../core/support/event';

/** Keys that the operations of one evaluated body share. */

const PROJECT = { profiles: { defaultProfile: 'http' as const, targets: [] }, settings: DEFAULT_SETTINGS };

function statesOf(facts: readonly Fact[]): Record<string, string> {
  const { operations } = evaluateAll(facts, PROJECT, T0 + 10 * 86_400_000);
  return Object.fromEntries(operations.map(({ operationId, state }) => [operationId, state]));
}

function retried(operationId: string, at: number, fields: Partial<Attempt> = {}): Attempt[] {
  const common = { operationId, kind: 'write' as const, method: 'POST', idempotency: { keyHash: 'k' }, ...fields };
  const startedAt = T0 + at;
  return [
    attempt({ ...common, startedAt, endedAt: startedAt + 100, outcome: 'timeout' }),
    attempt({ ...common, attempt: 2, startedAt: startedAt + 1_000, endedAt: startedAt + 1_100, status: 201 }),
  ];
}

describe('evaluating operations that share a key', () => {
  it('trusts it in none of them once it stood for two requests, in any order of events', () => {
    const facts = [...retried('a', 0, { fingerprint: 'f1' }), ...retried('b', 60_000, { fingerprint: 'f2' })];
    const doubtful = { a: 'succeeded_with_possible_duplicates', b: 'succeeded_with_possible_duplicates' };
    expect(statesOf(facts)).toEqual(doubtful);
    expect(statesOf([...facts].reverse())).toEqual(doubtful);
  });

  it('trusts it for one request, and each key by itself', () => {
    const same = [...retried('a', 0, { fingerprint: 'f' }), ...retried('b', 60_000, { fingerprint: 'f' })];
    expect(statesOf(same)).toEqual({ a: 'succeeded', b: 'succeeded' });
    const own = [
      ...retried('a', 0, { fingerprint: 'f1' }),
      ...retried('b', 0, { fingerprint: 'f2', idempotency: { keyHash: 'l' } }),
    ];
    expect(statesOf(own)).toEqual({ a: 'succeeded', b: 'succeeded' });
  });

  it('ends in time where every operation has the same key', () => {
    const facts = Array.from({ length: 2_500 }, (_, nth) => retried(`o-${nth}`, nth * 10, { fingerprint: 'f' })).flat();
    const from = performance.now();
    const states = new Set(Object.values(statesOf(facts)));
    expect([...states]).toEqual(['succeeded_with_possible_duplicates']);
    expect(performance.now() - from).toBeLessThan(10_000);
  });
});
