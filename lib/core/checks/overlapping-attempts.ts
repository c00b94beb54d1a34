import { type Check } from './check';

/** M16: the next send started before this one had ended. Two clocks must disagree by more than their uncertainty. */
export const checkOverlappingAttempts: Check = (input) =>
  input.steps
    .filter(({ from, to, sameClock }) => {
      const allowanceMs = sameClock ? 0 : input.context.settings.dateUncertaintyMs;
      return !from.synthetic && from.endAt - to.startAt > allowanceMs;
    })
    .map(({ from, to }) => ({
      check: 'overlapping_attempts',
      severity: 'low',
      attempt: to.attempt.attempt,
      evidence: {
        with: from.attempt.attempt,
        overlapMs: from.endAt - to.startAt,
        hedge: to.attempt.reason === 'hedge',
      },
    }));
