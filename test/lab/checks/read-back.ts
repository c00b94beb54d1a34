import { BOOK_PATH } from '../lab-server';
import { headersOf, type Ask } from './clients';
import type { Kit } from './kit';

/** Longer than the lab's projects give a platform to finish what it was doing. */
export const SETTLED_MS = 400;

interface Looked {
  entities: string[];
}

/** Looks the order up by its own number and says so: proof of absence, or of presence. */
export async function readBack(kit: Kit, ask: Ask, weak = false): Promise<boolean> {
  const startedAt = Date.now();
  const answer = await fetch(`${kit.server.url}${BOOK_PATH}`, { headers: headersOf(ask) });
  const { entities } = (await answer.json()) as Looked;
  const result = entities.length > 0 ? ('present' as const) : ('absent' as const);
  kit.reporter.report({
    type: 'readback',
    operationId: ask.operationId,
    startedAt,
    endedAt: Date.now(),
    result,
    criterion: weak ? 'weak' : 'unique',
    ...(entities.length > 0 && { entityIds: entities }),
  });
  return entities.length > 0;
}
