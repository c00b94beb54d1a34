import { decodeFact } from '@/db/queries/stored-fact';
import { deleteFactTouches, listTouchedFacts, touchErrorLoops, touchRepaired } from '@/db/queries/stream-facts';
import type { SettleProject } from '@/db/queries/settle-project';
import type { Fact } from '@/lib/core/attempt';
import { slotOf, DAY_SLOT_MS } from '@/lib/core/stream-places';
import type { Transaction } from '@/db/transaction';
import { digestOf, markFacts, markServices } from './stream-write';

/** Facts that bear on more than the operation they name: what they concern is settled or computed again. */

const FACTS_MAX = 500;
/** Operations that began longer before a repair are taken to be over. */
const REPAIR_BACK_MS = 7 * DAY_SLOT_MS;

/** An error loop stays open for as long as a window looks back at most. */
const LOOP_AHEAD_MS = 2 * 3_600_000;

/** @returns true when more may wait */
export async function spreadFacts(tx: Transaction, project: SettleProject, now: number): Promise<boolean> {
  const touched = await listTouchedFacts(tx.sql, project.id, FACTS_MAX);
  if (touched.length === 0) return false;
  const facts = touched.flatMap(({ event, receivedAt }) =>
    event === null ? [] : [decodeFact(event, new Date(receivedAt))],
  );
  await spread(tx, project, facts, now);
  await deleteFactTouches(
    tx.sql,
    project.id,
    touched.map(({ seq }) => seq),
  );
  return touched.length === FACTS_MAX;
}

async function spread(tx: Transaction, project: SettleProject, facts: readonly Fact[], now: number): Promise<void> {
  const { sql } = tx;
  const renewals = facts.filter((fact) => fact.type === 'auth_refresh');
  const deliveries = facts.filter((fact) => fact.type === 'webhook_delivery');
  const tallies = facts.filter((fact) => fact.type === 'tally');
  await markFacts(
    sql,
    project,
    'credential',
    renewals.map(({ credential, startedAt }) => ({ value: credential, at: startedAt })),
    now,
  );
  await markFacts(
    sql,
    project,
    'job',
    deliveries.map(({ jobId, startedAt }) => ({ value: jobId, at: startedAt })),
    now,
  );
  await markServices(
    sql,
    project,
    tallies.map(({ service, minute }) => ({ value: service, at: minute })),
    now,
  );
  for (const fact of facts) {
    if (fact.type === 'cause_fixed') {
      const span = { from: fact.startedAt, to: fact.startedAt + LOOP_AHEAD_MS };
      await touchErrorLoops(sql, project.id, { ...span, dueAt: now });
    }
    const stream = fact.type === 'auth_refresh' ? 'credential' : fact.type === 'cause_fixed' ? 'cause' : null;
    const value = fact.type === 'auth_refresh' ? fact.credential : fact.type === 'cause_fixed' ? fact.code : undefined;
    if (stream === null || value === undefined || !('startedAt' in fact)) continue;
    const at = fact.startedAt;
    const from = slotOf(at - REPAIR_BACK_MS, DAY_SLOT_MS);
    await touchRepaired(sql, project.id, { stream, digest: digestOf(value), at, backMs: at - from });
  }
}
