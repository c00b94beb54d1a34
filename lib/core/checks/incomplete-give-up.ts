import type { Check } from './check';

/** M19: given up on a platform's answer without its time, its code or its request id, which support asks for first (reads, step 5). */
export const checkIncompleteGiveUp: Check = ({ timeline, conclusion }) => {
  const last = timeline.sends.at(-1);
  if (!last || !conclusion.over || conclusion.state !== 'failed') return [];
  const platform = last.profile === 'vibecode' || last.profile === 'bitrix_rest';
  const answered = last.attempt.status !== undefined && last.attempt.statusOrigin !== 'sdk';
  if (!platform || !answered) return [];
  const { endedAt, headersAt, code, requestId } = last.attempt;
  const missing = [
    ...(endedAt === undefined && headersAt === undefined ? ['time'] : []),
    ...(code === undefined || code.trim() === '' ? ['code'] : []),
    ...(requestId === undefined || requestId === '' ? ['requestId'] : []),
  ];
  if (missing.length === 0) return [];
  return [
    {
      check: 'incomplete_give_up',
      severity: 'low',
      attempt: last.attempt.attempt,
      evidence: { missing, code: last.verdict.code },
    },
  ];
};
