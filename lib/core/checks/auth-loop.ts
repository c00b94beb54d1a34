import { stepsOf, type Check } from './check';
import { wasFixedBetween } from './never-retry';

/**
 * M13 within one operation: a repeat after a refused credential with no renewal between (a), and a second refusal
 * after a renewal, which one follow-up call should have ended (b).
 */
export const checkAuthLoop: Check = (input) => {
  const { timeline } = input;
  const repeats = stepsOf(input).filter(({ from }) => from.verdict.gates.includes('fix_auth'));
  const unrenewed = repeats.filter(({ from, to }) => {
    return to.attempt.reason !== 'reauth' && !wasFixedBetween(from, to, timeline);
  });
  const renewals = repeats.filter((step) => !unrenewed.includes(step));
  const refusedAfter = renewals.filter(({ to }) => to.verdict.gates.includes('fix_auth'));
  return [
    ...unrenewed.map(({ from, to }) => ({
      check: 'auth_loop',
      severity: 'medium' as const,
      attempt: to.attempt.attempt,
      evidence: { kind: 'not_renewed', after: from.attempt.attempt, code: from.verdict.code },
    })),
    ...(refusedAfter.length > 0 && renewals.length > 1
      ? [
          {
            check: 'auth_loop',
            severity: 'high' as const,
            attempt: renewals.at(-1)?.to.attempt.attempt,
            evidence: { kind: 'renewed_in_vain', renewals: renewals.length },
          },
        ]
      : []),
  ];
};
