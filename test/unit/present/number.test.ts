import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCompact, formatCount, formatMoney, formatNumber, formatPercent, NO_VALUE } from '@/lib/present/number';

/** Thin and no-break spaces read as one kind of space here. */
const plain = (text: string): string => text.replace(/[\u00a0\u202f\u2009]/g, ' ');

describe('formatCount', () => {
  it.each([
    [0, 'en', '0'],
    [1234567, 'en', '1,234,567'],
    [1234567, 'ru', '1 234 567'],
  ] as const)('%d in %s', (count, locale, text) => {
    expect(plain(formatCount(count, locale))).toBe(text);
  });
});

describe('formatPercent', () => {
  it.each([
    [null, 'en', NO_VALUE],
    [0, 'en', '0%'],
    [1, 'en', '100%'],
    [0.1234, 'en', '12.3%'],
    [0.1234, 'ru', '12,3 %'],
    [0.0042, 'en', '0.42%'],
    [0.9973, 'en', '99.73%'],
    [0.00001, 'en', '< 0.01%'],
    [0.99999, 'en', '> 99.99%'],
  ] as const)('%s in %s', (share, locale, text) => {
    expect(plain(formatPercent(share, locale))).toBe(text);
  });

  it('never calls a part all or nothing', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 1 - 1e-12, noNaN: true }), (share) => {
        expect(['0%', '100%']).not.toContain(formatPercent(share, 'en'));
      }),
    );
  });
});

describe('formatMoney', () => {
  it.each([
    ['1200.50', 'en', '1,200.50 EUR'],
    ['1200.50', 'ru', '1 200,50 EUR'],
    ['-3', 'en', '−3 EUR'],
    // More digits than a binary number holds.
    ['90071992547409931.01', 'en', '90,071,992,547,409,931.01 EUR'],
    ['n/a', 'en', 'n/a EUR'],
  ] as const)('%s in %s', (value, locale, text) => {
    expect(plain(formatMoney({ value, currency: 'EUR' }, locale))).toBe(text);
  });
});

it('writes short numbers for axes and dashes for unknowns', () => {
  expect(formatCompact(12_400, 'en')).toBe('12.4k');
  expect(plain(formatCompact(12_400, 'ru'))).toBe('12,4 тыс.');
  expect(formatNumber(null, 'en')).toBe(NO_VALUE);
  expect(formatNumber(1.239, 'ru')).toBe('1,24');
});
