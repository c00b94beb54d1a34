import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Attempt, Fact } from '@/lib/core/attempt';
import { classify } from '@/lib/core/classify';
import { explainVerdict } from '@/lib/core/explain';
import { expandItems } from '@/lib/core/expand-items';
import { foldOperation } from '@/lib/core/fold';
import { normaliseNetworkError } from '@/lib/core/network-error';
import { COMPLIANCES, OPERATION_STATES, type ResolutionFact } from '@/lib/core/operation';
import { currentRuleSet, listRuleSets } from '@/lib/core/rules/index';
import { ACTIONS, EFFECTS, FLAGS, GATES, PHASES, REACHED, WAIT_SOURCES } from '@/lib/core/verdict';
import { anyFact, attemptFact, denseFacts, errorNode } from './support/arbitrary';
import { attempt, fact, foldContext, T0 } from './support/event';

/** Two cores are shared by the whole suite. */
const SLOW_MS = 60_000;

const ruleSet = fc.constantFrom(...listRuleSets());
const asOf = fc.integer({ min: 0, max: 2 * 86_400_000 }).map((at) => T0 + at);
const fold = (facts: Fact[], at: number, resolution?: ResolutionFact) =>
  foldOperation({ operationId: 'op', facts, resolution }, foldContext({ asOf: at }));

/** What V17 lets settle a doubt without a key: a unique look, a job's end, ids, an executed first DELETE. */
function isProof(fact: Fact): boolean {
  switch (fact.type) {
    case 'attempt':
      return fact.outcome === 'async_failed' || typeof fact.firstStatus === 'number';
    case 'readback':
      return fact.criterion === 'unique' && fact.result !== 'inconclusive';
    case 'closed':
      return fact.result === 'done' && (fact.entityIds?.length ?? 0) > 0;
    case 'job_result':
      return true;
    case 'attempt_started':
    case 'auth_refresh':
    case 'cause_fixed':
    case 'webhook_delivery':
    case 'tally':
      return false;
  }
}

describe('classify', { timeout: SLOW_MS }, () => {
  it('is total: some verdict of known words for every attempt and edition', () => {
    fc.assert(
      fc.property(attemptFact, ruleSet, (event, rules) => {
        const verdict = classify(event, rules);
        expect(ACTIONS).toContain(verdict.action);
        expect(REACHED).toContain(verdict.reached);
        expect(EFFECTS).toContain(verdict.effect);
        expect(PHASES).toContain(verdict.phase);
        expect(WAIT_SOURCES).toContain(verdict.wait.source);
        expect(verdict.gates).toEqual(GATES.filter((gate) => verdict.gates.includes(gate)));
        for (const flag of verdict.flags) expect(FLAGS).toContain(flag);
        expect(verdict.code.trim()).not.toBe('');
        expect(verdict.ruleSet).toBe(rules.name);
        expect(explainVerdict(verdict, event, 'ru').now).not.toMatch(/[{}]|undefined|NaN/);
      }),
      { numRuns: 800 },
    );
  });

  it('never throws on what only looks like an attempt', () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 4 }), ruleSet, (junk, rules) => {
        const event = { ...attempt(), error: junk, headers: { 'retry-after-ms': 'x' } } as unknown as Attempt;
        expect(ACTIONS).toContain(classify(event, rules).action);
      }),
    );
  });

  it('never lets a doubtful write go without a look, a limit or a stop', () => {
    fc.assert(
      fc.property(attemptFact, ruleSet, (event, rules) => {
        const verdict = classify({ ...event, kind: 'write' }, rules);
        if (verdict.effect !== 'possible') return;
        expect(verdict.unknownOutcome).toBe(true);
        expect(verdict.action).not.toBe('none');
        // Only a method or a server key makes a doubtful write repeatable, and only under plain HTTP or REST 3.0.
        if (verdict.action === 'retry_with_limit') expect(['http', 'bitrix_rest']).toContain(rules.profile);
      }),
      { numRuns: 500 },
    );
  });

  it('takes any missing or unknown kind for a write unless the profile says otherwise', () => {
    fc.assert(
      fc.property(attemptFact, fc.string(), (event, word) => {
        fc.pre(word.trim().toLowerCase() !== 'read');
        const odd = { ...event, kind: word } as unknown as Attempt;
        for (const rules of listRuleSets()) {
          expect(classify(odd, rules)).toEqual(classify({ ...event, kind: 'write' }, rules));
        }
      }),
    );
  });
});

describe('normaliseNetworkError', () => {
  it('ends on every shape, cycles and floods included', () => {
    fc.assert(fc.property(errorNode, (node) => void normaliseNetworkError(node)));
    const cycle: { name: string; cause?: unknown; errors?: unknown[] } = { name: 'Error' };
    cycle.cause = cycle;
    cycle.errors = Array.from({ length: 1000 }, () => cycle);
    expect(normaliseNetworkError(cycle as never).code).toBeNull();
  });
});

