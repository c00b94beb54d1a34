import { describe, expect, it } from 'vitest';
import { findErrorLoop } from '@/lib/core/checks/stream/error-loop';
import type { StreamSend } from '@/lib/core/checks/stream/stream';
import { DEFAULT_SETTINGS } from '@/lib/core/operation';
import { T0 } from '../support/event';
import { find, fix, streamSend } from '../support/stream-send';

/** M14 by rule: what makes up one loop, what ends it, and exactly what is said of it. */

const MINUTE = 60_000;
type Given = Parameters<typeof find>[2];
const failure = (at: number, fields: Partial<StreamSend> = {}) =>
  streamSend(at, { operationId: `o-${at}`, scope: 'portal', fingerprint: 'p', code: 'X', rule: 'X', ...fields });
const works = (at: number, fields: Partial<StreamSend> = {}) => failure(at, { action: 'none', code: 'OK', ...fields });
const detected = (at: number, fields: Partial<StreamSend> = {}) =>
  failure(at, { code: 'ERROR_LOOP_DETECTED', rule: 'ERROR_LOOP_DETECTED', action: 'do_not_retry', ...fields });
const told = (sends: StreamSend[], given?: Given) =>
  find(findErrorLoop, sends, given).map(({ at, evidence }) => [evidence.stage, at - T0]);
const times = (ats: number[], fields: Partial<StreamSend> = {}) => ats.map((at) => failure(at, fields));

