import { type Check } from './check';
import { wasFixedBetween } from './never-retry';

/**
 * M13 within one operation: a repeat after a refused credential with no renewal between (a), and more than one follow-up
 * after a renewal (b): two refusals after it, or one that was renewed for once more.
 */
export const checkAuthLoop: Check = (input) => {
  const { timeline } = input;
  const repeats = input.steps.filter(({ from }) => from.verdict.gates.includes('fix_auth'));
  const unrenewed = repeats.filter(({ from, to }) => {
    return to.attempt.reason !== 'reauth' && !wasFixedBetween(from, to, timeline);
  });
  const renewals = repeats.filter((step) => !unrenewed.includes(step));
  const [renewal] = renewals;
  const after = renewal ? timeline.sends.slice(renewal.to.index) : [];
  const refused = after.filter(({ verdict }) => verdict.gates.includes('fix_auth'));
  const inVain = refused.length > 1 || renewals.length > 1;
  return [
    ...unrenewed.map(({ from, to }) => ({
      check: 'auth_loop',
      severity: 'medium' as const,
      attempt: to.attempt.attempt,
      evidence: { kind: 'not_renewed', after: from.attempt.attempt, code: from.verdict.code },
    })),
    ...(inVain
      ? [
          {
            check: 'auth_loop',
            severity: 'high' as const,
            attempt: refused.at(-1)?.attempt.attempt,
            evidence: { kind: 'renewed_in_vain', renewals: renewals.length, refusals: refused.length },
          },
        ]
      : []),
  ];
};
