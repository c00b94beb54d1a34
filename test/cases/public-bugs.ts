import { expect } from 'vitest';
import type { EvaluatedOperation } from '@/lib/ingest/handle-evaluate';
import type { Verdict } from '@/lib/core/verdict';
import cases from './data/public-bugs.json';
import { send, type Judge, type Wire } from './judge';
import { eventsToldBy, type ToldTraffic } from './told-traffic';

/**
 * cases/public-bugs.json. In `expected`, `advisory`, `context`, `note` and `reason` are read and not asserted;
 * `retryAfter`, `compliance`, `earlyByMs`, `excessWaitMs` and `skewMs` speak of the first attempt and its pair;
 * `flags` are verdict flags and findings' checks over all operations; cases of OTLP belong to their own issue.
 */

interface Expected {
  retryAfter?: Record<string, unknown>;
  perAttempt?: { attempt: number; action?: string; code?: string; phase?: string }[];
  perOperation?: { operationId?: string; action: string }[];
  perGap?: { from: number; askedMs?: number; gapMs?: number; compliance: string }[];
  operation?: { state?: string; possibleEffects?: number };
  compliance?: string;
  earlyByMs?: number;
  excessWaitMs?: number;
  skewMs?: number;
  flags?: string[];
  flagsAbsent?: string[];
  /** Asserted only where the traffic was written out from it: there is nothing else to hold the case to. */
  advisory?: { flags?: string[] };
  http?: unknown;
}

export interface PublicBug {
  id: string;
  events?: Wire[];
  context?: ToldTraffic & { values?: string[] | Record<string, string>; receivedAt?: string; source?: string };
  expected: Expected;
}

const ALL = cases as unknown as PublicBug[];

const isOtlp = ({ expected, context }: PublicBug): boolean => expected.http !== undefined || context?.source === 'otlp';

export const PUBLIC_BUGS: readonly PublicBug[] = ALL.filter((row) => !isOtlp(row));
export const OTLP_BUGS: readonly string[] = ALL.filter(isOtlp).map(({ id }) => id);

const READING = ['form', 'delayMs', 'conformant', 'issues', 'skewMs'] as const;

/** The members of a wait that a reader of the header answers for. */
function readingOf({ wait }: Verdict): Record<string, unknown> {
  return Object.fromEntries(READING.map((name) => [name, wait[name]]));
}

function pick<K extends string>(from: Record<string, unknown>, names: readonly K[]): Partial<Record<K, unknown>> {
  return Object.fromEntries(
    Object.entries(from).filter(([name]) => names.some((wanted) => wanted === name)),
  ) as Partial<Record<K, unknown>>;
}

/** One 429 read per value, ended at `receivedAt`; a named value is that header's. */
async function readValues({ context, expected, id }: PublicBug, judge: Judge): Promise<Verdict[]> {
  const endedAt = Date.parse(context?.receivedAt ?? '');
  const values = context?.values ?? [];
  const told = Array.isArray(values)
    ? values.map((value): [string, Wire] => [value, { retryAfter: value }])
    : Object.entries(values).map(([name, value]): [string, Wire] => [name, { headers: { [name]: value } }]);
  const verdicts: Verdict[] = [];
  for (const [value, fields] of told) {
    const read = { operationId: id, kind: 'read', method: 'GET', profile: 'http', status: 429 };
    const [verdict] = await judge.verdicts({ ...send(1, 0, read), startedAt: endedAt, endedAt, ...fields });
    if (!verdict) throw new Error('no verdict');
    verdicts.push(verdict);
    const asked = expected.retryAfter ?? {};
    const want = 'form' in asked ? asked : asked[value];
    if (want) expect(readingOf(verdict), value).toEqual(want);
  }
  return verdicts;
}

function assertAttempts(id: string, expected: Expected, operations: readonly EvaluatedOperation[]): void {
  const main = operations.find(({ operationId }) => operationId === id) ?? operations[0];
  for (const want of expected.perAttempt ?? []) {
    const got = main?.attempts.find(({ attempt }) => attempt === want.attempt)?.verdict;
    expect(got, `attempt ${want.attempt}`).toMatchObject(pick({ ...want }, ['action', 'code', 'phase']));
  }
  expected.perOperation?.forEach((want, place) => {
    const got = want.operationId
      ? operations.find(({ operationId }) => operationId === want.operationId)
      : operations[place];
    expect(got?.attempts[0]?.verdict.action, want.operationId ?? `operation ${place}`).toBe(want.action);
  });
  if (expected.operation) expect(main).toMatchObject(pick({ ...expected.operation }, ['state', 'possibleEffects']));
}

function assertPairs(expected: Expected, first: EvaluatedOperation | undefined): void {
  const [pair] = first?.pairs ?? [];
  if (expected.compliance !== undefined) expect(pair?.compliance).toBe(expected.compliance);
  if (expected.earlyByMs !== undefined) expect(pair?.earlyMs).toBe(expected.earlyByMs);
  if (expected.excessWaitMs !== undefined) expect(pair?.overMs).toBe(expected.excessWaitMs);
  if (expected.skewMs !== undefined) expect(first?.attempts[0]?.verdict.wait.skewMs).toBe(expected.skewMs);
  for (const want of expected.perGap ?? []) {
    const got = first?.pairs.find(({ attempt }) => attempt === want.from);
    const askedMs = first?.attempts.find(({ attempt }) => attempt === want.from)?.verdict.wait.delayMs;
    expect(got?.compliance).toBe(want.compliance);
    if (want.askedMs !== undefined) expect(askedMs).toBe(want.askedMs);
    const gapMs = (askedMs ?? 0) - (got?.earlyMs ?? 0) + (got?.overMs ?? 0);
    if (want.gapMs !== undefined) expect(gapMs).toBe(want.gapMs);
  }
}

const DAY = 86_400_000;

const instantOf = (at: unknown): number => (typeof at === 'number' ? at : Date.parse(String(at)));

/** Puts one case to the product and asserts all it expects of us. */
export async function checkPublicBug(row: PublicBug, judge: Judge): Promise<void> {
  const { expected, context } = row;
  const written = row.events ? null : eventsToldBy(context ?? {});
  const events = row.events ?? written ?? [];
  const found = new Set<string>();
  if (context?.values && context.receivedAt) {
    for (const { flags } of await readValues(row, judge)) flags.forEach((flag) => found.add(flag));
  }
  if (events.length > 0) {
    const last = Math.max(...events.map((event) => instantOf(event.endedAt ?? event.startedAt)));
    const operations = await judge.evaluate(events, last + DAY);
    const [first] = operations;
    const verdict = first?.attempts[0]?.verdict;
    if (expected.retryAfter && 'form' in expected.retryAfter)
      expect(verdict && readingOf(verdict)).toMatchObject(expected.retryAfter);
    assertAttempts(row.id, expected, operations);
    assertPairs(expected, first);
    for (const { attempts, findings } of operations) {
      for (const { verdict: given } of attempts) given.flags.forEach((flag) => found.add(flag));
      for (const { check } of findings) found.add(check);
    }
  }
  const advised = written ? (expected.advisory?.flags ?? []) : [];
  expect([...found]).toEqual(expect.arrayContaining([...(expected.flags ?? []), ...advised]));
  for (const flag of expected.flagsAbsent ?? []) expect([...found]).not.toContain(flag);
}
