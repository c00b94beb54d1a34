import { may, type Permission, type Role } from './permission';
import { refuse, ok, type Result } from './result';

/**
 * States of a review item and the moves between them, as data.
 * Time (`grace`, `lease`, `wake`) and evidence move items too: those moves have no actor and no permission.
 */

export const REVIEW_STATES = ['waiting', 'open', 'claimed', 'snoozed', 'resolved'] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

export const REVIEW_VERBS = ['claim', 'release', 'note', 'snooze', 'resolve', 'reopen'] as const;
export type ReviewVerb = (typeof REVIEW_VERBS)[number];

/** Moves nobody asks for: time passed, or a fact arrived. */
export type ReviewPassage = 'grace_over' | 'lease_over' | 'snooze_over' | 'proof_arrived' | 'proof_withdrawn';

export interface ReviewMove {
  from: readonly ReviewState[];
  /** null keeps the state. */
  to: ReviewState | null;
  permission: Permission;
  /** `holder`: a claimed item only by who holds it, unless `otherPermission` is held. */
  holder: boolean;
  otherPermission: Permission | null;
}

const ALIVE = ['waiting', 'open', 'claimed', 'snoozed'] as const;

export const REVIEW_MOVES: Readonly<Record<ReviewVerb, ReviewMove>> = {
  // Claimed again by its holder to renew the lease; while the lease lives only a lead takes over, under both names.
  claim: {
    from: ALIVE,
    to: 'claimed',
    permission: 'review.work',
    holder: true,
    otherPermission: 'review.release_other',
  },
  release: {
    from: ['claimed'],
    to: 'open',
    permission: 'review.work',
    holder: true,
    otherPermission: 'review.release_other',
  },
  note: {
    from: [...ALIVE, 'resolved'],
    to: null,
    permission: 'review.work',
    holder: false,
    otherPermission: null,
  },
  snooze: { from: ALIVE, to: 'snoozed', permission: 'review.work', holder: true, otherPermission: null },
  resolve: { from: ALIVE, to: 'resolved', permission: 'review.work', holder: true, otherPermission: null },
  reopen: { from: ['resolved'], to: 'open', permission: 'review.work', holder: false, otherPermission: null },
};

const REVIEW_PASSAGE_MOVES: Readonly<Record<ReviewPassage, { from: readonly ReviewState[]; to: ReviewState }>> = {
  grace_over: { from: ['waiting'], to: 'open' },
  lease_over: { from: ['claimed'], to: 'open' },
  snooze_over: { from: ['snoozed'], to: 'open' },
  proof_arrived: { from: ALIVE, to: 'resolved' },
  proof_withdrawn: { from: ['resolved'], to: 'open' },
};

export type ReviewRefusal = 'forbidden' | 'wrong_state' | 'held_by_other';

/** What a move needs to know about the item: `holder` is null when nobody holds it or the lease has run out. */
export interface ReviewPlace {
  state: ReviewState;
  holder: string | null;
}

/**
 * May this actor make this move now, and where does the item go.
 * The version is compared by the caller's conditional update, not here.
 */
export function moveReview(
  place: ReviewPlace,
  verb: ReviewVerb,
  actor: { id: string; role: Role },
): Result<ReviewState, ReviewRefusal> {
  const move = REVIEW_MOVES[verb];
  if (!may(actor.role, move.permission)) return refuse('forbidden');
  if (!move.from.includes(place.state)) return refuse('wrong_state');
  const heldByOther = place.state === 'claimed' && place.holder !== null && place.holder !== actor.id;
  if (move.holder && heldByOther) {
    const allowed = move.otherPermission !== null && may(actor.role, move.otherPermission);
    if (!allowed) return refuse('held_by_other');
  }
  return ok(move.to ?? place.state);
}

/** Where time or a new fact moves the item; null when it doesn't. */
export function passReview(state: ReviewState, passage: ReviewPassage): ReviewState | null {
  const move = REVIEW_PASSAGE_MOVES[passage];
  return move.from.includes(state) ? move.to : null;
}
