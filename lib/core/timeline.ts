import type { Attempt, AttemptStarted, AuthRefresh, CauseFixed, Closed, Fact, JobResult, ReadBack } from './attempt';
import { classify, ruleSetOf } from './classify';
import { judgeKeys, keyUseOf, keyUsesOf, NO_KEYS, type KeyJudgement, type KeyUse } from './key-use';
import { methodOf } from './kind';
import { partitionFacts, type FactParts } from './partition-facts';
import { serverKeyOf, type ProfileContext } from './profile';
import type { RuleSet } from './rules/rule';
import type { JudgedAttempt, OperationFacts, ResolutionFact, Settings } from './operation';
import { resolveKind } from './kind';
import { referenceTime } from './wait';
import type { Kind, Profile } from './attempt';

/** The facts of one operation, cleaned of repeats and put in order. The same for every order of arrival. */

export interface FoldContext {
  /** Epoch ms the conclusion is drawn at. */
  asOf: number;
  settings: Settings;
  profiles: ProfileContext;
  /** Editions pinned instead of the current ones. */
  ruleSets?: Partial<Record<Profile, RuleSet>>;
}

export interface Send extends JudgedAttempt {
  index: number;
  kind: Kind;
  profile: Profile;
  ruleSet: RuleSet;
  /** Upper case, '' when unknown. */
  method: string;
  serverKey: string | null;
  /** What it used its idempotency key for; null without one. */
  keyUse: KeyUse | null;
  /** Epoch ms on the client's clock; `endAt` is the start where no end is known. */
  startAt: number;
  endAt: number;
  /** Head, else end, else start. */
  refAt: number;
  /** Whose clock the times are of. */
  clock: string;
}

export interface Timeline {
  operationId: string;
  sends: Send[];
  /** Sends announced and neither answered nor given up yet, by start. */
  inFlight: { fact: AttemptStarted; diesAt: number; clock: string }[];
  /** Batch calls of this operation came back as items, which are operations of their own. */
  itemsTold: boolean;
  readBacks: ReadBack[];
  refreshes: AuthRefresh[];
  fixes: CauseFixed[];
  jobs: JobResult[];
  closures: Closed[];
  resolution: ResolutionFact | null;
  /** Which of its idempotency keys nothing is concluded from. */
  keys: KeyJudgement;
  /** Epoch ms of the latest thing said, attempts' ends included; null without facts. */
  lastAt: number | null;
  firstAt: number | null;
}

/** Stable text of a fact, whatever order its fields were written in. Only compared, never stored. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
    entries.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, inner]) => `${key}:${canonical(inner)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/** The id alone decides what is a repeat; of two contents under one id the first received stays. */
function dedupe(facts: readonly Fact[]): readonly Fact[] {
  if (facts.length < 2) return facts;
  const kept = new Map<string, Fact>();
  for (const fact of facts) {
    const key = fact.id || canonical(fact);
    const known = kept.get(key);
    if (known === undefined) {
      kept.set(key, fact);
      continue;
    }
    const knownAt = receivedAt(known);
    const at = receivedAt(fact);
    if (at < knownAt || (at === knownAt && canonical(fact) < canonical(known))) kept.set(key, fact);
  }
  return [...kept.values()];
}

function receivedAt(fact: Fact): number {
  return 'receivedAt' in fact && typeof fact.receivedAt === 'number' ? fact.receivedAt : Number.MAX_SAFE_INTEGER;
}

function clockOf(fact: { service: string; instance?: string }): string {
  return `${fact.service}\u0000${fact.instance ?? ''}`;
}

function byStart(a: { startedAt: number; id: string }, b: { startedAt: number; id: string }): number {
  return a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1);
}

/** What can answer an announcement: the attempt itself, or the trace of a batch call that its items stand for. */
type Answer = Pick<Attempt, 'attempt' | 'startedAt' | 'id' | 'instance'>;

function byNumber(a: Answer, b: Answer): number {
  return a.attempt - b.attempt || byStart(a, b);
}

/** By start on one clock; between clocks the attempt number decides, unless numbers were given out twice. */
function orderAttempts(attempts: Attempt[]): Attempt[] {
  if (attempts.length < 2) return attempts;
  const oneClock = new Set(attempts.map(clockOf)).size <= 1;
  const numbered = new Set(attempts.map((attempt) => attempt.attempt)).size === attempts.length;
  return attempts.sort(!oneClock && numbered ? byNumber : byStartThenNumber);
}

function byStartThenNumber(a: Attempt, b: Attempt): number {
  return a.startedAt - b.startedAt || byNumber(a, b);
}

function sameInstance(a: AttemptStarted, b: Answer): boolean {
  return a.instance === undefined || b.instance === undefined || a.instance === b.instance;
}

/**
 * Announced sends that no attempt answers: one attempt answers one announcement, the nearest in time. A send that
 * began after the announced one was given up for dead is another, whatever its number: clients restart counting.
 */
function unanswered({ started, traces, attempts }: FactParts, settings: Settings): AttemptStarted[] {
  if (started.length === 0) return started;
  const open = [...started].sort(byStart);
  for (const attempt of [...attempts, ...traces].sort(byNumber)) {
    let best = -1;
    let bestApart = Infinity;
    open.forEach((candidate, at) => {
      if (candidate.attempt !== attempt.attempt || !sameInstance(candidate, attempt)) return;
      if (attempt.startedAt > diesAtOf(candidate, settings)) return;
      const apart = Math.abs(candidate.startedAt - attempt.startedAt);
      if (apart < bestApart) [best, bestApart] = [at, apart];
    });
    if (best >= 0) open.splice(best, 1);
  }
  return open;
}

