import type { Finding, OperationConclusion, Pair } from '../operation';
import type { FoldContext, Send, Timeline } from '../timeline';

/** What a check of one operation sees: the ordered facts and what was concluded from them. */
export interface CheckInput {
  timeline: Timeline;
  conclusion: OperationConclusion;
  context: FoldContext;
  /** Each send with the one after it. */
  steps: readonly Step[];
}

/** One file each in this folder: timeline in, findings out, no memory between operations. */
export type Check = (input: CheckInput) => Finding[];

/** A send and the one after it, with their pair. */
export interface Step {
  from: Send;
  to: Send;
  pair: Pair;
  /** Start of `to` minus the reference time of `from`, ms. */
  gapMs: number;
  sameClock: boolean;
}

export function stepsOf(timeline: Timeline, conclusion: OperationConclusion): Step[] {
  const steps: Step[] = [];
  timeline.sends.forEach((from, at) => {
    const to = timeline.sends[at + 1];
    const pair = conclusion.pairs[at];
    if (to && pair) steps.push({ from, to, pair, gapMs: to.startAt - from.refAt, sameClock: from.clock === to.clock });
  });
  return steps;
}

/** Sends that are no tries of the caller's own: followed redirects and the call after renewing credentials (X10). */
export function isFollowUp({ attempt }: Pick<Send, 'attempt'>): boolean {
  return attempt.reason === 'redirect' || attempt.reason === 'reauth';
}

/** First declared value of a policy field in timeline order. */
export function declared<K extends keyof NonNullable<Send['attempt']['policy']>>(
  timeline: Timeline,
  field: K,
): NonNullable<Send['attempt']['policy']>[K] | undefined {
  return timeline.sends.find((send) => send.attempt.policy?.[field] !== undefined)?.attempt.policy?.[field];
}

/** Both name their request, and not the same one. An absent fingerprint is never compared. */
export function differsInRequest(a: Send, b: Send): boolean {
  const [left, right] = [a.attempt.fingerprint, b.attempt.fingerprint];
  return left !== undefined && right !== undefined && left !== right;
}

const REPLACING: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE']);

/** Sets or removes what is there, by verb or by the business method's last word: done twice, it makes no second thing. */
export function makesNothingNew(method: string, call: string): boolean {
  return REPLACING.has(method) || /(?:update|delete)(?:\.json)?$/i.test(call.trim());
}
