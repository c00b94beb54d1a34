import { describe, expect, it } from 'vitest';
import type { Attempt, Fact } from '@/lib/core/attempt';
import { attempt, fact, fold, T0 } from './support/event';

const DATE = 'Mon, 02 Mar 2026 10:00:00 GMT';
const IN_30_S = 'Mon, 02 Mar 2026 10:00:30 GMT';

/** A throttled read whose head came at T0, and what follows after `gapMs`. */
function pair(first: Partial<Attempt>, gapMs: number | null, next: Partial<Attempt> = {}, more: Fact[] = []) {
  const asked = attempt({ kind: 'read', status: 429, startedAt: T0 - 50, headersAt: T0, endedAt: T0 + 40, ...first });
  const then =
    gapMs === null
      ? []
      : [attempt({ kind: 'read', attempt: 2, startedAt: T0 + gapMs, endedAt: T0 + gapMs + 10, status: 200, ...next })];
  const got = fold([asked, ...then, ...more]).pairs[0];
  if (!got) throw new Error('no pair');
  return got;
}

describe('compliance', () => {
  it.each([
    [9_949, 'early', 51],
    [9_950, 'honoured', 50],
    [10_000, 'honoured', 0],
    [12_000, 'honoured', 0],
    [0, 'early', 10_000],
  ])('seconds: a gap of %i ms is %s', (gapMs, compliance, earlyMs) => {
    expect(pair({ retryAfter: ['10'] }, gapMs)).toMatchObject({
      compliance,
      earlyMs,
      askedMs: 10_000,
      gapMs,
      approx: false,
    });
  });

  it.each([
    [9_994, 'early'],
    [9_995, 'honoured'],
  ])('strict codes: a gap of %i ms is %s', (gapMs, compliance) => {
    const strict = { profile: 'vibecode' as const, code: 'TIMEOUT_QUARANTINE', retryAfter: ['10'] };
    expect(pair(strict, gapMs)).toMatchObject({ compliance, strict: true });
  });

  it.each([
    [28_999, 'early'],
    [29_000, 'honoured'],
  ])('dates with a Date header: a gap of %i ms is %s', (gapMs, compliance) => {
    expect(pair({ retryAfter: [IN_30_S], dateHeader: DATE }, gapMs)).toMatchObject({ compliance, approx: false });
  });

  it.each([
    [26_999, 'early'],
    [27_000, 'not_judged'],
    [30_999, 'not_judged'],
    [31_000, 'honoured'],
  ])('dates without one: a gap of %i ms is %s', (gapMs, compliance) => {
    expect(pair({ retryAfter: [IN_30_S] }, gapMs)).toMatchObject({ compliance, approx: true });
  });

  it('measures from the head, not from the end of a slow body', () => {
    expect(pair({ retryAfter: ['10'], endedAt: T0 + 9_000 }, 10_000).compliance).toBe('honoured');
  });

  it('between two clocks judges only what the uncertainty cannot change', () => {
    const other = { instance: 'b' };
    expect(pair({ retryAfter: ['10'], instance: 'a' }, 5_000, other)).toMatchObject({
      compliance: 'early',
      approx: true,
    });
    expect(pair({ retryAfter: ['10'], instance: 'a' }, 9_000, other).compliance).toBe('not_judged');
    expect(pair({ retryAfter: ['10'], instance: 'a' }, 12_000, other).compliance).toBe('honoured');
  });

  it('without any end a short gap is surely early and a long one unproven', () => {
    const open = { retryAfter: ['10'], headersAt: undefined, endedAt: undefined };
    expect(pair(open, 1_000)).toMatchObject({ compliance: 'early', approx: true });
    expect(pair(open, 20_000).compliance).toBe('not_judged');
  });

  it('a hedge skipped the whole wait', () => {
    expect(pair({ retryAfter: ['10'], startedAt: T0 - 5_000 }, -2_000, { reason: 'hedge' })).toMatchObject({
      compliance: 'early',
      earlyMs: 10_000,
    });
  });

  it('a cap: asleep up to it is early_capped, before it early, under a strict code early all the same', () => {
    const capped = { retryAfter: ['600'], policy: { retryAfterCapMs: 60_000 } };
    expect(pair(capped, 60_000).compliance).toBe('early_capped');
    expect(pair(capped, 59_960).compliance).toBe('early_capped');
    expect(pair(capped, 30_000).compliance).toBe('early');
    expect(pair({ ...capped, profile: 'vibecode', code: 'OPERATION_TIME_LIMIT' }, 60_000).compliance).toBe('early');
  });

  it('nothing follows: too long a wait is given up, else no retry was observed', () => {
    expect(pair({ retryAfter: ['600'], policy: { retryAfterCapMs: 60_000 } }, null).compliance).toBe(
      'gave_up_wait_too_long',
    );
    expect(pair({ retryAfter: ['60'], policy: { deadlineMs: 10_000 } }, null).compliance).toBe('gave_up_wait_too_long');
    expect(pair({ retryAfter: ['5'], policy: { deadlineMs: 10_000 } }, null).compliance).toBe('no_retry_observed');
  });

  it('names what was not asked and what could not be used', () => {
    expect(pair({}, 1_000)).toMatchObject({ compliance: 'not_asked', askedMs: null });
    expect(pair({ headers: { 'x-ratelimit-reset': '30' } }, 1_000).compliance).toBe('not_asked');
    expect(pair({ retryAfter: ['soon'] }, 1_000).compliance).toBe('unusable_header');
    expect(pair({ status: 200, retryAfter: ['10'] }, 1_000).compliance).toBe('not_asked');
  });

  it('ms headers and the body ask too, the larger of two that differ', () => {
    expect(pair({ headers: { 'retry-after-ms': '1500' }, retryAfter: ['1'] }, 1_500).askedMs).toBe(1_500);
    expect(pair({ retryAfterBody: 2 }, 1_000)).toMatchObject({ compliance: 'early', askedMs: 2_000 });
    expect(pair({ retryAfter: ['1'], retryAfterBody: 30 }, 1_000)).toMatchObject({
      compliance: 'early',
      askedMs: 30_000,
    });
    expect(pair({ retryAfter: ['2'], retryAfterBody: 2.9 }, 2_000)).toMatchObject({
      compliance: 'honoured',
      askedMs: 2_000,
    });
  });

  it('judges against a send that is under way before its end is known', () => {
    const flying = fact({
      type: 'attempt_started',
      attempt: 2,
      startedAt: T0 + 1_000,
      service: 'orders',
      call: 'GET /case',
      kind: 'read',
    });
    const asked = attempt({ kind: 'read', status: 429, retryAfter: ['10'], headersAt: T0, startedAt: T0 - 50 });
    expect(fold([asked, flying], { asOf: T0 + 2_000 }).pairs).toMatchObject([{ compliance: 'early', earlyMs: 9_000 }]);
  });

  it('nothing asked is a pair of its own, with its gap', () => {
    expect(pair({}, 9_000)).toMatchObject({
      compliance: 'not_asked',
      askedMs: null,
      gapMs: 9_000,
      earlyMs: 0,
      overMs: 0,
      strict: false,
      approx: false,
    });
    expect(pair({ retryAfter: ['soon'] }, 9_000)).toMatchObject({ compliance: 'unusable_header', approx: false });
    expect(pair({ retryAfter: [] }, 9_000).compliance).toBe('not_asked');
  });

  it('a gap is known from the head or from the end; from the start alone it can only be shorter', () => {
    const asked = { retryAfter: ['10'], startedAt: T0 };
    const ended = { ...asked, headersAt: undefined, endedAt: T0 };
    expect(pair(ended, 10_000)).toMatchObject({ compliance: 'honoured', approx: false });
    expect(pair({ ...asked, headersAt: T0, endedAt: undefined }, 10_000)).toMatchObject({
      compliance: 'honoured',
      approx: false,
    });
    const neither = { ...asked, headersAt: undefined, endedAt: undefined };
    expect(pair(neither, 10_000)).toMatchObject({ compliance: 'not_judged', approx: true });
    expect(pair(neither, 9_000)).toMatchObject({ compliance: 'early', approx: true });
  });

  it('no wait at all is kept by an overlap too', () => {
    expect(pair({ retryAfter: ['0'], headersAt: T0 + 1_000 }, 0)).toMatchObject({ compliance: 'honoured', earlyMs: 0 });
  });

  it('only what went out after the answer, or with it, is the next send', () => {
    const asOf = T0 + 60_000;
    const flying = (startedAt: number) =>
      fact({ type: 'attempt_started', attempt: 2, service: 'orders', call: 'GET /case', kind: 'read', startedAt });
    const asked = attempt({ kind: 'read', status: 429, startedAt: T0, headersAt: T0 + 10, retryAfter: ['10'] });
    const of = (startedAt: number) => fold([asked, flying(startedAt)], { asOf }).pairs[0]?.compliance;
    expect(of(T0 - 1)).toBe('pending');
    expect(of(T0)).toBe('early');
    expect(of(T0 + 10_010)).toBe('honoured');
  });

  it('a retry at the cap needs a cap below the asked wait', () => {
    const capped = (retryAfterCapMs: number | undefined, gapMs: number) =>
      pair({ retryAfter: ['10'], policy: { retryAfterCapMs } }, gapMs).compliance;
    expect(capped(5_000, 4_949)).toBe('early');
    expect(capped(5_000, 4_950)).toBe('early_capped');
    expect(capped(10_000, 9_949)).toBe('early');
    expect(capped(20_000, 5_000)).toBe('early');
    expect(capped(undefined, 5_000)).toBe('early');
  });

  it('gives up rightly over the cap or over what is left of the deadline, to the millisecond', () => {
    const alone = (policy: NonNullable<Attempt['policy']>) => pair({ retryAfter: ['10'], policy }, null).compliance;
    expect(alone({ retryAfterCapMs: 9_999 })).toBe('gave_up_wait_too_long');
    expect(alone({ retryAfterCapMs: 10_000 })).toBe('no_retry_observed');
    // The head came 50 ms after the start.
    expect(alone({ deadlineMs: 10_049 })).toBe('gave_up_wait_too_long');
    expect(alone({ deadlineMs: 10_050 })).toBe('no_retry_observed');
    expect(alone({})).toBe('no_retry_observed');
  });
});
