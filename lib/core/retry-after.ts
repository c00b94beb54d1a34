import { HTTP_DATE_FORMS, instantOf, parseHttpDate } from './http-date';

/**
 * Reader of `Retry-After` (RFC 9110 §10.2.3): the grammar first, then a short ladder of what real servers send
 * instead (domain.md §7 RA(a), standards.md §2.2). Never a general date parser, never a guess:
 * what is left over is a named failure. Linear in the length of the text.
 */

export const RETRY_AFTER_FORMS = [
  'delay-seconds',
  ...HTTP_DATE_FORMS,
  'fractional-seconds',
  'epoch-seconds',
  'epoch-ms',
  'iso-8601',
] as const;
type RetryAfterForm = (typeof RETRY_AFTER_FORMS)[number];

export interface RetryAfterReading {
  /** null when nothing usable came. */
  form: RetryAfterForm | null;
  delayMs: number | null;
  conformant: boolean;
  issues: string[];
  /** Client clock minus the answer's Date, ms; null without a usable Date. */
  skewMs: number | null;
}

export interface RetryAfterContext {
  /** Epoch ms on the client's clock at which the head arrived. */
  receivedAt: number;
  dateHeader?: string;
  /** Present on a cached answer: its Date is then the origin's, not now. */
  ageHeader?: string;
}

/** 2³¹ s; longer values are clamped to it. */
export const DELAY_MS_MAX = 2 ** 31 * 1000;
const IMPLAUSIBLE_MS = 86_400_000;
const YEAR_MS = 365 * 86_400_000;

/** Forms that name an instant and therefore need a clock to become a wait. */
const ABSOLUTE_FORMS: ReadonlySet<string | null> = new Set([
  ...HTTP_DATE_FORMS,
  'epoch-seconds',
  'epoch-ms',
  'iso-8601',
]);

/** @returns true for forms whose wait was computed from a clock (dates, epochs), not counted in seconds. */
export function isAbsoluteForm(form: string | null): boolean {
  return ABSOLUTE_FORMS.has(form);
}

interface Value {
  form: RetryAfterForm | null;
  delayMs: number | null;
  conformant: boolean;
  issues: string[];
}

const UNITS: ReadonlySet<string> = new Set(
  'ms msec msecs millis millisecond milliseconds s sec secs second seconds m min mins minute minutes h hr hrs hour hours d day days'.split(
    ' ',
  ),
);
const UNIT = /^\d{1,20}(?:\.\d{1,20})? ?([A-Za-z]{1,12})$/;
const ISO = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,9}))?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)$/;
const WEEKDAY = /^(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat)[a-z]{0,6}$/;

/** Optional white space of RFC 9110 is space and tab only. */
function isOws(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

function trimOws(text: string): string {
  let start = 0;
  let end = text.length;
  while (isOws(text[start])) start++;
  while (isOws(text[end - 1])) end--;
  return text.slice(start, end);
}

/** @returns how many ASCII digits follow from `from`. */
function digitsAt(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57) at++;
  return at - from;
}

function unusable(issue: string): Value {
  return { form: null, delayMs: null, conformant: false, issues: [issue] };
}

/** Bounds a wait and names what is odd about its length. */
function usable(form: RetryAfterForm, delayMs: number, conformant: boolean, issues: string[]): Value {
  if (delayMs > DELAY_MS_MAX) {
    return { form, delayMs: DELAY_MS_MAX, conformant, issues: [...issues, 'overflow_clamped'] };
  }
  if (delayMs > IMPLAUSIBLE_MS) return { form, delayMs, conformant, issues: [...issues, 'implausibly_long'] };
  return { form, delayMs, conformant, issues };
}

function untilInstant(form: RetryAfterForm, at: number, base: number, conformant: boolean, issues: string[]): Value {
  const delayMs = Math.ceil(at - base);
  if (delayMs < 0) return usable(form, 0, conformant, [...issues, 'date_in_past']);
  return usable(form, delayMs, conformant, issues);
}

function readDigits(text: string, base: number): Value {
  const count = Number(text);
  if (text.length === 10 && Math.abs(count * 1000 - base) <= YEAR_MS) {
    return untilInstant('epoch-seconds', count * 1000, base, false, ['epoch_suspected']);
  }
  if (text.length === 13 && Math.abs(count - base) <= YEAR_MS) {
    return untilInstant('epoch-ms', count, base, false, ['epoch_suspected']);
  }
  return usable('delay-seconds', count * 1000, true, []);
}

