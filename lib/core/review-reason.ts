import type { Fact } from './attempt';
import type { Resolution, Suggestion } from './operation';

/**
 * When a person who resolves an item must say why: an outcome that nothing proves, or that goes against the evidence,
 * is somebody's word, and the word needs its reason (requirements 57 and 68).
 */

export type ReasonDemand =
  /** The outcome itself asks for an account of what was found. */
  | 'outcome'
  /** No conclusive read-back from after the doubt says the same. */
  | 'no_read_back'
  /** The evidence suggests something else. */
  | 'against_suggestion';

export interface ReasonQuestion {
  resolution: Resolution;
  suggestion: Suggestion | null;
  /** Facts of the operation; only its read-backs count. */
  facts: readonly Fact[];
  /** Epoch ms: end of the latest unclear write. An earlier read-back proves nothing about it. */
  doubtUntil: number;
}

const PROVEN_BY: Partial<Record<Resolution, 'present' | 'absent'>> = { applied_once: 'present', not_applied: 'absent' };

function latestProof(question: ReasonQuestion): 'present' | 'absent' | null {
  let latest: { at: number; result: 'present' | 'absent' } | null = null;
  for (const fact of question.facts) {
    if (fact.type !== 'readback' || fact.criterion !== 'unique' || fact.result === 'inconclusive') continue;
    if (fact.startedAt < question.doubtUntil || (latest && fact.startedAt < latest.at)) continue;
    latest = { at: fact.startedAt, result: fact.result };
  }
  return latest?.result ?? null;
}

/** @returns why a reason is due, or null when the evidence already gives it. */
export function demandReason(question: ReasonQuestion): ReasonDemand | null {
  const { resolution, suggestion } = question;
  const wanted = PROVEN_BY[resolution];
  if (wanted === undefined) return 'outcome';
  if (suggestion && suggestion.resolution !== resolution) return 'against_suggestion';
  return latestProof(question) === wanted ? null : 'no_read_back';
}
