import { expect } from 'vitest';
import type { Attempt, Fact } from '@/lib/core/attempt';
import { CHECK_NAMES } from '@/lib/core/checks/check-name';
import { findAcrossOperations } from '@/lib/core/checks/across';
import { foldOperation, type FoldContext } from '@/lib/core/fold';
import { findUsesElsewhere, keyUsesOf } from '@/lib/core/key-use';
import { DEFAULT_SETTINGS, type Finding, type Settings } from '@/lib/core/operation';
import { attempt, fold, foldContext, T0 } from './event';

/** Facts of any number of operations → all findings, as evaluation gives them. */
export function findAll(facts: Fact[], fields: Partial<FoldContext> = {}): (Finding & { of: string })[] {
  const context = foldContext(fields);
  const ids = [...new Set(facts.flatMap((fact) => ('operationId' in fact ? (fact.operationId ?? []) : [])))];
  const loose = facts.filter((fact) => !('operationId' in fact) || fact.operationId === undefined);
  const usesElsewhere = findUsesElsewhere(keyUsesOf(facts));
  const conclusions = ids.map((operationId) => {
    const own = facts.filter((fact) => 'operationId' in fact && fact.operationId === operationId);
    return foldOperation({ operationId, facts: [...own, ...loose], elsewhere: usesElsewhere(operationId) }, context);
  });
  const across = findAcrossOperations(conclusions, facts, context.settings);
  return [
    ...conclusions.flatMap(({ operationId, findings }) => findings.map((finding) => ({ ...finding, of: operationId }))),
    ...[...across].flatMap(([operationId, findings]) => findings.map((finding) => ({ ...finding, of: operationId }))),
  ];
}

const NAMES: ReadonlySet<string> = new Set(CHECK_NAMES);

/** What one check found in operation `op`. Whatever else was found is a finding of some check too. */
export function findingsOf(check: string, facts: Fact[], settings: Partial<Settings> = {}): Finding[] {
  const { findings } = fold(facts, { settings: { ...DEFAULT_SETTINGS, ...settings } });
  expect(findings.filter((finding) => !NAMES.has(finding.check))).toEqual([]);
  return findings.filter((finding) => finding.check === check);
}

/** One try: starts `at` ms after T0, takes 100 ms; a POST write of operation `op` unless told otherwise. */
export function send(number: number, at: number, fields: Partial<Attempt> = {}): Attempt {
  const startedAt = T0 + at;
  return attempt({ attempt: number, kind: 'write', method: 'POST', startedAt, endedAt: startedAt + 100, ...fields });
}

export function read(number: number, at: number, fields: Partial<Attempt> = {}): Attempt {
  return send(number, at, { kind: 'read', method: 'GET', ...fields });
}
