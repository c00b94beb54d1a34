/** Fields of read models that hold instants, epoch ms inside, ISO 8601 UTC with milliseconds outside. */
const INSTANTS: ReadonlySet<string> = new Set([
  'at',
  'openedAt',
  'dueAt',
  'leaseUntil',
  'snoozedUntil',
  'resolvedAt',
  'oldestOpenedAt',
  'doubtSince',
  'doubtUntil',
  'firstAt',
  'lastAt',
  'startedAt',
  'headersAt',
  'endedAt',
  'finishedAt',
  'changedAt',
  'receivedAt',
  'oldestSeen',
  'minute',
  'createdAt',
  'lastUsedAt',
  'revokedAt',
  'incompleteFrom',
  'from',
  'to',
]);

/** What came from outside stays as it came. */
const VERBATIM: ReadonlySet<string> = new Set(['raw', 'attributes', 'headers', 'evidence', 'oldValue', 'newValue']);

const INSTANT_MAX_MS = 8.64e15;

/** A copy in which every known instant is ISO 8601 UTC. */
export function writeInstants(value: unknown, key = ''): unknown {
  if (VERBATIM.has(key)) return value;
  if (typeof value === 'number' && INSTANTS.has(key)) {
    return Math.abs(value) <= INSTANT_MAX_MS ? new Date(value).toISOString() : null;
  }
  if (Array.isArray(value)) return value.map((inner) => writeInstants(inner));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, writeInstants(inner, name)]));
}
