import type { ReviewAction, ReviewEvent, ReviewItem } from '@/db/queries/review';
import type { Attempt, Fact } from '@/lib/core/attempt';
import type { KeyUse } from '@/lib/core/key-use';
import type { OperationConclusion, OperationState, Resolution, ResolutionFact, Settings } from '@/lib/core/operation';
import type { Actor } from '@/lib/core/project';
import { serverKeyOf } from '@/lib/core/profile';
import { passReview } from '@/lib/core/review';
import { currentRuleSet } from '@/lib/core/rules';
import type { FoldContext } from '@/lib/core/timeline';
import { amountOf, newerAmount } from './review-amount';

/** What one operation's conclusion asks of its review items. Pure: ids are made by the caller. */

export const SETTLER: Actor = { type: 'system', id: 'settle', name: 'Readback' };

export type ReviewChange = { write: 'insert' | 'update'; item: ReviewItem; events: Omit<ReviewEvent, 'id' | 'at'>[] };

export interface ReviewInput {
  conclusion: OperationConclusion;
  facts: readonly Fact[];
  /** Every episode, oldest first. */
  items: readonly ReviewItem[];
  /** Dimension of every send, by attempt event id. */
  dimensionOf: ReadonlyMap<string, string>;
  operationDimension: string;
  settings: Settings;
  /** Pinned editions. */
  ruleSets: NonNullable<FoldContext['ruleSets']>;
  now: number;
  makeId: () => string;
}

/** A person resolved it: people always leave a note, evidence never does. */
function isJudged(item: ReviewItem): boolean {
  return item.state === 'resolved' && item.resolutionNote !== null;
}

/** The newest judgement, for fold. */
export function findJudgement(items: readonly ReviewItem[]): ResolutionFact | undefined {
  const item = items.filter(isJudged).at(-1);
  return item?.resolution && item.resolvedAt !== null
    ? { resolution: item.resolution, resolvedAt: item.resolvedAt }
    : undefined;
}

/** @returns null when the items already say what the conclusion says. */
export function decideReview(input: ReviewInput): ReviewChange | null {
  const { conclusion, items } = input;
  const latest = items.at(-1);
  if (!latest) return conclusion.needsReview ? openEpisode(input, null) : null;
  if (latest.state !== 'resolved') {
    const proven = !conclusion.needsReview && isProven(conclusion);
    return proven && !wasOverruled(input, latest) ? settle(input, latest) : attach(input, latest);
  }
  if (!conclusion.needsReview) return attach(input, latest);
  const covered = new Set(items.flatMap((item) => item.facts.covered));
  const fresh = unclearSends(conclusion).filter((attempt) => !covered.has(attempt.id));
  const recurs = fresh.some((attempt) => !isJudged(latest) || attempt.startedAt > (latest.resolvedAt ?? 0));
  if (recurs) return openEpisode(input, latest);
  return isJudged(latest) ? attach(input, latest) : withdraw(input, latest);
}

/** Only a fact closes an item: never a suggestion, and a person's word is the item's own. */
function isProven({ doubt }: OperationConclusion): boolean {
  return doubt === null || (doubt.settledBy !== null && doubt.settledBy !== 'resolution');
}

/** Somebody reopened the item knowing what settled it; only a new fact of the kind that can prove closes it again. */
function wasOverruled({ facts }: ReviewInput, item: ReviewItem): boolean {
  const known = new Set(item.facts.facts.map((fact) => fact.id));
  return item.facts.reopened === true && !facts.some((fact) => !known.has(fact.id) && canProve(fact));
}

function canProve(fact: Fact): boolean {
  switch (fact.type) {
    case 'readback':
      return fact.criterion === 'unique' && fact.result !== 'inconclusive';
    case 'closed':
      return fact.result === 'done' && (fact.entityIds?.length ?? 0) > 0;
    case 'attempt':
    case 'job_result':
      return true;
    case 'attempt_started':
    case 'auth_refresh':
    case 'cause_fixed':
    case 'webhook_delivery':
    case 'tally':
      return false;
  }
}

function unclearSends({ attempts, doubt }: OperationConclusion): Attempt[] {
  const ids = new Set(doubt?.attemptEventIds ?? []);
  const unclear = attempts.filter(({ attempt }) => ids.has(attempt.id));
  const kept = unclear.length > 0 ? unclear : attempts.filter(({ verdict }) => verdict.effect !== 'none');
  return kept.map(({ attempt }) => attempt);
}

