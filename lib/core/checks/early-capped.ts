import { type Check } from './check';

/** M2: the client slept up to its own cap and sent before the asked wait was over. */
export const checkEarlyCapped: Check = (input) =>
  input.steps
    .filter(({ pair }) => pair.compliance === 'early_capped')
    .map(({ from, to, pair }) => ({
      check: 'early_capped',
      severity: 'medium',
      attempt: to.attempt.attempt,
      evidence: {
        askedBy: from.attempt.attempt,
        askedMs: pair.askedMs,
        waitedMs: pair.gapMs,
        capMs: from.attempt.policy?.retryAfterCapMs ?? null,
      },
    }));
