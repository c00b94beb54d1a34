import { hash, timingSafeEqual } from 'node:crypto';
import { and, eq, isNull, lt, or } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../db/client';
import { apiKey, project, retentionMark } from '../../db/schema';
import type { AuthorizedProject } from '../core/project';
import type { KeyScope, KeyText } from '../platform/key-text';
import { toAuthorizedProject } from './authorize';

/** API keys as rows: what is stored of one, and how one is found again. */

export { KEY_SCOPES, makeKeyText, parseKeyText } from '../platform/key-text';
export type { KeyScope, KeyText } from '../platform/key-text';

/** A revoked key, or a changed project, is noticed everywhere within this time. */
const KEY_CACHE_MS = 10_000;
/** A request waits so long for its key at most; its deadline is five seconds. */
const KEY_PATIENCE_MS = 2_500;
const KEYS_MAX = 5_000;
const USED_EVERY_MS = 60_000;

export interface KnownKey {
  keyId: string;
  name: string;
  scope: KeyScope;
  secretHash: Buffer;
  revoked: boolean;
  project: AuthorizedProject;
  /** Keys the hashes of this project's secrets; never leaves the server. */
  hashSecret: Buffer;
  /** Epoch ms: retention has let go of what is older. */
  keptFrom: number;
  /** Epoch ms of the last use that was written down. */
  usedAt: number;
  /** Events a second through one process; null: the service's default. */
  eventsPerSecond: number | null;
  /** New events a day (UTC) that the project takes; null: any number. */
  dailyEventsMax: number | null;
}

/** SHA-256 of a key's secret: 190 random bits need no salt and no slow hash. */
export function hashKeySecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

const DUMMY_HASH = hashKeySecret('no such key');

/** An unknown key is compared with something too, so that it takes as long as a wrong secret. */
export function matchesKey(known: KnownKey | null, text: KeyText): known is KnownKey {
  const equal = timingSafeEqual(hashKeySecret(text.secret), known?.secretHash ?? DUMMY_HASH);
  return equal && known !== null && known.scope === text.scope;
}

const UNKNOWN = Symbol('unknown key');
type Cached = KnownKey | typeof UNKNOWN;
const caches = new WeakMap<Database, LRUCache<string, Cached>>();

/**
 * The key's row, from memory when it was read less than {@link KEY_CACHE_MS} ago; many at once ask only once.
 * @throws what the database throws; CONNECT_TIMEOUT when it says nothing for {@link KEY_PATIENCE_MS}
 */
export async function findKey(db: Database, keyId: string): Promise<KnownKey | null> {
  const cache = cacheOf(db);
  const found = cache.get(keyId) ?? (await withPatience(cache.fetch(keyId)));
  return found === undefined || found === UNKNOWN ? null : found;
}

/** The driver itself waits for a free connection as long as it takes. */
async function withPatience<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(Object.assign(new Error('the key was not read in time'), { code: 'CONNECT_TIMEOUT' }));
    }, KEY_PATIENCE_MS);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Makes this process read the key anew; others notice within {@link KEY_CACHE_MS}. */
export function forgetKey(db: Database, keyId: string): void {
  caches.get(db)?.delete(keyId);
}

function cacheOf(db: Database): LRUCache<string, Cached> {
  let cache = caches.get(db);
  if (!cache) {
    cache = new LRUCache<string, Cached>({
      max: KEYS_MAX,
      ttl: KEY_CACHE_MS,
      fetchMethod: async (keyId) => (await readKey(db, keyId)) ?? UNKNOWN,
    });
    caches.set(db, cache);
  }
  return cache;
}

async function readKey(db: Database, keyId: string): Promise<KnownKey | null> {
  const [row] = await db.orm
    .select({ key: apiKey, project, keptFrom: retentionMark.keptFrom })
    .from(apiKey)
    .innerJoin(project, eq(project.id, apiKey.projectId))
    .leftJoin(retentionMark, eq(retentionMark.projectId, apiKey.projectId))
    .where(eq(apiKey.keyId, keyId))
    .limit(1);
  if (!row) return null;
  return {
    keyId: row.key.keyId,
    name: row.key.name,
    scope: row.key.scope as KeyScope,
    secretHash: row.key.secretHash,
    revoked: row.key.revokedAt !== null,
    project: toAuthorizedProject(row.project),
    hashSecret: row.project.hashSecret,
    keptFrom: row.keptFrom?.getTime() ?? 0,
    usedAt: row.key.lastUsedAt?.getTime() ?? 0,
    eventsPerSecond: row.key.eventsPerSecond,
    dailyEventsMax: row.project.dailyEventsMax,
  };
}

/** Writes down that the key was used, at most once a minute. A failure is nobody's business but the next use's. */
export async function noteKeyUse(db: Database, key: KnownKey, now: number): Promise<void> {
  if (now - key.usedAt < USED_EVERY_MS) return;
  const before = key.usedAt;
  key.usedAt = now;
  try {
    const old = or(isNull(apiKey.lastUsedAt), lt(apiKey.lastUsedAt, new Date(now - USED_EVERY_MS)));
    await db.orm
      .update(apiKey)
      .set({ lastUsedAt: new Date(now) })
      .where(and(eq(apiKey.projectId, key.project.id), eq(apiKey.keyId, key.keyId), old));
  } catch {
    key.usedAt = before;
  }
}
