import { describe, expect, it } from 'vitest';
import { T0 } from './support/event';
import { evaluate, send, told } from './support/wire';

/** Compliance at the exact instants and tolerances, written down from the documents before the code was read. */

type Wire = Record<string, unknown>;

const MINUTE = 60_000;
const MONTH = 30 * 24 * 60 * MINUTE;
const OK = { status: 200 };
const R = { kind: 'read', method: 'GET' };

describe('asked waits', () => {
  const asked = (fields: Wire) => send(1, 0, { ...R, status: 429, ...fields });
  const next = (gap: number) => send(2, 100 + gap, { ...R, ...OK });
  const second = { retryAfter: '1' };
  const strict = { retryAfter: '1', code: 'TIMEOUT_QUARANTINE' };
  const date = 'Mon, 02 Mar 2026 10:00:30 GMT';
  const dated = { retryAfter: date, dateHeader: 'Mon, 02 Mar 2026 10:00:00 GMT' };
  const minute = { retryAfter: '60', policy: { retryAfterCapMs: 30_000 } };
  it.each<[string, string, Wire, number, string, number, number]>([
    ['50 ms early', 'http', second, 950, 'honoured', 50, 0],
    ['51 ms early', 'http', second, 949, 'early', 51, 0],
    ['half a second over', 'http', second, 1500, 'honoured', 0, 500],
    ['strict, 5 ms early', 'vibecode', strict, 995, 'honoured', 5, 0],
    ['strict, 6 ms early', 'vibecode', strict, 994, 'early', 6, 0],
    ['a date, 1000 ms early', 'http', dated, 29_000, 'honoured', 1000, 0],
    ['a date, 1001 ms early', 'http', dated, 28_999, 'early', 1001, 0],
    ['ms header, 51 ms early', 'http', { headers: { 'retry-after-ms': '250' } }, 199, 'early', 51, 0],
    ['body, 51 ms early', 'vibecode', { code: 'RATE_LIMITED', retryAfterBody: 2 }, 1949, 'early', 51, 0],
    ['a date alone, surely early', 'http', { retryAfter: date, endedAt: T0 + 100 }, 26_899, 'early', 3001, 0],
    ['a date alone, perhaps early', 'http', { retryAfter: date }, 26_900, 'not_judged', 3000, 0],
    ['a date alone, perhaps kept', 'http', { retryAfter: date }, 30_899, 'not_judged', 0, 999],
    ['a date alone, surely kept', 'http', { retryAfter: date }, 30_900, 'honoured', 0, 1000],
    ['slept up to its cap', 'http', minute, 30_000, 'early_capped', 30_000, 0],
    ['not even that', 'http', minute, 10_000, 'early', 50_000, 0],
    ['a strict code knows no cap', 'vibecode', { ...minute, code: 'TIMEOUT_QUARANTINE' }, 30_000, 'early', 30_000, 0],
    ['a hedge skips all of it', 'http', { ...second, endedAt: T0 + 5000 }, 2900, 'early', 1000, 0],
    [
      'counted from the head',
      'http',
      { ...second, headersAt: T0 + 100, endedAt: T0 + 5000 },
      4901,
      'honoured',
      0,
      3901,
    ],
    ['zero', 'http', { retryAfter: '0' }, 1, 'honoured', 0, 1],
    ['useless', 'http', { retryAfter: 'soon' }, 500, 'unusable_header', 0, 0],
    ['a reset time only', 'http', { headers: { 'x-ratelimit-reset': '30' } }, 500, 'not_asked', 0, 0],
  ])('%s', (_name, profile, fields, gap, compliance, earlyMs, overMs) => {
    const { pairs } = evaluate(profile, [asked(fields), next(gap)], T0 + MONTH);
    expect(pairs[0]).toEqual({ attempt: 1, compliance, earlyMs, overMs });
    expect(pairs[1]).toMatchObject({ attempt: 2, compliance: 'not_asked' });
  });

  const wait = { retryAfter: '60' };
  it.each<[string, string, Wire, number, string, string]>([
    ['not due', 'http', wait, 60_099, 'in_progress', 'pending'],
    ['a ms before it is over', 'http', wait, 60_099 + 15 * MINUTE, 'in_progress', 'pending'],
    ['over', 'http', wait, 60_100 + 15 * MINUTE, 'failed', 'no_retry_observed'],
    [
      'over, longer than its cap',
      'http',
      { ...wait, policy: { retryAfterCapMs: 59_999 } },
      MONTH,
      'failed',
      'gave_up_wait_too_long',
    ],
    [
      'over, as long as its cap',
      'http',
      { ...wait, policy: { retryAfterCapMs: 60_000 } },
      MONTH,
      'failed',
      'no_retry_observed',
    ],
    [
      'over, longer than was left',
      'http',
      { ...wait, policy: { deadlineMs: 60_099 } },
      MONTH,
      'failed',
      'gave_up_wait_too_long',
    ],
    [
      'over, as long as was left',
      'http',
      { ...wait, policy: { deadlineMs: 60_100 } },
      MONTH,
      'failed',
      'no_retry_observed',
    ],
    [
      'over, longer than the guide’s deadline',
      'quillhub',
      { retryAfter: '130' },
      MONTH,
      'failed',
      'gave_up_wait_too_long',
    ],
  ])('nothing followed: %s', (_name, profile, fields, asOfMs, state, compliance) => {
    const operation = evaluate(profile, [asked(fields)], T0 + asOfMs);
    expect(operation.state).toBe(state);
    expect(operation.pairs).toEqual([{ attempt: 1, compliance, earlyMs: 0, overMs: 0 }]);
  });
  it('nothing followed: closed at once', () => {
    const operation = evaluate('http', [asked(wait), told('closed', 200, { result: 'abandoned' })], T0 + 300);
    expect(operation).toMatchObject({ state: 'cancelled', pairs: [{ compliance: 'no_retry_observed' }] });
  });
});
