import { byStartAt, groupSends, type StreamCheck, type StreamHit, type StreamSend } from './stream';

/**
 * M11: one key, two requests, in different operations: charged to the later one, which took a key that was taken. Told
 * once, and again only when it was quiet for as long as the look-back.
 */

/** The uses of one key so far, by request. What is too old is dropped on the way: the work grows with the uses alone. */
class EarlierUses {
  private readonly byRequest = new Map<string, { uses: StreamSend[]; first: number }>();
  private readonly operations = new Set<string>();

  constructor(private readonly lookBackMs: number) {}

  add(use: StreamSend): void {
    this.operations.add(use.operationId);
    const request = use.fingerprint ?? '';
    const known = this.byRequest.get(request);
    if (!known) this.byRequest.set(request, { uses: [use], first: 0 });
    // Of one operation's tries in a row the latest is enough.
    else if (known.uses.at(-1)?.operationId === use.operationId) known.uses[known.uses.length - 1] = use;
    else known.uses.push(use);
  }

  /** An earlier use by another operation for another request. */
  takenBefore(use: StreamSend): StreamSend | undefined {
    if (this.operations.size < 2 && this.operations.has(use.operationId)) return undefined;
    for (const [request, known] of this.byRequest) {
      const { uses } = known;
      while (use.startAt - (uses[known.first]?.startAt ?? Infinity) > this.lookBackMs) known.first++;
      if (known.first >= uses.length) this.byRequest.delete(request);
      else if (request !== use.fingerprint) {
        for (let at = known.first; at < uses.length; at++) {
          if (uses[at]?.operationId !== use.operationId) return uses[at];
        }
      }
    }
    return undefined;
  }
}

function findInKey(uses: readonly StreamSend[], lookBackMs: number): StreamHit[] {
  const toldAt = new Map<string, number>();
  const earlier = new EarlierUses(lookBackMs);
  return [...uses].sort(byStartAt).flatMap((use): StreamHit[] => {
    const first = earlier.takenBefore(use);
    earlier.add(use);
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
