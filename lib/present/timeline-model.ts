import type { Fact, ReadBack } from '../core/attempt';
import type { Compliance, JudgedAttempt, Pair } from '../core/operation';
import { listTicks, positionOf, prepareScale, type Span, type Tick, type TimelineScale } from './timeline-scale';

/**
 * What the timeline of one operation draws: one row a send or fact, in the order it happened, positions 0 to 1.
 * The asked wait is a band behind its send, the next send a mark, so that "early" is a mark inside the band.
 */

export interface WaitBand extends Span {
  x0: number;
  x1: number;
  askedMs: number;
}

export interface NextMark {
  at: number;
  x: number;
  /** From this send's reference time; negative when the next one overlapped. */
  gapMs: number;
  standing: 'early' | 'kept' | 'plain';
}

export interface SendRow {
  kind: 'send';
  id: string;
  attempt: number;
  judged: JudgedAttempt;
  startedAt: number;
  endedAt: number | null;
  /** null when the end is not known. */
  tookMs: number | null;
  x0: number;
  x1: number;
  /** Where the answer's head arrived, when that was before the end. */
  headX: number | null;
  /** Drawn with a fading tail: nobody saw it end. */
  openEnd: boolean;
  /** Started before an earlier send ended. */
  overlaps: boolean;
  wait: WaitBand | null;
  next: NextMark | null;
  compliance: Compliance | null;
  earlyMs: number;
  approx: boolean;
}

export type FactKind = Exclude<Fact['type'], 'attempt' | 'attempt_started' | 'tally'>;

export interface FactRow {
  kind: 'fact';
  id: string;
  fact: Extract<Fact, { type: FactKind }>;
  at: number;
  x0: number;
  x1: number;
}

export interface TimelineBreak {
  x0: number;
  x1: number;
  skippedMs: number;
}

export interface TimelineModel {
  from: number;
  to: number;
  rows: (SendRow | FactRow)[];
  breaks: TimelineBreak[];
  ticks: Tick[];
}

export interface TimelineInput {
  /** Timeline order, as settled. */
  sends: JudgedAttempt[];
  pairs: Pair[];
  /** Other facts of the operation, any order. */
  facts: Fact[];
}

/** Smallest distance of two ticks, as a share of the axis: five labels fit a phone. */
const TICK_GAP_MIN = 0.2;

/** The instant that an asked wait counts from: the answer's head, else the end, else the start. */
function referenceTime(attempt: { startedAt: number; headersAt?: number; endedAt?: number }): number {
  return Math.max(attempt.startedAt, attempt.headersAt ?? attempt.endedAt ?? attempt.startedAt);
}

interface PlacedSend {
  judged: JudgedAttempt;
  start: number;
  /** The latest instant at which it was seen alive. */
  end: number;
  pair: Pair | null;
  wait: Span | null;
  nextAt: number | null;
}

function placeSends({ sends, pairs }: TimelineInput): PlacedSend[] {
  const pairOf = new Map(pairs.map((pair) => [pair.attemptEventId, pair]));
  return sends.map((judged) => {
    const { attempt } = judged;
    const pair = pairOf.get(attempt.id) ?? null;
    const reference = referenceTime(attempt);
    const end = Math.max(attempt.startedAt, attempt.endedAt ?? attempt.headersAt ?? attempt.startedAt);
    const askedMs = pair?.askedMs ?? null;
    const gapMs = pair?.gapMs ?? null;
    const wait = askedMs === null ? null : { from: reference, to: reference + askedMs };
    const nextAt = gapMs === null ? null : Math.max(attempt.startedAt, reference + gapMs);
    return { judged, start: attempt.startedAt, end, pair, wait, nextAt };
  });
}

type ShownFact = Extract<Fact, { type: FactKind }>;

function isShown(fact: Fact): fact is ShownFact {
  return fact.type !== 'attempt' && fact.type !== 'attempt_started' && fact.type !== 'tally';
}

function factSpan(fact: ShownFact): Span {
  const to = fact.type === 'readback' ? (fact satisfies ReadBack).endedAt : fact.startedAt;
  return { from: fact.startedAt, to: Math.max(fact.startedAt, to) };
}

