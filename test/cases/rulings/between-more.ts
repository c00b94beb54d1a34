import { expect } from 'vitest';
import { checksOf, operationOf, send, verdictOf, type Wire } from '../judge';
import { bitrix, http, quill, READ, vibe, WRITE, type Ruling } from './ruling';

/** X13–X17 (domain.md §6). */

export const MORE_BETWEEN_RULINGS: readonly Ruling[] = [
  {
    id: 'X13',
    says: 'no Retry-After: bounded backoff under vibecode, at least a second and once under quillhub',
    holds: async (judge) => {
      const busy = { ...READ, status: 429 };
      const quiet = { gates: ['backoff'], wait: { source: 'backoff', delayMs: null } };
      expect(await verdictOf(judge, vibe({ ...busy, code: 'RATE_LIMITED' }))).toMatchObject(quiet);
      expect(await verdictOf(judge, quill(busy))).toMatchObject(quiet);
      const after = (gap: number) => [send(1, 0, quill(busy)), send(2, 100 + gap, quill({ ...READ, status: 200 }))];
      expect(await checksOf(judge, after(900))).toContain('throttle_in_backoff_loop');
      expect(await checksOf(judge, after(1_000))).not.toContain('throttle_in_backoff_loop');
      const elsewhere = [
        send(1, 0, vibe({ ...busy, code: 'RATE_LIMITED' })),
        send(2, 500, vibe({ ...READ, status: 200 })),
      ];
      expect(await checksOf(judge, elsewhere)).not.toContain('throttle_in_backoff_loop');
    },
  },
  {
    id: 'X14',
    says: 'INTERNAL_SERVER_ERROR of classic REST: read again, look for a write first',
    holds: async (judge) => {
      for (const code of ['INTERNAL_SERVER_ERROR', 'internal_server_error', 'ERROR_UNEXPECTED_ANSWER']) {
        expect((await verdictOf(judge, bitrix({ ...READ, status: 500, code }))).action).toBe('retry_with_limit');
        expect(await verdictOf(judge, bitrix({ ...WRITE, status: 500, code }))).toMatchObject({
          action: 'state_verification_required',
          effect: 'possible',
        });
      }
    },
  },
  {
    id: 'X15',
    says: 'retries and attempts are two declarations, and the finding says which was made',
    holds: async (judge) => {
      const run = (policy: Wire) => [1, 2, 3].map((n) => send(n, n * 9_000, http({ ...READ, status: 503, policy })));
      const over = async (policy: Wire) =>
        (await operationOf(judge, run(policy))).findings.filter(({ check }) => check === 'over_limit');
      expect(await over({ maxRetries: 2 })).toEqual([]);
      expect(await over({ maxAttempts: 3 })).toEqual([]);
      expect(await over({ maxRetries: 1 })).toMatchObject([{ evidence: { limitBy: 'maxRetries', retriesMax: 1 } }]);
      expect(await over({ maxAttempts: 2 })).toMatchObject([{ evidence: { limitBy: 'maxAttempts', retriesMax: 1 } }]);
    },
  },
  {
    id: 'X17',
    says: 'an unreadable answer: stop a read, look for a write; under vibecode and bitrix_rest the default',
    holds: async (judge) => {
      const unread = [{ status: 200, error: { name: 'SyntaxError' } }, { outcome: 'parse_error' }];
      for (const fields of unread) {
        for (const by of [http, quill]) {
          expect((await verdictOf(judge, by({ ...READ, ...fields }))).action).toBe('do_not_retry');
          expect(await verdictOf(judge, by({ ...WRITE, ...fields }))).toMatchObject({
            action: 'state_verification_required',
            effect: 'possible',
          });
        }
        for (const by of [vibe, bitrix]) {
          expect((await verdictOf(judge, by({ ...READ, ...fields }))).action).toBe('retry_with_limit');
          expect((await verdictOf(judge, by({ ...WRITE, ...fields }))).unknownOutcome).toBe(true);
        }
      }
      for (const by of [http, quill, vibe, bitrix])
        expect(await verdictOf(judge, by({ ...WRITE, outcome: 'async_failed' }))).toMatchObject({
          action: 'do_not_retry',
          effect: 'none',
          gates: ['fix_cause'],
        });
    },
  },
];
