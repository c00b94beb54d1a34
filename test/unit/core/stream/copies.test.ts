import { describe, expect, it } from 'vitest';
import type { Attempt, Fact, Tally } from '@/lib/core/attempt';
import { findAmplification } from '@/lib/core/checks/stream/amplification';
import { toStreamFacts, toStreamSends } from '@/lib/core/checks/stream/build-stream';
import { findInStream, findWith } from '@/lib/core/checks/stream/index';
import { DEFAULT_SETTINGS, type Settings } from '@/lib/core/operation';
import { makeTally } from '@/test/factories/facts';
import { fact, fold, T0 } from '../support/event';
import { findAll, read, send } from '../support/find-all';

/** M11, M15, M17, M21, M22 across operations, and what every stream finding says of its window. */

const of = (check: string, facts: Fact[], settings: Partial<Settings> = {}) =>
  findAll(facts, { settings: { ...DEFAULT_SETTINGS, ...settings } }).filter((finding) => finding.check === check);
const DAY = 86_400_000;
const ok = { status: 201 };

describe('duplicate_suspected across operations (M15)', () => {
  const a = (fields: Partial<Attempt> = {}): Attempt[] => [
    send(1, 0, { operationId: 'a', fingerprint: 'f', outcome: 'timeout', ...fields }),
    send(2, 200_000, { operationId: 'a', fingerprint: 'f', ...ok, ...fields, outcome: 'success' }),
  ];
  const b = (at: number, fields: Partial<Attempt> = {}) =>
    send(1, at, { operationId: 'b', fingerprint: 'f', ...ok, ...fields });
  const across = (facts: Fact[], settings?: Partial<Settings>) =>
    of('duplicate_suspected', facts, settings).filter(({ evidence }) => 'firstOperationId' in evidence);
  it('two operations wrote the same within a day, and one of them was doubtful', () => {
    expect(across([...a(), b(300_000)])).toEqual([
      expect.objectContaining({ of: 'b', severity: 'low', attempt: 1, subject: { kind: 'operation', value: 'b' } }),
    ]);
    expect(across([...a(), b(300_000)])[0]?.evidence).toMatchObject({
      level: 'possible',
      firstOperationId: 'a',
      apartMs: 100_000,
      operationIds: ['a', 'b'],
    });
    expect(across([...a(), b(200_000 + DAY)])).toHaveLength(1);
    expect(across([...a(), b(200_001 + DAY)])).toEqual([]);
    expect(across([...a(), b(300_000)], { duplicateLookBackMs: 99_999 })).toEqual([]);
    // The doubt may be the later one's.
    expect(across([b(-300_000), ...a()])).toEqual([expect.objectContaining({ of: 'a' })]);
  });
  it('not without a doubt, for another request or scope, for reads, replays, and one server key', () => {
    expect(across([...a({ outcome: undefined, status: 429 }), b(300_000)])).toEqual([]);
    expect(across([...a(), b(300_000, { fingerprint: 'g' })])).toEqual([]);
    expect(across([...a(), b(300_000, { fingerprint: undefined })])).toEqual([]);
    expect(across([...a(), b(300_000, { scope: 'elsewhere' })])).toEqual([]);
    expect(across([...a({ kind: 'read' }), b(300_000, { kind: 'read' })])).toEqual([]);
    expect(across([...a(), b(300_000, { idempotency: { replayed: true } })])).toEqual([]);
    expect(across([...a(), b(300_000, { status: 503 })])).toEqual([]);
    const one = { idempotency: { keyHash: 'k' } };
    expect(across([...a(one), b(300_000, one)])).toEqual([]);
    expect(across([...a({ ...one, profile: 'quillhub' }), b(300_000, { ...one, profile: 'quillhub' })])).toHaveLength(
      1,
    );
  });
  it('a stored answer given once more proves that the unclear send before it had its effect', () => {
    const [unclear, success] = a({ idempotency: { keyHash: 'k' } });
    const replayed = { ...success, idempotency: { keyHash: 'k', replayed: true } } as Attempt;
    const other = b(300_000, { idempotency: { keyHash: 'l' } });
    expect(across([unclear as Attempt, replayed, other])).toEqual([
      expect.objectContaining({ of: 'b', severity: 'low' }),
    ]);
    // Under one key it is the answer to the other operation's send.
    const same = b(300_000, { idempotency: { keyHash: 'k', replayed: true } });
    expect(across([...a({ idempotency: { keyHash: 'k' } }), same])).toEqual([]);
    // What was refused before had no effect to speak of.
    const refused = { ...unclear, outcome: undefined, status: 429 } as Attempt;
    const doubtfulOther = [
      send(1, 300_000, { operationId: 'b', fingerprint: 'f', outcome: 'timeout' }),
      send(2, 400_000, { operationId: 'b', fingerprint: 'f', ...ok }),
    ];
    expect(across([refused, replayed, ...doubtfulOther])).toEqual([]);
  });
  it('is only noted where nothing new is made', () => {
    expect(across([...a({ method: 'PATCH' }), b(300_000, { method: 'PATCH' })])[0]?.severity).toBe('info');
    const update = { profile: 'vibecode' as const, call: 'crm.deal.update' };
    expect(across([...a(update), b(300_000, update)])[0]?.severity).toBe('info');
  });
  it('two jobs under one key are two for certain, unless one failed', () => {
    const job = (operationId: string, at: number, jobId: string) =>
      send(1, at, { operationId, jobId, profile: 'quillhub', ...ok, idempotency: { keyHash: 'k' } });
    const facts = [job('a', 0, 'j1'), job('b', 9_000, 'j2')];
    expect(across(facts)).toEqual([expect.objectContaining({ of: 'b', severity: 'critical' })]);
    expect(across(facts)[0]?.evidence).toMatchObject({ level: 'confirmed', jobIds: ['j1', 'j2'] });
    expect(across([job('a', 0, 'j1'), job('b', 9_000, 'j1')])).toEqual([]);
    const failed = fact({ type: 'job_result', operationId: 'a', jobId: 'j1', result: 'failed', startedAt: T0 + 5_000 });
    expect(across([...facts, failed])).toEqual([]);
  });
});

