import { describe, expect, it } from 'vitest';
import { findWebhookSchedule } from '@/lib/core/checks/stream/webhook-schedule';
import { DEFAULT_SETTINGS } from '@/lib/core/operation';
import { T0 } from '../support/event';
import { delivery, find, jobResult, streamSend } from '../support/stream-send';

/** M22 by rule: every gap of the table, its fifth either way, what comes after its end, and whose operation it is. */

const SECOND = 1_000;
/** Gaps the platform publishes, s. */
const GAPS = [60, 300, 1_800, 7_200, 43_200];
type Given = Parameters<typeof find>[2];
type Delivery = ReturnType<typeof delivery>;

/** Deliveries with the gaps told, s, all refused. */
function paced(gaps: readonly number[]): Delivery[] {
  let at = 0;
  return [0, ...gaps].map((gap) => delivery((at += gap * SECOND), 500));
}
const all = (deliveries: Delivery[], given: Given = {}, sends: Parameters<typeof find>[1] = []) =>
  find(findWebhookSchedule, sends, { ...given, facts: { ...given.facts, deliveries } });
const kinds = (deliveries: Delivery[], given?: Given) =>
  all(deliveries, given).map(({ evidence }) => [evidence.kind, evidence.delivery]);

describe('webhook_schedule', () => {
  it('says which delivery of which event came after what gap instead of which', () => {
    expect(all([delivery(90_000, 503), delivery(0, 500)])).toEqual([
      {
        check: 'webhook_schedule',
        severity: 'low',
        subject: { kind: 'job', value: 'job' },
        at: T0 + 90_000,
        evidence: {
          kind: 'off_schedule',
          event: 'done',
          delivery: 2,
          status: 503,
          gapMs: 90_000,
          expectedMs: 60_000,
        },
        window: expect.anything() as unknown,
        lookedAt: { operations: 0, attempts: 0 },
      },
    ]);
    const [, late] = all([delivery(0, 204), delivery(1, 410), delivery(2, 500)]);
    expect(late?.evidence).toEqual({ kind: 'after_success', event: 'done', delivery: 3, status: 500, takenAs: 1 });
    const many = all([...paced(GAPS), delivery(90_000_000, 502)]);
    expect(many.map(({ evidence }) => evidence)).toEqual([
      { kind: 'too_many', event: 'done', delivery: 7, status: 502, deliveriesMax: 6 },
    ]);
  });
  it.each(GAPS.map((gap, place) => [place + 1, gap] as const))(
    'gap %i is %i s, a fifth either way, inclusive',
    (place, gap) => {
      const given = (seconds: number) => kinds(paced([...GAPS.slice(0, place - 1), seconds]));
      expect(given(gap)).toEqual([]);
      expect(given(gap * 1.2)).toEqual([]);
      expect(given(gap * 0.8)).toEqual([]);
      expect(given(gap * 1.2 + 0.001)).toEqual([['off_schedule', place + 1]]);
      expect(given(gap * 0.8 - 0.001)).toEqual([['off_schedule', place + 1]]);
    },
  );
  it('each gap is counted from the delivery before it', () => {
    expect(kinds(paced([72, 360, 2_160, 8_640, 51_840]))).toEqual([]);
    expect(kinds(paced([90, 300]))).toEqual([['off_schedule', 2]]);
  });
  it('a delivery is judged by those of the two days before it, whatever a look has besides', () => {
    const hours = (count: number, over = 0) => count * 3_600 + over;
    expect(kinds(paced([hours(48)]))).toEqual([['off_schedule', 2]]);
    expect(kinds(paced([hours(48, 0.001)]))).toEqual([]);
    expect(kinds([delivery(0, 204), delivery(hours(48) * SECOND, 500)])).toEqual([['after_success', 2]]);
    expect(kinds([delivery(0, 204), delivery(hours(48) * SECOND + 1, 500)])).toEqual([]);
    // The first has left: the third follows the second, and is the second of its days.
    const third = all(paced([hours(30), hours(30)])).at(-1);
    expect(third?.evidence).toMatchObject({ delivery: 2, gapMs: hours(30) * SECOND, expectedMs: 60_000 });
    const later = all([delivery(0, 204), delivery(hours(30) * SECOND, 200), delivery(hours(60) * SECOND, 500)]).at(-1);
    expect(later?.evidence).toMatchObject({ kind: 'after_success', delivery: 2, takenAs: 1 });
  });
  it('as offsets, where so set, each is counted from the first', () => {
    const given = { settings: { webhookByOffsetsSwitch: 1 } };
    const offsets = (...seconds: number[]) =>
      kinds(
        seconds.map((at) => delivery(at * SECOND, 500)),
        given,
      );
    expect(offsets(0, 60, 300, 1_800, 7_200, 43_200)).toEqual([]);
    expect(offsets(0, 60, 360)).toEqual([]);
    expect(offsets(0, 60, 361)).toEqual([['off_schedule', 3]]);
    // 60, 360, 2,160, 9,360 and 52,560 s after the first: the last two leave the offsets by more than a fifth.
    expect(kinds(paced(GAPS), given)).toEqual([
      ['off_schedule', 5],
      ['off_schedule', 6],
    ]);
  });
  it('the tolerance and the most deliveries are settings', () => {
    expect(kinds(paced([90]), { settings: { webhookToleranceShare: 0.5 } })).toEqual([]);
    expect(kinds(paced([60.001]), { settings: { webhookToleranceShare: 0 } })).toEqual([['off_schedule', 2]]);
    expect(kinds(paced([90]), { settings: { webhookDeliveriesMaxCount: 1 } })).toEqual([
      ['too_many', 2],
      ['off_schedule', 2],
    ]);
  });
  it.each([
    [199, 0],
    [200, 1],
    [299, 1],
    [300, 0],
  ])('a delivery answered with %i was taken: %i', (status, count) => {
    expect(kinds([delivery(0, status), delivery(60_000, 500)])).toHaveLength(count);
  });
  it('what follows one that was taken is told as that alone', () => {
    const taken = [delivery(0, 500), delivery(60_000, 200), delivery(61_000, 200), delivery(62_000, 500)];
    expect(all(taken).map(({ evidence }) => [evidence.kind, evidence.delivery, evidence.takenAs])).toEqual([
      ['after_success', 3, 2],
      ['after_success', 4, 2],
    ]);
  });
  it('each is judged by those of the two days before it alone', () => {
    const HOUR = 3_600_000;
    const at = (...given: [number, number][]) => kinds(given.map(([hours, status]) => delivery(hours * HOUR, status)));
    expect(at([0, 200], [48, 500])).toEqual([['after_success', 2]]);
    expect(at([0, 200], [48.001, 500])).toEqual([]);
    // The first has left the two days: what is left is one delivery, then this one.
    expect(at([0, 500], [47, 500], [49, 500])).toEqual([
      ['off_schedule', 2],
      ['off_schedule', 2],
    ]);
    expect(at([0, 500], [1, 200], [48.5, 500], [50, 500])).toEqual([
      ['off_schedule', 2],
      ['after_success', 2],
      ['off_schedule', 2],
    ]);
  });
  it('jobs and events apart', () => {
    expect(kinds([delivery(0, 500), delivery(9, 500, { event: 'failed' })])).toEqual([]);
    expect(kinds([delivery(0, 500), delivery(9, 500, { jobId: 'other' })])).toEqual([]);
    expect(
      kinds([delivery(0, 500, { jobId: 'a","b', event: 'c' }), delivery(9, 500, { jobId: 'a', event: 'b","c' })]),
    ).toEqual([]);
  });
  it('equal instants in a set order', () => {
    const a = delivery(0, 500, { id: 'a' });
    const b = delivery(0, 501, { id: 'b' });
    for (const both of [
      [a, b],
      [b, a],
    ])
      expect(all(both)[0]?.evidence.status).toBe(501);
  });
  describe('whose it is', () => {
    const late = [delivery(0, 500), delivery(9_000, 500)];
    const owner = (given: Given, sends: Parameters<typeof find>[1] = [], deliveries = late) =>
      all(deliveries, given, sends)[0]?.operationId;
    const made = (operationId: string, at: number, jobId = 'job') => streamSend(at, { operationId, jobId });
    it('the delivery’s own word first', () => {
      const told = late.map((one) => ({ ...one, operationId: 'told' }));
      expect(owner({}, [made('a', 0)], told)).toBe('told');
    });
    it('else the first send that was answered with the job, else the first result that names it', () => {
      const results = [
        jobResult(2_000, 'completed', { operationId: 'r2', id: 'x' }),
        jobResult(1_000, 'completed', { operationId: 'r1', id: 'z' }),
      ];
      const given = { facts: { jobs: results } };
      expect(owner(given, [made('b', 10), made('a', 0)])).toBe('a');
      expect(owner(given, [made('a', 0, 'other')])).toBe('r1');
      expect(owner(given)).toBe('r1');
      const tied = results.map((one) => ({ ...one, startedAt: T0 }));
      expect(owner({ facts: { jobs: tied } })).toBe('r2');
      expect(owner({ facts: { jobs: [...tied].reverse() } })).toBe('r2');
    });
    it('else nobody’s', () => {
      const [found] = all(late, {}, [streamSend(0, { operationId: 'a' })]);
      expect(found && 'operationId' in found).toBe(false);
    });
  });
  it('looks two days back, past the whole table at its widest tolerance', () => {
    expect(findWebhookSchedule.lookBackMs({ ...DEFAULT_SETTINGS, webhookToleranceShare: 1 })).toBe(172_800_000);
    expect(GAPS.reduce((sum, gap) => sum + 2 * gap * SECOND, 0)).toBeLessThan(172_800_000);
    expect(findWebhookSchedule.lookAheadMs(DEFAULT_SETTINGS)).toBe(0);
    expect([findWebhookSchedule.check, findWebhookSchedule.groupBy]).toEqual(['webhook_schedule', 'job']);
  });
});
