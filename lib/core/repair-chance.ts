import type { AuthRefresh, CauseFixed, Fact } from './attempt';
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

/** Facts that may be told without naming the operation they bear on. */
type Repair = AuthRefresh | CauseFixed;

/** Of many between two sends the earliest: more tell nothing more. */
export const SHARED_REPAIRS_MAX = 100;

function isRepair(fact: Fact): fact is Repair {
  return fact.type === 'auth_refresh' || (fact.type === 'cause_fixed' && fact.operationId === undefined);
}

function takes(chance: RepairChance, repair: Repair): boolean {
  if (repair.startedAt < chance.from || repair.startedAt > chance.to) return false;
  if (repair.type === 'auth_refresh') return repair.credential === chance.credential;
  const { code, service = chance.service } = repair;
  return code !== undefined && chance.names.includes(code) && service === chance.service;
}

function byTime(a: Repair, b: Repair): number {
  return a.startedAt - b.startedAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/**
 * Renewals and fixes that bear on an operation without being told as its own: a credential's renewal, whoever needed
 * it, and the fix of a code for a service.
 * @param chances of one operation
 * @param facts of any operations
 */
export function findSharedRepairs(chances: readonly RepairChance[], facts: readonly Fact[]): Fact[] {
  if (chances.length === 0) return [];
  const repairs = facts.filter(isRepair).sort(byTime);
  const found = chances.flatMap((chance) => {
    return repairs.filter((repair) => takes(chance, repair)).slice(0, SHARED_REPAIRS_MAX);
  });
  return [...new Set(found)];
}
