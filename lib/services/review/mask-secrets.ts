import { createMasker } from '../../platform/mask';
import type { Change } from './act';

/** What people paste into a note or as evidence is masked like the texts of events, before anything is stored. */
export function maskSecrets(change: Change): Change {
  // Only names that tell things apart need the hash, and there is none here.
  const masker = createMasker({ hash: () => '' });
  const mask = (text: string | null): string | null => (text === null ? null : masker.text(text));
  const { evidence } = change.newValue ?? {};
  return {
    ...change,
    note: mask(change.note),
    item: { ...change.item, resolutionNote: mask(change.item.resolutionNote) },
    ...(evidence === undefined ? {} : { newValue: { ...change.newValue, evidence: maskEvidence(evidence) } }),
  };

  function maskEvidence(found: unknown): unknown {
    if (Array.isArray(found)) return found.map(maskEvidence);
    return typeof found === 'string' ? masker.text(found) : found;
  }
}
