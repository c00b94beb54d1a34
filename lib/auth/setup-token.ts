import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, isNull, lt, or, isNotNull } from 'drizzle-orm';
import type { Database } from '../../db/client';
import { appUser, setupToken } from '../../db/schema';

/** The one-time link of a fresh installation. Only its SHA-256 is stored. */

const LIFE_MS = 24 * 3_600_000;

export function hashSetupToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** @returns true once anybody can sign in: from then on no link works any more. */
export async function hasUsers(db: Pick<Database, 'orm'>): Promise<boolean> {
  const rows = await db.orm.select({ id: appUser.id }).from(appUser).limit(1);
  return rows.length > 0;
}

/**
 * Makes a new link's token, valid for a day; older unused ones keep working until they run out.
 * @returns null when a user exists.
 */
export async function issueSetupToken(db: Database, now: number): Promise<string | null> {
  if (await hasUsers(db)) return null;
  await db.orm.delete(setupToken).where(or(lt(setupToken.expiresAt, new Date(now)), isNotNull(setupToken.usedAt)));
  const token = randomBytes(32).toString('base64url');
  await db.orm
    .insert(setupToken)
    .values({ tokenHash: hashSetupToken(token), createdAt: new Date(now), expiresAt: new Date(now + LIFE_MS) });
  return token;
}

/** Whether the link would be taken; does not use it up. */
export async function isSetupTokenLive(db: Pick<Database, 'orm'>, token: string, now: number): Promise<boolean> {
  const rows = await db.orm
    .select({ at: setupToken.expiresAt })
    .from(setupToken)
    .where(
      and(
        eq(setupToken.tokenHash, hashSetupToken(token)),
        isNull(setupToken.usedAt),
        gt(setupToken.expiresAt, new Date(now)),
      ),
    )
    .limit(1);
  return rows.length > 0;
}
