import { countCompletedJobs, countEntitiesSeen, countJobs } from '../entities';
import type { Finding, Severity } from '../operation';
import { isReplayed } from '../timeline';
import type { Send } from '../timeline';
import { findBlindRepeats } from './blind-write-retry';
import { differsInRequest, makesNothingNew, type Check, type CheckInput } from './check';

/**
 * M15 within one operation. `confirmed`: two entities were seen, or a person said so. `probable`: a blind repeat ended
 * in success, or a batch item worked twice. `possible`: two effects are possible and no success came, or what was
 * repeated only sets a value. A replayed answer and an executed first
 * DELETE are duplicates prevented.
 */

type Level = 'confirmed' | 'probable' | 'possible';

const SEVERITY: Readonly<Record<Level, Severity>> = { confirmed: 'critical', probable: 'medium', possible: 'low' };

/** A success that is no replayed answer and no word about an earlier DELETE: it may have made one more. */
function succeededAnew({ verdict, attempt }: Send): boolean {
  const prevented = verdict.rule === 'AGENT_WRITE_ALREADY_EXECUTED';
  return verdict.action === 'none' && !isReplayed(attempt) && !prevented;
}

/** A blind repeat, or a send after it, succeeded anew. */
function endedBlindly(input: CheckInput): boolean {
  const [first] = findBlindRepeats(input);
  return first !== undefined && input.timeline.sends.slice(first.next.index).some(succeededAnew);
}

/** A batch item that had worked was sent again and worked again (M20). */
function itemWorkedTwice({ timeline }: CheckInput): boolean {
  const worked = timeline.sends.filter((send) => send.attempt.batch?.item !== undefined && succeededAnew(send));
  return worked.length >= 2 && !worked.some((send) => worked.some((other) => differsInRequest(send, other)));
}

function levelOf(input: CheckInput): Level | null {
  const { conclusion, timeline } = input;
  if (conclusion.kind !== 'write') return null;
  const seen = countEntitiesSeen(timeline);
  if (timeline.resolution?.resolution === 'applied_more_than_once' || seen >= 2) return 'confirmed';
  if (conclusion.possibleEffects < 2 || conclusion.state === 'succeeded') return null;
  if (endedBlindly(input) || itemWorkedTwice(input)) {
    // The same value set twice makes no new thing.
    return timeline.sends.every(({ kind, method, attempt }) => kind === 'read' || makesNothingNew(method, attempt.call))
      ? 'possible'
      : 'probable';
  }
  const succeeded = timeline.sends.some(({ verdict }) => verdict.action === 'none');
  return succeeded ? null : 'possible';
}

/** Q18: QuillHub charges for a job when it completes, so a second one that has not may still be cancelled. */
function isMoneyAtStake({ timeline }: CheckInput): boolean {
  const byJobs = timeline.sends.every(({ profile }) => profile === 'quillhub') && countJobs(timeline) >= 2;
  return !byJobs || countCompletedJobs(timeline) >= 2;
}

export const checkDuplicateSuspected: Check = (input): Finding[] => {
  const level = levelOf(input);
  if (level === null) return [];
  const moneyAtStake = isMoneyAtStake(input);
  const effects = input.timeline.sends.filter(
    ({ verdict }) => verdict.effect === 'possible' || verdict.effect === 'applied',
  );
  return [
    {
      check: 'duplicate_suspected',
      // Two jobs are two effects for certain: without money at stake the level is `confirmed`.
      severity: moneyAtStake ? SEVERITY[level] : 'high',
      attempt: effects.at(-1)?.attempt.attempt,
      evidence: {
        level,
        attempts: effects.map(({ attempt }) => attempt.attempt),
        extraEffects: Math.max(0, input.conclusion.possibleEffects - 1),
        entities: countEntitiesSeen(input.timeline),
        moneyAtStake,
      },
    },
  ];
};
