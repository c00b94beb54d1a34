import type { Attempt, AttemptStarted, BatchItem } from './attempt';
import { isRest3, resolveProfile, type ProfileContext } from './profile';

/**
 * A platform batch call → one attempt per item, each an operation of its own (contract, `batch`; domain.md V13).
 * The carrying attempt is then none itself.
 */

/** A batch that says how many items it had is completed up to this many: as many as one body may hold. */
const ITEMS_MAX = 5000;

function is2xx(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status <= 299;
}

/** The envelope arrived whole and speaks of its items; anything else is every item's own failure. */
function isCarried(attempt: Attempt): boolean {
  const sound = attempt.outcome === undefined || attempt.outcome === 'success' || attempt.outcome === 'http_error';
  const code = attempt.code?.trim() ?? '';
  return is2xx(attempt.status) && attempt.statusOrigin !== 'sdk' && sound && !attempt.error && code === '';
}

/**
 * Items that the answer doesn't speak of: nobody knows what became of them. An item without a name of its own is
 * called by its place, so these take the lowest free places.
 */
function missingItems(attempt: Attempt, items: readonly BatchItem[]): BatchItem[] {
  const size = Math.min(attempt.batch?.size ?? 0, ITEMS_MAX);
  const known = new Set(items.map(({ item }) => item));
  const missing: BatchItem[] = [];
  for (let place = 0; place < size && known.size + missing.length < size; place++) {
    if (!known.has(String(place))) missing.push({ item: String(place) });
  }
  return missing;
}

/** What the item shares with the call that carried it: times, caller, target, policy, the wait it asked for. */
function carried(attempt: Attempt): Attempt {
  const rest = { ...attempt };
  // These speak of the whole call; on an item they would be counted or compared wrongly.
  delete rest.fingerprint;
  delete rest.businessKey;
  delete rest.amount;
  delete rest.jobId;
  delete rest.bodyErrors;
  delete rest.bodySummary;
  delete rest.firstStatus;
  delete rest.kind;
  return rest;
}

/** The answer of the call itself, removed where the item has its own. */
function withoutAnswer(attempt: Attempt): Attempt {
  const rest = { ...attempt };
  delete rest.status;
  delete rest.statusOrigin;
  delete rest.code;
  delete rest.b24Code;
  delete rest.message;
  delete rest.warning;
  delete rest.outcome;
  delete rest.error;
  delete rest.abortBy;
  return rest;
}

/** Nobody said what became of this item. */
function unknownItem(base: Attempt): Attempt {
  return { ...withoutAnswer(base), outcome: 'network_error', error: { name: 'ItemWithoutOutcome' } };
}

function ownAnswer(base: Attempt, item: BatchItem, envelope2xx: boolean): Attempt {
  const own: Attempt = { ...withoutAnswer(base) };
  if (item.status !== undefined) own.status = item.status;
  if (item.code !== undefined) own.code = item.code;
  if (envelope2xx && (own.code !== undefined || !is2xx(own.status)) && own.batch) {
    own.batch = { ...own.batch, partial: true };
  }
  return own;
}

function answerOf(base: Attempt, item: BatchItem, attempt: Attempt, rest3: boolean): Attempt {
  const carriedWell = isCarried(attempt);
  if (item.notRun === true) return { ...withoutAnswer(base), notRun: true };
  if (item.status !== undefined || (item.code ?? '').trim() !== '') return ownAnswer(base, item, carriedWell);
  // Silence under a sound envelope is no success. REST 3.0 answers one error for all: earlier items may have run.
  if (carriedWell || (rest3 && (attempt.code ?? '') !== '')) return unknownItem(base);
  return base;
}

/**
 * @param idOf id of an item's event, derived by the caller from the carrying event's id and the item
 * @returns one attempt per item, missing ones included; the attempt itself when it has no items and says no size
 */
export function expandItems(
  attempt: Attempt,
  items: readonly BatchItem[],
  idOf: (item: BatchItem) => string,
  context: ProfileContext = { defaultProfile: 'http', targets: [] },
): Attempt[] {
  const all = [...items, ...missingItems(attempt, items)];
  if (all.length === 0) return [attempt];
  const rest3 = resolveProfile(attempt, context) === 'bitrix_rest' && isRest3(attempt);
  const size = Math.max(attempt.batch?.size ?? 0, all.length);
  return all.map((item) => {
    const base: Attempt = {
      ...carried(attempt),
      id: idOf(item),
      operationId: item.operationId ?? `${attempt.operationId}#${item.item}`,
      batch: { id: attempt.batch?.id ?? attempt.id, item: item.item, size },
      call: item.call ?? attempt.call,
    };
    // The verb is the batch call's; it says nothing of an item with a call of its own.
    if (item.call !== undefined) delete base.method;
    const kind = item.kind ?? (item.call === undefined ? attempt.kind : undefined);
    return answerOf(kind === undefined ? base : { ...base, kind }, item, attempt, rest3);
  });
}

/** What is left of the carrying attempt itself once its items stand for it. @param id of the trace, derived */
export function traceOfBatch(attempt: Attempt, id: string): AttemptStarted {
  const { operationId, attempt: number, startedAt, environment, service, instance, call } = attempt;
  const place = instance === undefined ? {} : { instance };
  return {
    type: 'attempt_started',
    id,
    operationId,
    attempt: number,
    startedAt,
    environment,
    service,
    ...place,
    call,
    itemsTold: true,
  };
}
