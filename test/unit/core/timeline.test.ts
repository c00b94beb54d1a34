import { describe, expect, it } from 'vitest';
import type { Attempt, Fact } from '@/lib/core/attempt';
import { DEFAULT_SETTINGS } from '@/lib/core/operation';
import { buildTimeline, totalDeadlineMs, type FoldContext } from '@/lib/core/timeline';
import { attempt, fact, foldContext, T0 } from './support/event';

/** Facts of one operation put in order: domain.md §7 (stream), contract (`attempt_started`, times). */

const MIN = 60_000;
const build = (facts: Fact[], fields: Partial<FoldContext> = {}) =>
  buildTimeline({ operationId: 'op', facts }, foldContext(fields));
const ids = (facts: { id: string }[]) => facts.map(({ id }) => id);
const sent = (facts: Fact[]) => ids(build(facts).sends.map((send) => send.attempt));
const started = (fields: Record<string, unknown>) =>
  fact({ type: 'attempt_started', attempt: 1, service: 'orders', call: 'POST /case', kind: 'write', ...fields });

/** The same for every order of arrival. */
function everyOrder<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, at) =>
    everyOrder(items.filter((_, other) => other !== at)).map((rest) => [item, ...rest]),
  );
}

describe('repeats', () => {
  const one = attempt({ id: 'x', call: 'first', receivedAt: T0 + 10 });

  it('the first received stays, however they come', () => {
    const later = attempt({ id: 'x', call: 'second', receivedAt: T0 + 11 });
    const never = { ...attempt({ id: 'x', call: 'third' }), receivedAt: undefined };
    for (const facts of everyOrder([one, later, never])) {
      expect(build(facts).sends.map((send) => send.attempt.call)).toEqual(['first']);
    }
  });

  it('of two received at once it is always the same one', () => {
    const nested = (headers: Record<string, string>, bodyErrors: string[]): Attempt =>
      attempt({ id: 'x', receivedAt: T0, headers, bodyErrors });
    for (const [a, b] of [
      [nested({ age: '1' }, ['A']), nested({ age: '2' }, ['A'])],
      [nested({ age: '1' }, ['A', 'B']), nested({ age: '1' }, ['AB'])],
      [nested({ age: '1' }, []), { ...nested({ age: '1' }, []), firstStatus: null }],
      [nested({ age: '1' }, []), nested({ age: '1', 'content-type': 'x' }, [])],
    ] as const) {
      const winner = (facts: Fact[]) => build(facts).sends[0]?.attempt;
      expect(winner([a, b])).toEqual(winner([b, a]));
    }
  });

  it('neither the order of fields nor a field that holds nothing makes another content', () => {
    const { id, ...rest } = attempt({ id: '', receivedAt: T0, headers: { age: '1', 'content-type': 'x' } });
    const turned = { ...rest, headers: { 'content-type': 'x', age: '1' }, code: undefined, id };
    expect(build([{ ...rest, id }, turned]).sends).toHaveLength(1);
    expect(
      build([
        { ...rest, id },
        { ...turned, code: 'X' },
      ]).sends,
    ).toHaveLength(2);
    expect(
      build([
        { ...rest, id },
        { ...turned, headers: { age: '2', 'content-type': 'x' } },
      ]).sends,
    ).toHaveLength(2);
    expect(
      build([
        { ...rest, id },
        { ...turned, bodyErrors: ['A'] },
      ]).sends,
    ).toHaveLength(2);
  });
});

describe('order of sends', () => {
  const at = (id: string, number: number, ms: number, fields: Partial<Attempt> = {}) =>
    attempt({ id, attempt: number, startedAt: T0 + ms, ...fields });

  it.each([
    ['by start on one clock, whatever the numbers', [at('a', 2, 0), at('b', 1, 50)]],
    ['by number where starts are equal', [at('b', 1, 0), at('a', 2, 0)]],
    ['by id where numbers are equal too', [at('a', 1, 0), at('b', 1, 0), at('c', 1, 0)]],
    ['by number between clocks', [at('a', 1, 900, { instance: 'i' }), at('b', 2, 0, { instance: 'j' })]],
    ['by number between services', [at('a', 1, 900, { service: 's' }), at('b', 2, 0, { service: 't' })]],
    [
      'by start between clocks too once numbers were given out twice',
      [at('c', 2, 0, { instance: 'j' }), at('a', 1, 900, { instance: 'i' }), at('b', 1, 950, { instance: 'i' })],
    ],
  ])('%s', (_name, facts) => {
    for (const order of everyOrder(facts)) expect(sent(order)).toEqual(ids(facts));
  });

  it('numbers the sends as they went out', () => {
    const { sends } = build([at('b', 2, 50), at('a', 1, 0)]);
    expect(sends.map(({ index, attempt: { id } }) => [index, id])).toEqual([
      [0, 'a'],
      [1, 'b'],
    ]);
  });
});

