import { z } from 'zod';
import type { Database } from '../../../db/client';
import { apiKey } from '../../../db/schema';
import { inTransaction } from '../../../db/transaction';
import { hashKeySecret, KEY_SCOPES, makeKeyText, type KeyScope } from '../../auth/key';
import { may, type Role } from '../../core/permission';
import type { Actor, AuthorizedProject } from '../../core/project';
import { ok, refuse, type Result } from '../../core/result';
import { recordAudit } from '../record-audit';

/** Null: the service's default. */
export const eventsPerSecondInput = z.number().int().min(1).max(10_000_000).nullable();

export const keyInput = z.object({
  name: z.string().trim().min(1).max(100),
  scope: z.enum(KEY_SCOPES),
});

export interface KeyContext {
  db: Database;
  project: AuthorizedProject;
  actor: Actor;
  role: Role;
  now: number;
  requestId: string;
}

export interface CreatedKey {
  keyId: string;
  name: string;
  scope: KeyScope;
  /** The whole key. It is shown now and never again: only a hash is stored. */
  text: string;
}

/** Makes a key of the context's project. */
export async function createKey(
  ctx: KeyContext,
  input: z.input<typeof keyInput>,
): Promise<Result<CreatedKey, 'forbidden' | 'invalid_input'>> {
  if (!may(ctx.role, 'key.manage')) return refuse('forbidden');
  const parsed = keyInput.safeParse(input);
  if (!parsed.success) return refuse('invalid_input');
  const { name, scope } = parsed.data;
  const key = makeKeyText(scope);
  await inTransaction(ctx.db, async (tx) => {
    await tx.orm.insert(apiKey).values({
      projectId: ctx.project.id,
      keyId: key.keyId,
      name,
      scope,
      secretHash: hashKeySecret(key.secret),
      lastFour: key.text.slice(-4),
      createdAt: new Date(ctx.now),
      createdBy: ctx.actor.name,
    });
    await recordAudit(tx, ctx, {
      projectId: ctx.project.id,
      action: 'key.created',
      subject: key.keyId,
      detail: { name, scope },
    });
  });
  return ok({ keyId: key.keyId, name, scope, text: key.text });
}
