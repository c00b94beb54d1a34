import type { Finding } from '../operation';
import type { Check } from './check';

/** A wait of five minutes or more was asked: kept or not, an operator wants to see it. */
export const checkLongWait: Check = ({ conclusion, context }) => {
  const findings: Finding[] = [];
  for (const { attempt, askedMs, compliance } of conclusion.pairs) {
    if (askedMs === null || askedMs < context.settings.longWaitMs) continue;
    findings.push({ check: 'long_wait', severity: 'low', attempt, evidence: { askedMs, compliance } });
  }
  return findings;
};
