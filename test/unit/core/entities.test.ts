import { describe, expect, it } from 'vitest';
import type { Attempt, Fact } from '@/lib/core/attempt';
import { countCompletedJobs, countEntitiesSeen, countJobs, hasProvenDuplicate } from '@/lib/core/entities';
import { buildTimeline } from '@/lib/core/timeline';
import { attempt, fact, foldContext, T0 } from './support/event';

/** How many things one operation is known to have made (M15). */

const of = (...facts: Fact[]) => buildTimeline({ operationId: 'op', facts }, foldContext());
const write = (number: number, fields: Partial<Attempt> = {}) =>
  attempt({ attempt: number, kind: 'write', method: 'POST', startedAt: T0 + number, status: 201, ...fields });
const job = (jobId: string, result = 'completed') => fact({ type: 'job_result', jobId, result, startedAt: T0 + 500 });
const seen = (entityIds: string[] | undefined, more: Record<string, unknown> = {}) =>
  fact({ type: 'readback', endedAt: T0 + 900, result: 'present', criterion: 'unique', entityIds, ...more });
const closed = (entityIds: string[], result = 'done') => fact({ type: 'closed', result, entityIds });

describe('countJobs', () => {
  it.each([
    ['none told', [write(1)], 0],
    ['one answered with', [write(1, { jobId: 'a' })], 1],
    ['two answered with', [write(1, { jobId: 'a' }), write(2, { jobId: 'b' })], 2],
    ['the same twice', [write(1, { jobId: 'a' }), write(2, { jobId: 'a' })], 1],
    ['one beside a write without', [write(1), write(2, { jobId: 'b' })], 1],
    ['one that only its result tells of', [write(1, { outcome: 'timeout', status: undefined }), job('a')], 1],
    ['one told by both', [write(1, { jobId: 'a' }), job('a')], 1],
    ['a failed one made nothing', [write(1, { jobId: 'a' }), job('a', 'failed')], 0],
    ['a failed one beside another', [write(1, { jobId: 'a' }), write(2, { jobId: 'b' }), job('a', 'failed')], 1],
    ['a read makes none', [write(1, { kind: 'read', method: 'GET', jobId: 'a' })], 0],
    ['nor does a write that failed', [write(1, { status: 500, jobId: 'a' })], 0],
  ] as const)('%s', (_name, facts, count) => expect(countJobs(of(...facts))).toBe(count));
});

describe('countCompletedJobs', () => {
  it('counts the jobs that ended well, each once', () => {
    expect(countCompletedJobs(of())).toBe(0);
    expect(countCompletedJobs(of(job('a'), job('b'), job('b'), job('c', 'failed')))).toBe(2);
  });
});

describe('countEntitiesSeen', () => {
  it('is the most that any one fact shows, not their sum', () => {
    expect(countEntitiesSeen(of(write(1)))).toBe(0);
    expect(countEntitiesSeen(of(write(1), seen(['a'])))).toBe(1);
    expect(countEntitiesSeen(of(write(1), seen(['a', 'b', 'a']), seen(['c'])))).toBe(2);
    expect(countEntitiesSeen(of(write(1), closed(['a', 'b', 'c']), seen(['a'])))).toBe(3);
    expect(countEntitiesSeen(of(write(1, { jobId: 'a' }), job('b'), seen(['a'])))).toBe(2);
  });
});

describe('hasProvenDuplicate', () => {
  it.each([
    ['two seen by a unique criterion', [write(1), seen(['a', 'b'])], true],
    ['one seen', [write(1), seen(['a'])], false],
    ['none named', [write(1), seen(undefined)], false],
    ['the same one twice', [write(1), seen(['a', 'a'])], false],
    ['two looks at one each', [write(1), seen(['a']), seen(['b'])], false],
    ['a weak criterion may have met others’', [write(1), seen(['a', 'b'], { criterion: 'weak' })], false],
    ['an inconclusive look', [write(1), seen(['a', 'b'], { result: 'inconclusive' })], false],
    ['an absence', [write(1), seen(['a', 'b'], { result: 'absent' })], false],
    ['closed as done with two', [write(1), closed(['a', 'b'])], true],
    ['closed as done with one', [write(1), closed(['a'])], false],
    ['closed as abandoned with two', [write(1), closed(['a', 'b'], 'abandoned')], false],
    ['two jobs', [write(1, { jobId: 'a' }), write(2, { jobId: 'b' })], true],
    ['one job', [write(1, { jobId: 'a' })], false],
    ['two jobs beside a look at one', [write(1, { jobId: 'a' }), write(2, { jobId: 'b' }), seen(['a'])], true],
    ['two jobs beside a look and a closure', [write(1, { jobId: 'a' }), job('b'), seen(['a']), closed(['a'])], true],
    ['one look at two, and closed', [write(1), seen(['a', 'b']), closed(['a'])], true],
    ['reads make nothing', [write(1, { kind: 'read', method: 'GET' }), seen(['a', 'b'])], false],
    ['a write among reads does', [write(1, { kind: 'read', method: 'GET' }), write(2), seen(['a', 'b'])], true],
    ['no send at all', [seen(['a', 'b'])], false],
  ] as const)('%s: %j', (_name, facts, proven) => expect(hasProvenDuplicate(of(...facts))).toBe(proven));
});
