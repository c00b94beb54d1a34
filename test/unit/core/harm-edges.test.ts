import { describe, expect, it } from 'vitest';
import type { Attempt, Fact } from '@/lib/core/attempt';
import { foldOperation } from '@/lib/core/fold';
import { fact, fold, foldContext, T0 } from './support/event';
import { read, send } from './support/find-all';

/** M4 and M15 at their edges: what is exempt, what runs at once, what each level takes. */

const timeout = { outcome: 'timeout' as const };
const ok = { status: 201 };
const DAY = 86_400_000;
const of = (check: string, facts: Fact[]) => fold(facts).findings.filter((finding) => finding.check === check);
const key = (fields: Partial<Attempt> = {}) => ({ idempotency: { keyHash: 'k' }, ...fields });
const readBack = (startAt: number, endAt: number, result = 'absent', more: Record<string, unknown> = {}) =>
  fact({ type: 'readback', startedAt: T0 + startAt, endedAt: T0 + endAt, result, criterion: 'unique', ...more });

describe('blind_write_retry at its edges', () => {
  const blind = (...facts: Fact[]) => of('blind_write_retry', facts);
  it.each([
    ['starting as the first ends', 100, 0],
    ['starting before it ends', 99, 1],
    ['at the end of the key’s life', DAY, 0],
    ['after it', DAY + 1, 1],
  ])('the same server key, %s (%i ms): %i', (_name, at, count) => {
    expect(blind(send(1, 0, key(timeout)), send(2, at, key(ok)))).toHaveLength(count);
  });
  it.each([
    ['p', 'p', 0],
    ['p', 'q', 1],
    ['p', undefined, 0],
    [undefined, 'q', 0],
  ])('the same key for requests %s and %s: %i', (first, second, count) => {
    const facts = [
      send(1, 0, key({ ...timeout, fingerprint: first })),
      send(2, 9_000, key({ ...ok, fingerprint: second })),
    ];
    expect(blind(...facts)).toHaveLength(count);
  });
  it('a look counts when it had ended as the repeat began', () => {
    const looked = (end: number) => blind(send(1, 0, timeout), readBack(120_000, end), send(2, 200_000, ok)).length;
    expect(looked(200_000)).toBe(0);
    expect(looked(200_001)).toBe(1);
  });
  it('two writes are blind while both run, on one clock alone', () => {
    const pair = (at: number, first: Partial<Attempt>, second: Partial<Attempt> = {}) =>
      blind(send(1, 0, { endedAt: T0 + 5_000, ...first }), send(2, at, { ...ok, ...second })).length;
    expect(pair(4_999, ok)).toBe(1);
    expect(pair(5_000, ok)).toBe(0);
    expect(pair(4_999, ok, { instance: 'other' })).toBe(0);
    expect(pair(4_999, { status: 429 })).toBe(0);
    expect(pair(4_999, ok, { kind: 'read', method: 'GET' })).toBe(0);
  });
  it('a read after a doubtful write repeats nothing', () => {
    expect(blind(send(1, 0, timeout), read(2, 9_000, { status: 200 }))).toEqual([]);
  });
  it('says what it saw', () => {
    expect(blind(send(1, 0, timeout), send(2, 9_000, ok))[0]).toEqual({
      check: 'blind_write_retry',
      severity: 'high',
      attempt: 2,
      evidence: {
        grade: 'blind',
        preflight: false,
        doubtfulAttempt: 1,
        code: 'TIMEOUT',
        gapMs: 8_900,
        effectPrevented: false,
      },
    });
  });
  it('refused before it left: quieter where nobody looked (X4)', () => {
    const refused = {
      profile: 'vibecode' as const,
      error: { name: 'Error', code: 'ECONNREFUSED', syscall: 'connect' },
    };
    const second = send(2, 200_000, { ...ok, profile: 'vibecode' });
    expect(blind(send(1, 0, refused), second)[0]).toMatchObject({ severity: 'medium', evidence: { preflight: true } });
    const seen = readBack(120_000, 120_050, 'present');
    expect(blind(send(1, 0, refused), seen, second)[0]?.severity).toBe('critical');
  });
  it('only an executed first DELETE prevents the effect', () => {
    const vibe = { profile: 'vibecode' as const, method: 'DELETE' };
    const answer = (firstStatus: number | null) =>
      blind(
        send(1, 0, { ...vibe, code: 'BITRIX_TIMEOUT' }),
        send(2, 9_000, { ...vibe, code: 'AGENT_WRITE_ALREADY_EXECUTED', firstStatus }),
      )[0]?.evidence.effectPrevented;
    expect(answer(200)).toBe(true);
    expect(answer(null)).toBe(false);
    expect(answer(500)).toBe(false);
  });
});

