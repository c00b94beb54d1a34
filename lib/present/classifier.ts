import type { Action } from '../core/verdict';
import { ACTIONS } from '../core/verdict';

/**
 * True where the source's own example classifier advises something else than its table. Some sources answer with an
 * action's word, others only `retry` or `no_retry`, which leaves every action but the retry open.
 */
export function classifierDiffers(action: Action, classifier: string | null): boolean {
  if (classifier === null) return false;
  if ((ACTIONS as readonly string[]).includes(classifier)) return classifier !== action;
  return (classifier === 'retry') !== (action === 'retry_with_limit');
}
