import type { JudgedAttempt } from '../core/operation';

/** What the lines of a support text are called, in the reader's language. */
export interface SupportLabels {
  operation: string;
  service: string;
  call: string;
  target: string;
  state: string;
  send: (attempt: number) => string;
  status: string;
  requestId: string;
}

export interface SupportStory {
  operationId: string;
  service: string;
  call: string;
  target: string;
  environment: string;
  /** In words. */
  state: string;
  sends: readonly JudgedAttempt[];
}

const iso = (at: number | undefined): string => (at === undefined ? '?' : new Date(at).toISOString());

function sendLine({ attempt, verdict }: JudgedAttempt, labels: SupportLabels): string {
  const parts = [
    labels.send(attempt.attempt),
    `${iso(attempt.startedAt)} – ${iso(attempt.endedAt)}`,
    verdict.code,
    ...(attempt.status === undefined ? [] : [`${labels.status} ${attempt.status}`]),
    ...(attempt.requestId === undefined ? [] : [`${labels.requestId} ${attempt.requestId}`]),
    ...(attempt.message === undefined ? [] : [attempt.message]),
  ];
  return parts.join(' · ');
}

/** What the platform's support asks for: ids, codes and times (ISO 8601, UTC), as plain text. */
export function prepareSupportText(story: SupportStory, labels: SupportLabels): string {
  const head = [
    `${labels.operation}: ${story.operationId}`,
    `${labels.service}: ${story.service} (${story.environment})`,
    `${labels.call}: ${story.call}`,
    ...(story.target === '' ? [] : [`${labels.target}: ${story.target}`]),
    `${labels.state}: ${story.state}`,
  ];
  return [...head, ...story.sends.map((send) => sendLine(send, labels))].join('\n');
}
