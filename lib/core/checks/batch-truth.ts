import type { Finding } from '../operation';
import type { Send } from '../timeline';
import { differsInRequest, type Check } from './check';

/** M20: a 2xx that hides failed items, a whole batch sent again after some items had worked, an item nobody spoke of. */

function isPartial({ verdict }: Send): boolean {
  return verdict.flags.includes('partial_success');
}

function workedItems({ attempt }: Send): number | null {
  const { total, failed = 0, unprocessed = 0 } = attempt.bodySummary ?? {};
  return total === undefined ? null : Math.max(0, total - failed - unprocessed);
}

/** As many items as before, or nobody says how many. */
function isWhole(from: Send, to: Send): boolean {
  const [before, after] = [from.attempt.bodySummary?.total, to.attempt.bodySummary?.total];
  return before === undefined || after === undefined || after >= before;
}

/** An item of a batch call that had worked, sent again with a later call. */
function isItemResent(from: Send, to: Send): boolean {
  const items = from.attempt.batch?.item !== undefined && to.attempt.batch?.item !== undefined;
  return items && from.verdict.action === 'none' && !differsInRequest(from, to);
}

export const checkBatchTruth: Check = (input) => {
  const findings: Finding[] = [];
  for (const send of input.timeline.sends) {
    const { attempt, error, batch, bodySummary } = send.attempt;
    if (error?.name === 'ItemWithoutOutcome') {
      findings.push({ check: 'item_without_outcome', severity: 'low', attempt, evidence: { batch: batch ?? null } });
    } else if (isPartial(send)) {
      findings.push({ check: 'partial_success', severity: 'low', attempt, evidence: { ...bodySummary } });
    }
  }
  for (const { from, to } of input.steps) {
    const summed = from.verdict.rule === 'PARTIAL_SUCCESS';
    const resent = isItemResent(from, to);
    const worked = resent ? 1 : workedItems(from);
    if (from.kind !== 'write' || worked === 0 || !(resent || (summed && isWhole(from, to)))) continue;
    findings.push({
      check: 'whole_batch_resent',
      severity: 'medium',
      attempt: to.attempt.attempt,
      evidence: { after: from.attempt.attempt, itemsThatHadWorked: worked },
    });
  }
  return findings;
};
