import { describe, expect, it } from 'vitest';
import type { JudgeOf, Wire } from '../judge';
import { judgeBy, KINDS } from './judge-by';

/** QuillHub's scenarios of cases/matrix.json. */

export function describeQuillhub(judgeOf: JudgeOf): void {
  const judge = judgeBy(judgeOf);
  describe('quillhub scenarios', () => {
    const quill = (fields: Wire) => judge('quillhub', fields);
    it.each(KINDS)('2xx is a success of a %s', async (kind) => {
      expect(await quill({ kind, status: 200 })).toMatchObject({
        action: 'none',
        effect: kind === 'write' ? 'applied' : 'none',
      });
    });
    it.each([400, 402, 403, 404, 408, 409, 422, 425, 451])('%i is fixed, not repeated', async (status) => {
      for (const kind of KINDS) {
        expect(await quill({ kind, status })).toMatchObject({
          action: 'fix_before_retry',
          effect: 'none',
          gates: ['fix_cause'],
        });
      }
      expect((await quill({ kind: 'write', status: 401 })).gates).toEqual(['fix_auth']);
    });
    it('429 is refused and waits', async () => {
      expect(await quill({ kind: 'write', status: 429 })).toMatchObject({
        action: 'retry_with_limit',
        effect: 'none',
        reached: 'no',
      });
      expect((await quill({ kind: 'write', status: 429, retryAfter: ['7'] })).gates).toEqual(['wait']);
    });
    it.each([500, 501, 502, 503, 504, 505, 520, 599])('%i is looked up before a write is repeated', async (status) => {
      expect(await quill({ kind: 'read', status })).toMatchObject({ action: 'retry_with_limit', gates: ['backoff'] });
      for (const idempotency of [undefined, { key: 'k', mode: 'server' as const }]) {
        expect(await quill({ kind: 'write', method: 'PUT', status, idempotency })).toMatchObject({
          action: 'state_verification_required',
          effect: 'possible',
          gates: ['read_back'],
        });
      }
      const unlikely = [501, 505, 511].includes(status);
      expect((await quill({ kind: 'read', status })).flags.includes('unlikely_transient')).toBe(unlikely);
    });
    it('network before sending is repeated, a name that is not found too', async () => {
      for (const code of ['ENOTFOUND', 'EAI_AGAIN']) {
        const error = { name: 'Error', code, syscall: 'getaddrinfo' };
        expect(await quill({ kind: 'write', error })).toMatchObject({
          action: 'retry_with_limit',
          effect: 'none',
          gates: ['backoff'],
        });
      }
    });
    it.each(['TimeoutError', 'AbortError'])('%s may have been accepted', async (name) => {
      expect(await quill({ kind: 'write', error: { name } })).toMatchObject({
        action: 'state_verification_required',
        effect: 'possible',
      });
      expect(await quill({ kind: 'read', error: { name } })).toMatchObject({
        action: 'retry_with_limit',
        effect: 'none',
      });
    });
    it('an unreadable answer is a bug for a read and a doubt for a write', async () => {
      expect(await quill({ kind: 'read', outcome: 'parse_error' })).toMatchObject({
        action: 'do_not_retry',
        gates: ['fix_cause'],
      });
      expect(await quill({ kind: 'write', status: 200, outcome: 'parse_error' })).toMatchObject({
        action: 'state_verification_required',
        effect: 'possible',
        gates: ['read_back'],
        code: 'PARSE_ERROR',
      });
    });
    it('a failed job is final in every profile', async () => {
      for (const name of ['quillhub', 'http', 'vibecode', 'bitrix_rest']) {
        expect(await judge(name, { kind: 'write', status: 200, outcome: 'async_failed' })).toMatchObject({
          action: 'do_not_retry',
          effect: 'none',
          gates: ['fix_cause'],
          code: 'ASYNC_FAILED',
        });
      }
    });
  });
}
