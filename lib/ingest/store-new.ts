import type postgres from 'postgres';
import type { CountedBy } from '@/db/queries/ingest-outcome';
import { storeNewAttempts, type NewAttempt } from '@/db/queries/new-attempts';
import { tallyOutcomes, type Flight } from './count-outcomes';
import { rateIncrements } from './rate-increments';
import type { KnownRows } from './store-events';

/** Flights that are told apart again after one met an id that was taken: such ids come in swarms (a client sends again). */
const CAREFUL_FLIGHTS = 20;
const ID_TAKEN = '23505';

/** One project's entries of a flight that can be stored without a question asked first. */
export interface NewFlight {
  projectId: number;
  rows: NewAttempt[];
  operationIds: string[];
  group: Flight;
}

/**
 * The short way: most events are attempts with ids of their own, under dimensions that are known, and then nothing has
 * to be asked before it is written. Whether the ids are new shows when they are stored.
 */
export class ShortWay {
  private careful = 0;

  constructor(private readonly known: KnownRows) {}

  /** @returns null when one of the projects' entries needs the long way */
  plan(groups: readonly (readonly [number, Flight])[]): NewFlight[] | null {
    if (this.careful > 0) {
      this.careful -= 1;
      return null;
    }
    const flights: NewFlight[] = [];
    for (const [projectId, group] of groups) {
      const flight = this.known.hasTurn(projectId) ? this.layOut(projectId, group) : null;
      if (!flight) return null;
      flights.push(flight);
    }
    return flights;
  }

  /** True when `error` only says that an id was taken: nothing was kept, and the long way tells which. */
  isTaken(error: unknown): boolean {
    const taken = (error as { code?: unknown } | null)?.code === ID_TAKEN;
    if (taken) this.careful = CAREFUL_FLIGHTS;
    return taken;
  }

  private layOut(projectId: number, group: Flight): NewFlight | null {
    const rows: NewAttempt[] = [];
    const operations = new Set<string>();
    for (const { event, receivedAt } of group.entries) {
      const { id, at, json, contentHash, row, operationId } = event;
      if (row.table !== 'attempt' || !this.known.hasDimension(projectId, row.dimension.id)) return null;
      const { attempt, ruleSet, dimension } = row;
      rows.push({
        id,
        contentHash,
        startedAt: at,
        attempt,
        dimensionId: dimension.id,
        receivedAt,
        ruleSet,
        event: json,
      });
      if (operationId !== null) operations.add(operationId);
    }
    rows.sort((a, b) => (a.id < b.id ? -1 : 1));
    for (let place = 1; place < rows.length; place += 1) if (rows[place]?.id === rows[place - 1]?.id) return null;
    return { projectId, rows, operationIds: [...operations], group };
  }
}

/** @throws SQLSTATE 23505 when an id was taken; then nothing is kept */
export function storeNew(sql: postgres.ISql, { projectId, rows, operationIds, group }: NewFlight, by: CountedBy) {
  const rates = rateIncrements(group.entries.map(({ event }) => event));
  return storeNewAttempts(sql, projectId, { rows, operationIds, rates, counts: tallyOutcomes(group), by });
}
