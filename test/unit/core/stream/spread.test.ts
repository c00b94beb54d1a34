import { describe, expect, it } from 'vitest';
import type { Attempt } from '@/lib/core/attempt';
import { DEFAULT_SETTINGS, type Settings } from '@/lib/core/operation';
import { T0 } from '../support/event';
import { findAll, read } from '../support/find-all';
import { clients } from '../support/finding-scenarios';

/** M9, M10, M23: how gaps spread over many clients. */

const full: Partial<Attempt> = { policy: { baseMs: 1_000, capMs: 30_000, jitter: 'full' } };
const of = (check: string, facts: Attempt[], settings: Partial<Settings> = {}) =>
  findAll(facts, { settings: { ...DEFAULT_SETTINGS, ...settings } }).filter((finding) => finding.check === check);
const spread = (count: number, gapsOf: (client: number) => number[], fields: Partial<Attempt> = {}) =>
  clients(count, gapsOf, fields) as Attempt[];
/** The client's place between 0 and 1, evenly. */
const share = (client: number, count: number) => (client + 0.5) / count;

describe('no_jitter (M9)', () => {
  const grade = (facts: Attempt[], settings?: Partial<Settings>) => of('no_jitter', facts, settings)[0]?.evidence.grade;
  it('needs thirty pairs', () => {
    expect(grade(spread(29, () => [1_000]))).toBeUndefined();
    expect(grade(spread(30, () => [1_000]))).toBe('none');
    expect(
      grade(
        spread(29, () => [1_000]),
        { jitterPairsMinCount: 29 },
      ),
    ).toBe('none');
  });
  it('full jitter is even, and no finding', () => {
    expect(grade(spread(40, (client) => [share(client, 40) * 1_000], full))).toBeUndefined();
    expect(
      grade(spread(40, (client) => [share(client, 40) * 1_000, share((client * 7) % 40, 40) * 2_000], full)),
    ).toBeUndefined();
  });
  it('ten per cent either way is none in practice; the bound is a setting', () => {
    const ten = spread(40, (client) => [900 + share(client, 40) * 200]);
    const [finding] = of('no_jitter', ten);
    expect(finding?.evidence.spread).toBeCloseTo(0.058, 3);
    expect(finding).toMatchObject({ severity: 'low', subject: { kind: 'service', value: 'orders' } });
    expect(grade(ten, { jitterSpreadMinShare: 0.05 })).toBeUndefined();
  });
  it('without a base or with another factor only gaps of the same step are compared', () => {
    expect(grade(spread(20, () => [1_000, 1_500, 2_250]))).toBe('none');
    expect(grade(spread(20, (client) => [1_000 * share(client, 20), 1_500, 2_250]))).toBeUndefined();
    expect(grade(spread(20, () => [1_000, 1_500, 2_250], { policy: { baseMs: 1_000 } }))).toBe('none');
  });
  it('half jitter is partial, where full jitter is declared or the rule', () => {
    const half = (fields: Partial<Attempt>) => spread(40, (client) => [500 + share(client, 40) * 500], fields);
    expect(grade(half(full))).toBe('partial');
    expect(grade(half({ profile: 'quillhub' }))).toBe('partial');
    expect(grade(half({ policy: { baseMs: 1_000 } }))).toBeUndefined();
    expect(grade(half({ policy: { baseMs: 1_000, jitter: 'equal' } }))).toBeUndefined();
  });
  it('leaves out asked waits, the 429 of QuillHub, missing names, other reasons and other clocks', () => {
    const gone = { status: undefined, error: { name: 'Error', code: 'ENOTFOUND', syscall: 'getaddrinfo' } };
    expect(grade(spread(40, () => [1_000], { status: 429, retryAfter: ['1'] }))).toBeUndefined();
    expect(grade(spread(40, () => [1_000], { status: 429, profile: 'quillhub' }))).toBeUndefined();
    expect(grade(spread(40, () => [1_000], { ...gone, profile: 'quillhub' }))).toBeUndefined();
    expect(grade(spread(40, () => [1_000], { reason: 'replay' }))).toBeUndefined();
    expect(grade(spread(40, () => [1_000], { status: 422 }))).toBeUndefined();
    const moving = spread(40, () => [1_000]).map((send, at) => ({ ...send, instance: `i-${at}` }));
    expect(grade(moving)).toBeUndefined();
  });
  it('excludes gaps over their bound and counts them', () => {
    const some = spread(40, (client) => [client < 4 ? 1_060 : 1_040], full);
    expect(of('no_jitter', some)[0]?.evidence).toMatchObject({ excluded: 4, pairs: 40 });
  });
  it('pools reads and writes of one service and policy, and keeps services and policies apart', () => {
    const half = (service: string, offset: number, fields: Partial<Attempt> = {}) =>
      spread(15, () => [1_000], { service, ...fields }).map((send) => ({
        ...send,
        operationId: `${send.operationId}-${service}-${offset}`,
      }));
    expect(grade([...half('a', 1), ...half('a', 2, { kind: 'write', method: 'PUT' })])).toBe('none');
    expect(grade([...half('a', 1), ...half('b', 2)])).toBeUndefined();
    expect(grade([...half('a', 1), ...half('a', 2, { policy: { baseMs: 500 } })])).toBeUndefined();
  });
});

