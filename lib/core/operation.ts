import type { Attempt, Fact, Kind, Profile } from './attempt';
import type { KeyUse } from './key-use';
import { DEFAULT_CHECK_SETTINGS, type CheckSettings } from './check-settings';
import type { Verdict } from './verdict';

/** Conclusions about one intent and all its sends. */

export const OPERATION_STATES = [
  'in_progress',
  'succeeded',
  'succeeded_with_possible_duplicates',
  'failed',
  'unresolved',
  'partially_applied',
  'cancelled',
] as const;
export type OperationState = (typeof OPERATION_STATES)[number];

export const COMPLIANCES = [
  'honoured',
  'early',
  'early_capped',
  'pending',
  'no_retry_observed',
  'gave_up_wait_too_long',
  'unusable_header',
  'not_asked',
  'not_judged',
] as const;
export type Compliance = (typeof COMPLIANCES)[number];

/** An attempt and the next one: was the asked wait kept. Every send has one, the last too. */
export interface Pair {
  attempt: number;
  /** Id of the attempt event the wait was asked by. */
  attemptEventId: string;
  /** Epoch ms of the attempt's start: the pair counts at this time. */
  at: number;
  compliance: Compliance;
  /** null where nothing was asked. */
  askedMs: number | null;
  /** Start of the next send minus this send's reference time; null without a next send. */
  gapMs: number | null;
  earlyMs: number;
  overMs: number;
  strict: boolean;
  /** Judged across clocks or against the client's own clock. */
  approx: boolean;
}

export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

export interface Finding {
  check: string;
  severity: Severity;
  attempt?: number;
  evidence: Record<string, unknown>;
}

export interface JudgedAttempt {
  attempt: Attempt;
  verdict: Verdict;
  /** Made up from an `attempt_started` that was never followed by its attempt. */
  synthetic: boolean;
}

export const RESOLUTIONS = [
  'applied_once',
  'not_applied',
  'applied_more_than_once',
  'partly_applied',
  'cannot_be_known',
] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** A person's judgement, as a fact of the operation. */
export interface ResolutionFact {
  resolution: Resolution;
  /** Epoch ms. */
  resolvedAt: number;
}

/** Times in ms; every one is a project setting (docs/api.md, times and thresholds). */
export interface Settings extends CheckSettings {
  readBackGraceMs: number;
  idleOverMs: number;
  readBackSettleMs: number;
  claimLeaseMs: number;
  reviewDeadlineMs: number;
  snoozeMaxMs: number;
  retentionMs: number;
  diedAfterMs: number;
  clockSkewFlagMs: number;
  toleranceSecondsMs: number;
  toleranceStrictMs: number;
  toleranceDateMs: number;
  dateUncertaintyMs: number;
}

export const DEFAULT_SETTINGS: Settings = {
  ...DEFAULT_CHECK_SETTINGS,
  readBackGraceMs: 10 * 60_000,
  idleOverMs: 15 * 60_000,
  readBackSettleMs: 60_000,
  claimLeaseMs: 10 * 60_000,
  reviewDeadlineMs: 24 * 3_600_000,
  snoozeMaxMs: 14 * 86_400_000,
  retentionMs: 30 * 86_400_000,
  diedAfterMs: 5 * 60_000,
  clockSkewFlagMs: 60_000,
  toleranceSecondsMs: 50,
  toleranceStrictMs: 5,
  toleranceDateMs: 1_000,
  dateUncertaintyMs: 2_000,
};

/** Why the operation is in the queue, or would be. */
export interface Doubt {
  /** Attempt event ids whose writes nobody can vouch for. */
  attemptEventIds: string[];
  /** Epoch ms of the earliest and latest such attempt's end (else start). */
  since: number;
  until: number;
  /** True when a conclusive fact settled it; says which. */
  settledBy: 'read_back' | 'server_key' | 'first_status' | 'job_result' | 'closed' | 'resolution' | null;
}

/** Evidence that leans one way and never closes an item by itself. */
export interface Suggestion {
  resolution: Resolution;
  reason:
    'conflict_after_unclear_write' | 'replayed_answer' | 'first_status' | 'entity_ids' | 'closed_done' | 'read_back';
  /** Attempt event or fact ids. */
  evidence: string[];
}

export interface OperationConclusion {
  operationId: string;
  state: OperationState;
  possibleEffects: number;
  kind: Kind;
  profile: Profile;
  /** Sends in timeline order. */
  attempts: JudgedAttempt[];
  pairs: Pair[];
  findings: Finding[];
  /** Null when no write of it was ever unclear. */
  doubt: Doubt | null;
  /** True when a person must look: unsettled unknown writes, or possible duplicates. */
  needsReview: boolean;
  suggestion: Suggestion | null;
  /** Hashes of keys that were used for more than one request, and what other operations used them for. */
  spoiltKeys: string[];
  takenKeys: KeyUse[];
  /** Epoch ms of the first send's start and of the last thing known. */
  firstAt: number;
  lastAt: number;
  /** True once nothing more is expected (success, closed, or idle). */
  over: boolean;
  /** A batch call that its items stand for: no send of its own, and none to come. */
  itemsOnly: boolean;
  /** Next instant at which time alone changes this conclusion; null when none does. */
  changesAt: number | null;
}

/** What fold reads: the facts of one operation, in any order, with any duplication. */
export interface OperationFacts {
  operationId: string;
  facts: Fact[];
  resolution?: ResolutionFact;
  /** Uses of this operation's keys by others, in any order; of other keys they are left out. */
  elsewhere?: readonly KeyUse[];
}