describe('a loop that forms', () => {
  it('names the request, the code, how many in what time, and who took part', () => {
    expect(find(findErrorLoop, times([0, 1_000, 2_000, 3_000, 9_000], { attempt: 2 }))).toEqual([
      {
        check: 'error_loop',
        severity: 'medium',
        attempt: 2,
        operationId: 'o-9000',
        subject: { kind: 'scope', value: 'portal' },
        at: T0 + 9_000,
        evidence: {
          stage: 'forming',
          code: 'X',
          count: 5,
          spanMs: 9_000,
          by: 'request',
          operationIds: ['o-0', 'o-1000', 'o-2000', 'o-3000', 'o-9000'],
        },
        window: { from: T0 - 90 * 24 * 60 * MINUTE, to: T0 + 275 * 24 * 60 * MINUTE },
        lookedAt: { operations: 5, attempts: 5 },
      },
    ]);
  });
  it('needs the five inside five minutes, wherever in a longer run they lie', () => {
    expect(told(times([0, 60_000, 120_000, 180_000, 300_000]))).toEqual([['forming', 300_000]]);
    expect(told(times([0, 60_000, 120_000, 180_000, 300_001]))).toEqual([]);
    expect(told(times([0, 60_000, 120_000, 180_000, 300_001, 300_002]))).toEqual([['forming', 300_002]]);
    expect(find(findErrorLoop, times([0, 60_000, 120_000, 180_000, 300_001, 300_002]))[0]?.evidence.spanMs).toBe(
      240_002,
    );
  });
  it('is told again once fewer than five lie in the time', () => {
    const first = [0, 1_000, 2_000, 3_000, 4_000];
    const later = (gap: number) => first.map((at) => at + 4_000 + gap);
    // 295 s after its end the first five are in part still inside: never fewer than five.
    expect(told(times([...first, ...later(1_000)]))).toEqual([['forming', 4_000]]);
    expect(told(times([...first, ...later(300_001)]))).toEqual([
      ['forming', 4_000],
      ['forming', 4_000 + 300_001 + 4_000],
    ]);
    // One alone in its time, then four more.
    expect(told(times([...first, 310_000, 311_000, 312_000, 313_000, 314_000]))).toHaveLength(2);
  });
  it('counts in any order of arrival', () => {
    expect(told(times([9_000, 0, 3_000, 1_000, 2_000]))).toEqual([['forming', 9_000]]);
  });
  it('a success of the request ends it, for the request and for the call', () => {
    const four = times([0, 1_000, 2_000, 3_000]);
    expect(told([...four, works(3_500), failure(4_000)])).toEqual([]);
    // The success of another request of the call proves nothing for this one.
    expect(
      find(findErrorLoop, [...four, works(3_500, { fingerprint: 'q' }), failure(4_000)])[0]?.evidence,
    ).toMatchObject({ stage: 'forming', by: 'request' });
    const others = [0, 1, 2, 3].map((at) => failure(at * 1_000, { fingerprint: `q-${at}` }));
    expect(told([...others, works(3_500, { fingerprint: 'q-9' }), failure(4_000, { fingerprint: 'q-4' })])).toEqual([]);
    expect(
      told([...others, works(3_500, { call: 'GET /other' }), failure(4_000, { fingerprint: 'q-4' })]),
    ).toHaveLength(1);
  });
  it('an answer that asks for nothing and proves nothing is neither failure nor success', () => {
    const four = times([0, 1_000, 2_000, 3_000]);
    const aside = failure(3_500, { action: 'not_applicable' });
    expect(told([...four, aside])).toEqual([]);
    expect(told([...four, aside, failure(4_000)])).toEqual([['forming', 4_000]]);
  });
  it('by call: verb and call both, told once where the request is told', () => {
    const ids = (fields: (at: number) => Partial<StreamSend>) =>
      [0, 1, 2, 3, 4].map((at) => failure(at * 1_000, { fingerprint: `id-${at}`, ...fields(at) }));
    expect(
      find(
        findErrorLoop,
        ids(() => ({})),
      ).map(({ evidence }) => evidence),
    ).toEqual([
      {
        stage: 'forming',
        code: 'X',
        count: 5,
        spanMs: 4_000,
        by: 'call',
        operationIds: ['o-0', 'o-1000', 'o-2000', 'o-3000', 'o-4000'],
      },
    ]);
    expect(told(ids((at) => ({ method: at < 2 ? 'GET' : 'POST' })))).toEqual([]);
    expect(told(ids((at) => ({ code: at < 2 ? 'X' : 'Y' })))).toEqual([]);
    expect(told(ids((at) => ({ fingerprint: undefined, method: at < 2 ? 'GET' : 'POST' })))).toEqual([]);
    // A loop that was told by request isn't told again by call.
    const five = times([0, 1_000, 2_000, 3_000, 4_000]);
    expect(told([...five, failure(5_000, { fingerprint: 'q' }), failure(6_000, { fingerprint: 'r' })])).toEqual([
      ['forming', 4_000],
    ]);
  });
  it('a loop that still holds by request is not told anew by call', () => {
    const first = times([0, 1_000, 2_000, 3_000, 4_000]);
    const other = works(4_500, { fingerprint: 'q' });
    expect(told([...first, other, ...times([5_000, 6_000, 7_000, 8_000, 9_000])])).toEqual([['forming', 4_000]]);
  });
  it('a request is no call: equal words do not meet', () => {
    const bare = [0, 1, 2, 3].map((at) => failure(at * 1_000, { fingerprint: undefined, call: 'p', method: '' }));
    expect(told([...bare, failure(4_000, { fingerprint: ' p', call: 'other' })])).toEqual([]);
  });
  it('scopes apart: portal, else host and credential, else the service', () => {
    const at = (fields: Partial<StreamSend>) => times([0, 1_000, 2_000, 3_000, 4_000], { scope: undefined, ...fields });
    const subject = (sends: StreamSend[]) => find(findErrorLoop, sends).map((finding) => finding.subject);
    expect(subject(at({ target: 'host', credential: 'c' }))).toEqual([{ kind: 'scope', value: 'host c' }]);
    expect(subject(at({ credential: 'c' }))).toEqual([{ kind: 'scope', value: 'c' }]);
    expect(subject(at({ target: 'host' }))).toEqual([{ kind: 'scope', value: 'host' }]);
    expect(subject(at({}))).toEqual([{ kind: 'scope', value: 'orders' }]);
    expect(subject(at({}).map((send, n) => ({ ...send, service: n < 2 ? 'orders' : 'billing' })))).toEqual([]);
    expect(subject(at({}).map((send, n) => ({ ...send, credential: n < 2 ? 'c' : 'd' })))).toEqual([]);
  });
  it('its own look-back is its window', () => {
    expect(findErrorLoop.lookBackMs(DEFAULT_SETTINGS)).toBe(5 * MINUTE);
    expect(findErrorLoop.lookBackMs({ ...DEFAULT_SETTINGS, errorLoopWindowMs: 9 })).toBe(9);
    expect(findErrorLoop.lookAheadMs(DEFAULT_SETTINGS)).toBe(0);
    expect([findErrorLoop.check, findErrorLoop.groupBy]).toEqual(['error_loop', 'scope']);
  });
});

