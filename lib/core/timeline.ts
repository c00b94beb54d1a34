import type { Attempt, AttemptStarted, AuthRefresh, CauseFixed, Closed, Fact, JobResult, ReadBack } from './attempt';
import { classify, ruleSetOf } from './classify';
import { methodOf } from './kind';
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
function dedupe(facts: readonly Fact[]): Fact[] {
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
  return a.startedAt - b.startedAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** What can answer an announcement: the attempt itself, or the trace of a batch call that its items stand for. */
type Answer = Pick<Attempt, 'attempt' | 'startedAt' | 'id' | 'instance'>;

function byNumber(a: Answer, b: Answer): number {
  return a.attempt - b.attempt || byStart(a, b);
}

/** By start on one clock; between clocks the attempt number decides, unless numbers were given out twice. */
function orderAttempts(attempts: readonly Attempt[]): Attempt[] {
  const oneClock = new Set(attempts.map(clockOf)).size <= 1;
  const numbered = new Set(attempts.map((attempt) => attempt.attempt)).size === attempts.length;
  if (!oneClock && numbered) return [...attempts].sort(byNumber);
  return [...attempts].sort((a, b) => a.startedAt - b.startedAt || byNumber(a, b));
}

function sameInstance(a: AttemptStarted, b: Answer): boolean {
  return a.instance === undefined || b.instance === undefined || a.instance === b.instance;
}

/**
 * Announced sends that no attempt answers: one attempt answers one announcement, the nearest in time. A send that
 * began after the announced one was given up for dead is another, whatever its number: clients restart counting.
 */
function unanswered(
  started: readonly AttemptStarted[],
  attempts: readonly Answer[],
  diesAt: (fact: AttemptStarted) => number,
): AttemptStarted[] {
  const open = [...started].sort(byStart);
  for (const attempt of [...attempts].sort(byNumber)) {
    let best = -1;
    let bestApart = Infinity;
    open.forEach((candidate, at) => {
      if (candidate.attempt !== attempt.attempt || !sameInstance(candidate, attempt)) return;
      if (attempt.startedAt > diesAt(candidate)) return;
      const apart = Math.abs(candidate.startedAt - attempt.startedAt);
      if (apart < bestApart) [best, bestApart] = [at, apart];
    });
    if (best >= 0) open.splice(best, 1);
  }
  return open;
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
    startAt: attempt.startedAt,
    endAt: Math.max(attempt.endedAt ?? attempt.headersAt ?? attempt.startedAt, attempt.startedAt),
    refAt: referenceTime(attempt),
    clock: clockOf(attempt),
  };
}

function timesOf(fact: Fact): [number, number] {
  switch (fact.type) {
    case 'attempt':
      return [fact.startedAt, Math.max(fact.endedAt ?? fact.startedAt, fact.startedAt)];
    case 'readback':
      return [fact.startedAt, Math.max(fact.endedAt, fact.startedAt)];
    case 'tally':
      return [fact.minute, fact.minute];
    case 'attempt_started':
    case 'auth_refresh':
    case 'cause_fixed':
    case 'job_result':
    case 'closed':
    case 'webhook_delivery':
      return [fact.startedAt, fact.startedAt];
  }
}

/** An attempt that tells how its job ended says what a `job_result` says (contract, `job_result`). */
function jobEndsOf(attempts: readonly Attempt[]): JobResult[] {
  return attempts.flatMap(({ id, operationId, environment, startedAt, jobId, outcome, code }) =>
    outcome !== 'async_failed' || jobId === undefined
      ? []
      : [{ type: 'job_result', id, operationId, environment, startedAt, jobId, result: 'failed', code }],
  );
}

/** Time the caller gave the whole operation, ms from its first send: declared, else QuillHub's own (M8). */
export function totalDeadlineMs(
  { sends }: Pick<Timeline, 'sends'>,
  { quillhubDeadlineMs }: Pick<Settings, 'quillhubDeadlineMs'>,
): number | undefined {
  const declared = sends.find(({ attempt }) => attempt.policy?.deadlineMs !== undefined)?.attempt.policy?.deadlineMs;
  return declared ?? (sends[0]?.profile === 'quillhub' ? quillhubDeadlineMs : undefined);
}

export function buildTimeline(input: OperationFacts, context: FoldContext): Timeline {
  const facts = dedupe(input.facts);
  const of = <T extends Fact['type']>(type: T) =>
    facts.filter((fact): fact is Extract<Fact, { type: T }> => fact.type === type);
  const attempts = of('attempt');
  const inFlight: Timeline['inFlight'] = [];
  const died: Attempt[] = [];
  const diesAtOf = (fact: AttemptStarted): number =>
    fact.startedAt + (fact.policy?.deadlineMs ?? context.settings.diedAfterMs);
  const announced = of('attempt_started');
  const traces = announced.filter(({ itemsTold }) => itemsTold === true);
  const started = announced.filter(({ itemsTold }) => itemsTold !== true);
  for (const fact of unanswered(started, [...attempts, ...traces], diesAtOf)) {
    const diesAt = diesAtOf(fact);
    if (context.asOf >= diesAt) died.push(diedAttempt(fact, diesAt));
    else inFlight.push({ fact, diesAt, clock: clockOf(fact) });
  }
  const synthetic = new Set(died);
  // A credential's renewal or a code's fix bears on this operation without speaking of it.
  const own = facts.filter((fact) => 'operationId' in fact && fact.operationId === input.operationId);
  const times = [...own, ...died].map(timesOf);
  return {
    operationId: input.operationId,
    sends: orderAttempts([...attempts, ...died]).map((attempt, index) =>
      judge(attempt, index, synthetic.has(attempt), context),
    ),
    inFlight,
    itemsTold: traces.length > 0,
    readBacks: of('readback').sort(byStart),
    refreshes: of('auth_refresh').sort(byStart),
    fixes: of('cause_fixed').sort(byStart),
    jobs: [...of('job_result'), ...jobEndsOf(attempts)].sort(byStart),
    closures: of('closed').sort(byStart),
    resolution: input.resolution ?? null,
    firstAt: times.length === 0 ? null : times.reduce((least, [at]) => Math.min(least, at), Infinity),
    lastAt: times.length === 0 ? null : times.reduce((most, [, at]) => Math.max(most, at), -Infinity),
  };
}
