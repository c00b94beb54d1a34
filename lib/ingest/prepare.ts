import type { Fact } from '@/lib/core/attempt';
import type { AuthorizedProject } from '@/lib/core/project';
import { hash64 } from '@/lib/platform/hash';
import { eventTime } from './derive-id';
import { judgeAttempt, judgeTally, type PreparedDimension } from './judge-attempt';
import type { ReadFact } from './read-events';

/** Facts judged and laid out for storing. */

export type { NamedDimension, PreparedDimension } from './judge-attempt';

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
  /** False for what we made beside it: no answer and no counter tells of it. */
  counted: boolean;
  row:
    | { table: 'attempt'; attempt: number; ruleSet: string; dimension: PreparedDimension }
    | {
        table: 'fact';
        type: Exclude<Fact['type'], 'attempt'>;
        tally: { dimension: PreparedDimension; successes: number } | null;
      };
}

function rowOf(fact: Fact, project: AuthorizedProject): PreparedEvent['row'] {
  if (fact.type === 'tally') {
    const tally = { dimension: judgeTally(fact, project), successes: fact.successes };
    return { table: 'fact', type: 'tally', tally };
  }
  if (fact.type !== 'attempt') return { table: 'fact', type: fact.type, tally: null };
  const { dimension, ruleSet } = judgeAttempt(fact, project);
  return { table: 'attempt', attempt: fact.attempt, ruleSet, dimension };
}

export function prepareEvent({ fact, index, trace }: ReadFact, project: AuthorizedProject): PreparedEvent {
  const json = JSON.stringify(fact);
  return {
    index,
    id: fact.id,
    operationId: 'operationId' in fact ? (fact.operationId ?? null) : null,
    at: eventTime(fact),
    json,
    contentHash: hash64(json),
    counted: !trace,
    row: rowOf(fact, project),
  };
}
