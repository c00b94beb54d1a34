import { describe, expect, it } from 'vitest';
import type { Attempt, Fact } from '@/lib/core/attempt';
import type { OperationConclusion, OperationState, ResolutionFact } from '@/lib/core/operation';
import { foldOperation } from '@/lib/core/fold';
import { attempt, fact, fold, foldContext, T0 } from './support/event';

const MIN = 60_000;
const write = (number: number, at: number, fields: Partial<Attempt> = {}) =>
  attempt({ attempt: number, kind: 'write', method: 'POST', startedAt: T0 + at, endedAt: T0 + at + 100, ...fields });
const read = (number: number, at: number, fields: Partial<Attempt> = {}) =>
  write(number, at, { kind: 'read', method: 'GET', ...fields });
const readBack = (at: number, result: string, more: Record<string, unknown> = {}) =>
  fact({ type: 'readback', startedAt: T0 + at, endedAt: T0 + at + 50, result, criterion: 'unique', ...more });
const resolved = (facts: Fact[], resolution: ResolutionFact['resolution'], at = 60 * MIN) =>
  foldOperation({ operationId: 'op', facts, resolution: { resolution, resolvedAt: T0 + at } }, foldContext());

const timeout = { outcome: 'timeout' as const };
const key = (keyHash: string) => ({ idempotency: { keyHash } });

type Row = [string, Fact[], OperationState, number, boolean];

