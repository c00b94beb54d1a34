import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OUTCOMES, PROFILES, type Attempt } from '@/lib/core/attempt';
import { createCleaner } from '@/lib/ingest/clean';
import { readFastAttempt } from '@/lib/ingest/fast-attempt';
import { judgeAnew, judgeAttempt } from '@/lib/ingest/judge-attempt';
import { normaliseEvent } from '@/lib/ingest/normalise';
import { validateBySchema, validateEvent } from '@/lib/ingest/validate';
import { hintOfSecret } from '@/lib/platform/mask-hints';
import { createMasker } from '@/lib/platform/mask';
import { wireAttempt } from '@/test/factories/wire-event';

/** What a sender may put anywhere: right values, near misses and nonsense. */
const anyText = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 10 }),
  fc.constantFrom(
    '',
    ' ',
    ' x ',
    'é',
    'e\u0301',
    '\0',
    '\ud800',
    'x'.repeat(201),
    'x'.repeat(501),
    'GET',
    'Read',
    'success',
    'http',
  ),
);
const anyInstant = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom(
    '2026-02-30T00:00:00.000Z',
    '2026-11-30T24:00:00.000Z',
    '2026-11-30T12:00:00+03:00',
    '2026-11-30T12:00:00',
    'now',
  ),
);
const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  anyText,
  anyInstant,
  fc.integer(),
  fc.constantFrom(null, true, [], {}, 0, -1, 429, Infinity, 2_147_483_648),
  fc.record({ name: anyText, version: anyText, extra: fc.constant(1) }, { requiredKeys: [] }),
  fc.record({ maxAttempts: fc.oneof(fc.integer(), anyText), jitter: anyText, odd: anyText }, { requiredKeys: [] }),
  fc.record({ key: anyText, mode: fc.constantFrom('server', 'other'), replayed: fc.boolean() }, { requiredKeys: [] }),
  fc.record({ id: anyText, item: fc.oneof(anyText, fc.integer()), size: fc.integer() }, { requiredKeys: [] }),
  fc.dictionary(anyText, anyText, { maxKeys: 3 }),
);
const MEMBERS = [
  'id', 'type', 'operationId', 'attempt', 'startedAt', 'headersAt', 'endedAt', 'service', 'instance', 'sdk', 'kind',
  'call', 'method', 'target', 'scope', 'credential', 'profile', 'outcome', 'status', 'code', 'message', 'firstStatus',
  'retryAfter', 'headers', 'bodyErrors', 'error', 'idempotency', 'policy', 'plannedDelayMs', 'reason', 'batch',
  'items', 'amount', 'attributes', 'environment', 'unknown', '__proto__',
]; // prettier-ignore
const anyEvent = fc
  .array(fc.tuple(fc.constantFrom(...MEMBERS), anyValue), { maxLength: 6 })
  .map((changes) => JSON.parse(JSON.stringify({ ...wireAttempt(), ...Object.fromEntries(changes) })) as object);

describe('the fast way to read an attempt', () => {
  it('gives what the schema gives, or leaves it to the schema', () => {
    let taken = 0;
    const property = fc.property(anyEvent, (event) => {
      const fast = readFastAttempt(event);
      if (!fast) return;
      taken += 1;
      expect({ ok: true, value: fast }).toEqual(validateBySchema(event, 'attempt', 0));
    });
    fc.assert(property, { numRuns: 3_000 });
    expect(taken).toBeGreaterThan(100);
  });

  it('takes the usual event', () => {
    expect(readFastAttempt(wireAttempt({ sdk: { name: 'got' }, policy: { maxAttempts: 3 } }))).not.toBeNull();
  });
});

