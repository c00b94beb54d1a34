import type { Attempt, AttemptStarted, Fact } from './attempt';
import { methodOf, nameOfCall } from './kind';
import { hostOf, isRest3 } from './profile';

/**
 * Who used an idempotency key for what (domain.md X7, M11, Q12). A key vouches for a write only while it stands for one
 * request; a key that was used for another one is never trusted, whichever operation did it and in whatever order.
 */

/** One send's claim on a key, as its client told it: a fact, whatever rules the send is judged by. */
export interface KeyUse {
  /** Id of the attempt's event, or of its announcement. */
  eventId: string;
  operationId: string;
  parentOperationId?: string;
  keyHash: string;
  /** Epoch ms on the client's clock. */
  startedAt: number;
  /** What was asked for: route or business method, and the verb, '' when unknown. */
  call: string;
  method: string;
  /** Of whom: host or platform, and portal or account, where they were told. */
  host?: string;
  scope?: string;
  rest3: boolean;
  fingerprint?: string;
  /** The platform's batch call that this is an item of: one request under one key. */
  batch?: string;
}

/** Longest time that a server remembers a key for, ms: no edition of any profile says more. */
export const KEY_LIFE_MAX_MS = 86_400_000;

/** More operations than these under one key are not looked at, and the key not trusted. */
export const KEY_OPERATIONS_MAX = 500;

/** More ways to ask under one key within one operation are not compared, and the key not trusted. */
const KEY_REQUESTS_MAX = 100;

function textOf(value: string | undefined): string | undefined {
  return value?.trim().toLowerCase() || undefined;
}

/** @returns null where it used no key */
export function keyUseOf(fact: Attempt | AttemptStarted): KeyUse | null {
  const keyHash = fact.idempotency?.keyHash;
  if (!keyHash) return null;
  const { id, operationId, startedAt, call, target, fingerprint } = fact;
  const own = fact.type === 'attempt' ? fact : { parentOperationId: undefined, batch: undefined };
  const { parentOperationId, batch } = own;
  const host = textOf(target && hostOf(target.trim()));
  const scope = textOf(fact.scope);
  return {
    eventId: id,
    operationId,
    ...(parentOperationId === undefined ? {} : { parentOperationId }),
    keyHash,
    startedAt,
    call: nameOfCall(call),
    method: methodOf(fact),
    ...(host === undefined ? {} : { host }),
    ...(scope === undefined ? {} : { scope }),
    rest3: isRest3(fact),
    ...(fingerprint === undefined ? {} : { fingerprint }),
    ...(batch?.item === undefined ? {} : { batch: `${batch.id} ${startedAt}` }),
  };
}

/** Every use of a key that some facts tell of, announced sends included. */
export function keyUsesOf(facts: readonly Fact[]): KeyUse[] {
  const uses: KeyUse[] = [];
  for (const fact of facts) {
    const use = fact.type === 'attempt' || fact.type === 'attempt_started' ? keyUseOf(fact) : null;
    if (use) uses.push(use);
  }
  return uses;
}

/** Keys that one operation used more than once: what is concluded of it can hang on them. */
export function keysRelied(uses: readonly KeyUse[]): ReadonlySet<string> {
  const once = new Set<string>();
  const relied = new Set<string>();
  for (const { keyHash } of uses) (once.has(keyHash) ? relied : once).add(keyHash);
  return relied;
}

function differ(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}

function lastWord(call: string): string {
  return call.slice(call.lastIndexOf('/') + 1);
}

/**
 * Could one server have met both keys as one. Other hosts and accounts keep their own; REST 3.0 keeps them by method.
 * @param bitrix the operation's own sends are judged by `bitrix_rest`
 */
export function inOneKeyspace(a: KeyUse, b: KeyUse, bitrix: boolean): boolean {
  if (differ(a.host, b.host) || differ(a.scope, b.scope)) return false;
  return !(bitrix && a.rest3 && b.rest3 && lastWord(a.call) !== lastWord(b.call));
}

function asksAnother(a: KeyUse, b: KeyUse, bitrix: boolean): boolean {
  if (differ(a.fingerprint, b.fingerprint)) return true;
  if (bitrix) return lastWord(a.call) !== lastWord(b.call);
  return a.call !== b.call || differ(a.method || undefined, b.method || undefined);
}

function isFollowedBy(a: KeyUse, b: KeyUse): boolean {
  return a.parentOperationId === b.operationId || b.parentOperationId === a.operationId;
}

/**
 * Another operation's use that this one can't be told to repeat. A new operation needs a new key, so without a
 * fingerprint on both only a follow-up keeps its key (M11): in doubt it was another request.
 */
function isForAnother(own: KeyUse, other: KeyUse, bitrix: boolean): boolean {
  if (Math.abs(other.startedAt - own.startedAt) > KEY_LIFE_MAX_MS) return false;
  if (!inOneKeyspace(own, other, bitrix)) return false;
  if (asksAnother(own, other, bitrix)) return true;
  const told = own.fingerprint !== undefined && other.fingerprint !== undefined;
  return !told && !isFollowedBy(own, other);
}

