import { describe, expect, it } from 'vitest';
import type { Attempt, Fact } from '@/lib/core/attempt';
import { DEFAULT_SETTINGS, type Settings } from '@/lib/core/operation';
import { fact, T0 } from '../support/event';
import { findingsOf, read } from '../support/find-all';

/** M1, M2, M8, M12, M23 and the flags of waits, by rule: exactly what is said, and where it is not said. Ends are at +100 ms. */

type Fields = Partial<Attempt>;
const findings = findingsOf;
const attempts = (check: string, facts: Fact[], settings?: Partial<Settings>) =>
  findings(check, facts, settings).map(({ attempt }) => attempt);
const ok = { status: 200 };
const down = { status: 503 };
const throttled = (seconds: number | string, fields: Fields = {}): Fields => ({
  status: 429,
  retryAfter: [String(seconds)],
  ...fields,
});
/** A first try, then one `gapMs` after its end. */
const after = (gapMs: number, first: Fields, second: Fields = ok) => [read(1, 0, first), read(2, 100 + gapMs, second)];
/** Tries with these gaps between each end and the next start; the fields of each in turn, the last repeated. */
function paced(gaps: readonly number[], ...fields: Fields[]): Attempt[] {
  let at = -100;
  return [-0, ...gaps].map((gap, n) => {
    at += 100 + gap;
    return read(n + 1, at, fields[Math.min(n, fields.length - 1)]);
  });
}

describe('early_retry (M1)', () => {
  it('says who asked, for how long, what was waited, and how sure that is', () => {
    expect(findings('early_retry', after(4_000, throttled(10)))).toEqual([
      {
        check: 'early_retry',
        severity: 'medium',
        attempt: 2,
        evidence: { askedBy: 1, askedMs: 10_000, waitedMs: 4_000, earlyMs: 6_000, strict: false, approx: false },
      },
    ]);
    const strict = { profile: 'vibecode' as const, status: undefined, code: 'TIMEOUT_QUARANTINE' };
    expect(findings('early_retry', after(4_000, throttled(10, strict)))[0]?.evidence.strict).toBe(true);
    expect(findings('early_retry', after(4_000, throttled(10), { instance: 'two' }))[0]?.evidence.approx).toBe(true);
  });
  it('each early send of several, none that waited', () => {
    const facts = paced([4_000, 10_000, 3_000], throttled(10), throttled(10), throttled(10), ok);
    expect(attempts('early_retry', facts)).toEqual([2, 4]);
  });
});

describe('early_capped (M2)', () => {
  it('says what was asked and where the client stopped waiting', () => {
    const facts = after(10_000, throttled(60, { policy: { retryAfterCapMs: 10_000 } }));
    expect(findings('early_capped', facts)).toEqual([
      {
        check: 'early_capped',
        severity: 'medium',
        attempt: 2,
        evidence: { askedBy: 1, askedMs: 60_000, waitedMs: 10_000, capMs: 10_000 },
      },
    ]);
    expect(findings('early_retry', facts)).toEqual([]);
  });
  it('is no excuse for strict codes', () => {
    const strict = { profile: 'vibecode' as const, status: undefined, code: 'TIMEOUT_QUARANTINE' };
    const facts = after(10_000, throttled(60, { ...strict, policy: { retryAfterCapMs: 10_000 } }));
    expect(attempts('early_capped', facts)).toEqual([]);
    expect(attempts('early_retry', facts)).toEqual([2]);
  });
});

