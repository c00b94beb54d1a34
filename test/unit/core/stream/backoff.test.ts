import { describe, expect, it } from 'vitest';
import { boundMsOf, isFullJitter } from '@/lib/core/checks/backoff-bound';
import { backoffGroupsOf } from '@/lib/core/checks/stream/backoff-pairs';
import { findBackoffShape } from '@/lib/core/checks/stream/backoff-shape';
import { findNoJitter } from '@/lib/core/checks/stream/no-jitter';
import type { StreamSend } from '@/lib/core/checks/stream/stream';
import { DEFAULT_SETTINGS, type Settings } from '@/lib/core/operation';
import { T0 } from '../support/event';
import { find, resend, streamSend } from '../support/stream-send';

/** M9 and M23 by rule: which gaps a backoff decided, what they are compared with, and what is said of them. */

type Fields = Partial<StreamSend>;
const full: Fields = { policy: { baseMs: 1_000, capMs: 3_000, jitter: 'full' } };

/** One client a row: a first try, then a retry after each gap. Returns every send, firsts too. */
function clients(rows: readonly (readonly number[])[], fields: Fields = {}): StreamSend[] {
  return rows.flatMap((gaps, client) => {
    let last = streamSend(client, { operationId: `c-${client}`, ...fields });
    return [last, ...gaps.map((gapMs) => (last = resend(last, gapMs, { operationId: `c-${client}`, ...fields })))];
  });
}
/** The same gap for everybody. */
const each = (count: number, ...gaps: number[]) => Array.from({ length: count }, () => gaps);
/** Even over the bound: the middle of every one of `count` parts. */
const even = (count: number, boundMs: number) =>
  Array.from({ length: count }, (_, n) => [((n + 0.5) / count) * boundMs]);

describe('what a backoff decided', () => {
  /** The pairs of one client whose first try and retry are as told. */
  const pairs = (first: Fields = {}, second: Fields = {}, gapMs = 500) => {
    const from = streamSend(0, { ...full, ...first });
    return backoffGroupsOf([from, resend(from, gapMs, second)]).flatMap((group) => group.pairs);
  };
  it('is the gap after a retryable or doubtful end, by the number of the retry', () => {
    expect(pairs().map(({ step, gapMs, send }) => [step, gapMs, send.attempt])).toEqual([[0, 500, 2]]);
    expect(pairs({ attempt: 3 }).map(({ step }) => step)).toEqual([2]);
    expect(pairs({ action: 'state_verification_required' })).toHaveLength(1);
    expect(pairs({}, { reason: 'retry' })).toHaveLength(1);
    expect(pairs({}, {}, 0)).toHaveLength(1);
  });
  it.each<[string, Fields, Fields, number]>([
    ['an asked wait', { askedMs: 500 }, {}, 500],
    ['an asked wait of nothing', { askedMs: 0 }, {}, 500],
    ['a success', { action: 'none' }, {}, 500],
    ['what must not be retried', { action: 'do_not_retry' }, {}, 500],
    ['a redirect', {}, { reason: 'redirect' }, 500],
    ['a renewal', {}, { reason: 'reauth' }, 500],
    ['a hedge', {}, { reason: 'hedge' }, 500],
    ['a replay by hand', {}, { reason: 'replay' }, 500],
    ['a name that is missing', { code: 'ENOTFOUND' }, {}, 500],
    ['QuillHub’s single retry of a 429', { profile: 'quillhub', rule: 'HTTP_429' }, {}, 500],
    ['another clock', {}, { clock: 'elsewhere' }, 500],
    ['a number left out', {}, { attempt: 3 }, 500],
    ['a number given out again', {}, { attempt: 1 }, 500],
    ['a start before the answer', {}, {}, -1],
  ])('is not the gap after %s', (_name, first, second, gapMs) => {
    expect(pairs(first, second, gapMs)).toEqual([]);
  });
  it('counts other 429 and other QuillHub errors', () => {
    expect(pairs({ rule: 'HTTP_429' })).toHaveLength(1);
    expect(pairs({ profile: 'quillhub' })).toHaveLength(1);
  });
  it('is grouped by service and declared policy', () => {
    const two = (first: Fields, second: Fields) =>
      backoffGroupsOf([...clients(each(1, 500), first), ...clients(each(1, 500), second)]).length;
    expect(two(full, full)).toBe(1);
    expect(two(full, { ...full, service: 'billing' })).toBe(2);
    expect(two(full, { policy: { ...full.policy, baseMs: 2_000 } })).toBe(2);
    expect(two(full, { policy: { ...full.policy, capMs: 9_000 } })).toBe(2);
    expect(two(full, { policy: { ...full.policy, jitter: 'equal' } })).toBe(2);
    expect(two({ policy: { jitter: 'equal' } }, { policy: { jitter: 'decorrelated' } })).toBe(2);
    // Only what bears on the gaps: other numbers of the policy don't.
    expect(two(full, { policy: { ...full.policy, maxRetries: 9 } })).toBe(1);
  });
  it('takes base, cap and full jitter from the declaration, else from the QuillHub guide', () => {
    const group = (fields: Fields) => {
      const [first] = backoffGroupsOf(clients(each(1, 500), fields));
      return first && [first.service, first.baseMs, first.capMs, first.fullJitter];
    };
    expect(group({})).toEqual(['orders', undefined, undefined, false]);
    expect(group(full)).toEqual(['orders', 1_000, 3_000, true]);
    expect(group({ profile: 'quillhub' })).toEqual(['orders', 1_000, 30_000, true]);
    expect(group({ profile: 'quillhub', policy: { baseMs: 50, capMs: 60 } })).toEqual(['orders', 50, 60, true]);
  });
});

