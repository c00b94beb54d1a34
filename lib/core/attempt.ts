/**
 * Facts: what a client saw. Nothing here is a judgement.
 * Instants are epoch milliseconds on the clock named by the field, durations end in `Ms`.
 * Shapes follow the wire contract (docs/api.md), after decoding and masking.
 */

export const PROFILES = ['vibecode', 'quillhub', 'http', 'bitrix_rest'] as const;
export type Profile = (typeof PROFILES)[number];

export const KINDS = ['read', 'write'] as const;
export type Kind = (typeof KINDS)[number];

export const OUTCOMES = [
  'success',
  'http_error',
  'network_error',
  'timeout',
  'aborted',
  'parse_error',
  'async_failed',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const RESEND_REASONS = ['retry', 'redirect', 'reauth', 'hedge', 'replay'] as const;
export type ResendReason = (typeof RESEND_REASONS)[number];

export const KEY_MODES = ['server', 'client_dedupe', 'none'] as const;
export type KeyMode = (typeof KEY_MODES)[number];

export const ABORTERS = ['deadline', 'per_try', 'user'] as const;
export type Aborter = (typeof ABORTERS)[number];

/** One node of a nested error as Node, undici or a DOMException reports it. */
export interface ErrorNode {
  name?: string;
  /** Text (`ECONNRESET`) or a DOMException's number (20 abort, 23 timeout). */
  code?: string | number;
  syscall?: string;
  message?: string;
  cause?: ErrorNode;
  /** AggregateError members. */
  errors?: ErrorNode[];
}

/** What the client declared about its own retrying. */
export interface Policy {
  maxRetries?: number;
  maxAttempts?: number;
  baseMs?: number;
  capMs?: number;
  jitter?: string;
  deadlineMs?: number;
  retryAfterCapMs?: number;
}

export interface Idempotency {
  /** Keyed hash of the key; never the key itself. */
  keyHash?: string;
  mode?: KeyMode;
  replayed?: boolean;
}

export interface SdkName {
  name: string;
  version?: string;
}

export interface Money {
  /** Decimal text, so that no amount is ever rounded. */
  value: string;
  currency: string;
}

export interface BodySummary {
  total?: number;
  failed?: number;
  unprocessed?: number;
}

export interface BatchPlace {
  id: string;
  item?: string;
  size?: number;
  /** The carrying call answered 2xx while this item of it failed; set where `items` are expanded. */
  partial?: boolean;
}

/** One line of a platform batch call's answer, as the client reports it on the carrying attempt. */
export interface BatchItem {
  item: string;
  kind?: Kind;
  call?: string;
  status?: number;
  code?: string;
  operationId?: string;
  /** The batch stopped before this item (`halt`). */
  notRun?: boolean;
}

/** One send, as its client saw it. */
export interface Attempt {
  type: 'attempt';
  id: string;
  operationId: string;
  /** 1-based number over all sends of the operation. */
  attempt: number;
  startedAt: number;
  headersAt?: number;
  endedAt?: number;
  /** When our server took the event in; absent in pure evaluation. */
  receivedAt?: number;
  environment: string;
  service: string;
  instance?: string;
  sdk?: SdkName;
  kind?: Kind;
  call: string;
  method?: string;
  target?: string;
  scope?: string;
  credential?: string;
  profile?: Profile;
  outcome?: Outcome;
  status?: number;
  statusOrigin?: 'server' | 'sdk';
  code?: string;
  b24Code?: string;
  message?: string;
  warning?: string;
  /** Absent, null and a number are three different facts (AGENT_WRITE_ALREADY_EXECUTED). */
  firstStatus?: number | null;
  retryAfter?: string[];
  /** Seconds, as the body says. */
  retryAfterBody?: number;
  dateHeader?: string;
  /** Lower-case names from the allow-list only. */
  headers?: Record<string, string>;
  bodyErrors?: string[];
  bodySummary?: BodySummary;
  error?: ErrorNode;
  abortBy?: Aborter;
  idempotency?: Idempotency;
  fingerprint?: string;
  businessKey?: string;
  requestId?: string;
  jobId?: string;
  policy?: Policy;
  plannedDelayMs?: number;
  reason?: ResendReason;
  batch?: BatchPlace;
  /** The item of a platform batch call was not run (halt before it). */
  notRun?: boolean;
  parentOperationId?: string;
  amount?: Money;
  attributes?: Record<string, string>;
}

/**
 * Sent before the request leaves; without an attempt of that number the client is taken to have died. With
 * `itemsTold` it is the trace of a batch call whose answer came as items: it answers an announcement like an attempt.
 */
export interface AttemptStarted {
  type: 'attempt_started';
  id: string;
  operationId: string;
  attempt: number;
  startedAt: number;
  receivedAt?: number;
  environment: string;
  service: string;
  instance?: string;
  sdk?: SdkName;
  kind?: Kind;
  call: string;
  method?: string;
  target?: string;
  scope?: string;
  credential?: string;
  profile?: Profile;
  idempotency?: Idempotency;
  fingerprint?: string;
  businessKey?: string;
  policy?: Policy;
  amount?: Money;
  attributes?: Record<string, string>;
  /** Made by us where a carrying attempt was expanded, so that its own operation knows it came back. */
  itemsTold?: true;
}

export interface ReadBack {
  type: 'readback';
  id: string;
  operationId: string;
  startedAt: number;
  endedAt: number;
  environment: string;
  result: 'present' | 'absent' | 'inconclusive';
  criterion: 'unique' | 'weak';
  entityIds?: string[];
  oldestSeen?: number;
  exhausted?: boolean;
}

export interface AuthRefresh {
  type: 'auth_refresh';
  id: string;
  operationId?: string;
  environment: string;
  credential: string;
  startedAt: number;
  ok: boolean;
}

export interface CauseFixed {
  type: 'cause_fixed';
  id: string;
  operationId?: string;
  code?: string;
  service?: string;
  environment: string;
  startedAt: number;
}

export interface JobResult {
  type: 'job_result';
  id: string;
  operationId: string;
  jobId: string;
  environment: string;
  result: 'completed' | 'failed';
  code?: string;
  startedAt: number;
}

export interface Closed {
  type: 'closed';
  id: string;
  operationId: string;
  environment: string;
  startedAt: number;
  result: 'done' | 'abandoned';
  entityIds?: string[];
}

export interface WebhookDelivery {
  type: 'webhook_delivery';
  id: string;
  operationId?: string;
  environment: string;
  jobId: string;
  event: string;
  startedAt: number;
  status: number;
}

/** Clean first-try successes in bulk: the denominator of every rate. */
export interface Tally {
  type: 'tally';
  id: string;
  environment: string;
  service: string;
  instance?: string;
  call: string;
  kind?: Kind;
  target?: string;
  profile?: Profile;
  /** Start of the minute, epoch ms. */
  minute: number;
  successes: number;
}

export const EVENT_TYPES = [
  'attempt',
  'attempt_started',
  'readback',
  'auth_refresh',
  'cause_fixed',
  'job_result',
  'closed',
  'webhook_delivery',
  'tally',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export type Fact =
  Attempt | AttemptStarted | ReadBack | AuthRefresh | CauseFixed | JobResult | Closed | WebhookDelivery | Tally;
