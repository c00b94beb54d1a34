import { createHmac } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { Database } from '../../db/client';
import { loginFailure } from '../../db/schema';

/** Tries before the account is locked for a while. */
export const FREE_TRIES = 5;
const LOCK_FIRST_MS = 30_000;
const LOCK_MAX_MS = 15 * 60_000;
/** A day without a failure forgets the earlier ones. */
const FORGET_MS = 86_400_000;

/** @returns the lock's length after that many failures: none, then 30 s doubling to 15 min. */
export function lockMs(failures: number): number {
  if (failures < FREE_TRIES) return 0;
  return Math.min(LOCK_MAX_MS, LOCK_FIRST_MS * 2 ** Math.min(failures - FREE_TRIES, 20));
}

/** Keyed, so that the table doesn't tell which addresses were tried. The same for people who don't exist. */
export function accountHash(secret: string, email: string): Buffer {
  return createHmac('sha256', secret).update(`login-lock\0${email.trim().toLowerCase()}`).digest();
}

/**
 * Counts this try as a failure before the password is looked at, so that parallel tries can't slip past the lock.
 * `forgiveTries` takes it back when the password was right.
 * @returns ms to wait while locked; 0 when the try may go on.
 */
export async function chargeTry(db: Database, account: Buffer, now: number): Promise<number> {
  return db.orm.transaction(async (tx) => {
    const at = new Date(now);
    await tx
      .insert(loginFailure)
      .values({ accountHash: account, failures: 0, lockedUntil: null, updatedAt: at })
      .onConflictDoNothing();
    const [row] = await tx.select().from(loginFailure).where(eq(loginFailure.accountHash, account)).for('update');
    if (!row) return LOCK_FIRST_MS;
    const lockedFor = row.lockedUntil ? row.lockedUntil.getTime() - now : 0;
    if (lockedFor > 0) return lockedFor;
    const failures = (now - row.updatedAt.getTime() > FORGET_MS ? 0 : row.failures) + 1;
    const length = lockMs(failures);
    await tx
      .update(loginFailure)
      .set({ failures, updatedAt: at, lockedUntil: length > 0 ? new Date(now + length) : null })
      .where(eq(loginFailure.accountHash, account));
    return 0;
  });
}

export async function forgiveTries(db: Database, account: Buffer): Promise<void> {
  await db.orm.delete(loginFailure).where(eq(loginFailure.accountHash, account));
}

/** Drops what a day forgot; called after a successful sign-in, so the table stays small without a job. */
export async function pruneTries(db: Database, now: number): Promise<void> {
  await db.orm.delete(loginFailure).where(sql`${loginFailure.updatedAt} < ${new Date(now - FORGET_MS).toISOString()}`);
}
