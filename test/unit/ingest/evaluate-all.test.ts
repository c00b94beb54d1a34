import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '@/lib/core/operation';
import { evaluateAll } from '@/lib/ingest/handle-evaluate';
import { attempt, fact, T0 } from '../core/support/event';

/** What stands beside the operations of an evaluated body. */

const PROJECT = { profiles: { defaultProfile: 'http' as const, targets: [] }, settings: DEFAULT_SETTINGS };
const delivery = (at: number) =>
  fact({ type: 'webhook_delivery', operationId: undefined, jobId: 'j', event: 'e', startedAt: T0 + at, status: 200 });

describe('evaluateAll', () => {
  it('gives what belongs to no operation beside them, its instants as text', () => {
    const { operations, findings } = evaluateAll([delivery(0), delivery(60_000)], PROJECT, T0 + 100_000);
    expect(operations).toEqual([]);
    expect(findings).toEqual([
      {
        check: 'webhook_schedule',
        severity: 'low',
        subject: { kind: 'job', value: 'j' },
        at: '2026-03-02T10:01:00.000Z',
        window: { from: '2026-03-02T10:00:00.000Z', to: '2026-03-02T10:01:00.001Z' },
        lookedAt: { operations: 0, attempts: 0 },
        evidence: { kind: 'after_success', event: 'e', delivery: 2, status: 200, takenAs: 1 },
      },
    ]);
  });
  it('charges the same finding to the operation that made the job, and measures all of them', () => {
    const made = attempt({
      kind: 'write',
      method: 'POST',
      profile: 'quillhub',
      status: 201,
      jobId: 'j',
      startedAt: T0 - 1_000,
    });
    const { operations, findings, measures } = evaluateAll(
      [made, delivery(0), delivery(60_000)],
      PROJECT,
      T0 + 100_000,
    );
    expect(findings).toEqual([]);
    expect(operations[0]?.findings).toContainEqual(
      expect.objectContaining({ check: 'webhook_schedule', operationId: 'op', at: '2026-03-02T10:01:00.000Z' }),
    );
    expect(measures).toMatchObject({ attemptsPerOperation: 1, goodput: { count: 1, of: 1, value: 1 } });
  });
  it('leaves the findings of one operation as the contract has them', () => {
    const { operations } = evaluateAll([attempt({ kind: 'read', status: 503 })], PROJECT, T0 + 86_400_000);
    expect(operations[0]?.findings).toEqual([
      { check: 'retryable_not_retried', severity: 'low', attempt: 1, evidence: { code: 'HTTP_503', askedMs: null } },
    ]);
  });
});
