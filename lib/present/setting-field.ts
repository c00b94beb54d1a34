import type { Locale } from '../core/locale';
import { isWholeUnit, type SettingBounds } from '../core/setting-bounds';
import { formatDuration } from './duration';
import { formatNumber } from './number';

/** One setting as a field: an amount and a unit that people read, and the number that is stored. */

/** Lengths are typed in the unit that fits; shares as per cent. */
export const DURATION_UNITS = ['ms', 's', 'min', 'h', 'd'] as const;
export type DurationUnit = (typeof DURATION_UNITS)[number];

const UNIT_MS: Readonly<Record<DurationUnit, number>> = {
  ms: 1,
  s: 1_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

export interface FieldText {
  amount: string;
  /** Only lengths have one to choose. */
  unit: DurationUnit;
}

/** The largest unit that writes the length whole: 90 s, not 1.5 min. */
export function unitOf(ms: number): DurationUnit {
  const fits = DURATION_UNITS.filter((unit) => ms % UNIT_MS[unit] === 0 && ms >= UNIT_MS[unit]);
  return fits.at(-1) ?? 'ms';
}

/** A shortest decimal text; the product of a share and 100 must not show its binary tail. */
function plain(value: number): string {
  return String(Number(value.toPrecision(12)));
}

/** How a stored value is typed. */
export function writeField(value: number, { unit }: SettingBounds): FieldText {
  if (unit === 'ms') {
    const fit = unitOf(value);
    return { amount: plain(value / UNIT_MS[fit]), unit: fit };
  }
  return { amount: plain(unit === 'share' ? value * 100 : value), unit: 'ms' };
}

export type FieldReading =
  { ok: true; value: number } | { ok: false; fault: 'not_a_number' | 'not_whole' | 'out_of_bounds' };

/** What a typed text means; a comma counts as the decimal sign. Blanks may group digits. */
export function readField({ amount, unit }: FieldText, bounds: SettingBounds): FieldReading {
  const text = amount.replace(/[\s\u00a0\u202f]/g, '').replace(',', '.');
  if (!/^\d+(?:\.\d+)?$/.test(text)) return { ok: false, fault: 'not_a_number' };
  const factor = bounds.unit === 'ms' ? UNIT_MS[unit] : bounds.unit === 'share' ? 0.01 : 1;
  const value = Number((Number(text) * factor).toPrecision(12));
  if (isWholeUnit(bounds) && !Number.isInteger(value)) return { ok: false, fault: 'not_whole' };
  if (value < bounds.min || value > bounds.max) return { ok: false, fault: 'out_of_bounds' };
  return { ok: true, value };
}

/** A value with its unit, for reading: 10min, 5%, ×2, 30. Switches have words of their own. */
export function formatSetting(value: number, { unit }: SettingBounds, locale: Locale): string {
  switch (unit) {
    case 'ms':
      return formatDuration(value, locale);
    case 'share':
      return `${formatNumber(value * 100, locale)} %`;
    case 'factor':
      return `× ${formatNumber(value, locale)}`;
    case 'count':
    case 'switch':
      return formatNumber(value, locale);
  }
}
