import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorCode } from '../platform/plain-error';
import { problemResponse } from './problem-response';

/** Bounds of every listener of ours: a slow or swollen request ends before it costs anything. */
export const SERVER_OPTIONS: ServerOptions = {
  // Slow headers are answered 408.
  headersTimeout: 10_000,
  requestTimeout: 120_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
};

/** For `checkExpectation`: `100-continue` is Node's own; nothing else can be met. */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const requestId = randomUUID();
  const answer = problemResponse('expectation_failed', { requestId });
  response.writeHead(answer.status, { ...answer.headers, 'x-request-id': requestId }).end(answer.body);
}

/** For `clientError`: what Node's parser refuses is said in the words of every other refusal. */
export function answerClientError(error: Error, socket: Duplex & { _httpMessage?: ServerResponse | null }): void {
  // Half an answer is on its way already: another one would only be read as its rest.
  if (!socket.writable || socket._httpMessage?.headersSent) return void socket.destroy();
  const [status, code] = statusOfParser(errorCode(error));
  const requestId = randomUUID();
  const { headers, body } = problemResponse(code, { requestId });
  const lines = Object.entries({
    ...headers,
    'x-request-id': requestId,
    'content-length': String(Buffer.byteLength(body ?? '')),
  });
  socket.end(
    `HTTP/1.1 ${status}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}connection: close\r\n\r\n${body ?? ''}`,
  );
}

function statusOfParser(code: string | undefined) {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['408 Request Timeout', 'request_timeout'] as const;
    case 'HPE_HEADER_OVERFLOW':
      return ['431 Request Header Fields Too Large', 'headers_too_large'] as const;
    case 'HPE_INVALID_EOF_STATE':
      return ['400 Bad Request', 'incomplete_body'] as const;
    default:
      return ['400 Bad Request', 'invalid_request'] as const;
  }
}
