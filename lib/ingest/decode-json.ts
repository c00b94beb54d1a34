import { refuse, ok, type Result } from '@/lib/core/result';
import { isDeeperThan } from '@/lib/http/json-depth';
import type { ProblemItem } from '@/lib/platform/problem';

export const DEPTH_MAX = 16;
export const EVENTS_MAX = 5_000;

/** One event of a body before validation, or why there is none. `index` is its place, or its line. */
export type RawEvent = { index: number; value: unknown } | { index: number; error: ProblemItem };

export interface DecodedBody {
  events: RawEvent[];
  /** Items of batches count one each. */
  count: number;
  /** Member `asOf` beside `events` (evaluate only). */
  asOf?: unknown;
  /** The body is no event, no array of events and no {"events": […]}: `events` holds that as its one error. */
  shapeless?: true;
}

export type DecodeRefusal = 'invalid_json' | 'too_deep' | 'batch_too_large';

const SHAPELESS: ProblemItem = {
  index: 0,
  pointer: '',
  code: 'validation_failed',
  detail: 'The body must be an event, an array of events, or {"events": […]}.',
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Items of an expanded batch count one each; those that a batch's `size` makes up count too. */
function countEvents(events: readonly RawEvent[]): number {
  let count = events.length;
  for (const raw of events) {
    const event = 'value' in raw ? raw.value : null;
    if (!isObject(event) || !Array.isArray(event.items)) continue;
    const size = isObject(event.batch) && typeof event.batch.size === 'number' ? event.batch.size : 0;
    count += Math.max(1, event.items.length, Math.min(size, EVENTS_MAX)) - 1;
  }
  return count;
}

export function decodeEvents(values: RawEvent[]): Result<DecodedBody, DecodeRefusal> {
  const count = countEvents(values);
  return count > EVENTS_MAX ? refuse('batch_too_large') : ok({ events: values, count });
}

/** One event, an array of events, or `{"events": […]}`. */
export function decodeJson(text: string): Result<DecodedBody, DecodeRefusal> {
  if (isDeeperThan(text, DEPTH_MAX)) return refuse('too_deep');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return refuse('invalid_json');
  }
  if (Array.isArray(body)) return indexed(body);
  if (!isObject(body)) return shapeless();
  if (!Object.hasOwn(body, 'events')) return indexed([body]);
  if (!Array.isArray(body.events)) return shapeless();
  const decoded = indexed(body.events);
  return decoded.ok ? ok({ ...decoded.value, asOf: body.asOf }) : decoded;
}

function shapeless(): Result<DecodedBody, never> {
  return ok({ events: [{ index: 0, error: SHAPELESS }], count: 1, shapeless: true });
}

function indexed(values: unknown[]): Result<DecodedBody, DecodeRefusal> {
  // The length is judged before anything looks at the elements.
  if (values.length > EVENTS_MAX) return refuse('batch_too_large');
  return decodeEvents(values.map((value, index) => ({ index, value })));
}
