import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Attempt } from '@/lib/core/attempt';
import { digestOperation } from '@/lib/present/operation-facts';
import { readOperationSegment } from '@/lib/present/operation-segment';
import { operationPath } from '@/lib/present/routes';

const attempt = (rest: Partial<Attempt>): Attempt => ({
  type: 'attempt',
  id: 'a',
  operationId: 'op',
  attempt: 1,
  startedAt: 0,
  environment: 'production',
  service: 's',
  call: 'c',
  ...rest,
});

describe('digestOperation', () => {
  it.each([
    [[{}, {}], 'none'],
    [[{ keyHash: 'k' }, { keyHash: 'k' }], 'same'],
    [[{ keyHash: 'k' }, {}], 'some'],
    [[{ keyHash: 'k' }, { keyHash: 'l' }], 'changed'],
  ] as const)('tells how keys %j were used: %s', (keys, expected) => {
    expect(
      digestOperation(
        keys.map((idempotency) => attempt({ idempotency })),
        [],
      ).key,
    ).toBe(expected);
  });

  it('gathers each id once, also those that only a fact names', () => {
    const digest = digestOperation(
      [attempt({ requestId: 'r1', jobId: 'j1' }), attempt({ requestId: 'r1' }), attempt({ requestId: 'r2' })],
      [
        {
          type: 'readback',
          id: 'f',
          operationId: 'op',
          environment: 'production',
          startedAt: 1,
          endedAt: 2,
          result: 'present',
          criterion: 'unique',
          entityIds: ['77'],
        },
      ],
    );
    expect(digest).toMatchObject({ requestIds: ['r1', 'r2'], jobIds: ['j1'], entityIds: ['77'] });
  });
});

describe('readOperationSegment', () => {
  it('reads back whatever operationPath wrote', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), (id) => {
        const segment = operationPath('p', id).split('/').at(-1) ?? '';
        expect(readOperationSegment(segment)).toBe(id);
      }),
    );
  });
  it.each(['a/b#3', '50%', '%2F', 'x?y=1', 'заказ 7', '.', '..', '~', '~.', '...'])('keeps %s', (id) => {
    const url = new URL(operationPath('p', id), 'http://localhost');
    expect(url.search + url.hash).toBe('');
    expect(readOperationSegment(url.pathname.split('/').at(-1) ?? '')).toBe(id);
  });
  it('takes a broken encoding as it stands', () => {
    expect(readOperationSegment('50%')).toBe('50%');
  });
});
