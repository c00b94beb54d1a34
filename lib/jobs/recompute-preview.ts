import { listItemsOfOperations, type ReviewItem } from '@/db/queries/review';
import type { RecomputeJob } from '@/db/queries/recompute';
import { pageOperations } from '@/db/queries/recompute-range';
import { readFacts } from '@/db/queries/settle';
import type { SettleProject } from '@/db/queries/settle-project';
import type { Transaction } from '@/db/transaction';
import { applyChange, type Judging } from '@/lib/core/settings-change';
import { compareConclusions, emptyCounts, sumUp, type WhatIfCounts } from '@/lib/core/what-if';
import type { RecomputeContext, Slice } from './recompute-slice';
import { drawConclusion, type Drawn } from './settle-conclude';

/** A preview looks at so many of the newest operations, and says when there were more. */
const PREVIEW_OPERATIONS_MAX = 100_000;

/** Concludes the next operations under the rules of now and under the wished ones; nothing but counts is kept. */
export async function previewSlice(
  context: RecomputeContext,
  tx: Transaction,
  project: SettleProject,
  job: RecomputeJob,
  limit: number,
): Promise<Slice> {
  const counts = { ...emptyCounts(), ...(job.result as Partial<WhatIfCounts> | null) };
  const max = context.previewOperationsMax ?? PREVIEW_OPERATIONS_MAX;
  const wanted = Math.min(limit, max - counts.operations);
  const rows = wanted > 0 ? await pageOperations(tx.sql, project.id, job, job.position?.after ?? null, wanted) : [];
  const wished = applyChange(project, job.change ?? {});
  await compare(
    tx,
    { project, wished, asOf: job.createdAt },
    rows.map((row) => row.id),
    counts,
  );
  const done = job.done + rows.length;
  const after = rows.at(-1);
  if (after && rows.length === limit) {
    return { job: { ...job, done, position: { part: 'operations', after }, result: { ...counts } }, waits: false };
  }
  const result = sumUp(counts, Math.max(job.total, done));
  return { job: { ...job, done, state: 'done', finishedAt: context.clock(), result }, waits: false };
}

interface Comparison {
  project: SettleProject;
  wished: Judging;
  /** Both sides are concluded for the moment of asking, so that time itself moves nothing. */
  asOf: number;
}

async function compare(
  tx: Transaction,
  { project, wished, asOf }: Comparison,
  operationIds: string[],
  counts: WhatIfCounts,
): Promise<void> {
  if (operationIds.length === 0) return;
  const { facts } = await readFacts(tx.sql, project.id, operationIds);
  const items = await listItemsOfOperations(tx.sql, project.id, operationIds);
  for (const operationId of operationIds) {
    const own = items.filter((item) => item.operationId === operationId);
    const given = { operationId, facts: facts.get(operationId) ?? [], items: own, now: asOf, makeId: () => '' };
    const before = drawConclusion({ ...given, project });
    const after = drawConclusion({ ...given, project: wished });
    compareConclusions(counts, before.conclusion, after.conclusion);
    const [waited, waits] = [before, after].map((drawn) => isLeftOpen(drawn, own));
    if (waits && !waited) counts.opened += 1;
    if (waited && !waits) counts.closed += 1;
  }
}

/** Would an item of the operation wait for a person once this conclusion is stored. */
function isLeftOpen({ review }: Drawn, items: readonly ReviewItem[]): boolean {
  const change = review({ dimensionOf: new Map(), operationDimension: '0' });
  const latest = change?.item ?? items.at(-1);
  return latest !== undefined && latest.state !== 'resolved';
}
