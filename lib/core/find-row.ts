import type { NetworkFault, RuleMatch, RuleRow, RuleSet, RuleStage } from './rules/rule';
import type { Signal } from './signal';

interface RowIndex {
  success: RuleRow[];
  byCode: Map<string, RuleRow[]>;
  contains: RuleRow[];
  scenario: RuleRow[];
  status: RuleRow[];
  network: Map<NetworkFault, RuleRow>;
  fallback: RuleRow;
  codes: Set<string>;
}

const indexes = new WeakMap<RuleSet, RowIndex>();

/** ASCII letters alone: Unicode would make `ß` two letters and `ſ` an S, and a foreign word one of the platform's codes. */
function toUpperAscii(code: string): string {
  return code.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

function foldCode(ruleSet: RuleSet, code: string): string {
  return ruleSet.codeCase === 'ignored' ? toUpperAscii(code) : code;
}

function indexCodes(ruleSet: RuleSet, rows: readonly RuleRow[]): Map<string, RuleRow[]> {
  const byCode = new Map<string, RuleRow[]>();
  for (const row of rows) {
    for (const code of row.match.codes ?? []) {
      const key = foldCode(ruleSet, code);
      byCode.set(key, [...(byCode.get(key) ?? []), row]);
    }
  }
  return byCode;
}

function indexOf(ruleSet: RuleSet): RowIndex {
  const known = indexes.get(ruleSet);
  if (known) return known;
  const of = (stage: RuleStage) => ruleSet.rows.filter((row) => row.stage === stage);
  const network = new Map<NetworkFault, RuleRow>();
  for (const row of of('network')) for (const fault of row.match.faults ?? []) network.set(fault, row);
  const byCode = indexCodes(ruleSet, of('code'));
  const index: RowIndex = {
    success: of('success'),
    byCode,
    contains: of('code').filter((row) => row.match.codesContain !== undefined),
    scenario: of('scenario'),
    status: of('status'),
    network,
    fallback: of('default')[0] ?? ruleSet.rows[0],
    codes: new Set(byCode.keys()),
  };
  indexes.set(ruleSet, index);
  return index;
}

/** A status rule speaks only for a head that is the whole story: a cut or unreadable 2xx is the network's (H6). */
function statusMatches(match: RuleMatch, status: number | null): boolean {
  if (!match.statuses) return true;
  return status !== null && match.statuses.some(([from, to]) => status >= from && status <= to);
}

function matches(match: RuleMatch, signal: Signal): boolean {
  if (!statusMatches(match, signal.status)) return false;
  if (match.outcomes && !match.outcomes.includes(signal.outcome)) return false;
  if (match.sign && !signal.signs.includes(match.sign)) return false;
  // A fault explains only what no status explains.
  if (match.faults && !((signal.status === null || signal.truncated) && match.faults.includes(signal.fault)))
    return false;
  return true;
}

function findByCode(signal: Signal, ruleSet: RuleSet, index: RowIndex): RuleRow | null {
  if (signal.code === null || ruleSet.codeCase === 'open') return null;
  const rows = index.byCode.get(foldCode(ruleSet, signal.code));
  const exact = rows?.find((row) => !row.match.sign || signal.signs.includes(row.match.sign));
  if (exact) return exact;
  const upper = toUpperAscii(signal.code);
  return index.contains.find((row) => row.match.codesContain?.some((part) => upper.includes(part))) ?? null;
}

/** Which row of a rule set speaks for a signal, in the order of domain.md §6. */
export function findRow(signal: Signal, ruleSet: RuleSet): RuleRow {
  const index = indexOf(ruleSet);
  if (signal.signs.includes('whole_success') && !signal.signs.includes('not_run')) {
    const success = index.success[0];
    if (success) return success;
  }
  const coded = findByCode(signal, ruleSet, index);
  if (coded) return coded;
  const scenario = index.scenario.find((row) => matches(row.match, signal));
  if (scenario) return scenario;
  if (signal.status !== null && !signal.head2xx) {
    const status = index.status.find((row) => matches(row.match, signal));
    if (status) return status;
  }
  if (signal.status === null || signal.truncated) {
    const network = index.network.get(signal.fault);
    if (network) return network;
  }
  return index.fallback;
}

/** Same code but for letter case, spaces or dashes: a malformed report, not a new code (V15). */
export function isNearMiss(ruleSet: RuleSet, code: string): boolean {
  const shaped = code.trim().toUpperCase().replace(/[\s-]/g, '_');
  return shaped !== code && indexOf(ruleSet).codes.has(shaped);
}
