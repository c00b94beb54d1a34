import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEnvelope, readHeaderFacts } from '@/lib/client/answer-facts';
import { describeError } from '@/lib/client/error-node';
import { makeUuidV7 } from '@/lib/client/uuid';

describe('makeUuidV7', () => {
  it('starts with the time and carries version and variant', () => {
    const id = makeUuidV7(0x0123456789ab, new Uint8Array(10).fill(0xff));
    expect(id).toBe('01234567-89ab-7fff-bfff-ffffffffffff');
  });

  it('sorts by time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 47 }), fc.integer({ min: 1, max: 1e9 }), (at, later) => {
        expect(makeUuidV7(at, randomBytes(10)) < makeUuidV7(at + later, randomBytes(10))).toBe(true);
      }),
    );
  });
});

describe('describeError', () => {
  it('keeps the chain and leaves secrets of addresses behind', () => {
    const cause = Object.assign(new Error('connect to https://u:p@host/x?token=abc failed'), {
      code: 'ECONNREFUSED',
      syscall: 'connect',
      secret: 'no',
    });
    const node = describeError(new TypeError('fetch failed', { cause }));
    expect(node).toEqual({
      name: 'TypeError',
      message: 'fetch failed',
      cause: {
        name: 'Error',
        code: 'ECONNREFUSED',
        syscall: 'connect',
        message: 'connect to https://…@host/x?… failed',
      },
    });
  });

  it('keeps the number of a DOMException and the members of an AggregateError', () => {
    expect(describeError(new DOMException('late', 'TimeoutError'))).toMatchObject({ name: 'TimeoutError', code: 23 });
    const both = new AggregateError([new Error('a'), new Error('b')], '');
    expect(describeError(both).errors).toHaveLength(2);
  });

  it('ends on a chain that bites its own tail', () => {
    const error = new Error('loop');
    error.cause = error;
    expect(JSON.stringify(describeError(error)).length).toBeLessThan(2_000);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.anything(), (value) => void describeError(value)));
  });
});

describe('readHeaderFacts', () => {
  it('passes raw Retry-After lines and the allow-list, nothing else', () => {
    const bag: Record<string, string | string[]> = {
      'retry-after': ['5', '10'],
      date: 'Mon, 02 Mar 2026 10:00:00 GMT',
      'x-request-id': 'r1',
      'content-type': 'application/json',
      'set-cookie': 'session=1',
      authorization: 'Bearer x',
    };
    expect(readHeaderFacts((name) => bag[name])).toEqual({
      retryAfter: ['5', '10'],
      dateHeader: 'Mon, 02 Mar 2026 10:00:00 GMT',
      requestId: 'r1',
      headers: { 'content-type': 'application/json' },
    });
  });
});

describe('readEnvelope', () => {
  it.each([
    [
      { success: false, error: { code: 'RATE_LIMITED', message: 'm', retryAfter: 2, hint: 'h' } },
      { code: 'RATE_LIMITED', message: 'm', retryAfterBody: 2 },
    ],
    [
      { error: { code: 'AGENT_WRITE_ALREADY_EXECUTED', firstStatus: null } },
      { code: 'AGENT_WRITE_ALREADY_EXECUTED', firstStatus: null },
    ],
    [
      { error: 'expired_token', error_description: 'd' },
      { code: 'expired_token', message: 'd' },
    ],
    [{ data: { secret: 1 } }, {}],
    ['text', {}],
    [null, {}],
  ])('%j', (body, expected) => {
    expect(readEnvelope(body)).toEqual(expected);
  });
});
