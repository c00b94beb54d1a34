import type { Finding, Severity } from '../core/operation';

/** Read models of stored findings. Types only; instants are epoch ms. */

export const SUBJECT_KINDS = ['service', 'target', 'credential', 'scope', 'job', 'operation'] as const;

/** What a finding speaks of. An operation's own findings speak of that operation. */
export interface FindingSubjectView {
  kind: (typeof SUBJECT_KINDS)[number];
  value: string;
}

/** What a check across operations looked at. */
export interface FindingWindowView {
  from: number;
  to: number;
  operations: number;
  attempts: number;
}

export interface FindingRowView {
  id: string;
  check: string;
  severity: Severity;
  attempt: number | null;
  /** Start of the attempt spoken of, else of the operation, else of what the window shows. */
  at: number;
  /** Null where no single operation is to blame. */
  operationId: string | null;
  /** '' where no send is behind it. */
  service: string;
  call: string;
  /** Code of the failure it is about; `OK` where no send failed. */
  code: string;
  sdk: string;
  subject: FindingSubjectView;
  evidence: Record<string, unknown>;
  /** `profile@edition`; null where several decided. */
  ruleSet: string | null;
  /** Null for an operation's own finding. */
  window: FindingWindowView | null;
}

/** One check over the range. */
export interface FindingCountView {
  check: string;
  /** The gravest severity that occurs. */
  worst: Severity;
  counts: Record<Severity, number>;
  /** Distinct operations and services that have it. */
  operations: number;
  services: number;
  firstAt: number;
  lastAt: number;
}

export const SCORECARD_GROUPS = ['service', 'sdk'] as const;
export type ScorecardGroup = (typeof SCORECARD_GROUPS)[number];

export interface ScorecardRowView {
  /** Service, or `name@version` of the SDK ('' where none was named). */
  key: string;
  /** Operations that began in the range and sends of them, tallied successes included. */
  operations: number;
  attempts: number;
  findings: Record<Severity, number>;
  /** Findings by check, `info` left out: it is advice. */
  byCheck: Record<string, number>;
  /** Findings other than `info` for a thousand operations; null without operations. */
  perThousand: number | null;
}

/** A finding on an operation's page; `window` and `subject` are set where several operations were looked at. */
export interface StoryFindingView extends Finding {
  subject?: FindingSubjectView;
  window?: FindingWindowView;
}
