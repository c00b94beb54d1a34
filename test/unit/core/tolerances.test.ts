import { describe, expect, it } from 'vitest';
import type { Attempt, Fact } from '@/lib/core/attempt';
import { listChecks } from '@/lib/core/check-catalogue';
import { DEFAULT_SETTINGS, type Settings } from '@/lib/core/operation';
import { T0 } from './support/event';
import { findAll, read, send } from './support/find-all';

/** Every tolerance of a check of one operation: quiet on one side, found on the other, and moved by its setting. */

interface Row {
  check: string;
  what: string;
  facts: (value: number) => Fact[];
  /** The last value that is no finding, and the next that is one. */
  quiet: number;
  found: number;
  /** Found values are silent and quiet ones found once this is set. */
  setting?: Partial<Settings>;
  /** With `setting`: the same pair of values under it. */
  moved?: { quiet: number; found: number };
}

const down = { status: 503 };
const throttled = (seconds: string, fields: Partial<Attempt> = {}) =>
  read(1, 0, { status: 429, retryAfter: [seconds], ...fields });
/** A first try, then one `gapMs` after its end. */
const after = (gapMs: number, first: Attempt, second: Partial<Attempt> = {}) => [
  first,
  read(2, 100 + gapMs, { status: 200, ...second }),
];
const quill = { profile: 'quillhub' as const };
const strict = { profile: 'vibecode' as const, status: undefined, code: 'TIMEOUT_QUARANTINE' };
const lasting = (firstMs: number, secondMs: number) => [
  read(1, 0, { outcome: 'timeout', endedAt: T0 + firstMs }),
  read(2, firstMs + 1_000, { outcome: 'timeout', endedAt: T0 + firstMs + 1_000 + secondMs }),
];
const retries = (count: number, fields: Partial<Attempt> = {}) =>
  Array.from({ length: count + 1 }, (_, at) => read(at + 1, at * 9_000, { ...down, ...fields }));

