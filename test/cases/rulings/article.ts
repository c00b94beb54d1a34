import { expect } from 'vitest';
import { classifierDiffers } from '@/lib/core/explain';
import { currentRuleSet } from '@/lib/core/rules/index';
import matrix from '../data/matrix.json';
import { checksOf, operationOf, send, verdictOf, type Judge, type Wire } from '../judge';
import { http, NO_NAME, OK, READ, REFUSED, TIMEOUT, WRITE, type Ruling } from './ruling';

/** A1–A13: contradictions inside the article (domain.md §5). */

const of = (judge: Judge, fields: Wire) => verdictOf(judge, http(fields));
const MAYBE = { action: 'state_verification_required', effect: 'possible', unknownOutcome: true };

/** A client of the article's second demo: hits every 50 ms although a second was asked. */
const blindClient = (requests: number): Wire[] =>
  Array.from({ length: requests }, (_, at) => {
    const answer = at === requests - 1 ? OK : { status: 429, retryAfter: '1' };
    return { ...send(at + 1, at * 51, http({ ...READ, ...answer })), endedAt: send(1, at * 51 + 1).startedAt };
  });

export const ARTICLE_RULINGS: readonly Ruling[] = [
  {
    id: 'A1',
    says: 'ENOTFOUND is safe to resend and not worth it: do not retry, nothing to read back',
    holds: async (judge) => {
      for (const kind of [READ, WRITE])
        expect(await of(judge, { ...kind, ...NO_NAME })).toMatchObject({
          action: 'do_not_retry',
          effect: 'none',
          unknownOutcome: false,
          reached: 'no',
          gates: [],
        });
    },
  },
  {
    id: 'A2',
    says: 'a name registered a moment ago gets the same verdict; the doubt is a note for the operator',
    holds: async (judge) => {
      const first = await of(judge, { ...READ, ...NO_NAME });
      expect(first).toMatchObject({ action: 'do_not_retry', flags: ['persistent_dns_suspected'] });
      const [again] = (
        await operationOf(
          judge,
          [1, 2].map((n) => send(n, n * 60_000, http({ ...READ, ...NO_NAME }))),
        )
      ).attempts;
      expect(again?.verdict).toEqual(first);
    },
  },
  {
    id: 'A3',
    says: 'a TimeoutError is ambiguous, though the article’s function says no even for GET',
    holds: async (judge) => {
      const read = await of(judge, { ...READ, ...TIMEOUT });
      expect(read).toMatchObject({ action: 'retry_with_limit', classifier: 'no_retry', effect: 'none' });
      expect(classifierDiffers(read)).toBe(true);
      expect(await of(judge, { ...WRITE, ...TIMEOUT })).toMatchObject(MAYBE);
      const keyed = await of(judge, { ...WRITE, ...TIMEOUT, idempotency: { key: 'k' } });
      expect(keyed).toMatchObject({ action: 'retry_with_limit', effect: 'possible' });
    },
  },
  {
    id: 'A4',
    says: 'undici’s codes are mapped, from cause.code and cause.syscall',
    holds: async (judge) => {
      const wrapped = (cause: Wire) => ({ error: { name: 'TypeError', message: 'fetch failed', cause } });
      for (const code of ['UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']) {
        expect(await of(judge, { ...WRITE, ...wrapped({ code }) }), code).toMatchObject({ ...MAYBE, code });
        const read = await of(judge, { ...READ, ...wrapped({ code }) });
        expect(read).toMatchObject({ action: 'retry_with_limit', classifier: 'no_retry' });
      }
      const unsent = { action: 'retry_with_limit', effect: 'none', reached: 'no', phase: 'connect' };
      for (const cause of [{ code: 'UND_ERR_CONNECT_TIMEOUT' }, { code: 'ETIMEDOUT', syscall: 'connect' }])
        expect(await of(judge, { ...WRITE, ...wrapped(cause) })).toMatchObject(unsent);
      expect(await of(judge, { ...WRITE, ...wrapped({ code: 'ETIMEDOUT', syscall: 'read' }) })).toMatchObject(MAYBE);
    },
  },
  {
    id: 'A5',
    says: 'both forms of Retry-After are read, and compared with the client’s cap',
    holds: async (judge) => {
      const asked = async (retryAfter: string) => (await of(judge, { ...READ, status: 429, retryAfter })).wait.delayMs;
      expect(await asked('Mon, 02 Mar 2026 10:00:30 GMT')).toBe(29_900);
      expect(await asked('0')).toBe(0);
      expect(await asked('86400')).toBe(86_400_000);
      const policy = { retryAfterCapMs: 30_000 };
      const day = send(1, 0, http({ ...READ, status: 429, retryAfter: '86400', policy }));
      expect((await operationOf(judge, [day])).pairs).toMatchObject([{ compliance: 'gave_up_wait_too_long' }]);
      const capped = [day, send(2, 30_100, http({ ...READ, ...OK, policy }))];
      expect(await checksOf(judge, capped)).toContain('early_capped');
    },
  },
  {
    id: 'A6',
    says: 'the keyed sample loop is no source: a status that describes the request is not repeated under a key',
    holds: async (judge) => {
      for (const status of [400, 401, 403, 404, 422])
        expect((await of(judge, { ...WRITE, status, idempotency: { key: 'k' } })).action).toBe('fix_before_retry');
      const { rows } = currentRuleSet('http');
      expect(rows.filter(({ provenance }) => /sample|loop/i.test(provenance.place))).toEqual([]);
    },
  },
  {
    id: 'A7',
    says: 'what was reasoned and not observed stays marked',
    holds: async (judge) => {
      const again = { error: { code: 'EAI_AGAIN', syscall: 'getaddrinfo' } };
      const got = await of(judge, { ...WRITE, ...again });
      expect(got).toMatchObject({ action: 'retry_with_limit', effect: 'none', phase: 'dns' });
      const row = currentRuleSet('http').rows.find(({ id }) => id === got.rule);
      expect(row?.provenance.place).toMatch(/EAI_AGAIN reasoned, not observed/);
    },
  },
  {
    id: 'A8',
    says: 'six methods may be sent twice; PATCH is like POST',
    holds: async (judge) => {
      for (const method of matrix.article.idempotent_methods)
        expect((await of(judge, { ...WRITE, method, status: 500 })).action, method).toBe('retry_with_limit');
      for (const method of matrix.article.not_idempotent)
        expect(await of(judge, { ...WRITE, method, status: 500 }), method).toMatchObject(MAYBE);
    },
  },
  {
    id: 'A9',
    says: 'what the table leaves out is shown apart from “never”',
    holds: async (judge) => {
      for (const status of [409, 410, 413, 501, 505, 520, 302])
        expect((await of(judge, { ...WRITE, status })).flags, String(status)).toEqual(['not_covered']);
      for (const status of [400, 401, 403, 404, 422, 500, 503])
        expect((await of(judge, { ...WRITE, status })).flags, String(status)).toEqual([]);
    },
  },
  {
    id: 'A10',
    says: 'methods in any letter case; an empty key, status 0 and null are none',
    holds: async (judge) => {
      for (const method of ['put', 'Put', ' PUT '])
        expect((await of(judge, { ...WRITE, method, status: 500 })).action).toBe('retry_with_limit');
      expect(await of(judge, { ...WRITE, status: 500, idempotency: { key: '' } })).toMatchObject(MAYBE);
      for (const status of [0, null])
        expect(await of(judge, { ...WRITE, status, ...REFUSED })).toMatchObject({
          action: 'retry_with_limit',
          code: 'ECONNREFUSED',
          effect: 'none',
        });
    },
  },
  {
    id: 'A11',
    says: 'the body beats the headline: 500, 502 and 504 of a bare POST are looked for first',
    holds: async (judge) => {
      for (const status of [500, 502, 504]) {
        expect(await of(judge, { ...WRITE, status })).toMatchObject(MAYBE);
        expect((await of(judge, { ...READ, status })).action).toBe('retry_with_limit');
      }
      for (const status of [408, 425, 429, 503])
        expect(await of(judge, { ...WRITE, status })).toMatchObject({ action: 'retry_with_limit', effect: 'none' });
    },
  },
  {
    id: 'A12',
    says: 'twenty requests or twenty-one: the blind client is found all the same',
    holds: async (judge) => {
      for (const requests of matrix.article.demo.own_backoff_50ms.requests_range) {
        const operation = await operationOf(judge, blindClient(requests));
        expect(operation.state).toBe('succeeded');
        expect(operation.pairs.filter(({ compliance }) => compliance === 'early')).toHaveLength(requests - 1);
        expect(operation.findings.map(({ check }) => check)).toEqual(
          expect.arrayContaining(['early_retry', 'over_limit']),
        );
      }
    },
  },
  {
    id: 'A13',
    says: 'the article sets no limit: the client’s policy does',
    holds: async (judge) => {
      const run = (tries: number, policy: Wire) =>
        Array.from({ length: tries }, (_, at) => send(at + 1, at * 9_000, http({ ...READ, status: 503, policy })));
      expect(await checksOf(judge, run(40, { maxAttempts: 40 }))).not.toContain('over_limit');
      expect(await checksOf(judge, run(3, { maxAttempts: 2 }))).toContain('over_limit');
      expect(currentRuleSet('http').rows.filter(({ retriesMax }) => retriesMax !== undefined)).toEqual([]);
    },
  },
];
