import { describe, expect, it } from 'vitest';
import type { Attempt, Fact } from '@/lib/core/attempt';
import { DEFAULT_SETTINGS } from '@/lib/core/operation';
import { evaluateAll } from '@/lib/ingest/handle-evaluate';
import { attempt, fact, T0 } from '../core/support/event';

/** What repairs a cause without naming the operation excuses its repeat, in evaluation as in settling. */

const PROJECT = { profiles: { defaultProfile: 'http' as const, targets: [] }, settings: DEFAULT_SETTINGS };

function checksOf(facts: readonly Fact[], operationId = 'op'): string[] {
  const { operations } = evaluateAll(facts, PROJECT, T0 + 86_400_000);
  const own = operations.find((one) => one.operationId === operationId);
  return own?.findings.map(({ check }) => check).sort() ?? [];
}

function twice(fields: Partial<Attempt>): Attempt[] {
  const common = { kind: 'write' as const, method: 'POST', fingerprint: 'f1' };
  return [
    attempt({ ...common, ...fields }),
    attempt({ ...common, attempt: 2, startedAt: T0 + 60_000, endedAt: T0 + 60_100, status: 201 }),
  ];
}

function fix(fields: Record<string, unknown>): Fact {
  return fact({ type: 'cause_fixed', operationId: undefined, startedAt: T0 + 30_000, ...fields });
}

function renewal(fields: Record<string, unknown>): Fact {
  return fact({
    type: 'auth_refresh',
    operationId: undefined,
    credential: 'c1',
    ok: true,
    startedAt: T0 + 30_000,
    ...fields,
  });
}

describe('a fix that names a code', () => {
  const sends = twice({ status: 422 });

  it('excuses what failed by the code of the verdict, where the client sent none', () => {
    expect(checksOf(sends)).toContain('never_retry_retried');
    expect(checksOf([...sends, fix({ code: 'HTTP_422' })])).toEqual([]);
    expect(checksOf([...sends, fix({ code: 'HTTP_422', service: 'orders' })])).toEqual([]);
  });

  it('excuses nothing for another code, another service or at another time', () => {
    for (const other of [
      { code: 'HTTP_400' },
      { code: 'HTTP_422', service: 'mail' },
      { code: 'HTTP_422', startedAt: T0 - 1 },
      { code: 'HTTP_422', startedAt: T0 + 60_001 },
    ]) {
      expect(checksOf([...sends, fix(other)])).toContain('never_retry_retried');
    }
  });

  it('is known by the codes inside the answer too', () => {
    const told = twice({ status: 422, code: 'BITRIX_ERROR', b24Code: 'ERROR_CORE', profile: 'vibecode' });
    for (const code of ['BITRIX_ERROR', 'ERROR_CORE']) {
      expect(checksOf([...told, fix({ code })])).not.toContain('never_retry_retried');
    }
  });

  it('that was told of another operation is that operation’s alone', () => {
    const others = [...sends, fix({ code: 'HTTP_422', operationId: 'other' })];
    expect(checksOf(others)).toContain('never_retry_retried');
  });
});

describe('a renewal', () => {
  const sends = twice({ status: 401, credential: 'c1' });

  it('of the credential counts whichever operation needed it', () => {
    expect(checksOf(sends)).toEqual(['auth_loop', 'never_retry_retried']);
    expect(checksOf([...sends, renewal({})])).toEqual([]);
    expect(checksOf([...sends, renewal({ operationId: 'renewing' })])).toEqual([]);
  });

  it('that failed, of another credential or at another time counts for nothing', () => {
    for (const other of [{ ok: false }, { credential: 'c2' }, { startedAt: T0 - 1 }, { operationId: 'x', ok: false }]) {
      expect(checksOf([...sends, renewal(other)])).toEqual(['auth_loop', 'never_retry_retried']);
    }
  });

  it('says nothing of the operation’s times or state', () => {
    const [own] = evaluateAll([...sends, renewal({ operationId: 'renewing' })], PROJECT, T0 + 86_400_000).operations;
    expect(own).toMatchObject({ operationId: 'op', state: 'succeeded' });
  });
});
