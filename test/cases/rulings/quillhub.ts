import { expect } from 'vitest';
import { checksOf, MONTH, operationOf, send, told, verdictOf, type Judge, type Wire } from '../judge';
import { OK, quill, READ, TIMEOUT, WRITE, type Ruling } from './ruling';

/** Q1–Q15, Q18: contradictions inside QuillHub's guide (domain.md §4). */

const many = (tries: number, fields: Wire = {}): Wire[] =>
  Array.from({ length: tries }, (_, at) =>
    send(at + 1, at * 3_000, quill({ ...READ, status: 500, ...(at === 0 ? fields : {}) })),
  );
const listing = (at: number, fields: Wire = {}): Wire =>
  told('readback', at, { result: 'absent', criterion: 'unique', ...fields });
const job = (at: number, jobId: string, result: string): Wire => told('job_result', at, { jobId, result });

async function overLimit(judge: Judge, events: Wire[]) {
  return (await operationOf(judge, events)).findings.filter(({ check }) => check === 'over_limit');
}

export const QUILLHUB_RULINGS: readonly Ruling[] = [
  {
    id: 'Q1',
    says: '429 beats “never retry 4xx”, with a counter of its own: one retry',
    holds: async (judge) => {
      for (const kind of [READ, WRITE]) {
        const got = await verdictOf(judge, quill({ ...kind, status: 429 }));
        expect(got).toMatchObject({ action: 'retry_with_limit', effect: 'none', rule: 'HTTP_429' });
      }
      for (const status of [400, 402, 404, 408, 409, 425, 451])
        expect((await verdictOf(judge, quill({ status }))).action, String(status)).toBe('fix_before_retry');
      const busy = (n: number, at: number) => send(n, at, quill({ ...READ, status: 429 }));
      const done = (n: number, at: number) => send(n, at, quill({ ...READ, ...OK }));
      expect(await checksOf(judge, [busy(1, 0), done(2, 2_000)])).not.toContain('throttle_in_backoff_loop');
      expect(await checksOf(judge, [busy(1, 0), busy(2, 2_000), done(3, 4_000)])).toContain('throttle_in_backoff_loop');
    },
  },
  {
    id: 'Q2',
    says: 'five retries is the limit: the sixth send differs by reading, the seventh is a violation',
    holds: async (judge) => {
      expect(await overLimit(judge, many(5))).toEqual([]);
      expect(await overLimit(judge, many(6))).toMatchObject([
        { severity: 'low', evidence: { differsByReading: true } },
      ]);
      expect(await overLimit(judge, many(7))).toMatchObject([
        { severity: 'medium', evidence: { differsByReading: false } },
      ]);
    },
  },
  {
    id: 'Q4',
    says: 'the table is the rule: time-outs and DNS failures are repeated, whatever its sample function says',
    holds: async (judge) => {
      const failures: Wire[] = [
        { name: 'AbortError', code: 20 },
        { name: 'TimeoutError', code: 23 },
        { code: 'ENOTFOUND', syscall: 'getaddrinfo' },
        { code: 'EAI_AGAIN', syscall: 'getaddrinfo' },
        { code: 'ECONNREFUSED', syscall: 'connect' },
        { code: 'EPIPE', syscall: 'write' },
      ];
      for (const error of failures)
        expect((await verdictOf(judge, quill({ ...READ, error }))).action, JSON.stringify(error)).toBe(
          'retry_with_limit',
        );
    },
  },
  {
    id: 'Q5',
    says: 'a TypeError is the network only with a network cause',
    holds: async (judge) => {
      const bare = { name: 'TypeError', message: 'fetch failed' };
      const lost = await verdictOf(judge, quill({ ...READ, error: bare }));
      expect(lost).toMatchObject({ rule: 'DEFAULT', flags: ['not_covered'] });
      const caused = { ...bare, cause: { code: 'ECONNRESET', syscall: 'read' } };
      expect(await verdictOf(judge, quill({ ...READ, error: caused }))).toMatchObject({
        rule: 'NETWORK_AFTER_SENDING',
        flags: [],
      });
    },
  },
  {
    id: 'Q6',
    says: 'failures go by their cause, not by the transport that reports them',
    holds: async (judge) => {
      for (const cause of [
        { code: 'ENOTFOUND', syscall: 'getaddrinfo' },
        { code: 'ECONNRESET', syscall: 'read' },
      ]) {
        const plain = await verdictOf(judge, quill({ error: cause }));
        const wrapped = await verdictOf(judge, quill({ error: { name: 'TypeError', message: 'fetch failed', cause } }));
        expect({ ...wrapped, classifier: plain.classifier }).toEqual(plain);
        // Its sample function goes by the transport: that is the contradiction.
        expect([plain.classifier, wrapped.classifier]).toEqual([
          cause.code === 'ECONNRESET' ? 'retry' : 'no_retry',
          'retry',
        ]);
      }
    },
  },
  {
    id: 'Q7',
    says: 'a POST after any 5xx is looked for first',
    holds: async (judge) => {
      for (const status of [500, 502, 503, 504, 520])
        expect(await verdictOf(judge, quill({ ...WRITE, status })), String(status)).toMatchObject({
          action: 'state_verification_required',
          effect: 'possible',
          gates: ['read_back'],
        });
    },
  },
  {
    id: 'Q8',
    says: 'a POST refused with 429 may be sent again blindly, one that timed out may not',
    holds: async (judge) => {
      const then = (first: Wire) => [send(1, 0, quill(first)), send(2, 9_000, quill({ status: 201 }))];
      expect(await checksOf(judge, then({ status: 429 }))).not.toContain('blind_write_retry');
      expect(await checksOf(judge, then(TIMEOUT))).toContain('blind_write_retry');
      const later = [send(1, 0, quill({ status: 429 })), send(2, 2_000, quill(TIMEOUT)), send(3, 9_000, quill(OK))];
      expect(await checksOf(judge, later)).toContain('blind_write_retry');
    },
  },
  {
    id: 'Q9',
    says: 'both forms of Retry-After are read, and compared with the two-minute deadline',
    holds: async (judge) => {
      const asked = async (retryAfter: string) =>
        (await verdictOf(judge, quill({ ...READ, status: 429, retryAfter }))).wait;
      expect((await asked('Mon, 02 Mar 2026 10:00:30 GMT')).form).toBe('imf-fixdate');
      expect((await asked('0')).delayMs).toBe(0);
      expect((await asked('2.9')).delayMs).toBe(2_900);
      const day = send(1, 0, quill({ ...READ, status: 429, retryAfter: '86400' }));
      const gaveUp = await operationOf(judge, [day]);
      expect(gaveUp.pairs).toMatchObject([{ compliance: 'gave_up_wait_too_long' }]);
      const slept = [day, send(2, 86_400_100, quill({ ...READ, ...OK }))];
      expect(await checksOf(judge, slept)).toContain('wait_past_deadline');
    },
  },
  {
    id: 'Q10',
    says: 'a send that started after the deadline and an overshoot are two measures',
    holds: async (judge) => {
      const failed = quill({ ...READ, status: 503 });
      const ends = (startedAfter: number, endedAfter: number) => [
        send(1, 0, failed),
        { ...send(2, startedAfter, failed), endedAt: send(1, endedAfter).startedAt },
      ];
      const late = (await operationOf(judge, ends(121_000, 130_000))).findings;
      expect(late.find(({ check }) => check === 'past_deadline')?.evidence).toMatchObject({
        lateMs: 1_000,
        overshootMs: 10_000,
      });
      expect(await checksOf(judge, ends(119_000, 130_000))).not.toContain('past_deadline');
    },
  },
  {
    id: 'Q11',
    says: 'an AbortError goes by who aborted: the caller, a deadline, or one try’s own timer',
    holds: async (judge) => {
      const error = { name: 'AbortError', code: 20 };
      const state = async (abortBy: string) =>
        (await operationOf(judge, [send(1, 0, quill({ ...READ, error, abortBy }))])).state;
      expect(await state('user')).toBe('cancelled');
      expect(await state('deadline')).toBe('failed');
      expect(await state('per_try')).toBe('failed');
    },
  },
  {
    id: 'Q12',
    says: 'one key for two requests is found, within an operation and between two',
    holds: async (judge) => {
      const keyed = (n: number, fingerprint: string, operationId = 'op') => ({
        ...send(n, n * 1_000, quill({ status: 201, idempotency: { key: 'k' }, fingerprint })),
        operationId,
      });
      expect(await checksOf(judge, [keyed(1, 'a'), keyed(2, 'b')])).toContain('key_reused');
      expect(await checksOf(judge, [keyed(1, 'a', 'first'), keyed(2, 'b')])).toContain('key_reused');
      expect(await checksOf(judge, [keyed(1, 'a', 'first'), keyed(2, 'a')])).not.toContain('key_reused');
    },
  },
  {
    id: 'Q13',
    says: 'a listing proves absence only back beyond the first send and after the settle time',
    holds: async (judge) => {
      const state = async (...facts: Wire[]) =>
        (await operationOf(judge, [send(1, 0, quill(TIMEOUT)), ...facts])).state;
      const first = send(1, 0).startedAt as number;
      expect(await state(listing(70_000))).toBe('unresolved');
      expect(await state(listing(70_000, { oldestSeen: first }))).toBe('unresolved');
      expect(await state(listing(70_000, { oldestSeen: first - 1 }))).toBe('failed');
      expect(await state(listing(70_000, { exhausted: true }))).toBe('failed');
      expect(await state(listing(30_000, { exhausted: true }))).toBe('unresolved');
    },
  },
  {
    id: 'Q14',
    says: 'a look before the first send is harmless and counts for nothing',
    holds: async (judge) => {
      const early = listing(-60_000, { exhausted: true });
      const events = [early, send(1, 0, quill(TIMEOUT)), send(2, 9_000, quill({ status: 201 }))];
      expect(await operationOf(judge, events.slice(0, 2), MONTH)).toMatchObject({ state: 'unresolved' });
      expect(await checksOf(judge, events)).toContain('blind_write_retry');
    },
  },
  {
    id: 'Q15',
    says: 'all 5xx follow the table; 501, 505 and 511 are tagged as unlikely to pass by themselves',
    holds: async (judge) => {
      for (const status of [500, 501, 502, 503, 504, 505, 511, 520]) {
        const got = await verdictOf(judge, quill({ ...READ, status }));
        const unlikely = [501, 505, 511].includes(status);
        expect(got.action).toBe('retry_with_limit');
        expect(got.flags, String(status)).toEqual(unlikely ? ['unlikely_transient'] : []);
      }
    },
  },
  {
    id: 'Q18',
    says: 'a blind repeat makes a second job; money is at stake only when both complete',
    holds: async (judge) => {
      const made = [send(1, 0, quill({ status: 201, jobId: 'j' })), send(2, 9_000, quill({ status: 201, jobId: 'k' }))];
      const found = async (...ends: Wire[]) =>
        (await operationOf(judge, [...made, ...ends])).findings.filter(({ check }) => check === 'duplicate_suspected');
      const both = await found(job(60_000, 'j', 'completed'), job(61_000, 'k', 'completed'));
      expect(both).toMatchObject([{ severity: 'critical' }]);
      expect(both[0]?.evidence).toMatchObject({ moneyAtStake: true });
      expect(await found(job(60_000, 'j', 'completed'), job(61_000, 'k', 'failed'))).toEqual([]);
      const open = await found(job(60_000, 'j', 'completed'));
      expect(open).toMatchObject([{ severity: 'high', evidence: { level: 'confirmed', moneyAtStake: false } }]);
    },
  },
];
