import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatAge, formatDuration } from '@/lib/present/duration';
import { NO_VALUE } from '@/lib/present/number';

const plain = (text: string): string => text.replace(/[\u00a0\u202f\u2009]/g, ' ');

describe('formatDuration', () => {
  it.each([
    [null, 'en', NO_VALUE],
    [0, 'en', '0ms'],
    [850, 'en', '850ms'],
    [850, 'ru', '850 мс'],
    [1_250, 'en', '1.25s'],
    [1_250, 'ru', '1,25 с'],
    [59_990, 'en', '59.9s'],
    [60_000, 'en', '1m'],
    [200_000, 'en', '3m 20s'],
    [200_000, 'ru', '3 мин 20 с'],
    [3_600_000 + 5 * 60_000, 'en', '1h 5m'],
    [2 * 86_400_000 + 4 * 3_600_000, 'en', '2d 4h'],
    [86_400_000, 'ru', '1 день'],
    [2 * 86_400_000, 'ru', '2 дня'],
    [5 * 86_400_000, 'ru', '5 дней'],
    [-850, 'en', '−850ms'],
  ] as const)('%s ms in %s', (ms, locale, text) => {
    expect(plain(formatDuration(ms, locale))).toBe(text);
  });

  it('never rounds up: 59.999 s is not a minute', () => {
    expect(formatDuration(59_999, 'en')).not.toContain('m');
    expect(formatDuration(3_599_999, 'en')).not.toContain('h');
  });

  it('writes every length', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e13, max: 1e13, noNaN: true }), fc.constantFrom('en', 'ru'), (ms, locale) => {
        expect(formatDuration(ms, locale).length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('formatAge', () => {
  it.each([
    [0, 'en', '0s'],
    [-5_000, 'en', '0s'],
    [59_999, 'en', '59s'],
    [47 * 3_600_000, 'en', '47h'],
    [49 * 3_600_000, 'en', '2d'],
    [21 * 86_400_000, 'ru', '21 день'],
  ] as const)('%d ms in %s', (ms, locale, text) => {
    expect(plain(formatAge(ms, locale))).toBe(text);
  });
});
