import { auditLog } from '../../db/schema';
import type { Transaction } from '../../db/transaction';
import type { Actor } from '../core/project';
import { timeUuid } from '../platform/ids';

export interface AuditEntry {
  /** null for what belongs to no project. */
  projectId: number | null;
  action: string;
  /** What it was done to: a slug, an id, an e-mail. */
  subject: string;
  /** Never secrets, never text of requests. */
  detail?: Record<string, unknown>;
}

/** Writes who did it, in the transaction that does it. */
export async function recordAudit(
  tx: Transaction,
  by: { actor: Actor; now: number; requestId: string },
  entry: AuditEntry,
): Promise<void> {
  await tx.orm.insert(auditLog).values({
    projectId: entry.projectId ?? 0,
    id: timeUuid(by.now),
    at: new Date(by.now),
    actorType: by.actor.type,
    actorId: by.actor.id,
    actorName: by.actor.name,
    action: entry.action,
    subject: entry.subject,
    requestId: by.requestId,
    detail: entry.detail ?? null,
  });
}
