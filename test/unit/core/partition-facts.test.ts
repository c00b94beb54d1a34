import { describe, expect, it } from 'vitest';
import type { Fact } from '@/lib/core/attempt';
import { partitionFacts } from '@/lib/core/partition-facts';
import { attempt, fact, T0 } from './support/event';

/** One operation's facts by their type, and when it was first and last spoken of. */

const say = (type: Fact['type'], more: Record<string, unknown> = {}) => fact({ type, ...more });

describe('partitionFacts', () => {
  it('puts every type in its place', () => {
    const facts = {
      attempts: attempt(),
      started: say('attempt_started', { attempt: 1 }),
      traces: say('attempt_started', { attempt: 1, itemsTold: true }),
      readBacks: say('readback', { endedAt: T0 }),
      refreshes: say('auth_refresh'),
      fixes: say('cause_fixed'),
      jobs: say('job_result', { jobId: 'j', result: 'completed' }),
      closures: say('closed', { result: 'done' }),
    };
    const parts = partitionFacts(Object.values(facts), 'op');
    for (const [name, one] of Object.entries(facts)) expect(parts[name as keyof typeof facts]).toEqual([one]);
  });

  it('has empty places and no times without facts, nor by what says nothing of an operation', () => {
    const none = { attempts: [], started: [], traces: [], readBacks: [], refreshes: [], fixes: [], jobs: [] };
    const empty = { ...none, closures: [], firstAt: Infinity, lastAt: -Infinity };
    expect(partitionFacts([], 'op')).toEqual(empty);
    const tally = { type: 'tally', id: 't', minute: T0, successes: 5 } as unknown as Fact;
    const delivery = { type: 'webhook_delivery', id: 'w', jobId: 'j', startedAt: T0 } as unknown as Fact;
    expect(partitionFacts([tally, delivery], 'op')).toEqual(empty);
  });

  it('takes an attempt that tells of a failed job for that job’s result too', () => {
    const told = attempt({ outcome: 'async_failed', jobId: 'j', code: 'transcription_failed' });
    expect(partitionFacts([told], 'op').jobs).toEqual([
      {
        type: 'job_result',
        id: told.id,
        operationId: 'op',
        environment: told.environment,
        startedAt: T0,
        jobId: 'j',
        result: 'failed',
        code: 'transcription_failed',
      },
    ]);
    expect(partitionFacts([attempt({ outcome: 'async_failed' })], 'op').jobs).toEqual([]);
    expect(partitionFacts([attempt({ outcome: 'success', jobId: 'j' })], 'op').jobs).toEqual([]);
  });

  it.each([
    ['an attempt', attempt({ startedAt: T0, endedAt: T0 + 9 }), 9],
    ['an attempt without an end', attempt({ startedAt: T0, endedAt: undefined }), 0],
    ['an attempt that ended before it began', attempt({ startedAt: T0, endedAt: T0 - 9 }), 0],
    ['a read-back', say('readback', { endedAt: T0 + 9 }), 9],
    ['a read-back that ended before it began', say('readback', { endedAt: T0 - 9 }), 0],
    ['an announcement', say('attempt_started', { endedAt: T0 + 9 }), 0],
    ['a renewal', say('auth_refresh'), 0],
    ['a fix', say('cause_fixed'), 0],
    ['a job’s end', say('job_result'), 0],
    ['a closure', say('closed'), 0],
  ])('%s is spoken of until its end', (_name, one, endMs) => {
    expect(partitionFacts([one], 'op')).toMatchObject({ firstAt: T0, lastAt: T0 + endMs });
  });

  it('spans from the earliest start to the latest end, in any order', () => {
    const facts = [
      attempt({ startedAt: T0 + 50, endedAt: T0 + 60 }),
      attempt({ startedAt: T0 + 10, endedAt: T0 + 900 }),
      say('closed', { startedAt: T0 + 70 }),
    ];
    for (const order of [facts, [...facts].reverse()]) {
      expect(partitionFacts(order, 'op')).toMatchObject({ firstAt: T0 + 10, lastAt: T0 + 900 });
    }
  });

  it('counts only the times of facts that speak of this operation', () => {
    const own = attempt({ startedAt: T0, endedAt: T0 + 5 });
    const early = say('auth_refresh', { operationId: undefined, startedAt: T0 - 500 });
    const other = say('cause_fixed', { operationId: 'other', startedAt: T0 + 500 });
    const { operationId: _operationId, ...bare } = say('cause_fixed', { startedAt: T0 + 900 }) as Fact & {
      operationId?: string;
    };
    const parts = partitionFacts([own, early, other, bare as Fact], 'op');
    expect(parts).toMatchObject({ firstAt: T0, lastAt: T0 + 5 });
    expect(parts.refreshes).toHaveLength(1);
    expect(parts.fixes).toHaveLength(2);
  });
});
