import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Attempt, AttemptStarted, Fact } from '@/lib/core/attempt';
import { keyUsesOf, KEY_OPERATIONS_MAX } from '@/lib/core/key-use';
import { foldOperation } from '@/lib/core/fold';
import type { OperationConclusion } from '@/lib/core/operation';
import { attemptFact } from './support/arbitrary';
import { attempt, fact, foldContext, T0 } from './support/event';

/** A key is trusted only while it stands for one request, whichever operation used it. */

const HOUR = 3_600_000;

function conclude(own: readonly Fact[], others: readonly Fact[] = [], operationId = 'op'): OperationConclusion {
  return foldOperation({ operationId, facts: [...own], elsewhere: keyUsesOf(others) }, foldContext());
}

function write(fields: Partial<Attempt> = {}): Attempt {
  const startedAt = fields.startedAt ?? T0;
  const common = { kind: 'write' as const, method: 'POST', call: 'POST /v1/charges', target: 'api.pay.example' };
  return attempt({ ...common, endedAt: startedAt + 100, status: 201, idempotency: { keyHash: 'k' }, ...fields });
}

/** Nobody heard of it, and then it worked under the same key: settled by the key. */
function retried(fields: Partial<Attempt> = {}): Attempt[] {
  return [
    write({ ...fields, status: undefined, outcome: 'timeout' }),
    write({ ...fields, attempt: 2, startedAt: (fields.startedAt ?? T0) + 60_000 }),
  ];
}

const SETTLED = { state: 'succeeded', possibleEffects: 1, needsReview: false, spoiltKeys: [], takenKeys: [] };
const OPEN = { state: 'succeeded_with_possible_duplicates', possibleEffects: 2, needsReview: true, spoiltKeys: ['k'] };

function elsewhere(fields: Partial<Attempt> = {}): Attempt {
  return write({ operationId: 'other', startedAt: T0 + HOUR, ...fields });
}

