import type { Check } from './check';

/** M19: given up on a platform's answer without its request id, which support asks for first (reads, step 5). */
export const checkIncompleteGiveUp: Check = ({ timeline, conclusion }) => {
  const last = timeline.sends.at(-1);
  if (!last || !conclusion.over || conclusion.state !== 'failed') return [];
  const platform = last.profile === 'vibecode' || last.profile === 'bitrix_rest';
  const answered = last.attempt.status !== undefined && last.attempt.statusOrigin !== 'sdk';
  if (!platform || !answered || last.attempt.requestId) return [];
  return [
    {
      check: 'incomplete_give_up',
      severity: 'low',
      attempt: last.attempt.attempt,
      evidence: { missing: ['requestId'], code: last.verdict.code },
    },
  ];
};
