import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '@/lib/core/operation';
import { SETTING_BOUNDS } from '@/lib/core/setting-bounds';
import { SETTING_KEYS } from '@/lib/core/settings-change';
import { formatSetting, readField, unitOf, writeField } from '@/lib/present/setting-field';
import { listSettingsOf, SETTING_GROUPS } from '@/lib/present/setting-groups';

const ms = { unit: 'ms', min: 0, max: 86_400_000 } as const;
const share = { unit: 'share', min: 0, max: 1 } as const;

describe('a setting as a field', () => {
  it.each([
    [0, 'ms'],
    [50, 'ms'],
    [1_000, 's'],
    [90_000, 's'],
    [600_000, 'min'],
    [86_400_000, 'd'],
    [5_400_000, 'min'],
  ] as const)('%i ms is typed in %s', (value, unit) => expect(unitOf(value)).toBe(unit));

  it('reads what people type: comma, blanks, another unit', () => {
    expect(readField({ amount: '1,5', unit: 's' }, ms)).toEqual({ ok: true, value: 1_500 });
    expect(readField({ amount: ' 1 000 ', unit: 'ms' }, ms)).toEqual({ ok: true, value: 1_000 });
    expect(readField({ amount: '5', unit: 'ms' }, share)).toEqual({ ok: true, value: 0.05 });
  });

  it.each([
    ['', 'not_a_number'],
    ['ten', 'not_a_number'],
    ['-1', 'not_a_number'],
    ['1e3', 'not_a_number'],
    ['0.5', 'not_whole'],
    ['86400001', 'out_of_bounds'],
  ] as const)('refuses %j: %s', (amount, fault) =>
    expect(readField({ amount, unit: 'ms' }, ms)).toEqual({ ok: false, fault }),
  );

  it('gives every default back as it was, and every value inside the bounds', () => {
    for (const key of SETTING_KEYS) {
      const bounds = SETTING_BOUNDS[key];
      expect([key, readField(writeField(DEFAULT_SETTINGS[key], bounds), bounds)]).toEqual([
        key,
        { ok: true, value: DEFAULT_SETTINGS[key] },
      ]);
    }
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 86_400_000 }), (value) => {
        expect(readField(writeField(value, ms), ms)).toEqual({ ok: true, value });
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), (tenThousandths) => {
        const value = tenThousandths / 10_000;
        expect(readField(writeField(value, share), share)).toEqual({ ok: true, value });
      }),
    );
  });

  it('writes the unit beside the number', () => {
    expect(formatSetting(600_000, ms, 'en')).toBe('10m');
    expect(formatSetting(0.05, share, 'ru')).toBe('5 %');
    expect(formatSetting(2, { unit: 'factor', min: 1, max: 9 }, 'en')).toBe('× 2');
  });
});

it('every setting stands in exactly one group', () => {
  const shown = SETTING_GROUPS.flatMap(listSettingsOf);
  expect([...shown].sort()).toEqual([...SETTING_KEYS].sort());
  for (const group of SETTING_GROUPS) expect(listSettingsOf(group)).not.toEqual([]);
});