describe('key_reused across operations (M11)', () => {
  const use = (operationId: string, at: number, keyHash: string, fingerprint?: string) =>
    send(1, at, { operationId, fingerprint, ...ok, idempotency: { keyHash } });
  const reused = (...facts: Fact[]) => of('key_reused', facts).map(({ of: whose }) => whose);
  it('is charged to the later, within the look-back, once an operation', () => {
    expect(reused(use('a', 0, 'k', 'p'), use('b', DAY, 'k', 'q'))).toEqual(['b']);
    expect(reused(use('a', 0, 'k', 'p'), use('b', DAY + 1, 'k', 'q'))).toEqual([]);
    expect(reused(use('a', 0, 'k', 'p'), use('b', 1, 'k', 'p'), use('c', 2, 'k', 'q'))).toEqual(['c']);
    expect(reused(use('a', 0, 'k', 'p'), use('b', 1, 'l', 'q'))).toEqual([]);
    expect(reused(use('a', 0, 'k', 'p'), use('b', 1, 'k'))).toEqual([]);
    expect(reused(use('a', 0, '', 'p'), use('b', 1, '', 'q'))).toEqual([]);
  });
});

describe('amplification (M17)', () => {
  const layer = (operationId: string, parent: string | undefined, count: number, at: number, stepMs: number) =>
    Array.from({ length: count }, (_, n) =>
      read(n + 1, at + n * stepMs, { operationId, parentOperationId: parent, status: 503 }),
    );
  it('retries nest: each hop repeats inside the hop above', () => {
    const nested = [
      ...layer('a', undefined, 3, 0, 20_000),
      ...layer('b', 'a', 9, 10, 2_000),
      ...layer('c', 'b', 45, 20, 300),
    ];
    const [found, ...rest] = of('amplification', nested);
    expect(rest).toEqual([]);
    expect(found).toMatchObject({ of: 'a', severity: 'low', subject: { kind: 'operation', value: 'a' } });
    expect(found?.evidence).toMatchObject({
      kind: 'nested',
      factor: 45,
      sends: 57,
      hops: [
        { operations: 1, attempts: 3, perOperation: 3 },
        { operations: 1, attempts: 9, perOperation: 9 },
        { operations: 1, attempts: 45, perOperation: 45 },
      ],
    });
  });
  it('one retrying hop, and follow-ups after the parent had ended, nest nothing', () => {
    expect(of('amplification', [...layer('a', undefined, 1, 0, 1), ...layer('b', 'a', 5, 10, 2_000)])).toEqual([]);
    expect(of('amplification', [...layer('a', undefined, 2, 0, 1_000), ...layer('b', 'a', 2, 1_101, 2_000)])).toEqual(
      [],
    );
    expect(
      of('amplification', [...layer('a', undefined, 2, 0, 1_000), ...layer('b', 'a', 2, 1_100, 2_000)]),
    ).toHaveLength(1);
    expect(of('amplification', layer('a', 'a', 3, 0, 1_000))).toEqual([]);
  });
  const load = (name: string, operations: number, attempts: number, at: number) =>
    Array.from({ length: operations }, (_, n) =>
      Array.from({ length: n === 0 ? attempts - operations + 1 : 1 }, (_x, i) =>
        read(i + 1, at + n * 10 + i, { operationId: `${name}-${n}`, status: 503 }),
      ),
    ).flat();
  const rise = (now: Attempt[], before: Attempt[], tallies: Tally[] = [], settings: Partial<Settings> = {}) => {
    const sends = [...now, ...before].map((attempt) => toStreamSends(fold([attempt]).attempts)).flat();
    const window = { from: T0, to: T0 + 600_000 };
    const facts = toStreamFacts(tallies);
    return findWith(findAmplification, { window, sends, facts, settings: { ...DEFAULT_SETTINGS, ...settings } });
  };
  it('a service against the hour before', () => {
    const calm = load('before', 20, 20, -600_000);
    expect(rise(load('now', 20, 39, 0), calm)).toEqual([]);
    const [found] = rise(load('now', 20, 40, 0), calm);
    expect(found?.evidence).toMatchObject({ kind: 'above_baseline', attemptsPerOperation: 2, baseline: 1, factor: 2 });
    expect(found).toMatchObject({ at: T0, window: { from: T0, to: T0 + 600_000 }, lookedAt: { operations: 40 } });
    expect(rise(load('now', 20, 40, 0), load('before', 19, 19, -600_000))).toEqual([]);
    expect(rise(load('now', 19, 38, 0), calm)).toEqual([]);
    expect(rise(load('now', 20, 40, 0), load('before', 20, 20, -3_700_000))).toEqual([]);
    expect(rise(load('now', 20, 39, 0), calm, [], { amplificationFactor: 1.5 })).toHaveLength(1);
  });
  it('clean successes in bulk are operations and attempts too', () => {
    const calm = load('before', 20, 20, -600_000);
    const tally = (minute: number, successes: number, service = 'orders') =>
      makeTally({ minute: T0 + minute, successes, service });
    expect(rise(load('now', 20, 40, 0), calm, [tally(60_000, 1)])).toEqual([]);
    expect(rise(load('now', 20, 40, 0), calm, [tally(60_000, 1, 'other')])).toHaveLength(1);
    expect(rise(load('now', 20, 40, 0), [], [tally(-60_000, 20)])).toHaveLength(1);
  });
});

