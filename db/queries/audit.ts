import type postgres from 'postgres';
import type { Actor } from '@/lib/core/project';
import { timeUuid } from '@/lib/platform/ids';

export interface AuditEntry {
  at: number;
  actor: Actor;
  /** `review.resolve`, `key.create` … */
  action: string;
  /** What it was done to, e.g. an item's id. */
  subject: string;
  requestId: string | null;
  detail: Record<string, unknown> | null;
}

/** Who did what, in the transaction that does it. */
export async function insertAudit(tx: postgres.ISql, projectId: number, entry: AuditEntry): Promise<void> {
  await tx`
    insert into audit_log (project_id, id, at, actor_type, actor_id, actor_name, action, subject, request_id, detail)
    values (${projectId}, ${timeUuid(entry.at)}::uuid, ${new Date(entry.at).toISOString()}::timestamptz,
      ${entry.actor.type}, ${entry.actor.id}, ${entry.actor.name}, ${entry.action}, ${entry.subject},
      ${entry.requestId}, ${entry.detail === null ? null : JSON.stringify(entry.detail)}::text::jsonb)`;
}
