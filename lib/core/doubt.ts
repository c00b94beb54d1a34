import type { ReadBack } from './attempt';
import { countRequests, keyVouches, trustedKeyOf } from './key-trust';
import type { Doubt, Settings } from './operation';
import type { Send, Timeline } from './timeline';

/**
 * Sticky unknown (domain.md V17): once a write may have been applied unseen, only a proof settles it.
 * A proof settles what was sent before it; what is sent later is a doubt of its own.
 */

type ProofKind = NonNullable<Doubt['settledBy']>;

export interface Proof {
  kind: ProofKind;
  /** `applied`: the effect is there; `absent`: it is not. */
  says: 'applied' | 'absent' | 'many' | 'partly' | 'unknowable';
  /** Epoch ms: sends that ended by then are settled by it. */
  at: number;
  /** An earlier absence had said otherwise: at least one of the sends before it took effect after all. */
  overturns?: true;
}

/** What the proofs of one timeline have in common, computed once: a body may hold thousands of sends of one operation. */
interface ProofIndex {
  /** Epoch ms of the first send's start. */
  firstAt: number;
  /** QuillHub's listings must say how far they reach (Q13). */
  listed: boolean;
  /** The sends that answered with a job, by its id. */
  makers: ReadonlyMap<string, readonly Send[]>;
  /** Answers that the first DELETE succeeded. */
  executed: readonly Send[];
  /** Whether the failed jobs speak for every send that may have made one by an instant. */
  covers: Map<number, boolean>;
  proofs: Map<Send, Proof | null>;
}

const indexes = new WeakMap<Timeline, ProofIndex>();

function indexOf(timeline: Timeline): ProofIndex {
  const known = indexes.get(timeline);
  if (known) return known;
  const makers = new Map<string, Send[]>();
  for (const send of timeline.sends) {
    const jobId = createdJob(send);
    if (jobId !== undefined) makers.set(jobId, [...(makers.get(jobId) ?? []), send]);
  }
  const index: ProofIndex = {
    firstAt: timeline.sends.reduce((least, { startAt }) => Math.min(least, startAt), Infinity),
    listed: timeline.sends.some(({ profile }) => profile === 'quillhub'),
    makers,
    executed: timeline.sends.filter(isFirstStatusAnswer),
    covers: new Map(),
    proofs: new Map(),
  };
  indexes.set(timeline, index);
  return index;
}

/** Q13: a listing proves absence only if it reaches back before the first send. */
function reachesBack(readBack: ReadBack, timeline: Timeline): boolean {
  if (readBack.exhausted === true) return true;
  const { firstAt, listed } = indexOf(timeline);
  return readBack.oldestSeen === undefined ? !listed : readBack.oldestSeen < firstAt;
}

/** What a read-back is worth against sends that had ended by `endAt`. */
export type ReadBackGrade = 'present' | 'absent' | 'weak' | 'inconclusive' | 'premature' | 'too_early';

export function gradeReadBack(
  readBack: ReadBack,
  endAt: number,
  timeline: Timeline,
  settings: Settings,
): ReadBackGrade {
  if (readBack.startedAt < endAt) return 'too_early';
  if (readBack.result === 'inconclusive') return 'inconclusive';
  if (readBack.criterion !== 'unique') return 'weak';
  if (readBack.result === 'present') return 'present';
  if (!reachesBack(readBack, timeline)) return 'inconclusive';
  // V22: the effect may still be on its way.
  return readBack.startedAt - endAt < settings.readBackSettleMs ? 'premature' : 'absent';
}

function resolutionProof(timeline: Timeline): Proof | null {
  const { resolution } = timeline;
  if (!resolution) return null;
  const at = resolution.resolvedAt;
  switch (resolution.resolution) {
    case 'applied_once':
      return { kind: 'resolution', says: 'applied', at };
    case 'not_applied':
      return { kind: 'resolution', says: 'absent', at };
    case 'applied_more_than_once':
      return { kind: 'resolution', says: 'many', at };
    case 'partly_applied':
      return { kind: 'resolution', says: 'partly', at };
    case 'cannot_be_known':
      return { kind: 'resolution', says: 'unknowable', at };
  }
}

/** The job this send was answered with, not one whose end it only reports. */
function createdJob({ attempt }: Send): string | undefined {
  return attempt.outcome === 'async_failed' ? undefined : attempt.jobId;
}

/**
 * Jobs that no send answered with, each created by one of the sends nobody heard from. A failed one speaks for all of
 * these only when there are as many jobs as sends that may have made one; sends under one server key made one.
 */
function failedJobsCover(timeline: Timeline, at: number): boolean {
  const { makers, covers } = indexOf(timeline);
  const known = covers.get(at);
  if (known !== undefined) return known;
  const loose = new Set(timeline.jobs.map(({ jobId }) => jobId).filter((jobId) => !makers.has(jobId)));
  const silent = timeline.sends.filter((send) => send.startAt <= at && isDoubtful(send) && !send.attempt.jobId);
  const covered = loose.size >= countRequests(silent, timeline);
  covers.set(at, covered);
  return covered;
}

/** Of equal instants the first found. */
function earliest(proofs: readonly Proof[]): Proof | null {
  return proofs.reduce<Proof | null>((least, proof) => (least === null || proof.at < least.at ? proof : least), null);
}

/** Could this send have made what was seen by `until`, so that an absence read at `from` still holds for those before? */
function explains(send: Send, from: number, until: number, timeline: Timeline, settings: Settings): boolean {
  const { effect } = send.verdict;
  if (send.startAt <= from || send.startAt > until || isFirstStatusAnswer(send)) return false;
  if (effect === 'possible') return findProof(send, timeline, settings)?.says !== 'absent';
  return effect === 'applied';
}

