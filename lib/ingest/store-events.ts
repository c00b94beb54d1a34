import type postgres from 'postgres';
import { insertAttempts } from '@/db/queries/attempt';
import { recordDimensions } from '@/db/queries/dimension';
import { insertFacts } from '@/db/queries/fact';
import { addOutcomes, type CountedBy } from '@/db/queries/ingest-outcome';
import { claimIds, findContentHashes } from '@/db/queries/ledger';
import { addRates } from '@/db/queries/rollup';
import { ensureSettleTurn, touchFacts, touchOperations } from '@/db/queries/touch';
import { tallyOutcomes, type Flight } from './count-outcomes';
import type { NamedDimension, PreparedEvent } from './prepare';
import { rateIncrements } from './rate-increments';

/** One event of one request on its way into the store. */
export interface Entry {
  event: PreparedEvent;
  receivedAt: number;
  /** Whose answer it belongs to. */
  ticket: number;
  projectId: number;
  /** Set once it is decided. */
  fate: Fate | null;
}

/** `quarantined` passed every check and can't be stored. */
export type Fate = 'accepted' | 'duplicate' | 'conflict' | 'quarantined';

/** What this process knows to be in the database already, so that it need not be said again. */
export class KnownRows {
  private readonly dimensions = new Set<string>();
  private readonly turns = new Set<number>();
  private static readonly ROWS_MAX = 50_000;

  /** Dimensions of the events that the database may not have yet, and those their narrow rollup rows name. */
  newDimensions(projectId: number, events: readonly PreparedEvent[]): NamedDimension[] {
    const found = new Map<bigint, NamedDimension>();
    for (const { row } of events) {
      const dimension = row.table === 'attempt' ? row.dimension : row.tally?.dimension;
      if (!dimension || this.hasDimension(projectId, dimension.id)) continue;
      found.set(dimension.id, dimension).set(dimension.narrow.id, dimension.narrow);
    }
    return [...found.values()];
  }

  hasDimension(projectId: number, id: bigint): boolean {
    return this.dimensions.has(`${projectId} ${id}`);
  }

  hasTurn(projectId: number): boolean {
    return this.turns.has(projectId);
  }

  /** Call after the commit. */
  learn(projectId: number, dimensions: readonly NamedDimension[]): void {
    if (this.dimensions.size > KnownRows.ROWS_MAX) this.dimensions.clear();
    for (const { id } of dimensions) this.dimensions.add(`${projectId} ${id}`);
    this.turns.add(projectId);
  }
}

/**
 * Stores one project's entries inside an open transaction: ids first, then for new ones rows, dimensions, rollups and
 * marks, sent without waiting for one another, and what all of them count as. Of equal ids the first entry counts.
 * Every entry gets its fate, which is true only once the transaction is committed.
 * @param last sent behind the statements: the commit, which rolls back when one of them failed
 * @returns the dimensions that the database has from now on
 */
export async function storeEvents(
  sql: postgres.ISql,
  projectId: number,
  group: Flight,
  known: KnownRows,
  by: CountedBy,
  last: () => PromiseLike<unknown> | null,
): Promise<NamedDimension[]> {
  const { entries } = group;
  const firsts = new Map<string, Entry>();
  for (const entry of entries) if (!firsts.has(entry.event.id)) firsts.set(entry.event.id, entry);
  const sorted = [...firsts.values()].sort((a, b) => (a.event.id < b.event.id ? -1 : 1));
  const events = sorted.map(({ event }) => event);
  const fresh = events.length > 0 ? await claimIds(sql, projectId, events) : new Set<string>();
  const old = events.filter(({ id }) => !fresh.has(id)).map(({ id }) => id);
  const hashes = old.length > 0 ? await findContentHashes(sql, projectId, old) : new Map<string, bigint>();
  for (const entry of entries) {
    const { id, contentHash } = entry.event;
    const first = firsts.get(id);
    const kept = fresh.has(id) ? first?.event.contentHash : hashes.get(id);
    if (first === entry && fresh.has(id)) entry.fate = 'accepted';
    else entry.fate = kept === contentHash ? 'duplicate' : 'conflict';
  }
  const added = sorted.filter(({ event }) => fresh.has(event.id));
  const dimensions = known.newDimensions(
    projectId,
    added.map(({ event }) => event),
  );
  const counts = tallyOutcomes(group);
  await Promise.all([
    ...addRows(sql, projectId, added, dimensions),
    known.hasTurn(projectId) ? null : ensureSettleTurn(sql, projectId),
    // Behind everything else: nobody waits for these rows.
    counts.length > 0 ? addOutcomes(sql, projectId, by, counts) : null,
    last(),
  ]);
  return dimensions;
}

/** Facts that bear on other operations than the one they name, if they name one. */
const SPREAD_TYPES: ReadonlySet<string> = new Set(['auth_refresh', 'cause_fixed', 'webhook_delivery', 'tally']);

function* addRows(
  sql: postgres.ISql,
  projectId: number,
  added: readonly Entry[],
  dimensions: NamedDimension[],
): Generator<PromiseLike<unknown>> {
  if (added.length === 0) return;
  if (dimensions.length > 0)
    yield recordDimensions(
      sql,
      projectId,
      dimensions.map(({ id, dimension }) => ({ id, ...dimension })),
    );
  const attempts = added.flatMap(({ event, receivedAt }) => {
    const { id, at, json, row } = event;
    if (row.table !== 'attempt') return [];
    const { attempt, ruleSet, dimension } = row;
    return [{ id, startedAt: at, attempt, dimensionId: dimension.id, receivedAt, ruleSet, event: json }];
  });
  if (attempts.length > 0) yield insertAttempts(sql, projectId, attempts);
  const facts = added.flatMap(({ event, receivedAt }) => {
    const { id, at, json, row } = event;
    if (row.table !== 'fact') return [];
    const tally = { dimensionId: row.tally?.dimension.id ?? null, successes: row.tally?.successes ?? null };
    return [{ id, type: row.type, at, receivedAt, ...tally, event: json }];
  });
  if (facts.length > 0) yield insertFacts(sql, projectId, facts);
  const operations = new Set(added.flatMap(({ event }) => event.operationId ?? []));
  if (operations.size > 0) yield touchOperations(sql, projectId, [...operations]);
  const spread = facts.filter(({ type }) => SPREAD_TYPES.has(type)).map(({ id }) => id);
  if (spread.length > 0) yield touchFacts(sql, projectId, spread);
  // Last, because its rows are the hot ones: they stay locked only until the commit.
  const increments = rateIncrements(added.map(({ event }) => event));
  if (increments.length > 0) yield addRates(sql, projectId, increments);
}
