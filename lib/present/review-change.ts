/** One field of a review item that a change touched; absent on a side means "not said". */
export interface FieldChange {
  field: string;
  from: unknown;
  to: unknown;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** What differs between the old and the new value of a history row, in the order the rows name it. Total. */
export function listChanges(oldValue: unknown, newValue: unknown): FieldChange[] {
  const before = fieldsOf(oldValue);
  const after = fieldsOf(newValue);
  const fields = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  return fields.flatMap((field) => {
    const from = before[field] ?? null;
    // A field that only the old value names was left out, not emptied.
    const to = field in after ? (after[field] ?? null) : null;
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ field, from, to }];
  });
}

/** What the history has words for (messages, `review.event`). */
export const REVIEW_EVENT_WORDS = [
  'opened',
  'evidence',
  'due',
  'claimed',
  'renewed',
  'lease_expired',
  'released',
  'assigned',
  'noted',
  'snoozed',
  'woken',
  'resolved',
  'settled',
  'reopened',
] as const;

/** Fields that the history has words for (messages, `review.field`). */
export const REVIEW_FIELD_WORDS = [
  'state',
  'assignee',
  'leaseUntil',
  'until',
  'resolution',
  'dueAt',
  'suggestion',
  'cause',
  'settledBy',
  'facts',
  'evidence',
  'reason',
  'note',
  'previousItem',
] as const;

/** What settled a doubt, or took the proof back (messages, `review.settledBy`). */
export const SETTLED_WORDS = [
  'read_back',
  'server_key',
  'first_status',
  'job_result',
  'closed',
  'resolution',
  'late_attempt',
  'proof_withdrawn',
  'rules_changed',
] as const;

/** The word of a closed list that `value` is, if any. */
export function findWord<Word extends string>(words: readonly Word[], value: unknown): Word | undefined {
  return words.find((word) => word === value);
}
