import { addDays, startOfDay } from './wall-time';

/** Relative ranges as the URL says them (`?last=24h`). Word and meaning stay the same whenever it is opened. */
export const RANGE_WORDS = ['1h', '6h', '24h', '7d', '30d', 'today', 'yesterday'] as const;
export type RangeWord = (typeof RANGE_WORDS)[number];
export const DEFAULT_RANGE_WORD: RangeWord = '24h';

export type Step = '1m' | '15m' | '1h' | '1d';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
const STEP_MS: Record<Exclude<Step, '1d'>, number> = { '1m': MINUTE, '15m': 15 * MINUTE, '1h': HOUR };

/** Longest absolute range a screen takes; more is a report's work. */
export const RANGE_MS_MAX = 400 * DAY;

export interface TimeRange {
  /** Epoch ms, half-open [from, to). */
  from: number;
  to: number;
  tz: string;
}

export interface ChosenRange extends TimeRange {
  /** null when the range is absolute. */
  word: RangeWord | null;
}

function isRangeWord(text: string): text is RangeWord {
  return (RANGE_WORDS as readonly string[]).includes(text);
}

/**
 * Ends with the running bucket, so that lengths are whole buckets and two periods lie on each other: what has not
 * come yet is drawn as not over.
 */
function endingWithStep(lengthMs: number, stepMs: number, now: number, tz: string): TimeRange {
  const to = Math.floor(now / stepMs) * stepMs + stepMs;
  return { from: to - lengthMs, to, tz };
}

function rangeOfWord(word: RangeWord, now: number, tz: string): TimeRange {
  switch (word) {
    case '1h':
      return endingWithStep(HOUR, MINUTE, now, tz);
    case '6h':
      return endingWithStep(6 * HOUR, STEP_MS['15m'], now, tz);
    case '24h':
      return endingWithStep(DAY, STEP_MS['15m'], now, tz);
    case '7d':
      return endingWithStep(7 * DAY, HOUR, now, tz);
    case '30d':
      return { from: addDays(now, -29, tz), to: addDays(now, 1, tz), tz };
    case 'today':
      return { from: startOfDay(now, tz), to: addDays(now, 1, tz), tz };
    case 'yesterday':
      return { from: addDays(now, -1, tz), to: startOfDay(now, tz), tz };
  }
}

/** What the URL said of time, raw. */
export interface RangeWords {
  last?: string | null;
  from?: string | null;
  to?: string | null;
}

/** Name of a URL part that could not be used. */
export type RangeProblem = 'last' | 'from' | 'to';

function readInstant(text: string): number | null {
  const at = /^\d{11,14}$/.test(text) ? Number(text) : Date.parse(text);
  const looksLikeInstant = /^\d{11,14}$/.test(text) || /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:?\d{2})$/.test(text);
  return looksLikeInstant && Number.isFinite(at) && at >= 0 ? at : null;
}

/**
 * Settles a range from URL words. Never throws: what cannot be used is named in `problems` and the default is taken.
 * `from` and `to` are ISO 8601 with an offset or epoch ms, and win over `last`; a missing `to` means now.
 */
export function chooseRange(
  words: RangeWords,
  now: number,
  tz: string,
): { range: ChosenRange; problems: RangeProblem[] } {
  const problems: RangeProblem[] = [];
  if (words.from || words.to) {
    const end = rangeOfWord('1h', now, tz).to;
    const from = words.from ? readInstant(words.from) : null;
    const to = words.to ? readInstant(words.to) : end;
    if (from === null) problems.push('from');
    if (to === null) problems.push('to');
    else if (from !== null && (to <= from || to - from > RANGE_MS_MAX)) problems.push('to');
    if (from !== null && to !== null && problems.length === 0) return { range: { from, to, tz, word: null }, problems };
  }
  const asked = words.last ?? DEFAULT_RANGE_WORD;
  const word = isRangeWord(asked) ? asked : DEFAULT_RANGE_WORD;
  if (!isRangeWord(asked)) problems.push('last');
  return { range: { ...rangeOfWord(word, now, tz), word }, problems };
}

/** Coarsest step that still shows the shape: at most about 200 points. */
export function chooseStep(range: Pick<TimeRange, 'from' | 'to'>): Step {
  const length = range.to - range.from;
  if (length <= 2 * HOUR) return '1m';
  if (length <= 2 * DAY) return '15m';
  if (length <= 8 * DAY) return '1h';
  return '1d';
}

/** Start of the bucket that holds `at`. Days follow the zone; the others follow UTC. */
export function alignDown(at: number, step: Step, tz: string): number {
  if (step === '1d') return startOfDay(at, tz);
  return Math.floor(at / STEP_MS[step]) * STEP_MS[step];
}

/** Start of the next bucket. */
export function nextBucket(at: number, step: Step, tz: string): number {
  return step === '1d' ? addDays(at, 1, tz) : at + STEP_MS[step];
}

/** Every bucket start of the range, so that a bucket without a row is a zero and not a hole. */
export function listBuckets(range: TimeRange, step: Step): number[] {
  const starts: number[] = [];
  for (let at = alignDown(range.from, step, range.tz); at < range.to; at = nextBucket(at, step, range.tz)) {
    starts.push(at);
  }
  return starts;
}
