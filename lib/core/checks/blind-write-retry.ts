import { gradeReadBack, isRepeatable } from '../doubt';
import { shareKey } from '../key-trust';
import type { Severity } from '../operation';
import type { Send, Timeline } from '../timeline';
import type { Check, CheckInput } from './check';

/**
 * M4: a write was sent again while an earlier one of the same operation might have been applied, and nobody looked in
 * between. Counted from the latest doubtful send. Exempt: the same server key on both, in its lifetime, not in
 * parallel, and not for another request; PUT and DELETE where the profile calls them replayable.
 */

type Grade = 'blind' | 'weak' | 'premature' | 'after_confirmed';

const SEVERITY: Readonly<Record<Grade, Severity>> = {
  after_confirmed: 'critical',
  blind: 'high',
  weak: 'medium',
  premature: 'medium',
};

function isExempt(before: Send, next: Send, timeline: Timeline): boolean {
  if (isRepeatable(next)) return true;
  if (!shareKey(before, next, timeline)) return false;
  return next.startAt >= before.endAt && next.startAt - before.startAt <= next.ruleSet.keyLifeMs;
}

/** What was known of `before` when `next` was sent; null when its absence had been proved. */
function gradeOf(before: Send, next: Send, { timeline, context }: CheckInput): Grade | null {
  const grades = timeline.readBacks
    .filter((readBack) => Math.max(readBack.endedAt, readBack.startedAt) <= next.startAt)
    .map((readBack) => gradeReadBack(readBack, before.endAt, timeline, context.settings));
  if (grades.includes('present')) return 'after_confirmed';
  if (grades.includes('absent')) return null;
  if (grades.includes('premature')) return 'premature';
  return grades.includes('weak') || grades.includes('inconclusive') ? 'weak' : 'blind';
}

/** The latest earlier write that may have been applied, or one that was still running. */
function doubtBefore(next: Send, sends: readonly Send[]): Send | undefined {
  return sends.slice(0, next.index).findLast((before) => {
    if (before.verdict.effect === 'possible') return true;
    const running = before.clock === next.clock && next.startAt < before.endAt && !before.synthetic;
    return before.verdict.effect === 'applied' && running;
  });
}

export interface BlindRepeat {
  next: Send;
  before: Send;
  grade: Grade;
}

/** Every write that was sent although the one before it might have been applied, with what was known by then. */
export function findBlindRepeats(input: CheckInput): BlindRepeat[] {
  const { sends } = input.timeline;
  return sends.flatMap((next) => {
    if (next.kind !== 'write') return [];
    const before = doubtBefore(next, sends);
    if (!before || isExempt(before, next, input.timeline)) return [];
    const grade = gradeOf(before, next, input);
    if (grade === null) return [];
    return [{ next, before, grade }];
  });
}

export const checkBlindWriteRetry: Check = (input) =>
  findBlindRepeats(input).map(({ next, before, grade }) => {
    const preflight = before.verdict.flags.includes('preflight');
    return {
      check: 'blind_write_retry',
      // X4: refused before sending is evidence; it lowers how loud this is, never that it is.
      severity: preflight && grade === 'blind' ? 'medium' : SEVERITY[grade],
      attempt: next.attempt.attempt,
      evidence: {
        grade,
        preflight,
        doubtfulAttempt: before.attempt.attempt,
        code: before.verdict.code,
        gapMs: next.startAt - before.endAt,
        effectPrevented: next.verdict.rule === 'AGENT_WRITE_ALREADY_EXECUTED' && next.verdict.action === 'none',
      },
    };
  });
