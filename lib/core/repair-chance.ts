import type { JudgedAttempt } from './operation';

/** A failure that only a repair ends, followed by another send: between the two, a repair would have excused it. */
export interface RepairChance {
  /** Starts of the two sends, epoch ms. */
  from: number;
  to: number;
  service: string;
  /** Codes under which a fix may be reported. */
  names: string[];
  /** Whose renewal counts, where the failure was a refused credential. */
  credential?: string;
}

function needsRepair({ verdict }: JudgedAttempt): boolean {
  const { action, gates, flags } = verdict;
  const gated = gates.includes('fix_auth') || gates.includes('fix_cause');
  return action === 'do_not_retry' || gated || flags.includes('advice_fix_first');
}

/** @param judged the sends of one operation in timeline order */
export function findRepairChances(judged: readonly JudgedAttempt[]): RepairChance[] {
  return judged.flatMap((one, at): RepairChance[] => {
    const next = judged[at + 1];
    if (!next || !needsRepair(one)) return [];
    const { service, startedAt, credential, b24Code, bodyErrors = [] } = one.attempt;
    const names = [one.verdict.code, ...(b24Code === undefined ? [] : [b24Code]), ...bodyErrors];
    const renewable = credential !== undefined && one.verdict.gates.includes('fix_auth');
    return [{ from: startedAt, to: next.attempt.startedAt, service, names, ...(renewable ? { credential } : {}) }];
  });
}
