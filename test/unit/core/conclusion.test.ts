import { describe, expect, it } from 'vitest';
import type { Attempt, Fact } from '@/lib/core/attempt';
import { foldOperation, type FoldContext } from '@/lib/core/fold';
import type { Resolution } from '@/lib/core/operation';
import { attempt, fact, fold, foldContext, T0 } from './support/event';

/** What is concluded of one operation beside its state: who is in doubt, until when, and what a person's word covers. */

const MIN = 60_000;
const LATE = { outcome: 'timeout' } as const;
const key = (keyHash: string) => ({ idempotency: { keyHash } });
const write = (number: number, at: number, fields: Partial<Attempt> = {}) =>
  attempt({
    id: `w${number}`,
    attempt: number,
    kind: 'write',
    method: 'POST',
    startedAt: T0 + at,
    endedAt: T0 + at + 100,
    ...fields,
  });
const read = (number: number, at: number, fields: Partial<Attempt> = {}) =>
  write(number, at, { kind: 'read', method: 'GET', ...fields });
const look = (at: number, result: string, more: Record<string, unknown> = {}) =>
  fact({ type: 'readback', startedAt: T0 + at, endedAt: T0 + at + 50, result, criterion: 'unique', ...more });
const announced = (number: number, at: number, deadlineMs?: number) =>
  fact({
    type: 'attempt_started',
    attempt: number,
    service: 'orders',
    call: 'POST /case',
    kind: 'write',
    startedAt: T0 + at,
    ...(deadlineMs === undefined ? {} : { policy: { deadlineMs } }),
  });
const closed = (at: number, result: string, entityIds?: string[]) =>
  fact({ type: 'closed', startedAt: T0 + at, result, entityIds });
const at = (ms: number): Partial<FoldContext> => ({ asOf: T0 + ms });
const resolved = (facts: Fact[], resolution: Resolution, ms = 60 * MIN) =>
  foldOperation({ operationId: 'op', facts, resolution: { resolution, resolvedAt: T0 + ms } }, foldContext());

describe('doubt', () => {
  it('is none where no write was ever unclear', () => {
    expect(fold([write(1, 0, { status: 201 }), read(2, 500, LATE)]).doubt).toBeNull();
  });

  it('names the sends in doubt, from the earliest end to the latest', () => {
    const facts = [write(1, 0, LATE), write(2, 500, { status: 429 }), write(3, 900, LATE)];
    const doubt = { attemptEventIds: ['w1', 'w3'], since: T0 + 100, until: T0 + 1000, settledBy: null };
    expect(fold(facts).doubt).toEqual(doubt);
    const overlapping = [write(1, 0, { ...LATE, endedAt: T0 + 9000 }), write(2, 500, LATE)];
    expect(fold(overlapping).doubt).toMatchObject({ since: T0 + 600, until: T0 + 9000 });
  });

  it('leaves out what is settled while anything is open', () => {
    const facts = [write(1, 0, LATE), look(5000, 'present'), write(2, 9000, LATE)];
    expect(fold(facts).doubt).toEqual({
      attemptEventIds: ['w2'],
      since: T0 + 9100,
      until: T0 + 9100,
      settledBy: null,
    });
  });

  it('once settled says by what came last', () => {
    const byLook = [write(1, 0, LATE), look(5000, 'present')];
    expect(fold(byLook).doubt).toEqual({
      attemptEventIds: ['w1'],
      since: T0 + 100,
      until: T0 + 100,
      settledBy: 'read_back',
    });
    expect(fold([...byLook, write(2, 9000, LATE), closed(9500, 'done', ['e'])]).doubt).toMatchObject({
      attemptEventIds: ['w1', 'w2'],
      settledBy: 'closed',
    });
    const keyed = [
      write(1, 0, { ...LATE, ...key('k') }),
      write(2, 300, LATE),
      write(3, 500, { status: 201, ...key('k') }),
    ];
    expect(fold([...keyed, look(5000, 'present')]).doubt).toMatchObject({ settledBy: 'read_back' });
    expect(
      fold([write(1, 0, { ...LATE, ...key('k') }), write(2, 500, { status: 201, ...key('k') })]).doubt,
    ).toMatchObject({ settledBy: 'server_key' });
    expect(resolved([write(1, 0, LATE)], 'applied_once').doubt).toMatchObject({ settledBy: 'resolution' });
  });
});

describe('kind and times', () => {
  it('is a read only when all its sends are, and a write in doubt', () => {
    expect(fold([read(1, 0), read(2, 500)]).kind).toBe('read');
    expect(fold([read(1, 0), write(2, 500)]).kind).toBe('write');
    expect(fold([closed(0, 'done')]).kind).toBe('write');
  });

  it('begins with its first send, else with the first thing said', () => {
    expect(fold([closed(0, 'done'), write(1, 500)])).toMatchObject({ firstAt: T0 + 500, lastAt: T0 + 600 });
    expect(fold([closed(700, 'done')])).toMatchObject({ firstAt: T0 + 700, lastAt: T0 + 700 });
    expect(fold([])).toMatchObject({ firstAt: 0, lastAt: 0, findings: [], profile: 'http' });
  });
});

