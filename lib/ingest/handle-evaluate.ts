import type { Fact, Profile } from '@/lib/core/attempt';
import { findAcrossOperations } from '@/lib/core/checks/across';
import type { StreamFinding } from '@/lib/core/checks/stream/stream';
import { foldOperation, type FoldContext } from '@/lib/core/fold';
import { findUsesElsewhere, keyUsesOf } from '@/lib/core/key-use';
import { measureOperations, type Measures } from '@/lib/core/measures';
import type { Finding, OperationConclusion, OperationFacts } from '@/lib/core/operation';
import type { AuthorizedProject } from '@/lib/core/project';
import { findRepairChances, findSharedRepairs } from '@/lib/core/repair-chance';
import { findRuleSet, pinRuleSets } from '@/lib/core/rules/index';
import { problemResponse } from '@/lib/http/problem-response';
import { jsonResponse, type PlainRequest, type PlainResponse } from '@/lib/http/request';
import { parseInstant } from './parse-instant';
import { readEvents, type ReadContext } from './read-events';
import type { IngestDeps, Taken } from './request-context';

/** Facts by operation, in order of first mention. */
function groupFacts(facts: readonly Fact[]): Map<string, Fact[]> {
  const groups = new Map<string, Fact[]>();
  for (const fact of facts) {
    if (fact.type === 'tally' || fact.operationId === undefined) continue;
    const { operationId } = fact;
    const group = groups.get(operationId);
    if (group) group.push(fact);
    else groups.set(operationId, [fact]);
  }
  return groups;
}

function viewOf(conclusion: OperationConclusion) {
  const { operationId, state, possibleEffects, attempts, pairs, findings } = conclusion;
  return {
    operationId,
    state,
    possibleEffects,
    attempts: attempts.map(({ attempt, verdict }) => ({ attempt: attempt.attempt, verdict })),
    pairs: pairs.map(({ attempt, compliance, earlyMs, overMs }) => ({ attempt, compliance, earlyMs, overMs })),
    findings: findings.map(findingView),
  };
}

/** What only shows across operations says besides which window it is of, and what was looked at. */
function findingView(finding: Finding | StreamFinding): Record<string, unknown> & Finding {
  if (!('window' in finding)) return { ...finding };
  const { at, window, ...rest } = finding;
  const instant = (ms: number): string => new Date(ms).toISOString();
  return { ...rest, at: instant(at), window: { from: instant(window.from), to: instant(window.to) } };
}

export type EvaluatedOperation = ReturnType<typeof viewOf>;

/** What is judged by: the project's own rules, and editions it pins (`vibecode@older-ru`) instead of the current ones. */
type JudgingProject = Pick<AuthorizedProject, 'profiles' | 'settings'> & {
  readonly ruleSets?: Partial<Record<Profile, string>>;
};

export interface Evaluation {
  operations: EvaluatedOperation[];
  /** Of none of these operations: a job's deliveries, a credential's renewals. */
  findings: ReturnType<typeof findingView>[];
  /** Shares and gauges over these operations. */
  measures: Measures;
}

/**
 * What settling does: first from the operation's own facts, and where its repeats could be excused, again with the
 * renewals and fixes that were told of no operation or of another.
 */
function concludeAmong(own: OperationFacts, repairs: readonly Fact[], context: FoldContext): OperationConclusion {
  const alone = foldOperation(own, context);
  if (repairs.length === 0) return alone;
  const shared = findSharedRepairs(findRepairChances(alone.attempts), repairs);
  return shared.length === 0 ? alone : foldOperation({ ...own, facts: [...shared, ...own.facts] }, context);
}

/** Conclusions about every operation that the facts name, as of one instant (epoch ms). */
export function evaluateFacts(facts: readonly Fact[], project: JudgingProject, asOf: number): EvaluatedOperation[] {
  return evaluateAll(facts, project, asOf).operations;
}

/** The same, with what was found of no operation alone. */
export function evaluateAll(facts: readonly Fact[], project: JudgingProject, asOf: number): Evaluation {
  const { settings, profiles } = project;
  const ruleSets = pinRuleSets(project.ruleSets ?? {});
  const context: FoldContext = { asOf, settings, profiles, ruleSets };
  const repairs = facts.filter(({ type }) => type === 'auth_refresh' || type === 'cause_fixed');
  const usesElsewhere = findUsesElsewhere(keyUsesOf(facts));
  const conclusions = [...groupFacts(facts)]
    .map(([operationId, own]) =>
      concludeAmong({ operationId, facts: own, elsewhere: usesElsewhere(operationId) }, repairs, context),
    )
    .filter(({ itemsOnly }) => !itemsOnly);
  const across = findAcrossOperations(conclusions, facts, settings);
  const operations = conclusions.map((conclusion) => {
    const more = across.get(conclusion.operationId) ?? [];
    return viewOf({ ...conclusion, findings: [...conclusion.findings, ...more] });
  });
  return {
    operations,
    findings: (across.get('') ?? []).map(findingView),
    measures: measureOperations(conclusions, asOf),
  };
}

/** `asOf` beside `events` or in the query; undefined when absent, null when it is no instant. */
function readAsOf(request: PlainRequest, taken: Taken): number | null | undefined {
  const given = taken.body.asOf ?? request.query.get('asOf') ?? undefined;
  if (given === undefined) return undefined;
  if (typeof given !== 'string' && typeof given !== 'number') return null;
  const text = typeof given === 'string' && /^-?\d+$/.test(given) ? Number(given) : given;
  return parseInstant(text);
}

/** The project's editions, and over them the one that `?ruleSet=` names; null when there is no such edition. */
function readEditions(request: PlainRequest, { key }: Taken): AuthorizedProject['ruleSets'] | null {
  const name = request.query.get('ruleSet');
  if (!name) return key.project.ruleSets;
  const found = findRuleSet(name);
  return found && { ...key.project.ruleSets, [found.profile]: found.name };
}

function refuseParameter(requestId: string, name: string, detail: string): PlainResponse {
  const errors = [{ pointer: `/${name}`, code: 'invalid_request' as const, detail }];
  return problemResponse('invalid_request', { requestId, errors });
}

/** `POST /api/v1/operations/evaluate` */
export function handleEvaluate(request: PlainRequest, taken: Taken, deps: IngestDeps): PlainResponse {
  const { requestId } = request;
  const asOf = readAsOf(request, taken);
  if (asOf === null) return refuseParameter(requestId, 'asOf', 'asOf must be an instant.');
  const ruleSets = readEditions(request, taken);
  if (ruleSets === null) return refuseParameter(requestId, 'ruleSet', 'There is no such rule set.');
  const { project, hashSecret } = taken.key;
  const context: ReadContext = { hashSecret, profiles: project.profiles };
  const { facts, rejected } = readEvents(taken.body.events, context);
  if (facts.length === 0 && rejected.length > 0)
    return problemResponse('validation_failed', { requestId, errors: rejected, extra: { rejected } });
  const { operations, findings, measures } = evaluateAll(
    facts.map(({ fact }) => fact),
    { ...project, ruleSets },
    asOf ?? deps.clock(),
  );
  return jsonResponse(200, {
    operations,
    measures,
    ...(findings.length > 0 ? { findings } : {}),
    ...(rejected.length > 0 ? { rejected } : {}),
  });
}
