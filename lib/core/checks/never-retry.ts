import type { Send, Timeline } from '../timeline';

/** Outcomes that the same request meets again: shared by M6 and M18. */

const ABORT_RULES: ReadonlySet<string> = new Set(['CALLER_ABORT', 'ABORT_BEFORE_SENDING']);

/** Do-not-retry, or a gate that only a repair opens. A caller's abort is a decision, not an outcome. */
export function isNeverRetry({ verdict }: Send): boolean {
  if (ABORT_RULES.has(verdict.rule)) return false;
  return verdict.action === 'do_not_retry' || verdict.gates.includes('fix_auth') || verdict.gates.includes('fix_cause');
}

/** The cause was reported fixed, or the credential renewed, between the two. */
export function wasFixedBetween(from: Send, to: Send, timeline: Timeline): boolean {
  const between = (at: number) => at >= from.startAt && at <= to.startAt;
  const fixed = timeline.fixes.some((fix) => {
    const { b24Code, bodyErrors = [], service } = from.attempt;
    const named = fix.code === undefined || [from.verdict.code, b24Code, ...bodyErrors].includes(fix.code);
    const sameService = fix.service === undefined || fix.service === service;
    return between(fix.startedAt) && named && sameService;
  });
  if (fixed || !from.verdict.gates.includes('fix_auth')) return fixed;
  return timeline.refreshes.some((refresh) => {
    const { credential } = from.attempt;
    return refresh.ok && between(refresh.startedAt) && (credential === undefined || credential === refresh.credential);
  });
}
