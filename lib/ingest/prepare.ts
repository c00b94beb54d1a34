import type { Attempt, Fact } from '@/lib/core/attempt';
import { classify, ruleSetOf } from '@/lib/core/classify';
import { resolveKind } from '@/lib/core/kind';
import { resolveProfile } from '@/lib/core/profile';
import type { AuthorizedProject } from '@/lib/core/project';
import { dimensionOf, SUCCESS_CODE, type Dimension } from '@/lib/core/rollup';
import { hash64 } from '@/lib/platform/hash';
import { dimensionId } from '@/lib/platform/ids';
import { eventTime } from './derive-id';

/** Facts judged and laid out for storing. Pure but for a memory of dimension ids. */

export interface PreparedDimension {
  id: bigint;
  dimension: Dimension;
}

export interface PreparedEvent {
  /** Place in the request, for answers. */
  index: number;
  id: string;
  operationId: string | null;
  /** Event time, epoch ms. */
  at: number;
  /** The masked fact, as it is stored. */
  json: string;
  contentHash: bigint;
  row:
    | { table: 'attempt'; attempt: number; ruleSet: string; dimension: PreparedDimension }
    | {
        table: 'fact';
        type: Exclude<Fact['type'], 'attempt'>;
        tally: { dimension: PreparedDimension; successes: number } | null;
      };
}

const DIMENSIONS_REMEMBERED_MAX = 20_000;
const remembered = new Map<string, PreparedDimension>();

function prepareDimension(dimension: Dimension): PreparedDimension {
  const key = Object.values(dimension).join('\u0001');
  const known = remembered.get(key);
  if (known) return known;
  if (remembered.size >= DIMENSIONS_REMEMBERED_MAX) remembered.clear();
  const made = { id: dimensionId(dimension), dimension };
  remembered.set(key, made);
  return made;
}

function attemptRow(attempt: Attempt, receivedAt: number, project: AuthorizedProject): PreparedEvent['row'] {
  const profile = resolveProfile(attempt, project.profiles);
  const verdict = classify({ ...attempt, receivedAt }, ruleSetOf(attempt, project.profiles), project.settings);
  const dimension = prepareDimension(dimensionOf(attempt, verdict, resolveKind(attempt, profile), profile));
  return { table: 'attempt', attempt: attempt.attempt, ruleSet: verdict.ruleSet, dimension };
}

function factRow(fact: Exclude<Fact, Attempt>, project: AuthorizedProject): PreparedEvent['row'] {
  if (fact.type !== 'tally') return { table: 'fact', type: fact.type, tally: null };
  const profile = resolveProfile(fact, project.profiles);
  const dimension = dimensionOf(fact, { action: 'none', code: SUCCESS_CODE }, resolveKind(fact, profile), profile);
  return { table: 'fact', type: 'tally', tally: { dimension: prepareDimension(dimension), successes: fact.successes } };
}

/** @param receivedAt epoch ms; judged with, never stored inside the fact */
export function prepareEvent(fact: Fact, index: number, receivedAt: number, project: AuthorizedProject): PreparedEvent {
  const json = JSON.stringify(fact);
  return {
    index,
    id: fact.id,
    operationId: 'operationId' in fact ? (fact.operationId ?? null) : null,
    at: eventTime(fact),
    json,
    contentHash: hash64(json),
    row: fact.type === 'attempt' ? attemptRow(fact, receivedAt, project) : factRow(fact, project),
  };
}
