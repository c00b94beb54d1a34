import { describe, expect, it } from 'vitest';
import { findPauseBrokenByOthers } from '@/lib/core/checks/stream/pause-broken-by-others';
import type { StreamSend } from '@/lib/core/checks/stream/stream';
import { DEFAULT_SETTINGS } from '@/lib/core/operation';
import { T0 } from '../support/event';
import { find, streamSend } from '../support/stream-send';

/** M3 by rule: whom each pause binds, which of several counts, and exactly what is said. */

type Fields = Partial<StreamSend>;
type Given = Parameters<typeof find>[2];
/** Asked at `at`, for `askedMs`. */
const ask = (operationId: string, at: number, askedMs: number | null, fields: Fields = {}) =>
  streamSend(at, {
    operationId,
    scope: 'portal',
    code: 'TIMEOUT_QUARANTINE',
    rule: 'TIMEOUT_QUARANTINE',
    refAt: T0 + at,
    endAt: T0 + at,
    strict: true,
    askedMs,
    ...fields,
  });
const other = (at: number, fields: Fields = {}) =>
  streamSend(at, { operationId: 'x', scope: 'portal', action: 'none', rule: 'OK', code: 'OK', ...fields });
const all = (sends: StreamSend[], given?: Given) => find(findPauseBrokenByOthers, sends, given);
const early = (sends: StreamSend[], given?: Given) =>
  all(sends, given).map(({ operationId, evidence }) => [operationId, evidence.askedOf, evidence.earlyMs]);

