import { byStartAt, groupSends, type StreamCheck, type StreamHit, type StreamSend } from './stream';

/** M11: one key, two requests, in different operations: charged to the later one, which took a key that was taken. */

/** The nearest earlier use of the key by another operation for another request. */
function takenBy(use: StreamSend, earlier: readonly StreamSend[], lookBackMs: number): StreamSend | undefined {
  return earlier.find((first) => {
    const near = use.startAt - first.startAt <= lookBackMs;
    return near && first.operationId !== use.operationId && first.fingerprint !== use.fingerprint;
  });
}

function findInKey(uses: readonly StreamSend[], lookBackMs: number): StreamHit[] {
  const told = new Set<string>();
  const sorted = [...uses].sort(byStartAt);
  return sorted.flatMap((use, at): StreamHit[] => {
    const first = takenBy(use, sorted.slice(0, at), lookBackMs);
    if (!first || told.has(use.operationId)) return [];
    told.add(use.operationId);
    return [
      {
        check: 'key_reused',
        severity: 'medium',
        attempt: use.attempt,
        operationId: use.operationId,
        subject: { kind: 'operation', value: use.operationId },
        at: use.startAt,
        evidence: {
          firstOperationId: first.operationId,
          firstAttempt: first.attempt,
          apartMs: use.startAt - first.startAt,
          operationIds: [first.operationId, use.operationId],
        },
      },
    ];
  });
}

export const findKeyReused: StreamCheck = {
  check: 'key_reused',
  groupBy: 'key',
  lookBackMs: (settings) => settings.keyLookBackMs,
  lookAheadMs: () => 0,
  find({ sends, settings }) {
    const uses = sends.filter(({ fingerprint }) => fingerprint !== undefined);
    return [...groupSends(uses, ({ keyHash }) => keyHash || undefined).values()].flatMap((group) =>
      findInKey(group, settings.keyLookBackMs),
    );
  },
};
