import { countRequests } from './key-trust';
import type { OperationFacts } from './operation';
import { buildTimeline, type FoldContext, type Send, type Timeline } from './timeline';

/**
 * A rule says that a refused write changed nothing, and the data say otherwise: more effects were proven than all
 * other sends of the operation can have made (requirement 69). The rule is then contradicted by evidence.
 */

export type EvidenceKind = 'read_back' | 'closed' | 'job_result' | 'resolution';

export interface Contradiction {
  /** Code of the refused send, and the rule that vouched for it. */
  code: string;
  rule: string;
  ruleSet: string;
  attempt: number;
  /** What proved more, and when it was seen, epoch ms. */
  evidence: EvidenceKind;
  at: number;
  /** Effects proven, and the most that the other sends before it can explain. */
  proven: number;
  explained: number;
}

interface Proven {
  evidence: EvidenceKind;
  at: number;
  count: number;
}

/** A failed write that its rule documents as without any effect, so that a repeat is thought harmless. */
function isDocumentedSafe({ kind, verdict }: Send): boolean {
  if (kind !== 'write' || verdict.effect !== 'none') return false;
  return ['retry_with_limit', 'fix_before_retry', 'do_not_retry'].includes(verdict.action);
}

/** Weak criteria may have met somebody else's entity, and an answer of the wrong kind proves nothing. */
function listProven(timeline: Timeline): Proven[] {
  const distinct = (ids: readonly string[] | undefined): number => new Set(ids).size;
  const proven: Proven[] = [];
  for (const { result, criterion, startedAt, entityIds } of timeline.readBacks) {
    if (result !== 'present' || criterion !== 'unique') continue;
    proven.push({ evidence: 'read_back', at: startedAt, count: Math.max(1, distinct(entityIds)) });
  }
  for (const { result, startedAt, entityIds } of timeline.closures) {
    if (result === 'done') proven.push({ evidence: 'closed', at: startedAt, count: distinct(entityIds) });
  }
  const completed = timeline.jobs.filter(({ result }) => result === 'completed');
  completed.forEach(({ startedAt }, index) => {
    const jobs = completed.slice(0, index + 1).map(({ jobId }) => jobId);
    proven.push({ evidence: 'job_result', at: startedAt, count: distinct(jobs) });
  });
  const word = timeline.resolution;
  if (word) {
    const counts = { applied_once: 1, applied_more_than_once: 2, partly_applied: 1 } as const;
    const count = word.resolution in counts ? counts[word.resolution as keyof typeof counts] : 0;
    proven.push({ evidence: 'resolution', at: word.resolvedAt, count });
  }
  return proven.filter(({ count }) => count > 0);
}

/** The most effects that sends begun by `at` can have made; one server key makes one. */
function countExplained(timeline: Timeline, at: number): number {
  const { sends, inFlight } = timeline;
  const makers = sends.filter(
    ({ kind, startAt, verdict }) => kind === 'write' && startAt <= at && verdict.effect !== 'none',
  );
  const announced = inFlight.filter(({ fact }) => fact.startedAt <= at).length;
  return countRequests(makers, timeline) + announced;
}

/** @returns one entry a code, its strongest evidence; empty where the data agree with the rules. */
export function findContradictions(input: OperationFacts, context: FoldContext): Contradiction[] {
  const timeline = buildTimeline(input, context);
  const found = new Map<string, Contradiction>();
  for (const { evidence, at, count: proven } of listProven(timeline)) {
    const explained = countExplained(timeline, at);
    if (proven <= explained) continue;
    for (const send of timeline.sends.filter((one) => isDocumentedSafe(one) && one.endAt <= at)) {
      const { code, rule, ruleSet } = send.verdict;
      const known = found.get(code);
      if (known && known.proven - known.explained >= proven - explained) continue;
      found.set(code, { code, rule, ruleSet, attempt: send.attempt.attempt, evidence, at, proven, explained });
    }
  }
  return [...found.values()];
}
