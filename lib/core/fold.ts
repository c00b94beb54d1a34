import type { Kind } from './attempt';
import { findInOperation } from './checks/index';
import { pairSends } from './compliance';
import { countPossibleEffects, findProof, isRepeatable, settleDoubts, type SettledSend } from './doubt';
import { hasProvenDuplicate } from './entities';
import type { Doubt, OperationConclusion, OperationFacts, OperationState, Settings } from './operation';
import { isCallerAbort } from './signal';
import { suggestResolution } from './suggest';
import { buildTimeline, type FoldContext, type Send, type Timeline } from './timeline';

/** Facts of one operation → what is true of it. The same for every order and every repetition of the facts. */

export type { FoldContext } from './timeline';

/** Everything the state is drawn from, computed once. */
interface Standing {
  timeline: Timeline;
  settled: SettledSend[];
  open: Send[];
  possibleEffects: number;
  /** Index of the last send that succeeded, -1 without one. */
  successAt: number;
  /** The same of writes alone: what was read says nothing of a write in doubt. */
  writtenAt: number;
  lastDoubtAt: number;
}

/** A success whose job failed afterwards is none. */
function isSuccess(send: Send, timeline: Timeline): boolean {
  if (send.verdict.action !== 'none') return false;
  const { jobId } = send.attempt;
  return !timeline.jobs.some((job) => job.result === 'failed' && (jobId === undefined || job.jobId === jobId));
}

function standingOf(timeline: Timeline, context: FoldContext): Standing {
  const settled = settleDoubts(timeline, context.settings);
  const open = settled.filter(({ proof }) => proof === null).map(({ send }) => send);
  return {
    timeline,
    settled,
    open,
    possibleEffects: countPossibleEffects(timeline, context.settings),
    successAt: timeline.sends.findLastIndex((send) => isSuccess(send, timeline)),
    writtenAt: timeline.sends.findLastIndex((send) => send.kind === 'write' && isSuccess(send, timeline)),
    lastDoubtAt: open.reduce((last, send) => Math.max(last, send.index), -1),
  };
}

/** What the latest proof says about an operation that never answered with a success. */
function stateByProof(standing: Standing): OperationState | null {
  const { timeline } = standing;
  const says = new Set(standing.settled.map(({ proof }) => proof?.says));
  if (says.has('unknowable')) return 'unresolved';
  if (says.has('partly')) return 'partially_applied';
  if (says.has('many')) return 'succeeded_with_possible_duplicates';
  if (says.has('applied')) return 'succeeded';
  const word = timeline.resolution;
  if (word === null || timeline.sends.some((send) => send.startAt > word.resolvedAt)) return null;
  switch (word.resolution) {
    case 'applied_once':
      return 'succeeded';
    case 'applied_more_than_once':
      return 'succeeded_with_possible_duplicates';
    case 'partly_applied':
      return 'partially_applied';
    case 'cannot_be_known':
      return 'unresolved';
    case 'not_applied':
      return null;
  }
}

/** Two effects are possible, and nothing after the last of them says how many there are. */
function hasOpenDuplicate(standing: Standing): boolean {
  const { timeline, possibleEffects, settled } = standing;
  if (possibleEffects < 2) return false;
  const effects = timeline.sends.filter(({ verdict }) => verdict.effect === 'possible' || verdict.effect === 'applied');
  const last = effects[effects.length - 1];
  const doubts = settled.filter(({ send }) => !isPartly(send));
  const word = timeline.resolution;
  if (word && last && last.startAt <= word.resolvedAt) return word.resolution === 'applied_more_than_once';
  const told = doubts.map(({ proof }) => proof?.at ?? -Infinity);
  return told.length === 0 || told.some((at) => last === undefined || at < last.endAt);
}

/** The call itself reports failed items; a failed item of an expanded batch is an operation of its own. */
function isPartly({ verdict, attempt }: Send): boolean {
  return verdict.flags.includes('partial_success') && attempt.bodySummary !== undefined;
}

function isCancelled(timeline: Timeline): boolean {
  const last = timeline.sends[timeline.sends.length - 1];
  const abandoned = timeline.closures.some((closed) => closed.result === 'abandoned');
  return abandoned || (last !== undefined && isCallerAbort(last.attempt));
}

function stateOf(standing: Standing, idle: boolean): OperationState {
  const { timeline, successAt, writtenAt, lastDoubtAt } = standing;
  if (lastDoubtAt > writtenAt) return 'unresolved';
  const word = timeline.resolution;
  const judged = word !== null && timeline.sends.every((send) => send.startAt <= word.resolvedAt);
  const proved = stateByProof(standing);
  if (judged && proved !== null) return proved;
  const partlyAt = timeline.sends.findLastIndex(isPartly);
  if (partlyAt > successAt && !judged) return 'partially_applied';
  const twice = word === null && hasProvenDuplicate(timeline);
  if (successAt >= 0 && (twice || hasOpenDuplicate(standing))) return 'succeeded_with_possible_duplicates';
  if (successAt >= 0) return 'succeeded';
  if (proved === 'succeeded' && twice) return 'succeeded_with_possible_duplicates';
  if (proved !== null) return proved;
  if (isCancelled(timeline)) return 'cancelled';
  const closed = timeline.closures.length > 0;
  return idle || closed ? 'failed' : 'in_progress';
}