describe('everything else said of the operation', () => {
  it('is in order of time, then of id', () => {
    const types = {
      readback: ['readBacks', { endedAt: T0, result: 'present', criterion: 'unique' }],
      auth_refresh: ['refreshes', { credential: 'c', ok: true }],
      cause_fixed: ['fixes', {}],
      job_result: ['jobs', { jobId: 'j', result: 'completed' }],
      closed: ['closures', { result: 'done' }],
    } as const;
    for (const [type, [list, more]] of Object.entries(types)) {
      const say = (id: string, ms: number) => fact({ type: type as Fact['type'], id, startedAt: T0 + ms, ...more });
      const told = [say('c', 0), say('a', 5), say('b', 5), say('d', 9)];
      for (const order of everyOrder(told)) expect(ids(build(order)[list])).toEqual(['c', 'a', 'b', 'd']);
    }
  });

  it('spans from the first start to the last end', () => {
    const facts = [
      attempt({ startedAt: T0 + 100, endedAt: T0 + 700 }),
      attempt({ attempt: 2, startedAt: T0 + 200, endedAt: T0 + 300 }),
    ];
    for (const order of everyOrder(facts)) expect(build(order)).toMatchObject({ firstAt: T0 + 100, lastAt: T0 + 700 });
    expect(build([])).toMatchObject({ firstAt: null, lastAt: null, sends: [], itemsTold: false });
  });
});

describe('times of a send', () => {
  it.each([
    ['all known', { headersAt: T0 + 40, endedAt: T0 + 90 }, T0 + 90, T0 + 40],
    ['no head', { headersAt: undefined, endedAt: T0 + 90 }, T0 + 90, T0 + 90],
    ['no end', { headersAt: T0 + 40, endedAt: undefined }, T0 + 40, T0 + 40],
    ['neither', { headersAt: undefined, endedAt: undefined }, T0, T0],
    ['an end before the start', { headersAt: undefined, endedAt: T0 - 5 }, T0, T0 - 5],
  ])('%s', (_name, fields, endAt, refAt) => {
    expect(build([attempt(fields)]).sends[0]).toMatchObject({ startAt: T0, endAt, refAt });
  });

  it('clocks are those of the instances of a service', () => {
    const clockOf = (fields: Partial<Attempt>) => build([attempt(fields)]).sends[0]?.clock;
    expect(clockOf({ instance: 'a' })).toBe(clockOf({ instance: 'a', call: 'other' }));
    expect(clockOf({ instance: 'a' })).not.toBe(clockOf({ instance: 'b' }));
    expect(clockOf({})).not.toBe(clockOf({ instance: 'a' }));
    expect(clockOf({})).not.toBe(clockOf({ service: 'other' }));
  });

  it('judges clocks by the project’s own bound', () => {
    const late = [attempt({ status: 503, dateHeader: 'Mon, 02 Mar 2026 10:00:05 GMT' })];
    const flags = (clockSkewFlagMs: number) =>
      build(late, { settings: { ...DEFAULT_SETTINGS, clockSkewFlagMs } }).sends[0]?.verdict.flags;
    expect(flags(5000)).not.toContain('clock_skew');
    expect(flags(4900)).toContain('clock_skew');
  });
});

