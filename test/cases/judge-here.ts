import { DEFAULT_SETTINGS } from '@/lib/core/operation';
import type { ProfileRules } from '@/lib/core/project';
import { findRuleSet } from '@/lib/core/rules/index';
import { classifyEvents } from '@/lib/ingest/handle-classify';
import { evaluateFacts } from '@/lib/ingest/handle-evaluate';
import { readEvents } from '@/lib/ingest/read-events';
import type { Judge, Wire } from './judge';

/** The product in this process, from validation and cleaning to what the API answers. */

const HASH_SECRET = new Uint8Array(32);

/** Targets that tell a profile, in every project the cases are judged for. */
export const CASE_TARGETS: ProfileRules['targets'] = [
  { pattern: 'vibecode.bitrix24.tech', profile: 'vibecode' },
  { pattern: '*.quillhub.ai', profile: 'quillhub' },
];
const PROFILES: ProfileRules = { defaultProfile: 'http', targets: CASE_TARGETS };
const PROJECT = { profiles: PROFILES, settings: DEFAULT_SETTINGS, ruleSets: {} };

const rawOf = (value: Wire, index: number) => ({ index, value });

export const judgeHere: Judge = {
  verdicts: (event, ruleSet) => {
    const options = { ruleSet: ruleSet ? findRuleSet(ruleSet) : null, explain: null };
    const results = classifyEvents([rawOf(event, 0)], PROJECT, HASH_SECRET, options);
    return Promise.resolve(
      results.map((result) => {
        if ('error' in result) throw new Error(JSON.stringify(result.error));
        if (result.verdict === null) throw new Error('no attempt');
        return result.verdict;
      }),
    );
  },
  evaluate: (events, asOf) => {
    const { facts, rejected } = readEvents(events.map(rawOf), { hashSecret: HASH_SECRET, profiles: PROFILES });
    if (rejected.length > 0) throw new Error(JSON.stringify(rejected));
    return Promise.resolve(
      evaluateFacts(
        facts.map(({ fact }) => fact),
        PROJECT,
        asOf,
      ),
    );
  },
};