function scaleFor(placed: PlacedSend[], facts: ShownFact[]): TimelineScale {
  const starts = placed.map((send) => send.start);
  const between = { from: Math.min(...starts), to: Math.max(...starts) };
  return prepareScale({
    running: placed.map((send) => ({ from: send.start, to: send.end })),
    waiting: [
      ...placed.flatMap((send) => (send.wait ? [send.wait] : [])),
      ...placed.flatMap((send) => (send.nextAt === null ? [] : [{ from: send.start, to: send.nextAt }])),
      ...(placed.length > 0 ? [between] : []),
    ],
    points: facts.flatMap((fact) => [factSpan(fact).from, factSpan(fact).to]),
  });
}

function standingOf(compliance: Compliance): NextMark['standing'] {
  if (compliance === 'early' || compliance === 'early_capped') return 'early';
  return compliance === 'honoured' ? 'kept' : 'plain';
}

function nextMark(send: PlacedSend, scale: TimelineScale): NextMark | null {
  if (send.nextAt === null || !send.pair || send.pair.gapMs === null) return null;
  const { compliance, gapMs } = send.pair;
  return { at: send.nextAt, x: positionOf(scale, send.nextAt), gapMs, standing: standingOf(compliance) };
}

function sendRow(send: PlacedSend, earlierEnd: number, scale: TimelineScale): SendRow {
  const { attempt } = send.judged;
  const { headersAt, endedAt } = attempt;
  const known = endedAt !== undefined;
  const headInside = headersAt !== undefined && headersAt > send.start && headersAt < send.end;
  return {
    kind: 'send',
    id: attempt.id,
    attempt: attempt.attempt,
    judged: send.judged,
    startedAt: send.start,
    endedAt: known ? send.end : null,
    tookMs: known ? send.end - send.start : null,
    x0: positionOf(scale, send.start),
    x1: positionOf(scale, send.end),
    headX: headInside ? positionOf(scale, headersAt) : null,
    openEnd: !known,
    overlaps: send.start < earlierEnd,
    wait: send.wait && {
      ...send.wait,
      x0: positionOf(scale, send.wait.from),
      x1: positionOf(scale, send.wait.to),
      askedMs: send.wait.to - send.wait.from,
    },
    next: nextMark(send, scale),
    compliance: send.pair?.compliance ?? null,
    earlyMs: send.pair?.earlyMs ?? 0,
    approx: send.pair?.approx ?? false,
  };
}

/** Sends keep their settled order; a fact stands before the first send that started after it. */
function mergeRows(sends: SendRow[], facts: FactRow[]): (SendRow | FactRow)[] {
  const rows: (SendRow | FactRow)[] = [];
  let taken = 0;
  for (const send of sends) {
    for (let fact = facts[taken]; fact && fact.at < send.startedAt; fact = facts[taken]) {
      rows.push(fact);
      taken += 1;
    }
    rows.push(send);
  }
  return [...rows, ...facts.slice(taken)];
}

/** @returns the drawing of an operation's story; an operation without sends or facts gives no rows. */
export function prepareTimeline(input: TimelineInput): TimelineModel {
  const placed = placeSends(input);
  const facts = input.facts.filter(isShown).sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1));
  const scale = scaleFor(placed, facts);
  let earlierEnd = Number.NEGATIVE_INFINITY;
  const sendRows = placed.map((send) => {
    const row = sendRow(send, earlierEnd, scale);
    earlierEnd = Math.max(earlierEnd, send.end);
    return row;
  });
  const factRows = facts.map((fact): FactRow => {
    const span = factSpan(fact);
    return {
      kind: 'fact',
      id: fact.id,
      fact,
      at: span.from,
      x0: positionOf(scale, span.from),
      x1: positionOf(scale, span.to),
    };
  });
  const onlyAt = placed[0]?.start ?? factRows[0]?.at ?? 0;
  return {
    from: scale[0]?.from ?? onlyAt,
    to: scale.at(-1)?.to ?? onlyAt,
    rows: mergeRows(sendRows, factRows),
    breaks: scale.filter((s) => s.cut).map((s) => ({ x0: s.x0, x1: s.x1, skippedMs: s.to - s.from })),
    ticks: listTicks(scale, TICK_GAP_MIN),
  };
}
