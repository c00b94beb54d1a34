import type { Finding, Severity } from '../operation';
import { checkBlindWriteRetry } from './blind-write-retry';
import type { Check, CheckInput } from './check';

/**
 * M15 within one operation. `confirmed`: two entities were seen, or a person said so. `probable`: a blind repeat ended
 * in success. `possible`: two effects are possible and no success came. A replayed answer and an executed first
 * DELETE are duplicates prevented.
 */

type Level = 'confirmed' | 'probable' | 'possible';

const SEVERITY: Readonly<Record<Level, Severity>> = { confirmed: 'critical', probable: 'medium', possible: 'low' };

function entityCount({ timeline }: CheckInput): number {
  const lists = [...timeline.readBacks, ...timeline.closures].map(({ entityIds }) => new Set(entityIds).size);
  return lists.reduce((a, b) => Math.max(a, b), 0);
}

function endedBlindly(input: CheckInput): boolean {
  const blind = new Set(checkBlindWriteRetry(input).map(({ attempt }) => attempt));
  const firstBlind = input.timeline.sends.findIndex(({ attempt }) => blind.has(attempt.attempt));
  if (firstBlind < 0) return false;
  return input.timeline.sends.slice(firstBlind).some(({ verdict, attempt }) => {
    const replayed = attempt.idempotency?.replayed === true || attempt.headers?.['idempotent-replayed'] === 'true';
    const prevented = verdict.rule === 'AGENT_WRITE_ALREADY_EXECUTED';
    return verdict.action === 'none' && !replayed && !prevented;
  });
}

function levelOf(input: CheckInput): Level | null {
  const { conclusion, timeline } = input;
  if (conclusion.kind !== 'write') return null;
  if (timeline.resolution?.resolution === 'applied_more_than_once' || entityCount(input) >= 2) return 'confirmed';
  if (conclusion.possibleEffects < 2 || conclusion.state === 'succeeded') return null;
  if (endedBlindly(input)) return 'probable';
  const succeeded = timeline.sends.some(({ verdict }) => verdict.action === 'none');
  return succeeded ? null : 'possible';
}

export const checkDuplicateSuspected: Check = (input): Finding[] => {
  const level = levelOf(input);
  if (level === null) return [];
  const effects = input.timeline.sends.filter(
    ({ verdict }) => verdict.effect === 'possible' || verdict.effect === 'applied',
  );
  return [
    {
      check: 'duplicate_suspected',
      severity: SEVERITY[level],
      attempt: effects.at(-1)?.attempt.attempt,
      evidence: {
        level,
        attempts: effects.map(({ attempt }) => attempt.attempt),
        extraEffects: Math.max(0, input.conclusion.possibleEffects - 1),
        entities: entityCount(input),
      },
    },
  ];
};
