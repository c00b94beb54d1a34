import { describe, expect, it } from 'vitest';
import type { Attempt, Profile } from '@/lib/core/attempt';
import { classify } from '@/lib/core/classify';
import { currentRuleSet, listRuleSets } from '@/lib/core/rules/index';
import { attempt, T0 } from './support/event';

/** One attempt, one verdict: what the tables of the cases leave open (domain.md §3–§6). */

const judge = (profile: Profile, fields: Partial<Attempt>) => classify(attempt(fields), currentRuleSet(profile));
const write = { kind: 'write', method: 'POST' } as const;
const read = { kind: 'read', method: 'GET' } as const;

describe('reached (H8)', () => {
  it.each([
    [200, 'yes'],
    [299, 'yes'],
    [304, 'unknown'],
    [399, 'unknown'],
    [400, 'yes'],
    [408, 'no'],
    [409, 'unknown'],
    [425, 'no'],
    [429, 'no'],
    [499, 'yes'],
    [500, 'unknown'],
    [503, 'no'],
    [504, 'unknown'],
    [521, 'no'],
    [523, 'no'],
    [599, 'unknown'],
  ])('a server’s %i under http: %s', (status, reached) => {
    expect(judge('http', { ...write, status }).reached).toBe(reached);
  });

  it('is the row’s own word where platform codes decide', () => {
    expect(judge('vibecode', { ...write, status: 429, code: 'OPERATION_TIME_LIMIT' }).reached).toBe('unknown');
    expect(judge('vibecode', { ...write, status: 504, code: 'QUEUE_TIMEOUT' }).reached).toBe('no');
  });
});

describe('code', () => {
  it.each([
    ['a success', 'http', { status: 200 }, 'HTTP_200'],
    ['a status with a row', 'http', { status: 503 }, 'HTTP_503'],
    ['a status without one', 'http', { status: 103 }, 'HTTP_103'],
    ['a status beside an error', 'http', { status: 502, error: { code: 'ECONNRESET' } }, 'HTTP_502'],
    ['a success without a status', 'http', { outcome: 'success' }, 'SUCCESS'],
    ['a network code', 'http', { error: { name: 'FetchError', code: 'ECONNRESET' } }, 'ECONNRESET'],
    ['a name without a code', 'http', { error: { name: 'TimeoutError' } }, 'TimeoutError'],
    ['nothing but the outcome', 'http', { outcome: 'timeout' }, 'TIMEOUT'],
    ['a body cut after its head', 'http', { status: 200, error: { code: 'UND_ERR_SOCKET' } }, 'UND_ERR_SOCKET'],
    ['a body that is no JSON', 'http', { status: 200, error: { name: 'SyntaxError' } }, 'SyntaxError'],
    ['the same by platform codes', 'vibecode', { status: 200, error: { name: 'SyntaxError' } }, 'SyntaxError'],
    ['the same, named by its outcome alone', 'vibecode', { status: 200, outcome: 'parse_error' }, 'PARSE_ERROR'],
    ['a failure told under 200', 'http', { status: 200, outcome: 'http_error' }, 'HTTP_200'],
    ['an item that never ran', 'http', { notRun: true }, 'NOT_RUN'],
    ['a platform code before its status', 'vibecode', { status: 429, code: 'RATE_LIMITED' }, 'RATE_LIMITED'],
  ] as const)('%s', (_name, profile, fields, code) => {
    expect(judge(profile, { ...write, ...fields }).code).toBe(code);
  });
});

