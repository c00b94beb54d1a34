import type { Attempt, Kind, Outcome, Profile } from './attempt';
import { resolveKind, methodOf } from './kind';
import { normaliseNetworkError, type NetworkError } from './network-error';
import { serverKeyOf } from './profile';
import type { NetworkFault, RuleSign } from './rules/rule';
import type { Phase } from './verdict';

/** What one attempt shows once made-up statuses, empty words and contradictions are cleared away (domain.md §6 (0)). */
export interface Signal {
  kind: Kind;
  /** Upper case, '' when unknown. */
  method: string;
  /** Status that a server sent; null for none, 0, and one the client library made up. */
  status: number | null;
  /** The head said 2xx. */
  head2xx: boolean;
  /** Platform code as sent: `code`, else the first of `bodyErrors`. */
  code: string | null;
  error: NetworkError | null;
  outcome: Outcome;
  fault: NetworkFault;
  /** A 2xx whose body did not arrive whole. */
  truncated: boolean;
  failedItems: boolean;
  serverKey: string | null;
  phase: Phase;
  signs: readonly RuleSign[];
}

function statusOf(attempt: Attempt): number | null {
  const { status } = attempt;
  if (attempt.statusOrigin === 'sdk' || status === undefined || status === null) return null;
  return Number.isInteger(status) && status >= 100 && status <= 599 ? status : null;
}

function wordOf(text: string | undefined | null): string | null {
  return typeof text === 'string' && text.trim() !== '' ? text : null;
}

function codeOf(attempt: Attempt): string | null {
  const own = wordOf(attempt.code);
  if (own !== null || !Array.isArray(attempt.bodyErrors)) return own;
  for (const code of attempt.bodyErrors) {
    const word = wordOf(code);
    if (word !== null) return word;
  }
  return null;
}

function hasFailedItems(attempt: Attempt): boolean {
  return (attempt.bodySummary?.failed ?? 0) > 0 || (attempt.bodySummary?.unprocessed ?? 0) > 0;
}

interface Clues {
  status: number | null;
  error: NetworkError | null;
  code: string | null;
}

/** Outcome when the sender gave none: the error's own words, then the status, then the least that is certain. */
function deriveOutcome(attempt: Attempt, { status, error, code }: Clues): Outcome {
  if (attempt.abortBy === 'user') return 'aborted';
  if (attempt.abortBy !== undefined) return 'timeout';
  if (error) {
    if (error.aborted) return 'aborted';
    if (error.timeout) return 'timeout';
    if (error.unreadable && (status === null || (status >= 200 && status <= 299))) return 'parse_error';
    if (status === null || (status >= 200 && status <= 299)) return 'network_error';
    return 'http_error';
  }
  // b24jssdk reports its own timeout as status 408 (X9).
  if (attempt.statusOrigin === 'sdk' && attempt.status === 408) return 'timeout';
  if (status !== null) return status >= 200 && status <= 299 && code === null ? 'success' : 'http_error';
  return code !== null ? 'http_error' : 'network_error';
}

/** The caller itself gave up (H7); its own timers are time-outs and not a decision. */
export function isCallerAbort(attempt: Attempt): boolean {
  if (attempt.abortBy !== undefined) return attempt.abortBy === 'user';
  if (attempt.outcome === 'aborted') return true;
  return attempt.error !== undefined && normaliseNetworkError(attempt.error).aborted;
}

/** How the exchange failed where no answer can be trusted (H4, H5, H7). */
function faultOf(attempt: Attempt, outcome: Outcome, error: NetworkError | null, head2xx: boolean): NetworkFault {
  // A head that arrived proves that the request was sent, whatever the error says.
  const unsent = error !== null && !head2xx;
  const byClock = attempt.abortBy === 'deadline' || attempt.abortBy === 'per_try';
  const aborted = !byClock && (outcome === 'aborted' || attempt.abortBy === 'user' || error?.aborted === true);
  if (aborted) return unsent && error.preflight ? 'abort_before_sending' : 'caller_abort';
  if (unsent && error.notFound) return 'name_not_found';
  if (unsent && error.certificate) return 'certificate';
  if (unsent && error.notProcessed) return 'not_processed';
  if (unsent && error.preflight) return 'preflight';
  if (byClock || outcome === 'timeout' || error?.timeout === true || outcome === 'aborted') return 'timeout';
  return unsent && error.programError ? 'program_error' : 'ambiguous';
}

