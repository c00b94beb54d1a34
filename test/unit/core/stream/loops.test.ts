import { describe, expect, it } from 'vitest';
import type { Attempt, Fact } from '@/lib/core/attempt';
import { DEFAULT_SETTINGS, type Settings } from '@/lib/core/operation';
import { fact, T0 } from '../support/event';
import { findAll, read } from '../support/find-all';

/** M13 and M14: credentials and errors in circles. */

const of = (check: string, facts: Fact[], settings: Partial<Settings> = {}) =>
  findAll(facts, { settings: { ...DEFAULT_SETTINGS, ...settings } }).filter((finding) => finding.check === check);
const refresh = (at: number, ok: boolean, credential = 'cred') =>
  fact({ type: 'auth_refresh', operationId: undefined, startedAt: T0 + at, credential, ok });
const refused = (number: number, at: number, fields: Partial<Attempt> = {}) =>
  read(number, at, { status: 401, credential: 'cred', ...fields });

describe('auth_loop (M13)', () => {
  const kinds = (facts: Fact[], settings?: Partial<Settings>) =>
    of('auth_loop', facts, settings).map(({ evidence, severity }) => [evidence.kind, severity]);
  it('(a) a repeat with no renewal, a failed one, or one of another credential', () => {
    const again = read(2, 9_000, { status: 200, credential: 'cred' });
    expect(kinds([refused(1, 0), again])).toEqual([['not_renewed', 'medium']]);
    expect(kinds([refused(1, 0), refresh(5_000, false), again])).toEqual([['not_renewed', 'medium']]);
    expect(kinds([refused(1, 0), refresh(5_000, true, 'other'), again])).toEqual([['not_renewed', 'medium']]);
    expect(kinds([refused(1, 0), refresh(5_000, true), again])).toEqual([]);
    expect(kinds([refused(1, 0), refresh(-5_000, true), again])).toEqual([['not_renewed', 'medium']]);
    expect(kinds([refused(1, 0, { profile: 'vibecode', code: 'TOKEN_REFRESH_FAILED' }), again])).toHaveLength(1);
    expect(kinds([refused(1, 0, { profile: 'bitrix_rest', code: 'expired_token' }), again])).toHaveLength(1);
  });
  it('(b) more than one follow-up after a renewal', () => {
    const once = [refused(1, 0), refresh(1_000, true), refused(2, 9_000)];
    expect(kinds(once)).toEqual([]);
    const twice = [...once, refresh(10_000, true), read(3, 19_000, { status: 200 })];
    expect(kinds(twice)).toEqual([['renewed_in_vain', 'high']]);
    expect(kinds([...once, refused(3, 19_000)])).toEqual([
      ['not_renewed', 'medium'],
      ['renewed_in_vain', 'high'],
    ]);
  });
  it('(b) along follow-up operations, charged to the one that made it a loop', () => {
    const chain = (count: number, more: Partial<Attempt> = {}) =>
      Array.from({ length: count }, (_, at) =>
        refused(1, at * 9_000, {
          operationId: `op-${at}`,
          parentOperationId: at === 0 ? undefined : `op-${at - 1}`,
          ...more,
        }),
      );
    expect(kinds(chain(2))).toEqual([]);
    expect(of('auth_loop', chain(3))).toEqual([
      expect.objectContaining({ of: 'op-2', attempt: 1, severity: 'high', at: T0 + 18_000 }),
    ]);
    expect(kinds(chain(4))).toHaveLength(1);
    expect(kinds(chain(3, { status: 503 }))).toEqual([]);
    const closed = [...chain(2), read(1, 18_000, { operationId: 'op-2', parentOperationId: 'op-1', status: 200 })];
    expect(kinds(closed)).toEqual([['renewed_in_vain', 'high']]);
    expect(
      kinds([...chain(1), read(1, 18_000, { operationId: 'op-1', parentOperationId: 'op-0', status: 200 })]),
    ).toEqual([]);
    const circle = chain(3).map((send) => ({ ...send, parentOperationId: send.operationId }));
    expect(kinds(circle)).toEqual([]);
  });
  it('(c) three failed renewals within ten minutes, told once', () => {
    const failing = (...ats: number[]) => [refused(1, 0), ...ats.map((at) => refresh(at, false))];
    expect(kinds(failing(0, 300_000))).toEqual([]);
    expect(kinds(failing(0, 300_000, 600_000))).toEqual([['renewal_fails', 'high']]);
    expect(kinds(failing(0, 300_000, 600_001))).toEqual([]);
    expect(kinds(failing(0, 300_000, 600_000, 610_000))).toHaveLength(1);
    expect(kinds([...failing(0, 10_000), refresh(20_000, true), refresh(30_000, false)])).toEqual([]);
    expect(kinds(failing(0, 300_000), { authFailuresMinCount: 2 })).toHaveLength(1);
    expect(kinds([refused(1, 0), ...[0, 10_000, 20_000].map((at) => refresh(at, false, `c-${at}`))])).toEqual([]);
    const [found] = of('auth_loop', failing(0, 300_000, 600_000));
    expect(found).toMatchObject({
      of: 'op',
      subject: { kind: 'credential', value: 'cred' },
      evidence: { failures: 3, spanMs: 600_000, operationIds: ['op'] },
    });
  });
  it('(d) two renewals in flight; callers that share one name its start', () => {
    const flying = (apart: number) => [refused(1, 0), refresh(1_000, true), refresh(1_000 + apart, true)];
    expect(kinds(flying(0))).toEqual([]);
    expect(kinds(flying(1))).toEqual([['renewals_in_flight', 'medium']]);
    expect(kinds(flying(2_000))).toHaveLength(1);
    expect(kinds(flying(2_001))).toEqual([]);
  });
  it('what belongs to no operation is given under no operation', () => {
    expect(
      of(
        'auth_loop',
        [0, 1_000, 9_000].map((at) => refresh(at, false)),
      ).map(({ of: whose }) => whose),
    ).toEqual(['', '']);
  });
});

