import type { Database } from '../../db/client';
import type { Actor, AuthorizedProject } from '../core/project';
import { ok, refuse, type Result } from '../core/result';
import { findKey, matchesKey, noteKeyUse, parseKeyText, type KeyScope } from './key';

export interface AuthorizedKey {
  project: AuthorizedProject;
  scope: KeyScope;
  keyId: string;
  name: string;
  /** Keys the hashes of idempotency keys and credentials of this project. */
  hashSecret: Buffer;
  /** Epoch ms: events from before are refused, because nobody could tell a re-sent one any more. */
  keptFrom: number;
  actor: Actor;
  /** Limits of what it may send, null: the service's default, and any number. */
  eventsPerSecond: number | null;
  dailyEventsMax: number | null;
}

/** Problem codes: the first three are 401, the last 403. */
export type KeyRefusal = 'missing_credentials' | 'invalid_credentials' | 'key_revoked' | 'wrong_scope';

const BEARER = /^bearer +(\S+) *$/i;

/**
 * Lets the holder of a key into the key's project.
 * @param authorization the request's one `Authorization` header; several are the caller's to refuse
 * @param scopes any of these is enough
 * @param now epoch ms
 * @throws what the database throws when the key isn't in memory and can't be read
 */
export async function authorizeKey(
  db: Database,
  authorization: string | null | undefined,
  scopes: readonly KeyScope[],
  now: number = Date.now(),
): Promise<Result<AuthorizedKey, KeyRefusal>> {
  const text = authorization?.trim() ?? '';
  if (!/^bearer( |$)/i.test(text)) return refuse('missing_credentials');
  const parsed = parseKeyText(BEARER.exec(text)?.[1] ?? '');
  if (!parsed) return refuse('invalid_credentials');
  const known = await findKey(db, parsed.keyId);
  if (!matchesKey(known, parsed)) return refuse('invalid_credentials');
  if (known.revoked) return refuse('key_revoked');
  if (!scopes.includes(known.scope)) return refuse('wrong_scope');
  void noteKeyUse(db, known, now);
  const { project, scope, keyId, name, hashSecret, eventsPerSecond, dailyEventsMax, keptFrom } = known;
  const actor: Actor = { type: 'key', id: keyId, name };
  return ok({ project, scope, keyId, name, hashSecret, keptFrom, actor, eventsPerSecond, dailyEventsMax });
}
