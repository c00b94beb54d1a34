import type { SettingsChange } from '@/lib/core/settings-change';
import type { RecomputeState } from '@/lib/queries/views';
import type { RecomputeResultView, WhatIfResultView } from '@/lib/queries/views';

/** What these screens ask of the API, and every way it can answer. Instants are ISO 8601. */

export interface JobWire {
  id: string;
  mode: 'preview' | 'apply';
  state: RecomputeState;
  done: number;
  total: number;
  requestedBy: string;
  finishedAt: string | null;
  error: string | null;
  preview: WhatIfResultView | null;
  applied: RecomputeResultView | null;
}

export type Refusal =
  | { kind: 'stale' | 'forbidden' | 'signed_out' | 'offline' | 'fault' }
  | { kind: 'invalid'; detail: string }
  /** Not taken; safe to send again after the pause. */
  | { kind: 'busy'; seconds: number }
  /** Another job is in the way. */
  | { kind: 'running'; job: JobWire | null };

export type Answer<Value> = { kind: 'done'; value: Value } | Refusal;

type Wire = Readonly<Record<string, unknown>>;

function isWire(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The API's own JSON: what it says of a job fits its view, but for instants. */
export function readJob(body: unknown): JobWire | null {
  if (!isWire(body) || typeof body['id'] !== 'string' || typeof body['state'] !== 'string') return null;
  const mode = body['mode'] === 'apply' ? 'apply' : 'preview';
  return {
    id: body['id'],
    mode,
    state: body['state'] as RecomputeState,
    done: Number(body['done']) || 0,
    total: Number(body['total']) || 0,
    requestedBy: typeof body['requestedBy'] === 'string' ? body['requestedBy'] : '',
    finishedAt: typeof body['finishedAt'] === 'string' ? body['finishedAt'] : null,
    error: typeof body['error'] === 'string' ? body['error'] : null,
    preview: mode === 'preview' && isWire(body['result']) ? (body['result'] as unknown as WhatIfResultView) : null,
    applied: mode === 'apply' && isWire(body['result']) ? (body['result'] as unknown as RecomputeResultView) : null,
  };
}

const RETRY_SECONDS_DEFAULT = 5;

function readRefusal(answer: Response, body: unknown): Refusal {
  const problem = isWire(body) ? body : {};
  const { status } = answer;
  if (status === 401) return { kind: 'signed_out' };
  if (status === 403 || status === 404) return { kind: 'forbidden' };
  if (problem['code'] === 'already_running') return { kind: 'running', job: readJob(problem['job']) };
  if (status === 409) return { kind: 'stale' };
  if (status === 429 || status === 503) {
    return { kind: 'busy', seconds: Number(answer.headers.get('retry-after')) || RETRY_SECONDS_DEFAULT };
  }
  if (status >= 500) return { kind: 'fault' };
  return { kind: 'invalid', detail: typeof problem['detail'] === 'string' ? problem['detail'] : String(status) };
}

async function ask<Value>(
  slug: string,
  path: string,
  body: unknown,
  read: (body: unknown) => Value | null,
): Promise<Answer<Value>> {
  const answer = await fetch(`/api/v1/${path}?project=${encodeURIComponent(slug)}`, {
    cache: 'no-store',
    ...(body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch(() => null);
  if (!answer) return { kind: 'offline' };
  const parsed: unknown = await answer.json().catch(() => null);
  if (!answer.ok) return readRefusal(answer, parsed);
  const value = read(parsed);
  return value === null ? { kind: 'fault' } : { kind: 'done', value };
}

/** @param version the one its author has looked at; a newer one refuses the change as stale */
export function saveSettings(slug: string, version: number, change: SettingsChange): Promise<Answer<number>> {
  return ask(slug, 'settings', { version, ...change }, (body) =>
    isWire(body) && typeof body['version'] === 'number' ? body['version'] : null,
  );
}

/** @param from ISO 8601; null looks at everything stored */
export function startPreview(slug: string, change: SettingsChange, from: string | null): Promise<Answer<JobWire>> {
  return ask(slug, 'what-if', { ...change, ...(from === null ? {} : { from }) }, readJob);
}

export function startRecompute(slug: string): Promise<Answer<JobWire>> {
  return ask(slug, 'recompute', {}, readJob);
}

export function askJob(slug: string, id: string): Promise<Answer<JobWire>> {
  return ask(slug, `recompute/${encodeURIComponent(id)}`, undefined, readJob);
}

export function cancelJob(slug: string, id: string): Promise<Answer<JobWire>> {
  return ask(slug, `recompute/${encodeURIComponent(id)}/cancel`, {}, readJob);
}
