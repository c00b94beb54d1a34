import { describe, expect, it } from 'vitest';
import type { Attempt, Fact } from '@/lib/core/attempt';
import { DEFAULT_SETTINGS } from '@/lib/core/operation';
import { fact, T0 } from '../support/event';
import { findingsOf, read, send } from '../support/find-all';

/** M4, M11, M15 and M20 within one operation, by rule: what was known before a repeat, keys, second effects, batches. */

type Fields = Partial<Attempt>;
const DAY = 86_400_000;
const findings = findingsOf;
const ok = { status: 201 };
const timeout = { outcome: 'timeout' as const };
const looked = (at: number, result: string, more: Record<string, unknown> = {}) =>
  fact({ type: 'readback', startedAt: T0 + at, endedAt: T0 + at + 50, result, criterion: 'unique', ...more });
const keyed = (keyHash: string, fields: Fields = {}): Fields => ({ idempotency: { keyHash }, ...fields });

describe('blind_write_retry (M4)', () => {
  const check = 'blind_write_retry';
  const told = (...facts: Fact[]) => findings(check, facts).map(({ attempt, evidence }) => [attempt, evidence.grade]);
  const repeat = (...between: Fact[]) => {
    const [found] = findings(check, [send(1, 0, timeout), ...between, send(2, 600_000, ok)]);
    return found && [found.evidence.grade, found.severity];
  };
  it('says what it repeated, how that ended, and how long after', () => {
    expect(findings(check, [send(3, 0, { status: 504 }), send(4, 5_000, ok)])).toEqual([
      {
        check,
        severity: 'high',
        attempt: 4,
        evidence: {
          grade: 'blind',
          preflight: false,
          doubtfulAttempt: 3,
          code: 'HTTP_504',
          gapMs: 4_900,
          effectPrevented: false,
        },
      },
    ]);
  });
  it('of several looks the surest counts', () => {
    const absent = looked(120_000, 'absent');
    const weak = looked(130_000, 'absent', { criterion: 'weak' });
    const soon = looked(20_000, 'absent');
    const present = looked(140_000, 'present');
    const unsure = looked(150_000, 'inconclusive');
    expect(repeat(weak, soon)).toEqual(['premature', 'medium']);
    expect(repeat(unsure, soon)).toEqual(['premature', 'medium']);
    expect(repeat(weak, absent)).toBeUndefined();
    expect(repeat(soon, absent)).toBeUndefined();
    expect(repeat(unsure)).toEqual(['weak', 'medium']);
    expect(repeat(weak)).toEqual(['weak', 'medium']);
    expect(repeat(looked(130_000, 'present', { criterion: 'weak' }))).toEqual(['weak', 'medium']);
    expect(repeat(absent, present)).toEqual(['after_confirmed', 'critical']);
    expect(repeat(present, unsure, weak)).toEqual(['after_confirmed', 'critical']);
  });
  it('a look begun before the doubtful try had ended, or not over as the repeat began, is none', () => {
    expect(repeat(looked(99, 'present'))).toEqual(['blind', 'high']);
    expect(repeat(looked(100, 'present'))).toEqual(['after_confirmed', 'critical']);
    expect(repeat(looked(599_950, 'absent'))).toBeUndefined();
    expect(repeat(looked(599_951, 'absent'))).toEqual(['blind', 'high']);
    // An end before its start is no end: the start counts.
    expect(repeat(looked(600_000, 'absent', { endedAt: T0 }))).toBeUndefined();
    expect(repeat(looked(600_001, 'absent', { endedAt: T0 }))).toEqual(['blind', 'high']);
  });
  it('settling takes a minute', () => {
    const settle = DEFAULT_SETTINGS.readBackSettleMs;
    expect(repeat(looked(100 + settle - 1, 'absent'))).toEqual(['premature', 'medium']);
    expect(repeat(looked(100 + settle, 'absent'))).toBeUndefined();
  });
  it('the latest doubt is repeated, whatever safe answers lie between', () => {
    const facts = [
      send(1, 0, timeout),
      send(2, 10_000, { status: 504 }),
      send(3, 20_000, { status: 429 }),
      send(4, 30_000, ok),
    ];
    expect(findings(check, facts).map(({ attempt, evidence }) => [attempt, evidence.doubtfulAttempt])).toEqual([
      [2, 1],
      [3, 2],
      [4, 2],
    ]);
  });
  it('what was looked for counts for the doubt it followed, not for a later one', () => {
    const facts = [send(1, 0, timeout), looked(120_000, 'absent'), send(2, 130_000, timeout), send(3, 400_000, ok)];
    expect(told(...facts)).toEqual([[3, 'blind']]);
  });
  it('a doubtful write is repeated by writes alone, and reads leave no doubt', () => {
    expect(told(send(1, 0, timeout), read(2, 9_000, { status: 200 }))).toEqual([]);
    expect(told(read(1, 0, timeout), send(2, 9_000, ok))).toEqual([]);
    expect(told(send(1, 0, timeout), read(2, 9_000, { status: 200 }), send(3, 20_000, ok))).toEqual([[3, 'blind']]);
  });
  it('two writes at once: while the first still ran, on its clock, answered or not', () => {
    const pair = (at: number, first: Fields, second: Fields = {}) =>
      told(send(1, 0, { endedAt: T0 + 5_000, ...first }), send(2, at, { ...ok, ...second }));
    expect(pair(4_999, ok)).toEqual([[2, 'blind']]);
    expect(pair(5_000, ok)).toEqual([]);
    expect(pair(4_999, ok, { instance: 'two' })).toEqual([]);
    expect(pair(4_999, { status: 422 })).toEqual([]);
    // A client that died: nobody knows when its send ended, and it is doubtful anyway.
    const started = fact({
      type: 'attempt_started',
      attempt: 1,
      kind: 'write',
      service: 'orders',
      call: 'POST /x',
      startedAt: T0,
    });
    expect(told(started, send(2, 9_000, ok))).toEqual([[2, 'blind']]);
  });
  it('a key that the server enforces exempts, under its rules alone', () => {
    const pair = (first: Fields, second: Fields, at = 9_000) =>
      told(send(1, 0, { ...timeout, ...first }), send(2, at, { ...ok, ...second })).length;
    expect(pair(keyed('k'), keyed('k'))).toBe(0);
    expect(pair(keyed('k'), keyed('l'))).toBe(1);
    expect(pair(keyed('k'), {})).toBe(1);
    expect(pair({}, keyed('k'))).toBe(1);
    expect(pair({}, {})).toBe(1);
    const mode = (word: 'none' | 'client_dedupe' | 'server') => ({ idempotency: { keyHash: 'k', mode: word } });
    expect(pair(mode('none'), mode('none'))).toBe(1);
    expect(pair(mode('client_dedupe'), mode('client_dedupe'))).toBe(1);
    expect(pair(mode('server'), mode('server'))).toBe(0);
    for (const profile of ['quillhub', 'vibecode'] as const) {
      expect(pair(keyed('k', { profile }), keyed('k', { profile }))).toBe(1);
    }
    expect(pair(keyed('k'), keyed('k'), 99)).toBe(1);
    expect(pair(keyed('k'), keyed('k'), 100)).toBe(0);
    expect(pair(keyed('k'), keyed('k'), DAY)).toBe(0);
    expect(pair(keyed('k'), keyed('k'), DAY + 1)).toBe(1);
    expect(pair(keyed('k', { fingerprint: 'p' }), keyed('k', { fingerprint: 'q' }))).toBe(1);
    expect(pair(keyed('k', { fingerprint: 'p' }), keyed('k', { fingerprint: 'p' }))).toBe(0);
  });
  it('PUT and DELETE of plain HTTP end in one effect', () => {
    const pair = (fields: Fields) =>
      told(send(1, 0, { ...timeout, ...fields }), send(2, 9_000, { ...ok, ...fields })).length;
    expect(pair({ method: 'PUT' })).toBe(0);
    expect(pair({ method: 'DELETE' })).toBe(0);
    expect(pair({ method: 'PATCH' })).toBe(1);
    expect(pair({ method: 'PUT', profile: 'bitrix_rest' })).toBe(1);
  });
  it('a refusal before sending lowers a blind repeat alone', () => {
    const refused: Fields = {
      profile: 'vibecode',
      error: { name: 'Error', code: 'ECONNREFUSED', syscall: 'connect' },
    };
    const pair = (...between: Fact[]) => {
      const [found] = findings(check, [
        send(1, 0, refused),
        ...between,
        send(2, 600_000, { ...ok, profile: 'vibecode' }),
      ]);
      return found && [found.evidence.grade, found.evidence.preflight, found.severity];
    };
    expect(pair()).toEqual(['blind', true, 'medium']);
    expect(pair(looked(300_000, 'present'))).toEqual(['after_confirmed', true, 'critical']);
    expect(pair(looked(300_000, 'inconclusive'))).toEqual(['weak', true, 'medium']);
  });
});