describe('duplicate_suspected at its edges', () => {
  const found = (...facts: Fact[]) => of('duplicate_suspected', facts)[0];
  const level = (...facts: Fact[]) => found(...facts)?.evidence.level;
  it('each level has its severity', () => {
    expect(found(send(1, 0, timeout), send(2, 9_000, ok))).toMatchObject({
      severity: 'medium',
      attempt: 2,
      evidence: { level: 'probable', attempts: [1, 2], extraEffects: 1, entities: 0 },
    });
    expect(found(send(1, 0, timeout), send(2, 9_000, timeout))).toMatchObject({
      severity: 'low',
      evidence: { level: 'possible' },
    });
    expect(found(send(1, 0, ok), readBack(9_000, 9_050, 'present', { entityIds: ['1', '2'] }))).toMatchObject({
      severity: 'critical',
      evidence: { level: 'confirmed', entities: 2 },
    });
    expect(level(send(1, 0, ok), readBack(9_000, 9_050, 'present', { entityIds: ['1'] }))).toBeUndefined();
  });
  it('two jobs, and two ids that a closing names, are seen too', () => {
    const job = (jobId: string) => fact({ type: 'job_result', jobId, result: 'completed', startedAt: T0 + 9_000 });
    expect(level(send(1, 0, { ...ok, jobId: 'j1' }), job('j2'))).toBe('confirmed');
    expect(level(send(1, 0, { ...ok, jobId: 'j1' }), job('j1'))).toBeUndefined();
    const closed = fact({ type: 'closed', result: 'done', entityIds: ['1', '2'], startedAt: T0 + 9_000 });
    expect(level(send(1, 0, timeout), closed)).toBe('confirmed');
  });
  it('a person’s word confirms, whatever was sent', () => {
    const said = (resolution: 'applied_once' | 'applied_more_than_once') =>
      foldOperation(
        { operationId: 'op', facts: [send(1, 0, timeout)], resolution: { resolution, resolvedAt: T0 + DAY } },
        foldContext(),
      ).findings.find(({ check }) => check === 'duplicate_suspected')?.severity;
    expect(said('applied_more_than_once')).toBe('critical');
    expect(said('applied_once')).toBeUndefined();
  });
  it('a success before the blind repeat, and an executed DELETE after it, are no second success', () => {
    expect(level(send(1, 0, ok), send(2, 9_000, timeout), send(3, 19_000, timeout))).toBeUndefined();
    const vibe = { profile: 'vibecode' as const, method: 'DELETE', call: 'D /1' };
    const agent = { ...vibe, code: 'AGENT_WRITE_ALREADY_EXECUTED', firstStatus: 200 };
    expect(level(send(1, 0, { ...vibe, code: 'BITRIX_TIMEOUT' }), send(2, 9_000, agent))).toBeUndefined();
  });
  it('a batch item that worked twice is probable; plain successes and other requests are not', () => {
    const item = (fields: Partial<Attempt> = {}) => ({ ...ok, batch: { id: 'b', item: '0' }, ...fields });
    expect(level(send(1, 0, item()), send(2, 9_000, item()))).toBe('probable');
    expect(level(send(1, 0, ok), send(2, 9_000, ok))).toBeUndefined();
    expect(level(send(1, 0, item({ fingerprint: 'p' })), send(2, 9_000, item({ fingerprint: 'q' })))).toBeUndefined();
    expect(level(send(1, 0, item({ fingerprint: 'p' })), send(2, 9_000, item({ fingerprint: 'p' })))).toBe('probable');
    const three = [0, 9_000, 19_000].map((at, index) =>
      send(index + 1, at, item({ fingerprint: index === 1 ? 'q' : 'p' })),
    );
    expect(level(...three)).toBeUndefined();
  });
  it('setting a value twice makes no second thing', () => {
    const vibe = (call: string): Partial<Attempt> => ({ profile: 'vibecode', call, method: 'POST' });
    const twice = (first: string, second: string) =>
      level(send(1, 0, { ...vibe(first), ...timeout }), send(2, 9_000, { ...vibe(second), ...ok }));
    expect(twice('crm.deal.update', 'crm.deal.update')).toBe('possible');
    expect(twice('crm.deal.update.json', 'crm.deal.delete')).toBe('possible');
    expect(twice('crm.deal.add', 'crm.deal.add')).toBe('probable');
    expect(twice('crm.deal.update', 'crm.deal.add')).toBe('probable');
    const looked = read(2, 5_000, { ...vibe('crm.deal.get'), status: 200 });
    const facts = [
      send(1, 0, { ...vibe('crm.deal.update'), ...timeout }),
      looked,
      send(3, 9_000, { ...vibe('crm.deal.update'), ...ok }),
    ];
    expect(level(...facts)).toBe('possible');
  });
  it('reads make nothing', () => {
    expect(level(read(1, 0, timeout), read(2, 9_000, { status: 200, jobId: 'j' }))).toBeUndefined();
  });
});