/** Whole and fraction digits apart, so that 1.1 s is 1100 ms and not 1101. Rounded up. */
function readFraction(whole: string, fraction: string): Value {
  const head = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const roundUp = /[1-9]/.test(fraction.slice(3)) ? 1 : 0;
  return usable('fractional-seconds', Number(whole) * 1000 + head + roundUp, false, ['fractional']);
}

function readIso(text: string, base: number): Value | null {
  const found = ISO.exec(text);
  if (!found) return null;
  const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = found;
  const at = instantOf({
    year: Number(year),
    month: Number(month) - 1,
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
  });
  if (at === null) return null;
  // `Z` leaves no digits, which count as 0; so does a missing fraction.
  const digits = zone.slice(1).replace(':', '');
  const offsetMs = (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))) * 60_000;
  const sign = zone.startsWith('-') ? 1 : -1;
  const fractionMs = Number(`0.${fraction}`) * 1000;
  return untilInstant('iso-8601', at + fractionMs + sign * offsetMs, base, false, ['iso_8601']);
}

/** One value, already trimmed. @param base epoch ms that instants are counted from */
function readValue(text: string, base: number): Value {
  const whole = digitsAt(text, 0);
  if (whole > 0 && whole === text.length) return readDigits(text, base);
  if (whole > 0 && text[whole] === '.') {
    const fraction = digitsAt(text, whole + 1);
    if (fraction > 0 && whole + 1 + fraction === text.length) {
      return readFraction(text.slice(0, whole), text.slice(whole + 1));
    }
  }
  if (text[0] === '-') {
    const after = digitsAt(text, 1);
    const end = 1 + after;
    const tail = text[end] === '.' ? 1 + digitsAt(text, end + 1) : 0;
    if (after > 0 && end + tail === text.length) return unusable('negative');
  }
  const date = parseHttpDate(text, base);
  if (date) return untilInstant(date.form, date.at, base, date.conformant, date.issues);
  const iso = readIso(text, base);
  if (iso) return iso;
  const unit = UNIT.exec(text)?.[1];
  if (unit !== undefined && UNITS.has(unit.toLowerCase())) return unusable('unit_suffix');
  return unusable('unparseable');
}

/** Cuts at commas, but not at the one inside a date. */
function splitList(text: string): string[] {
  const parts = text.split(',').map(trimOws);
  const values: string[] = [];
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? '';
    const next = parts[at + 1];
    if (next !== undefined && WEEKDAY.test(part)) {
      values.push(`${part}, ${next}`);
      at++;
    } else if (part !== '') values.push(part);
  }
  return values;
}

/** Not a list field: stacked values collapse to the largest usable one, flagged (standards.md §2.2). */
function readList(texts: readonly string[], base: number): Value {
  let largest: Value | null = null;
  let largestMs = -1;
  let failed: Value | null = null;
  for (const text of texts) {
    const value = readValue(text, base);
    if (value.delayMs === null) failed ??= value;
    else if (value.delayMs > largestMs) [largest, largestMs] = [value, value.delayMs];
  }
  const chosen = largest ?? failed ?? unusable('unparseable');
  const issues = ['multiple_values', ...chosen.issues];
  if (largest && failed) issues.push(...failed.issues);
  return { ...chosen, conformant: false, issues: [...new Set(issues)] };
}

function readLines(lines: readonly string[], base: number): Value {
  const [only = '', ...more] = lines;
  if (more.length > 0) return readList(lines.flatMap(splitList), base);
  const value = readValue(trimOws(only), base);
  if (value.delayMs !== null) return value;
  // A comma alone doesn't make a list: without a usable element it is one unreadable text.
  const list = readList(splitList(only), base);
  return list.delayMs === null ? value : list;
}

/** Client clock minus the answer's Date, ms. A cached answer's Date measures its age, not the clocks. */
function clockSkew(context: RetryAfterContext): number | null {
  if (context.dateHeader === undefined || context.ageHeader !== undefined) return null;
  const date = parseHttpDate(trimOws(context.dateHeader), context.receivedAt);
  return date ? context.receivedAt - date.at : null;
}

/**
 * @param lines the field lines as they came, in order
 * @returns the wait in ms (never negative, at most 2³¹ s) or a named failure; no lines: nothing was asked
 */
export function parseRetryAfter(lines: readonly string[], context: RetryAfterContext): RetryAfterReading {
  const skewMs = clockSkew(context);
  if (lines.length === 0) return { form: null, delayMs: null, conformant: true, issues: [], skewMs };
  const base = context.receivedAt - (skewMs ?? 0);
  const { form, delayMs, conformant, issues } = readLines(lines, base);
  return { form, delayMs, conformant, issues, skewMs };
}
