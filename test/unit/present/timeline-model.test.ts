import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Attempt, Fact } from '@/lib/core/attempt';
import type { JudgedAttempt, Pair } from '@/lib/core/operation';
import type { Verdict } from '@/lib/core/verdict';
import { prepareTimeline, type FactRow, type SendRow } from '@/lib/present/timeline-model';
import { listTicks, positionOf, prepareScale } from '@/lib/present/timeline-scale';

const START = Date.UTC(2026, 9, 22, 10, 0, 0);

const verdict: Verdict = {
  action: 'retry_with_limit',
  classifier: null,
  reached: 'no',
  effect: 'none',
  unknownOutcome: false,
  code: 'RATE_LIMITED',
  gates: ['wait'],
  wait: { source: 'none', form: null, delayMs: null, strict: false, conformant: true, issues: [], skewMs: null },
  phase: 'complete',
  rule: 'RATE_LIMITED',
  ruleSet: 'vibecode@2026-10-22',
  flags: [],
};

function send(attempt: number, startedAt: number, rest: Partial<Attempt> = {}): JudgedAttempt {
  return {
    attempt: {
      type: 'attempt',
      id: `a${attempt}`,
      operationId: 'op',
      attempt,
      startedAt,
      environment: 'production',
      service: 's',
      call: 'c',
      ...rest,
    },
    verdict,
    synthetic: false,
  };
}

function pair(attempt: number, rest: Partial<Pair>): Pair {
  return {
    attempt,
    attemptEventId: `a${attempt}`,
    at: START,
    compliance: 'not_asked',
    askedMs: null,
    gapMs: null,
    earlyMs: 0,
    overMs: 0,
    strict: false,
    approx: false,
    ...rest,
  };
}

const readBack = (startedAt: number, endedAt = startedAt): Fact => ({
  type: 'readback',
  id: `r${startedAt}`,
  operationId: 'op',
  environment: 'production',
  startedAt,
  endedAt,
  result: 'absent',
  criterion: 'unique',
});

const sendsOf = (rows: (SendRow | FactRow)[]) => rows.filter((row) => row.kind === 'send');
const at = <T>(list: readonly T[], index: number): T => {
  const item = list[index];
  if (item === undefined) throw new Error(`nothing at ${index}`);
  return item;
};

