import { RULE_STAGES, type RuleRow, type RuleSet, type RuleStage } from '../core/rules/rule';

/** Two editions of rules beside each other: only what leads, or may lead, to another judgement. */

export const RULE_PARTS = ['condition', 'match', 'reached', 'read', 'write', 'wait'] as const;
export type RulePart = (typeof RULE_PARTS)[number];

export const EDITION_FACTS = ['codeCase', 'keyMode', 'keyLife', 'methodsReplayable', 'otherCodes', 'order'] as const;
export type EditionFact = (typeof EDITION_FACTS)[number];

export interface RowDifference {
  id: string;
  stage: RuleStage;
  /** null: this edition has no such row. */
  left: RuleRow | null;
  right: RuleRow | null;
  /** Parts that differ; empty when only one edition has the row. */
  parts: RulePart[];
}

export interface EditionDifference {
  /** In the order in which rows are tried. */
  rows: RowDifference[];
  facts: EditionFact[];
  /** Rows that say the same in both, wherever their source puts it. */
  same: number;
}

/** Equal whatever the order of an object's keys. */
function equal(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.entries(a).filter(([, value]) => value !== undefined);
  const right = new Map(Object.entries(b).filter(([, value]) => value !== undefined));
  return left.length === right.size && left.every(([key, value]) => right.has(key) && equal(value, right.get(key)));
}

type Pairing = [RuleRow | null, RuleRow | null];

/** Rows of one id that belong together: the same match first, then the same stage, then whatever is left. */
function pairRows(left: readonly RuleRow[], right: readonly RuleRow[]): Pairing[] {
  const free = new Set(right);
  const pairs = new Map<RuleRow, RuleRow>();
  const fits: ((a: RuleRow, b: RuleRow) => boolean)[] = [
    (a, b) => a.stage === b.stage && equal(a.match, b.match),
    (a, b) => a.stage === b.stage,
  ];
  for (const fit of fits) {
    for (const row of left.filter((one) => !pairs.has(one))) {
      const partner = [...free].find((other) => fit(row, other));
      if (!partner) continue;
      pairs.set(row, partner);
      free.delete(partner);
    }
  }
  return [
    ...left.map((row): Pairing => [row, pairs.get(row) ?? null]),
    ...[...free].map((row): Pairing => [null, row]),
  ];
}

function partsOf(part: RulePart, row: RuleRow): unknown {
  switch (part) {
    case 'reached':
      return [row.reached, row.hop];
    case 'write':
      return [row.write, row.replayable];
    case 'wait':
      return [row.wait, row.waitMsMin, row.retriesMax];
    default:
      return row[part];
  }
}

function factOf(fact: EditionFact, set: RuleSet, shared: ReadonlySet<RuleRow>): unknown {
  switch (fact) {
    case 'keyLife':
      return set.keyLifeMs;
    case 'otherCodes':
      return [...set.otherCodes].sort();
    case 'methodsReplayable':
      return [...set.methodsReplayable].sort();
    case 'order':
      return set.rows.filter((row) => shared.has(row)).map((row) => `${row.stage} ${row.id}`);
    default:
      return set[fact];
  }
}

function groupById(rows: readonly RuleRow[]): Map<string, RuleRow[]> {
  const groups = new Map<string, RuleRow[]>();
  for (const row of rows) groups.set(row.id, [...(groups.get(row.id) ?? []), row]);
  return groups;
}

/**
 * What two editions say differently. Where a row stands in its source is no difference: it changes no verdict.
 * The order of rows counts, because the first that fits decides.
 */
export function compareRuleSets(left: RuleSet, right: RuleSet): EditionDifference {
  const [before, after] = [groupById(left.rows), groupById(right.rows)];
  const ids = [...new Set([...before.keys(), ...after.keys()])];
  const pairs = ids.flatMap((id) => pairRows(before.get(id) ?? [], after.get(id) ?? []));
  const shared = new Set(pairs.flatMap(([a, b]) => (a && b ? [a, b] : [])));
  const rows = pairs.flatMap(([a, b]): RowDifference[] => {
    const any = a ?? b;
    if (!any) return [];
    const parts = a && b ? RULE_PARTS.filter((part) => !equal(partsOf(part, a), partsOf(part, b))) : [];
    return a && b && parts.length === 0 ? [] : [{ id: any.id, stage: any.stage, left: a, right: b, parts }];
  });
  const place = ({ stage, left: a, right: b }: RowDifference): number => {
    const at = a ? left.rows.indexOf(a) : b ? right.rows.indexOf(b) : 0;
    return RULE_STAGES.indexOf(stage) * 10_000 + at;
  };
  return {
    rows: rows.sort((a, b) => place(a) - place(b)),
    facts: EDITION_FACTS.filter((fact) => !equal(factOf(fact, left, shared), factOf(fact, right, shared))),
    same: pairs.filter(([a, b]) => a && b).length - rows.filter((row) => row.left && row.right).length,
  };
}

/** Editions another one can be compared with, those of its own family first. */
export function listComparable(shown: RuleSet, all: readonly RuleSet[]): RuleSet[] {
  const others = all.filter((set) => set.name !== shown.name);
  return [
    ...others.filter((set) => set.profile === shown.profile),
    ...others.filter((set) => set.profile !== shown.profile),
  ];
}
