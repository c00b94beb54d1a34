import type postgres from 'postgres';
import type { Compliance, OperationState } from '@/lib/core/operation';

/** What settling adds to, or takes from, one rollup row. `at` is the bucket's start, epoch ms; `grain` < 0: a narrow row. */
export interface OperationDelta {
  grain: number;
  at: number;
  dimensionId: string;
  state: OperationState;
  retried: boolean;
  operations: number;
  attempts: number;
}

export interface ComplianceDelta {
  grain: number;
  at: number;
  dimensionId: string;
  compliance: Compliance;
  pairs: number;
  earlyMs: number;
  overMs: number;
}

/**
 * A row that loses something exists already, and a CHECK refuses a negative insert even where it would have become an
 * update: so losses are updates, gains are upserts.
 * @param rows sorted by the table's key
 */
export async function applyOperationDeltas(
  tx: postgres.ISql,
  projectId: number,
  rows: OperationDelta[],
): Promise<void> {
  const losses = rows.filter((row) => row.operations < 0 || row.attempts < 0);
  const gains = rows.filter((row) => row.operations >= 0 && row.attempts >= 0);
  if (losses.length > 0) {
    const done = await tx`
      update operation_rollup o set operations = o.operations + r.operations, attempts = o.attempts + r.attempts
      from ${operationRecords(tx, losses)}
      where o.project_id = ${projectId} and o.grain = r.grain and o.at = r.at and o.dimension_id = r."dimensionId"
        and o.state = r.state and o.retried = r.retried`;
    expectAll(done.count, losses.length, 'operation_rollup');
  }
  if (gains.length === 0) return;
  await tx`
    insert into operation_rollup (project_id, grain, at, dimension_id, state, retried, operations, attempts)
    select ${projectId}::int, r.grain, r.at, r."dimensionId", r.state, r.retried, r.operations, r.attempts
    from ${operationRecords(tx, gains)}
    on conflict (project_id, grain, at, dimension_id, state, retried) do update set
      operations = operation_rollup.operations + excluded.operations,
      attempts = operation_rollup.attempts + excluded.attempts`;
}

function operationRecords(tx: postgres.ISql, rows: OperationDelta[]) {
  const wire = JSON.stringify(rows.map((row) => ({ ...row, at: new Date(row.at).toISOString() })));
  return tx`jsonb_to_recordset(${wire}::text::jsonb) as r(
    grain smallint, at timestamptz, "dimensionId" bigint, state text, retried boolean, operations int, attempts int)`;
}

/** As {@link applyOperationDeltas}, for pairs. */
export async function applyComplianceDeltas(
  tx: postgres.ISql,
  projectId: number,
  rows: ComplianceDelta[],
): Promise<void> {
  const isLoss = (row: ComplianceDelta): boolean => row.pairs < 0 || row.earlyMs < 0 || row.overMs < 0;
  const losses = rows.filter(isLoss);
  const gains = rows.filter((row) => !isLoss(row));
  if (losses.length > 0) {
    const done = await tx`
      update compliance_rollup c
      set pairs = c.pairs + r.pairs, early_ms = c.early_ms + r."earlyMs", over_ms = c.over_ms + r."overMs"
      from ${complianceRecords(tx, losses)}
      where c.project_id = ${projectId} and c.grain = r.grain and c.at = r.at and c.dimension_id = r."dimensionId"
        and c.compliance = r.compliance`;
    expectAll(done.count, losses.length, 'compliance_rollup');
  }
  if (gains.length === 0) return;
  await tx`
    insert into compliance_rollup (project_id, grain, at, dimension_id, compliance, pairs, early_ms, over_ms)
    select ${projectId}::int, r.grain, r.at, r."dimensionId", r.compliance, r.pairs, r."earlyMs", r."overMs"
    from ${complianceRecords(tx, gains)}
    on conflict (project_id, grain, at, dimension_id, compliance) do update set
      pairs = compliance_rollup.pairs + excluded.pairs, early_ms = compliance_rollup.early_ms + excluded.early_ms,
      over_ms = compliance_rollup.over_ms + excluded.over_ms`;
}

function complianceRecords(tx: postgres.ISql, rows: ComplianceDelta[]) {
  const wire = JSON.stringify(rows.map((row) => ({ ...row, at: new Date(row.at).toISOString() })));
  return tx`jsonb_to_recordset(${wire}::text::jsonb) as r(
    grain smallint, at timestamptz, "dimensionId" bigint, compliance text, pairs int, "earlyMs" bigint, "overMs" bigint)`;
}

function expectAll(done: number, wanted: number, table: string): void {
  if (done !== wanted) throw new Error(`${table}: ${wanted - done} rows to subtract from are missing`);
}
