/**
 * Read models: what pages, the read API and exports are given. Types only.
 * Instants are epoch ms here; the API layer writes them as ISO 8601 UTC.
 */
import type { Attempt, Fact, Kind, Money, Profile } from '../core/attempt';
import type { OperationState, Pair, Resolution, Suggestion } from '../core/operation';
import type { StoryFindingView } from './finding-view';
import type { Action, Verdict } from '../core/verdict';
import type { AuthorizedProject } from '../core/project';
import type { Database } from '../../db/client';

export type * from './finding-view';
export type * from './key-view';
export * from './recompute-view';

/** What every query is given: the wall (`project`), the pool and the time to judge by. */
export interface QueryContext {
  db: Database;
  project: AuthorizedProject;
  /** Epoch ms. */
  now: number;
}

/** Half-open [from, to), epoch ms, and the IANA zone days follow. */
export interface Range {
  from: number;
  to: number;
  tz: string;
}

export const STEPS = ['1m', '15m', '1h', '1d'] as const;
export type Step = (typeof STEPS)[number];

/** AND between fields, OR inside one; an absent field does not filter. */
export interface Filters {
  service?: string[];
  call?: string[];
  kind?: Kind[];
  code?: string[];
  action?: Action[];
  profile?: Profile[];
  target?: string[];
  sdk?: string[];
  environment?: string[];
}

export const RATE_GROUPS = ['code', 'service', 'call', 'kind', 'action'] as const;
export type RateGroup = (typeof RATE_GROUPS)[number];

export interface RatePoint {
  /** Bucket start, epoch ms. */
  at: number;
  /** Attempts with that key. */
  count: number;
  /** count ÷ all attempts of the bucket (tallies included); null without attempts. */
  rate: number | null;
}

export interface RateTotals {
  calls: number;
  attempts: number;
  errors: number;
  firstTrySuccess: number;
  successAfterRetry: number;
  exhausted: number;
  unresolved: number;
  open: number;
  /** null without operations. */
  attemptsPerOperation: number | null;
}

export interface RatesView {
  series: { key: string; points: RatePoint[] }[];
  totals: RateTotals;
  /** All attempts by bucket: the denominator of every rate. */
  buckets: { at: number; attempts: number }[];
  /** Start of the first bucket that is not over yet; null when all are. */
  incompleteFrom: number | null;
}

export const COMPLIANCE_GROUPS = ['service', 'code', 'call', 'sdk'] as const;
export type ComplianceGroup = (typeof COMPLIANCE_GROUPS)[number];

export interface ComplianceRow {
  key: string;
  asked: number;
  honoured: number;
  early: number;
  earlyCapped: number;
  pending: number;
  noRetryObserved: number;
  gaveUp: number;
  unusable: number;
  notJudged: number;
  /** honoured ÷ (honoured + early + earlyCapped); null without any. */
  rate: number | null;
  earlyMsP50: number | null;
  earlyMsMax: number | null;
  overWaitMs: number;
}

export interface ComplianceView {
  rows: ComplianceRow[];
  total: ComplianceRow;
  /** How early, in classes; `toMs` null = and more. */
  histogram: { fromMs: number; toMs: number | null; count: number }[];
  /** Share honoured over time. */
  trend: { at: number; asked: number; honoured: number; early: number; rate: number | null }[];
}

/** One operation whose every retry fell inside the asked wait. */
export interface AlwaysEarlyView {
  operationId: string;
  service: string;
  call: string;
  code: string;
  at: number;
  retries: number;
  earlyMsMax: number;
}

export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

export interface OperationRowView {
  operationId: string;
  state: OperationState;
  service: string;
  /** Its template. */
  call: string;
  kind: Kind;
  /** Last attempt's verdict. */
  code: string;
  action: Action;
  profile: Profile;
  target: string;
  sdk: string;
  environment: string;
  attempts: number;
  possibleEffects: number;
  firstAt: number;
  lastAt: number;
  /** Open review item of this operation, if any. */
  reviewId: string | null;
}