describe('wait_past_deadline (M2) and past_deadline (M8)', () => {
  const policy = { deadlineMs: 10_000 };
  it('says what was asked and what had been left', () => {
    expect(findings('wait_past_deadline', after(60_000, throttled(60, { policy })))).toEqual([
      {
        check: 'wait_past_deadline',
        severity: 'medium',
        attempt: 2,
        evidence: { askedMs: 60_000, waitedMs: 60_000, leftMs: 9_900, deadlineMs: 10_000 },
      },
    ]);
    // The answer itself came after the deadline: nothing was left.
    const late = read(1, 0, throttled(1, { policy, endedAt: T0 + 12_000 }));
    expect(findings('wait_past_deadline', [late, read(2, 13_000, ok)])[0]?.evidence.leftMs).toBe(0);
  });
  it('not where the wait fitted, nor where the client sent before the deadline, nor without a wait or a deadline', () => {
    expect(findings('wait_past_deadline', after(20_000, throttled(9, { policy })))).toEqual([]);
    expect(findings('wait_past_deadline', after(9_900, throttled(60, { policy })))).toEqual([]);
    expect(findings('wait_past_deadline', after(9_901, throttled(60, { policy })))).toHaveLength(1);
    expect(findings('wait_past_deadline', after(60_000, { ...down, policy }))).toEqual([]);
    expect(findings('wait_past_deadline', after(60_000, throttled(60)))).toEqual([]);
  });
  it('counts the deadline from the first send', () => {
    const facts = paced([5_000, 8_000], { ...down, policy }, throttled(8), ok);
    expect(findings('wait_past_deadline', facts)).toMatchObject([{ attempt: 3, evidence: { leftMs: 4_800 } }]);
  });
  it('past_deadline says how late the start was, and how far the end lay over', () => {
    const facts = [...after(12_000, { ...down, policy }), read(3, 9_000, { endedAt: T0 + 9_500, ...ok })];
    expect(findings('past_deadline', facts)).toEqual([
      {
        check: 'past_deadline',
        severity: 'medium',
        attempt: 2,
        evidence: { deadlineMs: 10_000, lateMs: 2_100, overshootMs: 2_200, approx: false },
      },
    ]);
    expect(findings('past_deadline', after(12_000, { ...down, policy }, { instance: 'two' }))[0]?.evidence.approx).toBe(
      true,
    );
    expect(findings('past_deadline', after(12_000, down))).toEqual([]);
  });
  it('every late start is named', () => {
    expect(attempts('past_deadline', paced([9_000, 9_000, 9_000], { ...down, policy }, down))).toEqual([3, 4]);
  });
});

describe('excess_wait and delay_uncapped', () => {
  it('say what was asked and what was waited', () => {
    expect(findings('excess_wait', after(80_000, throttled(10)))).toEqual([
      {
        check: 'excess_wait',
        severity: 'low',
        attempt: 2,
        evidence: { askedMs: 10_000, waitedMs: 80_000, overMs: 70_000, hint: null },
      },
    ]);
    expect(findings('delay_uncapped', after(400_000, down))).toEqual([
      {
        check: 'delay_uncapped',
        severity: 'low',
        attempt: 2,
        evidence: { waitedMs: 400_000, capMs: 300_000, declared: false },
      },
    ]);
    expect(findings('delay_uncapped', after(9_000, { ...down, policy: { capMs: 5_000 } }))[0]?.evidence).toEqual({
      waitedMs: 9_000,
      capMs: 5_000,
      declared: true,
    });
  });
  it('x-ratelimit-reset is a measure only where nothing was asked', () => {
    const reset = { headers: { 'x-ratelimit-reset': '10' } };
    expect(findings('excess_wait', after(80_000, { status: 429, ...reset }))[0]?.evidence).toMatchObject({
      askedMs: 10_000,
      hint: expect.any(String) as unknown,
    });
    // Asked for 100 s: 190 s are not too much, whatever the hint says.
    expect(findings('excess_wait', after(190_000, throttled(100, reset)))).toEqual([]);
    expect(findings('delay_uncapped', after(400_000, { status: 429, ...reset }))).toEqual([]);
  });
  it('after a success nobody waits', () => {
    expect(findings('delay_uncapped', after(400_000, ok))).toEqual([]);
  });
});

describe('long_wait', () => {
  it('is told of the answer that asked, kept or not', () => {
    const told = (gapMs: number) => findings('long_wait', after(gapMs, throttled(300)));
    expect(told(300_000)).toEqual([
      { check: 'long_wait', severity: 'low', attempt: 1, evidence: { askedMs: 300_000, compliance: 'honoured' } },
    ]);
    expect(told(10)[0]?.evidence.compliance).toBe('early');
    expect(findings('long_wait', [read(1, 0, throttled(300))])).toMatchObject([{ attempt: 1 }]);
    expect(findings('long_wait', after(400_000, down))).toEqual([]);
  });
});