describe('a key that another operation used', () => {
  const own = retried({ fingerprint: 'f1' });

  it('for another request proves nothing, before or after', () => {
    expect(conclude(own)).toMatchObject(SETTLED);
    for (const startedAt of [T0 - HOUR, T0 + 30_000, T0 + HOUR]) {
      const other = elsewhere({ fingerprint: 'f2', startedAt });
      const found = conclude(own, [other]);
      expect(found).toMatchObject({ ...OPEN, doubt: { settledBy: null } });
      expect(found.takenKeys).toMatchObject([{ operationId: 'other', eventId: other.id }]);
      expect(found.findings.map(({ check }) => check)).toContain('blind_write_retry');
    }
  });

  it('for the same request stays trusted', () => {
    expect(conclude(own, [elsewhere({ fingerprint: 'f1' })])).toMatchObject(SETTLED);
    expect(conclude(own, retried({ fingerprint: 'f1', operationId: 'other' }))).toMatchObject(SETTLED);
  });

  it('counts only as long as a server remembers it', () => {
    const far = 60_000 + 24 * HOUR;
    expect(conclude(own, [elsewhere({ fingerprint: 'f2', startedAt: T0 + far })])).toMatchObject(OPEN);
    expect(conclude(own, [elsewhere({ fingerprint: 'f2', startedAt: T0 + far + 1 })])).toMatchObject(SETTLED);
    expect(conclude(own, [elsewhere({ fingerprint: 'f2', startedAt: T0 - 24 * HOUR })])).toMatchObject(OPEN);
    expect(conclude(own, [elsewhere({ fingerprint: 'f2', startedAt: T0 - 24 * HOUR - 1 })])).toMatchObject(SETTLED);
  });

  it.each<[string, Partial<Attempt>]>([
    ['an announced send', {}],
    ['a mode that was lowered', { idempotency: { keyHash: 'k', mode: 'none' } }],
    ['another profile', { profile: 'quillhub' }],
    ['another service', { service: 'mail', instance: 'i2' }],
    ['another credential', { credential: 'c2' }],
    ['another environment', { environment: 'staging' }],
    ['an unknown target', { target: undefined }],
    ['the same host in other words', { target: 'https://API.pay.example:443/v1' }],
    ['a refused send', { status: 400 }],
  ])('counts under %s too', (_, fields) => {
    expect(conclude(own, [elsewhere({ fingerprint: 'f2', ...fields })])).toMatchObject(OPEN);
  });

  it('counts from its announcement on', () => {
    const { type: _type, status: _status, endedAt: _endedAt, ...rest } = elsewhere({ fingerprint: 'f2' });
    const started: AttemptStarted = { ...rest, type: 'attempt_started' };
    expect(conclude(own, [started])).toMatchObject(OPEN);
  });

  it('of another server or account is another key', () => {
    for (const fields of [{ target: 'api.mail.example' }, { scope: 'portal-2' }]) {
      const mine = own.map((send) => ({ ...send, scope: 'portal-1' }));
      expect(conclude(mine, [elsewhere({ fingerprint: 'f2', scope: 'portal-1', ...fields })])).toMatchObject(SETTLED);
    }
  });

  it('is of no matter where nothing hangs on it', () => {
    const lone = write({ fingerprint: 'f1' });
    expect(conclude([lone], [elsewhere({ fingerprint: 'f2' })])).toEqual(conclude([lone]));
    const bare = own.map((send) => ({ ...send, idempotency: undefined }));
    expect(conclude(bare, [elsewhere({ fingerprint: 'f2' })])).toEqual(conclude(bare));
    expect(conclude(own, [elsewhere({ fingerprint: 'f2', idempotency: { keyHash: 'l' } })])).toEqual(conclude(own));
  });

  it('leaves proofs that are none of a key', () => {
    const seen = fact({
      type: 'readback',
      startedAt: T0 + 2 * HOUR,
      endedAt: T0 + 2 * HOUR,
      result: 'present',
      criterion: 'unique',
    });
    const found = conclude([...own.slice(0, 1), seen], [elsewhere({ fingerprint: 'f2' })]);
    expect(found).toMatchObject({ state: 'succeeded', doubt: { settledBy: 'read_back' } });
  });

  it('makes no answer under it a hint that the write was applied', () => {
    const conflict = [
      ...own.slice(0, 1),
      write({ attempt: 2, startedAt: T0 + 60_000, fingerprint: 'f1', status: 422, code: 'idempotency_error' }),
    ];
    expect(conclude(conflict).suggestion).toMatchObject({ reason: 'conflict_after_unclear_write' });
    expect(conclude(conflict, [elsewhere({ fingerprint: 'f2' })]).suggestion).toBeNull();
  });
});

describe('without a fingerprint on both', () => {
  const own = retried();

  it('another call, verb or operation is another request', () => {
    for (const fields of [
      { call: 'POST /v1/refunds' },
      { method: 'PUT', call: '/v1/charges' },
      {},
      { fingerprint: 'f' },
    ]) {
      expect(conclude(own, [elsewhere(fields)])).toMatchObject(OPEN);
    }
    expect(conclude(retried({ fingerprint: 'f' }), [elsewhere()])).toMatchObject(OPEN);
  });

  it('is said of the operation whose doubt hangs on it, once and only there', () => {
    const saidOf = (facts: readonly Fact[], other: Attempt) =>
      conclude(facts, [other]).findings.filter(({ check }) => check === 'key_reused');
    expect(saidOf(own, elsewhere())).toMatchObject([
      { severity: 'low', attempt: 2, evidence: { unproven: true, otherOperationId: 'other', attempts: [1, 2] } },
    ]);
    expect(saidOf(own, elsewhere({ parentOperationId: 'op' }))).toEqual([]);
    expect(saidOf([write(), write({ attempt: 2, startedAt: T0 + 60_000 })], elsewhere())).toEqual([]);
    // Two that name their requests are told across operations.
    expect(saidOf(retried({ fingerprint: 'f1' }), elsewhere({ fingerprint: 'f2' }))).toEqual([]);
    const sameName = elsewhere({ fingerprint: 'f1', call: 'POST /v1/refunds' });
    expect(saidOf(retried({ fingerprint: 'f1' }), sameName)).toHaveLength(1);
  });

  it('a follow-up keeps its key for the same call, in either direction', () => {
    expect(conclude(own, [elsewhere({ parentOperationId: 'op' })])).toMatchObject(SETTLED);
    expect(conclude(retried({ parentOperationId: 'other' }), [elsewhere({ status: 401 })])).toMatchObject(SETTLED);
    expect(conclude(own, [elsewhere({ parentOperationId: 'op', call: 'POST /v1/refunds' })])).toMatchObject(OPEN);
    expect(conclude(own, [elsewhere({ parentOperationId: 'third' })])).toMatchObject(OPEN);
  });

  it('the same fingerprint on another call is another request all the same', () => {
    const other = elsewhere({ fingerprint: 'f', call: 'POST /v1/refunds' });
    expect(conclude(retried({ fingerprint: 'f' }), [other])).toMatchObject(OPEN);
    expect(
      conclude(retried({ fingerprint: 'f' }), [elsewhere({ fingerprint: 'f', call: '/v1/Charges/' })]),
    ).toMatchObject(SETTLED);
  });
});

