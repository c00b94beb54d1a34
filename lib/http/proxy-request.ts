import { request as sendRequest, type Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import { CLIENT_ADDRESS_HEADER, type ClientView } from './client-address';
import { drainRequest } from './drain-request';

export interface ProxyTarget {
  port: number;
  agent: Agent;
  /** Sent along so that the child answers only to us. */
  token: string;
}

export interface ProxyEvents {
  /** Nothing was answered yet and nothing will be: the caller answers. */
  onUnreachable: () => void;
  /** The body is over `bodyBytesMax` and nothing was answered yet: the caller answers. */
  onTooLarge: () => void;
  /** The child refused in words of its own framework, where programs are promised problem+json: the caller answers. */
  onBareRefusal?: (status: number) => void;
}

/** Name of the header that carries {@link ProxyTarget.token}. */
const FRONT_TOKEN_HEADER = 'x-readback-front';

/** RFC 9110 §7.6.1, and what must never come from outside: Next trusts some of these as if it had set them itself. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);
const NOT_FROM_OUTSIDE =
  /^(x-forwarded-.*|forwarded|x-real-ip|x-middleware-.*|x-nextjs-.*|x-next-.*|x-matched-path|x-invoke-.*|x-now-.*|x-vercel-.*|x-nonce|content-security-policy.*|x-readback-.*)$/;

/** Headers for the next hop: end-to-end ones as they came, our own word about the client instead of the client's. */
function forwardedHeaders(request: IncomingMessage, client: ClientView, token: string): string[] {
  const named = listNames(request.headers.connection);
  const headers: string[] = [];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(at, at + 2);
    const lower = name.toLowerCase();
    if (lower === 'host' || HOP_BY_HOP.has(lower) || named.has(lower)) continue;
    // What the browser asks Next's own router for comes through, the rest of the family doesn't.
    if (NOT_FROM_OUTSIDE.test(lower) && lower !== 'x-nextjs-data') continue;
    headers.push(name, value);
  }
  headers.push('Host', client.host, 'X-Forwarded-For', client.address, 'X-Forwarded-Proto', client.protocol);
  headers.push('X-Forwarded-Host', client.host, FRONT_TOKEN_HEADER, token);
  headers.push(CLIENT_ADDRESS_HEADER, client.address);
  return headers;
}

function listNames(value: string | undefined): Set<string> {
  return new Set((value ?? '').split(',').map((name) => name.trim().toLowerCase()));
}

/** Hands a request to the child and streams the answer back; either side's end ends the other. */
export function proxyRequest(
  request: IncomingMessage,
  response: ServerResponse,
  options: { target: ProxyTarget; client: ClientView; bodyBytesMax: number } & ProxyEvents,
): void {
  const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length']) > 0;
  if (Number(request.headers['content-length']) > options.bodyBytesMax) return options.onTooLarge();
  const send = (again: boolean): void => {
    const { port, agent, token } = options.target;
    const headers = forwardedHeaders(request, options.client, token);
    const upstream = sendRequest({
      host: '127.0.0.1',
      port,
      agent,
      method: request.method,
      path: request.url,
      headers,
    });
    let bodyBytes = 0;
    upstream.on('response', (answer) => {
      // What the child has not read of a body stands in the way of whatever comes next on that connection: it is not
      // kept. In the answer's own `end`, before the agent takes the connection back.
      const { socket } = answer;
      if (hasBody) answer.once('end', () => socket.destroy());
      if (!options.onBareRefusal || !isBareRefusal(answer)) return sendBack(answer, response);
      answer.resume();
      if (!response.headersSent && !response.destroyed) options.onBareRefusal(answer.statusCode ?? 502);
    });
    upstream.on('error', () => {
      if (response.headersSent) return void response.destroy();
      // A kept connection that the child closed at the same moment: nothing was read of it, so it's safe once more.
      if (upstream.reusedSocket && !hasBody && !again && !response.destroyed) return send(true);
      if (!response.destroyed) options.onUnreachable();
    });
    response.once('close', () => {
      upstream.destroy();
      if (!hasBody || request.complete || request.destroyed) return;
      // Answered before it was read: nobody takes the rest, and the connection's next request stands behind it.
      request.unpipe(upstream);
      drainRequest(request);
    });
    if (!hasBody) return void upstream.end();
    request.on('data', (chunk: Buffer) => {
      bodyBytes += chunk.length;
      if (bodyBytes <= options.bodyBytesMax) return;
      request.pause();
      if (!response.headersSent) options.onTooLarge();
      upstream.destroy();
    });
    request.on('error', () => upstream.destroy());
    request.pipe(upstream);
  };
  send(false);
}

function isBareRefusal(answer: IncomingMessage): boolean {
  return (
    (answer.statusCode ?? 0) >= 400 && !/^application\/(problem\+)?json/.test(answer.headers['content-type'] ?? '')
  );
}

function sendBack(answer: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent || response.destroyed) return void answer.destroy();
  const named = listNames(answer.headers.connection);
  const headers: string[] = [];
  for (let at = 0; at < answer.rawHeaders.length; at += 2) {
    const [name = '', value = ''] = answer.rawHeaders.slice(at, at + 2);
    const lower = name.toLowerCase();
    if (!HOP_BY_HOP.has(lower) && !named.has(lower)) headers.push(name, value);
  }
  if (!response.shouldKeepAlive) headers.push('Connection', 'close');
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, headers);
  response.flushHeaders();
  answer.on('error', () => response.destroy());
  answer.on('aborted', () => response.destroy());
  answer.pipe(response);
}
