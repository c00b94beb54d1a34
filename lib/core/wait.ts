import type { Attempt } from './attempt';
import { DELAY_MS_MAX, parseRetryAfter, type RetryAfterReading } from './retry-after';
import type { Wait } from './verdict';

/**
 * The whole wait an answer asks for: ms headers before `Retry-After`, then the body's number
 * (domain.md §7 RA(a), standards.md §2.2). `x-ratelimit-reset` is a hint and never a wait.
 */

/** In milliseconds, in order of trust. Each is a wait form under its own name. */
const MS_HEADERS = ['retry-after-ms', 'x-ms-retry-after-ms', 'x-amz-retry-after'] as const;

/** Header and body further apart than this contradict each other. */
const MISMATCH_MS = 1000;

const NUMBER = /^\d{1,15}(?:\.\d{1,15})?$/;

/** Reference time of an attempt on its client's clock, epoch ms: when the head arrived, else the end, else the start. */
export function referenceTime(attempt: Pick<Attempt, 'startedAt' | 'headersAt' | 'endedAt'>): number {
  return attempt.headersAt ?? attempt.endedAt ?? attempt.startedAt;
}

function readMsHeader(headers: Readonly<Record<string, string>>): { form: string; delayMs: number } | null {
  for (const form of MS_HEADERS) {
    const text = headers[form]?.trim();
    if (text !== undefined && NUMBER.test(text))
      return { form, delayMs: Math.min(Math.ceil(Number(text)), DELAY_MS_MAX) };
  }
  return null;
}

function readBody(seconds: number): number | null {
  if (!Number.isFinite(seconds) || seconds < 0) return null;
  // Twelve significant digits: 1.1 s is 1100 ms, not 1101 by float error.
  return Math.min(Math.ceil(Number((seconds * 1000).toPrecision(12))), DELAY_MS_MAX);
}

/** First ms header that holds a number, else `Retry-After`; null when neither is usable. Written out: this is hot. */
function readHeaders(attempt: Attempt, reading: RetryAfterReading): Wait | null {
  const ms = attempt.headers === undefined ? null : readMsHeader(attempt.headers);
  if (ms !== null) {
    return {
      source: 'other_header',
      form: ms.form,
      delayMs: ms.delayMs,
      strict: false,
      conformant: false,
      issues: ['nonstandard_header'],
      skewMs: reading.skewMs,
    };
  }
  if (reading.delayMs === null) return null;
  return {
    source: 'retry_after',
    form: reading.form,
    delayMs: reading.delayMs,
    strict: false,
    conformant: reading.conformant,
    issues: reading.issues,
    skewMs: reading.skewMs,
  };
}

const NO_LINES: readonly string[] = [];

/** What the answer asked for; `source` is `none` when nothing usable came. The rule fills in `strict` and backoff. */
export function readWait(attempt: Attempt): Wait {
  const reading = parseRetryAfter(attempt.retryAfter ?? NO_LINES, {
    receivedAt: referenceTime(attempt),
    dateHeader: attempt.dateHeader,
    ageHeader: attempt.headers?.['age'],
  });
  const header = readHeaders(attempt, reading);
  const bodyMs = attempt.retryAfterBody === undefined ? null : readBody(attempt.retryAfterBody);
  if (header !== null && bodyMs === null) return header;
  const { conformant, issues, skewMs } = header ?? reading;
  if (bodyMs === null) {
    return { source: 'none', form: null, delayMs: null, strict: false, conformant, issues, skewMs };
  }
  const body: Wait = { source: 'body', form: 'body', delayMs: bodyMs, strict: false, conformant, issues, skewMs };
  if (header === null) return body;
  const headerMs = header.delayMs ?? 0;
  if (Math.abs(headerMs - bodyMs) <= MISMATCH_MS) return header;
  return { ...(bodyMs > headerMs ? body : header), issues: [...issues, 'mismatch'] };
}

/** @returns true when the answer asked for a time that can be kept. */
export function isAsked(wait: Wait): boolean {
  return (
    wait.delayMs !== null && (wait.source === 'retry_after' || wait.source === 'other_header' || wait.source === 'body')
  );
}

export interface ResetHint {
  source: 'x-ratelimit-reset';
  form: 'epoch-ms' | 'epoch-seconds' | 'delta-seconds';
  delayMs: number;
}

/**
 * `x-ratelimit-reset` by magnitude: 13 digits epoch ms, 10 digits epoch seconds, else seconds from now.
 * A hint for advice and excess wait; never compliance.
 */
export function readResetHint(attempt: Attempt): ResetHint | null {
  const text = attempt.headers?.['x-ratelimit-reset']?.trim();
  if (text === undefined || !NUMBER.test(text)) return null;
  const whole = text.split('.', 1)[0] ?? '';
  const value = Number(text);
  const now = referenceTime(attempt);
  const until = (at: number) => Math.min(Math.max(0, Math.ceil(at - now)), DELAY_MS_MAX);
  if (whole.length === 13) return { source: 'x-ratelimit-reset', form: 'epoch-ms', delayMs: until(value) };
  if (whole.length === 10) return { source: 'x-ratelimit-reset', form: 'epoch-seconds', delayMs: until(value * 1000) };
  const delayMs = Math.min(Math.ceil(value * 1000), DELAY_MS_MAX);
  return { source: 'x-ratelimit-reset', form: 'delta-seconds', delayMs };
}
