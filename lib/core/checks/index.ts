import type { Finding } from '../operation';
import type { Check, CheckInput } from './check';

/** Checks of one operation, in the order they are shown. */
const OPERATION_CHECKS: readonly Check[] = [];

export function findInOperation(input: CheckInput): Finding[] {
  return OPERATION_CHECKS.flatMap((check) => check(input));
}
