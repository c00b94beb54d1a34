import type { Check } from './check';

/** A wait of five minutes or more was asked: kept or not, an operator wants to see it. */

export const checkLongWait: Check = ({ conclusion, context }) =>
  conclusion.pairs
    .filter(({ askedMs }) => askedMs !== null && askedMs >= context.settings.longWaitMs)
    .map(({ attempt, askedMs, compliance }) => ({
      check: 'long_wait',
      severity: 'low',
      attempt,
      evidence: { askedMs, compliance },
    }));
