import type { FindingRow } from '@/db/queries/finding';
import type { OperationRow, PairRow, ReferenceRow } from '@/db/queries/operation';
import type { Attempt, Fact } from '@/lib/core/attempt';
import type { JudgedAttempt, OperationConclusion } from '@/lib/core/operation';
import { dimensionOf, type Dimension } from '@/lib/core/rollup';
import { dimensionId } from '@/lib/platform/ids';
import { prepareFindings } from './settle-findings';

/** One operation's conclusion as the rows that shall be stored. Pure: the same facts give the same rows. */
export interface SettledRows {
  operation: OperationRow;
  pairs: PairRow[];
  references: ReferenceRow[];
  findings: FindingRow[];
  /** Dimensions the rows name. */
  dimensions: Dimension[];
  /** Dimension of every send, by attempt event id. */
  dimensionOf: ReadonlyMap<string, string>;
  /** Retention has taken facts of it: what was found earlier stays found. */
  carried: boolean;
}

const REFERENCES_MAX = 300;
const REFERENCE_LENGTH_MAX = 400;
/** Sends that follow for another reason than a failure worth repeating. */
const NO_RETRY = new Set(['redirect', 'reauth']);

/**
 * @param counted dimensions that attempts were counted under when they arrived, so that pairs and rates agree
 * @param now epoch ms; the next change is never in the past, or the operation would be taken again at once
 * @returns null while the operation has no send yet
 */
export function prepareRows(
  conclusion: OperationConclusion,
  facts: readonly Fact[],
  counted: ReadonlyMap<string, bigint>,
  now: number,
): SettledRows | null {
  const first = conclusion.attempts[0];
  const last = conclusion.attempts.at(-1);
  if (!first || !last) return null;
  const { kind, profile, operationId } = conclusion;
  const whole = dimensionOf(first.attempt, last.verdict, kind, profile);
  const dimensions: Dimension[] = [whole];
  const byAttempt = new Map<string, string>();
  for (const { attempt, verdict } of conclusion.attempts) {
    const known = counted.get(attempt.id);
    const made = dimensionOf(attempt, verdict, kind, profile);
    if (known === undefined) dimensions.push(made);
    byAttempt.set(attempt.id, String(known ?? dimensionId(made)));
  }
  const firstAt = Math.floor(conclusion.firstAt);
  return {
    operation: {
      operationId,
      state: conclusion.state,
      possibleEffects: conclusion.possibleEffects,
      attempts: conclusion.attempts.length,
      retried: conclusion.attempts.slice(1).some(({ attempt }) => !NO_RETRY.has(attempt.reason ?? '')),
      dimensionId: String(dimensionId(whole)),
      firstAt,
      lastAt: Math.floor(conclusion.lastAt),
      over: conclusion.over,
      changesAt: conclusion.changesAt === null ? null : Math.max(Math.ceil(conclusion.changesAt), now + 1_000),
      carried: null,
    },
    pairs: preparePairs(conclusion, byAttempt),
    references: prepareReferences(conclusion.attempts, facts, operationId, firstAt),
    findings: prepareFindings(conclusion, byAttempt),
    dimensions,
    dimensionOf: byAttempt,
    carried: false,
  };
}

function preparePairs(conclusion: OperationConclusion, byAttempt: ReadonlyMap<string, string>): PairRow[] {
  const rows = new Map<string, PairRow>();
  for (const pair of conclusion.pairs) {
    const dimension = byAttempt.get(pair.attemptEventId);
    if (pair.compliance === 'not_asked' || dimension === undefined) continue;
    rows.set(pair.attemptEventId, {
      operationId: conclusion.operationId,
      attemptEventId: pair.attemptEventId,
      attempt: pair.attempt,
      at: Math.floor(pair.at),
      dimensionId: dimension,
      compliance: pair.compliance,
      askedMs: pair.askedMs === null ? null : Math.round(pair.askedMs),
      gapMs: pair.gapMs === null ? null : Math.round(pair.gapMs),
      earlyMs: Math.round(pair.earlyMs),
      overMs: Math.round(pair.overMs),
      strict: pair.strict,
      approx: pair.approx,
    });
  }
  return [...rows.values()];
}

function namesOfAttempt(attempt: Attempt): [ReferenceRow['kind'], string | undefined][] {
  return [
    ['request_id', attempt.requestId],
    ['business_key', attempt.businessKey],
    ['job_id', attempt.jobId],
    ['parent', attempt.parentOperationId],
  ];
}

function namesOfFact(fact: Fact): [ReferenceRow['kind'], string | undefined][] {
  switch (fact.type) {
    case 'attempt':
      return namesOfAttempt(fact);
    case 'attempt_started':
      return [['business_key', fact.businessKey]];
    case 'job_result':
    case 'webhook_delivery':
      return [['job_id', fact.jobId]];
    case 'readback':
    case 'closed':
      return (fact.entityIds ?? []).map((id) => ['entity_id', id]);
    case 'auth_refresh':
    case 'cause_fixed':
    case 'tally':
      return [];
  }
}

function prepareReferences(
  attempts: readonly JudgedAttempt[],
  facts: readonly Fact[],
  operationId: string,
  at: number,
): ReferenceRow[] {
  const codes = attempts
    .filter(({ verdict }) => verdict.action !== 'none')
    .map(({ verdict }): [ReferenceRow['kind'], string] => ['code', verdict.code]);
  const rows = new Map<string, ReferenceRow>();
  for (const [kind, value] of [...codes, ...facts.flatMap(namesOfFact)]) {
    if (!value || value.length > REFERENCE_LENGTH_MAX || rows.size >= REFERENCES_MAX) continue;
    rows.set(JSON.stringify([kind, value]), { operationId, kind, value, at });
  }
  return [...rows.values()];
}
