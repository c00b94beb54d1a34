import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PlainRequest, PlainResponse } from './request';

/** Bytes of an unread body that are still taken, so that the sender reads the answer instead of a reset. */
const DRAIN_BYTES_MAX = 12 * 1024 * 1024;
const DRAIN_MS_MAX = 2_000;

function rawValues(message: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  const { rawHeaders } = message;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '');
  return values;
}

/** A `node:http` request as our handlers see it. */
export function fromNode(message: IncomingMessage): PlainRequest {
  const url = message.url ?? '/';
  const mark = url.indexOf('?');
  return {
    method: message.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)),
    header: (name) => {
      const value = message.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    headerValues: (name) => rawValues(message, name),
    // A reader that stops early must not take the connection with it: the answer still has to go out.
    body: { [Symbol.asyncIterator]: () => message.iterator({ destroyOnReturn: false }) },
    remoteAddress: message.socket.remoteAddress ?? '',
    requestId: randomUUID(),
  };
}

/** Sends the answer; what is left of the body is read and thrown away, within bounds. */
export function sendToNode(
  answer: PlainResponse,
  message: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): void {
  if (response.destroyed) return;
  const body = answer.body === null ? null : Buffer.from(answer.body);
  const headers: Record<string, string | number> = { ...answer.headers, 'x-request-id': requestId };
  if (body) headers['content-length'] = body.byteLength;
  response.writeHead(answer.status, headers);
  response.end(message.method === 'HEAD' ? undefined : (body ?? undefined));
  if (!message.complete) drain(message);
}

function drain(message: IncomingMessage): void {
  let bytes = 0;
  const cut = (): void => {
    message.socket.destroy();
  };
  const timer = setTimeout(cut, DRAIN_MS_MAX).unref();
  message.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes > DRAIN_BYTES_MAX) cut();
  });
  message.once('close', () => clearTimeout(timer));
  message.once('end', () => clearTimeout(timer));
  message.resume();
}