const ROWS: readonly Row[] = [
  {
    check: 'early_retry',
    what: 'seconds',
    facts: (gap) => after(gap, throttled('10')),
    quiet: 9_950,
    found: 9_949,
    setting: { toleranceSecondsMs: 100 },
    moved: { quiet: 9_900, found: 9_899 },
  },
  {
    check: 'early_retry',
    what: 'strict codes',
    facts: (gap) => after(gap, throttled('10', strict)),
    quiet: 9_995,
    found: 9_994,
    setting: { toleranceStrictMs: 0 },
    moved: { quiet: 10_000, found: 9_999 },
  },
  {
    check: 'early_retry',
    what: 'dates',
    facts: (gap) =>
      after(gap, throttled('Mon, 02 Mar 2026 10:00:10 GMT', { dateHeader: 'Mon, 02 Mar 2026 10:00:00 GMT' })),
    quiet: 9_000,
    found: 8_999,
    setting: { toleranceDateMs: 2_000 },
    moved: { quiet: 8_000, found: 7_999 },
  },
  {
    check: 'early_capped',
    what: 'at the cap',
    facts: (gap) => after(gap, throttled('60', { policy: { retryAfterCapMs: 10_000 } })),
    quiet: 9_949,
    found: 9_950,
  },
  {
    check: 'throttle_in_backoff_loop',
    what: 'after a 429',
    facts: (gap) => after(gap, read(1, 0, { ...quill, status: 429 }), quill),
    quiet: 950,
    found: 949,
    setting: { throttleWaitMinMs: 2_000 },
    moved: { quiet: 1_950, found: 1_949 },
  },
  {
    check: 'zero_delay',
    what: 'gap',
    facts: (gap) => after(gap, read(1, 0, down)),
    quiet: 6,
    found: 5,
    setting: { zeroDelayMs: 20 },
    moved: { quiet: 21, found: 20 },
  },
  {
    check: 'hot_loop',
    what: 'zero delays in a row',
    facts: (count) => Array.from({ length: count + 1 }, (_, at) => read(at + 1, at * 100, down)),
    quiet: 1,
    found: 2,
    setting: { hotLoopMinCount: 3 },
    moved: { quiet: 2, found: 3 },
  },
  {
    check: 'unit_error_seconds_as_ms',
    what: 'over a thousandth',
    facts: (gap) => after(gap, throttled('100')),
    quiet: 151,
    found: 150,
    setting: { secondsAsMsShare: 0.1 },
    moved: { quiet: 111, found: 110 },
  },
  {
    check: 'unit_error_seconds_as_ms',
    what: 'under a thousandth',
    facts: (gap) => after(gap, throttled('100')),
    quiet: 49,
    found: 50,
  },
  {
    check: 'unit_error_ms_as_seconds',
    what: 'over a thousandfold',
    facts: (gap) => after(gap, throttled('1')),
    quiet: 1_100_001,
    found: 1_100_000,
    setting: { msAsSecondsShare: 0.01 },
    moved: { quiet: 1_010_001, found: 1_010_000 },
  },
  {
    check: 'stale_delay_used',
    what: 'distance from the earlier wait',
    facts: (off) => [
      throttled('2'),
      read(2, 2_100, { status: 429, retryAfter: ['30'] }),
      read(3, 4_200 + off, { status: 200 }),
    ],
    quiet: 51,
    found: 50,
    setting: { staleDelayMs: 10 },
    moved: { quiet: 11, found: 10 },
  },
  {
    check: 'long_wait',
    what: 'asked seconds',
    facts: (seconds) => after(seconds * 1_000, throttled(String(seconds))),
    quiet: 299,
    found: 300,
    setting: { longWaitMs: 60_000 },
    moved: { quiet: 59, found: 60 },
  },
  {
    check: 'excess_wait',
    what: 'over by a minute',
    facts: (gap) => after(gap, throttled('10')),
    quiet: 70_000,
    found: 70_001,
    setting: { excessWaitMs: 10_000 },
    moved: { quiet: 20_000, found: 20_001 },
  },
  {
    check: 'excess_wait',
    what: 'over by the wait itself',
    facts: (gap) => after(gap, throttled('100')),
    quiet: 200_000,
    found: 200_001,
  },
  {
    check: 'delay_uncapped',
    what: 'without a cap',
    facts: (gap) => after(gap, read(1, 0, down)),
    quiet: 300_050,
    found: 300_051,
    setting: { uncappedDelayMs: 60_000 },
    moved: { quiet: 60_050, found: 60_051 },
  },
  {
    check: 'delay_uncapped',
    what: 'over the declared cap',
    facts: (gap) => after(gap, read(1, 0, { ...down, policy: { capMs: 5_000 } })),
    quiet: 5_050,
    found: 5_051,
  },
  {
    check: 'attempt_starved',
    what: 'length',
    facts: (length) => lasting(60_000, length),
    quiet: 11,
    found: 10,
    setting: { starvedMs: 100 },
    moved: { quiet: 101, found: 100 },
  },
  {
    check: 'attempt_starved',
    what: 'share of the try before',
    facts: (length) => lasting(500, length),
    quiet: 6,
    found: 5,
    setting: { starvedShare: 0.004 },
    moved: { quiet: 3, found: 2 },
  },
  {
    check: 'retry_after_abort',
    what: 'death by an old signal',
    facts: (length) => [
      read(1, 0, { outcome: 'timeout' }),
      read(2, 9_000, { endedAt: T0 + 9_000 + length, error: { name: 'AbortError', code: 20 } }),
    ],
    quiet: 6,
    found: 5,
    setting: { abortAtOnceMs: 50 },
    moved: { quiet: 51, found: 50 },
  },
  {
    check: 'past_deadline',
    what: 'start after the declared deadline',
    facts: (at) => [read(1, 0, { ...down, policy: { deadlineMs: 5_000 } }), read(2, at, { status: 200 })],
    quiet: 5_000,
    found: 5_001,
  },
  {
    check: 'past_deadline',
    what: 'QuillHub’s own deadline',
    facts: (at) => [read(1, 0, { ...down, ...quill }), read(2, at, { status: 200, ...quill })],
    quiet: 120_000,
    found: 120_001,
    setting: { quillhubDeadlineMs: 60_000 },
    moved: { quiet: 60_000, found: 60_001 },
  },
  {
    check: 'wait_past_deadline',
    what: 'asked seconds against what was left',
    facts: (seconds) => [
      throttled(String(seconds), { policy: { deadlineMs: 10_100 } }),
      read(2, 10_101, { status: 200 }),
    ],
    quiet: 10,
    found: 11,
  },
  {
    check: 'over_limit',
    what: 'retries where nobody declared a limit',
    facts: (count) => retries(count),
    quiet: 5,
    found: 6,
    setting: { retriesMaxCount: 2 },
    moved: { quiet: 2, found: 3 },
  },
  {
    check: 'under_limit',
    what: 'retries of three declared',
    facts: (count) => retries(count, { policy: { maxRetries: 3 } }),
    quiet: 3,
    found: 2,
  },
  {
    check: 'overlapping_attempts',
    what: 'start against the end of the try before',
    facts: (at) => [read(1, 0, { status: 200 }), read(2, at, { status: 200 })],
    quiet: 100,
    found: 99,
  },
  {
    check: 'overlapping_attempts',
    what: 'two clocks',
    facts: (at) => [
      read(1, 0, { status: 200, endedAt: T0 + 9_000 }),
      read(2, at, { status: 200, instance: 'elsewhere' }),
    ],
    quiet: 7_000,
    found: 6_999,
    setting: { dateUncertaintyMs: 5_000 },
    moved: { quiet: 4_000, found: 3_999 },
  },
  {
    check: 'contract_anomaly',
    what: 'a second DELETE after the first',
    facts: (at) => {
      const vibe = { profile: 'vibecode' as const, method: 'DELETE' };
      const code = 'AGENT_WRITE_ALREADY_EXECUTED';
      return [
        send(1, 0, { ...vibe, status: 502, code: 'BITRIX_UNAVAILABLE' }),
        send(2, at, { ...vibe, code, firstStatus: null }),
      ];
    },
    quiet: 30_000,
    found: 30_001,
    setting: { agentDeleteWindowMs: 10_000 },
    moved: { quiet: 10_000, found: 10_001 },
  },
];

function isFound(check: string, facts: Fact[], settings: Partial<Settings> = {}): boolean {
  return findAll(facts, { settings: { ...DEFAULT_SETTINGS, ...settings } }).some((finding) => finding.check === check);
}

describe('tolerances', () => {
  for (const { check, what, facts, quiet, found, setting, moved } of ROWS) {
    it(`${check}, ${what}: not at ${quiet}, at ${found}`, () => {
      expect(isFound(check, facts(quiet))).toBe(false);
      expect(isFound(check, facts(found))).toBe(true);
    });
    if (!setting || !moved) continue;
    it(`${check}, ${what}: ${JSON.stringify(setting)} moves it to ${moved.found}`, () => {
      expect(isFound(check, facts(moved.quiet), setting)).toBe(false);
      expect(isFound(check, facts(moved.found), setting)).toBe(true);
    });
  }

  it('the catalogue names the settings that these rows move', () => {
    const told = new Map(listChecks().map(({ check, settings }) => [check as string, new Set<string>(settings)]));
    for (const { check, setting } of ROWS) {
      for (const name of Object.keys(setting ?? {})) expect([check, told.get(check)?.has(name)]).toEqual([check, true]);
    }
  });
});
