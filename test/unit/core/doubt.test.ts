import { describe, expect, it } from 'vitest';
import type { Attempt, Fact, ReadBack } from '@/lib/core/attempt';
import { countPossibleEffects, findProof, gradeReadBack, settleDoubts } from '@/lib/core/doubt';
import { DEFAULT_SETTINGS, type ResolutionFact } from '@/lib/core/operation';
import { buildTimeline } from '@/lib/core/timeline';
import { attempt, fact, foldContext, T0 } from './support/event';

/** What settles a write nobody can vouch for (V17, V20–V22, Q13, X7), and what a count of effects is made of. */

const MIN = 60_000;
const DAY = 86_400_000;
const LATE = { outcome: 'timeout' } as const;
const key = (keyHash: string) => ({ idempotency: { keyHash } });
const write = (number: number, at: number, fields: Partial<Attempt> = {}) =>
  attempt({
    id: `w${number}`,
    attempt: number,
    kind: 'write',
    method: 'POST',
    startedAt: T0 + at,
    endedAt: T0 + at + 100,
    ...fields,
  });
const look = (at: number, result: string, more: Record<string, unknown> = {}) =>
  fact({ type: 'readback', startedAt: T0 + at, endedAt: T0 + at + 50, result, criterion: 'unique', ...more });
const job = (at: number, jobId: string, result = 'completed') =>
  fact({ type: 'job_result', jobId, result, startedAt: T0 + at });
const done = (at: number, entityIds: string[] | undefined, result = 'done') =>
  fact({ type: 'closed', startedAt: T0 + at, result, entityIds });

const build = (facts: readonly Fact[], resolution?: ResolutionFact) =>
  buildTimeline({ operationId: 'op', facts: [...facts], resolution }, foldContext());

/** By send: what settles it, as `kind says at`. */
function settled(facts: readonly Fact[], resolution?: ResolutionFact): Record<string, string | null> {
  const of = settleDoubts(build(facts, resolution), DEFAULT_SETTINGS).map(({ send, proof }) => [
    send.attempt.id,
    proof && `${proof.kind} ${proof.says} ${proof.at - T0}`,
  ]);
  return Object.fromEntries(of) as Record<string, string | null>;
}
const count = (...facts: Fact[]) => countPossibleEffects(build(facts), DEFAULT_SETTINGS);

describe('gradeReadBack', () => {
  const facts = [write(1, 0, LATE)];
  const grade = (at: number, result: string, more: Record<string, unknown> = {}, sends: Fact[] = facts) =>
    gradeReadBack(look(at, result, more) as ReadBack, T0 + 100, build(sends), DEFAULT_SETTINGS);

  it.each([
    ['begun before the end', 99, 'present', {}, 'too_early'],
    ['begun at the end', 100, 'present', {}, 'present'],
    ['seen', 5000, 'present', {}, 'present'],
    ['seen by a weak criterion', 5000, 'present', { criterion: 'weak' }, 'weak'],
    ['not seen by a weak criterion', 2 * MIN, 'absent', { criterion: 'weak' }, 'weak'],
    ['inconclusive, whatever the criterion', 5000, 'inconclusive', { criterion: 'weak' }, 'inconclusive'],
    ['not seen before the settle time (V22)', MIN + 99, 'absent', {}, 'premature'],
    ['not seen at the settle time', MIN + 100, 'absent', {}, 'absent'],
    ['not seen, reaching back to the first send only', 2 * MIN, 'absent', { oldestSeen: T0 }, 'inconclusive'],
    ['not seen, reaching back before it', 2 * MIN, 'absent', { oldestSeen: T0 - 1 }, 'absent'],
    ['not seen to the end of the list', 2 * MIN, 'absent', { oldestSeen: T0, exhausted: true }, 'absent'],
    ['not seen, the list not at its end', 2 * MIN, 'absent', { oldestSeen: T0, exhausted: false }, 'inconclusive'],
  ] as const)('%s', (_name, at, result, more, expected) => expect(grade(at, result, more)).toBe(expected));

  it('asks QuillHub’s listings how far they reach (Q13)', () => {
    const quill = [write(1, 0, { ...LATE, profile: 'quillhub' })];
    expect(grade(2 * MIN, 'absent', {}, quill)).toBe('inconclusive');
    expect(grade(2 * MIN, 'absent', { exhausted: true }, quill)).toBe('absent');
    expect(grade(2 * MIN, 'absent', { oldestSeen: T0 - 1 }, quill)).toBe('absent');
    const mixed = [...quill, write(2, 500, { ...LATE, profile: 'http' })];
    expect(grade(2 * MIN, 'absent', {}, mixed)).toBe('inconclusive');
  });
});

