import { expect } from 'vitest';
import type { AuthRefresh, CauseFixed, JobResult, Tally, WebhookDelivery } from '@/lib/core/attempt';
import { findWith } from '@/lib/core/checks/stream/index';
import type { StreamCheck, StreamFacts, StreamFinding, StreamInput, StreamSend } from '@/lib/core/checks/stream/stream';
import { DEFAULT_SETTINGS, type Settings } from '@/lib/core/operation';
import { T0 } from './event';

/** Judged sends and facts for one stream check, written down directly. Times are ms after `T0`. */

let counter = 0;

/** A GET that failed with 503 after 100 ms, in its own operation. */
export function streamSend(at: number, fields: Partial<StreamSend> = {}): StreamSend {
  counter++;
  const service = fields.service ?? 'orders';
  const startAt = T0 + at;
  return {
    operationId: 'op',
    eventId: `e-${String(counter).padStart(6, '0')}`,
    attempt: 1,
    service,
    clock: `${service}/${fields.instance ?? ''}`,
    call: 'GET /things',
    method: 'GET',
    kind: 'read',
    profile: 'http',
    action: 'retry_with_limit',
    effect: 'none',
    code: 'HTTP_503',
    rule: 'HTTP_503',
    authRefused: false,
    askedMs: null,
    strict: false,
    warned: false,
    replayed: false,
    startAt,
    refAt: startAt + 100,
    endAt: startAt + 100,
    serverKey: null,
    previous: null,
    ...fields,
  };
}

/** The send after `previous` in its operation, `gapMs` after its reference time. */
export function resend(previous: StreamSend, gapMs: number, fields: Partial<StreamSend> = {}): StreamSend {
  const { operationId, instance, service, attempt, policy, profile } = previous;
  const own = { operationId, instance, service, policy, profile, attempt: attempt + 1, previous };
  return streamSend(previous.refAt + gapMs - T0, { ...own, ...fields });
}

interface Given {
  facts?: Partial<StreamFacts>;
  settings?: Partial<Settings>;
  /** ms after `T0`; from the start of 2026 to its end unless told. */
  window?: { from: number; to: number };
  seenFrom?: number;
  heldMs?: number;
}

export const NO_FACTS: StreamFacts = { refreshes: [], fixes: [], deliveries: [], jobs: [], tallies: [] };
const YEAR = { from: -90 * 86_400_000, to: 275 * 86_400_000 };

export function find(check: StreamCheck, sends: readonly StreamSend[], given: Given = {}): StreamFinding[] {
  const { from, to } = given.window ?? YEAR;
  const input: StreamInput = {
    window: { from: T0 + from, to: T0 + to },
    sends,
    facts: { ...NO_FACTS, ...given.facts },
    settings: { ...DEFAULT_SETTINGS, ...given.settings },
    ...(given.seenFrom === undefined ? {} : { seenFrom: T0 + given.seenFrom }),
    ...(given.heldMs === undefined ? {} : { heldMs: given.heldMs }),
  };
  const found = findWith(check, input);
  // What is dropped as lying outside the window was a hit of this check all the same.
  for (const { check: name, at } of check.find(input)) expect([name, typeof at]).toEqual([check.check, 'number']);
  return found;
}

function id(): string {
  counter++;
  return `f-${String(counter).padStart(6, '0')}`;
}

export function refresh(at: number, ok: boolean, fields: Partial<AuthRefresh> = {}): AuthRefresh {
  const own = { type: 'auth_refresh' as const, id: id(), environment: 'production', credential: 'cred' };
  return { ...own, startedAt: T0 + at, ok, ...fields };
}

export function fix(at: number, fields: Partial<CauseFixed> = {}): CauseFixed {
  return { type: 'cause_fixed', id: id(), environment: 'production', startedAt: T0 + at, ...fields };
}

export function delivery(at: number, status: number, fields: Partial<WebhookDelivery> = {}): WebhookDelivery {
  const own = { type: 'webhook_delivery' as const, id: id(), environment: 'production', jobId: 'job', event: 'done' };
  return { ...own, startedAt: T0 + at, status, ...fields };
}

export function jobResult(at: number, result: 'completed' | 'failed', fields: Partial<JobResult> = {}): JobResult {
  const own = { type: 'job_result' as const, id: id(), environment: 'production', operationId: 'op', jobId: 'job' };
  return { ...own, startedAt: T0 + at, result, ...fields };
}

export function tally(minute: number, successes: number, fields: Partial<Tally> = {}): Tally {
  const own = { type: 'tally' as const, id: id(), environment: 'production', service: 'orders', call: 'GET /things' };
  return { ...own, minute: T0 + minute, successes, ...fields };
}
