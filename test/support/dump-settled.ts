import type { Database } from '@/db/client';

/** Every row settling owns, as text, in a fixed order: two equal dumps mean nothing changed. */
export async function dumpSettled(db: Database, projectId: number) {
  const read = (table: string, order: string) =>
    db.sql.unsafe(`select * from ${table} where project_id = $1 order by ${order}`, [projectId]);
  return {
    operation: [...(await read('operation', 'operation_id'))],
    operation_ref: [...(await read('operation_ref', 'kind, value, operation_id'))],
    retry_pair: [...(await read('retry_pair', 'operation_id, attempt'))],
    operation_rollup: [...(await read('operation_rollup', 'grain, at, dimension_id, state, retried'))].filter(
      (row) => row.operations !== 0,
    ),
    compliance_rollup: [...(await read('compliance_rollup', 'grain, at, dimension_id, compliance'))].filter(
      (row) => row.pairs !== 0,
    ),
    finding: [...(await read('finding', 'id'))],
    finding_operation: [...(await read('finding_operation', 'operation_id, finding_id'))],
    stream_member: [...(await read('stream_member', 'stream, value, slot, operation_id'))],
    review_item: [...(await read('review_item', 'operation_id, episode'))],
    review_event: [...(await read('review_event', 'item_id, at, action'))],
  };
}