describe('state, possible effects and review', () => {
  const rows: Row[] = [
    ['a success', [write(1, 0, { status: 200 })], 'succeeded', 1, false],
    [
      'a refused write, then success',
      [write(1, 0, { status: 429 }), write(2, 9000, { status: 201 })],
      'succeeded',
      1,
      false,
    ],
    ['a refused write and nothing more', [write(1, 0, { status: 429 })], 'failed', 0, false],
    [
      'a PUT that succeeded, and another nobody heard of: the success says nothing of what came after it',
      [write(1, 0, { method: 'PUT', status: 200 }), write(2, 9000, { method: 'PUT', ...timeout })],
      'unresolved',
      2,
      true,
    ],
    [
      'a PUT nobody heard of, then one that succeeded: the state is the same however often it ran',
      [write(1, 0, { method: 'PUT', ...timeout }), write(2, 9000, { method: 'PUT', status: 200 })],
      'succeeded_with_possible_duplicates',
      2,
      false,
    ],
    ['a read that timed out', [read(1, 0, timeout)], 'failed', 0, false],
    ['a write that timed out', [write(1, 0, timeout)], 'unresolved', 1, true],
    [
      'unknown, then a safe refusal: still unknown (V17)',
      [write(1, 0, timeout), write(2, 9000, { status: 429 })],
      'unresolved',
      1,
      true,
    ],
    [
      'unknown, then a blind repeat that worked',
      [write(1, 0, timeout), write(2, 9000, { status: 201 })],
      'succeeded_with_possible_duplicates',
      2,
      true,
    ],
    [
      'success, then an unknown repeat: no success follows the doubt',
      [write(1, 0, { status: 201 }), write(2, 9000, timeout)],
      'unresolved',
      2,
      true,
    ],
    [
      'unknown, then success under the same server key',
      [write(1, 0, { ...timeout, ...key('k') }), write(2, 9000, { status: 201, ...key('k') })],
      'succeeded',
      1,
      false,
    ],
    [
      'unknown, then success under another key',
      [write(1, 0, { ...timeout, ...key('k') }), write(2, 9000, { status: 201, ...key('l') })],
      'succeeded_with_possible_duplicates',
      2,
      true,
    ],
    [
      'the same key for another request is never trusted',
      [
        write(1, 0, { ...timeout, ...key('k'), fingerprint: 'a' }),
        write(2, 9000, { status: 201, ...key('k'), fingerprint: 'b' }),
      ],
      'succeeded_with_possible_duplicates',
      2,
      true,
    ],
    [
      'the same key after its lifetime',
      [write(1, 0, { ...timeout, ...key('k') }), write(2, 25 * 60 * MIN, { status: 201, ...key('k') })],
      'succeeded_with_possible_duplicates',
      2,
      true,
    ],
    [
      'a key that the client lowered',
      [
        write(1, 0, { ...timeout, idempotency: { keyHash: 'k', mode: 'client_dedupe' } }),
        write(2, 9000, { status: 201, idempotency: { keyHash: 'k', mode: 'client_dedupe' } }),
      ],
      'succeeded_with_possible_duplicates',
      2,
      true,
    ],
    [
      'a PUT that failed and then worked needs nobody',
      [write(1, 0, { status: 500, method: 'PUT' }), write(2, 9000, { status: 200, method: 'PUT' })],
      'succeeded_with_possible_duplicates',
      2,
      false,
    ],
    ['a PUT that never worked needs somebody', [write(1, 0, { status: 500, method: 'PUT' })], 'unresolved', 1, true],
    ['a unique presence settles', [write(1, 0, timeout), readBack(5000, 'present')], 'succeeded', 1, false],
    [
      'present, and sent again all the same',
      [write(1, 0, timeout), readBack(5000, 'present'), write(2, 9000, { status: 201 })],
      'succeeded_with_possible_duplicates',
      2,
      true,
    ],
    [
      'a unique absence after the settle time takes it back',
      [write(1, 0, timeout), readBack(2 * MIN, 'absent'), write(2, 3 * MIN, { status: 201 })],
      'succeeded',
      1,
      false,
    ],
    ['an absence, and nothing more', [write(1, 0, timeout), readBack(2 * MIN, 'absent')], 'failed', 0, false],
    [
      'an absence seen too soon is provisional',
      [write(1, 0, timeout), readBack(5000, 'absent')],
      'unresolved',
      1,
      true,
    ],
    [
      'a weak presence settles nothing',
      [write(1, 0, timeout), readBack(5000, 'present', { criterion: 'weak' })],
      'unresolved',
      1,
      true,
    ],
    [
      'an inconclusive look settles nothing',
      [write(1, 0, timeout), readBack(2 * MIN, 'inconclusive')],
      'unresolved',
      1,
      true,
    ],
    [
      'a look before the end proves nothing',
      [write(1, 0, { ...timeout, endedAt: T0 + 10 * MIN }), readBack(2 * MIN, 'absent')],
      'unresolved',
      1,
      true,
    ],
    [
      'a listing that does not reach back proves no absence (Q13)',
      [write(1, 0, timeout), readBack(2 * MIN, 'absent', { oldestSeen: T0 + 1 })],
      'unresolved',
      1,
      true,
    ],
    [
      'a listing that reaches back does',
      [write(1, 0, timeout), readBack(2 * MIN, 'absent', { oldestSeen: T0 - 1 })],
      'failed',
      0,
      false,
    ],
    [
      'quillhub: a listing must say how far it reaches',
      [write(1, 0, { ...timeout, profile: 'quillhub' }), readBack(2 * MIN, 'absent')],
      'unresolved',
      1,
      true,
    ],
    [
      'quillhub: an exhausted listing',
      [write(1, 0, { ...timeout, profile: 'quillhub' }), readBack(2 * MIN, 'absent', { exhausted: true })],
      'failed',
      0,
      false,
    ],
    [
      'closed: done with ids settles',
      [write(1, 0, timeout), fact({ type: 'closed', startedAt: T0 + 5000, result: 'done', entityIds: ['1'] })],
      'succeeded',
      1,
      false,
    ],
    [
      'closed: done without ids is a suggestion',
      [write(1, 0, timeout), fact({ type: 'closed', startedAt: T0 + 5000, result: 'done' })],
      'unresolved',
      1,
      true,
    ],
    [
      'closed: abandoned never settles',
      [write(1, 0, timeout), fact({ type: 'closed', startedAt: T0 + 5000, result: 'abandoned' })],
      'unresolved',
      1,
      true,
    ],
    [
      'closed: abandoned after a refusal',
      [write(1, 0, { status: 429 }), fact({ type: 'closed', startedAt: T0 + 5000, result: 'abandoned' })],
      'cancelled',
      0,
      false,
    ],
    ['a read the caller aborted', [read(1, 0, { error: { name: 'AbortError' } })], 'cancelled', 0, false],
    [
      'a write the caller aborted after sending',
      [write(1, 0, { error: { name: 'AbortError' } })],
      'unresolved',
      1,
      true,
    ],
    [
      'a write aborted while connecting',
      [write(1, 0, { error: { name: 'AbortError', cause: { code: 'ECONNREFUSED', syscall: 'connect' } } })],
      'cancelled',
      0,
      false,
    ],
    [
      'a job that completed',
      [write(1, 0, timeout), fact({ type: 'job_result', jobId: 'j1', startedAt: T0 + 5000, result: 'completed' })],
      'succeeded',
      1,
      false,
    ],
    [
      'a job of the repeat says nothing of the first send',
      [
        write(1, 0, timeout),
        write(2, 9000, { status: 201, jobId: 'j2' }),
        fact({ type: 'job_result', jobId: 'j2', startedAt: T0 + 20_000, result: 'completed' }),
      ],
      'succeeded_with_possible_duplicates',
      2,
      true,
    ],
    [
      'an accepted job that failed is no success',
      [
        write(1, 0, { status: 201, jobId: 'j1' }),
        fact({ type: 'job_result', jobId: 'j1', startedAt: T0 + 5000, result: 'failed' }),
      ],
      'failed',
      0,
      false,
    ],
    [
      'a key used in parallel leaves the read-back owed, and both may have run (X7)',
      [
        write(1, 0, { ...timeout, idempotency: { keyHash: 'k' }, endedAt: T0 + 5000 }),
        write(2, 3000, { status: 200, idempotency: { keyHash: 'k' } }),
      ],
      'succeeded_with_possible_duplicates',
      2,
      true,
    ],
    [
      'two entities were read back: somebody must look',
      [
        write(1, 0, { status: 200 }),
        fact({
          type: 'readback',
          startedAt: T0 + 90_000,
          endedAt: T0 + 90_100,
          result: 'present',
          criterion: 'unique',
          entityIds: ['1', '2'],
        }),
      ],
      'succeeded_with_possible_duplicates',
      1,
      true,
    ],
    [
      'a vibecode read the caller aborted',
      [read(1, 0, { profile: 'vibecode', error: { name: 'AbortError' } })],
      'cancelled',
      0,
      false,
    ],
    [
      'a read its own deadline aborted',
      [read(1, 0, { error: { name: 'AbortError' }, abortBy: 'deadline' })],
      'failed',
      0,
      false,
    ],
    [
      'a failed item of a batch is its own operation, not a partly applied one',
      [write(1, 0, { status: 400, batch: { id: 'b', item: '0', partial: true } })],
      'failed',
      0,
      false,
    ],
    [
      'failed items',
      [write(1, 0, { status: 200, bodySummary: { total: 5, failed: 2 } })],
      'partially_applied',
      1,
      true,
    ],
    [
      'failed items of a read',
      [read(1, 0, { status: 200, bodySummary: { total: 5, failed: 2 } })],
      'partially_applied',
      0,
      false,
    ],
  ];
  it.each(rows)('%s', (_name, facts, state, possibleEffects, needsReview) => {
    const got = fold(facts);
    expect({ state: got.state, possibleEffects: got.possibleEffects, needsReview: got.needsReview }).toEqual({
      state,
      possibleEffects,
      needsReview,
    });
  });

  it('AGENT_WRITE_ALREADY_EXECUTED settles the first DELETE only with a success firstStatus', () => {
    const first = write(1, 0, { profile: 'vibecode', method: 'DELETE', code: 'BITRIX_TIMEOUT', status: 504 });
    const second = (firstStatus: number | null) =>
      write(2, 9000, {
        profile: 'vibecode',
        method: 'DELETE',
        code: 'AGENT_WRITE_ALREADY_EXECUTED',
        status: 409,
        firstStatus,
      });
    expect(fold([first, second(200)])).toMatchObject({
      state: 'succeeded',
      possibleEffects: 1,
      needsReview: false,
      doubt: { settledBy: 'first_status' },
    });
    expect(fold([first, second(null)])).toMatchObject({ state: 'unresolved', possibleEffects: 1, needsReview: true });
    expect(fold([second(null)])).toMatchObject({ state: 'unresolved', possibleEffects: 0, needsReview: true });
  });

  it('keeps an earlier unknown of vibecode through QUEUE_OVERFLOW and TIMEOUT_QUARANTINE', () => {
    for (const code of ['QUEUE_OVERFLOW', 'TIMEOUT_QUARANTINE', 'BITRIX_ERROR']) {
      const facts = [
        write(1, 0, { profile: 'vibecode', status: 504, code: 'BITRIX_TIMEOUT' }),
        write(2, 9000, { profile: 'vibecode', status: 429, code }),
      ];
      expect(fold(facts)).toMatchObject({ state: 'unresolved', possibleEffects: 1, needsReview: true });
    }
  });

  it.each([
    ['applied_once', 'succeeded'],
    ['not_applied', 'failed'],
    ['applied_more_than_once', 'succeeded_with_possible_duplicates'],
    ['partly_applied', 'partially_applied'],
    ['cannot_be_known', 'unresolved'],
  ] as const)('a person says %s: %s, nothing left to review, effects unchanged', (resolution, state) => {
    const got = resolved([write(1, 0, timeout)], resolution);
    expect(got).toMatchObject({ state, needsReview: false, possibleEffects: 1, doubt: { settledBy: 'resolution' } });
  });

  it('a person settles a possible duplicate too', () => {
    const facts = [write(1, 0, timeout), write(2, 9000, { status: 201 })];
    expect(resolved(facts, 'applied_once')).toMatchObject({
      state: 'succeeded',
      needsReview: false,
      possibleEffects: 2,
    });
  });

  it('a write after the resolution is a doubt of its own', () => {
    const facts = [write(1, 0, timeout), write(2, 90 * MIN, timeout)];
    expect(resolved(facts, 'applied_once', 60 * MIN)).toMatchObject({ state: 'unresolved', needsReview: true });
  });
});

