import type { KeyMode, Outcome, Profile } from '../attempt';
import type { Action, Effect, Flag, Reached } from '../verdict';

/**
 * The one shape of every rule: data that classify reads, the Rules screen renders in words and tests compare with
 * the sources. A rule set is one version of one profile's rules; a change of belief is a new edition, never an edit.
 */

/** Order in which rows are tried (domain.md §6). */
export const RULE_STAGES = ['success', 'code', 'scenario', 'status', 'network', 'default'] as const;
export type RuleStage = (typeof RULE_STAGES)[number];

/** How a failure without a usable answer happened (domain.md §5 H4, H5, H7). */
export type NetworkFault =
  | 'name_not_found'
  | 'certificate'
  | 'not_processed'
  | 'preflight'
  | 'abort_before_sending'
  | 'caller_abort'
  | 'timeout'
  | 'ambiguous'
  | 'program_error';

/** What must hold before the next try. `asked_…` turn into `wait` only when the answer asked for a usable time. */
export type RuleGate = 'asked_or_backoff' | 'asked_only' | 'backoff' | 'fix_auth' | 'fix_cause' | 'read_back' | 'human';

/** Facts beside codes, statuses and faults that a row can ask for. */
export type RuleSign =
  | 'whole_success'
  | 'failed_items'
  | 'error_in_success'
  | 'not_run'
  | 'no_content_type'
  | 'first_status_success'
  | 'key_used_with_other_request'
  | 'server_key'
  | 'has_code';

/** All given conditions must hold; none given matches everything. */
export interface RuleMatch {
  codes?: readonly string[];
  /** A code holding any of these, letter case ignored. */
  codesContain?: readonly string[];
  /** Inclusive ranges of a server's status. */
  statuses?: readonly (readonly [number, number])[];
  outcomes?: readonly Outcome[];
  faults?: readonly NetworkFault[];
  sign?: RuleSign;
  /** `code syscall` pairs this row was made for; shown, not matched. */
  examples?: readonly string[];
}

export interface RuleCell {
  action: Action;
  gates: readonly RuleGate[];
  /** Of this attempt, were it a write; a read's is always none. */
  effect: Effect;
  /** The word of the source's own example classifier; null where it has none. */
  classifier: string | null;
  flags?: readonly Flag[];
}

export type WaitRule =
  /** Honour the asked time. */
  | 'asked'
  /** The full asked time, to the millisecond. */
  | 'strict'
  /** The source says no time is announced; one that came is an anomaly. */
  | 'never_announced'
  /** The source doesn't say: keep a time that came, else back off. */
  | 'unspecified'
  /** Waiting changes nothing. */
  | 'useless';

export interface LocalText {
  en: string;
  ru: string;
}

interface Provenance {
  /** Name of the source document, see docs. */
  source: 'vibecode-en' | 'vibecode-ru-older' | 'bitrix-docs' | 'quillhub' | 'article' | 'ruling';
  /** Row, section or ruling number inside it. */
  place: string;
}

export interface RuleRow {
  id: string;
  stage: RuleStage;
  match: RuleMatch;
  reached: Reached;
  read: RuleCell;
  write: RuleCell;
  /** A write that may be sent again as it is: by method, or under a key the server enforces. Absent: as `write`. */
  replayable?: RuleCell;
  wait: WaitRule;
  /** Least wait where nothing was asked, ms. */
  waitMsMin?: number;
  /** Retries of one operation this row allows; absent: the client's own limit. */
  retriesMax?: number;
  /** `app` where "reached" speaks of a hosted application and not of the target itself. */
  hop?: 'app';
  condition: LocalText;
  provenance: Provenance;
}

/** What the source's own sample function looks at where no answer came; its word then hangs on the error itself. */
export interface ExampleFunction {
  codes: readonly string[];
  /** Outermost error names it repeats by themselves. */
  names: readonly string[];
  /** With these a repeat is safe whatever the method; null where it asks for no method at all. */
  preflightSyscalls: readonly string[] | null;
}

export interface RuleSet {
  /** `profile@edition`. */
  name: string;
  profile: Profile;
  edition: string;
  /** Judges new attempts unless a project pins another edition. */
  current: boolean;
  title: LocalText;
  /** How a platform code is compared; `open` codes are free text and never unknown. */
  codeCase: 'exact' | 'ignored' | 'open';
  /** Platform codes that exist but have no row: the default applies, with the advice to fix first. */
  otherCodes: readonly string[];
  keyMode: KeyMode;
  /** Life of a key that the server enforces, ms. */
  keyLifeMs: number;
  /** PUT and DELETE, and a write under a server key, may be sent again as they are. */
  methodsReplayable: readonly string[];
  /** Absent where the source's example knows codes alone: its words stand in the cells. */
  example?: ExampleFunction;
  /** In order within a stage: the first that fits decides. */
  rows: readonly [RuleRow, ...RuleRow[]];
}

export function cell(
  action: Action,
  gates: readonly RuleGate[],
  effect: Effect,
  classifier: string | null = null,
  flags?: readonly Flag[],
): RuleCell {
  return flags ? { action, gates, effect, classifier, flags } : { action, gates, effect, classifier };
}
