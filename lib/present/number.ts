import type { Money } from '../core/attempt';
import { intlTag } from './intl-tag';
import type { Locale } from '../core/locale';

/** What stands where a number is not known. Screen readers are given words beside it. */
export const NO_VALUE = '–';

/** A whole count with group separators. */
export function formatCount(count: number, locale: Locale): string {
  return new Intl.NumberFormat(intlTag(locale), { maximumFractionDigits: 0 }).format(count);
}

/** A count for an axis: 12 400 → 12K. */
export function formatCompact(count: number, locale: Locale): string {
  return new Intl.NumberFormat(intlTag(locale), { notation: 'compact', maximumFractionDigits: 1 }).format(count);
}

/** A number with at most `digits` decimals, or a dash for null. */
export function formatNumber(value: number | null, locale: Locale, digits = 2): string {
  if (value === null || !Number.isFinite(value)) return NO_VALUE;
  return new Intl.NumberFormat(intlTag(locale), { maximumFractionDigits: digits }).format(value);
}

/**
 * A share between 0 and 1 as per cent. Never rounds a real difference away: what is not all is never
 * written 100 %, what is not nothing never 0 %.
 */
export function formatPercent(share: number | null, locale: Locale): string {
  if (share === null || !Number.isFinite(share)) return NO_VALUE;
  const write = (value: number, digits: number): string =>
    new Intl.NumberFormat(intlTag(locale), { style: 'percent', maximumFractionDigits: digits }).format(value);
  if (share > 0 && share < 0.0001) return `< ${write(0.0001, 2)}`;
  if (share < 1 && share > 0.9999) return `> ${write(0.9999, 2)}`;
  const digits = share < 0.01 || (share > 0.99 && share < 1) ? 2 : 1;
  return write(share, digits);
}

/** An amount exactly as stored: decimal text is grouped, never rounded through a binary number. */
export function formatMoney(money: Money, locale: Locale): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(money.value);
  if (!match) return `${money.value} ${money.currency}`;
  const [, sign = '', whole = '0', fraction] = match;
  const grouped = new Intl.NumberFormat(intlTag(locale)).format(BigInt(whole));
  const point = locale === 'ru' ? ',' : '.';
  return `${sign === '-' ? '−' : ''}${grouped}${fraction ? point + fraction : ''} ${money.currency}`;
}
