import type { Attempt, Fact } from '@/lib/core/attempt';
import { classify, ruleSetOf } from '@/lib/core/classify';
import { explainVerdict, type Explanation, type Language } from '@/lib/core/explain';
import type { AuthorizedProject } from '@/lib/core/project';
import { findRuleSet, pinRuleSets } from '@/lib/core/rules/index';
import type { RuleSet } from '@/lib/core/rules/rule';
import type { Verdict } from '@/lib/core/verdict';
import { preferredLanguage } from '@/lib/http/accept-language';
import { problemResponse } from '@/lib/http/problem-response';
import { jsonResponse, type PlainRequest, type PlainResponse } from '@/lib/http/request';
import type { ProblemItem } from '@/lib/platform/problem';
import { readEvents } from './read-events';
import type { Taken } from './request-context';

/** One line of the answer: a verdict (null for other event types), or what is wrong with the event. */
export type ClassifyResult =
  | { index: number; item?: string; verdict: Verdict | null; explanation?: Explanation | null }
  | { index: number; error: ProblemItem };

export interface ClassifyOptions {
  /** Edition named by the caller instead of the project's own choice. */
  ruleSet: RuleSet | null;
  /** Texts in this language; null leaves them out. */
  explain: Language | null;
}

/** What of a project verdicts hang on. */
type JudgingProject = Pick<AuthorizedProject, 'profiles' | 'settings' | 'ruleSets'>;

function judgeFact(
  fact: Fact,
  project: JudgingProject,
  ruleSet: RuleSet | null,
  pinned: ReturnType<typeof pinRuleSets>,
): Verdict | null {
  if (fact.type !== 'attempt') return null;
  const { clockSkewFlagMs } = project.settings;
  return classify(fact, ruleSet ?? ruleSetOf(fact, project.profiles, pinned), { clockSkewFlagMs });
}

/** Verdicts for the events of a body, in order of `index`; nothing is stored, any time is taken. */
export function classifyEvents(
  raws: Taken['body']['events'],
  project: JudgingProject,
  hashSecret: Uint8Array,
  options: ClassifyOptions,
): ClassifyResult[] {
  const { facts, rejected } = readEvents(raws, { hashSecret, profiles: project.profiles });
  const pinned = pinRuleSets(project.ruleSets);
  const own = facts.filter(({ trace }) => !trace);
  const judged = own.map(({ index, fact, item }): ClassifyResult => {
    const verdict = judgeFact(fact, project, options.ruleSet, pinned);
    const place = item === undefined ? { index } : { index, item };
    if (options.explain === null) return { ...place, verdict };
    const explanation = verdict ? explainVerdict(verdict, fact as Attempt, options.explain) : null;
    return { ...place, verdict, explanation };
  });
  const refused = rejected.map((error): ClassifyResult => ({ index: error.index ?? 0, error }));
  return [...judged, ...refused].sort((a, b) => a.index - b.index);
}

/** `POST /api/v1/classify` */
export function handleClassify(request: PlainRequest, taken: Taken): PlainResponse {
  const { requestId } = request;
  const [first] = taken.body.events;
  if (taken.body.shapeless && first && 'error' in first)
    return problemResponse('validation_failed', { requestId, detail: first.error.detail, errors: [first.error] });
  const name = request.query.get('ruleSet');
  const ruleSet = name ? findRuleSet(name) : null;
  if (name && !ruleSet)
    return problemResponse('invalid_request', {
      requestId,
      errors: [{ pointer: '/ruleSet', code: 'invalid_request', detail: 'There is no such rule set.' }],
    });
  const explain = ['1', 'true'].includes(request.query.get('explain') ?? '');
  const language = explain ? preferredLanguage(request.header('accept-language')) : null;
  const { project, hashSecret } = taken.key;
  const results = classifyEvents(taken.body.events, project, hashSecret, { ruleSet, explain: language });
  return jsonResponse(200, { results });
}
