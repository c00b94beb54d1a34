import { describe, expect, it } from 'vitest';
import { checksOf, operationOf, send, verdictOf, type JudgeOf, type Wire } from './judge';

/** Issue 3, part 2, sentence by sentence: precedence for one attempt, sticky unknown for an operation. */

const H = { profile: 'http' };
const V = { profile: 'vibecode' };
const LOST = { ...V, status: 504, code: 'BITRIX_TIMEOUT' };
const TIMEOUT = { error: { name: 'TimeoutError', code: 23 } };
const CUT = { name: 'TypeError', message: 'terminated', cause: { code: 'UND_ERR_SOCKET' } };
const REFUSED = { code: 'ECONNREFUSED', syscall: 'connect' };
const keyed = (key: string, fingerprint?: string): Wire => ({ idempotency: { key }, fingerprint });

export function describePrecedence(judgeOf: JudgeOf): void {
  const rule = async (fields: Wire) => (await verdictOf(judgeOf(), fields)).rule;
  const state = async (...events: Wire[]) => (await operationOf(judgeOf(), events)).state;

  describe('precedence for one attempt', () => {
    it('success with a whole body comes first', async () => {
      expect(await rule({ ...V, status: 200 })).toBe('SUCCESS');
      expect(await rule({ ...V, status: 200, error: CUT })).not.toBe('SUCCESS');
      expect(await rule({ ...V, status: 200, code: 'RATE_LIMITED' })).not.toBe('SUCCESS');
      expect(await rule({ ...V, status: 200, bodySummary: { total: 2, failed: 1 } })).not.toBe('SUCCESS');
    });
    it('then the platform code, whatever the status, the scenario or the network say', async () => {
      for (const status of [undefined, 200, 401, 429, 500, 504])
        expect(await rule({ ...V, status, code: 'QUEUE_TIMEOUT', error: REFUSED, headers: {} })).toBe('QUEUE_TIMEOUT');
    });
    it('then the scenario, before the status', async () => {
      expect(await rule({ ...V, status: 504, headers: {} })).toBe('BH_APP_TIMEOUT');
      expect(await rule({ ...H, status: 503, code: 'idempotency_error' })).toBe('KEY_MISUSED');
      expect(await rule({ ...H, status: 200, outcome: 'async_failed' })).toBe('ASYNC_FAILED');
    });
    it('then the status, before the network', async () => {
      expect(await rule({ ...H, status: 503, error: CUT })).toBe('HTTP_503');
      expect(await rule({ ...H, status: 404, outcome: 'timeout' })).toBe('HTTP_404');
    });
    it('then the network, also for a 2xx that broke off', async () => {
      expect(await rule({ ...H, error: REFUSED })).toBe('BEFORE_SENDING');
      expect(await rule({ ...H, status: 200, error: CUT })).toBe('AFTER_CONNECTING');
    });
    it('then the default', async () => {
      expect(await rule({ ...V, error: REFUSED })).toBe('DEFAULT');
      expect(await rule({ ...H, status: 101 })).toBe('DEFAULT');
    });
  });

  describe('sticky unknown for an operation', () => {
    it('BITRIX_TIMEOUT then QUEUE_OVERFLOW stays unknown, though the last rule’s own word is retry', async () => {
      const events = [send(1, 0, LOST), send(2, 9_000, { ...V, status: 429, code: 'QUEUE_OVERFLOW' })];
      const operation = await operationOf(judgeOf(), events);
      expect(operation).toMatchObject({ state: 'unresolved', possibleEffects: 1 });
      expect(operation.attempts[1]?.verdict.action).toBe('retry_with_limit');
    });
    it('a success after a blind repeat is succeeded_with_possible_duplicates', async () => {
      expect(await state(send(1, 0, LOST), send(2, 9_000, { ...V, status: 201 }))).toBe(
        'succeeded_with_possible_duplicates',
      );
    });
    it('a success under the same key of mode server settles it', async () => {
      const pair = (mode: string) => [
        send(1, 0, { ...H, ...TIMEOUT, idempotency: { key: 'k', mode } }),
        send(2, 9_000, { ...H, status: 201, idempotency: { key: 'k', mode } }),
      ];
      expect(await state(...pair('server'))).toBe('succeeded');
      for (const mode of ['client_dedupe', 'none'])
        expect(await state(...pair(mode))).toBe('succeeded_with_possible_duplicates');
    });
    it('AGENT_WRITE_ALREADY_EXECUTED branches on firstStatus', async () => {
      const again = (firstStatus: number | null) =>
        state(
          send(1, 0, { ...LOST, method: 'DELETE' }),
          send(2, 9_000, { ...V, method: 'DELETE', code: 'AGENT_WRITE_ALREADY_EXECUTED', firstStatus }),
        );
      expect([await again(204), await again(null), await again(500)]).toEqual([
        'succeeded',
        'unresolved',
        'unresolved',
      ]);
    });
    it('a 2xx with an error, missing items or a cut body is no success', async () => {
      expect(await state(send(1, 0, { ...H, status: 200, bodyErrors: ['X'] }))).toBe('unresolved');
      expect(await state(send(1, 0, { ...H, status: 200, error: CUT }))).toBe('unresolved');
      expect(await state(send(1, 0, { ...H, status: 200, bodySummary: { total: 3, unprocessed: 1 } }))).toBe(
        'partially_applied',
      );
      const batch = {
        ...H,
        status: 200,
        batch: { id: 'b', size: 2 },
        items: [{ item: '0', kind: 'write', status: 201 }],
      };
      expect((await operationOf(judgeOf(), [send(1, 0, batch)], undefined, 'op#1')).state).toBe('unresolved');
    });
    it('a status that an SDK made up is none', async () => {
      for (const status of [200, 408, 429, 503])
        expect(await state(send(1, 0, { ...H, status, statusOrigin: 'sdk' })), String(status)).toBe('unresolved');
    });
    it('a missing kind follows the contract, and in doubt it is a write', async () => {
      const told = (fields: Wire) => state(send(1, 0, { kind: undefined, method: undefined, ...TIMEOUT, ...fields }));
      expect(await told({ ...H, call: 'GET /deals' })).toBe('failed');
      expect(await told({ ...H, call: 'reindex' })).toBe('unresolved');
      expect(await told({ ...V, call: 'crm.deal.list' })).toBe('failed');
      expect(await told({ ...V, call: 'crm.deal.reopen' })).toBe('unresolved');
      expect(await told({ profile: 'bitrix_rest', call: 'crm.deal.add', method: 'GET' })).toBe('unresolved');
    });
    it('a key that changed between attempts is never trusted', async () => {
      const pair = [
        send(1, 0, { ...H, ...TIMEOUT, ...keyed('a') }),
        send(2, 9_000, { ...H, status: 201, ...keyed('b') }),
      ];
      expect(await state(...pair)).toBe('succeeded_with_possible_duplicates');
      expect(await checksOf(judgeOf(), pair)).toContain('blind_write_retry');
    });
    it('nor is one that was used for another request', async () => {
      const pair = [
        send(1, 0, { ...H, ...TIMEOUT, ...keyed('k', 'a') }),
        send(2, 9_000, { ...H, status: 201, ...keyed('k', 'b') }),
      ];
      expect(await state(...pair)).toBe('succeeded_with_possible_duplicates');
      expect(await checksOf(judgeOf(), pair)).toEqual(expect.arrayContaining(['blind_write_retry', 'key_reused']));
    });
  });
}
