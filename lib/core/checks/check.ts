import type { Finding, OperationConclusion } from '../operation';
import type { FoldContext, Timeline } from '../timeline';

/** What a check of one operation sees: the ordered facts and what was concluded from them. */
export interface CheckInput {
  timeline: Timeline;
  conclusion: OperationConclusion;
  context: FoldContext;
}

/** One file each in this folder: timeline in, findings out, no memory between operations. */
export type Check = (input: CheckInput) => Finding[];