/** One of every way to ask: repeats of one request say nothing new. */
function distinctRequests(uses: readonly KeyUse[]): KeyUse[] {
  const known = new Map<string, KeyUse>();
  for (const use of uses) {
    const { call, method, host, scope, rest3, fingerprint } = use;
    const text = JSON.stringify([call, method, host, scope, rest3, fingerprint]);
    if (!known.has(text)) known.set(text, use);
  }
  return [...known.values()];
}

function changedWithin(uses: readonly KeyUse[], bitrix: boolean): boolean {
  const requests = distinctRequests(uses);
  if (requests.length > KEY_REQUESTS_MAX) return true;
  return requests.some((a, at) =>
    requests.slice(at + 1).some((b) => {
      return differ(a.fingerprint, b.fingerprint) || (inOneKeyspace(a, b, bitrix) && asksAnother(a, b, bitrix));
    }),
  );
}

function byTime(a: KeyUse, b: KeyUse): number {
  return a.startedAt - b.startedAt || (a.eventId < b.eventId ? -1 : a.eventId > b.eventId ? 1 : 0);
}

function groupByKey(uses: readonly KeyUse[]): Map<string, KeyUse[]> {
  const groups = new Map<string, KeyUse[]>();
  for (const use of uses) {
    const group = groups.get(use.keyHash);
    if (group) group.push(use);
    else groups.set(use.keyHash, [use]);
  }
  return groups;
}

/** Where more operations than are looked at share a key, one use of as many as it takes to see that. */
function boundUses(uses: readonly KeyUse[]): readonly KeyUse[] {
  const operations = new Map<string, KeyUse>();
  for (const use of uses) if (!operations.has(use.operationId)) operations.set(use.operationId, use);
  return operations.size <= KEY_OPERATIONS_MAX + 1 ? uses : [...operations.values()].slice(0, KEY_OPERATIONS_MAX + 2);
}

/**
 * @param uses by any operations, those of each as a whole
 * @returns for an operation, what others used the keys for that its conclusion can hang on
 */
export function findUsesElsewhere(uses: readonly KeyUse[]): (operationId: string) => KeyUse[] {
  const relied = new Map<string, Set<string>>();
  const byKey = new Map<string, readonly KeyUse[]>();
  for (const [keyHash, own] of groupByKey(uses)) {
    const sorted = [...own].sort(byTime);
    byKey.set(keyHash, boundUses(sorted));
    const once = new Set<string>();
    for (const { operationId } of sorted) {
      if (once.has(operationId)) relied.set(operationId, (relied.get(operationId) ?? new Set()).add(keyHash));
      once.add(operationId);
    }
  }
  return (operationId) =>
    [...(relied.get(operationId) ?? [])].flatMap((keyHash) =>
      (byKey.get(keyHash) ?? []).filter((use) => use.operationId !== operationId),
    );
}

/** The earliest use of a key elsewhere by which this operation's own uses can't be trusted. */
function takenElsewhere(own: readonly KeyUse[], others: readonly KeyUse[], bitrix: boolean): KeyUse | undefined {
  const sorted = [...others].sort(byTime);
  if (new Set(sorted.map(({ operationId }) => operationId)).size > KEY_OPERATIONS_MAX) return sorted[0];
  const batches = new Set(own.map(({ batch }) => batch));
  return sorted.find((other) => {
    if (other.batch !== undefined && batches.has(other.batch)) return false;
    return own.some((use) => isForAnother(use, other, bitrix));
  });
}

export interface KeyJudgement {
  /** Hashes of keys that nothing is concluded from. */
  spoilt: ReadonlySet<string>;
  /** Of those, what other operations used them for: one use a key, the earliest. */
  taken: KeyUse[];
}

export const NO_KEYS: KeyJudgement = { spoilt: new Set(), taken: [] };

/**
 * Which keys of one operation are not to be trusted. The same for every order of the uses.
 * @param own every use by the operation itself
 * @param elsewhere uses by other operations; those of keys that it doesn't have are left out
 * @param bitrix its sends are judged by `bitrix_rest`, where the verb says nothing
 */
export function judgeKeys(own: readonly KeyUse[], elsewhere: readonly KeyUse[], bitrix: boolean): KeyJudgement {
  const relied = keysRelied(own);
  if (relied.size === 0) return NO_KEYS;
  const spoilt = new Set<string>();
  const taken: KeyUse[] = [];
  const others = groupByKey(elsewhere.filter(({ keyHash }) => relied.has(keyHash)));
  for (const [keyHash, uses] of groupByKey(own)) {
    if (!relied.has(keyHash)) continue;
    const other = takenElsewhere(uses, others.get(keyHash) ?? [], bitrix);
    if (other) taken.push(other);
    if (other || changedWithin(uses, bitrix)) spoilt.add(keyHash);
  }
  return { spoilt, taken: taken.sort(byTime) };
}
