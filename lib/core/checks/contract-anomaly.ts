import type { Finding } from '../operation';
import type { Send, Timeline } from '../timeline';
import { isAsked } from '../wait';
import type { Check } from './check';

/** M21: answers that contradict the platform's own page. */

function promisedWait(send: Send): boolean {
  if (send.verdict.action === 'none') return false;
  const row = send.ruleSet.rows.find(({ id, stage }) => id === send.verdict.rule && stage === 'code');
  return row?.wait === 'asked' || row?.wait === 'strict';
}

/** Only where response headers were reported at all: what was not captured is not missing. */
function hasHeaders({ attempt }: Send): boolean {
  return attempt.headers !== undefined || attempt.dateHeader !== undefined;
}

/** The code answers a second DELETE to one address within 30 s; a first DELETE outside this operation is not seen here. */
function lacksFirstDelete(send: Send, timeline: Timeline, windowMs: number): boolean {
  if (send.verdict.rule !== 'AGENT_WRITE_ALREADY_EXECUTED') return false;
  if (send.method !== '' && send.method !== 'DELETE') return true;
  const before = timeline.sends.slice(0, send.index);
  return before.length > 0 && !before.some((first) => send.startAt - first.startAt <= windowMs);
}

function anomaliesOf(send: Send, timeline: Timeline, agentDeleteWindowMs: number): string[] {
  const found: string[] = [];
  const { verdict } = send;
  if (verdict.flags.includes('contract_anomaly')) {
    found.push(isAsked(verdict.wait) ? 'retry_after_where_none_is_announced' : 'code_on_a_read');
  }
  if (verdict.flags.includes('unknown_code')) found.push('unknown_code');
  if (verdict.flags.includes('header_malformed')) found.push('retry_after_unreadable');
  if (promisedWait(send) && hasHeaders(send) && !isAsked(verdict.wait)) found.push('retry_after_missing');
  if (lacksFirstDelete(send, timeline, agentDeleteWindowMs)) found.push('no_first_delete');
  return found;
}

export const checkContractAnomaly: Check = ({ timeline, context }) => {
  const findings: Finding[] = [];
  for (const send of timeline.sends) {
    if (send.ruleSet.codeCase === 'open') continue;
    const anomalies = anomaliesOf(send, timeline, context.settings.agentDeleteWindowMs);
    if (anomalies.length === 0) continue;
    const evidence = { anomalies, code: send.verdict.code };
    findings.push({ check: 'contract_anomaly', severity: 'low', attempt: send.attempt.attempt, evidence });
  }
  return findings;
};
