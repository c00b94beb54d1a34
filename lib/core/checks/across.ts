import type { Fact } from '../attempt';
import { DEFAULT_SETTINGS, type OperationConclusion, type Settings } from '../operation';
import { toStreamFacts, toStreamSends } from './stream/build-stream';
import { findInStream } from './stream/index';
import type { StreamFinding, StreamSend } from './stream/stream';

/** The stream checks over operations that were handed over as a whole: one request's body is its own window. */

function windowOf(sends: readonly StreamSend[], facts: readonly Fact[]): { from: number; to: number } {
  let from = Infinity;
  let to = -Infinity;
  const see = (at: number): void => {
    if (at < from) from = at;
    if (at > to) to = at;
  };
  for (const { startAt } of sends) see(startAt);
  for (const fact of facts) if ('startedAt' in fact) see(fact.startedAt);
  return { from, to: to + 1 };
}

/**
 * @param facts what isn't in the conclusions: renewals, fixes, deliveries, job results
 * @returns findings by operation id, for operations that have any; under '' those of no operation that was given
 */
export function findAcrossOperations(
  conclusions: readonly OperationConclusion[],
  facts: readonly Fact[] = [],
  settings: Settings = DEFAULT_SETTINGS,
): ReadonlyMap<string, StreamFinding[]> {
  const sends = conclusions.flatMap(({ attempts }) => toStreamSends(attempts));
  const window = windowOf(sends, facts);
  const given = new Set(conclusions.map(({ operationId }) => operationId));
  const found = new Map<string, StreamFinding[]>();
  for (const finding of findInStream({ window, sends, facts: toStreamFacts(facts), settings })) {
    const named = finding.operationId ?? firstNamed(finding);
    const operationId = named !== undefined && given.has(named) ? named : '';
    const known = found.get(operationId);
    if (known) known.push(finding);
    else found.set(operationId, [finding]);
  }
  return found;
}

/** A finding of many operations is shown with the first of them. */
function firstNamed({ evidence }: StreamFinding): string | undefined {
  const ids = evidence.operationIds;
  return Array.isArray(ids) && typeof ids[0] === 'string' ? ids[0] : undefined;
}
