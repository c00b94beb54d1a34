import { readEnvelope, readHeaderFacts, type EnvelopeFacts, type HeaderFacts } from './answer-facts';
import { describeError } from './error-node';
import type { Reporter } from './reporter';
import type { AttemptWire, CallFacts } from './wire';

/**
 * The parts of axios this adapter touches, so that applications bring their own axios.
 * `readback` on a request's config says which operation it is; the rest of the story comes from the interceptors.
 */
export interface AxiosConfigLike {
  url?: string;
  baseURL?: string;
  method?: string;
  timeout?: number;
  readback?: AxiosCall;
}

export interface AxiosCall extends CallFacts {
  /** Kept by the adapter between sends. */
  sends?: number;
  startedAt?: number;
}

interface AxiosResponseLike {
  status: number;
  headers: unknown;
  data: unknown;
  config: AxiosConfigLike;
}

interface Interceptors<T> {
  use(onFulfilled?: ((value: T) => T | Promise<T>) | null, onRejected?: ((error: Error) => unknown) | null): number;
  eject(id: number): void;
}

export interface AxiosLike<C extends AxiosConfigLike, R extends AxiosResponseLike> {
  interceptors: { request: Interceptors<C>; response: Interceptors<R> };
}

export interface AxiosAdapterOptions {
  envelope?: (body: unknown) => EnvelopeFacts;
}

interface AxiosErrorLike {
  code?: unknown;
  config?: AxiosConfigLike;
  response?: AxiosResponseLike;
}

/** axios-retry counts the sends before this one; retry-axios too; neither counts: the adapter does. */
function countSend(config: AxiosConfigLike, call: AxiosCall): number {
  const counters = config as {
    'axios-retry'?: { retryCount?: number };
    raxConfig?: { currentRetryAttempt?: number };
  };
  const library = counters['axios-retry']?.retryCount ?? counters.raxConfig?.currentRetryAttempt;
  return library === undefined ? (call.sends ?? 0) + 1 : library + 1;
}

function readHeaders(headers: unknown): HeaderFacts {
  const bag = (typeof headers === 'object' && headers !== null ? headers : {}) as Record<string, unknown>;
  return readHeaderFacts((name) => {
    const value = bag[name];
    if (typeof value === 'string') return value;
    return Array.isArray(value) ? value.map(String) : undefined;
  });
}

function eventOf(config: AxiosConfigLike, call: AxiosCall): AttemptWire {
  const { sends, startedAt, ...facts } = call;
  const url = new URL(config.url ?? '/', config.baseURL ?? 'http://localhost');
  const attempt = sends ?? 1;
  return {
    target: url.host,
    method: (config.method ?? 'get').toUpperCase(),
    ...facts,
    attempt,
    startedAt: startedAt ?? 0,
    ...(attempt > 1 && { reason: 'retry' as const }),
  };
}

/**
 * ECONNABORTED is a timeout or an abort, and only the clock tells which: axios gives both the same code
 * unless `clarifyTimeoutError` is set.
 */
function timedOut(error: AxiosErrorLike, config: AxiosConfigLike, tookMs: number): boolean {
  if (error.code === 'ETIMEDOUT') return true;
  const limitMs = config.timeout ?? 0;
  return error.code === 'ECONNABORTED' && limitMs > 0 && tookMs >= limitMs - 1;
}

/**
 * Hooks an axios instance. Attach it BEFORE axios-retry: response interceptors run in the order they were added,
 * and axios-retry hides every failure it repeats from those after it.
 * @returns a function that takes the hooks off again
 */
export function attachAxios<C extends AxiosConfigLike, R extends AxiosResponseLike>(
  instance: AxiosLike<C, R>,
  reporter: Reporter,
  options: AxiosAdapterOptions = {},
): () => void {
  const envelope = options.envelope ?? readEnvelope;
  // Hooked after a retrying interceptor, one answer passes by once for every repeat that led to it.
  const told = new WeakSet<AxiosCall>();
  const finish = (config: AxiosConfigLike, rest: Partial<AttemptWire>): void => {
    if (!config.readback || told.has(config.readback)) return;
    told.add(config.readback);
    reporter.report({ ...eventOf(config, config.readback), endedAt: reporter.now(), ...rest });
  };
  const requestId = instance.interceptors.request.use((config) => {
    if (config.readback) {
      config.readback = {
        ...config.readback,
        sends: countSend(config, config.readback),
        startedAt: reporter.now(),
      };
      if (config.readback.kind !== 'read') {
        reporter.report({ ...eventOf(config, config.readback), type: 'attempt_started' });
      }
    }
    return config;
  });
  const answered = (response: R): Partial<AttemptWire> => ({
    status: response.status,
    ...readHeaders(response.headers),
    ...envelope(response.data),
  });
  const responseId = instance.interceptors.response.use(
    (response) => {
      finish(response.config, answered(response));
      return response;
    },
    (thrown: Error) => {
      const error = thrown as AxiosErrorLike & { response?: R };
      const config = error.config;
      if (config) finish(config, failed(error, config, reporter.now(), answered));
      return Promise.reject(thrown);
    },
  );
  return () => {
    instance.interceptors.request.eject(requestId);
    instance.interceptors.response.eject(responseId);
  };
}

/** A refused status is an answer; a success status on an error is a head whose body never came whole. */
function failed<R extends AxiosResponseLike>(
  error: AxiosErrorLike & { response?: R },
  config: AxiosConfigLike,
  now: number,
  answered: (response: R) => Partial<AttemptWire>,
): Partial<AttemptWire> {
  const { response } = error;
  if (response && (response.status < 200 || response.status > 299)) return answered(response);
  const tookMs = now - (config.readback?.startedAt ?? now);
  return {
    ...(response && { status: response.status, ...readHeaders(response.headers) }),
    error: describeError(error),
    ...(timedOut(error, config, tookMs) && { outcome: 'timeout' as const, abortBy: 'per_try' as const }),
  };
}
