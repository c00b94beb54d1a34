import type { Attempt, Fact } from '@/lib/core/attempt';
import { classify } from '@/lib/core/classify';
import { foldOperation } from '@/lib/core/fold';
import { DEFAULT_SETTINGS } from '@/lib/core/operation';
import type { ProfileRules } from '@/lib/core/project';
import { currentRuleSet } from '@/lib/core/rules/index';
import { readEvents } from '@/lib/ingest/read-events';
import { benchEvent } from './bench-events';
import { median, type BenchLine } from './bench-line';

/** What judging costs beside reading: `classify` and `fold` with every check against `JSON.parse` of the same events. */

const OPERATIONS = 2_000;
const ROUNDS = 15;
const T0 = Date.UTC(2026, 2, 2, 10, 0, 0);
const PROFILES: ProfileRules = { defaultProfile: 'vibecode', targets: [] };

type Wire = Record<string, unknown>;

/** Every ninth operation fails first and is sent again, as believable traffic is: up to four sends. */
function eventsOf(serial: number): Wire[] {
  const first = benchEvent(serial, T0 + serial * 1_000);
  const sends = serial % 9 === 0 ? 2 + ((serial / 9) % 3) : 1;
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

function prepare(): Material {
  const texts: string[] = [];
  const operations: Material['operations'] = [];
  for (let serial = 0; serial < OPERATIONS; serial++) {
    const events = eventsOf(serial);
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

export function benchJudgement(): BenchLine[] {
  const material = prepare();
  const passes = passesOf(material);
  const count = material.texts.length;
  for (let warm = 0; warm < 5; warm++) Object.values(passes).forEach((pass) => pass());
  const rounds = Array.from({ length: ROUNDS }, () => ({
    parse: time(count, passes.parse),
    classify: time(count, passes.classify),
    fold: time(count, passes.fold),
  }));
  if (kept === 0) throw new Error('nothing was judged');
  const parseUs = median(rounds.map(({ parse }) => parse));
  const line = (what: string, name: 'classify' | 'fold', asked: string): BenchLine => ({
    what,
    measured: `${median(rounds.map((round) => round[name])).toFixed(2)} µs an attempt`,
    against: `${parseUs.toFixed(2)} µs, JSON.parse of the same event`,
    ratio: median(rounds.map((round) => round[name] / round.parse)),
    asked,
  });
  return [line('classify', 'classify', '≤ 1.5'), line('fold with all checks', 'fold', '≤ 5')];
}
