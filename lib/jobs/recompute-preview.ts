import { readUsesElsewhere } from '@/db/queries/key-use';
import { listItemsOfOperations, type ReviewItem } from '@/db/queries/review';
import type { PreviewWindow, RecomputeJob } from '@/db/queries/recompute';
import { pageOperations } from '@/db/queries/recompute-range';
import { readFacts, readSharedFacts } from '@/db/queries/settle';
import type { SettleProject } from '@/db/queries/settle-project';
import type { Transaction } from '@/db/transaction';
import { findRepairChances } from '@/lib/core/repair-chance';
import { applyChange, type Judging } from '@/lib/core/settings-change';
import { compareConclusions, emptyCounts, sumUp, type WhatIfCounts } from '@/lib/core/what-if';
import type { RecomputeContext, Slice } from './recompute-slice';
import { compareWindow, listPreviewWindows, PREVIEW_WINDOWS_MAX } from './recompute-windows';
import { drawConclusion, type ConcludeInput, type Drawn } from './settle-conclude';

/** A preview looks at so many of the newest operations, and says when there were more. */
const PREVIEW_OPERATIONS_MAX = 100_000;
/** Windows are looked at for so long in one slice: one may hold a thousand operations. */
const WINDOWS_MS = 300;

/** Concludes the next operations under the rules of now and under the wished ones; nothing but counts is kept. */
export async function previewSlice(
  context: RecomputeContext,
  tx: Transaction,
  project: SettleProject,
  job: RecomputeJob,
  limit: number,
): Promise<Slice> {
  const counts = { ...emptyCounts(), ...(job.result as Partial<WhatIfCounts> | null) };
  const comparison = { project, wished: applyChange(project, job.change ?? {}), asOf: job.createdAt };
  const { position } = job;
  const next =
    position?.part === 'windows'
      ? await previewWindows(context, tx, comparison, { ...job, position }, counts)
      : await previewOperations(context, tx, comparison, job, counts, limit);
  return { job: next, waits: false };
}

interface Comparison {
  project: SettleProject;
  wished: Judging;
  /** Both sides are concluded for the moment of asking, so that time itself moves nothing. */
  asOf: number;
}

async function previewOperations(
  context: RecomputeContext,
  tx: Transaction,
  comparison: Comparison,
  job: RecomputeJob,
  counts: WhatIfCounts,
  limit: number,
): Promise<RecomputeJob> {
  const { project } = comparison;
  const max = context.previewOperationsMax ?? PREVIEW_OPERATIONS_MAX;
  const wanted = Math.min(limit, max - counts.operations);
  const last = job.position?.part === 'operations' ? job.position.after : null;
  const rows = wanted > 0 ? await pageOperations(tx.sql, project.id, job, last, wanted) : [];
  await compareOperations(
    tx,
    comparison,
    rows.map((row) => row.id),
    counts,
  );
  const done = job.done + rows.length;
  const after = rows.at(-1);
  if (after && rows.length === limit) {
    return { ...job, done, position: { part: 'operations', after }, result: { ...counts } };
  }
  const left = await listPreviewWindows(tx.sql, project, job);
  return { ...job, done, position: { part: 'windows', left }, result: { ...counts } };
}

async function previewWindows(
  context: RecomputeContext,
  tx: Transaction,
  { project, wished }: Comparison,
  job: RecomputeJob & { position: { left: PreviewWindow[] } },
  counts: WhatIfCounts,
): Promise<RecomputeJob> {
  const until = context.clock() + WINDOWS_MS;
  const left = [...job.position.left];
  while (left.length > 0 && counts.windows < PREVIEW_WINDOWS_MAX && context.clock() <= until) {
    const window = left.shift();
    if (!window) break;
    await compareWindow(tx.sql, project, wished, window, counts);
    counts.windows += 1;
  }
  if (left.length > 0 && counts.windows < PREVIEW_WINDOWS_MAX) {
    return { ...job, position: { part: 'windows', left }, result: { ...counts } };
  }
  const result = sumUp(counts, Math.max(job.total, job.done), left.length > 0);
  return { ...job, position: null, state: 'done', finishedAt: context.clock(), result };
}

type Given = Omit<ConcludeInput, 'counted' | 'project' | 'shared'>;

async function compareOperations(
  tx: Transaction,
  { project, wished, asOf }: Comparison,
  operationIds: string[],
  counts: WhatIfCounts,
): Promise<void> {
  if (operationIds.length === 0) return;
  const { facts } = await readFacts(tx.sql, project.id, operationIds);
  const items = await listItemsOfOperations(tx.sql, project.id, operationIds);
  const usesElsewhere = await readUsesElsewhere(tx.sql, project.id, facts);
  const given = operationIds.map((operationId): Given => {
    const own = items.filter((item) => item.operationId === operationId);
    const elsewhere = usesElsewhere(operationId);
    return { operationId, facts: facts.get(operationId) ?? [], elsewhere, items: own, now: asOf, makeId: () => '' };
  });
  const before = await drawAll(tx, project.id, given, project);
  const after = await drawAll(tx, project.id, given, wished);
  given.forEach(({ items: own }, i) => {
    const [was, is] = [before[i], after[i]];
    if (!was || !is) return;
    compareConclusions(counts, was.conclusion, is.conclusion);
    const [waited, waits] = [was, is].map((drawn) => isLeftOpen(drawn, own));
    if (waits && !waited) counts.opened += 1;
    if (waited && !waits) counts.closed += 1;
  });
}

/** As settling concludes them: with the renewals and fixes that were told of no operation. */
async function drawAll(
  tx: Transaction,
  projectId: number,
  given: readonly Given[],
  judging: Judging,
): Promise<Drawn[]> {
  const alone = given.map((one) => drawConclusion({ ...one, project: judging }));
  const spans = alone.flatMap(({ conclusion: { operationId, attempts } }) =>
    findRepairChances(attempts).map((chance) => ({ operationId, ...chance })),
  );
  const shared = await readSharedFacts(tx.sql, projectId, spans);
  return alone.map((drawn, i) => {
    const facts = shared.get(drawn.conclusion.operationId);
    const one = given[i];
    return facts && one ? drawConclusion({ ...one, shared: facts, project: judging }) : drawn;
  });
}

/** Would an item of the operation wait for a person once this conclusion is stored. */
function isLeftOpen({ review }: Drawn, items: readonly ReviewItem[]): boolean {
  const change = review({ dimensionOf: new Map(), operationDimension: '0' });
  const latest = change?.item ?? items.at(-1);
  return latest !== undefined && latest.state !== 'resolved';
}
