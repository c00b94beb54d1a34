import { readEnvelope, readHeaderFacts, type EnvelopeFacts } from './answer-facts';
import { describeError } from './error-node';
import type { Reporter } from './reporter';
import type { AttemptWire, CallFacts } from './wire';

/** The parts of got this adapter reads, so that applications bring their own got. */
interface GotOptionsLike {
  url?: string | URL | undefined;
  method?: string;
  context?: Record<string, unknown>;
}

interface GotTimingsLike {
  start?: number;
  response?: number;
  end?: number;
  error?: number;
  abort?: number;
}

interface GotResponseLike {
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
  body?: unknown;
  timings?: GotTimingsLike;
  request: { options: GotOptionsLike };
}

interface GotErrorLike {
  name: string;
  code?: string | undefined;
  timings?: GotTimingsLike | undefined;
  response?: GotResponseLike | undefined;
  request?: { options: GotOptionsLike } | undefined;
  options?: GotOptionsLike | undefined;
}

/** Put it on a request as `context: {readback: …}`. */
export interface GotCall extends CallFacts {
  readonly operationId: string;
}

export interface GotHooks {
  beforeRequest: ((options: GotOptionsLike) => void)[];
  beforeRedirect: ((options: GotOptionsLike, response: GotResponseLike) => void)[];
  beforeRetry: ((error: GotErrorLike) => void)[];
  afterResponse: (<R extends GotResponseLike>(response: R) => R)[];
  beforeError: (<E extends GotErrorLike>(error: E) => E)[];
}

export interface GotAdapterOptions {
  envelope?: (body: unknown) => EnvelopeFacts;
}

/** One operation's sends so far. */
interface Progress {
  sends: number;
  startedAt: number;
  reported: boolean;
  redirected: boolean;
}

function findCall(options: GotOptionsLike | undefined): GotCall | null {
  const call = options?.context?.readback;
  return typeof call === 'object' && call !== null ? (call as GotCall) : null;
}

function parseBody(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

class GotReporting {
  /** Keyed by the caller's own context value, which got hands from send to send. */
  readonly #progress = new WeakMap<GotCall, Progress>();
  readonly #reporter: Reporter;
  readonly #envelope: (body: unknown) => EnvelopeFacts;

  constructor(reporter: Reporter, options: GotAdapterOptions) {
    this.#reporter = reporter;
    this.#envelope = options.envelope ?? readEnvelope;
  }

  started(options: GotOptionsLike): void {
    const call = findCall(options);
    if (!call) return;
    const before = this.#progress.get(call);
    const progress = {
      sends: (before?.sends ?? 0) + 1,
      startedAt: this.#reporter.now(),
      reported: false,
      redirected: before?.redirected ?? false,
    };
    this.#progress.set(call, progress);
    if (call.kind === 'read') return;
    const { sends, startedAt } = progress;
    this.#reporter.report({ ...this.#facts(call, options), type: 'attempt_started', attempt: sends, startedAt });
  }

  answered(response: GotResponseLike, redirected: boolean): void {
    const call = findCall(response.request.options);
    if (!call) return;
    const body = redirected ? {} : this.#envelope(parseBody(response.body));
    this.#report(call, response.request.options, response.timings, { ...this.#head(response), ...body });
    const progress = this.#progress.get(call);
    if (progress) progress.redirected = redirected;
  }

  failed(error: GotErrorLike): void {
    const options = error.request?.options ?? error.options;
    const call = findCall(options);
    if (!call || !options) return;
    // An answer with a bad status went through afterResponse already.
    if (error.code === 'ERR_NON_2XX_3XX_RESPONSE') return;
    const head = error.response ? this.#head(error.response) : {};
    const timings = error.timings ?? error.response?.timings;
    if (error.code === 'ERR_BODY_PARSE_FAILURE') {
      this.#report(call, options, timings, { ...head, outcome: 'parse_error' });
      return;
    }
    const timeout = error.name === 'TimeoutError' ? { outcome: 'timeout' as const, abortBy: 'per_try' as const } : {};
    this.#report(call, options, timings, { ...head, ...timeout, error: describeError(error) });
  }

  #facts(call: GotCall, options: GotOptionsLike): CallFacts & { method: string } {
    const host = options.url ? new URL(options.url).host : undefined;
    return { ...(host && { target: host }), method: (options.method ?? 'GET').toUpperCase(), ...call };
  }

  #head(response: GotResponseLike): Partial<AttemptWire> {
    const headersAt = response.timings?.response;
    return {
      status: response.statusCode,
      ...(headersAt !== undefined && { headersAt }),
      ...readHeaderFacts((name) => response.headers[name]),
    };
  }

  #report(
    call: GotCall,
    options: GotOptionsLike,
    timings: GotTimingsLike | undefined,
    rest: Partial<AttemptWire>,
  ): void {
    const progress = this.#progress.get(call);
    if (!progress || progress.reported) return;
    progress.reported = true;
    const reason = progress.redirected ? ('redirect' as const) : ('retry' as const);
    const event: AttemptWire = {
      ...this.#facts(call, options),
      attempt: progress.sends,
      startedAt: progress.startedAt,
      endedAt: timings?.end ?? timings?.error ?? timings?.abort ?? this.#reporter.now(),
      ...(progress.sends > 1 && { reason }),
      ...rest,
    };
    this.#reporter.report(event);
  }
}

/**
 * Hooks for `got.extend({hooks: gotHooks(reporter)})`. Answers are seen by afterResponse, transport errors by
 * beforeRetry when got repeats them and by beforeError when it does not; got's own timings date them.
 */
export function gotHooks(reporter: Reporter, options: GotAdapterOptions = {}): GotHooks {
  const reporting = new GotReporting(reporter, options);
  return {
    beforeRequest: [(requestOptions) => reporting.started(requestOptions)],
    beforeRedirect: [(_, response) => reporting.answered(response, true)],
    beforeRetry: [(error) => reporting.failed(error)],
    afterResponse: [
      (response) => {
        reporting.answered(response, false);
        return response;
      },
    ],
    beforeError: [
      (error) => {
        reporting.failed(error);
        return error;
      },
    ],
  };
}