describe('time', () => {
  const at = (asOf: number, facts: Fact[]): OperationConclusion => fold(facts, { asOf: T0 + asOf });

  it('is in progress until nobody has spoken for 15 min after the asked wait', () => {
    const facts = [read(1, 0, { status: 429, retryAfter: ['60'] })];
    const early = at(MIN, facts);
    expect(early).toMatchObject({ state: 'in_progress', over: false, changesAt: T0 + 100 + MIN + 15 * MIN });
    expect(early.pairs[0]?.compliance).toBe('pending');
    const late = at(16 * MIN + 100, facts);
    expect(late).toMatchObject({ state: 'failed', over: true, changesAt: null });
    expect(late.pairs[0]?.compliance).toBe('no_retry_observed');
  });

  it('puts a replayable write up for review only when nobody will repeat it', () => {
    const facts = [write(1, 0, { status: 500, method: 'PUT' })];
    expect(at(MIN, facts)).toMatchObject({ state: 'unresolved', needsReview: false });
    expect(at(16 * MIN, facts)).toMatchObject({ state: 'unresolved', needsReview: true });
  });

  it('after closed a missing retry is a fact at once', () => {
    const facts = [
      read(1, 0, { status: 429, retryAfter: ['60'] }),
      fact({ type: 'closed', startedAt: T0 + 200, result: 'abandoned' }),
    ];
    expect(at(300, facts).pairs[0]?.compliance).toBe('no_retry_observed');
  });
});

