import { expect } from 'vitest';
import { checksOf, operationOf, send, told, verdictOf, type Judge, type Wire } from '../judge';
import { READ, REFUSED, TIMEOUT, vibe, WRITE, type Ruling } from './ruling';

/** V1–V16: where one verdict of Vibecode's example classifier falls short of its own page (domain.md §3). */

const AGENT = 'AGENT_WRITE_ALREADY_EXECUTED';
const LOST = { status: 504, code: 'BITRIX_TIMEOUT' };
const kinds = [READ, WRITE];

const of = (judge: Judge, fields: Wire, ruleSet?: string) => verdictOf(judge, vibe(fields), ruleSet);
const twice = (fields: Wire, second: Wire = {}): Wire[] => [
  send(1, 0, vibe(fields)),
  send(2, 9_000, vibe({ ...fields, ...second })),
];

export const VIBECODE_VERDICT_RULINGS: readonly Ruling[] = [
  {
    id: 'V1',
    says: 'TOKEN_REFRESH_FAILED: restore authorization, then a write too is simply repeated',
    holds: async (judge) => {
      for (const kind of kinds)
        expect(await of(judge, { ...kind, code: 'TOKEN_REFRESH_FAILED' })).toMatchObject({
          action: 'fix_before_retry',
          gates: ['fix_auth'],
          effect: 'none',
          unknownOutcome: false,
          reached: 'no',
        });
      const refused = { code: 'TOKEN_REFRESH_FAILED', status: 401, credential: 'c' };
      const renewed = told('auth_refresh', 500, { credential: 'c', ok: true });
      const [first, second] = twice(refused, { code: undefined, status: 201 });
      const mended = await operationOf(judge, [first ?? {}, renewed, second ?? {}]);
      expect(mended).toMatchObject({ state: 'succeeded', possibleEffects: 1, findings: [] });
    },
  },
  {
    id: 'V2',
    says: 'ERROR_LOOP_DETECTED on a write: stop, whatever its classifier word promises',
    holds: async (judge) => {
      expect(await of(judge, { ...WRITE, status: 429, code: 'ERROR_LOOP_DETECTED', retryAfter: '5' })).toMatchObject({
        action: 'do_not_retry',
        classifier: 'fix_before_retry',
        gates: ['fix_cause', 'human'],
        effect: 'none',
      });
      expect(await checksOf(judge, twice({ code: 'ERROR_LOOP_DETECTED' }))).toContain('never_retry_retried');
    },
  },
  {
    id: 'V3',
    says: 'ERROR_LOOP_DETECTED never reached the target; a probe goes by its own answer',
    holds: async (judge) => {
      for (const kind of kinds) expect((await of(judge, { ...kind, code: 'ERROR_LOOP_DETECTED' })).reached).toBe('no');
      expect((await of(judge, { ...READ, status: 200 })).action).toBe('none');
      expect(await of(judge, { ...WRITE, ...LOST })).toMatchObject({ rule: 'BITRIX_TIMEOUT', effect: 'possible' });
    },
  },
  {
    id: 'V4',
    says: 'BITRIX_ERROR on a read: a pause is useless, a timed retry without a change a violation',
    holds: async (judge) => {
      expect(await of(judge, { ...READ, code: 'BITRIX_ERROR', retryAfter: '9' })).toMatchObject({
        action: 'fix_before_retry',
        gates: ['fix_cause'],
      });
      expect(await checksOf(judge, twice({ ...READ, code: 'BITRIX_ERROR' }))).toContain('never_retry_retried');
      const changed = twice({ ...READ, code: 'BITRIX_ERROR', fingerprint: 'a' }, { fingerprint: 'b' });
      expect(await checksOf(judge, changed)).not.toContain('never_retry_retried');
    },
  },
  {
    id: 'V5',
    says: 'BITRIX_ERROR on a write: stop, verify when questionable, a changed request wants a new operation',
    holds: async (judge) => {
      expect(await of(judge, { ...WRITE, code: 'BITRIX_ERROR' })).toMatchObject({
        action: 'do_not_retry',
        gates: ['fix_cause', 'human'],
        effect: 'doubtful',
        unknownOutcome: false,
        flags: ['verify_if_questionable'],
      });
      const changed = twice({ code: 'BITRIX_ERROR', fingerprint: 'a' }, { fingerprint: 'b' });
      expect(await checksOf(judge, changed)).toContain('operation_id_reused');
    },
  },
  {
    id: 'V6',
    says: 'one classifier word, three sets of gates',
    holds: async (judge) => {
      const codes = ['TOKEN_REFRESH_FAILED', 'ERROR_LOOP_DETECTED', 'BITRIX_ERROR'];
      const told = await Promise.all(codes.map((code) => of(judge, { ...WRITE, code })));
      expect(new Set(told.map(({ classifier }) => classifier))).toEqual(new Set(['fix_before_retry']));
      expect(told.map(({ action, gates, flags }) => [action, gates, flags])).toEqual([
        ['fix_before_retry', ['fix_auth'], []],
        ['do_not_retry', ['fix_cause', 'human'], []],
        ['do_not_retry', ['fix_cause', 'human'], ['verify_if_questionable']],
      ]);
    },
  },
  {
    id: 'V7',
    says: 'AGENT_WRITE_ALREADY_EXECUTED branches on firstStatus',
    holds: async (judge) => {
      for (const firstStatus of [200, 204, 299]) {
        const done = { action: 'none', effect: 'applied', gates: [], unknownOutcome: false };
        expect(await of(judge, { ...WRITE, code: AGENT, firstStatus })).toMatchObject(done);
      }
      for (const firstStatus of [null, 199, 300, 404, 500, undefined]) {
        const got = await of(judge, { ...WRITE, code: AGENT, firstStatus });
        expect(got).toMatchObject({ action: 'state_verification_required', gates: ['read_back'], effect: 'none' });
        expect(got.flags.includes('not_covered'), String(firstStatus)).toBe(firstStatus !== null);
      }
      const settled = await operationOf(judge, twice({ ...LOST, method: 'DELETE' }, { code: AGENT, firstStatus: 204 }));
      expect(settled).toMatchObject({ state: 'succeeded', possibleEffects: 1 });
    },
  },
  {
    id: 'V8',
    says: 'AGENT_WRITE_ALREADY_EXECUTED on a read is not applicable, and an anomaly',
    holds: async (judge) => {
      for (const firstStatus of [204, null, undefined])
        expect(await of(judge, { ...READ, code: AGENT, firstStatus })).toMatchObject({
          action: 'not_applicable',
          reached: 'not_applicable',
          effect: 'none',
          gates: [],
          flags: ['contract_anomaly'],
        });
    },
  },
  {
    id: 'V9',
    says: 'the second DELETE is never the doubt, the first is, within 30 s at one address',
    holds: async (judge) => {
      const pair = (at: number, firstStatus: number | null) => [
        send(1, 0, vibe({ ...LOST, method: 'DELETE' })),
        send(2, at, vibe({ method: 'DELETE', status: 409, code: AGENT, firstStatus })),
      ];
      expect(await operationOf(judge, pair(9_000, null))).toMatchObject({ state: 'unresolved', possibleEffects: 1 });
      const alone = await operationOf(judge, [send(1, 0, vibe({ method: 'DELETE', code: AGENT, firstStatus: null }))]);
      expect(alone).toMatchObject({ state: 'unresolved', possibleEffects: 0 });
      expect(await checksOf(judge, pair(30_000, 204))).not.toContain('contract_anomaly');
      expect(await checksOf(judge, pair(30_001, 204))).toContain('contract_anomaly');
      const { findings } = await operationOf(judge, pair(9_000, 204));
      const blind = findings.find(({ check }) => check === 'blind_write_retry');
      expect(blind?.evidence).toMatchObject({ effectPrevented: true });
    },
  },
  {
    id: 'V10',
    says: 'an unknown code on a read keeps its verdict, with advice where repeating is not healthy',
    holds: async (judge) => {
      for (const fields of [
        { status: 404, code: 'NEW' },
        { status: 500, code: 'MISSING_API_KEY' },
        { code: 'INVALID_APP_KEY' },
      ]) {
        const got = await of(judge, { ...READ, ...fields });
        expect(got).toMatchObject({ action: 'retry_with_limit', flags: ['unknown_code', 'advice_fix_first'] });
      }
      for (const status of [408, 425, 429, 500])
        expect((await of(judge, { ...READ, status, code: 'NEW' })).flags).toEqual(['unknown_code']);
      const { findings } = await operationOf(judge, twice({ ...READ, status: 404, code: 'NEW' }));
      expect(findings).toContainEqual(expect.objectContaining({ check: 'never_retry_retried', severity: 'info' }));
    },
  },
  {
    id: 'V11',
    says: 'an unknown code on a write is verified first, and named unknown',
    holds: async (judge) => {
      for (const status of [400, 404, 429, 500, undefined])
        expect(await of(judge, { ...WRITE, status, code: 'NEW' })).toMatchObject({
          action: 'state_verification_required',
          effect: 'possible',
          flags: ['unknown_code'],
        });
    },
  },
  {
    id: 'V12',
    says: 'a network failure without an envelope leaves a write unknown, even when the connection was refused',
    holds: async (judge) => {
      const unknown = { action: 'state_verification_required', effect: 'possible', unknownOutcome: true };
      expect(await of(judge, { ...WRITE, ...REFUSED })).toMatchObject({ ...unknown, flags: ['preflight'] });
      expect(await of(judge, { ...WRITE, ...TIMEOUT })).toMatchObject({ ...unknown, flags: [] });
      for (const failure of [REFUSED, TIMEOUT])
        expect(await of(judge, { ...READ, ...failure })).toMatchObject({
          action: 'retry_with_limit',
          gates: ['backoff'],
          effect: 'none',
        });
    },
  },
  {
    id: 'V14',
    says: 'an odd kind is a write; an absent one comes from the method names, in doubt a write',
    holds: async (judge) => {
      for (const kind of ['delete', 'WRITE', 'Read-only'])
        expect((await of(judge, { kind, ...LOST })).unknownOutcome, kind).toBe(true);
      for (const kind of ['READ', 'Read']) expect((await of(judge, { kind, ...LOST })).effect, kind).toBe('none');
      const named = async (call: string) => (await of(judge, { kind: undefined, call, ...LOST })).effect;
      expect(await named('crm.deal.list')).toBe('none');
      expect(await named('POST /v1/deals/search')).toBe('none');
      expect(await named('crm.deal.add')).toBe('possible');
      expect(await named('crm.timeline.bind')).toBe('possible');
    },
  },
  {
    id: 'V15',
    says: 'codes are exact; a near miss is reported as malformed',
    holds: async (judge) => {
      for (const code of ['rate_limited', ' RATE_LIMITED', 'Rate-Limited', 'RATE LIMITED'])
        expect(await of(judge, { ...WRITE, code }), code).toMatchObject({
          action: 'state_verification_required',
          flags: ['unknown_code', 'code_malformed'],
        });
    },
  },
  {
    id: 'V16',
    says: 'reached and effect are two things',
    holds: async (judge) => {
      expect(await of(judge, { ...WRITE, code: 'RATE_LIMITED' })).toMatchObject({ reached: 'unknown', effect: 'none' });
      expect(await of(judge, { ...WRITE, code: 'BITRIX_ERROR' })).toMatchObject({ reached: 'yes', effect: 'doubtful' });
      expect(await of(judge, { ...WRITE, ...LOST })).toMatchObject({ reached: 'yes', effect: 'possible' });
    },
  },
];