describe('bounds of a backoff', () => {
  it('double from the base up to the cap', () => {
    expect([0, 1, 2, 3].map((step) => boundMsOf(step, 100, 500))).toEqual([100, 200, 400, 500]);
    expect(boundMsOf(3, 100, undefined)).toBe(800);
    // Steps without end stay finite.
    expect(boundMsOf(60, 1, undefined)).toBe(2 ** 60);
    expect(boundMsOf(2_000, 1, undefined)).toBe(2 ** 60);
  });
  it('full jitter is QuillHub’s rule, or the declared word in any letters', () => {
    expect(isFullJitter('quillhub', undefined)).toBe(true);
    expect(isFullJitter('http', ' Full ')).toBe(true);
    expect(isFullJitter('http', 'full')).toBe(true);
    expect(isFullJitter('http', undefined)).toBe(false);
    expect(isFullJitter('http', 'equal')).toBe(false);
    expect(isFullJitter('http', 'fuller')).toBe(false);
  });
});

describe('no_jitter (M9)', () => {
  const judge = (sends: StreamSend[], settings: Partial<Settings> = {}) => find(findNoJitter, sends, { settings });
  const evidence = (sends: StreamSend[], settings?: Partial<Settings>) => judge(sends, settings)[0]?.evidence;
  it('says what it compared, for the window as a whole', () => {
    const found = find(findNoJitter, clients(each(30, 900), full), { window: { from: -5, to: 900_000 } });
    expect(found).toEqual([
      {
        check: 'no_jitter',
        severity: 'low',
        subject: { kind: 'service', value: 'orders' },
        at: T0 - 5,
        evidence: {
          grade: 'none',
          pairs: 30,
          excluded: 0,
          spread: 0,
          // All at 0.9 of the bound: nothing lies below.
          distance: 0.9,
          distanceMax: 1.36 / Math.sqrt(30),
          baseMs: 1_000,
          capMs: 3_000,
          approx: false,
          operationIds: Array.from({ length: 20 }, (_, n) => `c-${n}`),
        },
        window: { from: T0 - 5, to: T0 + 900_000 },
        lookedAt: { operations: 30, attempts: 60 },
      },
    ]);
    expect(evidence(clients(each(30, 900)))).toMatchObject({
      distance: null,
      distanceMax: null,
      baseMs: null,
      capMs: null,
      approx: true,
    });
  });
  it('pairs of the window alone', () => {
    const sends = clients(each(30, 900));
    const within = (from: number, to: number) => find(findNoJitter, sends, { window: { from, to } }).length;
    // Retries start at 1,000 … 1,029.
    expect(within(1_000, 1_030)).toBe(1);
    expect(within(1_001, 1_030)).toBe(0);
    expect(within(1_000, 1_029)).toBe(0);
  });
  it('the spread is that of a population: standard deviation ÷ mean, below a tenth', () => {
    const two = (apart: number) => clients([...each(15, 1_000 - apart), ...each(15, 1_000 + apart)]);
    expect(evidence(two(99))?.spread).toBeCloseTo(0.099, 12);
    expect(judge(two(101))).toEqual([]);
    expect(judge(two(101), { jitterSpreadMinShare: 0.102 })).toHaveLength(1);
    // A quarter exactly, as shares and inside the step.
    const quarter = clients([...each(15, 768), ...each(15, 1_280)], { policy: { baseMs: 2_048 } });
    expect(judge(quarter, { jitterSpreadMinShare: 0.25 })).toEqual([]);
    expect(judge(quarter, { jitterSpreadMinShare: 0.2501 })).toHaveLength(1);
  });
  it('gaps of nothing don’t spread', () => {
    expect(evidence(clients(each(30, 0), { policy: { baseMs: 1_000 } }))).toMatchObject({ grade: 'none', spread: 0 });
  });
  it('shares of the bound take the steps together; a cap holds the bound down', () => {
    const rows = each(10, 1_000, 2_000, 3_000);
    expect(evidence(clients(rows, { policy: { baseMs: 1_000, capMs: 3_000 } }))).toMatchObject({
      grade: 'none',
      pairs: 30,
      spread: 0,
    });
    // Four pairs a step say nothing of a step, but as shares of their bounds there are 32.
    const long = each(4, ...[0, 1, 2, 3, 4, 5, 6, 7].map((step) => 100 * 2 ** step));
    expect(evidence(clients(long, { policy: { baseMs: 100 } }))).toMatchObject({ pairs: 32, spread: 0 });
    expect(judge(clients(long))).toEqual([]);
  });
  it('with an unknown base steps are compared within themselves, those with five pairs or more', () => {
    const rows = [...each(5, 1_000, 1_500, 2_250, 3_375, 5_062, 7_593)];
    expect(evidence(clients(rows))).toMatchObject({ grade: 'none', pairs: 30, spread: 0 });
    expect(judge(clients(rows.map((gaps) => gaps.slice(0, 5))))).toEqual([]);
    // A sixth client with one retry only: its step has six.
    expect(judge(clients(each(4, 1_000, 1_500, 2_250, 3_375, 5_062, 7_593, 11_389, 17_085)))).toEqual([]);
    // The widest step decides.
    const wide = rows.map((gaps, n) => gaps.map((gap, step) => (step === 3 ? gap * (1 + n / 10) : gap)));
    expect(judge(clients(wide))).toEqual([]);
  });
  it('steps that hold thirty together, each with five or more, are compared; fewer are not', () => {
    const rows = each(25, 1_000).map((gaps, n) => (n < 4 ? [...gaps, 1_500, 2_250] : gaps));
    expect(judge(clients(rows))).toEqual([]);
    const more = each(25, 1_000).map((gaps, n) => (n < 5 ? [...gaps, 1_500] : gaps));
    expect(evidence(clients(more))).toMatchObject({ grade: 'none', pairs: 30 });
  });
  it('where no step holds enough, the shares alone decide', () => {
    const spread = clients(even(30, 1_000), { policy: { baseMs: 1_000 } });
    expect(judge(spread)).toEqual([]);
  });
  it('an unknown base is estimated from the first step alone', () => {
    // The first step is even, so nothing is found although later steps don't spread at all as a pool.
    const rows = even(30, 1_000).map((gaps) => [...gaps, 1_500]);
    const found = evidence(clients(rows, { policy: { jitter: 'full' } }));
    expect(found).toBeUndefined();
    const half = even(30, 500).map(([gap = 0]) => [500 + gap, 5_000]);
    expect(evidence(clients(half, { policy: { jitter: 'full' } }))).toMatchObject({
      grade: 'partial',
      approx: true,
      pairs: 60,
      excluded: 0,
    });
  });
  it('a gap over the bound by more than a twentieth is left out and counted', () => {
    const with4 = (gapMs: number) => evidence(clients([...each(30, 1_000), ...each(4, gapMs)], full));
    expect(with4(1_050)).toMatchObject({ excluded: 0, pairs: 34 });
    expect(with4(1_051)).toMatchObject({ excluded: 4, pairs: 34 });
    const spread = [...each(29, 1_000), ...each(4, 1_051)];
    // Too few shares are left, but the step itself holds enough.
    expect(evidence(clients(spread, full))).toMatchObject({ grade: 'none', distance: null, excluded: 4 });
    expect(evidence(clients(each(30, 1_500), full), { jitterOverFactor: 1.5 })).toMatchObject({ excluded: 0 });
  });
  it('a base of nothing bounds nothing', () => {
    expect(evidence(clients(each(30, 500), { policy: { baseMs: 0, jitter: 'full' } }))).toMatchObject({
      grade: 'none',
      excluded: 30,
      distance: null,
    });
  });
  it('partial: further from even than chance allows, only under full jitter', () => {
    const upper = (from: number) => even(40, 1_000 - from).map(([gap = 0]) => [from + gap]);
    // Nothing lies below `from`: the distance is at least that share.
    expect(judge(clients(upper(180), full))).toEqual([]);
    const [found] = judge(clients(upper(260), full));
    expect(found?.evidence).toMatchObject({ grade: 'partial', distanceMax: 1.36 / Math.sqrt(40) });
    expect(found?.evidence.distance).toBeCloseTo(0.26 + 0.74 / 80, 10);
    expect(judge(clients(upper(260), { policy: { baseMs: 1_000 } }))).toEqual([]);
    // In any order, and where the widest distance lies further in.
    expect(evidence(clients(upper(260).reverse(), full))?.distance).toBeCloseTo(0.26 + 0.74 / 80, 10);
    const late = clients([[10], [20], ...each(38, 600)], full);
    expect(evidence(late)?.distance).toBeCloseTo(0.6 - 2 / 40, 10);
    // All in the lower part: the distance is above.
    const lower = evidence(clients(even(40, 700), full));
    expect(lower).toMatchObject({ grade: 'partial' });
    expect(lower?.distance).toBeCloseTo(0.3 + 0.7 / 80, 10);
  });
  it('shares a little over one count as one', () => {
    const gaps = [...even(39, 1_000), [1_049]];
    expect(judge(clients(gaps, full))).toEqual([]);
    const found = evidence(clients([...each(15, 1_040), ...each(15, 1_049)], full));
    expect(found?.distance).toBe(1);
  });
  it('looks at its window alone', () => {
    expect([findNoJitter.lookBackMs(DEFAULT_SETTINGS), findNoJitter.lookAheadMs(DEFAULT_SETTINGS)]).toEqual([0, 0]);
    expect([findNoJitter.check, findNoJitter.groupBy]).toEqual(['no_jitter', 'service']);
  });
});

