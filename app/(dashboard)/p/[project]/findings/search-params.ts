import { CHECK_NAMES, type CheckName } from '@/lib/core/check-name';
import { SEVERITIES, type Severity } from '@/lib/core/operation';
import { firstParam, listParam, type RawParams, type Scope } from '@/lib/present/scope';
import { SCORECARD_GROUPS, type ScorecardGroup } from '@/lib/queries/finding-view';

/** What the Findings pages read from their URL besides range, zone, filters and page. */
export interface FindingParams {
  check: CheckName[];
  severity: Severity[];
  by: ScorecardGroup;
  /** Orders of the two tables, as the URL says them. */
  sort: string | null;
  scoreSort: string | null;
  /** Checks and severities of the URL that are none. */
  problems: Scope['problems'];
}

const SHOWN_CHARACTERS_MAX = 80;

function problemsOf(name: string, words: ReadonlySet<string>, known: readonly string[]): Scope['problems'] {
  return [...words]
    .filter((word) => !known.includes(word))
    .map((word) => ({ name, value: word.slice(0, SHOWN_CHARACTERS_MAX) }));
}

export function readFindingParams(raw: RawParams): FindingParams {
  const [checks, severities] = [new Set(listParam(raw, 'check')), new Set(listParam(raw, 'severity'))];
  return {
    check: CHECK_NAMES.filter((name) => checks.has(name)),
    severity: SEVERITIES.filter((word) => severities.has(word)),
    by: SCORECARD_GROUPS.find((group) => group === firstParam(raw, 'by')) ?? 'service',
    sort: firstParam(raw, 'sort'),
    scoreSort: firstParam(raw, 'scoreSort'),
    problems: [...problemsOf('check', checks, CHECK_NAMES), ...problemsOf('severity', severities, SEVERITIES)],
  };
}

/** What the page says it left out of its address: of the scope and of what Findings read beside it. */
export function withProblems(scope: Scope, { problems }: FindingParams): Scope {
  return { ...scope, problems: [...scope.problems, ...problems] };
}

/** The same, for links; what is the default stays out of the address. */
export function writeFindingParams(params: Partial<FindingParams>): Record<string, string | string[] | null> {
  return {
    check: params.check ?? null,
    severity: params.severity ?? null,
    by: params.by === undefined || params.by === 'service' ? null : params.by,
    sort: params.sort ?? null,
    scoreSort: params.scoreSort ?? null,
  };
}
