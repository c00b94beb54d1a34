import type { Profile } from '../core/attempt';
import { currentRuleSet, findRuleSet } from '../core/rules';
import type { RuleRow, RuleSet } from '../core/rules/rule';

/** A row to show for a code, with the set it belongs to. */
export interface ShownRule {
  ruleSet: RuleSet;
  row: RuleRow;
}

function rowsByCode(ruleSet: RuleSet, code: string): RuleRow[] {
  const status = /^HTTP_(\d{3})$/.exec(code)?.[1];
  const exact = ruleSet.rows.filter((row) => row.match.codes?.includes(code));
  if (exact.length > 0) return exact;
  if (status === undefined) return [];
  const number = Number(status);
  const byStatus = ruleSet.rows.find(
    (row) =>
      row.stage === 'status' && row.match.statuses?.some(([from, to]) => number >= from && number <= to) === true,
  );
  return byStatus ? [byStatus] : [];
}

/**
 * The rules to show for one code: those that really judged it, else what the tables of its profiles say of it, else
 * each profile's default row.
 */
export function findRulesOfCode(
  code: string,
  applied: readonly { ruleSet: string; rule: string }[],
  profiles: readonly Profile[],
): ShownRule[] {
  const seen = applied.flatMap(({ ruleSet: name, rule }) => {
    const ruleSet = findRuleSet(name);
    return ruleSet ? ruleSet.rows.filter((row) => row.id === rule).map((row) => ({ ruleSet, row })) : [];
  });
  if (seen.length > 0) return seen;
  return profiles.flatMap((profile) => {
    const ruleSet = currentRuleSet(profile);
    const rows = rowsByCode(ruleSet, code);
    const shown = rows.length > 0 ? rows : ruleSet.rows.filter((row) => row.stage === 'default');
    return shown.map((row) => ({ ruleSet, row }));
  });
}
