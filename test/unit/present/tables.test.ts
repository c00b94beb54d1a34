import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prepareCalls } from '@/lib/present/calls';
import { compareWithPrevious, readRate, SAMPLE_MIN } from '@/lib/present/compare';
import { prepareHistogram } from '@/lib/present/histogram';
import { findRulesOfCode } from '@/lib/present/rule-of-code';
import { formatSort, parseSort, sortRows, toggleSort } from '@/lib/present/sort';

describe('compareWithPrevious', () => {
  it.each([
    [5, 0, 0, { kind: 'no_baseline' }],
    // Four attempts before a hundred now: the period before had only begun.
    [5, 1, 4, { kind: 'no_baseline' }],
    [0, 0, 0, { kind: 'none' }],
    [5, 5, 100, { kind: 'same' }],
    [6, 4, 100, { kind: 'rise', share: 0.5, difference: 2 }],
    [1, 4, 100, { kind: 'fall', share: 0.75, difference: 3 }],
    // Traffic before, but none of this: a rise without a ratio, never an infinite one.
    [5, 0, 100, { kind: 'rise', share: null, difference: 5 }],
  ] as const)('%d after %d of %d', (current, previous, sample, trend) => {
    expect(compareWithPrevious(current, previous, { current: 100, previous: sample })).toEqual(trend);
  });
});

it('a rate needs its least number of samples', () => {
  expect(readRate(0.5, 4)).toEqual({ kind: 'not_enough', sample: 4 });
  expect(readRate(0.5, SAMPLE_MIN)).toEqual({ kind: 'rate', share: 0.5 });
  expect(readRate(null, 0)).toEqual({ kind: 'none' });
});

it('the parts of calls add up and keep their order', () => {
  const totals = { calls: 10, firstTrySuccess: 5, successAfterRetry: 2, exhausted: 1, unresolved: 1, open: 1 };
  const parts = prepareCalls(totals);
  expect(parts.map((part) => part.id)).toEqual(['first_try', 'after_retry', 'exhausted', 'unresolved', 'open']);
  expect(parts.reduce((sum, part) => sum + part.count, 0)).toBe(totals.calls);
  expect(prepareCalls({ ...totals, calls: 0 })[0]?.share).toBeNull();
});

it('names classes of earliness', () => {
  const bars = prepareHistogram(
    [
      { fromMs: 0, toMs: 50, count: 1 },
      { fromMs: 50, toMs: 1_000, count: 3 },
      { fromMs: 60_000, toMs: null, count: 0 },
    ],
    'en',
  );
  expect(bars.map((bar) => [bar.label, bar.share])).toEqual([
    ['< 50ms', 0.25],
    ['50ms – 1s', 0.75],
    ['≥ 1m', 0],
  ]);
});

describe('sort order in the URL', () => {
  const fallback = { column: 'count', descending: true };

  it('reads, writes and turns', () => {
    expect(parseSort('-code', ['code', 'count'], fallback)).toEqual({ column: 'code', descending: true });
    expect(parseSort('nothing', ['code', 'count'], fallback)).toEqual(fallback);
    expect(formatSort(toggleSort(fallback, 'count'))).toBe('count');
    expect(formatSort(toggleSort(fallback, 'code'))).toBe('-code');
  });

  it('puts unknown values last both ways and keeps equal rows in order', () => {
    const row = fc.record({ id: fc.nat(), value: fc.option(fc.nat(5), { nil: null }) });
    fc.assert(
      fc.property(fc.array(row), fc.boolean(), (rows, descending) => {
        const sorted = sortRows(rows, { column: 'value', descending }, (one) => one.value);
        const nulls = sorted.filter((one) => one.value === null);
        expect(sorted.slice(sorted.length - nulls.length)).toEqual(rows.filter((one) => one.value === null));
        for (let place = 1; place < sorted.length - nulls.length; place += 1) {
          const [before, after] = [sorted[place - 1]!, sorted[place]!];
          const step = (after.value ?? 0) - (before.value ?? 0);
          expect(descending ? step <= 0 : step >= 0).toBe(true);
          if (step === 0) expect(rows.indexOf(before)).toBeLessThanOrEqual(rows.indexOf(after));
        }
      }),
    );
  });
});

describe('findRulesOfCode', () => {
  const ids = (...args: Parameters<typeof findRulesOfCode>) => findRulesOfCode(...args).map(({ row }) => row.id);

  it('shows what really judged the code', () => {
    const applied = [{ ruleSet: 'vibecode@2026-10-22', rule: 'BITRIX_TIMEOUT' }];
    expect(new Set(ids('BITRIX_TIMEOUT', applied, ['http']))).toEqual(new Set(['BITRIX_TIMEOUT']));
  });

  it('else what the table says, by code, by status, or by default', () => {
    expect(ids('QUEUE_OVERFLOW', [], ['vibecode'])).toEqual(['QUEUE_OVERFLOW']);
    expect(ids('HTTP_504', [], ['http'])).toEqual(['HTTP_504']);
    expect(ids('NO_SUCH_CODE', [], ['vibecode'])).toEqual(['DEFAULT']);
  });
});
