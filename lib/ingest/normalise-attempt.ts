import type { Attempt, AttemptStarted, BatchPlace, ErrorNode, Idempotency, Policy } from '@/lib/core/attempt';
import type { Cleaner } from './clean';
import type { AttemptStartedWire, AttemptWire, ErrorNodeWire } from './schema';

/** Response headers worth keeping; the rest is dropped unread. */
const HEADERS_KEPT: ReadonlySet<string> = new Set([
  'retry-after-ms',
  'x-ms-retry-after-ms',
  'x-amz-retry-after',
  'x-ratelimit-reset',
  'ratelimit',
  'ratelimit-policy',
  'x-should-retry',
  'stripe-should-retry',
  'idempotent-replayed',
  'age',
  'content-type',
]);

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** null and absent are one; so are '' and absent for names. */
function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

/** Any word but `read` counts as a write, an empty one too: in doubt it is a write. Only an absent one is undefined. */
export function kindOf(word: string | null | undefined): 'read' | 'write' | undefined {
  if (!isGiven(word)) return undefined;
  return word.toLowerCase() === 'read' ? 'read' : 'write';
}

function policyOf(wire: NonNullable<AttemptWire['policy']>, clean: Cleaner): Policy {
  const policy: Policy = {};
  for (const name in wire) {
    if (name === 'jitter') continue;
    const value = wire[name as Exclude<keyof typeof wire, 'jitter'>];
    if (isGiven(value)) policy[name as Exclude<keyof Policy, 'jitter'>] = value;
  }
  if (isGiven(wire.jitter)) policy.jitter = clean.text(String(wire.jitter));
  return policy;
}

function idempotencyOf(wire: NonNullable<AttemptWire['idempotency']>, clean: Cleaner): Idempotency {
  const idempotency: Idempotency = {};
  if (wire.key) idempotency.keyHash = clean.idempotencyKey(wire.key);
  if (wire.mode) idempotency.mode = wire.mode;
  if (typeof wire.replayed === 'boolean') idempotency.replayed = wire.replayed;
  return idempotency;
}

function errorOf(wire: ErrorNodeWire, clean: Cleaner): ErrorNode {
  const node: ErrorNode = {};
  if (wire.name) node.name = clean.text(wire.name);
  if (typeof wire.code === 'number') node.code = wire.code;
  else if (wire.code) node.code = clean.text(wire.code);
  if (wire.syscall) node.syscall = clean.text(wire.syscall);
  if (wire.message) node.message = clean.text(wire.message);
  if (wire.cause) node.cause = errorOf(wire.cause, clean);
  if (wire.errors) node.errors = wire.errors.map((child) => errorOf(child, clean));
  return node;
}