describe('duplicate_suspected (M15)', () => {
  const check = 'duplicate_suspected';
  const found = (...facts: Fact[]) => findings(check, facts)[0];
  const level = (...facts: Fact[]) => found(...facts)?.evidence.level;
  const job = (jobId: string, result = 'completed') =>
    fact({ type: 'job_result', jobId, result, startedAt: T0 + 50_000 });
  it('says which tries may have had an effect, and how many too many', () => {
    expect(findings(check, [send(1, 0, timeout), send(2, 9_000, { status: 429 }), send(3, 19_000, ok)])).toEqual([
      {
        check,
        severity: 'medium',
        attempt: 3,
        evidence: {
          level: 'probable',
          attempts: [1, 3],
          extraEffects: 1,
          entities: 0,
          moneyAtStake: true,
        },
      },
    ]);
    expect(findings(check, [send(1, 0, timeout), send(2, 9_000, timeout), send(3, 19_000, timeout)])).toMatchObject([
      { severity: 'low', attempt: 3, evidence: { level: 'possible', attempts: [1, 2, 3], extraEffects: 2 } },
    ]);
  });
  it('confirmed by what was seen, even where one effect was possible', () => {
    const seen = looked(50_000, 'present', { entityIds: ['1', '2', '2'] });
    expect(findings(check, [send(1, 0, ok), seen])).toEqual([
      {
        check,
        severity: 'critical',
        attempt: 1,
        evidence: { level: 'confirmed', attempts: [1], extraEffects: 0, entities: 2, moneyAtStake: true },
      },
    ]);
    expect(level(send(1, 0, ok), looked(50_000, 'present', { entityIds: ['1', '1'] }))).toBeUndefined();
    const closed = (entityIds: string[]) => fact({ type: 'closed', result: 'done', entityIds, startedAt: T0 + 50_000 });
    expect(level(send(1, 0, ok), closed(['1', '2']))).toBe('confirmed');
    expect(level(send(1, 0, ok), closed(['1']))).toBeUndefined();
  });
  it('two jobs of QuillHub cost money once both completed', () => {
    const quill: Fields = { profile: 'quillhub', ...ok };
    const two = [send(1, 0, { ...quill, jobId: 'a' }), send(2, 9_000, { ...quill, jobId: 'b' })];
    expect(found(...two)).toMatchObject({
      severity: 'high',
      evidence: { level: 'confirmed', moneyAtStake: false, entities: 2 },
    });
    expect(found(...two, job('a'))).toMatchObject({ severity: 'high', evidence: { moneyAtStake: false } });
    expect(found(...two, job('a'), job('b'))).toMatchObject({ severity: 'critical', evidence: { moneyAtStake: true } });
    // Elsewhere two jobs are two effects at once.
    const plain = two.map((one) => ({ ...one, profile: 'http' as const }));
    expect(found(...plain)).toMatchObject({ severity: 'critical', evidence: { moneyAtStake: true } });
    // Entities that were read back are no jobs that could be cancelled.
    const seen = looked(50_000, 'present', { entityIds: ['1', '2'] });
    expect(found(send(1, 0, quill), seen)).toMatchObject({ severity: 'critical', evidence: { moneyAtStake: true } });
    // One of two jobs failed: one is left.
    expect(level(...two, job('a', 'failed'))).toBeUndefined();
  });
  it('probable: the blind repeat itself, or one after it, succeeded anew', () => {
    expect(level(send(1, 0, timeout), send(2, 9_000, ok))).toBe('probable');
    expect(level(send(1, 0, timeout), send(2, 9_000, timeout), send(3, 19_000, ok))).toBe('probable');
    const replayed: Fields = { ...ok, idempotency: { replayed: true } };
    expect(level(send(1, 0, timeout), send(2, 9_000, timeout), send(3, 19_000, replayed))).toBeUndefined();
    // What was known to be absent was repeated with open eyes.
    expect(level(send(1, 0, timeout), looked(120_000, 'absent'), send(2, 300_000, ok))).toBeUndefined();
  });
  it('numbers that restart don’t make an earlier success a later one', () => {
    const facts = [send(1, 0, ok), send(2, 9_000, timeout), send(1, 19_000, timeout)];
    expect(level(...facts)).toBeUndefined();
  });
  it('possible: two effects and no success', () => {
    expect(level(send(1, 0, timeout), send(2, 9_000, timeout))).toBe('possible');
    expect(level(send(1, 0, timeout), send(2, 9_000, { status: 422 }))).toBeUndefined();
    expect(level(send(1, 0, timeout))).toBeUndefined();
  });
  it('one server key makes one effect, and a replayed answer none', () => {
    expect(level(send(1, 0, keyed('k', timeout)), send(2, 9_000, keyed('k', ok)))).toBeUndefined();
    expect(level(send(1, 0, keyed('k', timeout)), send(2, 9_000, keyed('k', timeout)))).toBeUndefined();
    const header: Fields = { ...ok, headers: { 'idempotent-replayed': 'true' } };
    expect(level(send(1, 0, timeout), send(2, 9_000, header))).toBeUndefined();
  });
  it('the same value set twice is possible, whatever was read between', () => {
    const set = (call: string, fields: Fields): Fields => ({ profile: 'vibecode', call, ...fields });
    const pair = (first: string, second: string) =>
      level(send(1, 0, set(first, timeout)), send(2, 9_000, set(second, ok)));
    expect(pair('crm.deal.update', 'crm.deal.update')).toBe('possible');
    expect(pair('crm.deal.add', 'crm.deal.update')).toBe('probable');
    expect(pair('crm.deal.update', 'crm.deal.add')).toBe('probable');
    const between = read(2, 5_000, set('crm.deal.get', { status: 200 }));
    expect(
      level(send(1, 0, set('crm.deal.update', timeout)), between, send(3, 9_000, set('crm.deal.update', ok))),
    ).toBe('possible');
    expect(level(send(1, 0, { ...timeout, method: 'PATCH' }), send(2, 9_000, { ...ok, method: 'PATCH' }))).toBe(
      'possible',
    );
  });
  it('items of a batch that worked twice are probable, under one request', () => {
    const item = (fields: Fields = {}): Fields => ({ ...ok, batch: { id: 'b', item: '1' }, ...fields });
    expect(level(send(1, 0, item()), send(2, 9_000, item()))).toBe('probable');
    expect(level(send(1, 0, item()), send(2, 9_000, item({ status: 429 })))).toBeUndefined();
    expect(level(send(1, 0, item()), send(2, 9_000, ok))).toBeUndefined();
    expect(level(send(1, 0, item()), send(2, 9_000, item({ batch: { id: 'c' } })))).toBeUndefined();
    expect(level(send(1, 0, item({ fingerprint: 'p' })), send(2, 9_000, item({ fingerprint: 'q' })))).toBeUndefined();
  });
  it('of three items under other requests none is taken for another', () => {
    const prints = [undefined, 'p', 'q'].map((fingerprint, n) =>
      send(n + 1, n * 9_000, { ...ok, fingerprint, batch: { id: 'b', item: '1' } }),
    );
    expect(level(...prints)).toBeUndefined();
  });
  it('reads make nothing, whatever was seen', () => {
    const seen = looked(50_000, 'present', { entityIds: ['1', '2'] });
    expect(level(read(1, 0, timeout), read(2, 9_000, { status: 200 }), seen)).toBeUndefined();
  });
});