describe('over, and the next instant at which time alone changes something', () => {
  it.each([
    ['a success at once', [write(1, 0, { status: 201 })], true, null],
    ['a possible duplicate at once', [write(1, 0, LATE), write(2, 500, { status: 201 })], true, null],
    ['a caller’s abort at once', [read(1, 0, { abortBy: 'user' })], true, null],
    ['a closed failure at once', [write(1, 0, { status: 429 }), closed(500, 'done')], true, null],
    ['an abandoned one at once', [write(1, 0, { status: 429 }), closed(500, 'abandoned')], true, null],
    ['a failure 15 min after its end', [write(1, 0, { status: 429 })], false, 15 * MIN + 100],
    [
      'a failure 15 min after the asked wait',
      [write(1, 0, { status: 429, retryAfter: ['60'] })],
      false,
      16 * MIN + 100,
    ],
    ['a doubt too', [write(1, 0, LATE)], false, 15 * MIN + 100],
    ['partly applied too', [write(1, 0, { status: 200, bodySummary: { total: 2, failed: 1 } })], false, 15 * MIN + 100],
    ['what was only looked at', [look(500, 'present')], false, 15 * MIN + 550],
    ['a send under way, at its deadline', [announced(1, 0, 8000)], false, 8000],
    [
      'several under way, at the nearest',
      [announced(1, 0, 9000), announced(2, 10, 8000), announced(3, 20, 9000)],
      false,
      8010,
    ],
    ['a success beside a send under way', [write(1, 0, { status: 201 }), announced(2, 10, 8000)], false, 8010],
  ] as const)('%s', (_name, facts, over, changesMs) => {
    const got = fold([...facts], at(1000));
    expect({ over: got.over, changesAt: got.changesAt }).toEqual({
      over,
      changesAt: changesMs === null ? null : T0 + changesMs,
    });
  });

  it('is idle at that instant, and not before', () => {
    const facts = [write(1, 0, { status: 429 })];
    expect(fold(facts, at(15 * MIN + 99))).toMatchObject({ over: false, state: 'in_progress' });
    expect(fold(facts, at(15 * MIN + 100))).toMatchObject({ over: true, state: 'failed', changesAt: null });
  });

  it('is not idle while a send is under way, however long', () => {
    const facts = [write(1, 0, { status: 429 }), announced(2, 500, 120 * MIN)];
    expect(fold(facts, at(60 * MIN))).toMatchObject({
      over: false,
      state: 'in_progress',
      changesAt: T0 + 120 * MIN + 500,
    });
  });
});

describe('a success whose job failed afterwards is none', () => {
  const failed = (jobId: string) => fact({ type: 'job_result', jobId, result: 'failed', startedAt: T0 + 5000 });

  it.each([
    ['its own job', { jobId: 'a' }, 'a', 'failed'],
    ['another job', { jobId: 'a' }, 'b', 'succeeded'],
    ['whichever, where it named none', {}, 'b', 'failed'],
  ])('%s', (_name, fields, jobId, state) => {
    expect(fold([write(1, 0, { status: 201, ...fields }), failed(jobId)]).state).toBe(state);
  });

  it('one that completed is', () => {
    const completed = fact({ type: 'job_result', jobId: 'a', result: 'completed', startedAt: T0 + 5000 });
    expect(fold([write(1, 0, { status: 201, jobId: 'a' }), completed]).state).toBe('succeeded');
  });
});

describe('a person’s word', () => {
  const twice = [write(1, 0, LATE), write(2, 500, { status: 201 })];

  it.each([
    ['applied_once', 'succeeded'],
    ['applied_more_than_once', 'succeeded_with_possible_duplicates'],
    ['partly_applied', 'partially_applied'],
    ['cannot_be_known', 'unresolved'],
  ] as const)('%s of a possible duplicate: %s, and nobody is asked again', (resolution, state) => {
    expect(resolved(twice, resolution)).toMatchObject({ state, needsReview: false, possibleEffects: 2 });
  });

  it.each([
    ['applied_once', 'succeeded'],
    ['applied_more_than_once', 'succeeded_with_possible_duplicates'],
    ['partly_applied', 'partially_applied'],
    ['cannot_be_known', 'unresolved'],
    ['not_applied', 'failed'],
  ] as const)('%s of a refusal that nobody doubted: %s', (resolution, state) => {
    expect(resolved([write(1, 0, { status: 429 })], resolution).state).toBe(state);
  });

  it('covers what was sent at its very instant, and nothing later', () => {
    expect(resolved([write(1, 0, LATE)], 'applied_once', 0)).toMatchObject({ state: 'succeeded', needsReview: false });
    expect(resolved([write(1, 1, LATE)], 'applied_once', 0)).toMatchObject({ state: 'unresolved', needsReview: true });
    const partly = { status: 200, bodySummary: { total: 2, failed: 1 } };
    expect(resolved([write(1, 0, partly)], 'applied_once', 0)).toMatchObject({
      state: 'succeeded',
      needsReview: false,
    });
    expect(resolved([write(1, 1, partly)], 'applied_once', 0)).toMatchObject({ state: 'partially_applied' });
  });

  it('still says how many there are when only a refused send follows it', () => {
    const refused = write(9, 90 * MIN, { status: 429 });
    const two = [write(1, 0, { status: 201 }), write(2, 500, { status: 201 })];
    expect(resolved([...two, refused], 'applied_once').state).toBe('succeeded');
    expect(resolved([...two, refused], 'applied_more_than_once').state).toBe('succeeded_with_possible_duplicates');
    expect(resolved([...twice, refused], 'applied_more_than_once').state).toBe('succeeded_with_possible_duplicates');
    expect(resolved([...two, refused], 'applied_once', 500).state).toBe('succeeded');
    expect(resolved([...two, refused], 'applied_once', 499).state).toBe('succeeded_with_possible_duplicates');
    const seenTwo = [write(1, 0, { status: 201 }), look(5000, 'present', { entityIds: ['a', 'b'] })];
    expect(resolved([...seenTwo, refused], 'applied_once').state).toBe('succeeded');
    expect(fold([...seenTwo, refused]).state).toBe('succeeded_with_possible_duplicates');
  });
});

