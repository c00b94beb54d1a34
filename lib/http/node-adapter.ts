import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { drainRequest } from './drain-request';
import type { PlainRequest, PlainResponse } from './request';

function rawValues(message: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  const { rawHeaders } = message;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '');
  return values;
}

/** A body that is here whole (small ones come with their head) is one chunk, without a stream's machinery around it. */
class NodeBody implements AsyncIterable<Uint8Array> {
  constructor(private readonly message: IncomingMessage) {}

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    const { message } = this;
    const whole = message.readableLength > 0 && String(message.readableLength) === message.headers['content-length'];
    const chunk = whole && !message.destroyed ? (message.read() as Buffer | null) : null;
    // A reader that stops early must not take the connection with it: the answer still has to go out.
    if (!chunk) return message.iterator({ destroyOnReturn: false });
    // Nothing but the end is left, and somebody has to take it.
    message.resume();
    return new OneChunk(chunk);
  }
}

class OneChunk implements AsyncIterator<Uint8Array> {
  private chunk: Uint8Array | null;

  constructor(chunk: Uint8Array) {
    this.chunk = chunk;
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    const { chunk } = this;
    this.chunk = null;
    return Promise.resolve(chunk ? { done: false, value: chunk } : { done: true, value: undefined });
  }
}

/** A class and not closures: one is made for every request. */
class NodeRequest implements PlainRequest {
  readonly method: string;
  readonly path: string;
  readonly body: AsyncIterable<Uint8Array>;
  readonly requestId = randomUUID();
  private readonly search: string;

  constructor(private readonly message: IncomingMessage) {
    const url = message.url ?? '/';
    const mark = url.indexOf('?');
    this.method = message.method ?? 'GET';
    this.path = mark < 0 ? url : url.slice(0, mark);
    this.search = mark < 0 ? '' : url.slice(mark + 1);
    this.body = new NodeBody(message);
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.search);
  }

  get remoteAddress(): string {
    return this.message.socket.remoteAddress ?? '';
  }

  header(name: string): string | undefined {
    const value = this.message.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  headerValues(name: string): string[] {
    return this.message.headers[name] === undefined ? [] : rawValues(this.message, name);
  }
}

/** A `node:http` request as our handlers see it. */
export function fromNode(message: IncomingMessage): PlainRequest {
  return new NodeRequest(message);
}

/** Sends the answer; what is left of the body is read and thrown away, within bounds. */
export function sendToNode(
  answer: PlainResponse,
  message: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): void {
  if (response.destroyed) return;
  const { body } = answer;
  const headers: Record<string, string | number> = { ...answer.headers, 'x-request-id': requestId };
  if (body !== null) headers['content-length'] = Buffer.byteLength(body);
  response.writeHead(answer.status, headers);
  // As text: head and body leave in one write.
  response.end(message.method === 'HEAD' ? undefined : (body ?? undefined));
  if (!message.complete) drainRequest(message);
}
