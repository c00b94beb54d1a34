import type { Finding } from '../operation';
import type { Check } from './check';

/** `attempt_gap`: numbers that nobody reported. `amplification`: numbers given out twice, as nested retry layers do. */

const MISSING_SHOWN = 20;

function missingNumbers(numbers: readonly number[]): number[] {
  const known = new Set(numbers);
  const highest = numbers.reduce((a, b) => Math.max(a, b), 0);
  const missing: number[] = [];
  for (let number = 1; number < highest && missing.length < MISSING_SHOWN; number++) {
    if (!known.has(number)) missing.push(number);
  }
  return missing;
}

export const checkAttemptNumbers: Check = ({ timeline }) => {
  const [first] = timeline.sends;
  if (timeline.sends.length === 1 && timeline.inFlight.length === 0 && first?.attempt.attempt === 1) return [];
  const numbers = timeline.sends.map(({ attempt }) => attempt.attempt);
  const flying = timeline.inFlight.map(({ fact }) => fact.attempt);
  const findings: Finding[] = [];
  const missing = missingNumbers([...numbers, ...flying]);
  if (missing.length > 0) {
    const highest = [...numbers, ...flying].reduce((a, b) => Math.max(a, b), 0);
    findings.push({ check: 'attempt_gap', severity: 'low', evidence: { missing, observed: numbers.length, highest } });
  }
  const again = timeline.sends.find(({ attempt, index }) => numbers.slice(0, index).includes(attempt.attempt));
  if (again) {
    findings.push({
      check: 'amplification',
      severity: 'low',
      attempt: again.attempt.attempt,
      evidence: { kind: 'numbers_restart', sends: numbers.length, distinctNumbers: new Set(numbers).size },
    });
  }
  return findings;
};