function isItemsOnly({ sends, inFlight, itemsTold }: Timeline): boolean {
  return itemsTold && sends.length === 0 && inFlight.length === 0;
}

/** Instant after which nobody speaks of the operation any more; null while a send is under way. */
function idleAt(timeline: Timeline, context: FoldContext): number | null {
  if (timeline.inFlight.length > 0 || timeline.lastAt === null || isItemsOnly(timeline)) return null;
  const waited = timeline.sends.reduce((latest, send) => {
    return Math.max(latest, send.endAt, send.refAt + (send.verdict.wait.delayMs ?? 0));
  }, timeline.lastAt);
  return waited + context.settings.idleOverMs;
}

/** May be sent again by its own rule: worth a person's look only once nobody will. */
function isReplayable(send: Send): boolean {
  return send.verdict.action === 'retry_with_limit';
}

function needsReview(standing: Standing, state: OperationState, over: boolean, settings: Settings): boolean {
  const { timeline, open, writtenAt, lastDoubtAt } = standing;
  const word = timeline.resolution;
  if (word && timeline.sends.every((send) => send.startAt <= word.resolvedAt)) return false;
  if (open.some((send) => !isReplayable(send))) return true;
  // Only a success that follows the doubt speaks for a PUT or DELETE. A key used in parallel, or past its life, leaves
  // the read-back owed although one came (X7).
  if (over && (lastDoubtAt > writtenAt || !open.every(isRepeatable))) return true;
  if (state === 'partially_applied') {
    return timeline.sends.some(
      (send) => isPartly(send) && send.kind === 'write' && !findProof(send, timeline, settings),
    );
  }
  const effects = timeline.sends.filter(({ verdict }) => verdict.effect === 'possible' || verdict.effect === 'applied');
  return state === 'succeeded_with_possible_duplicates' && !effects.every(isRepeatable);
}

function doubtOf(standing: Standing): Doubt | null {
  const { settled, open } = standing;
  if (settled.length === 0) return null;
  const sends = open.length > 0 ? open : settled.map(({ send }) => send);
  const last = settled.reduce((a, b) => ((b.proof?.at ?? 0) > (a.proof?.at ?? 0) ? b : a));
  return {
    attemptEventIds: sends.map(({ attempt }) => attempt.id),
    since: sends.reduce((least, { endAt }) => Math.min(least, endAt), Infinity),
    until: sends.reduce((most, { endAt }) => Math.max(most, endAt), -Infinity),
    settledBy: open.length > 0 ? null : (last.proof?.kind ?? null),
  };
}

function kindOf(sends: readonly Send[]): Kind {
  return sends.length > 0 && sends.every((send) => send.kind === 'read') ? 'read' : 'write';
}

const FINAL_STATES: ReadonlySet<OperationState> = new Set([
  'succeeded',
  'succeeded_with_possible_duplicates',
  'cancelled',
]);

/** What is under way dies at its time, and nothing is idle until then. */
function changesAt({ inFlight }: Timeline, over: boolean, idle: number | null): number | null {
  if (inFlight.length > 0) return inFlight.reduce((least, { diesAt }) => Math.min(least, diesAt), Infinity);
  return over ? null : idle;
}

export function foldOperation(facts: OperationFacts, context: FoldContext): OperationConclusion {
  const timeline = buildTimeline(facts, context);
  const standing = standingOf(timeline, context);
  const idle = idleAt(timeline, context);
  const idleNow = idle !== null && context.asOf >= idle;
  const state = stateOf(standing, idleNow);
  const closed = timeline.closures.length > 0;
  const over = timeline.inFlight.length === 0 && (idleNow || closed || FINAL_STATES.has(state));
  const pairs = pairSends(timeline, over, context.settings);
  const review = needsReview(standing, state, over, context.settings);
  const conclusion: OperationConclusion = {
    operationId: timeline.operationId,
    state,
    possibleEffects: standing.possibleEffects,
    kind: kindOf(timeline.sends),
    profile: timeline.sends[0]?.profile ?? context.profiles.defaultProfile,
    attempts: timeline.sends.map(({ attempt, verdict, synthetic }) => ({ attempt, verdict, synthetic })),
    pairs,
    findings: [],
    doubt: doubtOf(standing),
    needsReview: review,
    suggestion: suggestResolution(timeline, standing.open, context.settings),
    spoiltKeys: [...timeline.keys.spoilt].sort(),
    takenKeys: timeline.keys.taken,
    firstAt: timeline.sends[0]?.startAt ?? timeline.firstAt ?? 0,
    lastAt: timeline.lastAt ?? 0,
    over,
    itemsOnly: isItemsOnly(timeline),
    changesAt: changesAt(timeline, over, idle),
  };
  conclusion.findings = findInOperation(timeline, conclusion, context);
  return conclusion;
}
