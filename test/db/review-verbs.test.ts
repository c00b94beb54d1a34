import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '@/db/client';
import type { Role } from '@/lib/core/permission';
import { runReviewTimers } from '@/lib/jobs/review-timers';
import { createLog } from '@/lib/platform/log';
import { getReviewItem, getReviewSummary, listReview } from '@/lib/queries/review';
import { getOperation } from '@/lib/queries/operation';
import { claimReviewItem } from '@/lib/services/review/claim';
import type { ChangedItem, VerbContext, VerbResult } from '@/lib/services/review/context';
import { takeNextReviewItem } from '@/lib/services/review/next';
import { noteReviewItem } from '@/lib/services/review/note';
import { releaseReviewItem } from '@/lib/services/review/release';
import { renewReviewItem } from '@/lib/services/review/renew';
import { reopenReviewItem } from '@/lib/services/review/reopen';
import { resolveReviewItem } from '@/lib/services/review/resolve';
import { snoozeReviewItem } from '@/lib/services/review/snooze';
import { makeReadBack, makeUnclear } from '../factories/facts';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestProject, type TestProject } from '../support/project';
import { recordFacts } from '../support/record-facts';
import { settleAll } from '../support/settle-all';

const MINUTE = 60_000;
const T0 = Date.UTC(2026, 10, 29, 10);
const NOW = T0 + 30 * MINUTE;
const log = createLog('silent');

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.close());

async function openItems(count: number): Promise<{ home: TestProject; ids: string[] }> {
  const home = await createTestProject(db);
  const facts = Array.from({ length: count }, (_, i) => makeUnclear({ operationId: `op-${i}`, startedAt: T0 + i }));
  await recordFacts(db, home.project, facts);
  await settleAll(db, home.project.id, NOW - 10);
  const { items } = await listReview(readerOf(home), { filters: {}, sort: 'due', limit: 1_000 });
  return { home, ids: items.map((item) => item.id) };
}

function readerOf(home: TestProject, now = NOW) {
  return { db, project: home.project, now };
}

let ticks = 0;
/** Each act a millisecond after the one before, unless the test sets its time. */
function as(home: TestProject, name: string, role: Role = 'operator', now = NOW + (ticks += 1)): VerbContext {
  return { ...readerOf(home, now), actor: { type: 'user', id: `u-${name}`, name }, role, requestId: 'r-1' };
}

const one = (list: string[]): string => list[0] ?? '';
const codeOf = (result: VerbResult<ChangedItem | null>) => (result.ok ? 'ok' : result.refusal.code);
const RESOLVE = { resolution: 'applied_once', note: 'Found in the ledger.' } as const;

async function auditOf(home: TestProject): Promise<unknown[]> {
  const rows =
    await db.sql`select action, actor_name from audit_log where project_id = ${home.project.id} order by at, id`;
  return rows.map((row) => `${String(row.action)} ${String(row.actor_name)}`);
}

