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

/** The sends of one operation, in order of time. */
type Own = readonly StreamSend[];

interface Hop {
  operations: number;
  attempts: number;
}

interface Span {
  startAt: number;
  endAt: number;
}

function spanOf(own: Own): Span {
  const span = { startAt: Infinity, endAt: -Infinity };
  for (const { startAt, endAt } of own) {
    span.startAt = Math.min(span.startAt, startAt);
    span.endAt = Math.max(span.endAt, endAt);
  }
  return span;
}

/** The operation inside whose time this one began: a follow-up after its parent had ended nests nothing. */
function outerOf([first]: Own, spans: ReadonlyMap<string, Span>): string | undefined {
  const outer = first?.parentOperationId;
  if (first === undefined || outer === undefined || outer === first.operationId) return undefined;
  const span = spans.get(outer);
  return span && first.startAt >= span.startAt && first.startAt <= span.endAt ? outer : undefined;
}

/** Every operation nests in one at most, so the hops below one that nests in none come to an end. */
function hopsBelow(root: Own, inner: ReadonlyMap<string, Own[]>): Hop[] {
  const hops: Hop[] = [];
  for (let level = [root]; level.length > 0;) {
    hops.push({ operations: level.length, attempts: level.reduce((sum, own) => sum + own.length, 0) });
    level = level.flatMap(([first]) => (first && inner.get(first.operationId)) ?? []);
  }
  return hops;
}

function findNested({ sends }: StreamInput): StreamHit[] {
  if (!sends.some(({ parentOperationId }) => parentOperationId !== undefined)) return [];
  const byOperation = groupSends([...sends].sort(byStartAt), ({ operationId }) => operationId);
  const spans = new Map([...byOperation].map(([id, own]) => [id, spanOf(own)]));
  const inner = groupSends<Own>([...byOperation.values()], (own) => outerOf(own, spans));
  return [...inner].flatMap(([id, nested]): StreamHit[] => {
    const root = byOperation.get(id);
    if (!root || outerOf(root, spans) !== undefined) return [];
    const hops = hopsBelow(root, inner);
    if (hops.filter(({ operations, attempts }) => attempts > operations).length < 2) return [];
    return [
      {
        check: 'amplification',
        severity: 'low',
        operationId: id,
        subject: { kind: 'operation', value: id },
        at: spanOf(root).startAt,
        evidence: {
          kind: 'nested',
          hops: hops.map((hop) => ({ ...hop, perOperation: hop.attempts / hop.operations })),
          factor: hops.at(-1)?.attempts,
          sends: hops.reduce((sum, { attempts }) => sum + attempts, 0),
          operationIds: operationIdsOf([root, ...nested].flat()),
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