/** Headers that were told and hold none worth keeping stay told: that there was no Content-Type is a fact. */
function headersOf(wire: Record<string, unknown>, clean: Cleaner): Record<string, string> {
  const kept: [string, string][] = [];
  for (const [rawName, value] of Object.entries(wire)) {
    const name = rawName.toLowerCase();
    if (!HEADERS_KEPT.has(name)) continue;
    const lines = (Array.isArray(value) ? value : [value]).filter((line): line is string => typeof line === 'string');
    if (lines.length > 0) kept.push([name, clean.text(lines.join(', '))]);
  }
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function attributesOf(wire: Record<string, string>, clean: Cleaner): Record<string, string> {
  const names = Object.keys(wire).sort();
  return Object.fromEntries(names.map((name) => [clean.name(name), clean.named(name, wire[name] ?? '')]));
}

function batchOf(wire: NonNullable<AttemptWire['batch']>, clean: Cleaner): BatchPlace {
  const batch: BatchPlace = { id: clean.name(wire.id) };
  if (wire.item !== null && wire.item !== undefined) batch.item = clean.name(String(wire.item));
  if (typeof wire.size === 'number') batch.size = wire.size;
  return batch;
}

/** Members that an attempt and its start share, in one order whatever the sender's. */
function copySent(
  wire: AttemptWire | AttemptStartedWire,
  to: Writable<Attempt> | Writable<AttemptStarted>,
  clean: Cleaner,
): void {
  if (wire.instance) to.instance = clean.name(wire.instance);
  if (wire.method) to.method = clean.name(wire.method);
  if (wire.target) to.target = clean.name(wire.target);
  if (wire.scope) to.scope = clean.name(wire.scope);
  if (wire.fingerprint) to.fingerprint = clean.name(wire.fingerprint);
  if (wire.businessKey) to.businessKey = clean.name(wire.businessKey);
  if (wire.sdk)
    to.sdk = {
      name: clean.name(wire.sdk.name),
      ...(wire.sdk.version ? { version: clean.name(wire.sdk.version) } : {}),
    };
  const kind = kindOf(wire.kind);
  if (kind) to.kind = kind;
  if (wire.credential) to.credential = clean.credential(wire.credential);
  if (wire.profile) to.profile = wire.profile;
  if (wire.idempotency) to.idempotency = idempotencyOf(wire.idempotency, clean);
  if (wire.policy) to.policy = policyOf(wire.policy, clean);
  if (wire.amount) to.amount = { value: wire.amount.value, currency: clean.name(wire.amount.currency) };
  if (wire.attributes) to.attributes = attributesOf(wire.attributes, clean);
}

/* One line a member and no loop over names: every access has one shape, which is several times faster. */

function copyTexts(wire: AttemptWire, to: Writable<Attempt>, clean: Cleaner): void {
  if (wire.requestId) to.requestId = clean.name(wire.requestId);
  if (wire.jobId) to.jobId = clean.name(wire.jobId);
  if (wire.parentOperationId) to.parentOperationId = clean.name(wire.parentOperationId);
  if (wire.code) to.code = clean.name(wire.code);
  if (wire.b24Code) to.b24Code = clean.name(wire.b24Code);
  if (isGiven(wire.message)) to.message = clean.text(wire.message);
  if (isGiven(wire.warning)) to.warning = clean.text(wire.warning);
  if (isGiven(wire.dateHeader)) to.dateHeader = clean.text(wire.dateHeader);
}

function copyPlain(wire: AttemptWire, to: Writable<Attempt>): void {
  if (isGiven(wire.headersAt)) to.headersAt = wire.headersAt;
  if (isGiven(wire.endedAt)) to.endedAt = wire.endedAt;
  if (isGiven(wire.outcome)) to.outcome = wire.outcome;
  if (isGiven(wire.statusOrigin)) to.statusOrigin = wire.statusOrigin;
  if (isGiven(wire.retryAfterBody)) to.retryAfterBody = wire.retryAfterBody;
  if (isGiven(wire.abortBy)) to.abortBy = wire.abortBy;
  if (isGiven(wire.plannedDelayMs)) to.plannedDelayMs = wire.plannedDelayMs;
  if (isGiven(wire.reason)) to.reason = wire.reason;
}

function head<T extends string>(type: T, wire: AttemptWire | AttemptStartedWire, clean: Cleaner) {
  return {
    type,
    id: wire.id ?? '',
    operationId: clean.name(wire.operationId),
    attempt: wire.attempt,
    startedAt: wire.startedAt,
    environment: wire.environment ? clean.name(wire.environment) : 'production',
    service: clean.name(wire.service),
    call: clean.name(wire.call),
  };
}

export function normaliseStarted(wire: AttemptStartedWire, clean: Cleaner): AttemptStarted {
  const started: Writable<AttemptStarted> = head('attempt_started', wire, clean);
  copySent(wire, started, clean);
  return started;
}

/** The fact an attempt's event states; `id` is '' where the sender gave none. */
export function normaliseAttempt(wire: AttemptWire, clean: Cleaner): Attempt {
  const attempt: Writable<Attempt> = head('attempt', wire, clean);
  copySent(wire, attempt, clean);
  copyTexts(wire, attempt, clean);
  copyPlain(wire, attempt);
  if (wire.status) attempt.status = wire.status;
  if (wire.firstStatus !== undefined) attempt.firstStatus = wire.firstStatus;
  if (wire.retryAfter !== null && wire.retryAfter !== undefined)
    attempt.retryAfter = [wire.retryAfter].flat().map((line) => clean.text(line));
  if (wire.headers) attempt.headers = headersOf(wire.headers, clean);
  if (wire.bodyErrors) attempt.bodyErrors = wire.bodyErrors.map((code) => clean.text(code));
  if (wire.bodySummary)
    attempt.bodySummary = Object.fromEntries(Object.entries(wire.bodySummary).filter(([, value]) => value !== null));
  if (wire.error) attempt.error = errorOf(wire.error, clean);
  if (wire.batch) attempt.batch = batchOf(wire.batch, clean);
  return attempt;
}
