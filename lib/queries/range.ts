import type { Range, Step } from './views';

/** Lengths of rollup buckets, minutes, longest first. */
const GRAINS = [60, 15, 1] as const;
type Grain = (typeof GRAINS)[number];

/** Buckets of one answer at most; a finer step over a longer range is refused. */
const BUCKETS_MAX = 5_000;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const STEP_MS: Readonly<Record<Exclude<Step, '1d'>, number>> = {
  '1m': MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': 60 * MINUTE_MS,
};

/** Part of a range that is read from rollup rows of one grain. Half-open, epoch ms. */
export interface Span {
  grain: Grain;
  from: number;
  to: number;
}

/** What was asked can't be answered: mapped to 400 by the API, shown as a plain sentence by pages. */
export class QueryInputError extends Error {
  override name = 'QueryInputError';
  constructor(
    readonly field: 'cursor' | 'range' | 'step' | 'tz' | 'q',
    message: string,
  ) {
    super(message);
  }
}

/** Widens a range to whole minutes, the finest rollup, so that a number and its list share one scope. */
export function alignRange(range: Range): Range {
  return {
    ...range,
    from: Math.floor(range.from / MINUTE_MS) * MINUTE_MS,
    to: Math.ceil(range.to / MINUTE_MS) * MINUTE_MS,
  };
}

/**
 * The period before, of the same length; while the range isn't over, cut to the part that has elapsed, so that the
 * two are compared fairly. A range of whole local days goes back by whole local days, however long their hours make them.
 */
export function previousRange(range: Range, now: number): Range {
  const lengthMs = range.to - range.from;
  const elapsedMs = Math.max(0, Math.min(lengthMs, now - range.from));
  const from = startOfPrevious(range);
  return alignRange({ ...range, from, to: Math.min(from + elapsedMs, range.from) });
}

function startOfPrevious(range: Range): number {
  const lengthMs = range.to - range.from;
  const days = Math.round(lengthMs / DAY_MS);
  if (days < 1 || Math.abs(lengthMs - days * DAY_MS) > DAY_MS / 8) return range.from - lengthMs;
  const format = zoneFormat(range.tz);
  const whole = dayStart(format, range.from, 0) === range.from && dayStart(format, range.from, days) === range.to;
  return whole ? dayStart(format, range.from, -days) : range.from - lengthMs;
}

/** Offset of a zone from UTC at an instant, ms. */
function zoneOffsetMs(format: Intl.DateTimeFormat, at: number): number {
  const parts = Object.fromEntries(format.formatToParts(at).map((part) => [part.type, Number(part.value)]));
  const { year, month, day, hour, minute, second } = parts;
  const local = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
  return local - Math.floor(at / 1000) * 1000;
}

function zoneFormat(tz: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: tz,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    throw new QueryInputError('tz', `Unknown time zone: ${tz.slice(0, 60)}`);
  }
}

/** First instant of the local day that holds `at`, moved by whole days. Where midnight is skipped, the first minute after it. */
function dayStart(format: Intl.DateTimeFormat, at: number, days: number): number {
  const local = new Date(at + zoneOffsetMs(format, at));
  const midnight = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate() + days);
  const before = midnight - zoneOffsetMs(format, midnight - 86_400_000);
  const after = midnight - zoneOffsetMs(format, midnight + 86_400_000);
  // Around a change of offset the two guesses differ; the earliest that really is on that day wins.
  const onDay = (instant: number): boolean => instant + zoneOffsetMs(format, instant) >= midnight;
  return [Math.min(before, after), Math.max(before, after)].find(onDay) ?? Math.max(before, after);
}

/**
 * Starts of the buckets that cover a range, and the end of the last.
 * Steps under a day follow UTC; days follow the zone, 23 or 25 hours long where its clock changes.
 * @throws QueryInputError for an unknown zone, an empty range or too many buckets.
 */
export function listBuckets(range: Range, step: Step): { starts: number[]; end: number } {
  if (!(range.from < range.to)) throw new QueryInputError('range', 'The range is empty.');
  const starts: number[] = [];
  let next: number;
  if (step === '1d') {
    const format = zoneFormat(range.tz);
    next = dayStart(format, range.from, 0);
    while (next < range.to && starts.length <= BUCKETS_MAX) {
      starts.push(next);
      next = dayStart(format, next, 1);
    }
  } else {
    const stepMs = STEP_MS[step];
    next = Math.floor(range.from / stepMs) * stepMs;
    while (next < range.to && starts.length <= BUCKETS_MAX) {
      starts.push(next);
      next += stepMs;
    }
  }
  if (starts.length > BUCKETS_MAX) throw new QueryInputError('step', 'The step is too fine for this range.');
  return { starts, end: next };
}

/** The coarsest grain of which every bucket start is a multiple. */
function coarsestGrain(starts: readonly number[]): Grain {
  return GRAINS.find((grain) => starts.every((at) => at % (grain * MINUTE_MS) === 0)) ?? 1;
}

/**
 * Splits a range aligned to minutes: whole hours in the middle, quarters and minutes at its edges,
 * no bucket of `starts` crossed. At most five parts, so a read costs its points and not its events.
 */
export function decomposeRange(range: Pick<Range, 'from' | 'to'>, starts: readonly number[] = []): Span[] {
  const spans: Span[] = [];
  const coarsest = coarsestGrain(starts);
  const grains = GRAINS.filter((grain) => grain <= coarsest);
  const split = (from: number, to: number, at: number): void => {
    const grain = grains[at];
    if (grain === undefined || from >= to) return;
    const lengthMs = grain * MINUTE_MS;
    const first = Math.ceil(from / lengthMs) * lengthMs;
    const last = Math.floor(to / lengthMs) * lengthMs;
    if (first >= last) return split(from, to, at + 1);
    split(from, first, at + 1);
    spans.push({ grain, from: first, to: last });
    split(last, to, at + 1);
  };
  split(range.from, range.to, 0);
  return spans;
}
