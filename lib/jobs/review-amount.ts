import type { Fact, Money } from '@/lib/core/attempt';

/** Money at stake in a review item. Pure. */

/** The newest amount any send named. */
export function amountOf(facts: readonly Fact[]): Money | null {
  const named = facts
    .filter((fact) => fact.type === 'attempt' || fact.type === 'attempt_started')
    .filter((fact) => fact.amount !== undefined)
    .sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1));
  return named.at(-1)?.amount ?? null;
}

/** The stored amount unless another one was named: `05.0` and `5` are written differently and are one. */
export function newerAmount(stored: Money | null, named: Money | null): Money | null {
  if (!named) return stored;
  const plain = (value: string): string =>
    value
      .replace(/^\+/, '')
      .replace(/^(-?)0+(?=\d)/, '$1')
      .replace(/(\.\d*?)0+$/, '$1')
      .replace(/\.$/, '');
  const same = stored?.currency === named.currency && plain(stored.value) === plain(named.value);
  return same ? stored : named;
}
