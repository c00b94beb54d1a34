import { describe, expect, it } from 'vitest';
import type { StreamSend } from '@/lib/core/checks/stream/stream';
import { findSynchronisedRetries } from '@/lib/core/checks/stream/synchronised-retries';
import { DEFAULT_SETTINGS } from '@/lib/core/operation';
import { T0 } from '../support/event';
import { find, resend, streamSend } from '../support/stream-send';

/** M10 by rule: what counts as a retry, how bins and their half minute are cut, whose clock is used. */

type Fields = Partial<StreamSend>;
type Given = Parameters<typeof find>[2];
/** T0 begins a bin of 250 ms and one of 2 s. */
const BIN = 250;
/** One retry each of `count` instances at `at`. */
const retries = (count: number, at: number, fields: Fields = {}, name = 'i') =>
  Array.from({ length: count }, (_, n) =>
    streamSend(at, { operationId: `${name}-${n}`, instance: `${name}-${n}`, attempt: 2, target: 'host', ...fields }),
  );
const all = (sends: StreamSend[], given?: Given) => find(findSynchronisedRetries, sends, given);
/** Bins that a herd fell into, ms after T0. */
const herds = (sends: StreamSend[], given?: Given) => all(sends, given).map(({ at }) => at - T0);

describe('synchronised_retries', () => {
  it('says how many retries of how many instances fell into which bin', () => {
    expect(all([...retries(12, 610), ...retries(3, 620, { instance: 'i-0', operationId: 'i-0' })])).toEqual([
      {
        check: 'synchronised_retries',
        severity: 'low',
        subject: { kind: 'target', value: 'host' },
        at: T0 + 500,
        evidence: {
          retries: 15,
          instances: 12,
          binMs: 250,
          meanAfter: 0,
          raWave: false,
          byReceiveTime: false,
          operationIds: Array.from({ length: 12 }, (_, n) => `i-${n}`),
        },
        window: expect.anything() as unknown,
        lookedAt: { operations: 12, attempts: 15 },
      },
    ]);
  });
  it('ten instances, in one bin', () => {
    expect(herds(retries(10, 0))).toEqual([0]);
    expect(herds(retries(9, 0))).toEqual([]);
    expect(herds(retries(20, 0, { instance: 'i-0' }))).toEqual([]);
    expect(herds([...retries(9, 0), ...retries(9, 0)])).toEqual([]);
    const bins = (first: number, second: number) =>
      herds([...retries(5, first), ...retries(5, second, {}, 'j')]).length;
    expect(bins(250, 499)).toBe(1);
    expect(bins(249, 250)).toBe(0);
    expect(herds(retries(4, 0), { settings: { herdInstancesMinCount: 4 } })).toEqual([0]);
    expect([...herds(retries(10, 100), { settings: { herdBinMs: 40 } })]).toEqual([80]);
  });
  it('retries alone: sends after another of their operation, not those somebody chose', () => {
    expect(herds(retries(10, 0, { attempt: 1 }))).toEqual([]);
    expect(herds(retries(10, 0, { reason: 'retry' }))).toEqual([0]);
    expect(herds(retries(10, 0, { reason: 'replay' }))).toEqual([0]);
    for (const reason of ['redirect', 'reauth', 'hedge'] as const)
      expect(herds(retries(10, 0, { reason }))).toEqual([]);
    // Numbers that restart: what came before tells that it is a retry.
    const again = retries(10, -5_000, { attempt: 1 }).map((first) =>
      resend(first, 4_900, { attempt: 1, target: 'host' }),
    );
    expect(herds(again)).toEqual([0]);
  });
  it('five times what a bin of the half minute after it holds on average', () => {
    // 120 bins: 240 retries are two a bin.
    const after = (count: number, at = BIN) =>
      retries(1, at, {}, 'bg').flatMap((one) => Array.from({ length: count }, () => one));
    expect(herds([...retries(10, 0), ...after(240)])).toEqual([0]);
    expect(herds([...retries(10, 0), ...after(241)])).toEqual([]);
    expect(all([...retries(10, 0), ...after(24)])[0]?.evidence.meanAfter).toBe(0.2);
    expect(herds([...retries(10, 0), ...after(241)], { settings: { herdFactor: 4.9 } })).toEqual([0]);
    // The last bin of the half minute counts, the next does not; nor does the one before, nor its own.
    expect(herds([...retries(10, 0), ...after(241, 30_249)])).toEqual([]);
    expect(herds([...retries(10, 0), ...after(241, 30_250)])).toEqual([0]);
    expect(herds([...retries(10, 0), ...after(241, -1)])).toEqual([0]);
    expect(herds([...retries(10, 0), ...after(241, 249)])).toEqual([0]);
    const half = { settings: { herdBaselineMs: 15_000 } };
    expect(herds([...retries(10, 0), ...after(120, 15_249)], half)).toEqual([0]);
    expect(herds([...retries(10, 0), ...after(121, 15_249)], half)).toEqual([]);
    expect(herds([...retries(10, 0), ...after(121, 15_250)], half)).toEqual([0]);
  });
  it('the time compared with slides from bin to bin', () => {
    const waves = [0, 1_000, 2_000, 40_000].flatMap((at) => retries(10, at));
    expect(all(waves).map(({ at, evidence }) => [at - T0, (evidence.meanAfter as number) * 120])).toEqual([
      [0, 20],
      [1_000, 10],
      [2_000, 0],
      [40_000, 0],
    ]);
    // Bins that lie apart by more than the time.
    const apart = [0, 31_000, 32_000].flatMap((at) => retries(10, at));
    expect(all(apart).map(({ evidence }) => (evidence.meanAfter as number) * 120)).toEqual([0, 10, 0]);
  });
  it('a time shorter than a bin is one bin', () => {
    const settings = { herdBaselineMs: 100 };
    expect(all([...retries(10, 0), ...retries(1, BIN, {}, 'j')], { settings })[0]?.evidence.meanAfter).toBe(1);
    expect(all([...retries(10, 0), ...retries(1, 2 * BIN, {}, 'j')], { settings })[0]?.evidence.meanAfter).toBe(0);
  });
  it('targets apart: the host, else the portal, else what is called', () => {
    const subject = (fields: Fields) => all(retries(10, 0, fields))[0]?.subject.value;
    expect(subject({})).toBe('host');
    expect(subject({ target: undefined, scope: 'portal' })).toBe('portal');
    expect(subject({ target: undefined, call: 'GET /x' })).toBe('GET /x');
    expect(herds([...retries(5, 0), ...retries(5, 0, { target: 'other' }, 'j')])).toEqual([]);
  });
  describe('a wave after an asked wait', () => {
    /** `kept` of ten waited as asked, the rest `gapMs`. */
    const wave = (kept: number, gapMs: number, askedMs: number | null = 1_000) =>
      all(
        retries(10, -2_000, { attempt: 1, askedMs }).flatMap((first, n) =>
          [first, resend(first, 0, { startAt: T0 + 10, refAt: T0 + 110, endAt: T0 + 110, target: 'host' })].map(
            (send, at) =>
              at === 0 ? send : { ...send, previous: { ...first, refAt: T0 + 10 - (n < kept ? 1_000 : gapMs) } },
          ),
        ),
      )[0]?.evidence.raWave;
    it('is labelled where half kept it', () => {
      expect(wave(10, 0)).toBe(true);
      expect(wave(5, 0)).toBe(true);
      expect(wave(4, 0)).toBe(false);
      expect(wave(10, 0, null)).toBe(false);
    });
    it('within the tolerance of seconds', () => {
      expect(wave(0, 950)).toBe(true);
      expect(wave(0, 949)).toBe(false);
      expect(wave(0, 1_500)).toBe(true);
    });
    it('not where nobody knows what came before', () => {
      expect(all(retries(10, 0))[0]?.evidence.raWave).toBe(false);
    });
  });
  describe('clocks that disagree', () => {
    /** Every instance's clock is `skewMs` further off; all arrive at one moment. */
    const skewed = (skewMs: number, arrival: (n: number) => number = () => 100, count = 12) =>
      retries(count, 0).map((send, n) => {
        const startAt = T0 + n * skewMs;
        return { ...send, startAt, endAt: startAt, refAt: startAt, receivedAt: T0 + arrival(n) };
      });
    it('give way to receive times in bins of two seconds, beyond the uncertainty', () => {
      expect(all(skewed(1_000))).toEqual([
        expect.objectContaining({
          at: T0,
          evidence: expect.objectContaining({
            byReceiveTime: true,
            binMs: 2_000,
            retries: 12,
            instances: 12,
          }) as unknown,
        }),
      ]);
      expect(herds(skewed(1_000, (n) => (n < 6 ? 1_999 : 2_000)))).toEqual([]);
      expect(herds(skewed(1_000, () => 2_000))).toEqual([2_000]);
      // 11 · 182 ms are more than two seconds; 11 · 181 are not.
      expect(herds(skewed(182))).toEqual([0]);
      expect(herds(skewed(181))).toEqual([]);
      expect(herds(skewed(181), { settings: { dateUncertaintyMs: 1_990 } })).toEqual([0]);
      expect(herds(skewed(181), { settings: { dateUncertaintyMs: 1_991 } })).toEqual([]);
      expect(
        all(
          skewed(1_000, () => 100),
          { settings: { herdReceiveBinMs: 500 } },
        )[0]?.evidence.binMs,
      ).toBe(500);
    });
    it('the time after is cut into the wider bins too', () => {
      const later = skewed(1_000, () => 4_100)
        .slice(0, 3)
        .map((send) => ({ ...send, operationId: 'later' }));
      expect(all([...skewed(1_000), ...later])[0]?.evidence.meanAfter).toBe(3 / 15);
    });
    it('unless somebody’s arrival is unknown', () => {
      const [first, ...rest] = skewed(1_000);
      expect(first && all([{ ...first, receivedAt: undefined }, ...rest])).toEqual([]);
    });
    it('clocks that agree send at different times', () => {
      const arrived = [...retries(10, 0), ...retries(1, 5_000, {}, 'j')].map((send) => ({
        ...send,
        receivedAt: send.endAt + 50,
      }));
      expect(all(arrived)[0]?.evidence.byReceiveTime).toBe(false);
    });
    it('the least delay of each clock is compared: a late arrival is no skew', () => {
      const slow = retries(12, 0).flatMap((send, n) => [
        { ...send, receivedAt: send.endAt + 50 },
        { ...send, receivedAt: send.endAt + 50 + n * 1_000 },
      ]);
      expect(all(slow)[0]?.evidence).toMatchObject({ byReceiveTime: false, binMs: 250 });
    });
  });
  it('looks a bin back, and the half minute with a bin ahead', () => {
    const reach = (herdBinMs: number, herdReceiveBinMs: number) => {
      const settings = { ...DEFAULT_SETTINGS, herdBinMs, herdReceiveBinMs };
      return [findSynchronisedRetries.lookBackMs(settings), findSynchronisedRetries.lookAheadMs(settings)];
    };
    expect(reach(250, 2_000)).toEqual([2_000, 32_000]);
    expect(reach(5_000, 2_000)).toEqual([5_000, 35_000]);
    expect([findSynchronisedRetries.check, findSynchronisedRetries.groupBy]).toEqual([
      'synchronised_retries',
      'target',
    ]);
  });
});
