import type { Attempt } from './attempt';
import { findRow, isNearMiss, type RowChoice } from './find-row';
import { resolveProfile, type ProfileContext } from './profile';
import { currentRuleSet } from './rules/index';
import type { RuleCell, RuleGate, RuleRow, RuleSet } from './rules/rule';
import { readSignal, type Signal } from './signal';
import { GATES, type Effect, type Flag, type Gate, type Reached, type Verdict, type Wait } from './verdict';
import { isAsked, readWait } from './wait';

/** One attempt × one rule set → one verdict, in the precedence of domain.md §6. Total: no attempt makes it throw. */

export interface ClassifyOptions {
  /** Clocks further apart than this are flagged, ms. */
  clockSkewFlagMs?: number;
}

const CLOCK_SKEW_FLAG_MS = 60_000;

/** May this write be sent again as it is: by method, or under a key the server enforces (article, X6, X7). */
function isReplayable(signal: Signal, ruleSet: RuleSet): boolean {
  return ruleSet.methodsReplayable.includes(signal.method) || signal.serverKey !== null;
}

function cellOf(row: RuleRow, signal: Signal, ruleSet: RuleSet): RuleCell {
  if (signal.kind === 'read') return row.read;
  return row.replayable && isReplayable(signal, ruleSet) ? row.replayable : row.write;
}

function gateOf(gate: RuleGate, asked: boolean): Gate | null {
  switch (gate) {
    case 'asked_or_backoff':
      return asked ? 'wait' : 'backoff';
    case 'asked_only':
      return asked ? 'wait' : null;
    case 'backoff':
    case 'fix_auth':
    case 'fix_cause':
    case 'read_back':
    case 'human':
      return gate;
  }
}

function gatesOf(cell: RuleCell, asked: boolean): Gate[] {
  const found = new Set(cell.gates.map((gate) => gateOf(gate, asked)));
  return GATES.filter((gate) => found.has(gate));
}

function waitOf(read: Wait, row: RuleRow, cell: RuleCell, gates: readonly Gate[]): Wait {
  const strict = row.wait === 'strict';
  // After a success there is nothing to wait for, whatever the answer carried.
  if (cell.action === 'none') {
    return { ...read, source: 'none', form: null, delayMs: null, conformant: true, issues: [], strict: false };
  }
  if (isAsked(read)) return { ...read, strict };
  return { ...read, source: gates.includes('backoff') ? 'backoff' : 'none', strict };
}

/** The rule's words where a server's status chose the row, else the network's own (contract, `code`). */
function verdictCode(signal: Signal, { row }: RowChoice): string {
  if (signal.code !== null) return signal.code;
  const byStatus =
    row.stage === 'success' || row.stage === 'status' || row.stage === 'default' || row.match.statuses !== undefined;
  const statusSpeaks = signal.status !== null && !signal.truncated && signal.outcome !== 'parse_error';
  if (byStatus && statusSpeaks) return `HTTP_${signal.status}`;
  if (row.id === 'NOT_RUN') return row.id;
  if (row.id === 'ERROR_UNDER_2XX') return `HTTP_${signal.status}`;
  return signal.error?.code ?? signal.error?.name ?? signal.outcome.toUpperCase();
}

function headerFlags(attempt: Attempt, wait: Wait): Flag[] {
  const flags: Flag[] = [];
  const header = (attempt.retryAfter?.length ?? 0) > 0;
  if (wait.source === 'other_header') flags.push('header_nonstandard');
  else if (header) {
    const unusable = wait.source !== 'retry_after' && wait.issues.some((issue) => UNUSABLE_ISSUES.has(issue));
    if (unusable) flags.push('header_malformed');
    if (!wait.conformant) flags.push('header_nonconformant');
    if (wait.issues.includes('epoch_suspected')) flags.push('header_epoch_value');
  }
  return flags;
}

const UNUSABLE_ISSUES: ReadonlySet<string> = new Set(['negative', 'unit_suffix', 'unparseable']);

function codeFlags(signal: Signal, choice: RowChoice, ruleSet: RuleSet): Flag[] {
  const { code } = signal;
  if (ruleSet.codeCase === 'open' || code === null || choice.byCode || choice.row.stage !== 'default') return [];
  return isNearMiss(ruleSet, code) ? ['unknown_code', 'code_malformed'] : ['unknown_code'];
}

const WORTH_REPEATING: ReadonlySet<number> = new Set([408, 425, 429]);

