import { randomUUID } from 'node:crypto';

/** A valid attempt as a client sends it. */
export function wireAttempt(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: randomUUID(),
    operationId: `op-${randomUUID()}`,
    attempt: 1,
    startedAt: new Date().toISOString(),
    service: 'crm-sync',
    call: 'crm.deal.add',
    status: 200,
    ...more,
  };
}
