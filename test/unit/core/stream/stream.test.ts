import { describe, expect, it } from 'vitest';
import type { Attempt } from '@/lib/core/attempt';
import { findAcrossOperations } from '@/lib/core/checks/across';
import { toStreamFacts, toStreamSends } from '@/lib/core/checks/stream/build-stream';
import { findInStream, findWith, STREAM_CHECKS, streamReach } from '@/lib/core/checks/stream/index';
import {
  byStartAt,
  byStartedAt,
  compareText,
  groupSends,
  operationIdsOf,
  scopeKeyOf,
  type StreamCheck,
  type StreamHit,
} from '@/lib/core/checks/stream/stream';
import { DEFAULT_SETTINGS } from '@/lib/core/operation';
import { attempt, fact, fold, T0 } from '../support/event';
import { read, send } from '../support/find-all';
import { NO_FACTS, streamSend } from '../support/stream-send';

/** What every stream check shares: sends built from judged attempts, groups, order, the window, the reach. */

const HOUR = 3_600_000;

describe('judged attempts → sends of a stream', () => {
  const built = (...attempts: Attempt[]) => toStreamSends(fold(attempts).attempts);
  it('takes over what was seen and what was concluded', () => {
    const policy = { baseMs: 1, jitter: 'full' };
    const first = attempt({
      id: 'e-1',
      attempt: 2,
      parentOperationId: 'up',
      startedAt: T0,
      headersAt: T0 + 40,
      endedAt: T0 + 90,
      receivedAt: T0 + 200,
      instance: 'i',
      sdk: { name: 'sdk', version: '1.2' },
      kind: 'write',
      call: 'crm.deal.add',
      method: 'post',
      target: 'host',
      scope: 'portal',
      credential: 'c',
      profile: 'vibecode',
      code: 'TIMEOUT_QUARANTINE',
      retryAfter: ['30'],
      warning: 'again',
      reason: 'retry',
      policy,
      fingerprint: 'f',
      idempotency: { keyHash: 'k' },
      jobId: 'j',
    });
    expect(built(first)).toEqual([
      {
        operationId: 'op',
        parentOperationId: 'up',
        eventId: 'e-1',
        attempt: 2,
        service: 'orders',
        instance: 'i',
        sdk: 'sdk@1.2',
        clock: 'orders\u0000i',
        call: 'crm.deal.add',
        method: 'POST',
        kind: 'write',
        profile: 'vibecode',
        target: 'host',
        scope: 'portal',
        credential: 'c',
        action: 'retry_with_limit',
        effect: 'none',
        code: 'TIMEOUT_QUARANTINE',
        rule: 'TIMEOUT_QUARANTINE',
        authRefused: false,
        askedMs: 30_000,
        strict: true,
        warned: true,
        replayed: false,
        startAt: T0,
        refAt: T0 + 40,
        endAt: T0 + 90,
        receivedAt: T0 + 200,
        reason: 'retry',
        policy,
        fingerprint: 'f',
        keyHash: 'k',
        serverKey: null,
        jobId: 'j',
        previous: null,
      },
    ]);
  });
  it('links each send of the operation to the one before it', () => {
    const [first, second, third] = built(read(1, 0, { status: 503 }), read(2, 500, { status: 503 }), read(3, 900));
    expect(first?.previous).toBeNull();
    expect(second?.previous).toBe(first);
    expect(third?.previous).toBe(second);
  });
  it('what nobody told is left out or read as told by the call', () => {
    const [bare] = built(attempt({ status: 200, startedAt: T0, endedAt: undefined }));
    expect(bare).toMatchObject({ clock: 'orders\u0000', method: 'POST', kind: 'write', profile: 'http' });
    expect(bare).toMatchObject({ refAt: T0, endAt: T0, askedMs: null, warned: false, replayed: false });
    expect(bare?.sdk).toBeUndefined();
    expect(bare?.keyHash).toBeUndefined();
    expect(built(attempt({ sdk: { name: 'sdk' } }))[0]?.sdk).toBe('sdk');
    expect(built(attempt({ endedAt: undefined, headersAt: T0 + 40 }))[0]?.endAt).toBe(T0 + 40);
    // An end before its start takes no time.
    expect(built(attempt({ endedAt: T0 - 5 }))[0]?.endAt).toBe(T0);
  });
  it('knows a refused credential, a blank warning, a repeated answer and a key that the server enforces', () => {
    expect(built(read(1, 0, { status: 401 }))[0]?.authRefused).toBe(true);
    expect(built(read(1, 0, { status: 422 }))[0]?.authRefused).toBe(false);
    expect(built(read(1, 0, { warning: '  ' }))[0]?.warned).toBe(false);
    expect(built(send(1, 0, { idempotency: { keyHash: 'k', replayed: true } }))[0]).toMatchObject({
      replayed: true,
      serverKey: 'k',
    });
  });
  it('every rule set keeps its profile', () => {
    for (const profile of ['http', 'vibecode', 'quillhub', 'bitrix_rest'] as const) {
      expect(built(read(1, 0, { profile }))[0]?.profile).toBe(profile);
    }
    const [judged] = fold([read(1, 0)]).attempts;
    if (!judged) throw new Error('nothing was judged');
    const foreign = { ...judged, verdict: { ...judged.verdict, ruleSet: 'unheard@2026-01-01' } };
    expect(toStreamSends([foreign])[0]?.profile).toBe('http');
  });
  it('a send made up for a client that died is left out', () => {
    const started = fact({ type: 'attempt_started', attempt: 1, service: 'orders', call: 'POST /x' });
    expect(fold([started]).attempts).toHaveLength(1);
    expect(toStreamSends(fold([started]).attempts)).toEqual([]);
  });
});