/** The earliest proof, unless it says that nothing happened and a later one shows the effect with no send between. */
function decisiveProof(proofs: readonly Proof[], timeline: Timeline, settings: Settings): Proof | null {
  const first = earliest(proofs);
  if (first?.says !== 'absent') return first;
  const shown = earliest(proofs.filter(({ says }) => says === 'applied'));
  if (shown === null) return first;
  const explained = timeline.sends.some((send) => explains(send, first.at, shown.at, timeline, settings));
  return explained ? first : { ...shown, overturns: true };
}

/**
 * The proof from other facts than keys that settles this send; null when there is none. What a send is worth can hang
 * on later ones alone, so all are looked at once, the latest first.
 */
export function findProof(send: Send, timeline: Timeline, settings: Settings): Proof | null {
  const { proofs } = indexOf(timeline);
  if (proofs.size === 0) {
    for (const each of [...timeline.sends].sort((x, y) => y.startAt - x.startAt)) {
      proofs.set(each, lookForProof(each, timeline, settings));
    }
  }
  return proofs.get(send) ?? null;
}

function lookForProof(send: Send, timeline: Timeline, settings: Settings): Proof | null {
  const { makers, executed } = indexOf(timeline);
  const own = timeline.jobs.find(({ jobId, result }) => result === 'completed' && jobId === createdJob(send));
  // The very job this send was answered with: nothing read elsewhere says otherwise.
  if (own) return { kind: 'job_result', says: 'applied', at: own.startedAt };
  const proofs: Proof[] = [];
  for (const readBack of timeline.readBacks) {
    const grade = gradeReadBack(readBack, send.endAt, timeline, settings);
    if (grade === 'present') proofs.push({ kind: 'read_back', says: 'applied', at: readBack.startedAt });
    if (grade === 'absent') proofs.push({ kind: 'read_back', says: 'absent', at: readBack.startedAt });
  }
  for (const job of timeline.jobs) {
    if (job.startedAt < send.startAt) continue;
    // A job that only other sends were answered with says nothing about this one.
    if (makers.get(job.jobId)?.includes(send) === false) continue;
    const completed = job.result === 'completed';
    if (!completed && job.jobId !== send.attempt.jobId && !failedJobsCover(timeline, job.startedAt)) continue;
    proofs.push({ kind: 'job_result', says: completed ? 'applied' : 'absent', at: job.startedAt });
  }
  for (const closed of timeline.closures) {
    if (closed.result === 'done' && (closed.entityIds?.length ?? 0) > 0 && closed.startedAt >= send.startAt) {
      proofs.push({ kind: 'closed', says: 'applied', at: closed.startedAt });
    }
  }
  for (const other of executed) {
    if (other.startAt >= send.startAt) proofs.push({ kind: 'first_status', says: 'applied', at: other.startAt });
  }
  return decisiveProof(proofs, timeline, settings);
}

/** The platform's word that the first DELETE succeeded (V7). */
function isFirstStatusAnswer(send: Send): boolean {
  return send.verdict.rule === 'AGENT_WRITE_ALREADY_EXECUTED' && send.verdict.action === 'none';
}

const REPEATABLE_METHODS: ReadonlySet<string> = new Set(['PUT', 'DELETE']);

/** Ends in the same effect however often it is sent: PUT and DELETE where the profile calls them replayable (M4). */
export function isRepeatable({ profile, method }: Pick<Send, 'profile' | 'method'>): boolean {
  return profile === 'http' && REPEATABLE_METHODS.has(method);
}

/** Sends whose write nobody can vouch for without a proof. Partly applied ones are known, not doubtful. */
function isDoubtful(send: Send): boolean {
  return send.verdict.unknownOutcome && send.verdict.effect !== 'applied';
}

export interface SettledSend {
  send: Send;
  proof: Proof | null;
}

/** Every doubtful send with what settles it. A person's word covers what was sent before it. */
export function settleDoubts(timeline: Timeline, settings: Settings): SettledSend[] {
  const word = resolutionProof(timeline);
  return timeline.sends.filter(isDoubtful).map((send) => {
    if (word && send.startAt <= word.at) return { send, proof: word };
    const proof = findProof(send, timeline, settings);
    if (proof) return { send, proof };
    const trusted = trustedKeyOf(send, timeline) !== null;
    const answer = trusted
      ? timeline.sends.find((other) => other.verdict.action === 'none' && keyVouches(other, send, timeline))
      : undefined;
    return { send, proof: answer ? { kind: 'server_key' as const, says: 'applied' as const, at: answer.endAt } : null };
  });
}

/**
 * Upper bound of real effects: writes that have, or may have, changed data. Sends under one server key count once,
 * an answered DELETE and the answer count once, a conclusive absence (or a job that failed) takes back what was
 * unproven before it. Where the effect showed all the same, what had been taken back counts once together.
 */
export function countPossibleEffects(timeline: Timeline, settings: Settings): number {
  const failedJobs = new Set(timeline.jobs.filter((job) => job.result === 'failed').map((job) => job.jobId));
  const makers: Send[] = [];
  let overturned = false;
  for (const send of timeline.sends) {
    const { effect } = send.verdict;
    if (effect !== 'possible' && effect !== 'applied') continue;
    if (isFirstStatusAnswer(send) && makers.length > 0) continue;
    const { jobId } = send.attempt;
    if (jobId !== undefined && failedJobs.has(jobId)) continue;
    const proof = effect === 'possible' ? findProof(send, timeline, settings) : null;
    if (proof?.says === 'absent' || (proof?.overturns && overturned)) continue;
    overturned ||= proof?.overturns === true;
    makers.push(send);
  }
  return countRequests(makers, timeline);
}
