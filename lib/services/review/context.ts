import type { Database } from '../../../db/client';
import type { Role } from '../../core/permission';
import type { Actor, AuthorizedProject } from '../../core/project';

/** What every verb is given. A page's or a key's context fits. */
export interface VerbContext {
  db: Database;
  project: AuthorizedProject;
  actor: Actor;
  role: Role;
  /** Epoch ms. */
  now: number;
  requestId: string;
}

/** What is wrong with one field of the input; `pointer` is RFC 6901. */
interface InputFault {
  pointer: string;
  detail: string;
}

/**
 * Why nothing was changed. `held` comes with who holds the item and for how long yet;
 * after `stale_version`, `wrong_state` and `held_by_other` the caller shows the current item.
 */
export type ReviewVerbRefusal =
  | { code: 'forbidden' }
  | { code: 'not_found' }
  | { code: 'invalid_request'; faults: InputFault[] }
  | { code: 'stale_version' | 'wrong_state' }
  | { code: 'held_by_other'; holder: string; remainingLeaseMs: number };

export type VerbResult<T> = { ok: true; value: T } | { ok: false; refusal: ReviewVerbRefusal };

/** Names the item that was changed; its view is read by `getReviewItem`. */
export interface ChangedItem {
  id: string;
}