describe('facts of a stream', () => {
  it('are sorted out by type; a repeated id counts once, an empty one never as a repeat', () => {
    const renewal = fact({ type: 'auth_refresh', id: 'r', ok: true, credential: 'c' });
    const given = [
      renewal,
      { ...renewal },
      fact({ type: 'auth_refresh', id: '', ok: true, credential: 'c' }),
      fact({ type: 'auth_refresh', id: '', ok: true, credential: 'c' }),
      fact({ type: 'cause_fixed', id: 'f' }),
      fact({ type: 'webhook_delivery', id: 'd', jobId: 'j', event: 'e', status: 200 }),
      fact({ type: 'job_result', id: 'j', jobId: 'j', result: 'failed' }),
      fact({ type: 'tally', id: 't', minute: T0, successes: 2 }),
      fact({ type: 'closed', id: 'c', result: 'done' }),
      attempt({ id: 'r2' }),
    ];
    const { refreshes, fixes, deliveries, jobs, tallies } = toStreamFacts(given);
    expect(refreshes.map(({ id }) => id)).toEqual(['r', '', '']);
    expect([fixes, deliveries, jobs, tallies].map((list) => list.map(({ id }) => id))).toEqual([
      ['f'],
      ['d'],
      ['j'],
      ['t'],
    ]);
    // An attempt's id takes none away from other facts.
    expect(toStreamFacts([attempt({ id: 'r' }), renewal]).refreshes).toHaveLength(1);
  });
});

