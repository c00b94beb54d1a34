import { expect } from 'vitest';
import { currentRuleSet } from '@/lib/core/rules/index';
import { checksOf, operationOf, send, told, verdictOf, type Judge, type Wire } from '../judge';
import { OK, READ, vibe, WRITE, type Ruling } from './ruling';

/** V13, V17–V24: batches, history, waits and read-backs (domain.md §3). */

const LOST = vibe({ status: 504, code: 'BITRIX_TIMEOUT' });
const SAFE = ['QUEUE_OVERFLOW', 'QUEUE_TIMEOUT', 'RATE_LIMITED', 'CALLER_RATE_LIMITED', 'TIMEOUT_QUARANTINE'];
const look = (at: number, fields: Wire = {}): Wire =>
  told('readback', at, { result: 'absent', criterion: 'unique', ...fields });

async function stateAfter(judge: Judge, ...events: Wire[]): Promise<string> {
  return (await operationOf(judge, [send(1, 0, LOST), ...events])).state;
}

const itemActions = async (judge: Judge, fields: Wire): Promise<string[]> =>
  (await judge.verdicts(send(1, 0, fields))).map(({ action }) => action);

const VERIFY = 'state_verification_required';
const RETRY = 'retry_with_limit';

export const VIBECODE_HISTORY_RULINGS: readonly Ruling[] = [
  {
    id: 'V13',
    says: 'a batch is judged item by item: own code, own kind; missing is unknown, halted is not run',
    holds: async (judge) => {
      const items = [
        { item: '0', call: 'list', code: 'BITRIX_TIMEOUT' },
        { item: '1', call: 'create', code: 'BITRIX_TIMEOUT' },
        { item: '2', call: 'create', status: 201 },
        { item: '3', call: 'create', notRun: true },
        { item: '4', call: 'create' },
      ];
      const answered = vibe({ call: 'POST /v1/batch', status: 200, batch: { id: 'x', size: 6 }, items });
      expect(await itemActions(judge, answered)).toEqual([RETRY, VERIFY, 'none', RETRY, VERIFY, VERIFY]);
      const failed = vibe({ call: 'POST /v1/batch', status: 503, code: 'SERVICE_UNAVAILABLE' });
      const silent = items.slice(0, 2).map(({ item, call }) => ({ item, call }));
      expect(await itemActions(judge, { ...failed, items: silent })).toEqual([RETRY, VERIFY]);
      const rest3 = {
        profile: 'bitrix_rest',
        call: '/rest/api/batch',
        status: 400,
        code: 'BITRIX_REST_V3_EXCEPTION_X',
      };
      const calls = ['crm.item.add', 'crm.item.get'].map((call, at) => ({ item: String(at), call }));
      expect(await itemActions(judge, { ...rest3, items: calls })).toEqual([VERIFY, RETRY]);
    },
  },
  {
    id: 'V17',
    says: 'an unknown is sticky: no later code clears it, only a proof does',
    holds: async (judge) => {
      for (const code of [...SAFE, 'BITRIX_ERROR', 'TOKEN_REFRESH_FAILED', 'NEW'])
        expect(await stateAfter(judge, send(2, 9_000, vibe({ status: 429, code }))), code).toBe('unresolved');
      const unproven: Wire[] = [
        look(70_000, { criterion: 'weak' }),
        look(5_000, { result: 'present', criterion: 'weak' }),
        told('closed', 9_000, { result: 'done' }),
        told('closed', 9_000, { result: 'abandoned', entityIds: ['1'] }),
        told('cause_fixed', 9_000),
        send(2, 9_000, vibe({ ...READ, ...OK })),
      ];
      for (const event of unproven) expect(await stateAfter(judge, event), JSON.stringify(event)).toBe('unresolved');
      expect(await stateAfter(judge, send(2, 9_000, vibe(OK)))).toBe('succeeded_with_possible_duplicates');
      expect(await stateAfter(judge, look(5_000, { result: 'present' }))).toBe('succeeded');
      expect(await stateAfter(judge, look(70_000))).toBe('failed');
      expect(await stateAfter(judge, told('job_result', 9_000, { jobId: 'j', result: 'completed' }))).toBe('succeeded');
      expect(await stateAfter(judge, told('closed', 9_000, { result: 'done', entityIds: ['1'] }))).toBe('succeeded');
      const executed = vibe({ method: 'DELETE', code: 'AGENT_WRITE_ALREADY_EXECUTED', firstStatus: 200 });
      expect(await stateAfter(judge, send(2, 9_000, executed))).toBe('succeeded');
    },
  },
  {
    id: 'V18',
    says: 'the verdict carries the wait, its source and whether the full time is asked',
    holds: async (judge) => {
      const wait = async (fields: Wire) => (await verdictOf(judge, vibe(fields))).wait;
      const asked = { retryAfter: '9' };
      for (const code of ['OPERATION_TIME_LIMIT', 'TIMEOUT_QUARANTINE'])
        expect(await wait({ code, ...asked })).toMatchObject({ source: 'retry_after', delayMs: 9_000, strict: true });
      expect(await wait({ code: 'RATE_LIMITED', ...asked })).toMatchObject({ source: 'retry_after', strict: false });
      expect(await wait({ code: 'RATE_LIMITED', retryAfterBody: 2 })).toMatchObject({ source: 'body', delayMs: 2_000 });
      expect(await wait({ ...READ, code: 'BITRIX_UNAVAILABLE' })).toMatchObject({ source: 'backoff', delayMs: null });
      const fix = await verdictOf(judge, vibe({ ...READ, code: 'BITRIX_ERROR', ...asked }));
      expect(fix.gates).toEqual(['fix_cause']);
    },
  },
  {
    id: 'V19',
    says: 'BH_APP_TIMEOUT and BH_APP_CONNECTION_LOST announce no wait: backoff for a read, an anomaly when one came',
    holds: async (judge) => {
      for (const code of ['BH_APP_TIMEOUT', 'BH_APP_CONNECTION_LOST']) {
        expect(await verdictOf(judge, vibe({ ...READ, code }))).toMatchObject({ gates: ['backoff'], flags: [] });
        const anomaly = { flags: ['contract_anomaly'] };
        expect(await verdictOf(judge, vibe({ ...READ, code, retryAfter: '9' }))).toMatchObject(anomaly);
        const write = await verdictOf(judge, vibe({ ...WRITE, code, retryAfterBody: 9 }));
        expect(write).toMatchObject({ gates: ['read_back'], ...anomaly });
      }
      expect((await verdictOf(judge, vibe({ code: 'BH_APP_STARTING', retryAfter: '9' }))).flags).toEqual([]);
    },
  },
  {
    id: 'V20',
    says: 'without a reliable check “read back first” means stop',
    holds: async (judge) => {
      const inconclusive = look(70_000, { result: 'inconclusive' });
      expect(await stateAfter(judge, inconclusive)).toBe('unresolved');
      const { findings } = await operationOf(judge, [send(1, 0, LOST), inconclusive, send(2, 90_000, vibe(OK))]);
      const blind = findings.find(({ check }) => check === 'blind_write_retry');
      expect(blind?.evidence).toMatchObject({ grade: 'weak' });
    },
  },
  {
    id: 'V21',
    says: 'only a unique criterion may prove absence',
    holds: async (judge) => {
      const sent = (fields: Wire) => [send(1, 0, LOST), look(70_000, fields), send(2, 90_000, vibe(OK))];
      expect(await checksOf(judge, sent({ criterion: 'weak' }))).toContain('blind_write_retry');
      expect(await checksOf(judge, sent({}))).not.toContain('blind_write_retry');
      expect(await operationOf(judge, sent({}))).toMatchObject({ state: 'succeeded', possibleEffects: 1 });
    },
  },
  {
    id: 'V22',
    says: 'an absence seen before the settle time is provisional',
    holds: async (judge) => {
      expect(await stateAfter(judge, look(60_099))).toBe('unresolved');
      expect(await stateAfter(judge, look(60_100))).toBe('failed');
    },
  },
  {
    id: 'V23',
    says: 'the BH rows speak of the hosted app; whether the target was reached stays unknown',
    holds: async (judge) => {
      const codes = ['BH_APP_STARTING', 'BH_APP_TIMEOUT', 'BH_APP_CONNECTION_LOST'];
      for (const code of codes) expect((await verdictOf(judge, vibe({ code }))).reached).toBe('unknown');
      const hops = currentRuleSet('vibecode').rows.filter(({ hop }) => hop === 'app');
      expect(new Set(hops.map(({ id }) => id))).toEqual(new Set(codes));
    },
  },
  {
    id: 'V24',
    says: 'the limit is the one the client declared; ours is only a default, and says so',
    holds: async (judge) => {
      const run = (tries: number, policy?: Wire) =>
        Array.from({ length: tries }, (_, at) =>
          send(at + 1, at * 9_000, vibe({ ...READ, code: 'RATE_LIMITED', ...(policy && { policy }) })),
        );
      expect(await checksOf(judge, run(3, { maxRetries: 1 }))).toContain('over_limit');
      expect(await checksOf(judge, run(3, { maxRetries: 2 }))).not.toContain('over_limit');
      expect(await checksOf(judge, run(9, { maxRetries: 8 }))).not.toContain('over_limit');
      expect(await checksOf(judge, run(6))).not.toContain('over_limit');
      const over = (await operationOf(judge, run(7))).findings.find(({ check }) => check === 'over_limit');
      expect(over?.evidence).toMatchObject({ limitBy: 'default', retriesMax: 5 });
    },
  },
];
