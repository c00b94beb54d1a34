import { describe, expect, it } from 'vitest';
import type { AuthRefresh } from '@/lib/core/attempt';
import { findAuthLoop } from '@/lib/core/checks/stream/auth-loop';
import type { StreamSend } from '@/lib/core/checks/stream/stream';
import { DEFAULT_SETTINGS, type Settings } from '@/lib/core/operation';
import { T0 } from '../support/event';
import { find, refresh, resend, streamSend } from '../support/stream-send';

/** M13 across operations by rule: (c) failing renewals, (d) renewals in flight together, (b) chains of follow-ups. */

const MINUTE = 60_000;
const renewals = (refreshes: AuthRefresh[], settings: Partial<Settings> = {}, sends: StreamSend[] = []) =>
  find(findAuthLoop, sends, { facts: { refreshes }, settings });
const told = (refreshes: AuthRefresh[], settings?: Partial<Settings>) =>
  renewals(refreshes, settings).map(({ at, evidence }) => [evidence.kind, (at - T0) / MINUTE]);
const failing = (...minutes: number[]) => minutes.map((minute) => refresh(minute * MINUTE, false));

describe('(c) renewals that fail', () => {
  it('says of which credential, how many, in what time, and who used it', () => {
    const user = (operationId: string, credential: string) => streamSend(0, { operationId, credential });
    expect(renewals(failing(1, 3, 8), {}, [user('a', 'cred'), user('b', 'other'), user('c', 'cred')])).toEqual([
      expect.objectContaining({
        check: 'auth_loop',
        severity: 'high',
        subject: { kind: 'credential', value: 'cred' },
        at: T0 + 8 * MINUTE,
        evidence: { kind: 'renewal_fails', failures: 3, spanMs: 7 * MINUTE, operationIds: ['a', 'c'] },
      }),
    ]);
    expect(renewals(failing(1, 3, 8))[0]?.evidence.operationIds).toEqual([]);
    const late = streamSend(9, { operationId: 'late', credential: 'cred' });
    expect(renewals(failing(1, 3, 8), {}, [late, user('a', 'cred')])[0]?.evidence.operationIds).toEqual(['a', 'late']);
  });
  it('three inside ten minutes, wherever in a longer run, in any order of arrival', () => {
    expect(told(failing(0, 5, 10))).toEqual([['renewal_fails', 10]]);
    expect(told([refresh(0, false), refresh(5 * MINUTE, false), refresh(10 * MINUTE + 1, false)])).toEqual([]);
    expect(told(failing(0, 9, 11, 12))).toEqual([['renewal_fails', 12]]);
    expect(told(failing(10, 0, 5))).toEqual([['renewal_fails', 10]]);
    expect(told(failing(0, 1, 2), { authWindowMs: 2 * MINUTE })).toHaveLength(1);
    expect(told(failing(0, 1, 2), { authWindowMs: 2 * MINUTE - 1 })).toEqual([]);
  });
  it('told once, and again after one that worked or a quiet time', () => {
    expect(told(failing(0, 1, 2, 3, 4, 5))).toEqual([['renewal_fails', 2]]);
    expect(told([...failing(0, 1, 2), refresh(2.5 * MINUTE, true), ...failing(3, 4, 5)])).toEqual([
      ['renewal_fails', 2],
      ['renewal_fails', 5],
    ]);
    expect(told([...failing(0, 1, 2), refresh(2.5 * MINUTE, true), ...failing(3, 4)])).toHaveLength(1);
    expect(told(failing(0, 1, 2, 13, 14, 15))).toEqual([
      ['renewal_fails', 2],
      ['renewal_fails', 15],
    ]);
    // Never fewer than three in ten minutes: still the same loop.
    expect(told(failing(0, 1, 2, 10, 11, 12))).toHaveLength(1);
  });
  it('the count is a setting, down to one', () => {
    expect(told(failing(0, 1), { authFailuresMinCount: 2 })).toEqual([['renewal_fails', 1]]);
    expect(told(failing(0, 1, 2), { authFailuresMinCount: 4 })).toEqual([]);
    expect(told(failing(0, 1), { authFailuresMinCount: 1 })).toEqual([['renewal_fails', 0]]);
    expect(renewals(failing(0, 1, 2, 3), { authFailuresMinCount: 4 })[0]?.evidence).toMatchObject({
      failures: 4,
      spanMs: 3 * MINUTE,
    });
  });
  it('credentials apart', () => {
    const two = failing(0, 1, 2).map((one, at) => ({ ...one, credential: at === 1 ? 'a' : 'b' }));
    expect(told(two)).toEqual([]);
  });
  it('looks back as far as its window', () => {
    expect(findAuthLoop.lookBackMs(DEFAULT_SETTINGS)).toBe(10 * MINUTE);
    expect(findAuthLoop.lookAheadMs(DEFAULT_SETTINGS)).toBe(0);
    expect([findAuthLoop.check, findAuthLoop.groupBy]).toEqual(['auth_loop', 'credential']);
  });
});

