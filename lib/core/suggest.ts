import { gradeReadBack } from './doubt';
import type { Settings, Suggestion } from './operation';
import { isReplayed, type Send, type Timeline } from './timeline';

/** Evidence that leans one way. It is shown with its rows and never closes anything by itself. */

export function suggestResolution(timeline: Timeline, open: readonly Send[], settings: Settings): Suggestion | null {
  const [doubtful] = open;
  if (!doubtful) return null;
  const later = timeline.sends.filter((send) => send.index > doubtful.index);
  // An answer under a key that another operation took may speak of that one's request.
  const taken = new Set(timeline.keys.taken.map(({ keyHash }) => keyHash));
  const own = later.filter(({ attempt }) => !taken.has(attempt.idempotency?.keyHash ?? ''));
  const replayed = own.find(({ attempt }) => isReplayed(attempt));
  if (replayed) return { resolution: 'applied_once', reason: 'replayed_answer', evidence: [replayed.attempt.id] };
  const conflict = own.find((send) => send.attempt.status === 409 || send.verdict.rule === 'KEY_MISUSED');
  if (conflict) {
    return { resolution: 'applied_once', reason: 'conflict_after_unclear_write', evidence: [conflict.attempt.id] };
  }
  // null says that the first execution still runs, which leans neither way (domain V7, V9)
  const agent = timeline.sends.find(
    ({ verdict, attempt: { firstStatus } }) =>
      verdict.rule === 'AGENT_WRITE_ALREADY_EXECUTED' &&
      typeof firstStatus === 'number' &&
      firstStatus >= 200 &&
      firstStatus < 300,
  );
  if (agent) return { resolution: 'applied_once', reason: 'first_status', evidence: [agent.attempt.id] };
  const readBack = timeline.readBacks.findLast((fact) => fact.startedAt >= doubtful.startAt);
  if (readBack?.entityIds?.length) {
    const many = new Set(readBack.entityIds).size > 1;
    return {
      resolution: many ? 'applied_more_than_once' : 'applied_once',
      reason: 'entity_ids',
      evidence: [readBack.id],
    };
  }
  const done = timeline.closures.find((closed) => closed.result === 'done');
  if (done) return { resolution: 'applied_once', reason: 'closed_done', evidence: [done.id] };
  if (!readBack || readBack.result === 'inconclusive') return null;
  // Weak or too soon: it leans, it doesn't prove.
  const grade = gradeReadBack(readBack, doubtful.endAt, timeline, settings);
  if (grade === 'inconclusive') return null;
  return {
    resolution: readBack.result === 'present' ? 'applied_once' : 'not_applied',
    reason: 'read_back',
    evidence: [readBack.id],
  };
}