export interface OperationStoryView extends OperationRowView {
  /** As the first send named it; `callTemplate` is what it counts under. */
  call: string;
  callTemplate: string;
  over: boolean;
  /** Timeline order. `raw` is the event as received, masked. */
  sends: { attempt: Attempt; verdict: Verdict; synthetic: boolean; raw: unknown }[];
  pairs: Pair[];
  /** Its own, then what was found across operations about it. */
  findings: StoryFindingView[];
  /** Every other fact of the operation, time order. */
  facts: Fact[];
  suggestion: Suggestion | null;
  reviews: ReviewItemView[];
  related: { parent: string | null; children: string[] };
}

export const REVIEW_STATES = ['waiting', 'open', 'claimed', 'snoozed', 'resolved'] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

export interface AssigneeView {
  type: 'user' | 'key' | 'system';
  id: string;
  name: string;
}

export interface ReviewRowView {
  id: string;
  operationId: string;
  episode: number;
  version: number;
  state: ReviewState;
  cause: 'unknown_outcome' | 'possible_duplicates';
  assignee: AssigneeView | null;
  leaseUntil: number | null;
  openedAt: number;
  ageMs: number;
  dueAt: number;
  snoozedUntil: number | null;
  code: string;
  service: string;
  call: string;
  sdk: string;
  environment: string;
  amount: Money | null;
  suggestion: Suggestion | null;
  resolution: Resolution | null;
  resolvedAt: number | null;
  resolvedBy: string | null;
}

export interface ReviewEventView {
  id: string;
  at: number;
  actor: AssigneeView;
  action: string;
  oldValue: unknown;
  newValue: unknown;
  note: string | null;
}

export interface ReviewItemView extends ReviewRowView {
  resolutionNote: string | null;
  doubtSince: number;
  doubtUntil: number;
  history: ReviewEventView[];
}

export interface ReviewFilters extends Filters {
  state?: ReviewState[];
  assignee?: 'mine' | 'others' | 'nobody';
  /** Actor whose items `mine` means. */
  actorId?: string;
  q?: string;
}

/** Counts by tab, money at stake and age of what is unresolved. */
export interface ReviewSummaryView {
  waiting: number;
  open: number;
  claimed: number;
  mine: number;
  snoozed: number;
  resolved: number;
  oldestOpenedAt: number | null;
  pastDue: number;
  /** Sum per currency of unresolved items, decimal text. */
  atStake: Money[];
}

/** One code over the range, beside the previous period cut to equal length. */
export interface CodeRowView {
  code: string;
  profile: Profile;
  count: number;
  rate: number | null;
  previousCount: number;
  previousRate: number | null;
  /** All attempts of this period and of the one before, whatever their code: what the rates are of. */
  attempts: number;
  previousAttempts: number;
  firstAt: number | null;
  lastAt: number | null;
  actions: Action[];
}

export interface CodeDetailView {
  code: string;
  total: CodeRowView;
  byService: { key: string; count: number }[];
  byCall: { key: string; count: number }[];
  byKind: { key: string; count: number }[];
  bySdk: { key: string; count: number }[];
  recent: OperationRowView[];
}

export interface ServiceAttentionView {
  service: string;
  attempts: number;
  errors: number;
  errorRate: number | null;
  previousErrorRate: number | null;
  previousAttempts: number;
  openReviews: number;
  complianceRate: number | null;
}

export interface OverviewView {
  rates: RatesView;
  previousTotals: RateTotals;
  review: ReviewSummaryView;
  compliance: ComplianceRow;
  previousCompliance: ComplianceRow;
  services: ServiceAttentionView[];
  codes: CodeRowView[];
  /** Events taken in but not yet settled, and the age of the oldest in ms. */
  settling: { touched: number; lagMs: number };
  /** False until the project has ever received an event. */
  hasEvents: boolean;
}

/** Values that exist, for filter menus. */
export interface FilterChoicesView {
  service: string[];
  call: string[];
  code: string[];
  target: string[];
  sdk: string[];
  environment: string[];
}
