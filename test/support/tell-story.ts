import fc from 'fast-check';
import type { Fact } from '@/lib/core/attempt';
import { makeReadBack, makeStarted, makeSuccess, makeTally, makeThrottled, makeUnclear } from '../factories/facts';

/** Random traffic whose conclusions hang on mapping, edition and tolerances: no event names its own profile. */

export interface StoryStep {
  operation: number;
  kind: 'unclear' | 'success' | 'throttled' | 'refused' | 'started' | 'absent' | 'present' | 'tally';
  afterMs: number;
  read: boolean;
  /** Few keys for many operations, and what each asks for: shared with others for the same and for another request. */
  key: string | undefined;
  request: string | undefined;
}

export const storySteps = fc.array(
  fc.record({
    operation: fc.integer({ min: 0, max: 9 }),
    kind: fc.constantFrom<StoryStep['kind']>(
      'unclear',
      'success',
      'throttled',
      'refused',
      'started',
      'absent',
      'present',
      'tally',
    ),
    afterMs: fc.oneof(fc.integer({ min: 1, max: 400_000 }), fc.integer({ min: 29_000, max: 30_200 })),
    read: fc.boolean(),
    key: fc.constantFrom(undefined, undefined, 'k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'k7', 'k8'),
    request: fc.constantFrom(undefined, 'f1', 'f1', 'f1', 'f1', 'f2'),
  }),
  { minLength: 10, maxLength: 60 },
);

const TARGETS = ['crm.example', 'api.example'] as const;

/** A story a service could have told: times grow, attempts are numbered. */
export function tellStory(list: readonly StoryStep[], from: number): Fact[] {
  let at = from;
  const counts = new Map<number, number>();
  return list.map(({ operation, kind, afterMs, read, key, request }): Fact => {
    at += afterMs;
    const operationId = `op-${operation}`;
    const service = operation % 2 === 0 ? 'billing' : 'mail';
    const target = TARGETS[operation % 3 === 0 ? 1 : 0];
    if (kind === 'tally') {
      const tally = makeTally({ minute: Math.floor(at / 60_000) * 60_000, successes: 1 + operation, service, target });
      const { kind: _kind, ...bare } = tally;
      return read ? { ...bare, call: 'GET /v1/charges' } : { ...bare, call: 'crm.deal.add' };
    }
    if (kind === 'absent' || kind === 'present') return makeReadBack({ operationId, startedAt: at, result: kind });
    const attempt = (counts.get(operation) ?? 0) + 1;
    counts.set(operation, attempt);
    const send = {
      operationId,
      service,
      target,
      startedAt: at,
      attempt,
      kind: read ? ('read' as const) : ('write' as const),
      ...(key === undefined ? {} : { idempotency: { keyHash: key } }),
      ...(request === undefined ? {} : { fingerprint: request }),
    };
    switch (kind) {
      case 'started':
        return makeStarted(send);
      case 'throttled':
        return makeThrottled(30, send);
      case 'refused':
        return makeThrottled(30, { ...send, code: 'CALLER_RATE_LIMITED' });
      case 'success':
        return makeSuccess(send);
      case 'unclear':
        return makeUnclear(send);
    }
  });
}
