import { describe, expect, it } from 'vitest';
import type { Attempt } from '@/lib/core/attempt';
import { classify } from '@/lib/core/classify';
import { currentRuleSet, findRuleSet } from '@/lib/core/rules/index';
import type { Verdict } from '@/lib/core/verdict';
import { attempt, T0 } from './support/event';

/** Classic REST and REST 3.0 of Bitrix24 (domain.md §1.2), and the clocks that every profile shares. */

const judge = (profile: NonNullable<Attempt['profile']>, fields: Partial<Attempt>): Verdict =>
  classify(attempt(fields), currentRuleSet(profile));
const http = (fields: Partial<Attempt>) => judge('http', { method: 'POST', ...fields });
const W = { kind: 'write' as const };
const R = { kind: 'read' as const };

describe('clocks', () => {
  it('flags a client far from the answer and one far ahead of the receiver', () => {
    const dateHeader = 'Mon, 02 Mar 2026 10:00:00 GMT';
    expect(http({ ...R, status: 200, dateHeader, headersAt: T0 + 60_000 }).flags).toEqual(['clock_skew']);
    expect(http({ ...R, status: 200, dateHeader, headersAt: T0 + 59_999 }).flags).toEqual([]);
    expect(http({ ...R, status: 200, receivedAt: T0 - 60_000 }).flags).toEqual(['clock_skew']);
    expect(http({ ...R, status: 200, receivedAt: T0 + 3_600_000 }).flags).toEqual([]);
  });
});

describe('bitrix_rest', () => {
  it.each([
    ['QUERY_LIMIT_EXCEEDED', 'retry_with_limit', 'retry_with_limit', 'none'],
    ['OPERATION_TIME_LIMIT', 'retry_with_limit', 'state_verification_required', 'possible'],
    ['ERROR_UNEXPECTED_ANSWER', 'retry_with_limit', 'state_verification_required', 'possible'],
    ['OVERLOAD_LIMIT', 'do_not_retry', 'do_not_retry', 'none'],
    ['PORTAL_DELETED', 'do_not_retry', 'do_not_retry', 'none'],
    ['expired_token', 'fix_before_retry', 'fix_before_retry', 'none'],
    ['insufficient_scope', 'fix_before_retry', 'fix_before_retry', 'none'],
    ['ERROR_METHOD_NOT_FOUND', 'fix_before_retry', 'fix_before_retry', 'none'],
    ['BITRIX_REST_V3_EXCEPTION_IDEMPOTENCYKEYREUSEDEXCEPTION', 'fix_before_retry', 'fix_before_retry', 'none'],
    ['SOMETHING_ELSE', 'retry_with_limit', 'state_verification_required', 'possible'],
  ])('%s', (code, read, write, effect) => {
    for (const text of [code, code.toLowerCase()]) {
      expect(judge('bitrix_rest', { ...R, status: 400, code: text }).action).toBe(read);
      expect(judge('bitrix_rest', { ...W, status: 400, code: text })).toMatchObject({ action: write, effect });
    }
  });
  it('pins an edition by name', () => {
    expect(findRuleSet('vibecode@older-ru')?.current).toBe(false);
    expect(findRuleSet('vibecode')?.name).toBe('vibecode@2026-10-22');
    expect(findRuleSet('nobody@never')).toBeNull();
  });
});
