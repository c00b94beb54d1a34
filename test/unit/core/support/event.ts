import type { Attempt, Fact } from '@/lib/core/attempt';
import { DEFAULT_SETTINGS, type OperationConclusion } from '@/lib/core/operation';
import { foldOperation, type FoldContext } from '@/lib/core/fold';

/** Short ways to write facts in tests. Times are ms after `T0`. */
export const T0 = Date.UTC(2026, 2, 2, 10, 0, 0);

let counter = 0;

export function attempt(fields: Partial<Attempt> = {}): Attempt {
  counter++;
  return {
    type: 'attempt',
    id: `a-${String(counter).padStart(6, '0')}`,
    operationId: 'op',
    attempt: 1,
    startedAt: T0,
    endedAt: T0 + 100,
    environment: 'production',
    service: 'orders',
    call: 'POST /case',
    ...fields,
  };
}

/** Any other fact, with what every fact needs filled in. */
export function fact(fields: { type: Fact['type'] } & Record<string, unknown>): Fact {
  counter++;
  return {
    id: `f-${String(counter).padStart(6, '0')}`,
    operationId: 'op',
    environment: 'production',
    startedAt: T0,
    ...fields,
  } as unknown as Fact;
}

export function foldContext(fields: Partial<FoldContext> = {}): FoldContext {
  return {
    asOf: T0 + 30 * 86_400_000,
    settings: DEFAULT_SETTINGS,
    profiles: { defaultProfile: 'http', targets: [] },
    ...fields,
  };
}

export function fold(facts: Fact[], fields: Partial<FoldContext> = {}): OperationConclusion {
  return foldOperation({ operationId: 'op', facts }, foldContext(fields));
}