describe('backoff_shape (M23)', () => {
  const shape = (facts: Attempt[], settings?: Partial<Settings>) => of('backoff_shape', facts, settings);
  const around = (middle: number) => spread(40, (client) => [middle + (share(client, 40) - 0.5) * 100], full);
  it.each([
    [249, true],
    [251, false],
    [749, false],
    [751, true],
  ])('a middle gap of %i ms under a bound of 1,000: found %s', (middle, found) => {
    expect(shape(around(middle)).length > 0).toBe(found);
  });
  it('says which steps are off, and has its tolerance', () => {
    expect(shape(around(100))[0]?.evidence).toMatchObject({ kind: 'median_off', step: 1, pairs: 40, expectedMs: 500 });
    expect(shape(around(100), { backoffMedianShare: 0.9 })).toEqual([]);
    expect(shape(spread(29, () => [10], full))).toEqual([]);
  });
  it('is not judged without full jitter or without a base', () => {
    expect(shape(spread(40, () => [10], { policy: { baseMs: 1_000 } }))).toEqual([]);
    expect(shape(spread(40, () => [10], { policy: { jitter: 'full' } }))).toEqual([]);
    expect(shape(spread(40, () => [10], { profile: 'quillhub' })).length).toBe(1);
  });
  it('a gap over the cap, with nothing asked, in its own operation', () => {
    const over = (gapMs: number, first: Partial<Attempt> = {}) =>
      shape([read(1, 0, { status: 503, ...full, ...first }), read(2, 100 + gapMs, { status: 200 })]).length;
    expect(over(30_050)).toBe(0);
    expect(over(30_051)).toBe(1);
    expect(over(60_000, { status: 429, retryAfter: ['60'] })).toBe(0);
    expect(over(60_000, { policy: { capMs: 30_000 } })).toBe(0);
    expect(over(30_051, { policy: undefined, profile: 'quillhub' })).toBe(1);
    expect(over(60_000, { policy: { jitter: 'full' } })).toBe(0);
  });
});

describe('synchronised_retries (M10)', () => {
  const herds = (facts: Attempt[], settings?: Partial<Settings>) => of('synchronised_retries', facts, settings);
  const background = (count: number, everyMs: number) =>
    Array.from({ length: count }, (_, at) => [
      read(1, 1_000 + at * everyMs, { operationId: `bg-${at}`, instance: 'bg', target: 'api.example', status: 503 }),
      read(2, 1_400 + at * everyMs, { operationId: `bg-${at}`, instance: 'bg', target: 'api.example', status: 503 }),
    ]).flat();
  it('needs ten instances in one bin', () => {
    expect(herds(spread(9, () => [1_000]))).toEqual([]);
    expect(herds(spread(10, () => [1_000]))).toHaveLength(1);
    expect(herds(spread(10, () => [1_000], { instance: 'one' }))).toEqual([]);
    expect(
      herds(
        spread(9, () => [1_000]),
        { herdInstancesMinCount: 9 },
      ),
    ).toHaveLength(1);
  });
  it('says what it saw', () => {
    const [herd] = herds(spread(12, () => [1_000]));
    expect(herd).toMatchObject({
      severity: 'low',
      subject: { kind: 'target', value: 'api.example' },
      evidence: { retries: 12, instances: 12, binMs: 250, meanAfter: 0, raWave: false, byReceiveTime: false },
    });
    expect((herd as unknown as { at: number }).at).toBe(Math.floor((T0 + 1_100) / 250) * 250);
  });
  it('needs five times the mean of the half minute after it', () => {
    // 10 retries in the bin; 240 in the 120 bins after it are 2 a bin, 300 are 2.5.
    expect(herds([...spread(10, () => [1_000]), ...background(240, 120)])).toHaveLength(1);
    expect(herds([...spread(10, () => [1_000]), ...background(300, 90)])).toEqual([]);
    expect(herds([...spread(10, () => [1_000]), ...background(300, 90)], { herdFactor: 3 })).toHaveLength(1);
  });
  it('counts retries alone, and targets apart', () => {
    expect(herds(spread(12, () => []))).toEqual([]);
    expect(herds(spread(12, () => [1_000], { reason: 'hedge' }))).toEqual([]);
    const two = spread(12, () => [1_000]).map((send, at) => ({ ...send, target: at % 4 < 2 ? 'a' : 'b' }));
    expect(herds(two)).toEqual([]);
  });
  it('a wave after a shared asked wait is labelled', () => {
    expect(herds(spread(12, () => [1_000], { status: 429, retryAfter: ['1'] }))[0]?.evidence.raWave).toBe(true);
    expect(herds(spread(12, () => [500], { status: 429, retryAfter: ['1'] }))[0]?.evidence.raWave).toBe(false);
  });
  it('clocks that disagree give way to receive times in wider bins', () => {
    const skewed = spread(12, () => [1_000]).map((send, at) => {
      const client = Math.floor(at / 2);
      const startedAt = send.startedAt + client * 60_000;
      return { ...send, startedAt, endedAt: startedAt + 100, receivedAt: send.startedAt + 150 };
    });
    expect(herds(skewed)[0]?.evidence).toMatchObject({ byReceiveTime: true, binMs: 2_000, instances: 12 });
    const agreeing = skewed.map((send, at) => ({ ...send, receivedAt: send.startedAt + 150 + at }));
    expect(herds(agreeing)).toEqual([]);
  });
});
