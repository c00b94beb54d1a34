/**
 * A time axis that is linear wherever something happens and cuts long stretches where nothing does.
 * Instants are epoch ms, positions go from 0 to 1. Only differences of instants are used, so zones and
 * daylight saving can't bend it.
 */

export interface Span {
  from: number;
  to: number;
}

/** What the axis has to keep readable. */
export interface ScaleInput {
  /** Time during which a send was under way: never cut. */
  running: Span[];
  /** Asked waits, and what lies between two sends: cut only when hopelessly longer than the rest. */
  waiting: Span[];
  /** Everything else that is drawn at an instant. */
  points: number[];
}

export interface Stretch extends Span {
  x0: number;
  x1: number;
  /** Drawn at a fixed width with a visible break instead of to scale. */
  cut: boolean;
}

/** Stretches in time order, without holes, from the first instant to the last. */
export type TimelineScale = Stretch[];

type StretchClass = 'running' | 'waiting' | 'idle';

/** A stretch is cut when it is longer than this many times all that is drawn to scale. */
const CUT_FACTOR: Readonly<Record<Exclude<StretchClass, 'running'>, number>> = { waiting: 60, idle: 0.75 };
/** Shorter stretches stay whole: a two-minute wait is still a picture. */
const CUT_MS_MIN: Readonly<Record<Exclude<StretchClass, 'running'>, number>> = { waiting: 120_000, idle: 1_000 };
const CUT_WIDTH = 0.07;
const CUT_WIDTH_SUM_MAX = 0.42;

function classOf(span: Span, input: ScaleInput): StretchClass {
  const covers = (other: Span) => other.from <= span.from && other.to >= span.to;
  if (input.running.some(covers)) return 'running';
  return input.waiting.some(covers) ? 'waiting' : 'idle';
}

function splitAtInstants(input: ScaleInput): { span: Span; kind: StretchClass }[] {
  const instants = [...input.running, ...input.waiting].flatMap((span) => [span.from, span.to]);
  const sorted = [...new Set([...instants, ...input.points])].sort((a, b) => a - b);
  return sorted.slice(1).map((to, i) => {
    const span = { from: sorted[i] ?? to, to };
    return { span, kind: classOf(span, input) };
  });
}

/** Shortest first, so that what is kept decides what is hopelessly long beside it. */
function chooseCuts(pieces: { span: Span; kind: StretchClass }[]): Set<Span> {
  const cuts = new Set<Span>();
  let keptMs = 0;
  const candidates: { span: Span; lengthMs: number; factor: number; msMin: number }[] = [];
  for (const { span, kind } of pieces) {
    const lengthMs = span.to - span.from;
    if (kind === 'running') keptMs += lengthMs;
    else candidates.push({ span, lengthMs, factor: CUT_FACTOR[kind], msMin: CUT_MS_MIN[kind] });
  }
  candidates.sort((a, b) => a.lengthMs / a.factor - b.lengthMs / b.factor || a.span.from - b.span.from);
  for (const { span, lengthMs, factor, msMin } of candidates) {
    if (keptMs > 0 && lengthMs > msMin && lengthMs > factor * keptMs) cuts.add(span);
    else keptMs += lengthMs;
  }
  return cuts;
}

/** @returns an axis over everything in `input`; empty when there is not more than one instant. */
export function prepareScale(input: ScaleInput): TimelineScale {
  const pieces = splitAtInstants(input);
  const cuts = chooseCuts(pieces);
  const keptMs = pieces.reduce((sum, { span }) => (cuts.has(span) ? sum : sum + span.to - span.from), 0);
  const cutWidth = cuts.size === 0 ? 0 : Math.min(CUT_WIDTH, CUT_WIDTH_SUM_MAX / cuts.size);
  const linearWidth = 1 - cutWidth * cuts.size;
  let x = 0;
  const scale: TimelineScale = [];
  for (const { span } of pieces) {
    const cut = cuts.has(span);
    const width = cut ? cutWidth : (linearWidth * (span.to - span.from)) / keptMs;
    scale.push({ ...span, x0: x, x1: Math.min(1, x + width), cut });
    x = Math.min(1, x + width);
  }
  const last = scale.at(-1);
  if (last) last.x1 = 1;
  return scale;
}

/** @returns the position of an instant, 0 to 1; instants outside the axis are held at its ends. */
export function positionOf(scale: TimelineScale, at: number): number {
  const first = scale[0];
  if (!first || at <= first.from) return 0;
  for (const stretch of scale) {
    if (at <= stretch.to) {
      const share = (at - stretch.from) / (stretch.to - stretch.from);
      return stretch.x0 + share * (stretch.x1 - stretch.x0);
    }
  }
  return 1;
}

export interface Tick {
  x: number;
  /** Since the first instant of the axis. */
  elapsedMs: number;
}

const TICK_STEPS_MS = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  ...[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400].map(
    (s) => s * 1_000,
  ),
];

/** Round elapsed times on the parts drawn to scale, no two nearer than `gapMin`; the start is always one. */
export function listTicks(scale: TimelineScale, gapMin: number): Tick[] {
  const first = scale[0];
  if (!first) return [];
  const ticks: Tick[] = [{ x: 0, elapsedMs: 0 }];
  const linear = scale.filter((stretch) => !stretch.cut);
  const keptMs = linear.reduce((sum, stretch) => sum + stretch.to - stretch.from, 0);
  const wanted = keptMs * gapMin;
  const stepMs = TICK_STEPS_MS.find((step) => step >= wanted) ?? 86_400_000 * Math.ceil(wanted / 86_400_000);
  for (const stretch of linear) {
    const fromMs = stretch.from - first.from;
    const toMs = stretch.to - first.from;
    for (let at = Math.ceil(fromMs / stepMs) * stepMs; at <= toMs; at += stepMs) {
      const x = positionOf(scale, first.from + at);
      if (x - (ticks.at(-1)?.x ?? 0) >= gapMin * 0.9) ticks.push({ x, elapsedMs: at });
    }
  }
  return ticks;
}
