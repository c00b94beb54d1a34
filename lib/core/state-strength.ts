import type { OperationState } from './operation';

/** Says most first, as the contract orders states where several fit. */
const STRENGTH: readonly OperationState[] = [
  'unresolved',
  'partially_applied',
  'succeeded_with_possible_duplicates',
  'succeeded',
  'cancelled',
  'failed',
  'in_progress',
];

/** Of two states that facts of one operation support, the one that claims more: a known success outlives a failure. */
export function strongerState(a: OperationState, b: OperationState): OperationState {
  return STRENGTH.indexOf(a) <= STRENGTH.indexOf(b) ? a : b;
}
