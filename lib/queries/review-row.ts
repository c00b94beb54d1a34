import type { Resolution, Suggestion } from '../core/operation';
import type { AssigneeView, ReviewEventView, ReviewRowView, ReviewState } from './views';

/** A review item as selected by `selectReview`; instants are epoch ms. */
export interface ReviewItemRow {
  id: string;
  operation_id: string;
  episode: number;
  version: number;
  state: ReviewState;
  cause: ReviewRowView['cause'];
  assignee_type: AssigneeView['type'] | null;
  assignee_id: string | null;
  assignee_name: string | null;
  lease_until: number | null;
  opened_at: number;
  due_at: number;
  snoozed_until: number | null;
  doubt_since: number;
  doubt_until: number;
  resolved_at: number | null;
  amount_value: string | null;
  amount_currency: string | null;
  suggestion: Suggestion | null;
  resolution: Resolution | null;
  resolution_note: string | null;
  resolved_by: string | null;
  code: string;
  service: string;
  call: string;
  sdk: string;
  environment: string;
}

export interface ReviewEventRow {
  id: string;
  item_id: string;
  at: number;
  actor_type: AssigneeView['type'];
  actor_id: string;
  actor_name: string;
  action: string;
  old_value: unknown;
  new_value: unknown;
  note: string | null;
}

/** @param now epoch ms the age is taken at; an item that still waits for its read-back has age 0. */
export function viewReviewRow(row: ReviewItemRow, now: number): ReviewRowView {
  const { assignee_type: type, assignee_id: id, assignee_name: name } = row;
  return {
    id: row.id,
    operationId: row.operation_id,
    episode: row.episode,
    version: row.version,
    state: row.state,
    cause: row.cause,
    assignee: type !== null && id !== null && name !== null ? { type, id, name } : null,
    leaseUntil: row.lease_until,
    openedAt: row.opened_at,
    ageMs: Math.max(0, now - row.opened_at),
    dueAt: row.due_at,
    snoozedUntil: row.snoozed_until,
    code: row.code,
    service: row.service,
    call: row.call,
    sdk: row.sdk,
    environment: row.environment,
    amount:
      row.amount_value !== null && row.amount_currency !== null
        ? { value: row.amount_value, currency: row.amount_currency }
        : null,
    suggestion: row.suggestion,
    resolution: row.resolution,
    resolvedAt: row.resolved_at,
    resolvedBy: row.resolved_by,
  };
}

export function viewReviewEvent(row: ReviewEventRow): ReviewEventView {
  return {
    id: row.id,
    at: row.at,
    actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
    action: row.action,
    oldValue: row.old_value,
    newValue: row.new_value,
    note: row.note,
  };
}
