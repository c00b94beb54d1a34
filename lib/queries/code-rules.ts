import { readFacts } from '../../db/queries/settle';
import { classify, ruleSetOf } from '../core/classify';
import { pinRuleSets } from '../core/rules/index';
import type { QueryContext } from './views';

/** A row of a rule set that judged at least one attempt with the code. */
export interface AppliedRuleView {
  /** `profile@edition`. */
  ruleSet: string;
  rule: string;
  /** Attempts of the operations looked at that it judged. */
  attempts: number;
}

/**
 * Which rules really decided attempts with this code, judged again from the stored attempts of some operations:
 * one code can be decided by several rows (a key the server enforces, a bare status), so a table alone can't tell.
 */
export async function listAppliedRules(
  ctx: QueryContext,
  code: string,
  operationIds: readonly string[],
): Promise<AppliedRuleView[]> {
  if (operationIds.length === 0) return [];
  const stored = await readFacts(ctx.db.sql, ctx.project.id, [...operationIds]);
  const pinned = pinRuleSets(ctx.project.ruleSets);
  const found = new Map<string, AppliedRuleView>();
  for (const fact of [...stored.facts.values()].flat()) {
    if (fact.type !== 'attempt') continue;
    const verdict = classify(fact, ruleSetOf(fact, ctx.project.profiles, pinned));
    if (verdict.code !== code) continue;
    const key = `${verdict.ruleSet} ${verdict.rule}`;
    const known = found.get(key) ?? { ruleSet: verdict.ruleSet, rule: verdict.rule, attempts: 0 };
    found.set(key, { ...known, attempts: known.attempts + 1 });
  }
  return [...found.values()].sort((a, b) => b.attempts - a.attempts || (a.rule < b.rule ? -1 : 1));
}