describe('a client that died', () => {
  const started = (number: number, at: number, more: Record<string, unknown> = {}) =>
    fact({
      type: 'attempt_started',
      attempt: number,
      startedAt: T0 + at,
      service: 'orders',
      call: 'POST /case',
      kind: 'write',
      method: 'POST',
      ...more,
    });

  it('is waited for, then its write is unknown', () => {
    const facts = [started(1, 0)];
    const waiting = fold(facts, { asOf: T0 + MIN });
    expect(waiting).toMatchObject({ state: 'in_progress', attempts: [], changesAt: T0 + 5 * MIN, over: false });
    const dead = fold(facts, { asOf: T0 + 5 * MIN });
    expect(dead).toMatchObject({ state: 'unresolved', possibleEffects: 1, needsReview: true });
    expect(dead.attempts).toMatchObject([{ synthetic: true, verdict: { action: 'state_verification_required' } }]);
  });
  it('is taken for dead after its own deadline', () => {
    const facts = [started(1, 0, { policy: { deadlineMs: 1000 } })];
    expect(fold(facts, { asOf: T0 + 1000 }).attempts).toHaveLength(1);
    expect(fold(facts, { asOf: T0 + 999 }).attempts).toHaveLength(0);
  });
  it('is no doubt as a read', () => {
    expect(fold([started(1, 0, { kind: 'read' })])).toMatchObject({
      state: 'failed',
      possibleEffects: 0,
      needsReview: false,
    });
  });
  it('came back after all', () => {
    expect(fold([started(1, 0), write(1, 0, { status: 200 })])).toMatchObject({
      state: 'succeeded',
      possibleEffects: 1,
    });
  });
  it('died on one machine while another sent the same number', () => {
    const facts = [started(1, 0, { instance: 'a' }), write(1, MIN, { instance: 'b', status: 201 })];
    expect(fold(facts)).toMatchObject({ state: 'succeeded_with_possible_duplicates', possibleEffects: 2 });
  });
  it('one answer answers one announcement', () => {
    const facts = [started(1, 0), started(1, MIN), write(1, MIN, { status: 201 })];
    expect(fold(facts)).toMatchObject({ possibleEffects: 2, needsReview: true });
  });
});