describe('stale_delay_used', () => {
  const facts = (...gaps: number[]) => paced(gaps, throttled(2), throttled(30), throttled(40), ok);
  it('says which wait was used instead of which', () => {
    expect(findings('stale_delay_used', facts(2_000, 2_010, 40_000))).toEqual([
      {
        check: 'stale_delay_used',
        severity: 'medium',
        attempt: 3,
        evidence: { askedMs: 30_000, waitedMs: 2_010, staleMs: 2_000, staleFrom: 1 },
      },
    ]);
  });
  it('any earlier wait, either side of it, by no more than its tolerance', () => {
    expect(attempts('stale_delay_used', facts(2_000, 30_000, 30_050))).toEqual([4]);
    expect(attempts('stale_delay_used', facts(2_000, 30_000, 29_950))).toEqual([4]);
    expect(attempts('stale_delay_used', facts(2_000, 30_000, 30_051))).toEqual([]);
    expect(attempts('stale_delay_used', facts(2_000, 30_000, 29_949))).toEqual([]);
    expect(findings('stale_delay_used', facts(2_000, 30_000, 2_000))[0]?.evidence).toMatchObject({
      staleMs: 2_000,
      staleFrom: 1,
    });
  });
  it('not where the gap kept what was asked, nor for an equal wait, nor for one asked later', () => {
    const shorter = paced([30_000, 30_000], throttled(30), throttled(2), ok);
    expect(attempts('stale_delay_used', shorter)).toEqual([]);
    const equal = paced([30_000, 29_940], throttled(30), throttled(30), ok);
    expect(attempts('stale_delay_used', equal)).toEqual([]);
    const later = paced([2_000, 2_000], throttled(30), throttled(2), ok);
    expect(attempts('stale_delay_used', later)).toEqual([]);
    const unasked = paced([2_000, 20], down, throttled(30), ok);
    expect(attempts('stale_delay_used', unasked)).toEqual([]);
    // 40 ms early of a strict wait, which is equal to the one before: its own, not a stale one.
    const strict = throttled(30, { profile: 'vibecode', status: undefined, code: 'TIMEOUT_QUARANTINE' });
    expect(attempts('stale_delay_used', paced([30_000, 29_960], strict, strict, ok))).toEqual([]);
  });
});

describe('unit errors', () => {
  it('say what was asked and waited', () => {
    expect(findings('unit_error_seconds_as_ms', after(30, throttled(30)))).toEqual([
      {
        check: 'unit_error_seconds_as_ms',
        severity: 'medium',
        attempt: 2,
        evidence: { askedMs: 30_000, waitedMs: 30 },
      },
    ]);
    expect(findings('unit_error_ms_as_seconds', after(1_000_000, throttled(1)))).toEqual([
      {
        check: 'unit_error_ms_as_seconds',
        severity: 'medium',
        attempt: 2,
        evidence: { askedMs: 1_000, waitedMs: 1_000_000 },
      },
    ]);
  });
  it('seconds as milliseconds: every early gap, told once', () => {
    const check = 'unit_error_seconds_as_ms';
    expect(attempts(check, paced([30, 40], throttled(30), throttled(40), ok))).toEqual([2]);
    expect(attempts(check, paced([30, 9_000], throttled(30), throttled(40), ok))).toEqual([]);
    expect(attempts(check, paced([9_000, 40], throttled(30), throttled(40), ok))).toEqual([]);
    // A wait that was kept says nothing of units, and a cap is early too.
    expect(attempts(check, paced([30_000, 40], throttled(30), throttled(40), ok))).toEqual([3]);
    const capped = throttled(100, { policy: { retryAfterCapMs: 100 } });
    expect(attempts(check, after(100, capped))).toEqual([2]);
    expect(attempts(check, paced([100, 9_000], capped, throttled(40), ok))).toEqual([]);
    expect(attempts(check, after(30, down))).toEqual([]);
  });
  it('milliseconds as seconds: a tenth either way', () => {
    const check = 'unit_error_ms_as_seconds';
    const gap = (ms: number) => attempts(check, after(ms, throttled(1)));
    expect(gap(900_000)).toEqual([2]);
    expect(gap(899_999)).toEqual([]);
    expect(gap(1_100_000)).toEqual([2]);
    expect(gap(1_100_001)).toEqual([]);
    expect(attempts(check, after(0, throttled(0)))).toEqual([]);
    expect(attempts(check, after(5, down))).toEqual([]);
    const early = read(1, 0, throttled(10, { endedAt: T0 + 900 }));
    // An early gap is no thousandfold.
    expect(attempts(check, [early, read(2, 1_000, ok)])).toEqual([]);
  });
});