describe('error_loop (M14)', () => {
  const stages = (facts: Fact[], settings?: Partial<Settings>) =>
    of('error_loop', facts, settings).map(({ evidence }) => evidence.stage);
  const failure = (at: number, fields: Partial<Attempt> = {}) =>
    read(1, at, {
      operationId: `op-${at}-${fields.fingerprint ?? ''}`,
      scope: 'portal',
      fingerprint: 'same',
      status: 500,
      ...fields,
    });
  const run = (count: number, stepMs: number, fields: Partial<Attempt> = {}) =>
    Array.from({ length: count }, (_, at) => failure(at * stepMs, fields));
  it('five equal failures within five minutes form a loop, told once', () => {
    expect(stages(run(4, 1_000))).toEqual([]);
    expect(stages(run(5, 1_000))).toEqual(['forming']);
    expect(stages(run(5, 75_000))).toEqual(['forming']);
    expect(stages(run(5, 75_001))).toEqual([]);
    expect(stages(run(9, 1_000))).toEqual(['forming']);
    expect(stages(run(4, 1_000), { errorLoopMinCount: 4 })).toEqual(['forming']);
    expect(stages(run(5, 1_000), { errorLoopWindowMs: 3_999 })).toEqual([]);
  });
  it('a success of the same request ends it; another code is another failure', () => {
    expect(stages([...run(4, 1_000), failure(3_500, { status: 200 }), failure(4_000)])).toEqual([]);
    expect(stages([...run(4, 1_000), failure(4_000, { status: 502 })])).toEqual([]);
    const others = run(4, 1_000, { scope: 'elsewhere' });
    expect(stages([...others, failure(4_000)])).toEqual([]);
  });
  it('a quiet time begins a new loop', () => {
    const later = run(5, 1_000).map((send) => ({
      ...send,
      operationId: `${send.operationId}-later`,
      startedAt: send.startedAt + 3_600_000,
      endedAt: (send.endedAt ?? 0) + 3_600_000,
    }));
    expect(stages([...run(5, 1_000), ...later])).toEqual(['forming', 'forming']);
  });
  it('ids in the body differ and the call is one: found by call and code', () => {
    const sends = Array.from({ length: 5 }, (_, at) => failure(at * 1_000, { fingerprint: `id-${at}` }));
    expect(of('error_loop', sends)[0]?.evidence).toMatchObject({ stage: 'forming', by: 'call', count: 5 });
    expect(of('error_loop', run(5, 1_000))[0]?.evidence).toMatchObject({ by: 'request', spanMs: 4_000 });
    expect(stages(sends.map((send, at) => ({ ...send, call: `POST /${at}` })))).toEqual([]);
    expect(stages(sends.map((send) => ({ ...send, fingerprint: undefined })))).toEqual(['forming']);
  });
  it('a warning announces it, once', () => {
    expect(stages([failure(0, { warning: 'again' }), failure(1_000, { warning: 'again' })])).toEqual(['announced']);
    expect(stages([failure(0, { warning: ' ' })])).toEqual([]);
  });
  it('ERROR_LOOP_DETECTED opens it, each further send of that request feeds it until a fix or a success', () => {
    const open = { profile: 'vibecode' as const, status: 429, code: 'ERROR_LOOP_DETECTED' };
    const opened = failure(0, open);
    const next = failure(10_000, open);
    expect(stages([opened])).toEqual(['open']);
    expect(of('error_loop', [opened, next]).map(({ severity, evidence }) => [evidence.stage, severity])).toEqual([
      ['open', 'medium'],
      ['feeding', 'high'],
    ]);
    const fix = (fields: Record<string, unknown>) =>
      fact({ type: 'cause_fixed', operationId: undefined, startedAt: T0 + 5_000, ...fields });
    expect(stages([opened, fix({ code: 'ERROR_LOOP_DETECTED' }), next])).toEqual(['open', 'open']);
    expect(stages([opened, fix({ operationId: opened.operationId }), next])).toEqual(['open', 'open']);
    expect(stages([opened, fix({ code: 'OTHER' }), next])).toEqual(['open', 'feeding']);
    expect(stages([opened, fix({ code: 'ERROR_LOOP_DETECTED', service: 'other' }), next])).toEqual(['open', 'feeding']);
    expect(stages([opened, fix({ code: 'ERROR_LOOP_DETECTED', startedAt: T0 + 10_001 }), next])).toEqual([
      'open',
      'feeding',
    ]);
    const probe = failure(5_000, { profile: 'vibecode', status: 200 });
    expect(stages([opened, probe, next])).toEqual(['open', 'open']);
    expect(stages([opened, failure(5_000, { ...open, fingerprint: 'another' })])).toEqual(['open', 'open']);
    expect(stages([opened, failure(5_000, { profile: 'vibecode', status: 503 })])).toEqual(['open', 'feeding']);
  });
});
