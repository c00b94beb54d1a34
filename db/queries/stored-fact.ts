import type { Attempt, Fact } from '@/lib/core/attempt';

/**
 * `attempt.event` and `fact.event` hold the core Fact itself, masked and without `receivedAt`
 * (that is a column): a stored fact is ready for `foldOperation` as it is.
 */
export function decodeFact(event: unknown, receivedAt: Date): Fact {
  const fact = event as Fact;
  if (fact.type === 'attempt' || fact.type === 'attempt_started') return { ...fact, receivedAt: receivedAt.getTime() };
  return fact;
}

export function decodeAttempt(event: unknown, receivedAt: Date): Attempt {
  return { ...(event as Attempt), receivedAt: receivedAt.getTime() };
}
