import { expect } from 'vitest';
import { checksOf, operationOf, send, told, verdictOf, type Judge, type Wire } from '../judge';
import { bitrix, http, NO_NAME, OK, quill, READ, REFUSED, TIMEOUT, vibe, WRITE, type Ruling } from './ruling';

/** X1–X9: conflicts between the documents that one verdict or one pair shows (domain.md §6). */

const RETRY = 'retry_with_limit';
const VERIFY = 'state_verification_required';
const UNSENT = { action: RETRY, effect: 'none', unknownOutcome: false };
const MAYBE = { action: VERIFY, effect: 'possible', unknownOutcome: true };
const key = { idempotency: { key: 'k' } };

const pair = (first: Wire, second: Wire, at = 9_000): Wire[] => [send(1, 0, first), send(2, at, second)];
const keyedPair = (profile: (fields: Wire) => Wire, at: number, fields: Wire = key): Wire[] =>
  pair(profile({ ...TIMEOUT, ...fields }), profile({ ...OK, ...fields }), at);

async function statesOf(judge: Judge, ...sequences: Wire[][]): Promise<string[]> {
  const concluded = await Promise.all(sequences.map((events) => operationOf(judge, events)));
  return concluded.map(({ state }) => state);
}

export const BETWEEN_RULINGS: readonly Ruling[] = [
  {
    id: 'X1',
    says: '503: the platform code beats the status; a bare one goes by profile',
    holds: async (judge) => {
      const busy = { ...WRITE, status: 503 };
      expect(await verdictOf(judge, vibe({ ...busy, code: 'SERVICE_UNAVAILABLE' }))).toMatchObject(MAYBE);
      expect(await verdictOf(judge, vibe(busy))).toMatchObject({ ...MAYBE, reached: 'unknown' });
      expect(await verdictOf(judge, vibe({ ...busy, code: 'QUEUE_OVERFLOW' }))).toMatchObject(UNSENT);
      expect(await verdictOf(judge, bitrix({ ...busy, code: 'query_limit_exceeded' }))).toMatchObject(UNSENT);
      expect(await verdictOf(judge, http(busy))).toMatchObject({ ...UNSENT, reached: 'no' });
    },
  },
  {
    id: 'X2',
    says: '429: the platform code beats the status',
    holds: async (judge) => {
      const busy = { ...WRITE, status: 429 };
      expect(await verdictOf(judge, vibe({ ...busy, code: 'OPERATION_TIME_LIMIT' }))).toMatchObject(MAYBE);
      expect((await verdictOf(judge, vibe({ ...busy, code: 'ERROR_LOOP_DETECTED' }))).action).toBe('do_not_retry');
      expect(await verdictOf(judge, vibe({ ...busy, code: 'RATE_LIMITED' }))).toMatchObject(UNSENT);
      expect(await verdictOf(judge, vibe(busy))).toMatchObject(MAYBE);
      expect(await verdictOf(judge, http(busy))).toMatchObject(UNSENT);
    },
  },
  {
    id: 'X3',
    says: '504: code beats status; one without Content-Type has the shape of BH_APP_TIMEOUT',
    holds: async (judge) => {
      const late = { ...WRITE, status: 504 };
      expect(await verdictOf(judge, vibe({ ...late, code: 'QUEUE_TIMEOUT' }))).toMatchObject(UNSENT);
      for (const code of ['BH_APP_TIMEOUT', 'SERVICE_UNAVAILABLE'])
        expect(await verdictOf(judge, vibe({ ...late, code }))).toMatchObject(MAYBE);
      const bare = await verdictOf(judge, vibe({ ...late, headers: { age: '0' } }));
      expect(bare).toMatchObject({ ...MAYBE, rule: 'BH_APP_TIMEOUT', code: 'HTTP_504' });
      for (const headers of [{ 'content-type': 'text/html' }, undefined])
        expect((await verdictOf(judge, vibe({ ...late, headers }))).rule).toBe('DEFAULT');
    },
  },
  {
    id: 'X4',
    says: 'refused before sending: an answer under http, under vibecode evidence that lowers only the severity',
    holds: async (judge) => {
      expect(await verdictOf(judge, http({ ...WRITE, ...REFUSED }))).toMatchObject({ ...UNSENT, flags: [] });
      expect(await verdictOf(judge, vibe({ ...WRITE, ...REFUSED }))).toMatchObject({ ...MAYBE, flags: ['preflight'] });
      const severity = async (first: Wire) =>
        (await operationOf(judge, pair(vibe(first), vibe(OK)))).findings.find(
          ({ check }) => check === 'blind_write_retry',
        )?.severity;
      expect([await severity(REFUSED), await severity(TIMEOUT)]).toEqual(['medium', 'high']);
    },
  },
  {
    id: 'X5',
    says: 'DELETE and PUT are replayable under http, writes to be read back under vibecode',
    holds: async (judge) => {
      for (const method of ['DELETE', 'PUT']) {
        const failed = { ...WRITE, method, status: 500 };
        expect(await verdictOf(judge, http(failed))).toMatchObject({ action: RETRY, effect: 'possible' });
        expect(await verdictOf(judge, vibe(failed))).toMatchObject(MAYBE);
        const sent = (profile: (fields: Wire) => Wire) =>
          checksOf(judge, pair(profile(failed), profile({ ...OK, method })));
        expect(await sent(http)).not.toContain('blind_write_retry');
        expect(await sent(vibe)).toContain('blind_write_retry');
      }
    },
  },
  {
    id: 'X6',
    says: 'the kind, by meaning, feeds the article’s rule: a read by POST is replayable',
    holds: async (judge) => {
      for (const failure of [{ status: 500 }, TIMEOUT, { error: { code: 'ECONNRESET' } }]) {
        const search = await verdictOf(judge, http({ kind: 'read', method: 'POST', ...failure }));
        expect(search).toMatchObject({ action: RETRY, effect: 'none' });
        expect((await verdictOf(judge, http({ ...WRITE, ...failure }))).action).toBe(VERIFY);
      }
    },
  },
  {
    id: 'X7',
    says: 'only a key that the server enforces exempts from the look, within a day, not in parallel',
    holds: async (judge) => {
      const rest3 = (fields: Wire) => bitrix({ call: '/rest/api/crm.item.add', ...fields });
      const classic = (fields: Wire) => bitrix({ call: 'crm.item.add', ...fields });
      const DAY = 86_400_000;
      const once = 'succeeded';
      const twice = 'succeeded_with_possible_duplicates';
      expect(await statesOf(judge, keyedPair(http, 9_000), keyedPair(rest3, 9_000))).toEqual([once, once]);
      expect(await statesOf(judge, keyedPair(vibe, 9_000), keyedPair(quill, 9_000), keyedPair(classic, 9_000))).toEqual(
        [twice, twice, twice],
      );
      expect(await statesOf(judge, keyedPair(http, DAY), keyedPair(http, DAY + 1))).toEqual([once, twice]);
      const raised = { idempotency: { key: 'k', mode: 'server' } };
      const lowered = { idempotency: { key: 'k', mode: 'client_dedupe' } };
      expect(await statesOf(judge, keyedPair(vibe, 9_000, raised), keyedPair(http, 9_000, lowered))).toEqual([
        twice,
        twice,
      ]);
      const [first, second] = keyedPair(http, 3_000);
      const parallel = [{ ...first, endedAt: send(1, 5_000).startedAt }, second ?? {}];
      expect(await checksOf(judge, parallel)).toContain('blind_write_retry');
      expect(await checksOf(judge, keyedPair(http, 9_000))).not.toContain('blind_write_retry');
      const ids = pair(http({ ...TIMEOUT, requestId: 'r' }), http({ ...OK, requestId: 'r' }));
      expect(await statesOf(judge, ids)).toEqual([twice]);
    },
  },
  {
    id: 'X8',
    says: '408 and 425: repeated under http, fixed first under quillhub',
    holds: async (judge) => {
      for (const status of [408, 425])
        for (const kind of [READ, WRITE]) {
          expect(await verdictOf(judge, http({ ...kind, status }))).toMatchObject(UNSENT);
          expect((await verdictOf(judge, quill({ ...kind, status }))).action).toBe('fix_before_retry');
        }
    },
  },
  {
    id: 'X9',
    says: 'a 408 that the client library made is a time-out, never a status',
    holds: async (judge) => {
      const made = { status: 408, statusOrigin: 'sdk' };
      expect(await verdictOf(judge, http({ ...WRITE, ...made }))).toMatchObject({
        ...MAYBE,
        code: 'TIMEOUT',
        flags: ['synthetic_status'],
      });
      expect((await verdictOf(judge, http({ ...WRITE, status: 408 }))).effect).toBe('none');
      expect(await verdictOf(judge, quill({ ...READ, ...made }))).toMatchObject({ action: RETRY });
      expect(await verdictOf(judge, bitrix({ ...WRITE, ...made }))).toMatchObject(MAYBE);
    },
  },
  {
    id: 'X10',
    says: '401: renew, then one new call, which is no retry; a refresh is an operation of its own',
    holds: async (judge) => {
      for (const profile of [http, quill])
        expect(await verdictOf(judge, profile({ ...WRITE, status: 401 }))).toMatchObject({
          action: 'fix_before_retry',
          gates: ['fix_auth'],
        });
      const denied = http({ ...READ, status: 401, credential: 'c', policy: { maxRetries: 0 } });
      const after = http({ ...READ, ...OK, credential: 'c' });
      const renewed = told('auth_refresh', 1_000, { credential: 'c', ok: true });
      const followed = [send(1, 0, denied), renewed, send(2, 9_000, { ...after, reason: 'reauth' })];
      const found = await checksOf(judge, followed);
      for (const check of ['over_limit', 'auth_loop', 'never_retry_retried']) expect(found).not.toContain(check);
      const repeated = await checksOf(judge, [send(1, 0, denied), send(2, 9_000, after)]);
      expect(repeated).toEqual(expect.arrayContaining(['auth_loop', 'never_retry_retried', 'over_limit']));
      const all = await judge.evaluate(followed, send(1, 99_000).startedAt as number);
      expect(all.map(({ operationId }) => operationId)).toEqual(['op']);
    },
  },
  {
    id: 'X11',
    says: '5xx: a POST needs proof after any in quillhub, in http after all but 503, 521 and 523',
    holds: async (judge) => {
      for (const status of [500, 501, 502, 503, 504, 505, 520, 521, 522, 523, 524]) {
        expect((await verdictOf(judge, quill({ ...WRITE, status }))).action).toBe(VERIFY);
        const refused = [503, 521, 523].includes(status);
        expect((await verdictOf(judge, http({ ...WRITE, status }))).action, String(status)).toBe(
          refused ? RETRY : VERIFY,
        );
        expect((await verdictOf(judge, quill({ ...READ, status }))).action).toBe(RETRY);
      }
    },
  },
  {
    id: 'X12',
    says: 'ENOTFOUND goes by profile, and is shown to all',
    holds: async (judge) => {
      const got = await Promise.all([http, quill, vibe].map((by) => verdictOf(judge, by({ ...WRITE, ...NO_NAME }))));
      expect(got.map(({ action }) => action)).toEqual(['do_not_retry', RETRY, VERIFY]);
      for (const { flags } of got) expect(flags).toContain('persistent_dns_suspected');
    },
  },
];
