import type { Aborter, ResendReason } from '../core/attempt';
import { readEnvelope, readHeaderFacts, type EnvelopeFacts } from './answer-facts';
import { describeError } from './error-node';
import type { Reporter } from './reporter';
import type { AttemptWire, CallFacts } from './wire';

/** What a hand-written loop knows of one send. */
export interface SendFacts extends CallFacts {
  /** 1-based number of this send. */
  attempt: number;
  reason?: ResendReason;
  plannedDelayMs?: number;
  /** Who cuts this send when its signal fires. */
  abortBy?: Aborter;
  /** Set when a success must be JSON: an unreadable one is then reported as `parse_error`. */
  expects?: 'json';
}

export type ReportingFetch = (
  input: string | URL,
  init: RequestInit | undefined,
  about: SendFacts,
) => Promise<Response>;

export interface FetchAdapterOptions {
  fetch?: typeof fetch;
  /** Reads codes out of a body that parsed as JSON. */
  envelope?: (body: unknown) => EnvelopeFacts;
  /** A body nobody reads is reported without its end after this long. */
  unreadBodyMs?: number;
}

const BODY_CHARS_MAX = 65_536;
const UNREAD_BODY_MS = 30_000;

function splitFacts(about: SendFacts): { common: CallFacts & { attempt: number }; end: Partial<AttemptWire> } {
  const { reason, plannedDelayMs, abortBy, expects, ...common } = about;
  void expects;
  void abortBy;
  return { common, end: { ...(reason && { reason }), ...(plannedDelayMs !== undefined && { plannedDelayMs }) } };
}

/** Reports each send once, whatever comes first: the body's end, its failure, its cancelling, or nobody reading it. */
class Send {
  readonly #reporter: Reporter;
  readonly #event: AttemptWire;
  readonly #about: SendFacts;
  readonly #options: FetchAdapterOptions;
  #text = '';
  #reported = false;

  constructor(reporter: Reporter, url: URL, method: string, about: SendFacts, options: FetchAdapterOptions) {
    const { common, end } = splitFacts(about);
    this.#reporter = reporter;
    this.#about = about;
    this.#options = options;
    this.#event = { target: url.host, method, ...common, ...end, startedAt: reporter.now() };
  }

  start(): void {
    if (this.#event.kind === 'read') return;
    const { common } = splitFacts(this.#about);
    const { startedAt, target, method } = this.#event;
    const started = { target, method, ...common, type: 'attempt_started' as const, startedAt };
    this.#reporter.report(started);
  }

  head(response: Response): void {
    this.#event.headersAt = this.#reporter.now();
    this.#event.status = response.status;
    Object.assign(
      this.#event,
      readHeaderFacts((name) => response.headers.get(name) ?? undefined),
    );
  }

  chunk(text: string): void {
    if (this.#text.length < BODY_CHARS_MAX) this.#text += text;
  }

  fail(error: unknown): void {
    this.#event.error = describeError(error);
    if (this.#about.abortBy) this.#event.abortBy = this.#about.abortBy;
    this.report(true);
  }

  end(): void {
    const status = this.#event.status ?? 0;
    let body: unknown;
    let readable = true;
    try {
      body = this.#text === '' ? undefined : JSON.parse(this.#text);
    } catch {
      readable = this.#text.length >= BODY_CHARS_MAX;
    }
    if (this.#about.expects === 'json' && !readable && status >= 200 && status < 300) {
      this.#event.outcome = 'parse_error';
    }
    Object.assign(this.#event, (this.#options.envelope ?? readEnvelope)(body));
    this.report(true);
  }

  report(ended: boolean): void {
    if (this.#reported) return;
    this.#reported = true;
    if (ended) this.#event.endedAt = this.#reporter.now();
    this.#reporter.report(this.#event);
  }
}

/** The same response, its body passing by. `url`, `redirected` and `type` are kept; a clone is observed once. */
function observeBody(response: Response, send: Send, unreadBodyMs: number): Response {
  if (response.body === null) {
    send.end();
    return response;
  }
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const unread = setTimeout(() => send.report(false), unreadBodyMs);
  unread.unref();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          clearTimeout(unread);
          send.end();
          controller.close();
          return;
        }
        send.chunk(decoder.decode(value, { stream: true }));
        controller.enqueue(value);
      } catch (error) {
        clearTimeout(unread);
        send.fail(error);
        controller.error(error);
      }
    },
    async cancel(reason) {
      clearTimeout(unread);
      send.report(false);
      await reader.cancel(reason);
    },
  });
  const { status, statusText, headers } = response;
  const copy = new Response(body, { status, statusText, headers });
  for (const name of ['url', 'redirected', 'type'] as const) {
    Object.defineProperty(copy, name, { value: response[name] });
  }
  return copy;
}

/**
 * `fetch` for hand-written retry loops: the caller says which operation and which send of it this is, the adapter
 * sees head, body's end and errors, and reports. What `fetch` returns or throws is unchanged.
 */
export function wrapFetch(reporter: Reporter, options: FetchAdapterOptions = {}): ReportingFetch {
  const run = options.fetch ?? globalThis.fetch;
  return async (input, init, about) => {
    const method = (init?.method ?? 'GET').toUpperCase();
    const send = new Send(reporter, new URL(input), method, about, options);
    send.start();
    let response: Response;
    try {
      response = await run(input, init);
    } catch (error) {
      send.fail(error);
      throw error;
    }
    send.head(response);
    return observeBody(response, send, options.unreadBodyMs ?? UNREAD_BODY_MS);
  };
}