describe('a key within one operation', () => {
  it('is not trusted once it stood for another call, or the platform says so', () => {
    const [first, second] = retried();
    if (!first || !second) throw new Error('two sends');
    expect(conclude([first, second])).toMatchObject(SETTLED);
    expect(conclude([first, { ...second, call: 'POST /v1/refunds' }])).toMatchObject(OPEN);
    const misused = write({ attempt: 2, startedAt: T0 + 30_000, status: 400, code: 'idempotency_error' });
    expect(conclude([first, misused, { ...second, attempt: 3 }])).toMatchObject(OPEN);
  });

  it('vouches on the server that knows it alone', () => {
    const [first, second] = retried();
    if (!first || !second) throw new Error('two sends');
    const moved = { ...second, target: 'eu.pay.example' };
    expect(conclude([first, moved])).toMatchObject({ ...OPEN, spoiltKeys: [] });
  });
});

describe('the items of one batch call', () => {
  const item = (operationId: string, at: number, fields: Partial<Attempt> = {}): Attempt =>
    write({ operationId, startedAt: T0 + at, batch: { id: `b-${at}`, item: operationId }, ...fields });
  const lost = { status: undefined, outcome: 'timeout' as const };
  const own = [item('op', 0, lost), item('op', 60_000, { attempt: 2 })];

  it('share its key', () => {
    const other = [item('op#1', 0, lost), item('op#1', 60_000, { attempt: 2, call: 'POST /v1/refunds' })];
    expect(conclude(own, other)).toMatchObject(SETTLED);
  });

  it('don’t share it with a batch of other items', () => {
    expect(conclude(own, [item('op#1', 120_000)])).toMatchObject(OPEN);
  });
});

describe('REST 3.0 keeps keys by method', () => {
  const rest = (fields: Partial<Attempt>) => ({
    profile: 'bitrix_rest' as const,
    call: '/rest/api/tasks.task.add',
    target: 'portal.example',
    ...fields,
  });
  const own = retried(rest({ fingerprint: 'f1' }));

  it('so that another method takes nothing, and the verb says nothing', () => {
    const other = elsewhere(rest({ fingerprint: 'f2', call: '/rest/api/crm.deal.add' }));
    expect(conclude(own, [other])).toMatchObject(SETTLED);
    expect(conclude(own, [elsewhere(rest({ fingerprint: 'f2' }))])).toMatchObject(OPEN);
    expect(conclude(own, [elsewhere(rest({ fingerprint: 'f1', method: 'GET' }))])).toMatchObject(SETTLED);
  });

  it('while a path alone makes no REST 3.0 of another profile', () => {
    const jira = (fields: Partial<Attempt>) => ({
      ...rest({ call: 'POST /rest/api/2/issue', ...fields }),
      profile: 'http' as const,
    });
    const other = elsewhere(jira({ call: 'POST /rest/api/2/comment', fingerprint: 'f2' }));
    expect(conclude(retried(jira({ fingerprint: 'f1' })), [other])).toMatchObject(OPEN);
  });
});