/** V10: the verdict stays, but repeating this unchanged is not healthy. */
function advisesFix(signal: Signal, row: RuleRow, ruleSet: RuleSet): boolean {
  if (ruleSet.codeCase === 'open' || row.stage !== 'default' || signal.kind !== 'read') return false;
  const { status, code } = signal;
  const refused = status !== null && status >= 400 && status <= 499 && !WORTH_REPEATING.has(status);
  return refused || (code !== null && ruleSet.otherCodes.includes(code));
}

function flagsOf(
  attempt: Attempt,
  signal: Signal,
  choice: RowChoice,
  ruleSet: RuleSet,
  wait: Wait,
  skewFlagMs: number,
): Flag[] {
  const { row } = choice;
  const flags = new Set<Flag>(cellOf(row, signal, ruleSet).flags);
  for (const flag of [...codeFlags(signal, choice, ruleSet), ...headerFlags(attempt, wait)]) flags.add(flag);
  if (wait.skewMs !== null && Math.abs(wait.skewMs) >= skewFlagMs) flags.add('clock_skew');
  // Nobody hears of a send before it started: the sender's clock is ahead of ours.
  if (attempt.receivedAt !== undefined && attempt.startedAt - attempt.receivedAt >= skewFlagMs) flags.add('clock_skew');
  if (signal.head2xx && signal.code !== null) flags.add('error_under_200');
  if (signal.signs.has('error_in_success')) flags.add('error_under_200');
  if (signal.truncated) flags.add('response_truncated');
  if (signal.signs.has('failed_items')) flags.add('partial_success');
  if (attempt.batch?.partial === true && row.stage !== 'success') flags.add('partial_success');
  if (attempt.statusOrigin === 'sdk' && attempt.status) flags.add('synthetic_status');
  if (advisesFix(signal, row, ruleSet)) flags.add('advice_fix_first');
  const platform = ruleSet.codeCase !== 'open';
  if (platform && signal.status === null && row.stage === 'default' && signal.error?.preflight) flags.add('preflight');
  if (signal.status === null && signal.error?.notFound) flags.add('persistent_dns_suspected');
  if (row.wait === 'never_announced' && isAsked(wait)) flags.add('contract_anomaly');
  // Undocumented values of firstStatus: neither a success nor null (V7).
  if (row.id === 'AGENT_WRITE_ALREADY_EXECUTED' && signal.kind === 'write') {
    if (!signal.signs.has('first_status_success') && attempt.firstStatus !== null) flags.add('not_covered');
  }
  return [...flags];
}

function reachedOf(signal: Signal, row: RuleRow, cell: RuleCell, ruleSet: RuleSet): Reached {
  if (cell.action === 'not_applicable') return 'not_applicable';
  // H8: a 2xx head proves the arrival, whatever happened to its body.
  if (ruleSet.codeCase === 'open' && signal.head2xx) return 'yes';
  return row.reached;
}

function effectOf(signal: Signal, cell: RuleCell): Effect {
  return signal.kind === 'read' ? 'none' : cell.effect;
}

export function classify(attempt: Attempt, ruleSet: RuleSet, options: ClassifyOptions = {}): Verdict {
  const signal = readSignal(attempt, ruleSet.profile);
  const choice = findRow(signal, ruleSet);
  const { row } = choice;
  const cell = cellOf(row, signal, ruleSet);
  const read = readWait(attempt);
  const gates = gatesOf(cell, isAsked(read));
  const wait = waitOf(read, row, cell, gates);
  const effect = effectOf(signal, cell);
  const looks = effect === 'possible' || cell.action === 'state_verification_required';
  return {
    action: cell.action,
    classifier: cell.classifier,
    reached: reachedOf(signal, row, cell, ruleSet),
    effect,
    unknownOutcome: signal.kind === 'write' && looks,
    code: verdictCode(signal, choice),
    gates,
    wait,
    phase: signal.phase,
    rule: row.id,
    ruleSet: ruleSet.name,
    flags: flagsOf(attempt, signal, choice, ruleSet, wait, options.clockSkewFlagMs ?? CLOCK_SKEW_FLAG_MS),
  };
}

/** The rule set an attempt is judged by: its profile's current edition, unless the project pins another. */
export function ruleSetOf(
  attempt: Pick<Attempt, 'profile' | 'target'>,
  context: ProfileContext,
  pinned: Partial<Record<RuleSet['profile'], RuleSet>> = {},
): RuleSet {
  const profile = resolveProfile(attempt, context);
  return pinned[profile] ?? currentRuleSet(profile);
}