describe('foldOperation', { timeout: SLOW_MS }, () => {
  const facts = fc.array(anyFact, { maxLength: 12 });

  it('gives one result for every order and every repetition of the same facts', () => {
    const shuffled = fc.oneof(facts, denseFacts).chain((list) =>
      fc.record({
        list: fc.constant(list),
        again: fc.shuffledSubarray([...list, ...list], { minLength: 0 }).map((part) => part),
        order: fc.shuffledSubarray(list, { minLength: list.length }),
      }),
    );
    fc.assert(
      fc.property(shuffled, asOf, ({ list, again, order }, at) => {
        expect(fold([...order, ...again], at)).toEqual(fold(list, at));
      }),
      { numRuns: 400 },
    );
  });

  it('is total and gives a pair for every send', () => {
    fc.assert(
      fc.property(fc.oneof(facts, denseFacts), asOf, (list, at) => {
        const got = fold(list, at);
        expect(OPERATION_STATES).toContain(got.state);
        expect(got.pairs).toHaveLength(got.attempts.length);
        for (const pair of got.pairs) {
          expect(COMPLIANCES).toContain(pair.compliance);
          expect(pair.earlyMs).toBeGreaterThanOrEqual(0);
          expect(pair.overMs).toBeGreaterThanOrEqual(0);
        }
        if (got.changesAt !== null) expect(got.changesAt).toBeGreaterThan(at);
        if (got.state === 'unresolved' && got.over) expect(got.needsReview).toBe(true);
        if (got.kind === 'read') expect(got.possibleEffects).toBe(0);
      }),
      { numRuns: 400 },
    );
  });

  it('changes by time alone only when it said so', () => {
    fc.assert(
      fc.property(fc.oneof(facts, denseFacts), asOf, fc.nat(86_400_000), (list, at, later) => {
        const now = fold(list, at);
        const until = now.changesAt === null ? at + later : Math.min(at + later, now.changesAt - 1);
        fc.pre(until >= at);
        expect(fold(list, until)).toEqual(now);
      }),
      { numRuns: 300 },
    );
  });

  it('never counts fewer effects for one more unkeyed write that may have been applied', () => {
    fc.assert(
      fc.property(fc.oneof(facts, denseFacts), attemptFact, asOf, (list, extra, at) => {
        const more: Attempt = { ...extra, id: 'extra', kind: 'write', idempotency: undefined, jobId: undefined };
        const profile = more.profile ?? 'http';
        fc.pre(classify(more, currentRuleSet(profile)).effect === 'possible');
        // An announcement that this attempt answers is replaced by it, not added to.
        const sent = list.filter((fact) => fact.type !== 'attempt_started');
        expect(fold([...sent, more], at).possibleEffects).toBeGreaterThanOrEqual(fold(sent, at).possibleEffects);
      }),
      { numRuns: 1_500 },
    );
  });

  it('never turns an unknown into something known without a proof', () => {
    const doubt = attempt({ id: 'doubt', kind: 'write', profile: 'vibecode', status: 504, code: 'BITRIX_TIMEOUT' });
    fc.assert(
      fc.property(fc.oneof(facts, denseFacts), asOf, (list, at) => {
        const unproven = list.filter((fact) => !isProof(fact));
        const got = fold([doubt, ...unproven], at);
        expect(['unresolved', 'succeeded_with_possible_duplicates', 'partially_applied']).toContain(got.state);
        expect(got.doubt).toMatchObject({ settledBy: null });
        expect(got.doubt?.attemptEventIds).toContain('doubt');
        expect(got.possibleEffects).toBeGreaterThanOrEqual(1);
        expect(got.needsReview).toBe(true);
      }),
      { numRuns: 1_500 },
    );
  });

  it('a proof settles it whatever else is said', () => {
    const doubt = attempt({ id: 'doubt', kind: 'write', profile: 'vibecode', status: 504, code: 'BITRIX_TIMEOUT' });
    const present = fact({
      type: 'readback',
      startedAt: T0 + 2 * 3_600_000,
      endedAt: T0 + 2 * 3_600_000,
      result: 'present',
      criterion: 'unique',
    });
    fc.assert(
      fc.property(facts, (list) => {
        const got = fold([doubt, present, ...list], T0 + 3 * 86_400_000);
        expect(got.doubt?.settledBy).not.toBeNull();
        expect(got.state).not.toBe('unresolved');
      }),
    );
  });
});

describe('expandItems', () => {
  it('is total and keeps one attempt per item', () => {
    const item = fc.record(
      {
        item: fc.string(),
        status: fc.constantFrom(200, 400, 429),
        code: fc.constantFrom('X', ''),
        notRun: fc.boolean(),
      },
      { requiredKeys: ['item'] },
    );
    fc.assert(
      fc.property(attemptFact, fc.array(item, { maxLength: 5 }), (event, items) => {
        const got = expandItems(event, items, ({ item: name }) => `${event.id}#${name}`);
        expect(got.length).toBeGreaterThanOrEqual(Math.max(1, items.length));
      }),
    );
  });
});
