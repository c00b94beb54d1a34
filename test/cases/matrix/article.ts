import { describe, expect, it } from 'vitest';
import matrix from '../data/matrix.json';
import type { JudgeOf, Wire } from '../judge';
import { judgeBy } from './judge-by';

/** The article's two tables of cases/matrix.json, with H1–H7 of domain.md §5. */

export function describeArticle(judgeOf: JudgeOf): void {
  const judge = judgeBy(judgeOf);
  describe('article statuses', () => {
    const keyed = { key: 'h' };
    for (const row of matrix.article.statuses) {
      it(`${row.status}`, async () => {
        const repeats = async (fields: Wire) =>
          (await judge('http', { status: row.status, ...fields })).action === 'retry_with_limit';
        expect(await repeats({ kind: 'read', method: 'GET' })).toBe(row.retryable);
        expect(await repeats({ kind: 'write', method: 'POST' })).toBe(row.bare_post);
        expect(await repeats({ kind: 'write', method: 'POST', idempotency: keyed })).toBe(row.retryable);
        expect(await repeats({ kind: 'write', method: 'put' })).toBe(row.retryable);
        expect(await repeats({ kind: 'write', method: 'PATCH' })).toBe(row.bare_post);
        expect(await repeats({ kind: 'read', method: 'POST' })).toBe(row.retryable);
        const { effect } = await judge('http', { status: row.status, kind: 'write', method: 'POST' });
        expect(effect).toBe({ done: 'applied', maybe: 'possible' }[row.server_work] ?? 'none');
      });
    }
    it('lowers a key that the sender does not trust, and never raises one', async () => {
      const lowered = { key: 'h', mode: 'client_dedupe' as const };
      expect((await judge('http', { kind: 'write', method: 'POST', status: 500, idempotency: lowered })).action).toBe(
        'state_verification_required',
      );
      const raised = { key: 'h', mode: 'server' as const };
      expect((await judge('vibecode', { kind: 'write', status: 500, idempotency: raised })).action).toBe(
        'state_verification_required',
      );
    });
    it.each([410, 413, 418])('unlisted %i is fixed first and shown apart', async (status) => {
      expect(await judge('http', { kind: 'write', status })).toMatchObject({
        action: 'fix_before_retry',
        effect: 'none',
        flags: ['not_covered'],
      });
    });
    it.each([501, 505, 520, 522, 524])('unlisted %i goes by replayability and is shown apart', async (status) => {
      expect(await judge('http', { kind: 'write', method: 'POST', status })).toMatchObject({
        action: 'state_verification_required',
        effect: 'possible',
        flags: ['not_covered'],
      });
      expect((await judge('http', { kind: 'write', method: 'PUT', status })).action).toBe('retry_with_limit');
    });
    it.each([521, 523])('%i never reached the origin', async (status) => {
      expect(await judge('http', { kind: 'write', method: 'POST', status })).toMatchObject({
        action: 'retry_with_limit',
        effect: 'none',
        reached: 'no',
      });
    });
    it('409 waits under a server key, is looked up without, and is wrong for a read', async () => {
      expect(await judge('http', { kind: 'write', status: 409, method: 'POST', idempotency: keyed })).toMatchObject({
        action: 'retry_with_limit',
        effect: 'possible',
      });
      for (const method of ['POST', 'PUT', 'DELETE']) {
        expect((await judge('http', { kind: 'write', status: 409, method })).action).toBe(
          'state_verification_required',
        );
      }
      expect((await judge('http', { kind: 'read', status: 409, method: 'GET' })).action).toBe('fix_before_retry');
    });
    it('303 and 304 are answers, other 3xx are not', async () => {
      expect(await judge('http', { kind: 'write', status: 303 })).toMatchObject({ action: 'none', effect: 'applied' });
      expect((await judge('http', { kind: 'read', status: 304 })).action).toBe('none');
      expect((await judge('http', { kind: 'write', status: 304 })).action).toBe('fix_before_retry');
      expect(await judge('http', { kind: 'read', status: 302 })).toMatchObject({
        action: 'fix_before_retry',
        effect: 'none',
      });
    });
  });
  describe('article network rows', () => {
    for (const row of matrix.article.network) {
      it(row.label, async () => {
        const error = { name: 'Error', code: row.code, syscall: row.syscall ?? undefined };
        for (const shape of [error, { name: 'TypeError', message: 'fetch failed', cause: error }]) {
          const repeats = async (fields: Wire) =>
            (await judge('http', { error: shape, ...fields })).action === 'retry_with_limit';
          // null: the source doesn't say; ruled a pre-flight failure (domain.md §5).
          expect(await repeats({ kind: 'read', method: 'GET' })).toBe(row.get ?? true);
          expect(await repeats({ kind: 'write', method: 'POST' })).toBe(row.post ?? true);
          expect(await repeats({ kind: 'write', method: 'POST', idempotency: { key: 'h' } })).toBe(
            row.keyed_post ?? true,
          );
          expect((await judge('http', { error: shape, kind: 'write' })).code).toBe(row.code);
        }
      });
    }
    for (const row of matrix.article.undici) {
      it(`undici ${row.case} is the same as ${row.same_as}`, async () => {
        const cause = { code: row.cause_code };
        const wrapped = { name: row.name, message: row.message, cause };
        const plain = matrix.article.network.find(({ code }) => code === row.same_as);
        const got = await judge('http', { kind: 'write', method: 'POST', error: wrapped });
        expect(got.action === 'retry_with_limit').toBe(plain?.post);
        expect(got.code).toBe(row.cause_code);
      });
    }
    it.each([
      ['UND_ERR_CONNECT_TIMEOUT', 'retry_with_limit', 'connect'],
      ['UND_ERR_HEADERS_TIMEOUT', 'state_verification_required', 'awaiting_response'],
      ['UND_ERR_BODY_TIMEOUT', 'state_verification_required', 'reading_body'],
    ])('%s', async (code, action, phase) => {
      const got = await judge('http', { kind: 'write', error: { name: 'TypeError', cause: { code } } });
      expect(got).toMatchObject({ action, phase, code });
    });
    it('TimeoutError is a doubt, AbortError a decision', async () => {
      const timeout = { name: 'TimeoutError', code: 23 };
      const abort = { name: 'AbortError', code: 20 };
      expect(await judge('http', { kind: 'write', error: timeout })).toMatchObject({
        action: 'state_verification_required',
        code: 'TimeoutError',
      });
      expect((await judge('http', { kind: 'read', error: timeout })).action).toBe('retry_with_limit');
      expect(await judge('http', { kind: 'write', error: abort })).toMatchObject({
        action: 'do_not_retry',
        effect: 'possible',
        gates: ['read_back'],
        unknownOutcome: true,
      });
      expect(await judge('http', { kind: 'read', error: abort })).toMatchObject({ action: 'do_not_retry', gates: [] });
      for (const abortBy of ['per_try', 'deadline'] as const) {
        expect((await judge('http', { kind: 'read', error: abort, abortBy })).action).toBe('retry_with_limit');
      }
    });
  });
}