describe('settleDoubts', () => {
  it.each([
    ['nothing', [], null],
    ['a unique presence', [look(5000, 'present')], 'read_back applied 5000'],
    ['a unique absence', [look(2 * MIN, 'absent')], 'read_back absent 120000'],
    ['a weak look', [look(2 * MIN, 'absent', { criterion: 'weak' })], null],
    ['the earliest of two', [look(9000, 'present'), look(5000, 'present')], 'read_back applied 5000'],
    ['the earliest of two kinds', [look(9000, 'present'), done(5000, ['e'])], 'closed applied 5000'],
    ['of equal ones what was read', [look(5000, 'present'), done(5000, ['e'])], 'read_back applied 5000'],
    [
      'a presence that overturns an absence',
      [look(2 * MIN, 'absent'), look(3 * MIN, 'present')],
      'read_back applied 180000',
    ],
    ['a presence before an absence', [look(5000, 'present'), look(3 * MIN, 'absent')], 'read_back applied 5000'],
    ['closed as done, with ids', [done(5000, ['e'])], 'closed applied 5000'],
    ['closed as done at its start', [done(0, ['e'])], 'closed applied 0'],
    ['closed before it', [done(-1, ['e'])], null],
    ['closed as done, without', [done(5000, [])], null],
    ['closed as done, none told', [done(5000, undefined)], null],
    ['closed as abandoned', [done(5000, ['e'], 'abandoned')], null],
    ['a job that completed', [job(5000, 'j')], 'job_result applied 5000'],
    ['a job that failed', [job(5000, 'j', 'failed')], 'job_result absent 5000'],
    ['a job that ended as it began', [job(0, 'j')], 'job_result applied 0'],
    ['a job that ended before it', [job(-1, 'j')], null],
  ] as const)('one write nobody heard of: %s', (_name, facts, proof) => {
    expect(settled([write(1, 0, LATE), ...facts])).toEqual({ w1: proof });
  });

  it('knows no doubt of reads, refusals, successes and partly applied writes', () => {
    expect(
      settled([
        write(1, 0, { kind: 'read', method: 'GET', ...LATE }),
        write(2, 500, { status: 429 }),
        write(3, 900, { status: 201 }),
        write(4, 1500, { status: 200, bodySummary: { total: 2, failed: 1, unprocessed: 0 } }),
      ]),
    ).toEqual({});
  });

  it('a proof settles what was sent before it, and not what is sent later', () => {
    const facts = [write(1, 0, LATE), look(5000, 'present'), write(2, 9000, LATE)];
    expect(settled(facts)).toEqual({ w1: 'read_back applied 5000', w2: null });
  });

  it('a person’s word covers what was sent by then, and says what it says', () => {
    const facts = [write(1, 0, LATE), write(2, 5000, LATE), write(3, 5001, LATE)];
    const says = { applied_once: 'applied', not_applied: 'absent', applied_more_than_once: 'many' } as const;
    for (const [resolution, word] of Object.entries(says)) {
      const told = { resolution: resolution as keyof typeof says, resolvedAt: T0 + 5000 };
      const proof = `resolution ${word} 5000`;
      expect(settled(facts, told)).toEqual({ w1: proof, w2: proof, w3: null });
    }
    expect(settled(facts, { resolution: 'partly_applied', resolvedAt: T0 + 5000 }).w1).toBe('resolution partly 5000');
    expect(settled(facts, { resolution: 'cannot_be_known', resolvedAt: T0 }).w1).toBe('resolution unknowable 0');
  });

  it('jobs: a send’s own completed job decides, another send’s says nothing', () => {
    const made = write(1, 0, { status: 200, error: { code: 'UND_ERR_SOCKET' }, jobId: 'a' });
    expect(settled([made, look(2 * MIN, 'absent'), job(3 * MIN, 'a')])).toEqual({ w1: 'job_result applied 180000' });
    expect(settled([made, job(5000, 'a', 'failed')])).toEqual({ w1: 'job_result absent 5000' });
    // Nothing read elsewhere says otherwise, even where another send can have made what its job tells of.
    const between = write(2, 150_000, { status: 201 });
    expect(settled([made, look(2 * MIN, 'absent'), between, job(3 * MIN, 'a')])).toEqual({
      w1: 'job_result applied 180000',
    });
    const other = write(2, 500, { status: 201, jobId: 'b' });
    expect(settled([write(1, 0, LATE), other, job(5000, 'b')])).toEqual({ w1: null });
    expect(settled([write(1, 0, LATE), other, job(5000, 'c')])).toEqual({ w1: 'job_result applied 5000' });
  });

  it('a job that two sends were answered with speaks for both', () => {
    const cut = { status: 200, error: { code: 'UND_ERR_SOCKET' }, jobId: 'a' };
    const facts = [write(1, 0, cut), write(2, 500, cut)];
    const absent = 'job_result absent 5000';
    expect(settled([...facts, job(5000, 'a', 'failed')])).toEqual({ w1: absent, w2: absent });
    expect(settled([...facts, write(3, 900, LATE), job(5000, 'a', 'failed')]).w3).toBeNull();
  });

  it('a completed job that no send was answered with tells that one of them took effect', () => {
    const applied = 'job_result applied 5000';
    expect(settled([write(1, 0, LATE), write(2, 500, LATE), job(5000, 'a')])).toEqual({ w1: applied, w2: applied });
  });

  it('failed jobs speak for silent sends only when there is one for each', () => {
    const two = [write(1, 0, LATE), write(2, 500, LATE)];
    expect(settled([...two, job(5000, 'a', 'failed')])).toEqual({ w1: null, w2: null });
    const both = settled([...two, job(5000, 'a', 'failed'), job(6000, 'b', 'failed')]);
    expect(both).toEqual({ w1: 'job_result absent 5000', w2: 'job_result absent 5000' });
    // One server key makes one job.
    const keyed = [write(1, 0, { ...LATE, ...key('k') }), write(2, 500, { ...LATE, ...key('k') })];
    expect(settled([...keyed, job(5000, 'a', 'failed')]).w1).toBe('job_result absent 5000');
    // A send that comes after it is none of those it may speak for, nor is one that was refused or named its job.
    expect(settled([write(1, 0, LATE), write(2, 6000, LATE), job(5000, 'a', 'failed')]).w1).toBe(
      'job_result absent 5000',
    );
    const refused = [write(1, 0, LATE), write(2, 500, { status: 429 })];
    expect(settled([...refused, job(5000, 'a', 'failed')]).w1).toBe('job_result absent 5000');
    const named = [write(1, 0, LATE), write(2, 500, { status: 201, jobId: 'b' })];
    expect(settled([...named, job(5000, 'a', 'failed')]).w1).toBe('job_result absent 5000');
    // One that a send was answered with is none of theirs, and its own send needs no other.
    const three = [write(1, 0, LATE), write(2, 500, LATE), write(3, 900, { status: 201, jobId: 'b' })];
    expect(settled([...three, job(5000, 'a', 'failed'), job(6000, 'b', 'failed')]).w1).toBeNull();
    const cut = write(3, 900, { status: 200, error: { code: 'UND_ERR_SOCKET' }, jobId: 'b' });
    expect(settled([write(1, 0, LATE), cut, job(6000, 'b', 'failed')])).toEqual({
      w1: null,
      w3: 'job_result absent 6000',
    });
    // The failed job of another send leaves this one as it is.
    expect(settled([...named, job(5000, 'b', 'failed')]).w1).toBeNull();
  });

  it('an answer that the first DELETE succeeded settles those before it (V7)', () => {
    const vibe = { profile: 'vibecode', method: 'DELETE' } as const;
    const first = write(1, 0, { ...vibe, status: 504, code: 'BITRIX_TIMEOUT' });
    const answer = (at: number) =>
      write(2, at, { ...vibe, status: 409, code: 'AGENT_WRITE_ALREADY_EXECUTED', firstStatus: 200 });
    expect(settled([first, answer(9000)])).toEqual({ w1: 'first_status applied 9000' });
    expect(settled([first, answer(-1)])).toEqual({ w1: null });
    expect(settled([first, answer(0)])).toEqual({ w1: 'first_status applied 0' });
  });

  it.each([
    ['a success that follows', 500, key('k'), 'server_key applied 600'],
    ['a success under another key', 500, key('l'), null],
    ['a success without a key', 500, {}, null],
    ['one sent while the first was under way', 99, key('k'), null],
    ['one sent as the first ended', 100, key('k'), 'server_key applied 200'],
    ['one at the end of the key’s life', DAY, key('k'), `server_key applied ${DAY + 100}`],
    ['one after it', DAY + 1, key('k'), null],
    ['one that the client lowered', 500, { idempotency: { keyHash: 'k', mode: 'none' } }, null],
    ['one judged by other rules', 500, { ...key('k'), profile: 'bitrix_rest', call: '/rest/api/deal.add' }, null],
  ] as const)('a server key vouches: %s (X7)', (_name, at, fields, proof) => {
    const facts = [write(1, 0, { ...LATE, ...key('k') }), write(2, at, { status: 201, ...fields })];
    expect(settled(facts).w1).toBe(proof);
  });

  it('a success before the doubt vouches under the same key too', () => {
    const facts = [write(1, 0, { status: 201, ...key('k') }), write(2, 500, { ...LATE, ...key('k') })];
    expect(settled(facts)).toEqual({ w2: 'server_key applied 100' });
  });

  it('an absence holds when a later send can have made what was seen', () => {
    const absent = look(2 * MIN, 'absent');
    const present = look(9 * MIN, 'present');
    const after = (at: number, fields: Partial<Attempt>) =>
      settled([write(1, 0, LATE), absent, write(2, at, fields), present]).w1;
    expect(after(3 * MIN, { status: 201 })).toBe('read_back absent 120000');
    expect(after(3 * MIN, LATE)).toBe('read_back absent 120000');
    expect(after(3 * MIN, { status: 429 })).toBe('read_back applied 540000');
    // Sent as the look began, or after what was seen, it has made neither.
    expect(after(2 * MIN, { status: 201 })).toBe('read_back applied 540000');
    expect(after(9 * MIN, { status: 201 })).toBe('read_back absent 120000');
    expect(after(9 * MIN + 1, { status: 201 })).toBe('read_back applied 540000');
  });

  it('a send that is known to have done nothing explains nothing', () => {
    const facts = [
      write(1, 0, LATE),
      look(2 * MIN, 'absent'),
      // Under way while the effect was seen, and found without one afterwards.
      write(2, 3 * MIN, { ...LATE, endedAt: T0 + 10 * MIN }),
      look(9 * MIN, 'present'),
      look(12 * MIN, 'absent'),
    ];
    expect(settled(facts)).toEqual({ w1: 'read_back applied 540000', w2: 'read_back absent 720000' });
  });

  it('finds nothing for a send of another operation', () => {
    const timeline = build([write(1, 0, LATE), look(5000, 'present')]);
    const [stranger] = build([write(2, 0, LATE)]).sends;
    if (!stranger) throw new Error('no send');
    expect(findProof(stranger, timeline, DEFAULT_SETTINGS)).toBeNull();
  });
});

