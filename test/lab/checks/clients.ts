import axios, { type AxiosInstance, type AxiosRequestConfig } from 'axios';
import axiosRetry, { type IAxiosRetryConfig } from 'axios-retry';
import got, { type OptionsInit } from 'got';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { attachAxios, gotHooks, wrapFetch, type SendFacts } from '@/lib/client';
import type { EnvelopeFacts } from '@/lib/client/answer-facts';
import type { CallFacts, IdempotencyWire } from '@/lib/client/wire';
import type { Kit } from './kit';

/** The three clients of the check lab. What is done with an answer is the scenario's; what is seen, the hooks'. */

/** What the application means to do. */
export interface Ask extends Omit<Partial<CallFacts>, 'operationId' | 'idempotency'> {
  operationId: string;
  kind: 'read' | 'write';
  method?: string;
  /** Sent as Idempotency-Key and reported as such. */
  key?: string;
  keyMode?: IdempotencyWire['mode'];
  body?: unknown;
  url?: string;
}

/** An envelope as Vibecode and QuillHub send it. */
export function envelope(code: string, extra: Record<string, unknown> = {}): string {
  return JSON.stringify({ success: false, error: { code, message: code.toLowerCase(), ...extra } });
}

export function methodOf(ask: Ask): string {
  return ask.method ?? (ask.kind === 'read' ? 'GET' : 'POST');
}

export function bodyOf(ask: Ask): string {
  return JSON.stringify(ask.body ?? { order: ask.operationId });
}

export function headersOf(ask: Ask): Record<string, string> {
  return {
    'content-type': 'application/json',
    'x-lab-operation': ask.operationId,
    'x-lab-kind': ask.kind,
    ...(ask.key !== undefined && { 'idempotency-key': ask.key }),
  };
}

function urlOf(kit: Kit, ask: Ask): string {
  return ask.url ?? `${kit.server.url}/things`;
}

/** Facts of the call. One loopback address stands for many platforms: each client calls one of its own. */
export function factsOf(kit: Kit, ask: Ask): CallFacts {
  const { key, keyMode, body, method, url, ...told } = ask;
  void body;
  void url;
  const verb = method ?? methodOf(ask);
  return {
    call: `${verb} /things`,
    target: `${kit.name}.test`,
    scope: kit.name,
    profile: 'http',
    fingerprint: createHash('sha256')
      .update(`${verb} /things ${bodyOf(ask)}`)
      .digest('hex'),
    ...told,
    ...(key !== undefined && { idempotency: { key, mode: keyMode ?? 'server' } }),
  };
}

/** What a hand-written loop sees of a send. */
export interface Seen {
  attempt: number;
  /** Null where no whole answer came. */
  status: number | null;
  header: (name: string) => string | null;
  body: unknown;
  /** Milliseconds since the first send began. */
  elapsedMs: number;
}

export interface HandLoop {
  sendsMax: number;
  timeoutMs?: number;
  /** Cuts a send instead of its own time-out. */
  signalOf?: (attempt: number) => Pick<SendFacts, 'abortBy'> & { signal: AbortSignal };
  /** What this send changes in what is asked. */
  change?: (attempt: number) => Partial<Ask>;
  envelope?: (body: unknown) => EnvelopeFacts;
  fetch?: typeof fetch;
  /** Ms until the next send; null gives up. Not asked after a 2xx unless `repeatsSuccess`. */
  waitMs: (seen: Seen) => number | null | Promise<number | null>;
  repeatsSuccess?: boolean;
  reason?: (attempt: number) => SendFacts['reason'];
}

/** Seconds of a Retry-After as milliseconds; null without one. */
export function askedMs({ header }: Seen): number | null {
  const text = header('retry-after');
  return text === null ? null : Number(text) * 1000;
}

