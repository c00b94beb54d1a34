import { isFullJitter, QUILLHUB_CAP_MS } from './backoff-bound';
import { isFollowUp, type Check } from './check';

/** M23 within one operation: a wait that nobody asked for, longer than the cap of a full-jitter backoff (X16). */
export const checkBackoffShape: Check = ({ steps, context }) =>
  steps.flatMap(({ from, to, pair, gapMs }) => {
    const { profile, attempt, verdict } = from;
    if (pair.askedMs !== null || verdict.action === 'none' || isFollowUp(to)) return [];
    if (!isFullJitter(profile, attempt.policy?.jitter)) return [];
    const capMs = attempt.policy?.capMs ?? (profile === 'quillhub' ? QUILLHUB_CAP_MS : undefined);
    if (capMs === undefined || gapMs <= capMs + context.settings.toleranceSecondsMs) return [];
    return [
      {
        check: 'backoff_shape',
        severity: 'low',
        attempt: to.attempt.attempt,
        evidence: { kind: 'cap_exceeded', after: from.attempt.attempt, waitedMs: gapMs, capMs },
      },
    ];
  });
