/** Conclusions about one attempt (wire words of docs/api.md, `verdict`). */

export const ACTIONS = [
  'none',
  'retry_with_limit',
  'fix_before_retry',
  'state_verification_required',
  'do_not_retry',
  'not_applicable',
] as const;
export type Action = (typeof ACTIONS)[number];

export const REACHED = ['yes', 'no', 'unknown', 'not_applicable'] as const;
export type Reached = (typeof REACHED)[number];

export const EFFECTS = ['none', 'possible', 'applied', 'doubtful'] as const;
export type Effect = (typeof EFFECTS)[number];

/** In this order wherever several apply. */
export const GATES = ['wait', 'backoff', 'fix_auth', 'fix_cause', 'read_back', 'human'] as const;
export type Gate = (typeof GATES)[number];

export const PHASES = ['dns', 'connect', 'tls', 'sending', 'awaiting_response', 'reading_body', 'complete'] as const;
export type Phase = (typeof PHASES)[number];

export const WAIT_SOURCES = ['retry_after', 'other_header', 'body', 'backoff', 'none'] as const;
export type WaitSource = (typeof WAIT_SOURCES)[number];

/** What the server asked the client to wait, read from the whole answer. */
export interface Wait {
  source: WaitSource;
  /** Form word of the Retry-After reader, an ms header's own name, or `body`; null when nothing usable came. */
  form: string | null;
  delayMs: number | null;
  /** The rule asks for the full time (OPERATION_TIME_LIMIT, TIMEOUT_QUARANTINE). */
  strict: boolean;
  conformant: boolean;
  issues: string[];
  /** Client clock minus the answer's Date header; null without one. */
  skewMs: number | null;
}

export const FLAGS = [
  'unknown_code',
  'not_covered',
  'header_malformed',
  'header_nonconformant',
  'header_nonstandard',
  'header_epoch_value',
  'clock_skew',
  'error_under_200',
  'response_truncated',
  'partial_success',
  'synthetic_status',
  'verify_if_questionable',
  'advice_fix_first',
  'preflight',
  'code_malformed',
  'unlikely_transient',
  'persistent_dns_suspected',
  'contract_anomaly',
] as const;
export type Flag = (typeof FLAGS)[number];

export interface Verdict {
  action: Action;
  /** The word of the source's own example classifier, shown where it differs from `action`. */
  classifier: string | null;
  reached: Reached;
  effect: Effect;
  /** A write whose effect is possible, or whose action asks for a read-back. */
  unknownOutcome: boolean;
  code: string;
  gates: Gate[];
  wait: Wait;
  phase: Phase;
  /** Row of the rule set that decided, e.g. `BITRIX_TIMEOUT`, `HTTP_504`, `DEFAULT`. */
  rule: string;
  /** `profile@edition`. */
  ruleSet: string;
  flags: Flag[];
}