describe('helpers', () => {
  it('orders by start, then number, then id', () => {
    const at = (ms: number, number: number, eventId: string) => streamSend(ms, { attempt: number, eventId });
    const sorted = [at(0, 1, 'b'), at(0, 1, 'c'), at(0, 2, 'a'), at(5, 1, 'a')];
    expect([...sorted].reverse().sort(byStartAt)).toEqual(sorted);
    expect(byStartAt(at(0, 1, 'a'), at(0, 1, 'a'))).toBe(0);
    expect(byStartAt(at(0, 1, 'a'), at(0, 1, 'b'))).toBe(-1);
    expect(byStartAt(at(0, 1, 'b'), at(0, 1, 'a'))).toBe(1);
  });
  it('orders facts by start, then id', () => {
    const at = (startedAt: number, id: string) => ({ startedAt, id });
    const sorted = [at(0, 'b'), at(0, 'c'), at(5, 'a')];
    expect([...sorted].reverse().sort(byStartedAt)).toEqual(sorted);
    expect([compareText('a', 'b'), compareText('b', 'a'), compareText('a', 'a')]).toEqual([-1, 1, 0]);
  });
  it('groups in order of appearance, without those that have no key', () => {
    const groups = groupSends(['b1', 'a1', '-', 'b2'], (word) => (word === '-' ? undefined : word[0]));
    expect([...groups]).toEqual([
      ['b', ['b1', 'b2']],
      ['a', ['a1']],
    ]);
  });
  it('names twenty operations at most, each once', () => {
    const many = Array.from({ length: 50 }, (_, n) => ({ operationId: `o-${n >> 1}` }));
    expect(operationIdsOf(many)).toEqual(Array.from({ length: 20 }, (_, n) => `o-${n}`));
    expect(operationIdsOf(many.slice(0, 3))).toEqual(['o-0', 'o-1']);
  });
  it('a scope is the portal, else host and credential, else nothing', () => {
    const key = (fields: Parameters<typeof streamSend>[1]) => scopeKeyOf(streamSend(0, fields));
    expect(key({ scope: 'portal', target: 'host', credential: 'c' })).toBe('portal');
    expect(key({ target: 'host', credential: 'c' })).toBe('host c');
    expect(key({ target: 'host' })).toBe('host');
    expect(key({ credential: 'c' })).toBe('c');
    expect(key({})).toBeUndefined();
  });
});

describe('one check over a window', () => {
  const hit = (at: number, value: string): StreamHit => ({
    check: 'no_jitter',
    severity: 'low',
    subject: { kind: 'service', value },
    at,
    evidence: {},
  });
  const check = (...hits: StreamHit[]): StreamCheck => ({
    check: 'no_jitter',
    groupBy: 'service',
    lookBackMs: () => 0,
    lookAheadMs: () => 0,
    find: () => hits,
  });
  const input = { window: { from: 10, to: 20 }, sends: [streamSend(0), streamSend(1)], facts: NO_FACTS };
  const within = (...hits: StreamHit[]) => findWith(check(...hits), { ...input, settings: DEFAULT_SETTINGS });
  it('drops what lies outside: its start belongs to it, its end does not', () => {
    expect(within(hit(9, 'a'), hit(10, 'b'), hit(19, 'c'), hit(20, 'd')).map(({ subject }) => subject.value)).toEqual([
      'b',
      'c',
    ]);
    expect(within(hit(20, 'a'))).toEqual([]);
  });
  it('writes window and numbers on each', () => {
    expect(within(hit(10, 'a'))).toEqual([
      { ...hit(10, 'a'), window: { from: 10, to: 20 }, lookedAt: { operations: 1, attempts: 2 } },
    ]);
  });
  it('in order of time, then of whom it is about', () => {
    const sorted = [hit(11, 'b'), hit(12, 'a'), hit(12, 'c')];
    expect(within(...[...sorted].reverse()).map(({ at, subject }) => [at, subject.value])).toEqual([
      [11, 'b'],
      [12, 'a'],
      [12, 'c'],
    ]);
    expect(within(hit(12, 'a'), hit(12, 'c'), hit(11, 'b')).map(({ subject }) => subject.value)).toEqual([
      'b',
      'a',
      'c',
    ]);
  });
});