describe('contract_anomaly across operations (M21)', () => {
  const call = (name: string, at: number, fields: Partial<Attempt> = {}) =>
    read(1, at, {
      operationId: name,
      profile: 'vibecode',
      scope: 'portal',
      status: 200,
      endedAt: T0 + at + 1_000,
      ...fields,
    });
  const unchanged = (facts: Fact[], settings?: Partial<Settings>) =>
    of('contract_anomaly', facts, settings).filter(({ evidence }) =>
      (evidence.anomalies as string[]).includes('load_unchanged_after_overflow'),
    );
  const overflow = call('o', 100, { status: 503, code: 'QUEUE_OVERFLOW', retryAfter: ['1'] });
  it('QUEUE_OVERFLOW, then as many calls at once as before', () => {
    const before = [call('a', 0), call('b', 50)];
    const after = (at: number) => [call('c', at), call('d', at + 10), call('e', at + 20)];
    expect(unchanged([...before, overflow, ...after(2_000)])[0]).toMatchObject({
      of: 'o',
      evidence: { before: 3, after: 3 },
    });
    expect(unchanged([...before, overflow, ...after(2_000).slice(1)])).toEqual([]);
    expect(unchanged([...before, overflow, ...after(11_081)])).toEqual([]);
    expect(unchanged([...before, overflow, ...after(11_080)])).toHaveLength(1);
    expect(unchanged([overflow, call('c', 2_000)])).toEqual([]);
    const elsewhere = after(2_000).map((one) => ({ ...one, scope: 'other' }));
    expect(unchanged([...before, overflow, ...elsewhere])).toEqual([]);
  });
  it('an executed DELETE that nobody sent, where the time before it was looked at', () => {
    const answer = (at: number) =>
      call('x', at, {
        kind: 'write',
        method: 'DELETE',
        code: 'AGENT_WRITE_ALREADY_EXECUTED',
        status: 409,
        call: 'D /1',
      });
    const first = (at: number, fields: Partial<Attempt> = {}) =>
      call('y', at, { kind: 'write', method: 'DELETE', call: 'D /1', ...fields });
    const lone = (facts: Fact[]) =>
      of('contract_anomaly', facts).filter(
        ({ of: whose, evidence }) => whose === 'x' && (evidence.anomalies as string[]).includes('no_first_delete'),
      ).length;
    const early = call('z', 0);
    expect(lone([answer(40_000)])).toBe(0);
    expect(lone([early, answer(29_999)])).toBe(0);
    expect(lone([early, answer(40_000)])).toBe(1);
    expect(lone([early, first(10_000), answer(40_000)])).toBe(0);
    expect(lone([early, first(9_999), answer(40_000)])).toBe(1);
    expect(lone([early, first(20_000, { method: 'POST', call: 'P /2' }), answer(40_000)])).toBe(1);
  });
});

