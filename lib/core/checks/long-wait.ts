import type { Check } from './check';

/** A wait of five minutes or more was asked: kept or not, an operator wants to see it. */

const LONG_MS = 300_000;

export const checkLongWait: Check = ({ conclusion }) =>
  conclusion.pairs
    .filter(({ askedMs }) => askedMs !== null && askedMs >= LONG_MS)
    .map(({ attempt, askedMs, compliance }) => ({
      check: 'long_wait',
      severity: 'low',
      attempt,
      evidence: { askedMs, compliance },
    }));
