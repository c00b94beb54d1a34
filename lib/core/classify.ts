import type { Attempt } from './attempt';
import { findRow, isNearMiss } from './find-row';
import { resolveProfile, type ProfileContext } from './profile';
import { currentRuleSet } from './rules/index';
import type { RuleCell, RuleGate, RuleRow, RuleSet } from './rules/rule';
import { readSignal, type Signal } from './signal';
import type { Flag, Gate, Reached, Verdict, Wait } from './verdict';
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

/** Rows name their gates in the order of GATES, so the result is ordered too (a test holds them to it). */
function gatesOf(cell: RuleCell, asked: boolean): Gate[] {
  const gates: Gate[] = [];
  for (const word of cell.gates) {
    const gate = gateOf(word, asked);
    if (gate !== null) gates.push(gate);
  }
  return gates;
}

function waitOf(read: Wait, row: RuleRow, cell: RuleCell, asked: boolean, gates: readonly Gate[]): Wait {
  const { skewMs } = read;
  // After a success there is nothing to wait for, whatever the answer carried.
  if (cell.action === 'none') {
    return { source: 'none', form: null, delayMs: null, strict: false, conformant: true, issues: [], skewMs };
  }
  return {
    source: asked ? read.source : gates.includes('backoff') ? 'backoff' : 'none',
    form: read.form,
    delayMs: read.delayMs,
    strict: row.wait === 'strict',
    conformant: read.conformant,
    issues: read.issues,
    skewMs,
  };
}

/** The rule's words where a server's status chose the row, else the network's own (contract, `code`). */
function verdictCode(signal: Signal, row: RuleRow): string {
  if (signal.code !== null) return signal.code;
  const byStatus = row.stage === 'success' || row.stage === 'default' || row.match.statuses !== undefined;
  const statusSpeaks = signal.status !== null && !signal.truncated && signal.outcome !== 'parse_error';
  if (byStatus && statusSpeaks) return `HTTP_${signal.status}`;
  if (row.id === 'NOT_RUN') return row.id;
  if (row.id === 'ERROR_UNDER_2XX') return `HTTP_${signal.status}`;
  return signal.error?.code ?? signal.error?.name ?? signal.outcome.toUpperCase();
}

/** The source's own word: what its sample function answers for this very error (A3, A4, Q4–Q6), else the cell's. */
function classifierOf(attempt: Attempt, signal: Signal, row: RuleRow, cell: RuleCell, ruleSet: RuleSet): string | null {
  const { example } = ruleSet;
  if (!example || row.match.faults === undefined || signal.error === null) return cell.classifier;
  const { code, syscall } = signal.error;
  const named = example.names.includes(attempt.error?.name ?? '');
  if (!named && (code === null || !example.codes.includes(code))) return 'no_retry';
  if (example.preflightSyscalls === null || example.preflightSyscalls.includes(syscall ?? '')) return 'retry';
  return signal.method === '' || isReplayable(signal, ruleSet) ? 'retry' : 'no_retry';
}

const UNUSABLE_ISSUES: ReadonlySet<string> = new Set(['negative', 'unit_suffix', 'unparseable']);

function addHeaderFlags(flags: Flag[], wait: Wait): void {
  if (wait.source === 'other_header') flags.push('header_nonstandard');
  else {
    const { issues } = wait;
    if (wait.source !== 'retry_after' && issues.some((issue) => UNUSABLE_ISSUES.has(issue)))
      flags.push('header_malformed');
    if (!wait.conformant) flags.push('header_nonconformant');
    if (issues.includes('epoch_suspected')) flags.push('header_epoch_value');
  }
}

function addCodeFlags(flags: Flag[], signal: Signal, row: RuleRow, ruleSet: RuleSet): void {
  const { code } = signal;
  if (ruleSet.codeCase === 'open' || row.stage !== 'default') return;
  if (code !== null) {
    flags.push('unknown_code');
    if (isNearMiss(ruleSet, code)) flags.push('code_malformed');
  }
  if (advisesFix(signal, ruleSet)) flags.push('advice_fix_first');
  if (signal.status === null && signal.error?.preflight === true) flags.push('preflight');
}

const WORTH_REPEATING: ReadonlySet<number> = new Set([408, 425, 429]);

