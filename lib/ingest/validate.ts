import type { z } from 'zod';
import { EVENT_TYPES, type EventType } from '@/lib/core/attempt';
import { ok, type Result } from '@/lib/core/result';
import { PROBLEM_CODES, type ProblemCode, type ProblemItem } from '@/lib/platform/problem';
import { readFastAttempt } from './fast-attempt';
import { countIgnored } from './ignored-fields';
import { EVENT_SCHEMAS, type EventWire } from './schema';

export interface ValidEvent {
  wire: EventWire;
  /** Members the contract doesn't know, dropped. */
  ignoredFields: number;
}

export type Validated = { ok: true; value: ValidEvent } | { ok: false; item: ProblemItem };

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const step of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[step];
  return value;
}

/** RFC 6901. Names of attributes are the sender's text, so they are cut. */
function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function codeOf(issue: z.core.$ZodIssue, event: unknown): ProblemCode {
  const given = issue.code === 'custom' ? (issue.params?.code as unknown) : undefined;
  const known = PROBLEM_CODES.find((code) => code === given);
  if (known) return known;
  const value = valueAt(event, issue.path);
  // JSON can write numbers that no double holds.
  const tooLarge = issue.path[0] === 'attributes' && (value === Infinity || value === -Infinity);
  return tooLarge ? 'number_out_of_range' : 'validation_failed';
}

/** zod's own words name types and bounds only, never the value. */
function describe(issue: z.core.$ZodIssue): string {
  return issue.message.replace(/^Invalid input: /, '').slice(0, 200);
}

function refuseWith(index: number, pointer: string, detail: string): Validated {
  return { ok: false, item: { index, pointer, code: 'validation_failed', detail } };
}

const TYPES: ReadonlySet<unknown> = new Set(EVENT_TYPES);

/** Judges one event against its type's schema; one problem an event, the first. */
export function validateEvent(event: unknown, index: number): Validated {
  if (typeof event !== 'object' || event === null || Array.isArray(event))
    return refuseWith(index, '', 'An event must be an object.');
  const type = (event as { type?: unknown }).type ?? 'attempt';
  if (!TYPES.has(type)) return refuseWith(index, '/type', `type must be one of ${EVENT_TYPES.join(', ')}`);
  const fast = type === 'attempt' ? readFastAttempt(event) : null;
  return fast ? { ok: true, value: fast } : validateBySchema(event, type as EventType, index);
}

/** The judge of last resort, and the only one that refuses. */
export function validateBySchema(event: object, type: EventType, index: number): Validated {
  const parsed = parseAs(type, event);
  if (parsed.ok) return { ok: true, value: { wire: parsed.value, ignoredFields: countIgnored(event, parsed.value) } };
  const [issue] = parsed.refusal;
  if (!issue) return refuseWith(index, '', 'The event is not valid.');
  const item = { index, pointer: pointerOf(issue.path), code: codeOf(issue, event), detail: describe(issue) };
  return { ok: false, item };
}

function parseAs(
  type: EventType,
  event: object,
): Result<EventWire, never> | { ok: false; refusal: z.core.$ZodIssue[] } {
  // null is absent for `type` too.
  const input = 'type' in event && event.type === null ? { ...event, type } : event;
  const parsed = EVENT_SCHEMAS[type].safeParse(input);
  if (!parsed.success) return { ok: false, refusal: parsed.error.issues };
  const wire = parsed.data as EventWire;
  wire.type = type;
  return ok(wire);
}