describe('working the queue', () => {
  test('claim, renew, resolve: history, audit and the operation follow', async () => {
    const { home, ids } = await openItems(1);
    const id = one(ids);
    expect(codeOf(await claimReviewItem(as(home, 'Ann'), id, { version: 2 }))).toBe('stale_version');
    expect(codeOf(await claimReviewItem(as(home, 'Ann', 'operator', NOW), id, { version: 1 }))).toBe('ok');
    expect(await getReviewItem(readerOf(home), id)).toMatchObject({
      state: 'claimed',
      version: 2,
      assignee: { name: 'Ann' },
      leaseUntil: NOW + 10 * MINUTE,
    });
    const later = NOW + 5 * MINUTE;
    expect(codeOf(await renewReviewItem(as(home, 'Ann', 'operator', later), id))).toBe('ok');
    expect(await getReviewItem(readerOf(home), id)).toMatchObject({ version: 2, leaseUntil: later + 10 * MINUTE });
    const held = await claimReviewItem(as(home, 'Bob', 'operator', later), id, { version: 2 });
    expect(held).toMatchObject({ refusal: { code: 'held_by_other', holder: 'Ann', remainingLeaseMs: 10 * MINUTE } });
    expect(codeOf(await resolveReviewItem(as(home, 'Bob'), id, { version: 2, ...RESOLVE }))).toBe('held_by_other');
    const answer = await resolveReviewItem(as(home, 'Ann', 'operator', later + 1), id, { version: 2, ...RESOLVE });
    expect(codeOf(answer)).toBe('ok');
    await settleAll(db, home.project.id, later);
    expect(await getOperation(readerOf(home), 'op-0')).toMatchObject({ state: 'succeeded', possibleEffects: 1 });
    const item = await getReviewItem(readerOf(home), id);
    expect(item).toMatchObject({ state: 'resolved', resolvedBy: 'Ann', resolutionNote: 'Found in the ledger.' });
    expect(item?.history.map((event) => event.action)).toEqual(['opened', 'claimed', 'renewed', 'resolved']);
    expect(await auditOf(home)).toEqual(['review.claim Ann', 'review.resolve Ann']);
  });

  test('a viewer may nothing; a lead takes over and both names stay', async () => {
    const { home, ids } = await openItems(1);
    const id = one(ids);
    expect(codeOf(await claimReviewItem(as(home, 'Vic', 'viewer'), id, { version: 1 }))).toBe('forbidden');
    expect(codeOf(await noteReviewItem(as(home, 'Vic', 'viewer'), id, { version: 1, note: 'x' }))).toBe('forbidden');
    expect(codeOf(await takeNextReviewItem(as(home, 'Vic', 'viewer')))).toBe('forbidden');
    await claimReviewItem(as(home, 'Ann'), id, { version: 1 });
    expect(codeOf(await releaseReviewItem(as(home, 'Bob'), id, { version: 2 }))).toBe('held_by_other');
    expect(codeOf(await claimReviewItem(as(home, 'Lea', 'lead'), id, { version: 2, note: 'Ann is ill' }))).toBe('ok');
    const item = await getReviewItem(readerOf(home), id);
    expect(item?.history.at(-1)).toMatchObject({
      action: 'assigned',
      oldValue: { assignee: 'Ann' },
      newValue: { assignee: 'Lea' },
      note: 'Ann is ill',
    });
  });

  test('twenty reviewers race for one item: one decision, nineteen refusals, one audit row', async () => {
    const { home, ids } = await openItems(1);
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, i) => resolveReviewItem(as(home, `R${i}`), one(ids), { version: 1, ...RESOLVE })),
    );
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    const others = new Set(results.filter((result) => !result.ok).map(codeOf));
    expect([...others].every((code) => code === 'stale_version' || code === 'wrong_state')).toBe(true);
    expect(await auditOf(home)).toHaveLength(1);
  });

  test('twenty workers taking next get twenty different items, then none', async () => {
    const { home, ids } = await openItems(20);
    const taken = await Promise.all(Array.from({ length: 20 }, (_, i) => takeNextReviewItem(as(home, `W${i}`))));
    const got = taken.map((result) => (result.ok ? result.value?.id : null));
    expect(new Set(got).size).toBe(20);
    expect([...got].sort()).toEqual([...ids].sort());
    expect(await takeNextReviewItem(as(home, 'W20'))).toEqual({ ok: true, value: null });
  });

  test('a lost lease gives the item back, and the late answer is refused', async () => {
    const { home, ids } = await openItems(1);
    await claimReviewItem(as(home, 'Ann'), one(ids), { version: 1 });
    const late = NOW + 11 * MINUTE;
    await runReviewTimers({ db, log, now: late }, home.project.id);
    expect(await getReviewItem(readerOf(home), one(ids))).toMatchObject({ state: 'open', assignee: null, version: 3 });
    const answer = await resolveReviewItem(as(home, 'Ann', 'operator', late), one(ids), { version: 2, ...RESOLVE });
    expect(codeOf(answer)).toBe('stale_version');
  });

  test('snooze ends by itself and is never longer than allowed', async () => {
    const { home, ids } = await openItems(1);
    const id = one(ids);
    const ann = as(home, 'Ann');
    const day = 24 * 60 * MINUTE;
    expect(codeOf(await snoozeReviewItem(ann, id, { version: 1, until: NOW + 15 * day }))).toBe('invalid_request');
    expect(codeOf(await snoozeReviewItem(ann, id, { version: 1, until: NOW - 1 }))).toBe('invalid_request');
    const until = new Date(NOW + day).toISOString();
    expect(codeOf(await snoozeReviewItem(ann, id, { version: 1, until }))).toBe('ok');
    await runReviewTimers({ db, log, now: NOW + day - 1 }, home.project.id);
    expect(await getReviewItem(readerOf(home), id)).toMatchObject({ state: 'snoozed', snoozedUntil: NOW + day });
    await runReviewTimers({ db, log, now: NOW + day }, home.project.id);
    const item = await getReviewItem(readerOf(home), id);
    expect(item).toMatchObject({ state: 'open', snoozedUntil: null });
    expect(item?.history.map((event) => event.action)).toEqual(['opened', 'snoozed', 'woken']);
  });

  test('a resolution needs a reason and one of the words', async () => {
    const { home, ids } = await openItems(1);
    const faults = async (body: unknown) => {
      const result = await resolveReviewItem(as(home, 'Ann'), one(ids), body);
      return !result.ok && result.refusal.code === 'invalid_request'
        ? result.refusal.faults.map((fault) => fault.pointer)
        : null;
    };
    expect(await faults({ version: 1, resolution: 'applied_once' })).toEqual(['/note']);
    expect(await faults({ version: 1, resolution: 'applied_once', note: '  ' })).toEqual(['/note']);
    expect(await faults({ version: 1, resolution: 'fine', note: 'x' })).toEqual(['/resolution']);
    expect(await faults({ resolution: 'applied_once', note: 'x' })).toEqual(['/version']);
    expect(await faults(null)).toEqual(['']);
  });

  test('late evidence attaches to a resolved item and never reopens it; a later recurrence is a new episode', async () => {
    const { home, ids } = await openItems(1);
    await resolveReviewItem(as(home, 'Ann'), one(ids), { version: 1, resolution: 'not_applied', note: 'Not there.' });
    await settleAll(db, home.project.id, NOW);
    await recordFacts(db, home.project, [
      makeUnclear({ operationId: 'op-0', startedAt: T0 + 2 * MINUTE, attempt: 2 }),
      makeReadBack({ operationId: 'op-0', startedAt: T0 + 9 * MINUTE }),
    ]);
    await settleAll(db, home.project.id, NOW + MINUTE);
    const item = await getReviewItem(readerOf(home), one(ids));
    expect(item).toMatchObject({ state: 'resolved', resolution: 'not_applied' });
    expect(item?.history.at(-1)).toMatchObject({ action: 'evidence' });
    await recordFacts(db, home.project, [
      makeUnclear({ operationId: 'op-0', startedAt: NOW + 2 * MINUTE, attempt: 3 }),
    ]);
    await settleAll(db, home.project.id, NOW + 3 * MINUTE);
    const { items } = await listReview(readerOf(home), { filters: {}, sort: 'due', limit: 10 });
    expect(items.map((row) => [row.episode, row.state]).sort()).toEqual([
      [1, 'resolved'],
      [2, 'waiting'],
    ]);
    expect(codeOf(await reopenReviewItem(as(home, 'Ann'), one(ids), { version: item?.version }))).toBe('wrong_state');
  });

  test('what a person reopened is not closed again by what was known already', async () => {
    const { home, ids } = await openItems(1);
    const id = one(ids);
    await recordFacts(db, home.project, [makeReadBack({ operationId: 'op-0', startedAt: T0 + 20 * MINUTE })]);
    await settleAll(db, home.project.id, NOW);
    const settled = await getReviewItem(readerOf(home), id);
    expect(settled).toMatchObject({ state: 'resolved', resolvedBy: 'Readback' });
    await reopenReviewItem(as(home, 'Ann'), id, {
      version: settled?.version,
      note: 'The read-back saw another order.',
    });
    await settleAll(db, home.project.id, NOW + MINUTE);
    expect(await getReviewItem(readerOf(home), id)).toMatchObject({ state: 'open', resolution: null });
    await recordFacts(db, home.project, [makeReadBack({ operationId: 'op-0', startedAt: T0 + 25 * MINUTE })]);
    await settleAll(db, home.project.id, NOW + 2 * MINUTE);
    expect(await getReviewItem(readerOf(home), id)).toMatchObject({ state: 'resolved', resolution: 'applied_once' });
  });

  test('mine, others and nobody are disjoint and add up to all', async () => {
    const { home, ids } = await openItems(6);
    await claimReviewItem(as(home, 'Ann'), ids[0] ?? '', { version: 1 });
    await claimReviewItem(as(home, 'Ann'), ids[1] ?? '', { version: 1 });
    await claimReviewItem(as(home, 'Bob'), ids[2] ?? '', { version: 1 });
    const list = async (assignee: 'mine' | 'others' | 'nobody') => {
      const filters = { assignee, actorId: 'u-Ann' };
      const { items } = await listReview(readerOf(home), { filters, sort: 'due', limit: 100 });
      return items.map((item) => item.id);
    };
    const all = [...(await list('mine')), ...(await list('others')), ...(await list('nobody'))];
    expect([...all].sort()).toEqual([...ids].sort());
    const summary = await getReviewSummary(readerOf(home), { actorId: 'u-Ann' });
    expect(summary).toMatchObject({ claimed: 3, mine: 2, open: 3 });
  });

  test('another project’s item is one that never was', async () => {
    const { ids } = await openItems(1);
    const other = await createTestProject(db);
    const ann = as(other, 'Ann', 'owner');
    for (const act of [
      claimReviewItem,
      releaseReviewItem,
      noteReviewItem,
      snoozeReviewItem,
      resolveReviewItem,
      reopenReviewItem,
    ]) {
      const body = { version: 1, note: 'x', until: NOW + MINUTE, resolution: 'applied_once' };
      expect(codeOf(await act(ann, one(ids), body))).toBe('not_found');
    }
    expect(codeOf(await renewReviewItem(ann, one(ids)))).toBe('not_found');
    expect(await takeNextReviewItem(ann)).toEqual({ ok: true, value: null });
  });
});
