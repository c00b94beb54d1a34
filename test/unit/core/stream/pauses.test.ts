import { describe, expect, it } from 'vitest';
import type { Attempt } from '@/lib/core/attempt';
import { DEFAULT_SETTINGS, type Settings } from '@/lib/core/operation';
import { T0 } from '../support/event';
import { findAll, read } from '../support/find-all';

/** M3: `pause_broken_by_others`. Ends of tries are at +100 ms, so a pause of 30 s asked at 0 ends at 30,100. */

const quarantine = (operationId: string, at: number, seconds: string, more: Partial<Attempt> = {}) =>
  read(1, at, {
    profile: 'vibecode',
    operationId,
    scope: 'portal',
    code: 'TIMEOUT_QUARANTINE',
    retryAfter: [seconds],
    ...more,
  });
const other = (at: number, more: Partial<Attempt> = {}) =>
  read(1, at, { profile: 'vibecode', operationId: 'b', scope: 'portal', status: 200, ...more });

function broken(sends: Attempt[], settings: Partial<Settings> = {}) {
  return findAll(sends, { settings: { ...DEFAULT_SETTINGS, ...settings } }).filter(
    ({ check }) => check === 'pause_broken_by_others',
  );
}

describe('pause_broken_by_others (M3)', () => {
  it('counts any send of another operation inside the pause, whatever came of it', () => {
    const [finding, ...rest] = broken([quarantine('a', 0, '30'), other(10_000, { status: 503 })]);
    expect(rest).toEqual([]);
    expect(finding).toMatchObject({
      of: 'b',
      severity: 'high',
      attempt: 1,
      subject: { kind: 'scope', value: 'portal' },
      at: T0 + 10_000,
      evidence: { askedOf: 'a', askedMs: 30_000, earlyMs: 20_100, unaware: false, approx: false, scope: 'scope' },
      lookedAt: { operations: 2, attempts: 2 },
    });
  });
  it.each([
    ['in flight when it was asked', 99, 0],
    ['at the very moment', 100, 1],
    ['6 ms before its end', 30_094, 1],
    ['5 ms before its end, within the tolerance', 30_095, 0],
    ['at its end', 30_100, 0],
  ])('%s: %i ms gives %i', (_name, at, count) => {
    expect(broken([quarantine('a', 0, '30'), other(at)])).toHaveLength(count);
  });
  it('leaves the asking operation to M1, but not where another asked too', () => {
    const again = read(2, 5_000, { profile: 'vibecode', operationId: 'a', scope: 'portal', status: 200 });
    expect(broken([quarantine('a', 0, '30'), again])).toEqual([]);
    expect(
      broken([quarantine('a', 0, '30'), quarantine('c', 50, '60', { code: 'TIMEOUT_QUARANTINE' }), again]),
    ).toEqual([expect.objectContaining({ of: 'a', attempt: 2 })]);
  });
  it('merges overlapping pauses to the latest end, as far as they were known', () => {
    const early = (at: number) =>
      broken([quarantine('a', 0, '30'), quarantine('c', 20, '60'), other(at)]).filter(({ of }) => of === 'b')[0]
        ?.evidence.earlyMs;
    expect(early(40_000)).toBe(20_120);
    expect(early(10_000)).toBe(50_120);
    expect(early(60_120)).toBeUndefined();
    // The longer pause was asked at 20,100 only.
    const late = broken([quarantine('a', 0, '30'), quarantine('c', 20_000, '60'), other(10_000)]);
    expect(late.find(({ of }) => of === 'b')?.evidence.earlyMs).toBe(20_100);
  });
  it('labels another instance within the grace, and asks for more than the uncertainty of two clocks', () => {
    const elsewhere = (at: number) => broken([quarantine('a', 0, '30'), other(at, { instance: 'two' })])[0];
    expect(elsewhere(1_099)).toMatchObject({ severity: 'low', evidence: { unaware: true, approx: true } });
    expect(elsewhere(1_100)).toMatchObject({ severity: 'high', evidence: { unaware: false } });
    expect(elsewhere(28_094)).toBeDefined();
    expect(elsewhere(28_095)).toBeUndefined();
    // Same instance: no excuse.
    expect(broken([quarantine('a', 0, '30'), other(200)])[0]?.severity).toBe('high');
  });
  it('a probe of an error loop is not exempt', () => {
    expect(
      broken([quarantine('a', 0, '30'), other(9_000, { status: undefined, code: 'ERROR_LOOP_DETECTED' })]),
    ).toHaveLength(1);
  });
  it('holds a quarantine to the portal, else to host and credential; the whole host is a setting', () => {
    const at = (first: Partial<Attempt>, second: Partial<Attempt>, settings: Partial<Settings> = {}) =>
      broken([quarantine('a', 0, '30', first), other(9_000, second)], settings).length;
    expect(at({}, { scope: 'elsewhere' })).toBe(0);
    const host = (credential: string): Partial<Attempt> => ({ scope: undefined, target: 'host', credential });
    expect(at(host('x'), host('x'))).toBe(1);
    expect(at(host('x'), host('y'))).toBe(0);
    expect(at(host('x'), host('y'), { quarantineByTargetSwitch: 1 })).toBe(1);
    expect(at({ scope: undefined }, { scope: undefined })).toBe(0);
  });
  it('holds OPERATION_TIME_LIMIT to the method of the portal', () => {
    const limited = { code: 'OPERATION_TIME_LIMIT', call: 'crm.deal.list' };
    expect(
      broken([quarantine('a', 0, '30', limited), other(9_000, { call: 'CRM.deal.list' })])[0]?.evidence.scope,
    ).toBe('call');
    expect(broken([quarantine('a', 0, '30', limited), other(9_000, { call: 'crm.lead.list' })])).toEqual([]);
  });
  it('holds CALLER_RATE_LIMITED to the credential, for a minute at most and with the tolerance of seconds', () => {
    const limited = (seconds: string) =>
      quarantine('a', 0, seconds, { code: 'CALLER_RATE_LIMITED', credential: 'k', scope: undefined });
    const at = (ms: number, credential = 'k') =>
      broken([limited('300'), other(ms, { credential, scope: 'other' })])[0]?.evidence.earlyMs;
    expect(at(10_000)).toBe(50_100);
    expect(at(60_100)).toBeUndefined();
    expect(at(60_049)).toBe(51);
    expect(at(60_050)).toBeUndefined();
    expect(at(10_000, 'l')).toBeUndefined();
  });
  it('needs a time that was asked, and looks no further than its bound', () => {
    expect(broken([quarantine('a', 0, 'soon'), other(9_000)])).toEqual([]);
    const long = [quarantine('a', 0, '7200'), other(3_600_000)];
    expect(broken(long)[0]?.evidence.earlyMs).toBe(100);
    expect(broken([long[0] ?? other(0), other(3_600_100)])).toEqual([]);
  });
  it('other codes ask nobody else to wait', () => {
    expect(broken([quarantine('a', 0, '30', { code: 'RATE_LIMITED' }), other(9_000)])).toEqual([]);
  });
});