describe('a loop that is announced', () => {
  const warned = (at: number, fields: Partial<StreamSend> = {}) => failure(at, { warned: true, ...fields });
  it('says that the platform warned', () => {
    expect(find(findErrorLoop, [warned(0)])).toEqual([
      expect.objectContaining({
        severity: 'medium',
        operationId: 'o-0',
        evidence: { stage: 'announced', code: 'X', operationIds: ['o-0'] },
      }),
    ]);
  });
  it('once a request, again after a success', () => {
    expect(told([warned(0), warned(1_000), warned(2_000)])).toEqual([['announced', 0]]);
    expect(told([warned(0), works(500), warned(1_000)])).toEqual([
      ['announced', 0],
      ['announced', 1_000],
    ]);
    expect(told([warned(0), warned(1_000, { fingerprint: 'q' })])).toHaveLength(2);
    expect(told([warned(0, { fingerprint: undefined }), warned(1_000)])).toHaveLength(1);
    expect(told([warned(0), warned(1_000, { scope: 'other' })])).toHaveLength(2);
  });
  it('a warning beside a success announces nothing', () => {
    expect(told([works(0, { warned: true })])).toEqual([]);
    expect(told([failure(0, { warned: true, action: 'not_applicable' })])).toEqual([]);
  });
  it('holds as long as it is told to, counted from the latest warning', () => {
    expect(told([warned(0), warned(60_000)], { heldMs: 60_000 })).toHaveLength(1);
    expect(told([warned(0), warned(60_001)], { heldMs: 60_000 })).toHaveLength(2);
    expect(told([warned(0), warned(40_000), warned(90_000)], { heldMs: 60_000 })).toHaveLength(1);
  });
});

