/** Wall-clock arithmetic in an IANA zone, with nothing but Intl. All instants are epoch ms. */

const MINUTE = 60_000;
const DAY = 86_400_000;

/** Fields of a wall clock; `month` is 1-based. */
export interface WallTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(tz: string): Intl.DateTimeFormat {
  const known = formatters.get(tz);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: tz,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(tz, made);
  return made;
}

/** What clocks on the wall show in `tz` at that instant. */
export function wallTimeOf(at: number, tz: string): WallTime {
  const wall: WallTime = { year: 0, month: 1, day: 1, hour: 0, minute: 0, second: 0 };
  for (const part of formatterOf(tz).formatToParts(at)) {
    if (part.type in wall) wall[part.type as keyof WallTime] = Number(part.value);
  }
  return wall;
}

function utcOf(wall: WallTime): number {
  return Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second);
}

/** Zone offset in ms east of UTC at that instant. */
export function zoneOffsetMs(at: number, tz: string): number {
  const whole = Math.floor(at / 1_000) * 1_000;
  return utcOf(wallTimeOf(whole, tz)) - whole;
}

/**
 * The instant at which clocks in `tz` show `wall`. A time that happens twice (clocks go back) is the first of
 * the two; one that never happens (clocks go forward) is the first instant after the gap's start by the same amount.
 */
export function instantOf(wall: WallTime, tz: string): number {
  const naive = utcOf(wall);
  const before = naive - zoneOffsetMs(naive - DAY, tz);
  if (utcOf(wallTimeOf(before, tz)) === naive) return before;
  const after = naive - zoneOffsetMs(naive + DAY, tz);
  if (utcOf(wallTimeOf(after, tz)) === naive) return after;
  return before;
}

/** First instant of the local day that holds `at`. Some zones have days that do not start at midnight. */
export function startOfDay(at: number, tz: string): number {
  const { year, month, day } = wallTimeOf(at, tz);
  return instantOf({ year, month, day, hour: 0, minute: 0, second: 0 }, tz);
}

/** Start of the local day `days` after the one that holds `at`: 23, 24 or 25 hours a step. */
export function addDays(at: number, days: number, tz: string): number {
  const { year, month, day } = wallTimeOf(at, tz);
  return instantOf({ year, month, day: day + days, hour: 0, minute: 0, second: 0 }, tz);
}

/** `2026-11-30T09:05` as a datetime-local field writes it, in `tz`. */
export function toFieldText(at: number, tz: string): string {
  const wall = wallTimeOf(at, tz);
  const two = (value: number): string => String(value).padStart(2, '0');
  const date = `${String(wall.year).padStart(4, '0')}-${two(wall.month)}-${two(wall.day)}`;
  return `${date}T${two(wall.hour)}:${two(wall.minute)}`;
}

/** Reads a datetime-local field's text as wall time in `tz`; null when it is no such text. */
export function fromFieldText(text: string, tz: string): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2}))?$/.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1).map((part) => Number(part || 0));
  const wall = { year: year!, month: month!, day: day!, hour: hour!, minute: minute!, second: second ?? 0 };
  const checked = new Date(utcOf(wall));
  const same = checked.getUTCMonth() + 1 === wall.month && checked.getUTCDate() === wall.day;
  return same && wall.hour < 24 && wall.minute < 60 ? instantOf(wall, tz) : null;
}

/** `UTC+03:00` of that instant, for naming the zone beside a range. */
export function formatOffset(at: number, tz: string): string {
  const offset = Math.round(zoneOffsetMs(at, tz) / MINUTE);
  if (offset === 0) return 'UTC';
  const size = Math.abs(offset);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `UTC${offset < 0 ? '−' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
