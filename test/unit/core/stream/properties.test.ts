import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Attempt, Fact } from '@/lib/core/attempt';
import { classify } from '@/lib/core/classify';
import { explainFinding } from '@/lib/core/explain-finding';
import { toStreamFacts, toStreamSends } from '@/lib/core/checks/stream/build-stream';
import { findInStream, STREAM_CHECKS } from '@/lib/core/checks/stream/index';
import type { StreamInput, StreamSend } from '@/lib/core/checks/stream/stream';
import { DEFAULT_SETTINGS } from '@/lib/core/operation';
import { currentRuleSet } from '@/lib/core/rules/index';
import { attemptFact } from '../support/arbitrary';
import { T0 } from '../support/event';

/** Whatever is reported: no check across operations throws, and the order of what it is given says nothing. */

const place = fc.record(
  {
    operationId: fc.constantFrom('a', 'b', 'c', 'd'),
    parentOperationId: fc.constantFrom('a', 'b', 'c', undefined),
    scope: fc.constantFrom('portal', undefined),
    target: fc.constantFrom('host', undefined),
    credential: fc.constantFrom('cred', undefined),
    warning: fc.constantFrom('again', undefined),
  },
  { requiredKeys: ['operationId'] },
);

const sends = fc
  .array(fc.tuple(attemptFact, place), { maxLength: 25 })
  .map((rows) => rows.map(([attempt, where], at): Attempt => ({ ...attempt, ...where, id: `send-${at}` })));

const other = fc.record({
  type: fc.constantFrom('auth_refresh', 'cause_fixed', 'webhook_delivery', 'job_result'),
  at: fc.nat(3_600_000),
  ok: fc.boolean(),
  status: fc.constantFrom(200, 500),
  jobId: fc.constantFrom('j1', 'j2'),
});

const facts = fc.array(other, { maxLength: 12 }).map((rows) =>
  rows.map(({ type, at, ok, status, jobId }, index) => {
    const common = { id: `fact-${index}`, environment: 'production', startedAt: T0 + at };
    const named = type === 'job_result' || type === 'cause_fixed' ? { operationId: 'a' } : {};
    const result = ok ? 'completed' : 'failed';
    return {
      ...common,
      ...named,
      type,
      ok,
      status,
      jobId,
      result,
      credential: 'cred',
      event: 'done',
    } as unknown as Fact;
  }),
);

function judged(attempts: readonly Attempt[]): StreamSend[] {
  const byOperation = new Map<string, Attempt[]>();
  for (const attempt of attempts) {
    byOperation.set(attempt.operationId, [...(byOperation.get(attempt.operationId) ?? []), attempt]);
  }
  return [...byOperation.values()].flatMap((own) => {
    own.sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1));
    const verdicts = own.map((attempt) => ({
      attempt,
      verdict: classify(attempt, currentRuleSet(attempt.profile ?? 'http')),
      synthetic: false,
    }));
    return toStreamSends(verdicts);
  });
}

const window = { from: T0, to: T0 + 3_600_001 };
const find = (input: Omit<StreamInput, 'window' | 'settings'>) =>
  findInStream({ ...input, window, settings: DEFAULT_SETTINGS });
const asText = (found: ReturnType<typeof find>) => found.map((finding) => JSON.stringify(finding)).sort();

describe('checks across operations, on anything', () => {
  it('never throw, stay inside their window, and explain what they find', () => {
    fc.assert(
      fc.property(sends, facts, (attempts, told) => {
        for (const finding of find({ sends: judged(attempts), facts: toStreamFacts(told) })) {
          expect(STREAM_CHECKS.map(({ check }) => check)).toContain(finding.check);
          expect(finding.at).toBeGreaterThanOrEqual(window.from);
          expect(finding.at).toBeLessThan(window.to);
          for (const lang of ['en', 'ru'] as const) {
            const said = explainFinding(finding, lang);
            expect(`${said?.what} ${said?.now}`).not.toMatch(/[{}]|undefined|NaN/);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('give the same for every order and repetition of sends and facts', () => {
    const shuffled = fc.tuple(sends, facts).chain(([attempts, told]) =>
      fc.record({
        one: fc.constant({ sends: judged(attempts), facts: toStreamFacts(told) }),
        order: fc.shuffledSubarray(judged(attempts), { minLength: attempts.length }),
        told: fc.shuffledSubarray([...told, ...told], { minLength: told.length * 2 }),
      }),
    );
    fc.assert(
      fc.property(shuffled, ({ one, order, told }) => {
        expect(asText(find({ sends: order, facts: toStreamFacts(told) }))).toEqual(asText(find(one)));
      }),
      { numRuns: 300 },
    );
  });
});
