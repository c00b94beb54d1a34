import { inOneKeyspace } from './key-use';
import { isReplayed, type Send, type Timeline } from './timeline';

/** What an idempotency key is worth between the sends of one operation. */

/** The hash of a key that the server enforces and that stood for one request all the time; null when there is none. */
export function trustedKeyOf({ serverKey }: Pick<Send, 'serverKey'>, { keys }: Pick<Timeline, 'keys'>): string | null {
  return serverKey === null || keys.spoilt.has(serverKey) ? null : serverKey;
}

/** Both under one key that is trusted, asked of one server: for it they are one request. */
export function shareKey(a: Send, b: Send, timeline: Timeline): boolean {
  const key = trustedKeyOf(a, timeline);
  if (key === null || key !== trustedKeyOf(b, timeline) || a.profile !== b.profile) return false;
  return a.keyUse !== null && b.keyUse !== null && inOneKeyspace(a.keyUse, b.keyUse, a.profile === 'bitrix_rest');
}

/**
 * X7: only a key the server enforces, in its lifetime, not used in parallel and not for another request.
 * `answer` would vouch for `doubtful`, in either order of sending.
 */
export function keyVouches(answer: Send, doubtful: Send, timeline: Timeline): boolean {
  if (!shareKey(answer, doubtful, timeline)) return false;
  const [first, second] = answer.startAt <= doubtful.startAt ? [answer, doubtful] : [doubtful, answer];
  if (second.startAt < first.endAt) return false;
  return second.startAt - first.startAt <= answer.ruleSet.keyLifeMs;
}

/** Sends under one trusted key: those that count, and the one that lasted longest. */
interface KeyLife {
  counted: Send[];
  latest: Send | null;
}

/**
 * Is it the same request to the server as one that counts already? Past its life a key begins another one, and of two
 * sends under way together both may run (X7), unless the server said that it answered one of them from its memory.
 */
function repeatsCounted(send: Send, { counted, latest }: KeyLife, timeline: Timeline): boolean {
  const together = latest !== null && send.startAt < latest.endAt && shareKey(latest, send, timeline);
  if (together && !isReplayed(send.attempt) && !isReplayed(latest.attempt)) return false;
  return counted.some((other) => {
    return send.startAt - other.startAt <= send.ruleSet.keyLifeMs && shareKey(other, send, timeline);
  });
}

/** For how many requests the server may have worked: those under one trusted key are one. @param sends in their order */
export function countRequests(sends: readonly Send[], timeline: Timeline): number {
  const lives = new Map<string, KeyLife>();
  let count = 0;
  for (const send of sends) {
    const key = trustedKeyOf(send, timeline);
    if (key === null) {
      count += 1;
      continue;
    }
    const life = lives.get(key) ?? { counted: [], latest: null };
    lives.set(key, life);
    if (!repeatsCounted(send, life, timeline)) {
      life.counted.push(send);
      count += 1;
    }
    if (life.latest === null || send.endAt > life.latest.endAt) life.latest = send;
  }
  return count;
}
