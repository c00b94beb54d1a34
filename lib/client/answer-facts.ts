import type { AttemptWire } from './wire';

/** Response headers a verdict may read; no other header leaves the process. */
export const HEADER_ALLOW_LIST = [
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
] as const;

export type HeaderFacts = Pick<AttemptWire, 'retryAfter' | 'dateHeader' | 'headers' | 'requestId'>;
/** What a reader of bodies may tell: the built-in one fills the first line, an application's own all of it. */
export type EnvelopeFacts = Pick<
  AttemptWire,
  | ('code' | 'b24Code' | 'message' | 'warning' | 'retryAfterBody' | 'firstStatus')
  | ('jobId' | 'bodyErrors' | 'bodySummary' | 'batch' | 'items')
>;

/** Lower-case name → the header's lines, or undefined. */
export type HeaderReader = (name: string) => string | string[] | undefined;

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** Raw `Retry-After` lines, `Date`, the request id and the allow-listed rest. */
export function readHeaderFacts(read: HeaderReader): HeaderFacts {
  const facts: HeaderFacts = {};
  const retryAfter = read('retry-after');
  const date = first(read('date'));
  const requestId = first(read('x-request-id'));
  if (retryAfter !== undefined) facts.retryAfter = retryAfter;
  if (date !== undefined) facts.dateHeader = date;
  if (requestId !== undefined) facts.requestId = requestId;
  const headers: Record<string, string> = {};
  for (const name of HEADER_ALLOW_LIST) {
    const value = first(read(name));
    if (value !== undefined) headers[name] = value;
  }
  if (Object.keys(headers).length > 0) facts.headers = headers;
  return facts;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function fromErrorObject(error: Record<string, unknown>): EnvelopeFacts {
  const facts: EnvelopeFacts = {};
  const code = text(error.code);
  const b24Code = text(error.b24Code);
  const message = text(error.message);
  const warning = text(error.warning);
  if (code) facts.code = code;
  if (b24Code) facts.b24Code = b24Code;
  if (message) facts.message = message;
  if (warning) facts.warning = warning;
  if (typeof error.retryAfter === 'number') facts.retryAfterBody = error.retryAfter;
  if ('firstStatus' in error && (typeof error.firstStatus === 'number' || error.firstStatus === null)) {
    facts.firstStatus = error.firstStatus;
  }
  return facts;
}

/**
 * Codes and texts of the envelopes we know: `{error: {code, message, …}}` (Vibecode, QuillHub, Bitrix24 REST 3.0)
 * and `{error: "CODE", error_description}` (classic Bitrix24 REST). Nothing else of a body is ever looked at.
 */
export function readEnvelope(body: unknown): EnvelopeFacts {
  if (!isRecord(body)) return {};
  if (isRecord(body.error)) return fromErrorObject(body.error);
  const code = text(body.error);
  if (!code) return {};
  const message = text(body.error_description);
  return message ? { code, message } : { code };
}