describe('possible duplicates', () => {
  it('are settled only by a proof that is later than the last effect', () => {
    const facts = [write(1, 0, LATE), write(2, 500, { status: 201 })];
    expect(fold([...facts, look(599, 'present')]).state).toBe('succeeded_with_possible_duplicates');
    expect(fold([...facts, look(600, 'present')]).state).toBe('succeeded');
    // A refused send has no effect that a look could miss.
    expect(fold([...facts, look(600, 'present'), write(3, 9000, { status: 429 })]).state).toBe('succeeded');
    expect(fold([write(1, 0, LATE), look(300, 'present'), write(2, 500, { status: 201 })]).state).toBe(
      'succeeded_with_possible_duplicates',
    );
  });

  it('are open while any of the doubts is', () => {
    const keyed = [
      write(1, 0, { ...LATE, ...key('k') }),
      write(2, 300, LATE),
      write(3, 500, { status: 201, ...key('k') }),
    ];
    expect(fold(keyed)).toMatchObject({
      state: 'succeeded_with_possible_duplicates',
      possibleEffects: 2,
      needsReview: true,
    });
  });

  it('two successes say nothing of each other', () => {
    const facts = [write(1, 0, { status: 201 }), write(2, 500, { status: 201 })];
    expect(fold(facts)).toMatchObject({ state: 'succeeded_with_possible_duplicates', needsReview: true });
  });

  it('of an operation that never succeeded are not concluded from others’ entities', () => {
    const two = look(5000, 'present', { entityIds: ['a', 'b'] });
    expect(fold([write(1, 0, { status: 429 }), two]).state).toBe('failed');
    expect(fold([write(1, 0, LATE), two]).state).toBe('succeeded_with_possible_duplicates');
  });
});

describe('review', () => {
  const put = (number: number, ms: number, fields: Partial<Attempt>) => write(number, ms, { method: 'PUT', ...fields });

  it('waits for nobody after PUTs alone, whatever was refused among them', () => {
    const facts = [write(1, 0, { status: 429 }), put(2, 500, LATE), put(3, 900, { status: 200 })];
    expect(fold(facts)).toMatchObject({ state: 'succeeded_with_possible_duplicates', needsReview: false });
  });

  it('waits for a person where a POST was among them, settled or not', () => {
    const settled = [write(1, 0, LATE), look(300, 'present'), put(2, 500, { status: 200 })];
    expect(fold(settled)).toMatchObject({ state: 'succeeded_with_possible_duplicates', needsReview: true });
    const keyed = [write(1, 0, { ...LATE, ...key('k') }), put(2, 300, LATE), put(3, 500, { status: 200 })];
    expect(fold(keyed)).toMatchObject({ needsReview: true });
  });

  it('asks about items that failed inside a write, unless their fate is known', () => {
    const partly = { status: 200, bodySummary: { total: 2, failed: 1 } };
    expect(fold([write(1, 0, { status: 429 }), write(2, 500, partly)])).toMatchObject({
      state: 'partially_applied',
      needsReview: true,
    });
    expect(fold([write(1, 500, partly), look(5000, 'present')])).toMatchObject({ needsReview: false });
    expect(fold([read(1, 500, partly)])).toMatchObject({ state: 'partially_applied', needsReview: false });
  });

  it('asks about a replayable write only once nobody will repeat it', () => {
    const facts = [put(1, 0, LATE)];
    expect(fold(facts, at(MIN)).needsReview).toBe(false);
    expect(fold(facts, at(16 * MIN)).needsReview).toBe(true);
    expect(fold([read(1, 0, LATE)], at(16 * MIN)).needsReview).toBe(false);
    expect(fold([], at(16 * MIN)).needsReview).toBe(false);
  });
});
