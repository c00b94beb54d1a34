import type { Finding } from '../operation';
import { type Check, type Step } from './check';

/** Seconds taken for milliseconds, or the other way round: the gap is a thousandth, or a thousandfold, of the asked wait. */

function near(value: number, wanted: number, share: number): boolean {
  return Math.abs(value - wanted) <= wanted * share;
}

function finding(check: string, { to, gapMs, pair }: Step): Finding {
  return {
    check,
    severity: 'medium',
    attempt: to.attempt.attempt,
    evidence: { askedMs: pair.askedMs, waitedMs: gapMs },
  };
}

export const checkUnitError: Check = (input) => {
  const { secondsAsMsShare, msAsSecondsShare } = input.context.settings;
  const asked = input.steps.filter(({ pair }) => (pair.askedMs ?? 0) > 0);
  const early = asked.filter(({ pair }) => pair.compliance === 'early' || pair.compliance === 'early_capped');
  const [first] = early;
  const findings: Finding[] = [];
  if (first && early.every(({ pair, gapMs }) => near(gapMs, (pair.askedMs ?? 0) / 1000, secondsAsMsShare))) {
    findings.push(finding('unit_error_seconds_as_ms', first));
  }
  const late = asked.find(({ pair, gapMs }) => near(gapMs, (pair.askedMs ?? 0) * 1000, msAsSecondsShare));
  if (late) findings.push(finding('unit_error_ms_as_seconds', late));
  return findings;
};
