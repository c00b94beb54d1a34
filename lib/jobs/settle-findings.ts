import type { FindingRow } from '@/db/queries/finding';
import type { Finding, JudgedAttempt, OperationConclusion } from '@/lib/core/operation';
import { contentUuid } from '@/lib/platform/ids';

/** Findings of a conclusion as the rows that shall be stored. Pure: the same conclusion gives the same rows. */

/** Numbers of the sends that evidence calls the reason of what came after. */
function blamedNumber({ attempt, evidence }: Finding): number | undefined {
  const named = [evidence.after, evidence.askedBy].find((value) => typeof value === 'number');
  return typeof named === 'number' ? named : attempt;
}

/**
 * The send whose code a finding is filtered by: the one its evidence blames, or the last failure up to it. A retry
 * that worked would otherwise file what is wrong with it under success.
 */
function blamedSend(finding: Finding, sends: readonly JudgedAttempt[]): JudgedAttempt | undefined {
  const number = blamedNumber(finding);
  const at = number === undefined ? -1 : sends.findIndex(({ attempt }) => attempt.attempt === number);
  const upTo = at < 0 ? sends : sends.slice(0, at + 1);
  return upTo.findLast(({ verdict }) => verdict.action !== 'none') ?? upTo.at(-1);
}

/** JSON of a value with its keys in order, so that evidence read back from the database is the same text. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** Gives every row its id: a digest of the content, told apart by a count where two are equal. */
export function identifyFindings(owner: string, rows: readonly Omit<FindingRow, 'id'>[]): FindingRow[] {
  const seen = new Map<string, number>();
  return rows.map((row) => {
    const content = canonical(row);
    const nth = seen.get(content) ?? 0;
    seen.set(content, nth + 1);
    return { ...row, id: contentUuid(row.at, `${owner}\u0000${content}\u0000${nth}`) };
  });
}

/** @param dimensionOf dimension of every send, by attempt event id */
export function prepareFindings(
  conclusion: OperationConclusion,
  dimensionOf: ReadonlyMap<string, string>,
): FindingRow[] {
  const { operationId, attempts: sends, findings, firstAt } = conclusion;
  const rows = findings.map((finding): Omit<FindingRow, 'id'> => {
    const spoken = sends.find(({ attempt }) => attempt.attempt === finding.attempt);
    const blamed = blamedSend(finding, sends);
    return {
      check: finding.check,
      severity: finding.severity,
      operationId,
      attempt: finding.attempt ?? null,
      at: Math.floor(spoken?.attempt.startedAt ?? firstAt),
      dimensionId: (blamed && dimensionOf.get(blamed.attempt.id)) ?? null,
      ruleSet: blamed?.verdict.ruleSet ?? null,
      evidence: finding.evidence,
      stream: null,
    };
  });
  return identifyFindings(operationId, rows);
}