describe('backoff_shape (M23)', () => {
  const judge = (sends: StreamSend[], settings: Partial<Settings> = {}) => find(findBackoffShape, sends, { settings });
  it('says which steps are off by how much, the first in front', () => {
    const rows = [...each(15, 500, 100, 2_200), ...each(15, 500, 102, 2_400)];
    const found = find(findBackoffShape, clients(rows, full), { window: { from: -5, to: 900_000 } });
    expect(found).toEqual([
      {
        check: 'backoff_shape',
        severity: 'low',
        subject: { kind: 'service', value: 'orders' },
        at: T0 - 5,
        evidence: {
          kind: 'median_off',
          step: 2,
          pairs: 30,
          medianMs: 101,
          expectedMs: 1_000,
          steps: [
            { step: 2, pairs: 30, medianMs: 101, expectedMs: 1_000 },
            // Its bound is the cap of 3,000, not 4,000.
            { step: 3, pairs: 30, medianMs: 2_300, expectedMs: 1_500 },
          ],
          operationIds: Array.from({ length: 20 }, (_, n) => `c-${n}`),
        },
        window: { from: T0 - 5, to: T0 + 900_000 },
        lookedAt: { operations: 30, attempts: 120 },
      },
    ]);
    const late = clients(each(30, 10, 500, 2_300), full);
    expect(judge([...late].reverse())[0]?.evidence.steps).toEqual([
      { step: 1, pairs: 30, medianMs: 10, expectedMs: 500 },
      { step: 3, pairs: 30, medianMs: 2_300, expectedMs: 1_500 },
    ]);
  });
  it.each([
    [249, 1],
    [250, 0],
    [750, 0],
    [751, 1],
  ])('a middle of %i ms where 500 is expected: %i', (gapMs, count) => {
    expect(judge(clients(each(30, gapMs), full))).toHaveLength(count);
  });
  it('the middle of an odd number is the middle one, of an even number between two', () => {
    const middle = (...gaps: number[]) =>
      judge(
        clients(
          gaps.map((gap) => [gap]),
          full,
        ),
        { backoffPairsMinCount: 1 },
      )[0]?.evidence.medianMs;
    expect(middle(900, 100, 10)).toBe(100);
    expect(middle(20, 10, 900, 30)).toBe(25);
    expect(middle(7)).toBe(7);
    expect(middle(9, 7)).toBe(8);
  });
  it('needs thirty pairs of one step', () => {
    expect(judge(clients(each(29, 10), full))).toEqual([]);
    expect(judge(clients(each(30, 10), full))).toHaveLength(1);
    expect(judge(clients(each(29, 10, 10), full))).toEqual([]);
    expect(judge(clients(each(29, 10), full), { backoffPairsMinCount: 29 })).toHaveLength(1);
  });
  it('has its tolerance', () => {
    expect(judge(clients(each(30, 600), full), { backoffMedianShare: 0.2 })).toEqual([]);
    expect(judge(clients(each(30, 601), full), { backoffMedianShare: 0.2 })).toHaveLength(1);
  });
  it('only where full jitter is the rule or declared, and a base is known', () => {
    expect(judge(clients(each(30, 10), { policy: { baseMs: 1_000 } }))).toEqual([]);
    expect(judge(clients(each(30, 10), { policy: { jitter: 'full' } }))).toEqual([]);
    expect(judge(clients(each(30, 10), { policy: { jitter: 'full', baseMs: 0 } }))).toEqual([]);
    expect(judge(clients(each(30, 10), { policy: { jitter: 'full', baseMs: 1_000 } }))).toHaveLength(1);
    expect(judge(clients(each(30, 10), { profile: 'quillhub' }))).toHaveLength(1);
  });
  it('pairs of the window alone', () => {
    const sends = clients(each(30, 10), full);
    const within = (from: number, to: number) => find(findBackoffShape, sends, { window: { from, to } }).length;
    expect(within(110, 140)).toBe(1);
    expect(within(111, 140)).toBe(0);
    expect(within(110, 139)).toBe(0);
    expect([findBackoffShape.lookBackMs(DEFAULT_SETTINGS), findBackoffShape.lookAheadMs(DEFAULT_SETTINGS)]).toEqual([
      0, 0,
    ]);
    expect([findBackoffShape.check, findBackoffShape.groupBy]).toEqual(['backoff_shape', 'service']);
  });
});
