import type { RuleCell } from '../core/rules/rule';

/** Why a rule says what it says, for one kind of call; words for the screens. */

export type CellKind = 'read' | 'write' | 'replayable';

export type RuleReason =
  | 'done'
  | 'wrong_kind'
  | 'read_repeat'
  | 'read_look'
  | 'write_refused'
  | 'write_same_effect'
  | 'write_doubled'
  | 'write_first_open'
  | 'same_failure'
  | 'same_failure_unsure'
  | 'no_use'
  | 'no_use_unsure';

export function reasonOf(kind: CellKind, { action, effect }: Pick<RuleCell, 'action' | 'effect'>): RuleReason {
  const unsure = kind !== 'read' && effect !== 'none';
  switch (action) {
    case 'none':
      return 'done';
    case 'not_applicable':
      return 'wrong_kind';
    case 'retry_with_limit':
      if (kind === 'read') return 'read_repeat';
      return unsure ? 'write_same_effect' : 'write_refused';
    case 'state_verification_required':
      if (kind === 'read') return 'read_look';
      return unsure ? 'write_doubled' : 'write_first_open';
    case 'fix_before_retry':
      return unsure ? 'same_failure_unsure' : 'same_failure';
    case 'do_not_retry':
      return unsure ? 'no_use_unsure' : 'no_use';
  }
}

/** What would come of following the source's own example where it says something else. */
export type FollowingExample = 'doubles' | 'looks_for_nothing' | 'gives_up' | 'hides_anomaly' | 'repeats_failure';

export function followingOf(kind: CellKind, { action, effect }: Pick<RuleCell, 'action' | 'effect'>): FollowingExample {
  if (action === 'not_applicable') return 'hides_anomaly';
  if (action === 'retry_with_limit') return 'gives_up';
  if (action === 'none') return 'looks_for_nothing';
  return kind !== 'read' && effect === 'possible' ? 'doubles' : 'repeats_failure';
}
