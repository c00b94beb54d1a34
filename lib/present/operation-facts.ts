import type { Attempt, Fact } from '../core/attempt';

/** What the sends of one operation say together; read by its page and by the review item. */
export interface OperationDigest {
  requestIds: string[];
  jobIds: string[];
  entityIds: string[];
  businessKeys: string[];
  instances: string[];
  /** `none` no key at all, `some` not on every send, `changed` more than one, `same` one on all. */
  key: 'none' | 'some' | 'changed' | 'same';
  /** Modes of the keys sent, as the client named them. */
  keyModes: string[];
  amount: Attempt['amount'] | null;
  policy: Attempt['policy'] | null;
}

function distinct(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values.filter((value) => value !== undefined && value !== ''))] as string[];
}

function keyOf(attempts: readonly Attempt[]): OperationDigest['key'] {
  const hashes = attempts.map((attempt) => attempt.idempotency?.keyHash);
  const known = distinct(hashes);
  if (known.length === 0) return 'none';
  if (known.length > 1) return 'changed';
  return hashes.every((hash) => hash !== undefined) ? 'same' : 'some';
}

/** @param attempts in timeline order. @param facts other facts, any order. */
export function digestOperation(attempts: readonly Attempt[], facts: readonly Fact[]): OperationDigest {
  const found = facts.flatMap((fact) =>
    fact.type === 'readback' || fact.type === 'closed' ? (fact.entityIds ?? []) : [],
  );
  return {
    requestIds: distinct(attempts.map((attempt) => attempt.requestId)),
    jobIds: distinct([
      ...attempts.map((attempt) => attempt.jobId),
      ...facts.map((fact) => (fact.type === 'job_result' ? fact.jobId : undefined)),
    ]),
    entityIds: distinct(found),
    businessKeys: distinct(attempts.map((attempt) => attempt.businessKey)),
    instances: distinct(attempts.map((attempt) => attempt.instance)),
    key: keyOf(attempts),
    keyModes: distinct(attempts.map((attempt) => attempt.idempotency?.mode)),
    amount: attempts.find((attempt) => attempt.amount)?.amount ?? null,
    policy: attempts.find((attempt) => attempt.policy)?.policy ?? null,
  };
}