describe('classifier: the word of the source’s own example', () => {
  it.each([
    ['the article: reset, read', { ...read, error: { code: 'ECONNRESET', syscall: 'read' } }, 'retry'],
    ['the article: reset, write', { ...write, error: { code: 'ECONNRESET', syscall: 'read' } }, 'no_retry'],
    ['the article: reset, no method told', { call: 'charge', error: { code: 'ECONNRESET' } }, 'retry'],
    ['the article: refused, write', { ...write, error: { code: 'ECONNREFUSED', syscall: 'connect' } }, 'retry'],
    ['the article: a code it has not (A4)', { ...read, error: { code: 'UND_ERR_SOCKET' } }, 'no_retry'],
    ['the article: TimeoutError has no code of its own (A3)', { ...read, error: { name: 'TimeoutError' } }, 'no_retry'],
    ['the article: no such name', { ...read, error: { code: 'ENOTFOUND', syscall: 'getaddrinfo' } }, 'no_retry'],
    ['the article: nothing but an outcome', { ...read, outcome: 'timeout' }, 'no_retry'],
    ['the article has no word for a body', { ...read, error: { name: 'SyntaxError' } }, null],
    ['a keyed write', { ...write, error: { code: 'EPIPE' }, idempotency: { keyHash: 'k' } }, 'retry'],
  ] as const)('%s', (_name, fields, word) => expect(judge('http', fields).classifier).toBe(word));

  it.each([
    ['any TypeError is network to it (Q5)', { name: 'TypeError', cause: { code: 'ENOTFOUND' } }, 'retry'],
    ['an address that refused is not (Q4)', { name: 'Error', code: 'ECONNREFUSED', syscall: 'connect' }, 'no_retry'],
    ['a reset is, whatever the method', { code: 'ECONNRESET', syscall: 'read' }, 'retry'],
  ] as const)('QuillHub’s: %s', (_name, error, word) => {
    expect(judge('quillhub', { ...write, error }).classifier).toBe(word);
  });
});

