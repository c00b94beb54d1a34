import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http';
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
  const answer = problemResponse('expectation_failed', { requestId: randomUUID() });
  response.writeHead(answer.status, answer.headers).end(answer.body);
}
