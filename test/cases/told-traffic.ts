import { send, T0, type Wire } from './judge';

/** Cases of public-bugs.json that tell their traffic in numbers instead of events, written out as events. */

export interface ToldTraffic {
  clients?: number;
  gapsMs?: number[];
  failureAt?: string;
  /** Tries of each retry layer, outermost first. */
  layers?: number[];
}

/** Every client fails at once and comes back after exactly the same gaps. */
function herd(clients: number, gapsMs: readonly number[], failureAt: number): Wire[] {
  return Array.from({ length: clients }, (_, client): Wire[] => {
    let at = failureAt - T0;
    const own = { operationId: `client-${client}`, instance: `i-${client}`, target: 'api.example' };
    const failed = { profile: 'http', kind: 'read', method: 'GET', status: 503, ...own };
    return [0, ...gapsMs].map((gapMs, step) => {
      at += step === 0 ? 0 : 100 + gapMs;
      return { ...send(step + 1, at, failed) };
    });
  }).flat();
}

/** Each try of a layer is an operation of the next, so that the innermost one makes the product of all. */
function nest(layers: readonly number[], parent: string | undefined, at: number): Wire[] {
  const [tries = 0, ...inner] = layers;
  const operationId = parent === undefined ? 'op-1' : `${parent}/${at}`;
  const link = parent === undefined ? {} : { parentOperationId: parent };
  return Array.from({ length: tries }, (_, step): Wire[] => {
    const startsAt = at + step * 10 ** (inner.length + 3);
    const failed = { profile: 'http', kind: 'read', method: 'GET', status: 429, ...link };
    return [
      { ...send(step + 1, startsAt, failed), operationId },
      ...(inner.length > 0 ? nest(inner, operationId, startsAt) : []),
    ];
  }).flat();
}

/** @returns null where nothing is told in numbers */
export function eventsToldBy({ clients, gapsMs, failureAt, layers }: ToldTraffic): Wire[] | null {
  if (clients !== undefined && gapsMs !== undefined) return herd(clients, gapsMs, Date.parse(failureAt ?? ''));
  return layers === undefined ? null : nest(layers, undefined, 0);
}
