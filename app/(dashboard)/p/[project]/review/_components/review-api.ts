import type { ReviewVerb } from '@/lib/core/review';

/** What the screens need to know of the item that a verb answers with (docs/api.md, review). Instants are ISO 8601. */
export interface ReviewItemWire {
  id: string;
  version: number;
  state: string;
  assignee: { id: string; name: string } | null;
  leaseUntil: string | null;
  eventIds: string[];
}

export type ReviewAnswer =
  | { kind: 'done'; item: ReviewItemWire | null }
  /** Somebody changed the item first. */
  | { kind: 'stale'; item: ReviewItemWire | null }
  | { kind: 'held_by_other'; holder: string; remainingLeaseMs: number; item: ReviewItemWire | null }
  | { kind: 'wrong_state'; item: ReviewItemWire | null }
  | { kind: 'forbidden' | 'signed_out' | 'not_found' }
  | { kind: 'invalid'; detail: string }
  /** Not taken; safe to send again after the pause. */
  | { kind: 'busy'; seconds: number }
  /** It may have been saved. */
  | { kind: 'fault'; reference: string | null }
  | { kind: 'offline' };

type Wire = Readonly<Record<string, unknown>>;

function isWire(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readItem(body: unknown): ReviewItemWire | null {
  if (!isWire(body)) return null;
  const item = isWire(body['item']) ? body['item'] : body;
  const { id, version, state, assignee, leaseUntil, history } = item;
  if (typeof id !== 'string' || typeof version !== 'number' || typeof state !== 'string') return null;
  const held = isWire(assignee) && typeof assignee['id'] === 'string' && typeof assignee['name'] === 'string';
  return {
    id,
    version,
    state,
    assignee: held ? { id: String(assignee['id']), name: String(assignee['name']) } : null,
    leaseUntil: typeof leaseUntil === 'string' ? leaseUntil : null,
    eventIds: Array.isArray(history) ? history.filter(isWire).map((event) => String(event['id'])) : [],
  };
}

const RETRY_SECONDS_DEFAULT = 5;

function readFaults(problem: Wire): string | null {
  const faults = Array.isArray(problem['errors']) ? problem['errors'].filter(isWire) : [];
  const texts = faults.map((fault) => `${String(fault['pointer'])}: ${String(fault['detail'])}`);
  return texts.length > 0 ? texts.join('; ') : null;
}

function textOf(problem: Wire, name: string): string | null {
  const value = problem[name];
  return typeof value === 'string' ? value : null;
}

function readRefusal(answer: Response, body: unknown): ReviewAnswer {
  const problem = isWire(body) ? body : {};
  switch (textOf(problem, 'code')) {
    case 'stale_version':
      return { kind: 'stale', item: readItem(body) };
    case 'held_by_other':
      return {
        kind: 'held_by_other',
        holder: textOf(problem, 'holder') ?? '',
        remainingLeaseMs: Number(problem['remainingLeaseMs']) || 0,
        item: readItem(body),
      };
    case 'wrong_state':
      return { kind: 'wrong_state', item: readItem(body) };
    default:
      return readStatus(answer, problem);
  }
}

function readStatus(answer: Response, problem: Wire): ReviewAnswer {
  if (answer.status === 401) return { kind: 'signed_out' };
  if (answer.status === 403) return { kind: 'forbidden' };
  if (answer.status === 404) return { kind: 'not_found' };
  if (answer.status === 429 || answer.status === 503)
    return { kind: 'busy', seconds: Number(answer.headers.get('retry-after')) || RETRY_SECONDS_DEFAULT };
  if (answer.status >= 500) return { kind: 'fault', reference: textOf(problem, 'requestId') };
  return { kind: 'invalid', detail: readFaults(problem) ?? textOf(problem, 'detail') ?? String(answer.status) };
}

async function post(path: string, slug: string, body: Wire): Promise<ReviewAnswer> {
  const answer = await fetch(`${path}?project=${encodeURIComponent(slug)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => null);
  if (!answer) return { kind: 'offline' };
  const parsed: unknown = await answer.json().catch(() => null);
  return answer.ok ? { kind: 'done', item: readItem(parsed) } : readRefusal(answer, parsed);
}

/** One verb on one item; `renew` makes the holder's lease last again. Never throws: what happened is in the answer. */
export function askReview(slug: string, id: string, verb: ReviewVerb | 'renew', body: Wire): Promise<ReviewAnswer> {
  return post(`/api/v1/review/${encodeURIComponent(id)}/${verb}`, slug, body);
}

/** Claims the most urgent free item; `item: null` when none is free. */
export function takeNext(slug: string, body: Wire): Promise<ReviewAnswer> {
  return post('/api/v1/review/next', slug, body);
}
