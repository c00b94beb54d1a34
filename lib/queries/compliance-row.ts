import type { Compliance } from '../core/operation';
import type { ComplianceRow } from './views';

export interface ComplianceCount {
  key: string;
  compliance: Compliance;
  pairs: number;
  over_ms: number;
}

type Counter =
  'honoured' | 'early' | 'earlyCapped' | 'pending' | 'noRetryObserved' | 'gaveUp' | 'unusable' | 'notJudged';

/** `not_asked` pairs are never stored, so they have no counter. */
const COUNTER: Readonly<Record<Exclude<Compliance, 'not_asked'>, Counter>> = {
  honoured: 'honoured',
  early: 'early',
  early_capped: 'earlyCapped',
  pending: 'pending',
  no_retry_observed: 'noRetryObserved',
  gave_up_wait_too_long: 'gaveUp',
  unusable_header: 'unusable',
  not_judged: 'notJudged',
};

export function emptyRow(key: string): ComplianceRow {
  return {
    key,
    asked: 0,
    honoured: 0,
    early: 0,
    earlyCapped: 0,
    pending: 0,
    noRetryObserved: 0,
    gaveUp: 0,
    unusable: 0,
    notJudged: 0,
    rate: null,
    earlyMsP50: null,
    earlyMsMax: null,
    overWaitMs: 0,
  };
}

/** Adds counts to a row in place and keeps its rate true: honoured ÷ (honoured + early + early_capped). */
export function addCounts(row: ComplianceRow, count: ComplianceCount): ComplianceRow {
  if (count.compliance === 'not_asked') return row;
  row[COUNTER[count.compliance]] += count.pairs;
  row.asked += count.pairs;
  row.overWaitMs += count.over_ms;
  const judged = row.honoured + row.early + row.earlyCapped;
  row.rate = judged > 0 ? row.honoured / judged : null;
  return row;
}
