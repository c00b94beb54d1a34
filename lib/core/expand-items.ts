import type { Attempt, BatchItem } from './attempt';
import { isRest3, resolveProfile, type ProfileContext } from './profile';

/**
 * A platform batch call → one attempt per item, each an operation of its own (contract, `batch`; domain.md V13).
 * The carrying attempt is then none itself.
 */

/** A batch that says how many items it had is completed up to this many. */
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

/** Items numbered 0…size−1 that the answer doesn't speak of: nobody knows what became of them. */
function missingItems(attempt: Attempt, items: readonly BatchItem[]): BatchItem[] {
  const size = attempt.batch?.size ?? 0;
  if (!Number.isInteger(size) || size <= items.length || size > ITEMS_MAX) return [];
  const known = new Set(items.map(({ item }) => item));
  const numbered = items.every(({ item }) => /^(?:0|[1-9]\d{0,5})$/.test(item) && Number(item) < size);
  if (!numbered) return [];
  return Array.from({ length: size }, (_, at) => ({ item: String(at) })).filter(({ item }) => !known.has(item));
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
 * @returns one attempt per item, missing ones included; the attempt itself when it has no items
 */
export function expandItems(
  attempt: Attempt,
  items: readonly BatchItem[],
  idOf: (item: BatchItem) => string,
  context: ProfileContext = { defaultProfile: 'http', targets: [] },
): Attempt[] {
  if (items.length === 0) return [attempt];
  const rest3 = resolveProfile(attempt, context) === 'bitrix_rest' && isRest3(attempt);
  const size = attempt.batch?.size ?? items.length;
  return [...items, ...missingItems(attempt, items)].map((item) => {
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
