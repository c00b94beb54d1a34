import { OPERATION_STATES, type Finding, type OperationConclusion, type OperationState } from './operation';
import { ACTIONS, type Action } from './verdict';

/** What moves when the same facts are concluded under other rules or tolerances: pure counting. */

/** Sums over operations. A key `from to` joins the two words of a change. */
export interface WhatIfCounts {
  operations: number;
  /** Attempts by action. */
  verdicts: Record<string, number>;
  states: Record<string, number>;
  findings: Record<string, { added: number; removed: number }>;
  pairsChanged: number;
  opened: number;
  closed: number;
  /** Windows of checks across operations that were looked at. */
  windows: number;
}

export function emptyCounts(): WhatIfCounts {
  return { operations: 0, verdicts: {}, states: {}, findings: {}, pairsChanged: 0, opened: 0, closed: 0, windows: 0 };
}

function bump(into: Record<string, number>, from: string | undefined, to: string): void {
  if (from === undefined || from === to) return;
  const key = `${from} ${to}`;
  into[key] = (into[key] ?? 0) + 1;
}

function tell<T extends Finding>(list: readonly T[], keyOf: (finding: T) => string) {
  const found = new Map<string, { check: string; times: number }>();
  for (const finding of list) {
    const key = keyOf(finding);
    const known = found.get(key);
    if (known) known.times += 1;
    else found.set(key, { check: finding.check, times: 1 });
  }
  return found;
}

/** Equal are findings of one check, attempt and severity: their evidence repeats the tolerance that found them. */
function keyOfFinding({ check, attempt, severity }: Finding): string {
  return JSON.stringify([check, attempt ?? null, severity]);
}

/** Adds what was found on one side only. */
export function compareFindings<T extends Finding>(
  counts: WhatIfCounts,
  before: readonly T[],
  after: readonly T[],
  keyOf: (finding: T) => string,
): void {
  const [had, has] = [tell(before, keyOf), tell(after, keyOf)];
  for (const key of new Set([...had.keys(), ...has.keys()])) {
    const check = (had.get(key) ?? has.get(key))?.check ?? '';
    const more = (has.get(key)?.times ?? 0) - (had.get(key)?.times ?? 0);
    if (more === 0) continue;
    const sum = (counts.findings[check] ??= { added: 0, removed: 0 });
    if (more > 0) sum.added += more;
    else sum.removed -= more;
  }
}

/** Adds one operation's two conclusions. Both are of the same facts at the same instant. */
export function compareConclusions(
  counts: WhatIfCounts,
  before: OperationConclusion,
  after: OperationConclusion,
): void {
  counts.operations += 1;
  bump(counts.states, before.state, after.state);
  const actions = new Map(before.attempts.map(({ attempt, verdict }) => [attempt.id, verdict.action]));
  for (const { attempt, verdict } of after.attempts) bump(counts.verdicts, actions.get(attempt.id), verdict.action);
  const waits = new Map(before.pairs.map((pair) => [pair.attemptEventId, pair.compliance]));
  counts.pairsChanged += after.pairs.filter((pair) => waits.get(pair.attemptEventId) !== pair.compliance).length;
  compareFindings(counts, before.findings, after.findings, keyOfFinding);
}

interface Change<Word> {
  from: Word;
  to: Word;
  count: number;
}

/** Changes with their words, most first. */
function listChanges<Word extends string>(sums: Record<string, number>, words: readonly Word[]): Change<Word>[] {
  const changes = Object.entries(sums).flatMap(([key, count]) => {
    const [from, to] = key.split(' ').map((word) => words.find((known) => known === word));
    return from !== undefined && to !== undefined ? [{ from, to, count }] : [];
  });
  return changes.sort((a, b) => b.count - a.count || (`${a.from} ${a.to}` < `${b.from} ${b.to}` ? -1 : 1));
}

/**
 * @param total operations of the range, of which `counts.operations` were looked at
 * @param windowsCut there were more windows of checks across operations
 */
export function sumUp(counts: WhatIfCounts, total: number, windowsCut: boolean) {
  const { operations, opened, closed, pairsChanged, windows } = counts;
  return {
    operations,
    total,
    cut: operations < total || windowsCut,
    windows,
    verdictsChanged: listChanges<Action>(counts.verdicts, ACTIONS),
    findings: Object.entries(counts.findings)
      .map(([check, { added, removed }]) => ({ check, added, removed }))
      .sort((a, b) => b.added + b.removed - a.added - a.removed || (a.check < b.check ? -1 : 1)),
    reviewItems: { opened, closed },
    states: listChanges<OperationState>(counts.states, OPERATION_STATES),
    pairsChanged,
  };
}
