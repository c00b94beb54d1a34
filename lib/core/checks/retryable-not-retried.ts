import type { Check } from './check';

/** One send only, its rule allows a repeat, and none came: not while it may still come, nor where it was given up. */
export const checkRetryableNotRetried: Check = ({ timeline, conclusion }) => {
  const [only] = timeline.sends;
  if (!only || timeline.sends.length !== 1 || !conclusion.over || conclusion.state === 'cancelled') return [];
  if (only.verdict.action !== 'retry_with_limit') return [];
  const compliance = conclusion.pairs[0]?.compliance;
  if (compliance === 'gave_up_wait_too_long') return [];
  return [
    {
      check: 'retryable_not_retried',
      severity: 'low',
      attempt: only.attempt.attempt,
      evidence: { code: only.verdict.code, askedMs: conclusion.pairs[0]?.askedMs ?? null },
    },
  ];
};