/** When an announced send is given up for dead, epoch ms. */
function diesAtOf({ startedAt, policy }: AttemptStarted, { diedAfterMs }: Settings): number {
  return startedAt + (policy?.deadlineMs ?? diedAfterMs);
}

/** A client that never came back: the send counts, its outcome is unknown. */
function diedAttempt(fact: AttemptStarted, diedAt: number): Attempt {
  const { type: _type, ...rest } = fact;
  return {
    ...rest,
    type: 'attempt',
    endedAt: diedAt,
    outcome: 'network_error',
    error: { name: 'ClientDied', message: 'announced, then nothing more was heard' },
  };
}

function judge(attempt: Attempt, index: number, synthetic: boolean, context: FoldContext): Send {
  const ruleSet = ruleSetOf(attempt, context.profiles, context.ruleSets);
  const { profile } = ruleSet;
  return {
    attempt,
    verdict: classify(attempt, ruleSet, { clockSkewFlagMs: context.settings.clockSkewFlagMs }),
    synthetic,
    index,
    kind: resolveKind(attempt, profile),
    profile,
    ruleSet,
    method: methodOf(attempt),
    serverKey: serverKeyOf(attempt, profile),
    keyUse: keyUseOf(attempt),
    startAt: attempt.startedAt,
    endAt: Math.max(attempt.endedAt ?? attempt.headersAt ?? attempt.startedAt, attempt.startedAt),
    refAt: referenceTime(attempt),
    clock: clockOf(attempt),
  };
}

/** Time the caller gave the whole operation, ms from its first send: declared, else QuillHub's own (M8). */
export function totalDeadlineMs(
  { sends }: Pick<Timeline, 'sends'>,
  { quillhubDeadlineMs }: Pick<Settings, 'quillhubDeadlineMs'>,
): number | undefined {
  const declared = sends.find(({ attempt }) => attempt.policy?.deadlineMs !== undefined)?.attempt.policy?.deadlineMs;
  return declared ?? (sends[0]?.profile === 'quillhub' ? quillhubDeadlineMs : undefined);
}

/** The platform's own word that a key was used for another request (H2; REST 3.0's 422). A malformed one was nobody's. */
export function saysKeyReused({ verdict: { rule, code } }: Pick<Send, 'verdict'>): boolean {
  return rule === 'KEY_MISUSED' && !/invalid/i.test(code);
}

/** The server said that it gave a stored answer once more. */
export function isReplayed({ idempotency, headers }: Send['attempt']): boolean {
  return idempotency?.replayed === true || headers?.['idempotent-replayed']?.trim().toLowerCase() === 'true';
}

/** An announced send may have used its key, whatever became of it. */
function keysOf(
  sends: readonly Send[],
  started: readonly AttemptStarted[],
  elsewhere: readonly KeyUse[],
): KeyJudgement {
  const own = sends.flatMap(({ keyUse, synthetic }) => (synthetic ? [] : (keyUse ?? [])));
  const announced = keyUsesOf(started);
  if (own.length + announced.length < 2) return NO_KEYS;
  const bitrix = sends.every(({ profile }) => profile === 'bitrix_rest');
  const { spoilt, taken } = judgeKeys([...own, ...announced], elsewhere, bitrix);
  const told = sends.filter(saysKeyReused).flatMap(({ keyUse }) => keyUse?.keyHash ?? []);
  return told.length === 0 ? { spoilt, taken } : { spoilt: new Set([...spoilt, ...told]), taken };
}

export function buildTimeline(input: OperationFacts, context: FoldContext): Timeline {
  const { operationId } = input;
  const parts = partitionFacts(dedupe(input.facts), operationId);
  const inFlight: Timeline['inFlight'] = [];
  const attempts = parts.attempts;
  const synthetic = new Set<Attempt>();
  const { firstAt } = parts;
  let { lastAt } = parts;
  for (const fact of unanswered(parts, context.settings)) {
    const diesAt = diesAtOf(fact, context.settings);
    if (context.asOf < diesAt) {
      inFlight.push({ fact, diesAt, clock: clockOf(fact) });
      continue;
    }
    const died = diedAttempt(fact, diesAt);
    attempts.push(died);
    synthetic.add(died);
    lastAt = Math.max(lastAt, diesAt);
  }
  const sends: Send[] = [];
  for (const attempt of orderAttempts(attempts)) {
    sends.push(judge(attempt, sends.length, synthetic.has(attempt), context));
  }
  return {
    operationId,
    sends,
    inFlight,
    itemsTold: parts.traces.length > 0,
    readBacks: parts.readBacks.sort(byStart),
    refreshes: parts.refreshes.sort(byStart),
    fixes: parts.fixes.sort(byStart),
    jobs: parts.jobs.sort(byStart),
    closures: parts.closures.sort(byStart),
    resolution: input.resolution ?? null,
    keys: keysOf(sends, parts.started, input.elsewhere ?? []),
    firstAt: firstAt === Infinity ? null : firstAt,
    lastAt: lastAt === -Infinity ? null : lastAt,
  };
}
