import type { Settings } from '../../operation';
import {
  byStartAt,
  groupSends,
  operationIdsOf,
  type StreamCheck,
  type StreamHit,
  type StreamInput,
  type StreamSend,
} from './stream';

/**
 * M17. Nested retries: an operation repeats, and inside its sends another repeats too, so that sends multiply hop by
 * hop. And a service whose attempts per operation rose against the time before. Without a denominator: no value.
 */

interface Hop {
  operations: number;
  attempts: number;
}

/** Inside its parent's time: a follow-up after the parent had ended nests nothing. */
function isNested(startAt: number, parent: readonly StreamSend[], endAt: number): boolean {
  return startAt >= (parent[0]?.startAt ?? Infinity) && startAt <= endAt;
}

function endsOf(byOperation: ReadonlyMap<string, StreamSend[]>): Map<string, number> {
  const ends = new Map<string, number>();
  for (const [id, own] of byOperation)
    ends.set(
      id,
      own.reduce((most, { endAt }) => Math.max(most, endAt), -Infinity),
    );
  return ends;
}

function hopsBelow(
  root: string,
  byOperation: ReadonlyMap<string, StreamSend[]>,
  children: ReadonlyMap<string, string[]>,
): Hop[] {
  const hops: Hop[] = [];
  const seen = new Set<string>();
  for (let level = [root]; level.length > 0;) {
    const attempts = level.reduce((sum, id) => sum + (byOperation.get(id)?.length ?? 0), 0);
    hops.push({ operations: level.length, attempts });
    level.forEach((id) => seen.add(id));
    level = level.flatMap((id) => (children.get(id) ?? []).filter((child) => !seen.has(child)));
  }
  return hops;
}

function findNested({ sends }: StreamInput): StreamHit[] {
  if (!sends.some(({ parentOperationId }) => parentOperationId !== undefined)) return [];
  const byOperation = groupSends([...sends].sort(byStartAt), ({ operationId }) => operationId);
  const children = new Map<string, string[]>();
  const nested = new Set<string>();
  const ends = endsOf(byOperation);
  for (const [id, own] of byOperation) {
    const parent = own[0]?.parentOperationId;
    const above = parent === undefined ? undefined : byOperation.get(parent);
    if (
      parent === undefined ||
      parent === id ||
      !above ||
      !isNested(own[0]?.startAt ?? Infinity, above, ends.get(parent) ?? -Infinity)
    )
      continue;
    nested.add(id);
    const known = children.get(parent);
    if (known) known.push(id);
    else children.set(parent, [id]);
  }
  return [...children.keys()].flatMap((root) => {
    if (nested.has(root)) return [];
    const hops = hopsBelow(root, byOperation, children);
    if (hops.filter(({ operations, attempts }) => attempts > operations).length < 2) return [];
    const own = byOperation.get(root) ?? [];
    const deepest = hops.at(-1)?.attempts ?? 0;
    return [
      {
        check: 'amplification',
        severity: 'low' as const,
        operationId: root,
        subject: { kind: 'operation' as const, value: root },
        at: own[0]?.startAt ?? 0,
        evidence: {
          kind: 'nested',
          hops: hops.map((hop) => ({ ...hop, perOperation: hop.attempts / hop.operations })),
          factor: deepest,
          sends: hops.reduce((sum, { attempts }) => sum + attempts, 0),
          operationIds: [root, ...(children.get(root) ?? [])].slice(0, 20),
        },
      },
    ];
  });
}

/** What a service did in some time; clean first tries that were only tallied are in both numbers. */
export interface ServiceLoad {
  operations: number;
  attempts: number;
}

function loadOf(
  input: StreamInput,
  service: string,
  own: readonly StreamSend[],
  from: number,
  to: number,
): ServiceLoad {
  const tallied = input.facts.tallies
    .filter((tally) => tally.service === service && tally.minute >= from && tally.minute < to)
    .reduce((sum, { successes }) => sum + successes, 0);
  const operations = new Set(own.map(({ operationId }) => operationId)).size;
  return { operations: operations + tallied, attempts: own.length + tallied };
}

function perOperation({ operations, attempts }: ServiceLoad, least: number): number | null {
  return operations < Math.max(1, least) ? null : attempts / operations;
}

/**
 * Attempts per operation of a service in a window against the time before it.
 * @param from start of the window, epoch ms
 * @param operationIds some operations of the window
 */
export function judgeLoad(
  service: string,
  from: number,
  [now, before]: readonly [ServiceLoad, ServiceLoad],
  settings: Settings,
  operationIds: readonly string[],
): StreamHit[] {
  const least = settings.amplificationOperationsMinCount;
  const [ratio, baseline] = [perOperation(now, least), perOperation(before, least)];
  if (ratio === null || baseline === null || ratio < baseline * settings.amplificationFactor) return [];
  return [
    {
      check: 'amplification',
      severity: 'low',
      subject: { kind: 'service', value: service },
      at: from,
      evidence: {
        kind: 'above_baseline',
        attemptsPerOperation: ratio,
        baseline,
        factor: ratio / baseline,
        operations: now.operations,
        operationIds: [...operationIds],
      },
    },
  ];
}

function judgeService(input: StreamInput, service: string, sends: readonly StreamSend[]): StreamHit[] {
  const { from, to } = input.window;
  const before = from - input.settings.amplificationBaselineMs;
  const between = (start: number, end: number): StreamSend[] =>
    sends.filter(({ startAt }) => startAt >= start && startAt < end);
  const own = between(from, to);
  const loads = [
    loadOf(input, service, own, from, to),
    loadOf(input, service, between(before, from), before, from),
  ] as const;
  return judgeLoad(service, from, loads, input.settings, operationIdsOf(own));
}

export const findAmplification: StreamCheck = {
  check: 'amplification',
  groupBy: 'service',
  lookBackMs: (settings) => settings.amplificationBaselineMs,
  lookAheadMs: () => 0,
  find(input) {
    const services = groupSends(input.sends, ({ service }) => service);
    return [...findNested(input), ...[...services].flatMap(([service, sends]) => judgeService(input, service, sends))];
  },
};
