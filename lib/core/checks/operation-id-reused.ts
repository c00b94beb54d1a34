import type { Check } from './check';

/** M6: another request under the same operation id. After a change it is a new intent and wants an id of its own. */
export const checkOperationIdReused: Check = ({ timeline }) => {
  const prints = new Set(
    timeline.sends.map(({ attempt }) => attempt.fingerprint).filter((print) => print !== undefined),
  );
  if (prints.size < 2) return [];
  const [first] = timeline.sends.filter(({ attempt }) => attempt.fingerprint !== undefined);
  const changed = timeline.sends.find(({ attempt }) => {
    return attempt.fingerprint !== undefined && attempt.fingerprint !== first?.attempt.fingerprint;
  });
  return [
    {
      check: 'operation_id_reused',
      severity: 'medium',
      attempt: changed?.attempt.attempt,
      evidence: { requests: prints.size },
    },
  ];
};