const anyAttempt: fc.Arbitrary<Record<string, unknown>> = fc.record(
  {
    attempt: fc.integer({ min: 1, max: 3 }),
    kind: fc.constantFrom('read', 'write'),
    call: fc.constantFrom('crm.deal.add', 'crm.deal.list', 'GET /v1/jobs', 'POST /rest/api/x', 'POST /v1/search'),
    method: fc.constantFrom('GET', 'POST'),
    profile: fc.constantFrom(...PROFILES),
    target: fc.constantFrom('a.example', 'b.example'),
    outcome: fc.constantFrom(...OUTCOMES),
    status: fc.constantFrom(200, 202, 400, 401, 403, 404, 408, 409, 422, 429, 500, 502, 503, 504),
    statusOrigin: fc.constantFrom('server', 'sdk'),
    code: fc.constantFrom(
      'RATE_LIMITED',
      'BITRIX_TIMEOUT',
      'AGENT_WRITE_ALREADY_EXECUTED',
      'QUERY_LIMIT_EXCEEDED',
      'NOVEL',
    ),
    firstStatus: fc.constantFrom(null, 200, 500),
    headersAt: fc.constant(1_764_504_000_100),
    endedAt: fc.integer({ min: 1_764_504_000_001, max: 1_764_504_400_000 }),
    retryAfter: fc.constantFrom('30', 'soon', '-1', '0'),
    retryAfterBody: fc.integer({ min: 0, max: 90 }),
    headers: fc.constantFrom(
      { 'content-type': 'text/html' },
      { 'x-should-retry': 'false' },
      { 'idempotent-replayed': 'true' },
    ),
    bodyErrors: fc.constantFrom([], ['RATE_LIMITED']),
    bodySummary: fc.constantFrom({ total: 2, failed: 1 }, { total: 2, failed: 0 }),
    error: fc.constantFrom(
      { name: 'AbortError', code: 20 },
      { cause: { code: 'ECONNRESET' } },
      { code: 'ENOTFOUND' },
      { cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } },
    ),
    abortBy: fc.constantFrom('deadline', 'per_try', 'user'),
    idempotency: fc.record(
      { key: fc.constantFrom('a', 'b'), mode: fc.constantFrom('server', 'none'), replayed: fc.boolean() },
      { requiredKeys: [] },
    ),
    message: fc.constantFrom('a', 'b'),
  },
  { requiredKeys: ['attempt', 'call'] },
);

describe('the memory of judgements', () => {
  it('judges as if every attempt were judged anew', () => {
    const clean = createCleaner(Buffer.alloc(32, 1));
    const profiles = {
      defaultProfile: 'vibecode' as const,
      targets: [{ pattern: 'b.example', profile: 'http' as const }],
    };
    const projects = [
      { profiles, ruleSets: {} },
      { profiles, ruleSets: { vibecode: 'vibecode@older-ru' } },
    ];
    const property = fc.property(fc.array(anyAttempt, { minLength: 2, maxLength: 8 }), (events) => {
      for (const event of events) {
        const valid = validateEvent(wireAttempt({ status: undefined, startedAt: 1_764_504_000_000, ...event }), 0);
        if (!valid.ok) throw new Error(valid.item.detail);
        const fact = normaliseEvent(valid.value.wire, clean).fact as Attempt;
        for (const project of projects) expect(judgeAttempt(fact, project)).toEqual(judgeAnew(fact, project));
      }
    });
    fc.assert(property, { numRuns: 2_000 });
  });
});

describe('the hint in front of the masking rules', () => {
  it('never says none where a rule would mask', () => {
    const secrets = [
      'AKIAABCDEFGHIJKLMNOP',
      'ghp_abcdefghijklmnopqrstuvwx',
      'xoxb-1234567890',
      'sk_live_abcdefghijk',
      'AIzaabcdefghijklmnopqrstuvwxyz_ABCDEFGH',
      'sk-abcdefghijklmnopqrstuvwx',
      'x://u:p@h',
      '/rest/1/abcdefgh12',
      '4111111111111111',
      '30569309025904',
      'Bearer abc12345',
      '?token=abc',
      '&api_key=x',
      'eyJabcdef.abc.x',
      '-----BEGIN PRIVATE KEY-----',
    ];
    const property = fc.property(fc.string(), fc.constantFrom(...secrets), fc.string(), (before, secret, after) => {
      const value = `${before} ${secret} ${after}`;
      const masker = createMasker({ hash: () => 'h' });
      if (hintOfSecret(value) === 'none') throw new Error(value);
      expect(masker.identifier(value)).not.toBe(value);
    });
    fc.assert(property, { numRuns: 500 });
  });

  it('never says none where digits, in whatever groups, are a card number', () => {
    const part = fc.oneof(
      fc.stringMatching(/^[0-9]{1,6}$/),
      fc.constantFrom('4111', '1111', '3782', '822463', ' ', '-', 'x'),
    );
    const cards = fc.constantFrom(
      '4111111111111111',
      '4111 1111 1111 1111',
      '3782-822463-10005',
      '5555 5555 5555 4444',
    );
    const texts = fc.array(fc.oneof(part, cards), { maxLength: 8 }).map((parts) => parts.join(''));
    let masked = 0;
    const property = fc.property(texts, (value) => {
      if (createMasker({ hash: () => 'h' }).text(value) === value) return;
      masked += 1;
      expect(hintOfSecret(value)).not.toBe('none');
    });
    fc.assert(property, { numRuns: 5_000 });
    expect(masked).toBeGreaterThan(100);
  });

  it('is not taken in by a time in milliseconds beside other numbers', () => {
    for (const name of ['order-1796064880864-12345', 'req-5-1796064880864']) expect(hintOfSecret(name)).toBe('none');
  });
});