function keptUses({ takenKeys }: OperationConclusion): { keyUses?: KeyUse[] } {
  return takenKeys.length > 0 ? { keyUses: takenKeys } : {};
}

/** What the conclusion says an item of this operation holds. */
function describe(input: ReviewInput) {
  const { conclusion, facts, operationDimension, settings } = input;
  const sends = unclearSends(conclusion);
  const last = sends.at(-1);
  const doubtUntil = Math.floor(conclusion.doubt?.until ?? conclusion.lastAt);
  const openedAt = doubtUntil + settings.readBackGraceMs;
  return {
    cause:
      conclusion.state === 'succeeded_with_possible_duplicates'
        ? ('possible_duplicates' as const)
        : ('unknown_outcome' as const),
    dimensionId: (last && input.dimensionOf.get(last.id)) ?? operationDimension,
    doubtSince: Math.floor(conclusion.doubt?.since ?? conclusion.firstAt),
    doubtUntil,
    openedAt,
    dueAt: dueAt(input, openedAt),
    amount: amountOf(facts),
    suggestion: conclusion.suggestion,
    facts: { covered: sends.map((attempt) => attempt.id).sort(), facts: [...facts], ...keptUses(conclusion) },
  };
}

/** The deadline, or earlier where a server forgets the key of an unclear write: until then a repeat under it is safe. */
function dueAt({ conclusion, settings, ruleSets }: ReviewInput, openedAt: number): number {
  const { keyLifeMs: lifeMs } = ruleSets[conclusion.profile] ?? currentRuleSet(conclusion.profile);
  const keyed = conclusion.attempts.find(({ attempt }) => {
    const key = serverKeyOf(attempt, conclusion.profile);
    return key !== null && !conclusion.spoiltKeys.includes(key);
  });
  const byDeadline = openedAt + settings.reviewDeadlineMs;
  if (lifeMs === 0 || !keyed) return byDeadline;
  return Math.max(openedAt, Math.min(byDeadline, Math.floor(keyed.attempt.startedAt) + lifeMs));
}

function openEpisode(input: ReviewInput, previous: ReviewItem | null): ReviewChange {
  const described = describe(input);
  const state = described.openedAt > input.now ? 'waiting' : 'open';
  const item: ReviewItem = {
    ...described,
    id: input.makeId(),
    operationId: input.conclusion.operationId,
    episode: (previous?.episode ?? 0) + 1,
    version: 1,
    state,
    assignee: null,
    leaseUntil: null,
    snoozedUntil: null,
    resolution: null,
    resolutionNote: null,
    resolvedAt: null,
    resolvedBy: null,
  };
  const newValue = { state, cause: item.cause, ...(previous ? { previousItem: previous.id } : {}) };
  return { write: 'insert', item, events: [event(item, 'opened', null, newValue)] };
}

/** Facts that the item doesn't hold yet. */
function newsFor({ facts }: ReviewInput, item: ReviewItem): Fact[] {
  const known = new Set(item.facts.facts.map((fact) => fact.id));
  return facts.filter((fact) => !known.has(fact.id));
}

/** Facts of its own, or another operation's use of its key. */
function hasNews(input: ReviewInput, item: ReviewItem): boolean {
  const known = new Set(item.facts.keyUses?.map(({ eventId }) => eventId));
  return newsFor(input, item).length > 0 || input.conclusion.takenKeys.some(({ eventId }) => !known.has(eventId));
}

/** A doubt that is gone though nothing proved anything: another send explains it, or the rules are others now. */
function whyWithoutProof(input: ReviewInput, item: ReviewItem): 'late_attempt' | 'rules_changed' {
  return newsFor(input, item).length > 0 ? 'late_attempt' : 'rules_changed';
}

