import type postgres from 'postgres';
import { addOutcomes, type CountedBy } from '@/db/queries/ingest-outcome';
import { keepQuarantined } from '@/db/queries/quarantine';
import { inPipelinedTransaction } from '@/db/safe-begin';
import { tallyOutcomes, type Flight } from './count-outcomes';
import type { Entry } from './store-events';

/**
 * Puts the one event of a flight aside, with what it counts as and the refusals that flew with it, in one transaction.
 * @param groups the flight by project, its entry's fate already decided
 */
export function quarantine(
  sql: postgres.Sql,
  only: Entry,
  groups: (readonly [number, Flight])[],
  by: CountedBy,
  sqlState: string,
): Promise<unknown> {
  const { id, at, json } = only.event;
  return inPipelinedTransaction(sql, (tx, commit) =>
    Promise.all([
      keepQuarantined(tx, only.projectId, { id, sqlState, at, seenAt: only.receivedAt, json }),
      ...groups.flatMap(([projectId, group]) => {
        const counts = tallyOutcomes(group);
        return counts.length > 0 ? [addOutcomes(tx, projectId, by, counts)] : [];
      }),
      commit(),
    ]),
  );
}