describe('prepareTimeline', () => {
  it('draws the asked wait as a band and an early next send as a mark inside it', () => {
    const model = prepareTimeline({
      sends: [send(1, START, { endedAt: START + 200 }), send(2, START + 700, { endedAt: START + 900 })],
      pairs: [
        pair(1, { compliance: 'early', askedMs: 2_000, gapMs: 500, earlyMs: 1_500 }),
        pair(2, { compliance: 'not_asked' }),
      ],
      facts: [],
    });
    const first = at(sendsOf(model.rows), 0);
    expect(first.wait).toMatchObject({ askedMs: 2_000, from: START + 200, to: START + 2_200 });
    expect(first.next).toMatchObject({ at: START + 700, standing: 'early', gapMs: 500 });
    const { wait, next } = first;
    if (!wait || !next) throw new Error('expected both');
    expect(next.x).toBeGreaterThan(wait.x0);
    expect(next.x).toBeLessThan(wait.x1);
    // To scale: a quarter of the asked wait had passed.
    expect((next.x - wait.x0) / (wait.x1 - wait.x0)).toBeCloseTo(0.25, 5);
    expect(model.breaks).toEqual([]);
  });

  it('counts the asked wait from the answer head, not from the end of its body', () => {
    const model = prepareTimeline({
      sends: [send(1, START, { headersAt: START + 100, endedAt: START + 5_000 })],
      pairs: [pair(1, { compliance: 'pending', askedMs: 1_000 })],
      facts: [],
    });
    const row = at(sendsOf(model.rows), 0);
    expect(row.wait?.from).toBe(START + 100);
    expect(row.headX).toBeCloseTo(100 / 5_000, 5);
    expect(row.next).toBeNull();
  });

  it('marks a kept wait as kept and one that was never asked as plain', () => {
    const model = prepareTimeline({
      sends: [
        send(1, START, { endedAt: START + 10 }),
        send(2, START + 1_100, { endedAt: START + 1_200 }),
        send(3, START + 2_000, { endedAt: START + 2_100 }),
      ],
      pairs: [
        pair(1, { compliance: 'honoured', askedMs: 1_000, gapMs: 1_090 }),
        pair(2, { compliance: 'not_asked', gapMs: 800 }),
      ],
      facts: [],
    });
    expect(sendsOf(model.rows).map((row) => row.next?.standing)).toEqual(['kept', 'plain', undefined]);
  });

  it('cuts a long idle stretch with a break that says how long it was, and keeps the rest to scale', () => {
    const hour = 3_600_000;
    const model = prepareTimeline({
      sends: [send(1, START, { endedAt: START + 1_000 }), send(2, START + 3_000, { endedAt: START + 4_000 })],
      pairs: [pair(1, { compliance: 'honoured', askedMs: 2_000, gapMs: 2_000 })],
      facts: [readBack(START + 4_000 + hour)],
    });
    expect(model.breaks).toHaveLength(1);
    expect(at(model.breaks, 0).skippedMs).toBe(hour);
    expect(at(model.breaks, 0).x1 - at(model.breaks, 0).x0).toBeLessThan(0.1);
    const [one, two] = sendsOf(model.rows);
    if (!one || !two) throw new Error('expected two sends');
    expect(one.x1 - one.x0).toBeCloseTo(two.x1 - two.x0, 6);
    expect(two.x0 - one.x1).toBeCloseTo(2 * (one.x1 - one.x0), 6);
  });

  it('never cuts a wait of two minutes, however short the sends around it', () => {
    const model = prepareTimeline({
      sends: [send(1, START, { endedAt: START + 5 }), send(2, START + 120_005, { endedAt: START + 120_010 })],
      pairs: [pair(1, { compliance: 'honoured', askedMs: 120_000, gapMs: 120_000 })],
      facts: [],
    });
    expect(model.breaks).toEqual([]);
  });

  it('keeps overlapping sends on rows of their own and says that they overlap', () => {
    const model = prepareTimeline({
      sends: [
        send(1, START, { endedAt: START + 900 }),
        send(2, START + 300, { endedAt: START + 600, reason: 'hedge' }),
        send(3, START + 1_000, { endedAt: START + 1_100 }),
      ],
      pairs: [pair(1, { compliance: 'early', askedMs: 500, gapMs: -600, earlyMs: 500 })],
      facts: [],
    });
    expect(sendsOf(model.rows).map((row) => row.overlaps)).toEqual([false, true, false]);
    expect(at(sendsOf(model.rows), 0).next).toMatchObject({ at: START + 300, standing: 'early' });
  });

  it('leaves the end open where nobody saw one, and takes zero-length sends', () => {
    const model = prepareTimeline({
      sends: [send(1, START), send(2, START, { endedAt: START })],
      pairs: [],
      facts: [],
    });
    const [unknown, instant] = sendsOf(model.rows);
    expect(unknown).toMatchObject({ openEnd: true, tookMs: null, endedAt: null, x0: 0, x1: 0 });
    expect(instant).toMatchObject({ openEnd: false, tookMs: 0, x0: 0, x1: 0 });
    expect(model).toMatchObject({ from: START, to: START, ticks: [] });
  });

  it('does not draw an end before its start when clocks disagree', () => {
    const model = prepareTimeline({ sends: [send(1, START, { endedAt: START - 50 })], pairs: [], facts: [] });
    expect(at(sendsOf(model.rows), 0)).toMatchObject({ tookMs: 0, endedAt: START });
  });

  it('keeps sends in their settled order and puts facts where they happened', () => {
    const model = prepareTimeline({
      sends: [send(1, START, { endedAt: START + 10 }), send(2, START + 100, { endedAt: START + 110 })],
      pairs: [],
      facts: [
        readBack(START + 200, START + 250),
        readBack(START + 50),
        {
          type: 'attempt_started',
          id: 's',
          operationId: 'op',
          attempt: 1,
          startedAt: START,
          environment: 'production',
          service: 's',
          call: 'c',
        },
      ],
    });
    expect(model.rows.map((row) => row.id)).toEqual(['a1', `r${START + 50}`, 'a2', `r${START + 200}`]);
  });

  it('measures the same across the hour that daylight saving takes away', () => {
    const build = (start: number) =>
      prepareTimeline({
        sends: [send(1, start, { endedAt: start + 500 }), send(2, start + 7_200_000, { endedAt: start + 7_200_500 })],
        pairs: [pair(1, { compliance: 'honoured', askedMs: 7_199_000, gapMs: 7_199_500 })],
        facts: [],
      });
    // Berlin springs forward on 2026-03-29 at 01:00 UTC.
    const across = build(Date.UTC(2026, 2, 29, 0, 30));
    const plain = build(Date.UTC(2026, 5, 1, 0, 30));
    expect(across.rows.map((row) => [row.x0, row.x1])).toEqual(plain.rows.map((row) => [row.x0, row.x1]));
    expect(across.ticks).toEqual(plain.ticks);
  });

  it('gives an empty drawing for nothing', () => {
    expect(prepareTimeline({ sends: [], pairs: [], facts: [] })).toEqual({
      from: 0,
      to: 0,
      rows: [],
      breaks: [],
      ticks: [],
    });
  });
});