describe('flags', () => {
  const flagsOf = (profile: Profile, fields: Partial<Attempt>) => judge(profile, fields).flags;

  it.each([
    [399, false],
    [400, true],
    [404, true],
    [408, false],
    [425, false],
    [429, false],
    [499, true],
    [500, false],
  ])('vibecode, unknown code under %i, read: advice to fix first %s (V10)', (status, advised) => {
    expect(flagsOf('vibecode', { ...read, status, code: 'NEW_CODE' }).includes('advice_fix_first')).toBe(advised);
    expect(flagsOf('vibecode', { ...write, status, code: 'NEW_CODE' })).not.toContain('advice_fix_first');
  });

  it('advise to fix first for codes that exist without a row', () => {
    expect(flagsOf('vibecode', { ...read, status: 500, code: 'MISSING_API_KEY' })).toContain('advice_fix_first');
    expect(flagsOf('vibecode', { ...read, error: { code: 'ECONNRESET' } })).toEqual([]);
  });

  it('name a code unknown only where codes are a closed list, and a near miss malformed (V15)', () => {
    expect(flagsOf('http', { ...write, status: 103, code: 'anything' })).not.toContain('unknown_code');
    expect(flagsOf('vibecode', { ...write, code: 'NEW_CODE' })).toEqual(['unknown_code']);
    expect(flagsOf('vibecode', { ...write, code: 'rate-limited ' })).toEqual(['unknown_code', 'code_malformed']);
    expect(flagsOf('vibecode', { ...write, code: 'RATE_LIMITED' })).toEqual([]);
  });

  it('say preflight of a write that no answer came for, and only then (X4)', () => {
    const error = { code: 'ECONNREFUSED', syscall: 'connect' };
    expect(flagsOf('vibecode', { ...write, error })).toEqual(['preflight']);
    expect(flagsOf('vibecode', { ...write, status: 404, error })).not.toContain('preflight');
    expect(flagsOf('vibecode', { ...write, error: { code: 'ECONNRESET' } })).toEqual([]);
  });

  it('suspect the name for good only where no answer came', () => {
    const error = { code: 'ENOTFOUND', syscall: 'getaddrinfo' };
    expect(flagsOf('http', { ...read, error })).toContain('persistent_dns_suspected');
    expect(flagsOf('http', { ...read, status: 502, error })).not.toContain('persistent_dns_suspected');
  });

  it('tell an unusable header from one that is only odd', () => {
    const header = (...retryAfter: string[]) => flagsOf('http', { ...read, status: 429, retryAfter });
    expect(header('2s')).toEqual(['header_malformed', 'header_nonconformant']);
    expect(header('-1')).toEqual(['header_malformed', 'header_nonconformant']);
    expect(header('soon', 'later')).toEqual(['header_malformed', 'header_nonconformant']);
    expect(header('soon', '5')).toEqual(['header_nonconformant']);
    expect(header('5')).toEqual([]);
    expect(header(String(T0 / 1000 + 5))).toEqual(['header_nonconformant', 'header_epoch_value']);
    const both = { retryAfter: ['soon'], headers: { 'retry-after-ms': '5' } };
    expect(flagsOf('http', { ...read, status: 429, ...both })).toEqual(['header_nonstandard']);
  });

  it('say what a 2xx hides, also beside a code or an unreadable body (H6)', () => {
    const failed = { total: 2, failed: 1, unprocessed: 0 };
    expect(flagsOf('vibecode', { ...write, status: 200, code: 'BITRIX_TIMEOUT' })).toEqual(['error_under_200']);
    expect(flagsOf('vibecode', { ...write, status: 200, code: 'X', outcome: 'parse_error' })).toContain(
      'error_under_200',
    );
    expect(flagsOf('vibecode', { ...write, status: 500, code: 'BITRIX_TIMEOUT' })).toEqual([]);
    expect(flagsOf('vibecode', { ...write, status: 200, code: 'BITRIX_TIMEOUT', bodySummary: failed })).toEqual([
      'error_under_200',
      'partial_success',
    ]);
    expect(flagsOf('http', { ...write, status: 200, bodySummary: failed })).toEqual(['partial_success']);
    expect(flagsOf('http', { ...write, status: 200, error: { code: 'UND_ERR_SOCKET' } })).toContain(
      'response_truncated',
    );
  });

  it('call the failed items of a batch that partly succeeded so, and not the others', () => {
    const batch = { id: 'b', item: '1', partial: true };
    expect(flagsOf('vibecode', { ...write, status: 200, batch })).toEqual([]);
    expect(flagsOf('vibecode', { ...write, code: 'BITRIX_ERROR', batch })).toContain('partial_success');
    const whole = { id: 'b', item: '1' };
    expect(flagsOf('vibecode', { ...write, code: 'BITRIX_ERROR', batch: whole })).not.toContain('partial_success');
  });

  it.each([
    ['absent', {}, true],
    ['null', { firstStatus: null }, false],
    ['a success', { firstStatus: 204 }, false],
    ['a failure', { firstStatus: 404 }, true],
  ] as const)('firstStatus %s is documented or said not to be (V7)', (_name, fields, undocumented) => {
    const deleted = { kind: 'write', method: 'DELETE', code: 'AGENT_WRITE_ALREADY_EXECUTED', ...fields } as const;
    expect(flagsOf('vibecode', deleted).includes('not_covered')).toBe(undocumented);
    expect(flagsOf('vibecode', { ...deleted, kind: 'read' })).not.toContain('not_covered');
  });

  it('mark a status that the client library made up (X9)', () => {
    expect(flagsOf('http', { ...read, status: 408, statusOrigin: 'sdk' })).toContain('synthetic_status');
    expect(flagsOf('http', { ...read, status: 408, statusOrigin: 'server' })).not.toContain('synthetic_status');
    expect(flagsOf('http', { ...read, status: 0, statusOrigin: 'sdk' })).not.toContain('synthetic_status');
  });

  it('find clocks apart from a minute on, either way, by the answer’s Date or by an early arrival', () => {
    const at = (ms: number) => ({ ...read, status: 503, startedAt: T0, endedAt: T0 + ms });
    const dateHeader = 'Mon, 02 Mar 2026 10:00:00 GMT';
    expect(flagsOf('http', { ...at(59_999), dateHeader })).toEqual([]);
    expect(flagsOf('http', { ...at(60_000), dateHeader })).toEqual(['clock_skew']);
    const ahead = { ...at(0), dateHeader: 'Mon, 02 Mar 2026 10:01:00 GMT' };
    expect(flagsOf('http', ahead)).toEqual(['clock_skew']);
    expect(flagsOf('http', { ...at(0), receivedAt: T0 - 59_999 })).toEqual([]);
    expect(flagsOf('http', { ...at(0), receivedAt: T0 - 60_000 })).toEqual(['clock_skew']);
    // An answer before its question, and an end that was heard of before it came.
    expect(flagsOf('http', { status: 200, endedAt: T0 - 60_000 })).toEqual(['clock_skew']);
    expect(flagsOf('http', { status: 200, headersAt: T0 - 60_000, endedAt: T0 + 5 })).toEqual(['clock_skew']);
    expect(flagsOf('http', { status: 200, endedAt: T0 - 59_999 })).toEqual([]);
    expect(flagsOf('http', { status: 200, endedAt: T0 + 60_000, receivedAt: T0 })).toEqual(['clock_skew']);
    expect(flagsOf('http', { status: 200, endedAt: T0 + 59_999, receivedAt: T0 })).toEqual([]);
    expect(flagsOf('http', { ...at(0), receivedAt: T0 + 3_600_000 })).toEqual([]);
  });

  it('do not gather in the rule from one attempt to the next', () => {
    const skewed = { ...read, status: 501, dateHeader: 'Mon, 02 Mar 2026 12:00:00 GMT' };
    const first = flagsOf('quillhub', skewed);
    expect(first).toEqual(['unlikely_transient', 'clock_skew']);
    expect(flagsOf('quillhub', skewed)).toEqual(first);
    expect(flagsOf('quillhub', { ...read, status: 501 })).toEqual(['unlikely_transient']);
  });
});

