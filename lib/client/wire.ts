/**
 * Events as an application sends them (docs/api.md, POST /api/v1/events).
 * Instants are epoch milliseconds, durations end in `Ms`. Bodies, tokens and credentials' values have no field here.
 */
import type {
  Aborter,
  Attempt,
  AttemptStarted,
  BatchPlace,
  BodySummary,
  ErrorNode,
  KeyMode,
  Kind,
  Money,
  Outcome,
  Policy,
  Profile,
  ReadBack,
  ResendReason,
  SdkName,
} from '../core/attempt';

/** The key travels to Readback, which stores only a keyed hash of it. */
export interface IdempotencyWire {
  key?: string;
  mode?: KeyMode;
  replayed?: boolean;
}

export interface BatchItemWire {
  item: string;
  kind?: Kind;
  call?: string;
  status?: number;
  code?: string;
  operationId?: string;
  notRun?: boolean;
}

/** What the reporter fills in by itself, so that callers give only the rest. */
interface Stamped {
  id?: string;
  environment?: string;
}

interface Sender {
  service?: string;
  instance?: string;
  sdk?: SdkName;
}

export interface AttemptWire extends Stamped, Sender {
  type?: 'attempt';
  operationId: string;
  attempt: number;
  startedAt: number;
  headersAt?: number;
  endedAt?: number;
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
  firstStatus?: number | null;
  retryAfter?: string | string[];
  retryAfterBody?: number;
  dateHeader?: string;
  headers?: Record<string, string>;
  bodyErrors?: string[];
  bodySummary?: BodySummary;
  error?: ErrorNode;
  abortBy?: Aborter;
  idempotency?: IdempotencyWire;
  fingerprint?: string;
  businessKey?: string;
  requestId?: string;
  jobId?: string;
  policy?: Policy;
  /** The wait chosen before this send. */
  plannedDelayMs?: number;
  reason?: ResendReason;
  batch?: BatchPlace;
  items?: BatchItemWire[];
  parentOperationId?: string;
  amount?: Money;
  attributes?: Record<string, string>;
}

export interface AttemptStartedWire
  extends Stamped, Sender, Omit<AttemptStarted, keyof Stamped | keyof Sender | 'receivedAt' | 'idempotency'> {
  idempotency?: IdempotencyWire;
}

export type ReadBackWire = Stamped & Omit<ReadBack, keyof Stamped>;

export interface AuthRefreshWire extends Stamped {
  type: 'auth_refresh';
  credential: string;
  startedAt: number;
  ok: boolean;
  operationId?: string;
}

export interface CauseFixedWire extends Stamped {
  type: 'cause_fixed';
  startedAt: number;
  operationId?: string;
  code?: string;
  service?: string;
}

export interface JobResultWire extends Stamped {
  type: 'job_result';
  operationId: string;
  jobId: string;
  result: 'completed' | 'failed';
  code?: string;
  startedAt: number;
}

export interface ClosedWire extends Stamped {
  type: 'closed';
  operationId: string;
  startedAt: number;
  result: 'done' | 'abandoned';
  entityIds?: string[];
}

export interface WebhookDeliveryWire extends Stamped {
  type: 'webhook_delivery';
  jobId: string;
  event: string;
  startedAt: number;
  status: number;
}

export interface TallyWire extends Stamped, Sender {
  type: 'tally';
  call: string;
  kind?: Kind;
  target?: string;
  profile?: Profile;
  /** Start of the minute, epoch ms. */
  minute: number;
  successes: number;
}

export type EventWire =
  | AttemptWire
  | AttemptStartedWire
  | ReadBackWire
  | AuthRefreshWire
  | CauseFixedWire
  | JobResultWire
  | ClosedWire
  | WebhookDeliveryWire
  | TallyWire;

/** What the caller of an adapter says about the request, once for all its sends. */
export interface CallFacts extends Pick<
  Attempt,
  | 'operationId'
  | 'call'
  | 'kind'
  | 'target'
  | 'scope'
  | 'credential'
  | 'profile'
  | 'fingerprint'
  | 'businessKey'
  | 'policy'
  | 'parentOperationId'
  | 'amount'
  | 'attributes'
> {
  idempotency?: IdempotencyWire;
}