describe('webhook_schedule (M22)', () => {
  const delivery = (seconds: number, status = 500, fields: Record<string, unknown> = {}) =>
    fact({
      type: 'webhook_delivery',
      operationId: undefined,
      jobId: 'job',
      event: 'done',
      startedAt: T0 + seconds * 1_000,
      status,
      ...fields,
    });
  const job = send(1, -1_000, { jobId: 'job', profile: 'quillhub', ...ok });
  const kinds = (deliveries: Fact[], settings?: Partial<Settings>) =>
    of('webhook_schedule', [job, ...deliveries], settings).map(({ evidence }) => [evidence.kind, evidence.delivery]);
  const onTime = [0, 60, 360, 2_160, 9_360, 52_560];
  it('the whole table, on time, is no finding', () => {
    expect(kinds(onTime.map((at) => delivery(at)))).toEqual([]);
  });
  it.each([
    [48, 0],
    [47.9, 1],
    [72, 0],
    [72.1, 1],
  ])('a first gap of %d s: %i found (a minute, a fifth either way)', (seconds, count) => {
    expect(kinds([delivery(0), delivery(seconds)])).toHaveLength(count);
  });
  it('offsets from the first are a setting', () => {
    const offsets = [delivery(0), delivery(60), delivery(300)];
    expect(kinds(offsets)).toEqual([]);
    const late = [delivery(0), delivery(60), delivery(600)];
    expect(kinds(late)).toEqual([['off_schedule', 3]]);
    expect(kinds([delivery(0), delivery(60), delivery(1_800)], { webhookByOffsetsSwitch: 1 })).toEqual([
      ['off_schedule', 3],
    ]);
    expect(kinds(offsets, { webhookByOffsetsSwitch: 1 })).toEqual([]);
  });
  it('more than six, and one after a 2xx', () => {
    expect(kinds([...onTime, 60_000].map((at) => delivery(at)))).toEqual([['too_many', 7]]);
    expect(kinds([delivery(0, 200), delivery(60)])).toEqual([['after_success', 2]]);
    expect(kinds([delivery(0, 299), delivery(1_000)])).toEqual([['after_success', 2]]);
    expect(kinds([delivery(0, 300), delivery(60)])).toEqual([]);
    expect(kinds([delivery(0), delivery(60)], { webhookDeliveriesMaxCount: 1 })).toEqual([['too_many', 2]]);
  });
  it('jobs and events apart, repeats of one event once, charged to the job’s operation', () => {
    expect(kinds([delivery(0), delivery(1_000, 500, { event: 'other' })])).toEqual([]);
    expect(kinds([delivery(0), delivery(1_000, 500, { jobId: 'other' })])).toEqual([]);
    const one = delivery(0, 200);
    expect(kinds([one, one])).toEqual([]);
    const [found] = of('webhook_schedule', [job, delivery(0, 200), delivery(60)]);
    expect(found).toMatchObject({ of: 'op', subject: { kind: 'job', value: 'job' }, severity: 'low' });
    expect(of('webhook_schedule', [delivery(0, 200), delivery(60)])[0]?.of).toBe('');
  });
});

describe('windows', () => {
  it('findings are of the window alone; what lies before and after is only looked at', () => {
    const sends = toStreamSends(
      fold([send(1, 0, { ...ok, fingerprint: 'p', idempotency: { keyHash: 'k' } })]).attempts,
    );
    const later = toStreamSends(
      fold([send(1, 9_000, { ...ok, fingerprint: 'q', idempotency: { keyHash: 'k' } })]).attempts,
    ).map((one) => ({ ...one, operationId: 'later' }));
    const input = { sends: [...later, ...sends], facts: toStreamFacts([]), settings: DEFAULT_SETTINGS };
    const within = (from: number, to: number) =>
      findInStream({ ...input, window: { from: T0 + from, to: T0 + to } }).map(({ check }) => check);
    expect(within(0, 9_001)).toEqual(['key_reused']);
    expect(within(0, 9_000)).toEqual([]);
    expect(within(9_000, 9_001)).toEqual(['key_reused']);
    expect(within(9_001, 99_000)).toEqual([]);
  });
});