/** New facts join the item; a doubt that grew while the item still waits moves its opening. Nothing is reopened. */
function attach(input: ReviewInput, item: ReviewItem): ReviewChange | null {
  const described = describe(input);
  const news = newsFor(input, item);
  const alive = item.state !== 'resolved';
  const doubts = alive && input.conclusion.needsReview;
  const next: ReviewItem = {
    ...item,
    ...(doubts ? { cause: described.cause, dimensionId: described.dimensionId } : {}),
    ...(doubts ? { doubtSince: described.doubtSince, doubtUntil: described.doubtUntil } : {}),
    ...(doubts && item.state === 'waiting' ? { openedAt: described.openedAt, dueAt: described.dueAt } : {}),
    // Opened is opened; the deadline counts from there by the settings of now.
    ...(doubts && item.state !== 'waiting' ? { dueAt: dueAt(input, item.openedAt) } : {}),
    ...(alive ? { amount: newerAmount(item.amount, described.amount), suggestion: described.suggestion } : {}),
    facts: {
      ...item.facts,
      covered: [
        ...new Set([...item.facts.covered, ...(input.conclusion.needsReview ? described.facts.covered : [])]),
      ].sort(),
      facts: news.length > 0 ? [...item.facts.facts, ...news] : item.facts.facts,
      ...keptUses(input.conclusion),
    },
  };
  if (sameText(next, item)) return null;
  const events = news.length > 0 || !sameText(next.suggestion, item.suggestion) ? [evidence(item, next, news)] : [];
  return { write: 'update', item: next, events };
}

function evidence(item: ReviewItem, next: ReviewItem, news: readonly Fact[]) {
  return event(
    item,
    'evidence',
    { suggestion: item.suggestion?.resolution ?? null },
    {
      suggestion: next.suggestion?.resolution ?? null,
      facts: news.map((fact) => ({ id: fact.id, type: fact.type })),
    },
  );
}

const SETTLED_AS: Readonly<Record<OperationState, Resolution>> = {
  succeeded: 'applied_once',
  succeeded_with_possible_duplicates: 'applied_more_than_once',
  partially_applied: 'partly_applied',
  in_progress: 'not_applied',
  failed: 'not_applied',
  cancelled: 'not_applied',
  unresolved: 'cannot_be_known',
};

function settle(input: ReviewInput, item: ReviewItem): ReviewChange {
  const { conclusion, now } = input;
  const attached = attach(input, item);
  const state = passReview(item.state, 'proof_arrived') ?? item.state;
  const next: ReviewItem = {
    ...(attached?.item ?? item),
    state,
    assignee: null,
    leaseUntil: null,
    snoozedUntil: null,
    // A batch call is told by its items; as a whole it was neither applied nor not.
    resolution: conclusion.itemsOnly ? 'cannot_be_known' : SETTLED_AS[conclusion.state],
    resolutionNote: null,
    resolvedAt: now,
    resolvedBy: SETTLER.name,
  };
  const settled = event(
    item,
    'settled',
    { state: item.state, assignee: item.assignee?.name ?? null },
    { state, resolution: next.resolution, settledBy: conclusion.doubt?.settledBy ?? whyWithoutProof(input, item) },
  );
  return { write: 'update', item: next, events: [...(attached?.events ?? []), settled] };
}

/** What had settled it no longer does (a later-arriving fact changed the picture): back to the queue, said plainly. */
function withdraw(input: ReviewInput, item: ReviewItem): ReviewChange {
  const described = describe(input);
  const attached = attach(input, item);
  const state = passReview(item.state, 'proof_withdrawn') ?? item.state;
  const next: ReviewItem = {
    ...(attached?.item ?? item),
    cause: described.cause,
    dimensionId: described.dimensionId,
    doubtSince: described.doubtSince,
    doubtUntil: described.doubtUntil,
    suggestion: described.suggestion,
    state,
    resolution: null,
    resolutionNote: null,
    resolvedAt: null,
    resolvedBy: null,
  };
  const reopened = event(
    item,
    'reopened',
    { state: item.state, resolution: item.resolution },
    { state, reason: hasNews(input, item) ? 'proof_withdrawn' : 'rules_changed' },
  );
  return { write: 'update', item: next, events: [...(attached?.events ?? []), reopened] };
}

function event(
  item: ReviewItem,
  action: ReviewAction,
  oldValue: Record<string, unknown> | null,
  newValue: Record<string, unknown>,
): Omit<ReviewEvent, 'id' | 'at'> {
  return { itemId: item.id, actor: SETTLER, action, oldValue, newValue, note: null };
}

/** Equal content whatever the order of keys: rows come back from jsonb with keys of another order. */
function sameText(a: unknown, b: unknown): boolean {
  return sortedText(a) === sortedText(b);
}

function sortedText(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
