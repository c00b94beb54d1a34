import { timeUuid } from '@/lib/platform/ids';

/** Believable attempts, made without randomness so that every run sends the same mix. */

const CALLS = ['crm.deal.add', 'crm.deal.list', 'crm.contact.update', 'tasks.task.add', 'user.get', 'disk.file.upload'];
const SERVICES = ['crm-sync', 'billing', 'importer', 'site-forms'];

const FAILURES: Record<string, unknown>[] = [
  { status: 429, code: 'RATE_LIMITED', message: 'Too many requests', retryAfter: '30' },
  { status: 504, code: 'BITRIX_TIMEOUT', message: 'Gateway timeout' },
  { outcome: 'network_error', error: { name: 'TypeError', message: 'fetch failed', cause: { code: 'ECONNRESET' } } },
  { status: 401, code: 'TOKEN_EXPIRED' },
];

export function benchEvent(serial: number, startedAt: number): Record<string, unknown> {
  const failed = serial % 9 === 0;
  const answer = failed ? FAILURES[(serial / 9) % FAILURES.length] : { status: 200 };
  return {
    id: timeUuid(startedAt),
    operationId: `order-${startedAt}-${serial}`,
    attempt: 1,
    startedAt: new Date(startedAt).toISOString(),
    headersAt: new Date(startedAt + 120).toISOString(),
    endedAt: new Date(startedAt + 140).toISOString(),
    service: SERVICES[serial % SERVICES.length],
    instance: `pod-${serial % 7}`,
    sdk: { name: 'axios', version: '1.21.1' },
    kind: serial % 3 === 0 ? 'read' : 'write',
    call: CALLS[serial % CALLS.length],
    method: 'POST',
    target: 'api.vibecode.example',
    scope: `portal-${serial % 40}`,
    requestId: `req-${serial}-${startedAt}`,
    policy: { maxAttempts: 5, baseMs: 500, capMs: 30_000 },
    ...answer,
  };
}

/** @returns bodies of `size` events each, spread over the hour before `now` in order of time */
export function benchBodies(count: number, size: number, now: number): string[] {
  const stepMs = 3_600_000 / (count * size);
  return Array.from({ length: count }, (_, body) => {
    const events = Array.from({ length: size }, (_unused, place) => {
      const serial = body * size + place;
      return benchEvent(serial, Math.floor(now - 3_600_000 + serial * stepMs));
    });
    return JSON.stringify({ events });
  });
}
