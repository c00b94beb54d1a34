import type { Database } from '@/db/client';
import { dumpSettled } from './dump-settled';
import type { TestProject } from './project';

/** Every stored conclusion of a project, without what names the project or the moment of writing. */
export async function conclusionsOf(db: Database, home: TestProject) {
  const dump = await dumpSettled(db, home.project.id);
  const strip = (rows: Record<string, unknown>[]) =>
    rows.map(({ project_id: _project, settled_at: _settled, ...row }) => row);
  const attempts = await db.sql`
    select id, dimension_id, rule_set from attempt where project_id = ${home.project.id} order by id`;
  const tallies = await db.sql`
    select id, dimension_id from fact where project_id = ${home.project.id} and type = 'tally' order by id`;
  const rates = await db.sql`
    select grain, at, dimension_id, attempts, tallied from rate_rollup where project_id = ${home.project.id}
    order by 1, 2, 3`;
  const waiting = dump.review_item
    .filter((item) => item.state !== 'resolved')
    .map((item) => [item.operation_id, item.cause, item.dimension_id, item.doubt_since, item.doubt_until] as unknown[]);
  return {
    attempts: [...attempts],
    tallies: [...tallies],
    rates: [...rates],
    operations: strip(dump.operation),
    references: strip(dump.operation_ref),
    pairs: strip(dump.retry_pair),
    operationRollup: strip(dump.operation_rollup),
    complianceRollup: strip(dump.compliance_rollup),
    findings: strip(dump.finding),
    waiting,
  };
}