describe('announced sends', () => {
  const asOf = T0 + 30 * MIN;

  it('are under way until their own deadline, else for five minutes', () => {
    const at = (asOfMs: number, policy?: Attempt['policy']) => build([started({ policy })], { asOf: T0 + asOfMs });
    expect(at(5 * MIN - 1)).toMatchObject({ sends: [], inFlight: [{ diesAt: T0 + 5 * MIN }] });
    expect(at(5 * MIN).inFlight).toEqual([]);
    expect(at(999, { deadlineMs: 1000 }).inFlight).toHaveLength(1);
    expect(at(1000, { deadlineMs: 1000 }).inFlight).toEqual([]);
  });

  it('that nothing followed count as sends nobody heard from', () => {
    const got = build([started({ id: 's' })], { asOf });
    expect(got.sends).toHaveLength(1);
    expect(got.sends[0]).toMatchObject({
      synthetic: true,
      endAt: T0 + 5 * MIN,
      verdict: { action: 'state_verification_required', effect: 'possible', code: 'ClientDied' },
      attempt: { type: 'attempt', id: 's', outcome: 'network_error', error: { message: /announced/ } },
    });
    expect(got).toMatchObject({ firstAt: T0, lastAt: T0 + 5 * MIN });
  });

  it('lengthen the operation at either end', () => {
    const later = attempt({ attempt: 2, startedAt: T0 + 1, endedAt: T0 + 20 * MIN });
    expect(build([started({}), later], { asOf })).toMatchObject({ firstAt: T0, lastAt: T0 + 20 * MIN });
  });

  it.each([
    ['its number', {}, true],
    ['another number', { attempt: 2 }, false],
    ['its number on the same instance', { instance: 'i' }, true],
    ['a start as late as its death', { startedAt: T0 + 5 * MIN }, true],
    ['a start after its death: another send, whose client counts anew', { startedAt: T0 + 5 * MIN + 1 }, false],
  ])('are answered by %s', (_name, fields, answered) => {
    const { sends } = build([started({ instance: 'i' }), attempt(fields)], { asOf });
    expect(sends.filter(({ synthetic }) => synthetic)).toHaveLength(answered ? 0 : 1);
  });

  it('of another instance are not answered, of an unnamed one they are', () => {
    const dead = (a: string | undefined, b: string | undefined) =>
      build([started({ instance: a }), attempt({ instance: b })], { asOf }).sends.length - 1;
    expect(dead('i', 'j')).toBe(1);
    expect(dead('i', 'i')).toBe(0);
    expect(dead(undefined, 'j')).toBe(0);
    expect(dead('i', undefined)).toBe(0);
    expect(dead(undefined, undefined)).toBe(0);
  });

  it('are answered one by one, the nearest in time first, in every order of arrival', () => {
    const facts = [
      started({ id: 'far', startedAt: T0 }),
      started({ id: 'near', startedAt: T0 + 1000 }),
      attempt({ id: 'x', startedAt: T0 + 900 }),
    ];
    for (const order of everyOrder(facts)) {
      const dead = build(order, { asOf }).sends.filter(({ synthetic }) => synthetic);
      expect(ids(dead.map((send) => send.attempt))).toEqual(['far']);
    }
    const both = [...facts, attempt({ id: 'y', startedAt: T0 + 1100 })];
    for (const order of everyOrder(both)) expect(build(order, { asOf }).sends).toHaveLength(2);
  });

  it('as near to one as to the other answer the earlier one', () => {
    const facts = [
      started({ id: 'a', startedAt: T0 }),
      started({ id: 'b', startedAt: T0 + 1000 }),
      attempt({ id: 'x', startedAt: T0 + 500 }),
    ];
    for (const order of everyOrder(facts)) {
      const dead = build(order, { asOf }).sends.filter(({ synthetic }) => synthetic);
      expect(ids(dead.map((send) => send.attempt))).toEqual(['b']);
    }
  });

  it('are answered by the earlier attempt first, whichever was heard of first', () => {
    const facts = [
      started({ id: 'far', startedAt: T0, policy: { deadlineMs: 500 } }),
      started({ id: 'near', startedAt: T0 + 400 }),
      attempt({ id: 'x', startedAt: T0 + 450 }),
      attempt({ id: 'y', startedAt: T0 + 600 }),
    ];
    for (const order of everyOrder(facts)) {
      const dead = build(order, { asOf }).sends.filter(({ synthetic }) => synthetic);
      expect(ids(dead.map((send) => send.attempt))).toEqual(['far']);
    }
  });

  it('are none of them answered by an attempt of another number', () => {
    const facts = [started({ id: 'a' }), started({ id: 'b', attempt: 2 }), attempt({ id: 'x', attempt: 3 })];
    const dead = build(facts, { asOf }).sends.filter(({ synthetic }) => synthetic);
    expect(ids(dead.map((send) => send.attempt))).toEqual(['a', 'b']);
  });

  it('of a batch call are answered by the trace that its items leave', () => {
    const trace = started({ id: 't', startedAt: T0 + 10, itemsTold: true });
    expect(build([started({ id: 's' }), trace], { asOf })).toMatchObject({ sends: [], inFlight: [], itemsTold: true });
  });
});

describe('totalDeadlineMs (M8)', () => {
  const of = (...sends: Partial<Attempt>[]) =>
    totalDeadlineMs(
      build(sends.map((fields, at) => attempt({ attempt: at + 1, startedAt: T0 + at, ...fields }))),
      DEFAULT_SETTINGS,
    );

  it('is what was declared first, else QuillHub’s own two minutes, else nothing', () => {
    expect(of({}, { policy: { deadlineMs: 9000 } }, { policy: { deadlineMs: 5000 } })).toBe(9000);
    expect(of({ policy: { maxRetries: 2 } }, { policy: { deadlineMs: 9000 } })).toBe(9000);
    expect(of({ profile: 'quillhub', policy: { deadlineMs: 5000 } })).toBe(5000);
    expect(of({ profile: 'quillhub' })).toBe(120_000);
    expect(of({ profile: 'http' })).toBeUndefined();
    expect(of()).toBeUndefined();
  });
});