/** V10: the verdict stays, but repeating this unchanged is not healthy. */
function advisesFix({ kind, status, code }: Signal, ruleSet: RuleSet): boolean {
  if (kind !== 'read') return false;
  const refused = status !== null && status >= 400 && status <= 499 && !WORTH_REPEATING.has(status);
  return refused || (code !== null && ruleSet.otherCodes.includes(code));
}

function isSkewed(attempt: Attempt, { skewMs }: Wait, flagMs: number): boolean {
  if (skewMs !== null && Math.abs(skewMs) >= flagMs) return true;
  const { startedAt, headersAt = startedAt, endedAt = headersAt, receivedAt } = attempt;
  // An answer before its question: the sender's clock was set back in between.
  if (startedAt - Math.min(headersAt, endedAt) >= flagMs) return true;
  // Nobody hears of anything before it happened: the sender's clock is ahead of ours.
  return receivedAt !== undefined && Math.max(startedAt, headersAt, endedAt) - receivedAt >= flagMs;
}

/** What the answer itself shows, beside its code and its header. */
function addAnswerFlags(flags: Flag[], attempt: Attempt, signal: Signal, row: RuleRow): void {
  const failedInside = signal.head2xx && (signal.code !== null || signal.signs.includes('error_in_success'));
  if (failedInside) flags.push('error_under_200');
  if (signal.truncated) flags.push('response_truncated');
  const failedItem = attempt.batch?.partial === true && row.stage !== 'success';
  if ((failedItem || signal.signs.includes('failed_items')) && !flags.includes('partial_success')) {
    flags.push('partial_success');
  }
  if (attempt.statusOrigin === 'sdk' && attempt.status) flags.push('synthetic_status');
  if (signal.status === null && signal.error?.notFound === true) flags.push('persistent_dns_suspected');
  // Undocumented values of firstStatus: neither a success nor null (V7).
  const answersDelete = row.id === 'AGENT_WRITE_ALREADY_EXECUTED' && signal.kind === 'write';
  if (answersDelete && !signal.signs.includes('first_status_success') && attempt.firstStatus !== null) {
    flags.push('not_covered');
  }
}

const TURNED_AWAY: ReadonlySet<number> = new Set([408, 425, 429, 503, 521, 523]);

/** H8: what a server's status says of the arrival, whatever else decides. */
function reachedByStatus(status: number): Reached {
  if (TURNED_AWAY.has(status)) return 'no';
  const answered = (status >= 200 && status <= 299) || (status >= 400 && status <= 499 && status !== 409);
  return answered ? 'yes' : 'unknown';
}

function reachedOf(signal: Signal, row: RuleRow, cell: RuleCell, ruleSet: RuleSet): Reached {
  if (cell.action === 'not_applicable') return 'not_applicable';
  if (ruleSet.codeCase === 'open' && signal.status !== null) return reachedByStatus(signal.status);
  return row.reached;
}

export function classify(attempt: Attempt, ruleSet: RuleSet, options: ClassifyOptions = {}): Verdict {
  const signal = readSignal(attempt, ruleSet.profile);
  const row = findRow(signal, ruleSet);
  const cell = cellOf(row, signal, ruleSet);
  const read = readWait(attempt);
  const asked = isAsked(read);
  const gates = gatesOf(cell, asked);
  const wait = waitOf(read, row, cell, asked, gates);
  // A read's cell says none, in every row of every edition (a test holds them to it).
  const { effect } = cell;
  const flags: Flag[] = cell.flags === undefined ? [] : cell.flags.slice();
  addCodeFlags(flags, signal, row, ruleSet);
  addHeaderFlags(flags, wait);
  if (isSkewed(attempt, wait, options.clockSkewFlagMs ?? CLOCK_SKEW_FLAG_MS)) flags.push('clock_skew');
  addAnswerFlags(flags, attempt, signal, row);
  if (row.wait === 'never_announced' && asked) flags.push('contract_anomaly');
  return {
    action: cell.action,
    classifier: classifierOf(attempt, signal, row, cell, ruleSet),
    reached: reachedOf(signal, row, cell, ruleSet),
    effect,
    unknownOutcome: signal.kind === 'write' && (effect === 'possible' || cell.action === 'state_verification_required'),
    code: verdictCode(signal, row),
    gates,
    wait,
    phase: signal.phase,
    rule: row.id,
    ruleSet: ruleSet.name,
    flags,
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