describe('zero_delay and hot_loop', () => {
  it('say after which try, and how short it was', () => {
    expect(findings('zero_delay', after(3, down))).toEqual([
      { check: 'zero_delay', severity: 'low', attempt: 2, evidence: { gapMs: 3, after: 1 } },
    ]);
    expect(findings('hot_loop', paced([3, 4], down))).toEqual([
      { check: 'hot_loop', severity: 'medium', attempt: 3, evidence: { gapMs: 4, after: 2 } },
    ]);
  });
  it('a loop is told once, where it becomes one, and anew after a pause', () => {
    expect(attempts('hot_loop', paced([3, 3, 3, 3], down))).toEqual([3]);
    expect(attempts('zero_delay', paced([3, 3, 3, 3], down))).toEqual([2, 3, 4, 5]);
    expect(attempts('hot_loop', paced([3, 3, 900, 3, 3], down))).toEqual([3, 6]);
    expect(attempts('hot_loop', paced([3, 900, 3, 900, 3], down))).toEqual([]);
    expect(attempts('hot_loop', paced([3], down), { hotLoopMinCount: 1 })).toEqual([2]);
  });
  it('an asked wait of nothing is no excuse', () => {
    expect(attempts('zero_delay', after(0, throttled(0)))).toEqual([2]);
  });
  it('not for what the caller did not choose, an overlap, another clock, or a client that died', () => {
    const quick = (second: Fields, gapMs = 0) => attempts('zero_delay', after(gapMs, down, { ...ok, ...second }));
    expect(quick({ reason: 'retry' })).toEqual([2]);
    expect(quick({ reason: 'replay' })).toEqual([2]);
    expect(quick({ reason: 'redirect' })).toEqual([]);
    expect(quick({ reason: 'reauth' })).toEqual([]);
    expect(quick({ reason: 'hedge' })).toEqual([]);
    expect(quick({}, -1)).toEqual([]);
    expect(quick({ instance: 'two' })).toEqual([]);
    const started = fact({ type: 'attempt_started', attempt: 1, service: 'orders', call: 'GET /x', startedAt: T0 });
    expect(attempts('zero_delay', [started, read(2, DEFAULT_SETTINGS.diedAfterMs + 1, ok)])).toEqual([]);
  });
});

