const ISO =
  /^(\d{4}|[+-]\d{6})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d{2}:?\d{2})$/;

const MS_MAX = 8_640_000_000_000_000;

function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(2000 + (((year % 400) + 400) % 400), month, 0)).getUTCDate();
}

function offsetMinutes(text: string): number | null {
  if (text === 'Z' || text === 'z') return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(-2));
  if (hours > 23 || minutes > 59) return null;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/** `2026-11-30T12:00:00.123Z`, the form that every JSON writer of dates makes; 29 February is left to the long way. */
const USUAL =
  /^20\d\d-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/**
 * Reads an instant of the wire: ISO 8601 with an offset, or epoch milliseconds as a number.
 * Stricter than `Date`, which takes 30 February and 24:00, and than PostgreSQL, which takes words.
 * @returns whole epoch ms, or null when it is no instant. Range is the caller's question.
 */
export function parseInstant(value: string | number): number | null {
  if (typeof value === 'number') return Math.abs(value) <= MS_MAX ? Math.trunc(value) : null;
  if (USUAL.test(value)) return Date.parse(value);
  const match = ISO.exec(value);
  if (!match) return null;
  const [, yearText = '', monthText, dayText, hourText, minuteText, secondText, fraction, offsetText = 'Z'] = match;
  const year = Number(yearText);
  const month = Number(monthText);
  const day = Number(dayText);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  const [hour, minute, second] = [Number(hourText), Number(minuteText), Number(secondText ?? 0)];
  const offset = offsetMinutes(offsetText);
  if (hour > 23 || minute > 59 || second > 59 || offset === null) return null;
  const ms = fraction ? Number(fraction.slice(0, 3).padEnd(3, '0')) : 0;
  const date = new Date(0);
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute - offset, second, ms);
  const at = date.getTime();
  return Number.isNaN(at) ? null : at;
}