describe('a loop that is open', () => {
  it('says who opened it, and of each further send how long after', () => {
    expect(find(findErrorLoop, [detected(0), failure(4_000, { attempt: 3 })])).toEqual([
      expect.objectContaining({
        severity: 'medium',
        operationId: 'o-0',
        evidence: { stage: 'open', code: 'ERROR_LOOP_DETECTED', operationIds: ['o-0'] },
      }),
      expect.objectContaining({
        severity: 'high',
        attempt: 3,
        operationId: 'o-4000',
        evidence: {
          stage: 'feeding',
          code: 'X',
          sinceMs: 4_000,
          openedBy: 'o-0',
          operationIds: ['o-0', 'o-4000'],
        },
      }),
    ]);
  });
  it('any further send of the request feeds it, but not one that works', () => {
    expect(told([detected(0), failure(1_000, { action: 'not_applicable' })])).toEqual([
      ['open', 0],
      ['feeding', 1_000],
    ]);
    expect(told([detected(0), works(1_000), failure(2_000)])).toEqual([['open', 0]]);
    expect(told([detected(0), failure(1_000, { fingerprint: 'q' })])).toEqual([['open', 0]]);
    expect(told([detected(0), failure(1_000, { scope: 'other' })])).toEqual([['open', 0]]);
  });
  it('without a fingerprint the call stands for the request', () => {
    const bare = { fingerprint: undefined };
    expect(told([detected(0, bare), failure(1_000, bare)])).toEqual([
      ['open', 0],
      ['feeding', 1_000],
    ]);
    expect(told([detected(0, bare), failure(1_000, { ...bare, call: 'GET /other' })])).toEqual([['open', 0]]);
  });
  it('a later detection is the opener from then on', () => {
    const [, again, third] = find(findErrorLoop, [detected(0), detected(1_000), failure(5_000)]);
    expect(again?.evidence).toMatchObject({ stage: 'feeding', sinceMs: 1_000, openedBy: 'o-0' });
    expect(third?.evidence).toMatchObject({ stage: 'feeding', sinceMs: 4_000, openedBy: 'o-1000' });
    // A failure that only feeds it does not.
    const [, , last] = find(findErrorLoop, [detected(0), failure(1_000), failure(5_000)]);
    expect(last?.evidence).toMatchObject({ stage: 'feeding', sinceMs: 5_000, openedBy: 'o-0' });
  });
  it('holds as long as it is told to, counted from the latest detection', () => {
    const given = { heldMs: 60_000 };
    expect(told([detected(0), failure(60_000)], given)).toHaveLength(2);
    expect(told([detected(0), failure(60_001)], given)).toHaveLength(1);
    expect(told([detected(0), detected(40_000), failure(90_000)], given)).toHaveLength(3);
    expect(told([detected(0), detected(60_001)], given)).toEqual([
      ['open', 0],
      ['open', 60_001],
    ]);
  });
  describe('until a fix', () => {
    const fixed = (at: number, fields: Parameters<typeof fix>[1]) =>
      told([detected(1_000), failure(9_000)], { facts: { fixes: [fix(at, fields)] } }).length === 1;
    const code = 'ERROR_LOOP_DETECTED';
    it.each([
      ['as it opens', 1_000, true],
      ['before it opens', 999, false],
      ['as the next send starts', 9_000, true],
      ['after that', 9_001, false],
    ])('%s: %i ms', (_name, at, closed) => {
      expect(fixed(at, { code })).toBe(closed);
    });
    it('of its code, by its service, or of one of the two operations', () => {
      expect(fixed(5_000, { code: 'OTHER' })).toBe(false);
      expect(fixed(5_000, { code, service: 'orders' })).toBe(true);
      expect(fixed(5_000, { code, service: 'billing' })).toBe(false);
      expect(fixed(5_000, { operationId: 'o-1000' })).toBe(true);
      expect(fixed(5_000, { operationId: 'o-9000' })).toBe(true);
      expect(fixed(5_000, { operationId: 'elsewhere', code })).toBe(false);
      const own = [detected(1_000, { code: 'B24_LOOP' }), failure(9_000)];
      const by = (named: string) => told(own, { facts: { fixes: [fix(5_000, { code: named })] } }).length;
      expect(by('B24_LOOP')).toBe(1);
      expect(by(code)).toBe(1);
      expect(by('B24')).toBe(2);
    });
    it('a detection after the fix opens a new loop, which that fix does not close', () => {
      const sends = [detected(1_000), detected(9_000), failure(12_000)];
      expect(told(sends, { facts: { fixes: [fix(5_000, { code })] } })).toEqual([
        ['open', 1_000],
        ['open', 9_000],
        ['feeding', 12_000],
      ]);
    });
    it('any of several', () => {
      const fixes = [fix(5_000, { code: 'OTHER' }), fix(6_000, { code })];
      expect(told([detected(1_000), failure(9_000)], { facts: { fixes } })).toHaveLength(1);
    });
  });
  it('repeated detections form a loop too', () => {
    const stages = told([0, 1_000, 2_000, 3_000, 4_000].map((at) => detected(at))).map(([stage]) => stage);
    expect(stages).toEqual(['open', 'feeding', 'feeding', 'feeding', 'feeding', 'forming']);
  });
});