export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A `fetch` loop as applications write it. @returns the last send */
export async function sendByHand(kit: Kit, asked: Ask, loop: HandLoop): Promise<Seen> {
  const send = wrapFetch(kit.reporter, { envelope: loop.envelope, fetch: loop.fetch });
  const beganAt = Date.now();
  let planned: number | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const ask = { ...asked, ...loop.change?.(attempt) };
    const cut = loop.signalOf?.(attempt) ?? {
      signal: AbortSignal.timeout(loop.timeoutMs ?? 3_000),
      abortBy: 'per_try' as const,
    };
    const seen: Seen = { attempt, status: null, header: () => null, body: undefined, elapsedMs: 0 };
    const init = {
      method: methodOf(ask),
      headers: headersOf(ask),
      signal: cut.signal,
      ...(ask.kind === 'write' && methodOf(ask) !== 'DELETE' && { body: bodyOf(ask) }),
    };
    const reason = attempt === 1 ? undefined : (loop.reason?.(attempt) ?? ('retry' as const));
    const about = {
      ...factsOf(kit, ask),
      attempt,
      ...(cut.abortBy && { abortBy: cut.abortBy }),
      ...(reason && { reason }),
      ...(planned !== undefined && { plannedDelayMs: planned }),
    };
    try {
      const response = await send(urlOf(kit, ask), init, about);
      const text = await response.text();
      Object.assign(seen, { status: response.status, body: parse(text) });
      seen.header = (name) => response.headers.get(name);
    } catch {
      // What went wrong is in the report; the loop only knows that no answer came.
    }
    seen.elapsedMs = Date.now() - beganAt;
    if (attempt >= loop.sendsMax || (seen.status !== null && seen.status < 300 && !loop.repeatsSuccess)) return seen;
    const waitMs = await loop.waitMs(seen);
    if (waitMs === null) return seen;
    planned = Math.ceil(waitMs);
    if (waitMs > 0) await sleep(waitMs);
  }
}

export interface AxiosSetup {
  retry: IAxiosRetryConfig;
  timeoutMs?: number;
  config?: AxiosRequestConfig;
  envelope?: (body: unknown) => EnvelopeFacts;
  /** Adds interceptors of the application's own, once those of the reporter and of axios-retry are there. */
  prepare?: (instance: AxiosInstance) => void;
  /** Hooks the reporter after axios-retry, which then hides what it repeats. */
  hookedLate?: boolean;
}

export type LabAxiosConfig = AxiosRequestConfig & { readback: CallFacts };

/** axios with axios-retry. @returns the last status, null where no answer came */
export async function sendByAxios(kit: Kit, ask: Ask, setup: AxiosSetup): Promise<number | null> {
  const instance = axios.create({ timeout: setup.timeoutMs ?? 3_000 });
  const hook = (): void => void attachAxios(instance, kit.reporter, { envelope: setup.envelope });
  if (!setup.hookedLate) hook();
  axiosRetry(instance, { shouldResetTimeout: true, ...setup.retry });
  if (setup.hookedLate) hook();
  setup.prepare?.(instance);
  const config: LabAxiosConfig = {
    url: urlOf(kit, ask),
    method: methodOf(ask),
    headers: headersOf(ask),
    readback: factsOf(kit, ask),
    ...(ask.kind === 'write' && { data: bodyOf(ask) }),
    ...setup.config,
  };
  try {
    return (await instance.request(config)).status;
  } catch (error) {
    return axios.isAxiosError(error) ? (error.response?.status ?? null) : null;
  }
}

export type GotSetup = Pick<OptionsInit, 'retry' | 'dnsLookup'> & { timeoutMs?: number };

/** got with its own retrying. */
export async function sendByGot(kit: Kit, ask: Ask, setup: GotSetup): Promise<void> {
  await got(urlOf(kit, ask), {
    method: methodOf(ask) as 'GET' | 'POST',
    headers: headersOf(ask),
    hooks: gotHooks(kit.reporter),
    context: { readback: factsOf(kit, ask) },
    timeout: { request: setup.timeoutMs ?? 3_000 },
    ...(setup.dnsLookup && { dnsLookup: setup.dnsLookup }),
    ...(setup.retry && { retry: setup.retry }),
    ...(ask.kind === 'write' && { body: bodyOf(ask) }),
  }).catch(() => undefined);
}