describe('countPossibleEffects', () => {
  it('counts writes that may have, or have, changed data', () => {
    expect(count()).toBe(0);
    expect(count(write(1, 0, { status: 429 }))).toBe(0);
    expect(count(write(1, 0, { kind: 'read', method: 'GET', ...LATE }))).toBe(0);
    expect(count(write(1, 0, LATE))).toBe(1);
    expect(count(write(1, 0, { status: 201 }))).toBe(1);
    expect(count(write(1, 0, LATE), write(2, 500, LATE), write(3, 900, { status: 201 }))).toBe(3);
  });

  it('counts sends under one trusted key once, in its lifetime, and under one profile', () => {
    const both = (at: number, fields: Partial<Attempt>) =>
      count(write(1, 0, { ...LATE, ...key('k') }), write(2, at, { ...LATE, ...key('k'), ...fields }));
    expect(both(500, {})).toBe(1);
    expect(both(DAY, {})).toBe(1);
    expect(both(DAY + 1, {})).toBe(2);
    expect(both(500, key('l'))).toBe(2);
    expect(both(500, { profile: 'bitrix_rest', call: '/rest/api/deal.add' })).toBe(2);
    expect(count(write(1, 0, LATE), write(2, 500, { ...LATE, ...key('k') }))).toBe(2);
    const spoilt = [
      write(1, 0, { ...LATE, ...key('k'), fingerprint: 'a' }),
      write(2, 500, { ...LATE, ...key('k'), fingerprint: 'b' }),
    ];
    expect(count(...spoilt)).toBe(2);
    // A life begins with the first send that still counts under it.
    expect(
      count(
        write(1, 0, { ...LATE, ...key('k') }),
        write(2, DAY + 1, { ...LATE, ...key('k') }),
        write(3, DAY + 500, { ...LATE, ...key('k') }),
      ),
    ).toBe(2);
  });

  it('of sends under way together with one key both may have run, unless one was answered from memory (X7)', () => {
    const long = { ...LATE, endedAt: T0 + 1_000, ...key('k') };
    const short = (at: number, fields: Partial<Attempt> = {}, number = 2) =>
      write(number, at, { ...LATE, ...key('k'), ...fields });
    const given = (at: number, fields: Partial<Attempt> = {}) => count(write(1, 0, long), short(at, fields));
    expect(given(1_000)).toBe(1);
    expect(given(999)).toBe(2);
    expect(given(0)).toBe(2);
    expect(given(999, { status: 201, outcome: 'success', error: undefined })).toBe(2);
    const replayed = { idempotency: { keyHash: 'k', replayed: true } };
    expect(given(999, { status: 201, outcome: 'success', error: undefined, ...replayed })).toBe(1);
    // The third is under way together with the second, which is one with the first.
    expect(
      count(write(1, 0, { ...LATE, ...key('k') }), short(2_000, { endedAt: T0 + 9_000 }), short(3_000, {}, 3)),
    ).toBe(2);
    expect(count(write(1, 0, long), short(500), short(20_000, {}, 3))).toBe(2);
  });

  it('an absence takes back what was unproven before it, and only that', () => {
    expect(count(write(1, 0, LATE), look(2 * MIN, 'absent'))).toBe(0);
    expect(count(write(1, 0, { status: 201 }), look(2 * MIN, 'absent'))).toBe(1);
    expect(count(write(1, 0, LATE), look(2 * MIN, 'absent'), write(2, 3 * MIN, { status: 201 }))).toBe(1);
  });

  it('what an overturned absence had taken back counts once together', () => {
    const overturned = [look(2 * MIN, 'absent'), look(3 * MIN, 'present')];
    expect(count(write(1, 0, LATE), ...overturned)).toBe(1);
    expect(count(write(1, 0, LATE), write(2, 500, LATE), write(3, 900, LATE), ...overturned)).toBe(1);
    expect(count(write(1, 0, { status: 201 }), write(2, 500, LATE), ...overturned)).toBe(2);
  });

  it('a job that failed takes back its own send, an answered DELETE counts once with its answer', () => {
    expect(count(write(1, 0, { status: 201, jobId: 'a' }), job(5000, 'a', 'failed'))).toBe(0);
    expect(count(write(1, 0, { status: 201, jobId: 'a' }), job(5000, 'b', 'failed'))).toBe(1);
    expect(count(write(1, 0, { status: 201, jobId: 'a' }), job(5000, 'a'))).toBe(1);
    const vibe = { profile: 'vibecode', method: 'DELETE', status: 409 } as const;
    const answer = write(2, 9000, { ...vibe, code: 'AGENT_WRITE_ALREADY_EXECUTED', firstStatus: 200 });
    expect(count(write(1, 0, { ...vibe, status: 504, code: 'BITRIX_TIMEOUT' }), answer)).toBe(1);
    expect(count(answer)).toBe(1);
  });
});
