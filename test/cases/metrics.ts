import { expect } from 'vitest';
import type { Fact } from '@/lib/core/attempt';
import type { CheckName } from '@/lib/core/checks/check-name';
import { MONTH, send, T0, type Judge, type Wire } from './judge';

/** The metrics of cases/matrix.json: which checks, or which members of a conclusion, each of them is. */
export const METRIC_CHECKS: Readonly<Record<string, readonly CheckName[]>> = {
  M1: ['early_retry'],
  M2: ['early_capped', 'wait_past_deadline'],
  M3: ['pause_broken_by_others'],
  M4: ['blind_write_retry'],
  M6: ['never_retry_retried', 'operation_id_reused'],
  M7: ['over_limit', 'under_limit'],
  M8: ['past_deadline'],
  M9: ['no_jitter'],
  M10: ['synchronised_retries'],
  M11: ['key_regenerated', 'key_dropped', 'key_missing', 'key_reused'],
  M12: ['throttle_in_backoff_loop'],
  M13: ['auth_loop'],
  M14: ['error_loop'],
  M15: ['duplicate_suspected'],
  M16: ['overlapping_attempts'],
  M17: ['amplification'],
  M18: ['wasted_retry'],
  M19: ['incomplete_give_up'],
  M20: ['partial_success', 'item_without_outcome', 'whole_batch_resent'],
  M21: ['contract_anomaly'],
  M22: ['webhook_schedule'],
  M23: ['backoff_shape'],
};

/** A fact of a core test as a client would have sent it. */
function toWire(fact: Fact): Wire {
  const { id: _id, ...rest } = fact as unknown as Wire & { id: string };
  const { keyHash, ...idempotency } = (rest.idempotency ?? {}) as { keyHash?: string };
  if (rest.idempotency) rest.idempotency = keyHash === undefined ? idempotency : { ...idempotency, key: keyHash };
  return rest;
}

/** Traffic that a check must find, sent as a client sends it. */
export async function checkScenario(check: CheckName, facts: readonly Fact[], judge: Judge): Promise<void> {
  const operations = await judge.evaluate(facts.map(toWire), T0 + MONTH);
  expect(operations.flatMap(({ findings }) => findings.map((finding) => finding.check))).toContain(check);
}

/** M5: what is open stays `unresolved` until something conclusive is known; a blind repeat's success hides nothing. */
export async function checkOpenUnknowns(judge: Judge): Promise<void> {
  const lost = { profile: 'http', error: { name: 'TimeoutError', code: 23 } };
  const keyed = { idempotency: { key: 'k' } };
  const of = (operationId: string, ...events: Wire[]) => events.map((event) => ({ ...event, operationId }));
  const operations = await judge.evaluate(
    [
      ...of('open', send(1, 0, lost)),
      ...of('keyed', send(1, 0, { ...lost, ...keyed }), send(2, 9_000, { profile: 'http', status: 201, ...keyed })),
      ...of('blind', send(1, 0, lost), send(2, 9_000, { profile: 'http', status: 201 })),
    ],
    T0 + MONTH,
  );
  expect(operations.map(({ state }) => state)).toEqual([
    'unresolved',
    'succeeded',
    'succeeded_with_possible_duplicates',
  ]);
}
