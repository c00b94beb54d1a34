import { describe, expect, it } from 'vitest';
import type { BatchItem, Fact } from '@/lib/core/attempt';
import { findAcrossOperations } from '@/lib/core/checks/across';
import { classify } from '@/lib/core/classify';
import { expandItems } from '@/lib/core/expand-items';
import { foldOperation } from '@/lib/core/fold';
import type { OperationConclusion } from '@/lib/core/operation';
import { findRuleSet } from '@/lib/core/rules/index';
import type { Wait } from '@/lib/core/verdict';
import cases from '../../cases/data/public-bugs.json';
import { attempt, foldContext, fromWire } from './support/event';

/**
 * cases/public-bugs.json, each by its id. Read, not asserted: `advisory`, `context`, `note`, `reason`.
 * Cases of OTLP belong to their own issue.
 */

interface Expected {
  retryAfter?: Record<string, unknown>;
  perAttempt?: { attempt: number; action?: string; code?: string; phase?: string }[];
  perOperation?: { operationId?: string; action: string }[];
  perGap?: { from: number; askedMs?: number; gapMs?: number; compliance: string }[];
  operation?: { state?: string; possibleEffects?: number };
  compliance?: string;
  earlyByMs?: number;
  excessWaitMs?: number;
  skewMs?: number;
  flags?: string[];
  flagsAbsent?: string[];
  http?: unknown;
}

interface Case {
  id: string;
  events?: Record<string, unknown>[];
  context?: { values?: unknown; receivedAt?: string; source?: string };
  expected: Expected;
}

function foldAll(events: Record<string, unknown>[]): OperationConclusion[] {
  const facts = events.flatMap((event, index): Fact[] => {
    const { items, ...rest } = event as { items?: BatchItem[] };
    const fact = fromWire(rest, index);
    if (!items || fact.type !== 'attempt') return [fact];
    return expandItems(fact, items, ({ item }) => `${fact.id}#${item}`);
  });
  const ids = [...new Set(facts.map((fact) => ('operationId' in fact ? (fact.operationId ?? '') : '')))];
  return ids.map((operationId) =>
    foldOperation(
      { operationId, facts: facts.filter((fact) => 'operationId' in fact && fact.operationId === operationId) },
      foldContext(),
    ),
  );
}

const reading = ({ form, delayMs, conformant, issues, skewMs }: Wait) => ({
  form,
  delayMs,
  conformant,
  issues,
  skewMs,
});

function readValue(value: string, receivedAt: string): Wait {
  const ruleSet = findRuleSet('http');
  if (!ruleSet) throw new Error('no http rule set');
  const at = Date.parse(receivedAt);
  return classify(attempt({ kind: 'read', status: 429, endedAt: at, retryAfter: [value] }), ruleSet).wait;
}

function assertValues(row: Case, values: string[], receivedAt: string) {
  const expected = row.expected.retryAfter ?? {};
  for (const value of values) {
    const want = 'form' in expected ? expected : expected[value];
    if (want) expect(reading(readValue(value, receivedAt)), value).toEqual(want);
  }
}

function assertOperations(expected: Expected, operations: OperationConclusion[]) {
  const [first] = operations;
  const main = operations.at(-1);
  const judged = operations.length > 1 && expected.perAttempt ? main : first;
  for (const want of expected.perAttempt ?? []) {
    const got = judged?.attempts.find(({ attempt: { attempt: number } }) => number === want.attempt)?.verdict;
    expect(got).toMatchObject(
      Object.fromEntries(Object.entries(want).filter(([key]) => ['action', 'code', 'phase'].includes(key))),
    );
  }
  expected.perOperation?.forEach((want, index) => {
    const got = want.operationId
      ? operations.find(({ operationId }) => operationId === want.operationId)
      : operations[index];
    expect(got?.attempts[0]?.verdict.action).toBe(want.action);
  });
  if (expected.operation) expect(first).toMatchObject(pick(expected.operation));
}

const pick = (want: { state?: string; possibleEffects?: number }) =>
  Object.fromEntries(Object.entries(want).filter(([key]) => key === 'state' || key === 'possibleEffects'));

function assertPairs(expected: Expected, first: OperationConclusion | undefined) {
  const [pair] = first?.pairs ?? [];
  if (expected.compliance) expect(pair?.compliance).toBe(expected.compliance);
  if (expected.earlyByMs !== undefined) expect(pair?.earlyMs).toBe(expected.earlyByMs);
  if (expected.excessWaitMs !== undefined) expect(pair?.overMs).toBe(expected.excessWaitMs);
  if (expected.skewMs !== undefined) expect(first?.attempts[0]?.verdict.wait.skewMs).toBe(expected.skewMs);
  for (const want of expected.perGap ?? []) {
    const got = first?.pairs.find(({ attempt: number }) => number === want.from);
    expect(got?.compliance).toBe(want.compliance);
    if (want.askedMs !== undefined) expect(got?.askedMs).toBe(want.askedMs);
  }
}

function assertFlags(expected: Expected, operations: OperationConclusion[]) {
  const across = [...findAcrossOperations(operations).values()].flat().map(({ check }) => check);
  const found = new Set([
    ...across,
    ...operations.flatMap(({ attempts, findings }) => [
      ...attempts.flatMap(({ verdict }) => verdict.flags as string[]),
      ...findings.map(({ check }) => check),
    ]),
  ]);
  expect([...found]).toEqual(expect.arrayContaining(expected.flags ?? []));
  for (const flag of expected.flagsAbsent ?? []) expect([...found]).not.toContain(flag);
}

describe('public bugs', () => {
  for (const row of cases as unknown as Case[]) {
    const { expected, context } = row;
    const events = row.events ?? [];
    const values = context?.values;
    const receivedAt = context?.receivedAt;
    // Bodies and spans of OTLP have no events of ours.
    if (expected.http || context?.source === 'otlp') continue;
    it(row.id, () => {
      if (Array.isArray(values) && receivedAt) assertValues(row, values as string[], receivedAt);
      if (events.length === 0) return;
      const operations = foldAll(events);
      const [first] = operations;
      if (expected.retryAfter && 'form' in expected.retryAfter) {
        const wait = first?.attempts[0]?.verdict.wait;
        expect(wait && reading(wait)).toMatchObject(expected.retryAfter);
      }
      assertOperations(expected, operations);
      assertPairs(expected, first);
      assertFlags(expected, operations);
    });
  }
});