describe('prepareScale', () => {
  const span = fc
    .tuple(fc.integer({ min: 0, max: 100_000_000 }), fc.integer({ min: 0, max: 4_000_000 }))
    .map(([from, length]) => ({ from, to: from + length }));
  const input = fc.record({
    running: fc.array(span, { maxLength: 8 }),
    waiting: fc.array(span, { maxLength: 8 }),
    points: fc.array(fc.integer({ min: 0, max: 100_000_000 }), { maxLength: 8 }),
  });

  it('is monotonic, without holes, from 0 to 1', () => {
    fc.assert(
      fc.property(input, (given) => {
        const scale = prepareScale(given);
        scale.forEach((stretch, i) => {
          expect(stretch.x1).toBeGreaterThanOrEqual(stretch.x0);
          expect(stretch.from).toBe(scale[i - 1]?.to ?? stretch.from);
          expect(stretch.x0).toBeCloseTo(scale[i - 1]?.x1 ?? 0, 9);
        });
        if (scale.length > 0) expect(scale.at(-1)?.x1).toBe(1);
        const instants = [...given.points, ...given.running.flatMap((s) => [s.from, s.to])].sort((a, b) => a - b);
        const xs = instants.map((instant) => positionOf(scale, instant));
        expect(xs).toEqual([...xs].sort((a, b) => a - b));
      }),
    );
  });

  it('draws every stretch that is not cut with one and the same scale', () => {
    fc.assert(
      fc.property(input, (given) => {
        const linear = prepareScale(given).filter((s) => !s.cut);
        const density = linear.map((s) => (s.x1 - s.x0) / (s.to - s.from));
        for (const value of density) expect(value / at(density, 0)).toBeCloseTo(1, 4);
      }),
    );
  });

  it('never cuts the time a send was under way', () => {
    fc.assert(
      fc.property(input, (given) => {
        for (const cut of prepareScale(given).filter((s) => s.cut))
          expect(given.running.some((run) => run.from <= cut.from && run.to >= cut.to)).toBe(false);
      }),
    );
  });

  it('puts a handful of rounded ticks, none on another', () => {
    fc.assert(
      fc.property(input, (given) => {
        const ticks = listTicks(prepareScale(given), 0.2);
        expect(ticks.length).toBeLessThanOrEqual(7);
        ticks.slice(1).forEach((tick, i) => expect(tick.x - at(ticks, i).x).toBeGreaterThan(0.17));
      }),
    );
  });
});