describe('throttle_in_backoff_loop (M12)', () => {
  const quill = { profile: 'quillhub' as const };
  const limited = (fields: Fields = {}): Fields => ({ ...quill, status: 429, ...fields });
  const check = 'throttle_in_backoff_loop';
  it('says how many retries after 429, how long each waited, and whether the gaps double', () => {
    expect(findings(check, after(400, limited(), { ...quill, ...ok }))).toEqual([
      {
        check,
        severity: 'medium',
        attempt: 2,
        evidence: { after: 1, retriesAfter429: 1, gapMs: 400, leastMs: 1_000, tooSoon: true, growing: false },
      },
    ]);
    expect(findings(check, paced([1_000, 2_000, 4_000], limited()))).toEqual([
      {
        check,
        severity: 'medium',
        attempt: 3,
        evidence: { after: 2, retriesAfter429: 2, gapMs: 2_000, leastMs: 1_000, tooSoon: false, growing: true },
      },
      expect.objectContaining({ attempt: 4 }),
    ]);
  });
  it('the asked wait counts where it is longer than a second', () => {
    const soon = (gapMs: number, seconds: number) =>
      attempts(check, after(gapMs, limited({ retryAfter: [String(seconds)] }), quill));
    expect(soon(4_950, 5)).toEqual([]);
    expect(soon(4_949, 5)).toEqual([2]);
    expect(soon(950, 0)).toEqual([]);
    expect(soon(949, 0)).toEqual([2]);
  });
  it('gaps that double from the first, within a quarter, unless the asked waits do', () => {
    const growing = (...gaps: number[]) => findings(check, paced(gaps, limited())).at(-1)?.evidence.growing;
    expect(growing(1_000, 2_500)).toBe(true);
    expect(growing(1_000, 2_501)).toBe(false);
    expect(growing(1_000, 1_500)).toBe(true);
    expect(growing(1_000, 1_499)).toBe(false);
    expect(growing(1_000, 2_000, 4_000)).toBe(true);
    expect(growing(1_000, 2_000, 2_000)).toBe(false);
    expect(growing(0, 0)).toBe(false);
    const asked = (seconds: number) => limited({ retryAfter: [String(seconds)] });
    expect(findings(check, paced([1_000, 2_000], asked(1), asked(1), quill))[0]?.evidence.growing).toBe(true);
    // The server's own waits grow: that is no backoff of the client's.
    const kept = paced([1_000, 2_000], asked(1), asked(2), quill);
    expect(findings(check, kept)).toMatchObject([{ attempt: 3, evidence: { growing: false } }]);
  });
  it('only QuillHub, only after 429, and a redirect is no retry', () => {
    expect(attempts(check, paced([400, 400], { status: 429 }))).toEqual([]);
    expect(attempts(check, paced([400, 400], { ...quill, ...down }))).toEqual([]);
    expect(attempts(check, after(10, limited(), { ...quill, reason: 'redirect' }))).toEqual([]);
    // 429, then 5xx and its retries: one retry of the 429.
    const mixed = paced(
      [1_000, 500, 900],
      limited(),
      { ...quill, ...down },
      { ...quill, ...down },
      { ...quill, ...ok },
    );
    expect(attempts(check, mixed)).toEqual([]);
  });
});

describe('backoff_shape of one operation (M23)', () => {
  const full = { policy: { jitter: 'full', capMs: 5_000 } };
  const check = 'backoff_shape';
  it('says after which try, what was waited and what the cap allows', () => {
    expect(findings(check, after(6_000, { ...down, ...full }))).toEqual([
      {
        check,
        severity: 'low',
        attempt: 2,
        evidence: { kind: 'cap_exceeded', after: 1, waitedMs: 6_000, capMs: 5_000 },
      },
    ]);
    expect(findings(check, after(31_000, { ...down, profile: 'quillhub' }))[0]?.evidence.capMs).toBe(30_000);
  });
  it.each([
    [5_050, 0],
    [5_051, 1],
  ])('a gap of %i ms over a cap of 5,000 with 50 allowed: %i', (gapMs, count) => {
    expect(findings(check, after(gapMs, { ...down, ...full }))).toHaveLength(count);
  });
  it('a declared cap goes before the guide’s; without any cap nothing exceeds it', () => {
    const quill = { ...down, profile: 'quillhub' as const };
    expect(findings(check, after(40_000, { ...quill, policy: { capMs: 60_000 } }))).toEqual([]);
    expect(findings(check, after(40_000, { ...quill, policy: { capMs: 20_000 } }))).toHaveLength(1);
    expect(findings(check, after(40_000, { ...down, policy: { jitter: 'full' } }))).toEqual([]);
  });
  it('not where a wait was asked, full jitter is not the rule, the first worked, or the caller did not choose', () => {
    expect(findings(check, after(6_000, throttled(6, full)))).toEqual([]);
    expect(findings(check, after(6_000, { ...down, policy: { capMs: 5_000, jitter: 'equal' } }))).toEqual([]);
    expect(findings(check, after(6_000, { ...ok, ...full }))).toEqual([]);
    expect(findings(check, after(6_000, { ...down, ...full }, { ...ok, reason: 'redirect' }))).toEqual([]);
    expect(findings(check, after(6_000, { ...down, ...full }, { ...ok, reason: 'reauth' }))).toEqual([]);
    expect(findings(check, after(6_000, { ...down, ...full }, { ...ok, reason: 'retry' }))).toHaveLength(1);
  });
  it('the tolerance is a setting', () => {
    expect(findings(check, after(5_100, { ...down, ...full }), { toleranceSecondsMs: 100 })).toEqual([]);
  });
});
