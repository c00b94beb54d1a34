import type { Finding } from '../operation';
import { isFollowUp, type Check, type Step } from './check';

/** `zero_delay`: sent again at once. `hot_loop`: twice in a row. Keeping a Retry-After of 0 doesn't excuse a loop. */

function isAtOnce({ to, gapMs, sameClock, from }: Step, zeroDelayMs: number): boolean {
  const chosen = !isFollowUp(to) && to.attempt.reason !== 'hedge';
  return chosen && sameClock && !from.synthetic && gapMs >= 0 && gapMs <= zeroDelayMs;
}

export const checkZeroDelay: Check = (input) => {
  const findings: Finding[] = [];
  const { zeroDelayMs, hotLoopMinCount } = input.context.settings;
  let run = 0;
  for (const step of input.steps) {
    run = isAtOnce(step, zeroDelayMs) ? run + 1 : 0;
    const attempt = step.to.attempt.attempt;
    const evidence = { gapMs: step.gapMs, after: step.from.attempt.attempt };
    if (run > 0) findings.push({ check: 'zero_delay', severity: 'low', attempt, evidence });
    // Once per loop, where it becomes one.
    if (run === hotLoopMinCount) findings.push({ check: 'hot_loop', severity: 'medium', attempt, evidence });
  }
  return findings;
};