function phaseOf(attempt: Attempt, signal: Pick<Signal, 'status' | 'truncated' | 'error' | 'outcome'>): Phase {
  if (signal.truncated) return 'reading_body';
  if (signal.status !== null || signal.outcome === 'success' || signal.outcome === 'async_failed') return 'complete';
  if (signal.outcome === 'parse_error' || attempt.notRun === true) return 'complete';
  if (signal.error?.phase) return signal.error.phase;
  return attempt.headersAt !== undefined ? 'reading_body' : 'awaiting_response';
}

const IDEMPOTENCY = /idempoten/i;
const KEY_WORDS = ['reuse', 'mismatch', 'differ', 'other', 'changed', 'conflictingrequest'];
/** The first call under the key has not ended yet: nothing to repair, it is waited for. */
const STILL_RUNNING = /inuse|inprogress|inflight|concurrent|processing|pending|locked/;

/** H2: told by code, not by status: Stripe answers 400, the IETF draft 422, others 409. */
function saysKeyWasUsed(code: string | null): boolean {
  if (code === null || !IDEMPOTENCY.test(code)) return false;
  const bare = code.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (bare === 'idempotencyerror') return true;
  if (STILL_RUNNING.test(bare)) return false;
  return bare.includes('idempoten') && KEY_WORDS.some((word) => bare.includes(word));
}

function signsOf(attempt: Attempt, signal: Signal): RuleSign[] {
  const signs: RuleSign[] = [];
  const { head2xx, code, failedItems, status, outcome } = signal;
  const said2xx = head2xx || (status === null && attempt.outcome === 'success');
  if (said2xx && code === null && !failedItems && !signal.truncated && outcome === 'success')
    signs.push('whole_success');
  if (head2xx && failedItems) signs.push('failed_items');
  // An unreadable or cut body is its own case; what is left of a 2xx that failed is an error inside.
  if (head2xx && (code !== null || outcome === 'http_error') && outcome !== 'parse_error')
    signs.push('error_in_success');
  if (attempt.notRun === true) signs.push('not_run');
  const { headers, firstStatus } = attempt;
  if (code === null && headers !== undefined && wordOf(headers['content-type']) === null) signs.push('no_content_type');
  if (typeof firstStatus === 'number' && firstStatus >= 200 && firstStatus <= 299) signs.push('first_status_success');
  if (code !== null) signs.push('has_code');
  if (saysKeyWasUsed(code)) signs.push('key_used_with_other_request');
  if (signal.serverKey !== null) signs.push('server_key');
  return signs;
}

const NO_SIGNS: readonly RuleSign[] = [];

export function readSignal(attempt: Attempt, profile: Profile): Signal {
  const status = statusOf(attempt);
  const head2xx = status !== null && status >= 200 && status <= 299;
  const error = attempt.error ? normaliseNetworkError(attempt.error) : null;
  const code = codeOf(attempt);
  const clues: Clues = { status, error, code };
  let outcome = attempt.outcome ?? deriveOutcome(attempt, clues);
  // "Success" beside an error, an abort or a failing status is not one.
  if (outcome === 'success' && (error !== null || attempt.abortBy !== undefined || (status !== null && !head2xx))) {
    outcome = deriveOutcome(attempt, clues);
  }
  const broken = outcome === 'network_error' || outcome === 'timeout' || outcome === 'aborted';
  const truncated = head2xx && (broken || (error !== null && outcome !== 'parse_error' && outcome !== 'async_failed'));
  const signal: Signal = {
    kind: resolveKind(attempt, profile),
    method: methodOf(attempt),
    status,
    head2xx,
    code,
    error,
    outcome,
    fault: faultOf(attempt, outcome, error, head2xx),
    truncated,
    failedItems: hasFailedItems(attempt),
    serverKey: serverKeyOf(attempt, profile),
    phase: 'complete',
    signs: NO_SIGNS,
  };
  signal.phase = phaseOf(attempt, signal);
  signal.signs = signsOf(attempt, signal);
  return signal;
}