describe('keys (M11)', () => {
  const quill = { profile: 'quillhub' as const };
  const limited = { status: 429 };
  it('key_regenerated: says which tries and how many keys', () => {
    const facts = [
      send(1, 0, keyed('a', limited)),
      send(2, 9_000, keyed('b', limited)),
      send(3, 19_000, keyed('a', ok)),
    ];
    expect(findings('key_regenerated', facts)).toEqual([
      { check: 'key_regenerated', severity: 'medium', attempt: 3, evidence: { attempts: [1, 2, 3], keys: 2 } },
    ]);
    expect(findings('key_regenerated', [send(1, 0, keyed('a', limited)), send(2, 9_000, keyed('a', ok))])).toEqual([]);
    expect(findings('key_regenerated', [send(1, 0, keyed('a', limited)), send(2, 9_000, ok)])).toEqual([]);
  });
  it('key_dropped: says which tries went without', () => {
    const facts = [
      send(1, 0, limited),
      send(2, 9_000, keyed('a', limited)),
      send(3, 19_000, { idempotency: { keyHash: '' }, ...ok }),
    ];
    expect(findings('key_dropped', facts)).toEqual([
      { check: 'key_dropped', severity: 'medium', attempt: 3, evidence: { attempts: [1, 3], keyedSends: 1 } },
    ]);
    expect(findings('key_dropped', [send(1, 0, limited), send(2, 9_000, ok)])).toEqual([]);
    // Reads need none.
    expect(findings('key_dropped', [send(1, 0, keyed('a', limited)), read(2, 9_000, { status: 200 })])).toEqual([]);
    // A follow-up after a renewal keeps the key.
    const reauth = send(2, 9_000, { ...ok, reason: 'reauth' });
    expect(findings('key_dropped', [send(1, 0, keyed('a', { status: 401 })), reauth])).toHaveLength(1);
  });
  it('key_missing: QuillHub’s POST alone, where no try had one', () => {
    const missing = (...facts: Fact[]) => findings('key_missing', facts);
    expect(missing(send(1, 0, { ...quill, ...limited }), send(2, 9_000, { ...quill, ...ok }))).toEqual([
      { check: 'key_missing', severity: 'medium', attempt: 2, evidence: { attempts: [1, 2] } },
    ]);
    expect(missing(send(1, 0, { ...quill, ...ok }))).toHaveLength(1);
    expect(missing(send(1, 0, { ...quill, ...ok, method: 'DELETE' }))).toEqual([]);
    expect(missing(read(1, 0, { ...quill, status: 200, method: 'POST' }))).toEqual([]);
    expect(missing(send(1, 0, ok))).toEqual([]);
    expect(missing(send(1, 0, limited), send(2, 9_000, ok))).toEqual([]);
    expect(missing(send(1, 0, keyed('a', { ...quill, ...limited })), send(2, 9_000, { ...quill, ...ok }))).toEqual([]);
  });
  it('key_reused: one key under two requests, each key for itself', () => {
    const use = (number: number, keyHash: string, fingerprint: string | undefined) =>
      send(number, number * 9_000, keyed(keyHash, { ...limited, fingerprint }));
    expect(findings('key_reused', [use(1, 'a', 'p'), use(2, 'b', 'p'), use(3, 'a', 'q'), use(4, 'a', 'r')])).toEqual([
      { check: 'key_reused', severity: 'medium', attempt: 4, evidence: { attempts: [1, 3, 4], requests: 3 } },
    ]);
    expect(findings('key_reused', [use(1, 'a', 'p'), use(2, 'a', 'p')])).toEqual([]);
    expect(findings('key_reused', [use(1, 'a', 'p'), use(2, 'a', undefined)])).toEqual([]);
    expect(findings('key_reused', [use(1, 'a', 'p'), use(2, 'b', 'q')])).toEqual([]);
    expect(findings('key_reused', [use(1, '', 'p'), use(2, '', 'q')])).toEqual([]);
    const both = [use(1, 'a', 'p'), use(2, 'a', 'q'), use(3, 'b', 'p'), use(4, 'b', 'q')];
    expect(findings('key_reused', both).map(({ evidence }) => evidence.attempts)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    const reads = [use(1, 'a', 'p'), use(2, 'a', 'q')].map((one) => ({ ...one, kind: 'read' as const }));
    expect(findings('key_reused', reads)).toEqual([]);
  });
  it('key_reused: by the platform’s word, of a lone write too, unless we saw both requests ourselves', () => {
    const said = keyed('a', { status: 409, code: 'IDEMPOTENCY_KEY_REUSED' });
    const [found, ...rest] = findings('key_reused', [send(1, 0, said)]);
    expect(rest).toEqual([]);
    expect(found).toEqual({
      check: 'key_reused',
      severity: 'medium',
      attempt: 1,
      evidence: { attempts: [1], byPlatform: true, code: 'IDEMPOTENCY_KEY_REUSED' },
    });
    const two = [
      send(1, 0, keyed('a', { ...limited, fingerprint: 'p' })),
      send(2, 9_000, { ...said, fingerprint: 'q' }),
    ];
    expect(findings('key_reused', two).map(({ evidence }) => evidence)).toEqual([{ attempts: [1, 2], requests: 2 }]);
    expect(findings('key_reused', [send(1, 0, keyed('a', ok))])).toEqual([]);
    expect(findings('key_reused', [read(1, 0, { ...said, status: 409 })])).toEqual([]);
    // A key that was malformed was never anybody's.
    const malformed = keyed('a', { status: 422, code: 'BITRIX_REST_V3_EXCEPTION_INVALIDIDEMPOTENCYKEYEXCEPTION' });
    expect(findings('key_reused', [send(1, 0, { ...malformed, profile: 'bitrix_rest' })])).toEqual([]);
  });
});

describe('batches (M20)', () => {
  const summed = (total: number, failed: number, unprocessed?: number): Fields => ({
    status: 200,
    bodySummary: { total, failed, ...(unprocessed === undefined ? {} : { unprocessed }) },
  });
  it('partial_success shows the numbers', () => {
    expect(findings('partial_success', [send(1, 0, summed(10, 3, 1))])).toEqual([
      { check: 'partial_success', severity: 'low', attempt: 1, evidence: { total: 10, failed: 3, unprocessed: 1 } },
    ]);
    expect(findings('partial_success', [send(1, 0, summed(10, 0))])).toEqual([]);
  });
  it('item_without_outcome shows its batch', () => {
    const silent: Fields = { outcome: 'network_error', error: { name: 'ItemWithoutOutcome' } };
    expect(findings('item_without_outcome', [send(1, 0, { ...silent, batch: { id: 'b', item: '3' } })])).toEqual([
      { check: 'item_without_outcome', severity: 'low', attempt: 1, evidence: { batch: { id: 'b', item: '3' } } },
    ]);
    expect(findings('item_without_outcome', [send(1, 0, silent)])[0]?.evidence).toEqual({ batch: null });
    expect(findings('item_without_outcome', [send(1, 0, timeout)])).toEqual([]);
  });
  it('whole_batch_resent says after which call and how many items had worked', () => {
    expect(findings('whole_batch_resent', [send(1, 0, summed(10, 3, 2)), send(2, 9_000, summed(10, 0))])).toEqual([
      {
        check: 'whole_batch_resent',
        severity: 'medium',
        attempt: 2,
        evidence: { after: 1, itemsThatHadWorked: 5 },
      },
    ]);
  });
  it('as many items as before, or nobody says how many', () => {
    const again = (first: Fields, second: Fields) =>
      findings('whole_batch_resent', [send(1, 0, first), send(2, 9_000, second)]).map(
        ({ evidence }) => evidence.itemsThatHadWorked,
      );
    expect(again(summed(10, 3), summed(10, 0))).toEqual([7]);
    expect(again(summed(10, 3), summed(11, 0))).toEqual([7]);
    expect(again(summed(10, 3), summed(9, 0))).toEqual([]);
    expect(again(summed(10, 3), { status: 200 })).toEqual([7]);
    expect(again({ status: 200, bodySummary: { failed: 3 } }, summed(9, 0))).toEqual([null]);
    expect(again(summed(10, 10), summed(10, 0))).toEqual([]);
    expect(again(summed(10, 8, 2), summed(10, 0))).toEqual([]);
    expect(again(summed(10, 8, 9), summed(10, 0))).toEqual([]);
    expect(again(summed(10, 0, 3), summed(10, 0))).toEqual([7]);
    // A whole success is no partial one.
    expect(again(summed(10, 0), summed(10, 0))).toEqual([]);
    expect(again({ ...timeout, bodySummary: { total: 10, failed: 3 } }, summed(10, 0))).toEqual([]);
  });
  it('reads make nothing twice', () => {
    const reads = [read(1, 0, summed(10, 3)), read(2, 9_000, summed(10, 0))];
    expect(findings('whole_batch_resent', reads)).toEqual([]);
  });
  it('an item that had worked, sent again with a later call', () => {
    const item = (number: number, at: number, fields: Fields = {}) =>
      send(number, at, { ...ok, batch: { id: `b-${number}`, item: '1' }, ...fields });
    const again = (first: Fields, second: Fields) =>
      findings('whole_batch_resent', [item(1, 0, first), item(2, 9_000, second)]).map(
        ({ evidence }) => evidence.itemsThatHadWorked,
      );
    expect(again({}, {})).toEqual([1]);
    expect(again({ status: 422 }, {})).toEqual([]);
    expect(again({ batch: { id: 'b' } }, {})).toEqual([]);
    expect(again({}, { batch: { id: 'b' } })).toEqual([]);
    expect(again({ fingerprint: 'p' }, { fingerprint: 'q' })).toEqual([]);
    expect(again({ fingerprint: 'p' }, { fingerprint: 'p' })).toEqual([1]);
    expect(again({ kind: 'read' }, { kind: 'read' })).toEqual([]);
  });
});
