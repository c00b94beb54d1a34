import axios, { type AxiosRequestConfig } from 'axios';
import axiosRetry from 'axios-retry';
import got from 'got';
import { setTimeout as sleep } from 'node:timers/promises';
import { attachAxios, gotHooks, wrapFetch, type Reporter } from '@/lib/client';
import type { Profile, ResendReason } from '@/lib/core/attempt';

export const CLIENTS = ['fetch', 'axios', 'got'] as const;
export type ClientName = (typeof CLIENTS)[number];

/** One operation to drive: what the application means, and how its client was set up. */
export interface LabCall {
  operationId: string;
  url: string;
  kind: 'read' | 'write';
  profile: Profile;
  /** Sent as Idempotency-Key and reported as such. */
  key?: string;
  keyMode?: 'server' | 'none';
  /** A body this long (write only). */
  uploadBytes?: number;
  /** Sends in all. */
  attemptsMax: number;
  timeoutMs: number;
  /** Repeats whatever happened, writes too: what a careless application does. */
  blind: boolean;
  /** Waits this long whatever the server asks; absent = keeps Retry-After. */
  hastyDelayMs?: number;
}

export type Driver = (call: LabCall) => Promise<void>;

/** Short, so that the lab is quick: only what a server asks for may take a second. */
const BACKOFF_MS = 60;

function headersOf(call: LabCall): Record<string, string> {
  return {
    'content-type': 'application/json',
    'x-lab-operation': call.operationId,
    'x-lab-kind': call.kind,
    ...(call.key && { 'idempotency-key': call.key }),
  };
}

function bodyOf(call: LabCall): string {
  return JSON.stringify({ text: 'x'.repeat(call.uploadBytes ?? 10) });
}

function factsOf(call: LabCall) {
  return {
    operationId: call.operationId,
    call: call.kind === 'read' ? 'GET /things' : 'POST /things',
    kind: call.kind,
    profile: call.profile,
    fingerprint: `fp-${call.operationId}`,
    businessKey: `order-${call.operationId}`,
    amount: { value: '10.00', currency: 'EUR' },
    policy: { maxAttempts: call.attemptsMax, deadlineMs: 60_000 },
    ...(call.key && { idempotency: { key: call.key, mode: call.keyMode ?? ('server' as const) } }),
  };
}

/** Seconds or a date; null for everything else. A careful hand loop does as much. */
function readAskedMs(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  if (!/^[A-Z][a-z]{2}, \d{2} /.test(header)) return null;
  return Math.max(0, Date.parse(header) - Date.now());
}

function mayRepeat(call: LabCall, status: number | null): boolean {
  if (status === 429 || status === 503) return true;
  if (call.blind || call.kind === 'read' || call.key !== undefined) return status === null || status >= 500;
  return false;
}

function makeFetchDriver(reporter: Reporter): Driver {
  const send = wrapFetch(reporter);
  return async (call) => {
    let reason: ResendReason | undefined;
    let plannedDelayMs: number | undefined;
    for (let attempt = 1; attempt <= call.attemptsMax; attempt += 1) {
      const about = { ...factsOf(call), attempt, abortBy: 'per_try' as const, expects: 'json' as const };
      let status: number | null;
      let askedMs: number | null = null;
      try {
        const init: RequestInit = {
          method: call.kind === 'read' ? 'GET' : 'POST',
          headers: headersOf(call),
          signal: AbortSignal.timeout(call.timeoutMs),
          ...(call.kind === 'write' && { body: bodyOf(call) }),
        };
        const response = await send(call.url, init, {
          ...about,
          ...(reason && { reason }),
          ...(plannedDelayMs !== undefined && { plannedDelayMs }),
        });
        status = response.status;
        askedMs = readAskedMs(response.headers.get('retry-after'));
        await response.text();
        if (response.ok) return;
      } catch {
        status = null;
      }
      if (!mayRepeat(call, status)) return;
      reason = 'retry';
      plannedDelayMs = Math.ceil(call.hastyDelayMs ?? askedMs ?? Math.random() * BACKOFF_MS * 2 ** attempt);
      if (attempt < call.attemptsMax) await sleep(plannedDelayMs);
    }
  };
}

function makeAxiosDriver(reporter: Reporter): Driver {
  return async (call) => {
    const instance = axios.create({ timeout: call.timeoutMs });
    attachAxios(instance, reporter);
    axiosRetry(instance, {
      retries: call.attemptsMax - 1,
      shouldResetTimeout: true,
      // Its own default repeats reads and network errors known to be safe; a blind one repeats everything.
      ...(call.blind && { retryCondition: () => true }),
      ...(!call.blind && {
        retryCondition: (error) =>
          call.kind === 'write' && error.response
            ? mayRepeat(call, error.response.status)
            : axiosRetry.isNetworkOrIdempotentRequestError(error) || error.response?.status === 429,
      }),
      // exponentialDelay takes the larger of its backoff and the header.
      retryDelay: (count, error) => call.hastyDelayMs ?? axiosRetry.exponentialDelay(count, error, BACKOFF_MS),
    });
    const config: AxiosRequestConfig & { readback: ReturnType<typeof factsOf> } = {
      url: call.url,
      method: call.kind === 'read' ? 'get' : 'post',
      headers: headersOf(call),
      readback: factsOf(call),
      ...(call.kind === 'write' && { data: bodyOf(call) }),
    };
    await instance.request(config).catch(() => undefined);
  };
}

function makeGotDriver(reporter: Reporter): Driver {
  const client = got.extend({ hooks: gotHooks(reporter) });
  return async (call) => {
    const repeated = call.blind || call.kind === 'read' || call.key !== undefined;
    await client(call.url, {
      method: call.kind === 'read' ? 'GET' : 'POST',
      headers: headersOf(call),
      context: { readback: factsOf(call) },
      timeout: { request: call.timeoutMs },
      responseType: 'json',
      ...(call.kind === 'write' && { body: bodyOf(call) }),
      retry: {
        limit: call.attemptsMax - 1,
        methods: ['GET', 'POST'],
        statusCodes: repeated ? [429, 500, 502, 503, 504] : [429, 503],
        errorCodes: repeated ? ['ETIMEDOUT', 'ECONNRESET', 'ECONNREFUSED', 'EPIPE'] : ['ECONNREFUSED'],
        maxRetryAfter: 10_000,
        calculateDelay: ({ computedValue, retryAfter, attemptCount }) => {
          if (computedValue === 0) return 0;
          return call.hastyDelayMs ?? (retryAfter !== undefined ? computedValue : BACKOFF_MS * 2 ** attemptCount);
        },
      },
    }).catch(() => undefined);
  };
}

/** A real client library as an application sets it up, reporting through the adapter written for it. */
export function makeDriver(client: ClientName, reporter: Reporter): Driver {
  switch (client) {
    case 'fetch':
      return makeFetchDriver(reporter);
    case 'axios':
      return makeAxiosDriver(reporter);
    case 'got':
      return makeGotDriver(reporter);
  }
}