describe('wait', () => {
  it('is nothing after a success, whatever the answer carried', () => {
    for (const retryAfter of [['5'], ['soon']]) {
      expect(judge('http', { ...write, status: 201, retryAfter }).wait).toEqual({
        source: 'none',
        form: null,
        delayMs: null,
        strict: false,
        conformant: true,
        issues: [],
        skewMs: null,
      });
    }
  });

  it('names its source: what was asked, else backoff, else none', () => {
    const sourceOf = (profile: Profile, fields: Partial<Attempt>) => judge(profile, fields).wait.source;
    expect(sourceOf('http', { ...read, status: 429, retryAfter: ['5'] })).toBe('retry_after');
    expect(sourceOf('http', { ...read, status: 429, retryAfterBody: 5 })).toBe('body');
    expect(sourceOf('http', { ...read, status: 429, headers: { 'retry-after-ms': '5' } })).toBe('other_header');
    expect(sourceOf('http', { ...read, status: 429 })).toBe('backoff');
    expect(sourceOf('http', { ...read, status: 404 })).toBe('none');
  });

  it('is strict only where the rule says so', () => {
    const strictOf = (code: string) => judge('vibecode', { ...write, code, retryAfter: ['5'] }).wait.strict;
    expect(strictOf('TIMEOUT_QUARANTINE')).toBe(true);
    expect(strictOf('OPERATION_TIME_LIMIT')).toBe(true);
    expect(strictOf('RATE_LIMITED')).toBe(false);
  });

  it('is a gate of a doubtful write only when it was asked for', () => {
    const gates = (fields: Partial<Attempt>) => judge('quillhub', { ...write, status: 500, ...fields }).gates;
    expect(gates({})).toEqual(['read_back']);
    expect(gates({ retryAfter: ['5'] })).toEqual(['wait', 'read_back']);
  });
});

describe('a write that may be sent again as it is', () => {
  it.each([
    ['PUT', {}, 'retry_with_limit'],
    ['DELETE', {}, 'retry_with_limit'],
    ['POST', {}, 'state_verification_required'],
    ['PATCH', {}, 'state_verification_required'],
    ['POST', { idempotency: { keyHash: 'k' } }, 'retry_with_limit'],
    ['POST', { idempotency: { keyHash: 'k', mode: 'none' } }, 'state_verification_required'],
  ] as const)('http 500, %s %j: %s, in doubt all the same', (method, fields, action) => {
    const verdict = judge('http', { kind: 'write', method, status: 500, ...fields });
    expect(verdict).toMatchObject({ action, effect: 'possible', unknownOutcome: true });
  });

  it('a read is never in doubt', () => {
    expect(judge('http', { ...read, status: 500 })).toMatchObject({ effect: 'none', unknownOutcome: false });
    expect(judge('http', { kind: 'read', method: 'POST', status: 409 }).unknownOutcome).toBe(false);
  });
});

describe('rules', () => {
  it('give no read an effect, in any row of any edition', () => {
    for (const { name, rows } of listRuleSets()) {
      for (const row of rows) expect(row.read.effect, `${name} ${row.id}`).toBe('none');
    }
  });
});
