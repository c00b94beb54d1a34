import { ABORTERS, OUTCOMES, PROFILES, RESEND_REASONS } from '@/lib/core/attempt';
import { countIgnored, isFreeForm } from './ignored-fields';
import { parseInstant } from './parse-instant';
import { attemptSchema, type AttemptWire } from './schema';

/**
 * Reads well-formed attempts several times faster than their schema does. Members it knows to be plain are read here,
 * the others by their part of the schema; at the first doubt it gives up and the whole schema judges, so it can
 * neither refuse an event nor accept one that the schema refuses (held by a property test).
 */

/** Returned instead of a value: let the schema judge. */
const DOUBT = Symbol('doubt');

type Reader = (value: unknown, read: { ignoredFields: number }) => unknown;

/** Printable ASCII without outer space: nothing to tidy, nothing that can't be kept. */
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-9a-e][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const plain =
  (charactersMax: number): Reader =>
  (value) =>
    typeof value === 'string' && value.length <= charactersMax && PLAIN.test(value) ? value : DOUBT;

const oneOf = (words: readonly string[]): Reader => {
  const known: ReadonlySet<unknown> = new Set(words);
  return (value) => (known.has(value) ? value : DOUBT);
};

const integer =
  (least: number, most: number): Reader =>
  (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most ? value : DOUBT;

const instant: Reader = (value) =>
  typeof value === 'string' || typeof value === 'number' ? (parseInstant(value) ?? DOUBT) : DOUBT;

const duration: Reader = (value) => (typeof value === 'number' && value >= 0 && value <= 1e13 ? value : DOUBT);
const text: Reader = (value) => (typeof value === 'string' ? value : DOUBT);

/** A flat object of plain members; `required` must be there. */
function members(readers: Readonly<Record<string, Reader>>, required: readonly string[] = []): Reader {
  const known = new Map(Object.entries(readers));
  return (value, read) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return DOUBT;
    const out: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(value) as [string, unknown][]) {
      const reader = known.get(name);
      if (!reader) {
        read.ignoredFields += 1;
        continue;
      }
      const found = reader(member, read);
      if (found === DOUBT) return DOUBT;
      out[name] = found;
    }
    return required.every((name) => name in out) ? out : DOUBT;
  };
}

const doubtful: Reader = () => DOUBT;
const POLICY = ['maxRetries', 'maxAttempts', 'baseMs', 'capMs', 'deadlineMs', 'retryAfterCapMs'];

const FAST: Readonly<Record<string, Reader>> = {
  id: (value) => (typeof value === 'string' && UUID.test(value) ? value : DOUBT),
  type: oneOf(['attempt']),
  environment: plain(100),
  operationId: plain(200),
  attempt: integer(1, 2_147_483_647),
  startedAt: instant,
  headersAt: instant,
  endedAt: instant,
  service: plain(200),
  instance: plain(200),
  sdk: members({ name: plain(100), version: plain(100) }, ['name']),
  kind: plain(50),
  call: plain(500),
  method: plain(20),
  target: plain(300),
  scope: plain(300),
  profile: oneOf(PROFILES),
  fingerprint: plain(200),
  businessKey: plain(300),
  policy: members({ ...Object.fromEntries(POLICY.map((name) => [name, duration])), jitter: doubtful }),
  outcome: oneOf(OUTCOMES),
  status: integer(0, 999),
  statusOrigin: oneOf(['server', 'sdk']),
  code: plain(200),
  message: text,
  warning: text,
  retryAfter: text,
  dateHeader: text,
  abortBy: oneOf(ABORTERS),
  requestId: plain(200),
  jobId: plain(200),
  plannedDelayMs: duration,
  reason: oneOf(RESEND_REASONS),
  parentOperationId: plain(200),
};

function bySchema(name: keyof typeof attemptSchema.shape): Reader {
  const schema = attemptSchema.shape[name];
  return (value, read) => {
    const parsed = schema.safeParse(value);
    if (!parsed.success) return DOUBT;
    const { data } = parsed;
    const nested = typeof value === 'object' && value !== null && typeof data === 'object' && data !== null;
    if (nested && !isFreeForm(name)) read.ignoredFields += countIgnored(value, data);
    return data;
  };
}

const NAMES = Object.keys(attemptSchema.shape) as (keyof typeof attemptSchema.shape)[];
const READERS = new Map<string, Reader>(NAMES.map((name) => [name, FAST[name] ?? bySchema(name)]));

export interface FastAttempt {
  wire: AttemptWire & { type: 'attempt' };
  ignoredFields: number;
}

/** @returns null when the schema has to judge */
export function readFastAttempt(event: object): FastAttempt | null {
  const read = { ignoredFields: 0 };
  const out: Record<string, unknown> = {};
  for (const name of Object.keys(event)) {
    const reader = READERS.get(name);
    if (!reader) {
      read.ignoredFields += 1;
      continue;
    }
    const value = reader((event as Record<string, unknown>)[name], read);
    if (value === DOUBT) return null;
    out[name] = value;
  }
  const { operationId, attempt, startedAt, service, call } = out;
  const whole =
    operationId !== undefined &&
    attempt !== undefined &&
    startedAt !== undefined &&
    service !== undefined &&
    call !== undefined;
  if (!whole) return null;
  out.type = 'attempt';
  return { wire: out as unknown as FastAttempt['wire'], ignoredFields: read.ignoredFields };
}
