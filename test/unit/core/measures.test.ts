import { describe, expect, it } from 'vitest';
import type { Fact } from '@/lib/core/attempt';
import { foldOperation } from '@/lib/core/fold';
import { measureOperations } from '@/lib/core/measures';
import { fact, foldContext, T0 } from './support/event';
import { read, send } from './support/find-all';

const folded = (operationId: string, facts: Fact[]) =>
  foldOperation({ operationId, facts: facts.map((one) => ({ ...one, operationId }) as Fact) }, foldContext());
const measure = (...operations: Fact[][]) =>
  measureOperations(
    operations.map((facts, at) => folded(`op-${at}`, facts)),
    T0 + 1_000_000,
  );
const timeout = { outcome: 'timeout' as const };
const vibe = { profile: 'vibecode' as const, status: 400, code: 'RATE_LIMITED' };
const asked = { status: 429, retryAfter: ['2'] };

describe('measureOperations', () => {
  it('has no value where there is nothing to divide by', () => {
    const none = measure();
    expect(none).toEqual({
      compliance: { count: 0, of: 0, value: null },
      blindRetries: { count: 0, of: 0, value: null },
      openUnknownWrites: { count: 0, oldestAgeMs: null, byService: {} },
      attemptsPerOperation: null,
      goodput: { count: 0, of: 0, value: null },
      wastedRetries: { count: 0, of: 0, value: null, spentMs: 0 },
      completeGiveUps: { count: 0, of: 0, value: null },
    });
  });
  it('M1: kept of kept and early; a malformed header and a missing successor are in neither', () => {
    const { compliance } = measure(
      [read(1, 0, asked), read(2, 2_100, { status: 200 })],
      [read(1, 0, asked), read(2, 600, { status: 200 })],
      [read(1, 0, { status: 429, retryAfter: ['soon'] }), read(2, 600, { status: 200 })],
      [read(1, 0, asked)],
    );
    expect(compliance).toEqual({ count: 1, of: 2, value: 0.5 });
  });
  it('M4 and M5: of writes that were ever in doubt; open until something settles them', () => {
    const { blindRetries, openUnknownWrites } = measure(
      [send(1, 0, timeout), send(2, 9_000, { status: 201 })],
      [send(1, 500_000, { ...timeout, service: 'billing' })],
      [
        send(1, 0, timeout),
        fact({
          type: 'readback',
          startedAt: T0 + 200_000,
          endedAt: T0 + 200_100,
          result: 'present',
          criterion: 'unique',
        }),
      ],
      [send(1, 0, { status: 201 })],
    );
    expect(blindRetries).toEqual({ count: 1, of: 3, value: 1 / 3 });
    // The success of a blind repeat settles nothing (M5).
    expect(openUnknownWrites).toEqual({ count: 2, oldestAgeMs: 999_900, byService: { orders: 1, billing: 1 } });
  });
  it('M17 and M18: attempts, first tries, and retries that could not help', () => {
    const measured = measure(
      [read(1, 0, { status: 422 }), read(2, 9_000, { status: 422 }), read(3, 19_000, { status: 200 })],
      [read(1, 0, { status: 200 })],
      [read(1, 0, { status: 302 }), read(2, 100, { status: 200, reason: 'redirect' })],
    );
    expect(measured.attemptsPerOperation).toBe(2);
    expect(measured.goodput).toEqual({ count: 1, of: 3, value: 1 / 3 });
    expect(measured.wastedRetries).toEqual({ count: 1, of: 2, value: 0.5, spentMs: 100 });
  });
  it('M19: given up with time, code and request id', () => {
    const { completeGiveUps } = measure(
      [read(1, 0, { ...vibe, requestId: 'r' })],
      [read(1, 0, vibe)],
      [read(1, 0, { ...vibe, requestId: 'r', code: undefined })],
      [read(1, 0, { ...vibe, requestId: 'r', endedAt: undefined })],
      [read(1, 0, { status: 422 })],
    );
    expect(completeGiveUps).toEqual({ count: 1, of: 4, value: 0.25 });
  });
});