describe('pause_broken_by_others', () => {
  it('says who asked for how long, who was early by how much, and on what', () => {
    expect(all([other(4_000, { attempt: 3 }), ask('a', 0, 9_000, { attempt: 2, code: 'TQ' })])).toEqual([
      {
        check: 'pause_broken_by_others',
        severity: 'high',
        attempt: 3,
        operationId: 'x',
        subject: { kind: 'scope', value: 'portal' },
        at: T0 + 4_000,
        evidence: {
          code: 'TQ',
          askedOf: 'a',
          askedAttempt: 2,
          askedMs: 9_000,
          earlyMs: 5_000,
          unaware: false,
          approx: false,
          scope: 'scope',
          operationIds: ['a', 'x'],
        },
        window: expect.anything() as unknown,
        lookedAt: { operations: 2, attempts: 2 },
      },
    ]);
  });
  it('begins with the answer: what had started before is no breach', () => {
    expect(early([ask('a', 0, 9_000), other(0)])).toEqual([['x', 'a', 9_000]]);
    expect(early([ask('a', 0, 9_000, { refAt: T0 + 50 }), other(49)])).toEqual([]);
    expect(early([ask('a', 0, 9_000, { refAt: T0 + 50 }), other(50)])).toEqual([['x', 'a', 9_000]]);
  });
  it.each([
    [true, 6, 1],
    [true, 5, 0],
    [false, 51, 1],
    [false, 50, 0],
  ])('strict %s, %i ms early: %i', (strict, earlyMs, count) => {
    expect(all([ask('a', 0, 9_000, { strict }), other(9_000 - earlyMs)])).toHaveLength(count);
  });
  it('tolerances are settings', () => {
    const settings = { toleranceStrictMs: 100, toleranceSecondsMs: 0 };
    expect(all([ask('a', 0, 9_000), other(8_900)], { settings })).toEqual([]);
    expect(all([ask('a', 0, 9_000), other(8_899)], { settings })).toHaveLength(1);
    expect(all([ask('a', 0, 9_000, { strict: false }), other(8_999)], { settings })).toHaveLength(1);
    expect(all([ask('a', 0, 9_000, { strict: false }), other(9_000)], { settings })).toEqual([]);
  });
  it('another clock: judged beyond the uncertainty, and unaware within the grace of the run’s start', () => {
    const far = (at: number, given?: Given) => all([ask('a', 0, 9_000), other(at, { instance: 'two' })], given)[0];
    expect(far(6_994)?.evidence).toMatchObject({ approx: true, unaware: false, earlyMs: 2_006 });
    expect(far(6_995)).toBeUndefined();
    expect(far(999)).toMatchObject({ severity: 'low', evidence: { unaware: true } });
    expect(far(1_000)).toMatchObject({ severity: 'high', evidence: { unaware: false } });
    expect(far(1_000, { settings: { pauseGraceMs: 1_001 } })?.severity).toBe('low');
    expect(far(8_994, { settings: { dateUncertaintyMs: 0 } })).toBeDefined();
    expect(far(8_995, { settings: { dateUncertaintyMs: 0 } })).toBeUndefined();
    // The pause is known since the first of those that overlap, not since the latest.
    const run = (second: number) =>
      all([ask('a', 0, 9_000), ask('b', second, 20_000), other(second + 10, { instance: 'two' })]).find(
        ({ operationId }) => operationId === 'x',
      )?.severity;
    expect(run(8_999)).toBe('high');
    expect(run(9_000)).toBe('low');
  });
  it('the latest end of those that overlap, whoever asked and in whatever order', () => {
    expect(early([ask('a', 0, 9_000), ask('b', 9_100, 5_000), other(9_200)])).toEqual([['x', 'b', 4_900]]);
    const sends = [ask('a', 0, 30_000), ask('b', 10, 9_000), other(5_000)];
    expect(early(sends)).toEqual([
      ['b', 'a', 29_990],
      ['x', 'a', 25_000],
    ]);
    expect(early([...sends].reverse())).toEqual(early(sends));
    expect(early([ask('a', 0, 9_000), ask('b', 10, 30_000), other(5_000)])).toContainEqual(['x', 'b', 25_010]);
  });
  it('an operation is held to what others were asked, not to its own', () => {
    const again = (at: number) => other(at, { operationId: 'a' });
    expect(early([ask('a', 0, 9_000), again(4_000)])).toEqual([]);
    expect(early([ask('a', 0, 9_000), ask('a', 100, 20_000), again(4_000)])).toEqual([]);
    // Its own is the latest; the other's still binds it.
    expect(early([ask('b', 0, 9_000), ask('a', 100, 20_000), again(4_000)])).toEqual([
      ['a', 'b', 8_900],
      ['a', 'b', 5_000],
    ]);
    expect(early([ask('b', 0, 9_000), ask('a', 100, 20_000), again(9_000)])).toEqual([['a', 'b', 8_900]]);
    // Of the others the latest end.
    const three = [ask('a', 0, 30_000), ask('b', 1, 5_000), ask('c', 2, 9_000), again(4_000)];
    expect(early(three).at(-1)).toEqual(['a', 'c', 5_002]);
    const back = [ask('a', 0, 30_000), ask('c', 1, 9_000), ask('b', 2, 5_000), again(4_000)];
    expect(early(back).at(-1)).toEqual(['a', 'c', 5_001]);
    // The former latest of another becomes the other.
    const taken = [ask('b', 0, 9_000), ask('a', 1, 30_000), ask('a', 2, 40_000), again(4_000)];
    expect(early(taken).at(-1)).toEqual(['a', 'b', 5_000]);
    const mine = [ask('a', 0, 9_000), ask('a', 1, 30_000), again(4_000)];
    expect(early(mine)).toEqual([]);
  });
  it('asked in any order of arrival; of equal ends the first asked is named', () => {
    expect(early([ask('b', 6_000, 9_000), ask('a', 0, 9_000), other(4_000)])).toContainEqual(['x', 'a', 5_000]);
    const equal = [ask('a', 0, 9_000, { refAt: T0 + 100 }), ask('b', 50, 9_000, { refAt: T0 + 100 })];
    expect(early([...equal, other(200)])).toEqual([['x', 'a', 8_900]]);
    expect(early([...equal.reverse(), other(200)])).toEqual([['x', 'a', 8_900]]);
    const others = [ask('a', 0, 30_000), ask('b', 1, 8_999), ask('c', 2, 8_998), other(4_000, { operationId: 'a' })];
    expect(early(others).at(-1)).toEqual(['a', 'b', 5_000]);
    // Its own shorter one is nobody else's.
    expect(early([ask('a', 0, 30_000), ask('a', 1, 5_000), other(3_000, { operationId: 'a' })])).toEqual([]);
  });
  it('only what had been asked by then', () => {
    expect(early([ask('a', 5_000, 9_000), other(4_999)])).toEqual([]);
    expect(early([ask('a', 5_000, 9_000), other(4_999), other(5_000)])).toHaveLength(1);
    expect(early([ask('a', 0, null), other(10)])).toEqual([]);
    expect(early([ask('a', 0, 0), other(0)])).toEqual([]);
  });
  it('holds an hour at most, CALLER_RATE_LIMITED a minute, as set', () => {
    const HOUR = 3_600_000;
    const hold = (askedMs: number, fields: Fields = {}, given?: Given) =>
      all([ask('a', 0, askedMs, { credential: 'c', ...fields }), other(10, { credential: 'c' })], given)[0]?.evidence
        .askedMs;
    const caller = { rule: 'CALLER_RATE_LIMITED' };
    const limit = { rule: 'OPERATION_TIME_LIMIT' };
    expect(hold(HOUR)).toBe(HOUR);
    expect(hold(HOUR + 1)).toBe(HOUR);
    expect(hold(HOUR + 1, limit)).toBe(HOUR);
    expect(hold(60_000, caller)).toBe(60_000);
    expect(hold(60_001, caller)).toBe(60_000);
    expect(hold(90_000, caller, { settings: { callerPauseMaxMs: 70_000 } })).toBe(70_000);
    expect(hold(90_000, {}, { settings: { pauseMaxMs: 70_000 } })).toBe(70_000);
  });
  describe('whom it binds', () => {
    const bound = (first: Fields, second: Fields, given?: Given) =>
      all([ask('a', 0, 9_000, first), other(10, second)], given);
    const subject = (first: Fields, second: Fields, given?: Given) =>
      bound(first, second, given).map((finding) => [
        finding.subject.kind,
        finding.subject.value,
        finding.evidence.scope,
      ]);
    it('a quarantine: the portal, else host with credential; the whole host as set', () => {
      expect(subject({}, {})).toEqual([['scope', 'portal', 'scope']]);
      expect(subject({}, { scope: 'other' })).toEqual([]);
      const host = (credential: string | undefined): Fields => ({ scope: undefined, target: 'host', credential });
      expect(subject(host('c'), host('c'))).toEqual([['scope', 'host', 'scope']]);
      expect(subject(host('c'), host('d'))).toEqual([]);
      expect(subject(host(undefined), host(undefined))).toHaveLength(1);
      const whole = { settings: { quarantineByTargetSwitch: 1 } };
      expect(subject(host('c'), host('d'), whole)).toHaveLength(1);
      expect(subject(host('c'), { ...host('d'), target: 'elsewhere' }, whole)).toEqual([]);
      expect(subject({}, {}, whole)).toEqual([]);
      const bare = { scope: undefined };
      expect(subject({ ...bare, credential: 'c' }, { ...bare, credential: 'c' })).toEqual([['scope', '', 'scope']]);
      expect(subject(bare, bare)).toEqual([]);
    });
    it('OPERATION_TIME_LIMIT: the method of the portal, else of the host', () => {
      const limit = (fields: Fields = {}): Fields => ({
        rule: 'OPERATION_TIME_LIMIT',
        call: 'crm.deal.list',
        ...fields,
      });
      expect(subject(limit(), { call: ' CRM.deal.list ' })).toEqual([['scope', 'portal', 'call']]);
      expect(subject(limit(), { call: 'crm.deal.get' })).toEqual([]);
      expect(subject(limit(), { call: 'crm.deal.list', scope: 'other' })).toEqual([]);
      const host = { scope: undefined, target: 'host' };
      expect(subject(limit(host), { call: 'crm.deal.list', ...host })).toEqual([['scope', 'host', 'call']]);
      const bare = { scope: undefined };
      expect(subject(limit(bare), { call: 'crm.deal.list', ...bare })).toEqual([]);
      // Portal and call do not run into one another.
      expect(subject(limit({ scope: 'a', call: 'b c' }), { scope: 'a b', call: 'c' })).toHaveLength(0);
    });
    it('CALLER_RATE_LIMITED: the credential, on whatever portal', () => {
      const caller: Fields = { rule: 'CALLER_RATE_LIMITED', credential: 'c' };
      expect(subject(caller, { credential: 'c', scope: 'other' })).toEqual([['credential', 'c', 'credential']]);
      expect(subject(caller, { credential: 'd' })).toEqual([]);
      expect(subject({ rule: 'CALLER_RATE_LIMITED' }, {})).toEqual([]);
    });
    it('other codes ask nobody else', () => {
      expect(bound({ rule: 'RATE_LIMITED', credential: 'c' }, { credential: 'c' })).toEqual([]);
    });
    it('each pause binds its own: two kinds on one portal are told apart', () => {
      const two = [ask('a', 0, 9_000), ask('b', 1, 9_000, { rule: 'CALLER_RATE_LIMITED', credential: 'c' })];
      expect(early([...two, other(10, { credential: 'c' })])).toEqual([
        ['b', 'a', 8_999],
        ['x', 'b', 8_991],
        ['x', 'a', 8_990],
      ]);
    });
  });
  it('looks back as far as a pause holds', () => {
    expect(findPauseBrokenByOthers.lookBackMs(DEFAULT_SETTINGS)).toBe(3_600_000);
    expect(findPauseBrokenByOthers.lookAheadMs(DEFAULT_SETTINGS)).toBe(0);
    expect([findPauseBrokenByOthers.check, findPauseBrokenByOthers.groupBy]).toEqual([
      'pause_broken_by_others',
      'scope',
    ]);
  });
});