describe('one key in very many operations', () => {
  it('is not looked at to its end, and not trusted', () => {
    const own = retried({ fingerprint: 'f' });
    const many = Array.from({ length: KEY_OPERATIONS_MAX }, (_, nth) =>
      elsewhere({ operationId: `o-${nth}`, fingerprint: 'f' }),
    );
    expect(conclude(own, many)).toMatchObject(SETTLED);
    const one = elsewhere({ operationId: 'one-more', fingerprint: 'f' });
    expect(conclude(own, [...many, one])).toMatchObject(OPEN);
  });
});

describe('whatever is shared', { timeout: 60_000 }, () => {
  const others = fc.array(
    fc
      .tuple(attemptFact, fc.constantFrom('x', 'y'), fc.integer({ min: -2, max: 2 }))
      .map(([use, operationId, days]) => {
        return { ...use, operationId, startedAt: use.startedAt + days * 24 * HOUR };
      }),
    { maxLength: 6 },
  );
  const asOf = T0 + 90 * 24 * HOUR;
  /** Traffic that leans on keys: one send after the other, most under one that its server enforces. */
  const keyed = fc
    .array(
      fc.record({
        key: fc.constantFrom('k', 'k', 'l', undefined),
        answer: fc.constantFrom<Partial<Attempt>>(
          { status: undefined, outcome: 'timeout' },
          { status: 500 },
          { status: 201 },
          { status: 429 },
          { status: 409 },
        ),
        fingerprint: fc.constantFrom('p', 'p', undefined),
        look: fc.constantFrom('absent', 'present', undefined, undefined, undefined),
      }),
      { maxLength: 6 },
    )
    .map((list) =>
      list.flatMap(({ key, answer, fingerprint, look }, nth): Fact[] => {
        const startedAt = T0 + nth * 300_000;
        const idempotency = key === undefined ? undefined : { keyHash: key };
        const at = startedAt + 150_000;
        const looked = fact({ type: 'readback', startedAt: at, endedAt: at, result: look, criterion: 'unique' });
        const sent = write({ ...answer, attempt: nth + 1, startedAt, fingerprint, idempotency });
        return look === undefined ? [sent] : [sent, looked];
      }),
    );

  it('the order of uses, and their repetition, make no difference', () => {
    fc.assert(
      fc.property(keyed, others, fc.array(fc.nat()), (own, uses, keys) => {
        const shuffled = uses.map((use, at) => ({ use, key: keys[at] ?? 0 })).sort((a, b) => a.key - b.key);
        const given = (list: Fact[]) =>
          foldOperation({ operationId: 'op', facts: own, elsewhere: keyUsesOf(list) }, foldContext({ asOf }));
        expect(given([...shuffled.map(({ use }) => use), ...uses])).toEqual(given(uses));
      }),
      { numRuns: 300 },
    );
  });

  it('sharing a key never lowers possibleEffects, nor settles what was unknown without', () => {
    let harmed = 0;
    fc.assert(
      fc.property(keyed, others, (own, uses) => {
        const alone = foldOperation({ operationId: 'op', facts: own }, foldContext({ asOf }));
        const among = foldOperation(
          { operationId: 'op', facts: own, elsewhere: keyUsesOf(uses) },
          foldContext({ asOf }),
        );
        expect(among.possibleEffects).toBeGreaterThanOrEqual(alone.possibleEffects);
        if (alone.doubt?.settledBy === null) expect(among.doubt?.settledBy).toBeNull();
        if (alone.needsReview) expect(among.needsReview).toBe(true);
        if (alone.state === 'unresolved') expect(among.state).toBe('unresolved');
        if (among.possibleEffects > alone.possibleEffects) harmed++;
      }),
      { numRuns: 2_000 },
    );
    expect(harmed).toBeGreaterThan(50);
  });
});