describe('all checks', () => {
  it('harm first, manners after', () => {
    expect(STREAM_CHECKS.map(({ check }) => check)).toEqual([
      'pause_broken_by_others',
      'duplicate_suspected',
      'key_reused',
      'auth_loop',
      'error_loop',
      'synchronised_retries',
      'no_jitter',
      'backoff_shape',
      'amplification',
      'webhook_schedule',
      'contract_anomaly',
    ]);
  });
  it('reach two days back for keys and half a minute ahead for herds, unless a setting reaches further', () => {
    expect(streamReach(DEFAULT_SETTINGS)).toEqual({ backMs: 48 * HOUR, aheadMs: 32_000 });
    expect(streamReach({ ...DEFAULT_SETTINGS, duplicateLookBackMs: 100 * HOUR, overflowWindowMs: HOUR })).toEqual({
      backMs: 100 * HOUR,
      aheadMs: HOUR,
    });
  });
  it('run over what was handed over', () => {
    const key = { keyHash: 'k', kind: 'write' as const };
    const sends = [
      streamSend(0, { operationId: 'a', fingerprint: 'p', ...key }),
      streamSend(9, { operationId: 'b', fingerprint: 'q', ...key, parentOperationId: 'a' }),
    ];
    const window = { from: T0, to: T0 + 10 };
    expect(findInStream({ window, sends, facts: NO_FACTS, settings: DEFAULT_SETTINGS })).toMatchObject([
      { check: 'key_reused', operationId: 'b', window },
    ]);
  });
});

describe('operations handed over as a whole', () => {
  const conclusion = (operationId: string, at: number, fields: Partial<Attempt> = {}) => ({
    ...fold([send(1, at, { ...fields, status: 201 })]),
    operationId,
  });
  const use = (operationId: string, at: number, fingerprint: string) => {
    const one = conclusion(operationId, at, { fingerprint, idempotency: { keyHash: 'k' } });
    const attempts = one.attempts.map((judged) => ({ ...judged, attempt: { ...judged.attempt, operationId } }));
    return { ...one, attempts };
  };
  const refreshes = [0, 1_000, 9_000].map((at) =>
    fact({ type: 'auth_refresh', operationId: undefined, startedAt: T0 + at, credential: 'cred', ok: false }),
  );
  it('are their own window, from the first start to the last', () => {
    const found = findAcrossOperations([use('b', 7_000, 'q'), use('a', 0, 'p')]);
    expect([...found.keys()]).toEqual(['b']);
    expect(found.get('b')?.[0]?.window).toEqual({ from: T0, to: T0 + 7_001 });
    // Facts beside sends widen it, tallies (which have no instant) don't.
    const tally = fact({ type: 'tally', startedAt: undefined, minute: T0 - HOUR, successes: 1 });
    const wider = findAcrossOperations([use('b', 7_000, 'q'), use('a', 0, 'p')], [tally, ...refreshes]);
    expect(wider.get('b')?.[0]?.window.to).toBe(T0 + 9_001);
  });
  it('findings of one operation stand together; those of none that was given stand under no name', () => {
    const found = findAcrossOperations([use('b', 7_000, 'q'), use('a', 0, 'p')], refreshes);
    expect([...found].map(([id, list]) => [id, list.map(({ check }) => check)])).toEqual([
      ['b', ['key_reused']],
      ['', ['auth_loop', 'auth_loop']],
    ]);
  });
  it('a finding of many operations stands with the first of them', () => {
    const user = conclusion('op', 0, { credential: 'cred' });
    expect([...findAcrossOperations([user], refreshes).keys()]).toEqual(['op']);
    // Named in the evidence and not handed over: under no name.
    expect([...findAcrossOperations([{ ...user, operationId: 'another' }], refreshes).keys()]).toEqual(['']);
  });
  it('settings are those of the caller', () => {
    const settings = { ...DEFAULT_SETTINGS, keyLookBackMs: 6_999 };
    expect(findAcrossOperations([use('b', 7_000, 'q'), use('a', 0, 'p')], [], settings).size).toBe(0);
  });
  it('nothing gives nothing', () => {
    expect(findAcrossOperations([]).size).toBe(0);
  });
});
