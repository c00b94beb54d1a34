import type { Attempt, Fact } from '@/lib/core/attempt';
import { classify } from '@/lib/core/classify';
import { foldOperation } from '@/lib/core/fold';
import { DEFAULT_SETTINGS } from '@/lib/core/operation';
import type { ProfileRules } from '@/lib/core/project';
import { currentRuleSet } from '@/lib/core/rules/index';
import { readEvents } from '@/lib/ingest/read-events';
import { benchEvent } from './bench-events';
import type { BenchLine } from './bench-line';

/** What judging costs beside reading: `classify` and `fold` with every check against `JSON.parse` of the same events. */

const OPERATIONS = 2_000;
const ROUNDS = 25;
const T0 = Date.UTC(2026, 2, 2, 10, 0, 0);
const PROFILES: ProfileRules = { defaultProfile: 'vibecode', targets: [] };

type Wire = Record<string, unknown>;

/** Every so many operations one fails first and is sent again: up to four sends. Of the rest each is one success. */
function eventsOf(nth: number, failEvery: number): Wire[] {
  const fails = nth % failEvery === 0;
  const turn = nth / failEvery;
  // `benchEvent` fails at multiples of nine, each time in another way.
  const serial = fails ? turn * 9 : nth * 9 + 1;
  const first = benchEvent(serial, T0 + serial * 1_000);
  const sends = fails ? 2 + (turn % 3) : 1;
  return Array.from({ length: sends }, (_, at) => {
    const answer = at > 0 && at === sends - 1 ? benchEvent(1, T0) : first;
    const startedAt = T0 + serial * 1_000 + at * 31_000;
    const times = { startedAt, headersAt: startedAt + 120, endedAt: startedAt + 140 };
    const { status, code, message, retryAfter, outcome, error } = answer;
    return { ...first, status, code, message, retryAfter, outcome, error, ...times, id: undefined, attempt: at + 1 };
  });
}

interface Material {
  texts: string[];
  attempts: Attempt[];
  operations: { operationId: string; facts: Fact[] }[];
}

function prepare(count: number, failEvery: number): Material {
  const texts: string[] = [];
  const operations: Material['operations'] = [];
  for (let nth = 0; nth < count; nth++) {
    const events = eventsOf(nth, failEvery);
    texts.push(...events.map((event) => JSON.stringify(event)));
    const raw = events.map((value, index) => ({ index, value }));
    const { facts } = readEvents(raw, { hashSecret: new Uint8Array(32), profiles: PROFILES });
    const own = facts.map(({ fact }) => fact);
    const [first] = own;
    if (first?.type !== 'attempt' || own.length !== events.length) throw new Error('an event was refused');
    operations.push({ operationId: first.operationId, facts: own });
  }
  const attempts = operations.flatMap(({ facts }) => facts.filter((fact) => fact.type === 'attempt'));
  return { texts, attempts, operations };
}

/** Microseconds for each of `count`, of one pass. */
function time(count: number, pass: () => void): number {
  const started = performance.now();
  pass();
  return ((performance.now() - started) * 1_000) / count;
}

/** Kept, so that nothing is optimised away. */
let kept = 0;

function passesOf({ texts, attempts, operations }: Material) {
  const ruleSet = currentRuleSet('vibecode');
  const context = { asOf: T0 + 86_400_000, settings: DEFAULT_SETTINGS, profiles: PROFILES };
  return {
    parse: () => {
      for (const text of texts) kept += (JSON.parse(text) as { attempt: number }).attempt;
    },
    classify: () => {
      for (const attempt of attempts) kept += classify(attempt, ruleSet).flags.length;
    },
    fold: () => {
      for (const operation of operations) kept += foldOperation(operation, context).findings.length;
    },
  };
}

function measure(kind: string, material: Material): BenchLine[] {
  const passes = passesOf(material);
  const count = material.texts.length;
  for (let warm = 0; warm < 5; warm++) Object.values(passes).forEach((pass) => pass());
  // The best round of each: others' load only ever adds time.
  const best = { parse: Infinity, classify: Infinity, fold: Infinity };
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of ['parse', 'classify', 'fold'] as const) {
      best[name] = Math.min(best[name], time(count, passes[name]));
    }
  }
  if (kept === 0) throw new Error('nothing was judged');
  const line = (what: string, name: 'classify' | 'fold', asked: string): BenchLine => ({
    what: `${what}, ${kind}`,
    measured: `${best[name].toFixed(2)} µs an attempt`,
    against: `${best.parse.toFixed(2)} µs, JSON.parse of the same event`,
    ratio: best[name] / best.parse,
    asked,
  });
  return [line('classify', 'classify', '≤ 1.5'), line('fold with all checks', 'fold', '≤ 5')];
}

/** Traffic as it comes, and the operations alone that were sent more than once. */
export function benchJudgement(): BenchLine[] {
  return [
    ...measure('mixed traffic', prepare(OPERATIONS, 9)),
    ...measure('retried operations alone', prepare(OPERATIONS / 4, 1)),
  ];
}
