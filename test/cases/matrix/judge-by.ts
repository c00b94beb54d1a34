import type { Kind } from '@/lib/core/attempt';
import type { Verdict } from '@/lib/core/verdict';
import { send, type JudgeOf, type Wire } from '../judge';

export const KINDS: readonly Kind[] = ['read', 'write'];

/** One try judged by one rule set; kind and method only where told. @param ruleSet `profile@edition`, or a profile */
export function judgeBy(judgeOf: JudgeOf): (ruleSet: string, fields: Wire) => Promise<Verdict> {
  return async (ruleSet, fields) => {
    const event = { ...send(1, 0), kind: undefined, method: undefined, ...fields };
    const [verdict] = await judgeOf().verdicts(event, ruleSet);
    if (!verdict) throw new Error('no verdict');
    return verdict;
  };
}
