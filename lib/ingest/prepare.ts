import type { Fact, Tally } from '@/lib/core/attempt';
import { resolveKind } from '@/lib/core/kind';
import { resolveProfile } from '@/lib/core/profile';
import type { AuthorizedProject } from '@/lib/core/project';
import { dimensionOf, SUCCESS_CODE } from '@/lib/core/rollup';
import { hash64 } from '@/lib/platform/hash';
import { dimensionId } from '@/lib/platform/ids';
import { eventTime } from './derive-id';
import { judgeAttempt, type PreparedDimension } from './judge-attempt';

/** Facts judged and laid out for storing. */

export type { PreparedDimension } from './judge-attempt';

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

function tallyRow(fact: Tally, project: AuthorizedProject): PreparedEvent['row'] {
  const profile = resolveProfile(fact, project.profiles);
  const dimension = dimensionOf(fact, { action: 'none', code: SUCCESS_CODE }, resolveKind(fact, profile), profile);
  const prepared = { id: dimensionId(dimension), dimension };
  return { table: 'fact', type: 'tally', tally: { dimension: prepared, successes: fact.successes } };
}

function rowOf(fact: Fact, project: AuthorizedProject): PreparedEvent['row'] {
  if (fact.type === 'tally') return tallyRow(fact, project);
  if (fact.type !== 'attempt') return { table: 'fact', type: fact.type, tally: null };
  const { dimension, ruleSet } = judgeAttempt(fact, project);
  return { table: 'attempt', attempt: fact.attempt, ruleSet, dimension };
}

export function prepareEvent(fact: Fact, index: number, project: AuthorizedProject): PreparedEvent {
  const json = JSON.stringify(fact);
  return {
    index,
    id: fact.id,
    operationId: 'operationId' in fact ? (fact.operationId ?? null) : null,
    at: eventTime(fact),
    json,
    contentHash: hash64(json),
    row: rowOf(fact, project),
  };
}
