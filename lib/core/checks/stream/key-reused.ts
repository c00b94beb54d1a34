import { byStartAt, groupSends, type StreamCheck, type StreamHit, type StreamSend } from './stream';

/**
 * M11: one key, two requests, in different operations: charged to the later one, which took a key that was taken. Told
 * once, and again only when it was quiet for as long as the look-back.
 */

/** The nearest earlier use of the key by another operation for another request. */
function takenBy(use: StreamSend, earlier: readonly StreamSend[], lookBackMs: number): StreamSend | undefined {
  return earlier.find((first) => {
    const near = use.startAt - first.startAt <= lookBackMs;
    return near && first.operationId !== use.operationId && first.fingerprint !== use.fingerprint;
  });
}

function findInKey(uses: readonly StreamSend[], lookBackMs: number): StreamHit[] {
  const toldAt = new Map<string, number>();
  const sorted = [...uses].sort(byStartAt);
  return sorted.flatMap((use, at): StreamHit[] => {
    const first = takenBy(use, sorted.slice(0, at), lookBackMs);
    if (!first) return [];
    const known = use.startAt - (toldAt.get(use.operationId) ?? -Infinity) <= lookBackMs;
    toldAt.set(use.operationId, use.startAt);
    if (known) return [];
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
  // As far again, to know whether it was told already.
  lookBackMs: (settings) => 2 * settings.keyLookBackMs,
  lookAheadMs: () => 0,
  find({ sends, settings }) {
    const uses = sends.filter(({ fingerprint }) => fingerprint !== undefined);
    return [...groupSends(uses, ({ keyHash }) => keyHash || undefined).values()].flatMap((group) =>
      findInKey(group, settings.keyLookBackMs),
    );
  },
};
