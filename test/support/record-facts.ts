import type { Database } from '@/db/client';
import { makePartitions } from '@/db/partitions';
import { recordDimensions, type DimensionRow } from '@/db/queries/dimension';
import type { Attempt, Fact, Tally } from '@/lib/core/attempt';
import type { AuthorizedProject } from '@/lib/core/project';
import { bucketStart, narrowDimension } from '@/lib/core/rollup';
import { judgeAnew, judgeTally } from '@/lib/ingest/judge-attempt';
import { dimensionId } from '@/lib/platform/ids';

/**
 * Stores facts as ingestion leaves them (rows, dimensions, rate rollups, touches), one transaction a call.
 * For tests of what comes after ingestion; the ids must be new.
 */
export async function recordFacts(db: Database, project: AuthorizedProject, facts: readonly Fact[]): Promise<void> {
  const attempts = facts.filter((fact) => fact.type === 'attempt');
  const others = facts.filter((fact) => fact.type !== 'attempt');
  const times = attempts.map((attempt) => attempt.startedAt);
  if (times.length > 0) await makePartitions(db.sql, { from: Math.min(...times), to: Math.max(...times) });
  const judged = attempts.map((attempt) => ({ attempt, ...judgementOf(attempt, project) }));
  const tallies = others.filter((fact) => fact.type === 'tally');
  const tallied = tallies.map((tally) => ({ tally, dimension: dimensionOfTally(tally, project) }));
  const dimensions = [...judged, ...tallied].flatMap(({ dimension }) => [dimension, narrowOf(dimension)]);
  await db.sql.begin(async (tx) => {
    if (dimensions.length > 0) {
      await recordDimensions(tx, project.id, [...new Map(dimensions.map((row) => [row.id, row])).values()]);
    }
    for (const { attempt, dimension, ruleSet } of judged) {
      const { receivedAt = attempt.startedAt, ...event } = attempt;
      await tx`insert into attempt (project_id, started_at, id, operation_id, attempt, dimension_id, received_at, rule_set, event)
        values (${project.id}, ${iso(attempt.startedAt)}::timestamptz, ${attempt.id}, ${attempt.operationId},
          ${attempt.attempt}, ${dimension.id.toString()}::bigint, ${iso(receivedAt)}::timestamptz, ${ruleSet},
          ${JSON.stringify(event)}::text::jsonb)`;
      await count(tx, project.id, attempt.startedAt, dimension, 1, 0);
    }
    for (const fact of others) {
      const own = tallied.find((one) => one.tally.id === fact.id);
      const at = fact.type === 'tally' ? fact.minute : fact.startedAt;
      const operationId = fact.type === 'tally' ? null : (fact.operationId ?? null);
      await tx`insert into fact (project_id, id, type, operation_id, at, received_at, dimension_id, successes, event)
        values (${project.id}, ${fact.id}, ${fact.type}, ${operationId}, ${iso(at)}::timestamptz, ${iso(at)}::timestamptz,
          ${own ? own.dimension.id.toString() : null}::bigint, ${own?.tally.successes ?? null}::int,
          ${JSON.stringify(fact)}::text::jsonb)`;
      if (own) await count(tx, project.id, at, own.dimension, 0, own.tally.successes);
    }
    for (const { id, type } of others) {
      const spread = ['auth_refresh', 'cause_fixed', 'webhook_delivery', 'tally'].includes(type);
      if (spread) await tx`insert into fact_touch (project_id, fact_id) values (${project.id}, ${id})`;
    }
    const touched = new Set(facts.flatMap((fact) => (fact.type === 'tally' ? [] : [fact.operationId])));
    for (const operationId of touched) {
      if (operationId === undefined) continue;
      await tx`insert into operation_touch (project_id, operation_id) values (${project.id}, ${operationId})`;
    }
  });
}

type Tx = Parameters<Parameters<Database['sql']['begin']>[1]>[0];

async function count(tx: Tx, projectId: number, at: number, wide: DimensionRow, attempts: number, tallied: number) {
  const rows = [1, 15, 60, -15, -60].map((grain) => {
    const { id } = grain > 0 ? wide : narrowOf(wide);
    return { grain, at: iso(bucketStart(at, Math.abs(grain))), id: id.toString() };
  });
  await tx`insert into rate_rollup (project_id, grain, at, dimension_id, attempts, tallied)
    select ${projectId}::int, r.grain, r.at, r.id, ${attempts}::int, ${tallied}::int
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(grain smallint, at timestamptz, id bigint)
    on conflict (project_id, grain, at, dimension_id) do update set
      attempts = rate_rollup.attempts + excluded.attempts, tallied = rate_rollup.tallied + excluded.tallied`;
}

function narrowOf({ id: _wide, ...dimension }: DimensionRow): DimensionRow {
  const narrow = narrowDimension(dimension);
  return { ...narrow, id: dimensionId(narrow) };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

function judgementOf(attempt: Attempt, project: AuthorizedProject): { dimension: DimensionRow; ruleSet: string } {
  const { dimension, ruleSet } = judgeAnew(attempt, project);
  return { dimension: { ...dimension.dimension, id: dimension.id }, ruleSet };
}

function dimensionOfTally(tally: Tally, project: AuthorizedProject): DimensionRow {
  const { id, dimension } = judgeTally(tally, project);
  return { ...dimension, id };
}