describe('suggestion', () => {
  const reason = (...facts: Fact[]) => fold([write(1, 0, timeout), ...facts]).suggestion;
  it('leans on evidence and closes nothing', () => {
    expect(reason(write(2, 9000, { status: 409 }))).toMatchObject({
      reason: 'conflict_after_unclear_write',
      resolution: 'applied_once',
    });
    expect(reason(fact({ type: 'closed', startedAt: T0 + 5000, result: 'done' }))).toMatchObject({
      reason: 'closed_done',
    });
    expect(reason(readBack(5000, 'absent'))).toMatchObject({ reason: 'read_back', resolution: 'not_applied' });
    expect(reason(readBack(5000, 'present', { criterion: 'weak', entityIds: ['1', '2'] }))).toMatchObject({
      reason: 'entity_ids',
      resolution: 'applied_more_than_once',
    });
    expect(reason()).toBeNull();
    expect(fold([write(1, 0, { status: 201 })]).suggestion).toBeNull();
  });

  it('a first execution that still runs, or that names no status, leans neither way (V7, V9)', () => {
    const again = { profile: 'vibecode', method: 'DELETE', code: 'AGENT_WRITE_ALREADY_EXECUTED' } as const;
    expect(fold([write(1, 0, { ...again, firstStatus: null })])).toMatchObject({ suggestion: null, needsReview: true });
    expect(fold([write(1, 0, again)])).toMatchObject({ suggestion: null, needsReview: true });
  });
});

describe('repeats and order', () => {
  it('the id alone decides a repeat; the first received stays', () => {
    const kept = write(1, 0, { id: 'x', receivedAt: 5, status: 201 });
    const later = write(1, 0, { id: 'x', receivedAt: 6, ...timeout });
    expect(fold([later, kept]).state).toBe('succeeded');
    expect(fold([kept, later]).state).toBe('succeeded');
  });
  it('orders by start on one clock and by number between clocks', () => {
    const numbers = (facts: Fact[]) => fold(facts).attempts.map((judged) => judged.attempt.attempt);
    expect(numbers([write(2, 0), write(1, 9000)])).toEqual([2, 1]);
    expect(numbers([write(2, 0, { instance: 'a' }), write(1, 9000, { instance: 'b' })])).toEqual([1, 2]);
  });
  it('has an answer for no facts at all', () => {
    expect(fold([])).toMatchObject({ state: 'in_progress', attempts: [], possibleEffects: 0, needsReview: false });
  });
});