describe('(d) renewals in flight together', () => {
  it('two that start within two seconds; one shared start is one renewal', () => {
    const apart = (ms: number, settings?: Partial<Settings>) =>
      renewals([refresh(5_000 + ms, true), refresh(5_000, true)], settings);
    expect(apart(0)).toEqual([]);
    expect(apart(1)).toEqual([
      expect.objectContaining({
        severity: 'medium',
        at: T0 + 5_001,
        subject: { kind: 'credential', value: 'cred' },
        evidence: { kind: 'renewals_in_flight', apartMs: 1, operationIds: [] },
      }),
    ]);
    expect(apart(2_000)).toHaveLength(1);
    expect(apart(2_001)).toEqual([]);
    expect(apart(2_001, { authFlightMs: 2_001 })).toHaveLength(1);
  });
  it('whatever came of them, each with the one before it, credentials apart', () => {
    expect(told([refresh(0, false), refresh(60, true), refresh(120, false)]).map(([kind]) => kind)).toEqual([
      'renewals_in_flight',
      'renewals_in_flight',
    ]);
    expect(told([refresh(0, true), refresh(60, true, { credential: 'other' })])).toEqual([]);
  });
});

describe('(b) chains of follow-up operations', () => {
  const link = (n: number, fields: Partial<StreamSend> = {}) =>
    streamSend(n * 1_000, {
      operationId: `o-${n}`,
      parentOperationId: n === 0 ? undefined : `o-${n - 1}`,
      authRefused: true,
      ...fields,
    });
  const found = (...sends: StreamSend[]) => find(findAuthLoop, sends);
  it('two refusals after the first follow-up: charged to the one that made it a loop', () => {
    expect(found(link(0), link(1))).toEqual([]);
    expect(found(link(2, { attempt: 4 }), link(0), link(1))).toEqual([
      expect.objectContaining({
        check: 'auth_loop',
        severity: 'high',
        attempt: 4,
        operationId: 'o-2',
        subject: { kind: 'operation', value: 'o-2' },
        at: T0 + 2_000,
        evidence: { kind: 'renewed_in_vain', renewals: 2, refusals: 2, operationIds: ['o-0', 'o-1', 'o-2'] },
      }),
    ]);
    expect(found(link(0), link(1), link(2), link(3))).toHaveLength(1);
  });
  it('a second follow-up is one too many even where it works', () => {
    expect(found(link(0), link(1), link(2, { authRefused: false }))[0]?.evidence).toMatchObject({
      renewals: 2,
      refusals: 1,
    });
    expect(found(link(0), link(1, { authRefused: false }), link(2, { authRefused: false }))).toEqual([]);
  });
  it('sends of the follow-up itself count, with and without a renewal between', () => {
    const first = link(1);
    const again = resend(first, 300, { authRefused: true, parentOperationId: 'o-0' });
    expect(found(link(0), first, again)[0]).toMatchObject({
      operationId: 'o-1',
      attempt: 2,
      evidence: { renewals: 1, refusals: 2 },
    });
    const renewed = resend(first, 300, { reason: 'reauth', parentOperationId: 'o-0' });
    expect(found(link(0), first, renewed)[0]?.evidence).toMatchObject({ renewals: 2, refusals: 1 });
    const plain = resend(first, 300, { parentOperationId: 'o-0' });
    expect(found(link(0), first, plain)).toEqual([]);
  });
  it('in any order of arrival', () => {
    const first = link(1);
    const again = resend(first, 300, { authRefused: true, parentOperationId: 'o-0' });
    expect(found(again, first, link(0)).map(({ attempt }) => attempt)).toEqual([2]);
  });
  it('an operation that follows none is its own check’s', () => {
    const alone = streamSend(0, { operationId: 'alone', authRefused: true });
    const again = resend(alone, 300, { authRefused: true, reason: 'reauth' });
    const third = resend(again, 300, { authRefused: true, reason: 'reauth' });
    expect(found(alone, again, third, link(0), link(1))).toEqual([]);
  });
  it('what was refused before the first renewal is the operation’s own, and what other failures bring is none', () => {
    const root = link(0);
    const twice = resend(root, 200, { authRefused: true });
    expect(found(root, twice, link(1, { authRefused: false }))).toEqual([]);
    expect(found(root, twice, link(1))).toEqual([]);
    expect(found(link(0, { authRefused: false }), link(1), link(2))).toEqual([]);
    expect(found(link(0, { authRefused: false }), link(1, { authRefused: false }), link(2))).toEqual([]);
  });
  it('only what came before the follow-up is its chain', () => {
    const late = resend(link(0), 5_000, { operationId: 'o-0', authRefused: true });
    // The root goes on after its follow-up had started.
    expect(found(link(0), late, link(1))).toEqual([]);
    const same = streamSend(1_000, { operationId: 'o-0', authRefused: true });
    expect(found(link(0), same, link(1))).toEqual([]);
    // A parent that nobody handed over, or that began later, ends the chain.
    expect(found(link(1), link(2))).toEqual([]);
    expect(found({ ...link(0), startAt: T0 + 1_000 }, link(1), link(2))).toEqual([]);
  });
  it('operations that name each other, or themselves, end', () => {
    const circle = [link(0, { parentOperationId: 'o-2' }), link(1), link(2)];
    expect(found(...circle).map(({ operationId }) => operationId)).toEqual(['o-2']);
    expect(found(link(1, { parentOperationId: 'o-1' }), link(2, { operationId: 'o-1' }))).toEqual([]);
  });
  it('walks a chain of fifty operations and no longer one', () => {
    // Refused, then refused once at the follow-up; then only failures, and one more refusal at the end.
    const chain = (count: number) =>
      Array.from({ length: count }, (_, n) => link(n, { authRefused: n < 1 || n === count - 1 || n === count - 2 }));
    expect(found(...chain(50)).map(({ operationId }) => operationId)).toEqual(['o-49']);
    expect(found(...chain(51))).toEqual([]);
  });
});
