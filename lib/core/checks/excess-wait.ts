import { readResetHint } from '../wait';
import { type Check } from './check';

/**
 * `excess_wait`: waited longer than asked by more than a minute and by more than the wait itself; where nothing was
 * asked, `x-ratelimit-reset` is the measure. `delay_uncapped`: nothing asked, and the gap exceeds the declared cap.
 */

export const checkExcessWait: Check = (input) =>
  input.steps.flatMap(({ from, to, pair, gapMs }) => {
    const { settings } = input.context;
    const hint = pair.askedMs === null ? readResetHint(from.attempt) : null;
    const wantedMs = pair.askedMs ?? hint?.delayMs ?? null;
    const attempt = to.attempt.attempt;
    const findings = [];
    if (wantedMs !== null && gapMs - wantedMs > Math.max(settings.excessWaitMs, wantedMs)) {
      const evidence = { askedMs: wantedMs, waitedMs: gapMs, overMs: gapMs - wantedMs, hint: hint?.source ?? null };
      findings.push({ check: 'excess_wait', severity: 'low' as const, attempt, evidence });
    }
    const capMs = from.attempt.policy?.capMs ?? settings.uncappedDelayMs;
    const slack = settings.toleranceSecondsMs;
    if (wantedMs === null && from.verdict.action !== 'none' && gapMs > capMs + slack) {
      const evidence = { waitedMs: gapMs, capMs, declared: from.attempt.policy?.capMs !== undefined };
      findings.push({ check: 'delay_uncapped', severity: 'low' as const, attempt, evidence });
    }
    return findings;
  });
