import type {
  AuthRefresh,
  CauseFixed,
  JobResult,
  Kind,
  Policy,
  Profile,
  ResendReason,
  Tally,
  WebhookDelivery,
} from '../../attempt';
import type { Finding, Settings } from '../../operation';
import type { Action, Effect } from '../../verdict';

/**
 * Checks that need many operations side by side. All are pure: the caller chooses a bounded window, hands over what it
 * holds of it, and gets findings that say what was looked at. Nothing is remembered between two calls.
 */

/** One send with what was concluded about it. Instants are epoch ms on the client's clock. */
export interface StreamSend {
  operationId: string;
  parentOperationId?: string;
  /** Id of the attempt event. */
  eventId: string;
  attempt: number;
  service: string;
  instance?: string;
  /** `name@version`. */
  sdk?: string;
  /** Whose clock the times are of: service and instance. */
  clock: string;
  call: string;
  /** Upper case, '' when unknown. */
  method: string;
  kind: Kind;
  profile: Profile;
  target?: string;
  scope?: string;
  credential?: string;
  action: Action;
  effect: Effect;
  /** Code and rule of the verdict. */
  code: string;
  rule: string;
  /** The verdict's gates hold `fix_auth`: a credential was refused. */
  authRefused: boolean;
  /** What the answer asked to wait, ms; null when nothing usable came. */
  askedMs: number | null;
  strict: boolean;
  /** The envelope carried a warning about a repeated error. */
  warned: boolean;
  /** A server said that this is a stored answer given once more. */
  replayed: boolean;
  startAt: number;
  /** Head, else end, else start. */
  refAt: number;
  endAt: number;
  /** Our own clock, when the event came in. */
  receivedAt?: number;
  reason?: ResendReason;
  policy?: Policy;
  fingerprint?: string;
  keyHash?: string;
  /** The key, where the server enforces it (X7); null otherwise. */
  serverKey: string | null;
  jobId?: string;
  /** The send before it in its operation, where the stream holds it; null for the first. */
  previous: StreamSend | null;
}

/** Facts beside sends, in any order, repeats allowed (the id decides). */
export interface StreamFacts {
  refreshes: readonly AuthRefresh[];
  fixes: readonly CauseFixed[];
  deliveries: readonly WebhookDelivery[];
  jobs: readonly JobResult[];
  /** Clean first tries in bulk: they belong to the denominator of M17. */
  tallies: readonly Tally[];
}

/** Half-open, epoch ms. */
export interface StreamWindow {
  from: number;
  to: number;
}

export interface StreamInput {
  /**
   * Findings are of what happened inside it, so that neighbouring windows neither overlap nor leave a gap. Sends and
   * facts may reach further back and ahead (`lookBackMs`, `lookAheadMs` of a check): they are looked at, not reported.
   */
  window: StreamWindow;
  /** In any order. */
  sends: readonly StreamSend[];
  facts: StreamFacts;
  settings: Settings;
  /** From when on sends were handed over, where that is before the window; epoch ms. */
  seenFrom?: number;
  /** How long after its latest sign a state that only an event ends still holds, ms; for ever unless told. */
  heldMs?: number;
}

export type SubjectKind = 'service' | 'target' | 'credential' | 'scope' | 'job' | 'operation';

export interface StreamFinding extends Finding {
  /** The operation it is charged to; absent where it is of none alone. `evidence.operationIds` names some of the rest. */
  operationId?: string;
  subject: { kind: SubjectKind; value: string };
  /** Epoch ms it belongs to; always inside the window. With check, subject and `operationId` it names the finding. */
  at: number;
  window: StreamWindow;
  lookedAt: { operations: number; attempts: number };
}

/** What a check found, before the window and the numbers looked at are written on it. */
export type StreamHit = Omit<StreamFinding, 'window' | 'lookedAt'>;

/** What sends must share to be of interest to one another: a caller may hand over one group at a time. */
export type StreamGroup = 'scope' | 'service' | 'target' | 'credential' | 'key' | 'fingerprint' | 'job' | 'chain';

export interface StreamCheck {
  check: string;
  groupBy: StreamGroup;
  /** How far before and after the window sends and facts bear on it, ms. */
  lookBackMs: (settings: Settings) => number;
  lookAheadMs: (settings: Settings) => number;
  /** All that it sees in what was handed over; `findWith` drops what lies outside the window. */
  find: (input: StreamInput) => StreamHit[];
}

const OPERATIONS_SHOWN = 20;

/** Some of the operations concerned, for `evidence.operationIds`. */
export function operationIdsOf(sends: readonly Pick<StreamSend, 'operationId'>[]): string[] {
  const ids = new Set<string>();
  for (const { operationId } of sends) {
    ids.add(operationId);
    if (ids.size === OPERATIONS_SHOWN) break;
  }
  return [...ids];
}

/** @returns groups in order of first appearance; what has no key is left out */
export function groupSends<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | undefined,
): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function byStartAt(a: StreamSend, b: StreamSend): number {
  return a.startAt - b.startAt || a.attempt - b.attempt || compareText(a.eventId, b.eventId);
}

/** Facts in order of time; ids decide between equal instants, so that the order of arrival never matters. */
export function byStartedAt(a: { startedAt: number; id: string }, b: { startedAt: number; id: string }): number {
  return a.startedAt - b.startedAt || compareText(a.id, b.id);
}

/** Portal or account where it is told, else the host with its credential (domain.md §7, `scope_key`). */
export function scopeKeyOf({ scope, target, credential }: StreamSend): string | undefined {
  if (scope !== undefined) return scope;
  return target === undefined && credential === undefined ? undefined : `${target ?? ''} ${credential ?? ''}`.trim();
}
