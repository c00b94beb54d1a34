import { isFollowUp } from './checks/check';
import type { OperationConclusion } from './operation';

/**
 * The measures of domain.md §8 that are shares or gauges, over any set of operations. A share names its denominator;
 * with nothing in it there is no value.
 */

export interface Share {
  count: number;
  of: number;
  /** count ÷ of; null where `of` is zero. */
  value: number | null;
}

export interface Measures {
  /** M1: kept waits of those that were kept or not; pairs. */
  compliance: Share;
  /** M4: operations that repeated blindly, of write operations that were ever in doubt. */
  blindRetries: Share;
  /** M5 (gauge): operations with a write that nobody can vouch for yet. */
  openUnknownWrites: { count: number; oldestAgeMs: number | null; byService: Record<string, number> };
  /** M17: attempts per operation, and operations whose first try succeeded. */
  attemptsPerOperation: number | null;
  goodput: Share;
  /** M18: retries that met the outcome that could not change, of all retries; and the time they took. */
  wastedRetries: Share & { spentMs: number };
  /** M19: operations given up on a platform's answer with all that support asks for. */
  completeGiveUps: Share;
}

function share(count: number, of: number): Share {
  return { count, of, value: of === 0 ? null : count / of };
}

function has(conclusion: OperationConclusion, check: string): boolean {
  return conclusion.findings.some((finding) => finding.check === check);
}

function complianceOf(conclusions: readonly OperationConclusion[]): Share {
  let kept = 0;
  let judged = 0;
  for (const { compliance } of conclusions.flatMap(({ pairs }) => pairs)) {
    if (compliance === 'honoured') kept++;
    if (compliance === 'honoured' || compliance === 'early' || compliance === 'early_capped') judged++;
  }
  return share(kept, judged);
}

function openUnknownsOf(conclusions: readonly OperationConclusion[], asOf: number): Measures['openUnknownWrites'] {
  const byService: Record<string, number> = {};
  let count = 0;
  let since = Infinity;
  for (const { doubt, attempts } of conclusions) {
    if (doubt === null || doubt.settledBy !== null) continue;
    count++;
    since = Math.min(since, doubt.since);
    const service = attempts[0]?.attempt.service ?? '';
    byService[service] = (byService[service] ?? 0) + 1;
  }
  return { count, oldestAgeMs: count === 0 ? null : Math.max(0, asOf - since), byService };
}

function wasteOf(conclusions: readonly OperationConclusion[]): Measures['wastedRetries'] {
  const wasted = conclusions.flatMap(({ findings }) => findings.filter(({ check }) => check === 'wasted_retry'));
  const retries = conclusions.reduce((sum, { attempts }) => {
    return sum + attempts.slice(1).filter((send) => !isFollowUp(send)).length;
  }, 0);
  const spentMs = wasted.reduce((sum, { evidence }) => sum + Number(evidence.spentMs ?? 0), 0);
  return { ...share(wasted.length, retries), spentMs };
}

function givenUpOnPlatform({ state, over, profile, attempts }: OperationConclusion): boolean {
  const platform = profile === 'vibecode' || profile === 'bitrix_rest';
  const last = attempts.at(-1);
  return over && state === 'failed' && platform && last?.attempt.status !== undefined;
}

/** @param asOf epoch ms that ages are counted to */
export function measureOperations(conclusions: readonly OperationConclusion[], asOf: number): Measures {
  const doubtful = conclusions.filter(({ doubt }) => doubt !== null);
  const attempts = conclusions.reduce((sum, conclusion) => sum + conclusion.attempts.length, 0);
  const givenUp = conclusions.filter(givenUpOnPlatform);
  const sent = conclusions.filter((conclusion) => conclusion.attempts.length > 0);
  return {
    compliance: complianceOf(conclusions),
    blindRetries: share(doubtful.filter((one) => has(one, 'blind_write_retry')).length, doubtful.length),
    openUnknownWrites: openUnknownsOf(conclusions, asOf),
    attemptsPerOperation: share(attempts, sent.length).value,
    goodput: share(sent.filter((one) => one.attempts[0]?.verdict.action === 'none').length, sent.length),
    wastedRetries: wasteOf(conclusions),
    completeGiveUps: share(givenUp.filter((one) => !has(one, 'incomplete_give_up')).length, givenUp.length),
  };
}
