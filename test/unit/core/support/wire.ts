import { DEFAULT_SETTINGS } from '@/lib/core/operation';
import { findRuleSet } from '@/lib/core/rules/index';
import type { ProfileRules } from '@/lib/core/project';
import type { Verdict } from '@/lib/core/verdict';
import { classifyEvents } from '@/lib/ingest/handle-classify';
import { evaluateFacts, type EvaluatedOperation } from '@/lib/ingest/handle-evaluate';
import { readEvents } from '@/lib/ingest/read-events';
import { T0 } from './event';

/** Events exactly as a client sends them, through validation and cleaning, to what the API answers. */

type Wire = Record<string, unknown>;

const HASH_SECRET = new Uint8Array(32);
const PROFILES: ProfileRules = {
  defaultProfile: 'http',
  targets: [
    { pattern: 'vibecode.bitrix24.tech', profile: 'vibecode' },
    { pattern: '*.quillhub.ai', profile: 'quillhub' },
  ],
};
const PROJECT = { profiles: PROFILES, settings: DEFAULT_SETTINGS, ruleSets: {} };

/** One try of operation `op`: starts `at` ms after T0, takes 100 ms, is a POST write unless told otherwise. */
export function send(attempt: number, at: number, fields: Wire = {}): Wire {
  const startedAt = T0 + at;
  const told = { kind: 'write', method: 'POST', call: 'POST /case' };
  return { operationId: 'op', attempt, startedAt, endedAt: startedAt + 100, service: 'orders', ...told, ...fields };
}

/** Any other event of operation `op`. */
export function told(type: string, at: number, fields: Wire = {}): Wire {
  const ends = type === 'readback' ? { endedAt: T0 + at + 100 } : {};
  const whose = type === 'auth_refresh' ? {} : { operationId: 'op' };
  return { type, startedAt: T0 + at, ...whose, ...ends, ...fields };
}

function rawOf(value: Wire, index: number) {
  return { index, value };
}

/** Verdicts of one event, one for each of its items. */
export function verdictsOf(event: Wire, ruleSet?: string): Verdict[] {
  const options = { ruleSet: ruleSet ? findRuleSet(ruleSet) : null, explain: null };
  return classifyEvents([rawOf(event, 0)], PROJECT, HASH_SECRET, options).map((result) => {
    if ('error' in result) throw new Error(JSON.stringify(result.error));
    if (result.verdict === null) throw new Error('no attempt');
    return result.verdict;
  });
}

/** Conclusion about one operation; sends that name no profile follow `profile`. */
export function evaluate(profile: string, events: Wire[], asOf: number, operationId = 'op'): EvaluatedOperation {
  const sent = events.map((event) => ('attempt' in event ? { profile, ...event } : event));
  const { facts, rejected } = readEvents(sent.map(rawOf), { hashSecret: HASH_SECRET, profiles: PROFILES });
  if (rejected.length > 0) throw new Error(JSON.stringify(rejected));
  const all = evaluateFacts(
    facts.map(({ fact }) => fact),
    PROJECT,
    asOf,
  );
  const found = all.find((operation) => operation.operationId === operationId);
  if (!found) throw new Error(`no operation ${operationId}`);
  return found;
}
