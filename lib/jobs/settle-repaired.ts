import type postgres from 'postgres';
import { readSharedFacts } from '@/db/queries/settle';
import type { Fact } from '@/lib/core/attempt';
import type { Concluded } from './settle-conclude';

/**
 * Concludes again those operations whose repeats a renewal or a fix may excuse that was told without naming them.
 * @param again concludes one operation with such facts beside its own
 */
export async function concludeRepaired(
  tx: postgres.ISql,
  projectId: number,
  concluded: readonly Concluded[],
  again: (operationId: string, shared: readonly Fact[]) => Concluded,
): Promise<Concluded[]> {
  const spans = concluded.flatMap(({ operationId, chances }) => chances.map((chance) => ({ operationId, ...chance })));
  const shared = await readSharedFacts(tx, projectId, spans);
  return concluded.map((one) => {
    const facts = shared.get(one.operationId);
    return facts ? again(one.operationId, facts) : one;
  });
}
