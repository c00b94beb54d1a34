import type postgres from 'postgres';
import { recordDimensions } from '@/db/queries/dimension';
import { moveRates, updateJudgements, type MovedAttempt } from '@/db/queries/rejudge';
import type { StoredJudgement } from '@/db/queries/settle';
import type { Fact } from '@/lib/core/attempt';
import { judgeAttempt, type JudgingProject, type PreparedDimension } from '@/lib/ingest/judge-attempt';
import { spreadRates, type RateCount } from '@/lib/ingest/rate-increments';
import { narrowIdOf, recordNarrow } from './settle-narrow';

/** What judging stored attempts by the rules of now changes of what they count under. */
export interface Rejudged {
  /** Dimension of every stored attempt by now, by event id. */
  counted: ReadonlyMap<string, bigint>;
  moved: MovedAttempt[];
  dimensions: PreparedDimension[];
  /** What leaves and what enters the rates. */
  counts: Omit<RateCount, 'narrowId'>[];
}

/**
 * An attempt counts under what its project's rules say now, not under what they said when it came: mapping and pinned
 * editions change, and for seconds after a change ingestion may still judge by the old ones.
 */
export function rejudge(
  facts: readonly Fact[],
  judgements: ReadonlyMap<string, StoredJudgement>,
  project: JudgingProject,
): Rejudged {
  const counted = new Map<string, bigint>();
  const dimensions = new Map<bigint, PreparedDimension>();
  const rejudged = { counted, moved: [] as MovedAttempt[], counts: [] as Rejudged['counts'] };
  for (const fact of facts) {
    const stored = judgements.get(fact.id);
    if (fact.type !== 'attempt' || !stored) continue;
    const { dimension, ruleSet } = judgeAttempt(fact, project);
    counted.set(fact.id, dimension.id);
    if (dimension.id === stored.dimensionId && ruleSet === stored.ruleSet) continue;
    rejudged.moved.push({ id: fact.id, startedAt: stored.startedAt, dimensionId: dimension.id, ruleSet });
    if (dimension.id === stored.dimensionId) continue;
    dimensions.set(dimension.id, dimension);
    const at = fact.startedAt;
    rejudged.counts.push({ at, dimensionId: stored.dimensionId, attempts: -1, tallied: 0 });
    rejudged.counts.push({ at, dimensionId: dimension.id, attempts: 1, tallied: 0 });
  }
  return { ...rejudged, dimensions: [...dimensions.values()] };
}

/** First of all: conclusions name these dimensions too. */
export async function recordRejudged(tx: postgres.ISql, projectId: number, { dimensions }: Rejudged): Promise<void> {
  const rows = dimensions.map(({ id, dimension }) => ({ id, ...dimension }));
  if (rows.length > 0) await recordDimensions(tx, projectId, rows);
}

/** Under the project's turn, so that nobody else judges the same attempts meanwhile. */
export async function writeRejudged(tx: postgres.ISql, projectId: number, rejudged: Rejudged): Promise<void> {
  const { moved, counts } = rejudged;
  if (moved.length === 0) return;
  await updateJudgements(tx, projectId, moved);
  await moveCounts(tx, projectId, counts);
}

/** Moves counts between rate rows, at every grain. Their dimensions are stored; narrow ones are made where missing. */
export async function moveCounts(
  tx: postgres.ISql,
  projectId: number,
  counts: readonly Omit<RateCount, 'narrowId'>[],
): Promise<void> {
  const narrowIds = await recordNarrow(
    tx,
    projectId,
    counts.map((count) => String(count.dimensionId)),
  );
  const whole = counts.map((count) => ({
    ...count,
    narrowId: BigInt(narrowIdOf(narrowIds, String(count.dimensionId))),
  }));
  await moveRates(tx, projectId, spreadRates(whole));
}
