import { randomBytes } from 'node:crypto';
import { Agent, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fromNode, sendToNode } from '@/lib/http/node-adapter';
import { viewClient, type TrustedProxies } from '@/lib/http/client-address';
import { answerClientError, refuseExpectation, SERVER_OPTIONS } from '@/lib/http/server-options';
import { proxyRequest } from '@/lib/http/proxy-request';
import type { PlainRequest, PlainResponse } from '@/lib/http/request';
import { codeOfStatus, refuseTarget, toOriginForm } from '@/lib/http/request-target';
import { answerWaiting } from '@/lib/http/waiting-page';
import { errorCode, PlainError } from '@/lib/platform/plain-error';
import { problemKind } from '@/lib/platform/problem';
import type { Readiness } from './readiness';

/** Takes the request, or says that it isn't one of its own by returning false. */
export type Taker = (request: IncomingMessage, response: ServerResponse) => boolean;

export type MetricsAnswer = (request: PlainRequest) => Promise<PlainResponse>;

export interface FrontOptions {
  host: string;
  port: number;
  proxies: TrustedProxies;
  /** False for the roles that serve no dashboard: their other paths are 404. */
  servesWeb: boolean;
}

/** The one listener of a process: ingestion is taken here, the dashboard's requests go on to its process. */
export interface Front {
  /** Where it listens in fact. */
  port: number;
  /** Sent to the dashboard's process with every request, so that it answers only to us. */
  token: string;
  setReadiness: (look: () => Promise<Readiness>) => void;
  setIngest: (taker: Taker) => void;
  /** Answers `/metrics`. */
  setMetrics: (answer: MetricsAnswer) => void;
  /** null while the dashboard's process is away. */
  setWebPort: (port: number | null) => void;
  /** Stops accepting and waits until what was accepted is answered; the rest is cut after `patienceMs`. */
  drain: (patienceMs: number) => Promise<void>;
}

/** What the dashboard's own routes take at most; events have their own way and limit. */
const WEB_BODY_BYTES_MAX = 2 * 2 ** 20;
const WEB_RETRY_AFTER_SECONDS = 2;

interface State {
  look: (() => Promise<Readiness>) | null;
  ingest: Taker | null;
  metrics: MetricsAnswer | null;
  webPort: number | null;
  draining: boolean;
}

/**
 * Opens the port at once, so that a wrong one is known before anything else starts; until the parts are set it
 * answers that it is starting.
 * @throws PlainError when the port can't be had
 */
export async function openFront(options: FrontOptions): Promise<Front> {
  const state: State = { look: null, ingest: null, metrics: null, webPort: null, draining: false };
  const token = randomBytes(24).toString('base64url');
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 32 });
  const active = new Set<ServerResponse>();
  const server = createServer(SERVER_OPTIONS);
  server.on('checkExpectation', refuseExpectation);
  server.on('clientError', answerClientError);
  server.on('request', (request, response) => {
    active.add(response);
    response.once('close', () => active.delete(response));
    if (state.draining) response.shouldKeepAlive = false;
    route(request, response, { state, options, token, agent });
  });
  await listen(server, options);
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : options.port,
    token,
    setReadiness: (look) => void (state.look = look),
    setIngest: (taker) => void (state.ingest = taker),
    setMetrics: (answer) => void (state.metrics = answer),
    setWebPort: (port) => void (state.webPort = port),
    drain: async (patienceMs) => {
      state.draining = true;
      for (const response of active) response.shouldKeepAlive = false;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await Promise.race([closed, sleep(patienceMs, undefined, { ref: false })]);
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

function listen(server: Server, { host, port }: FrontOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(toPlain(error, host, port)));
    server.listen({ host, port }, () => resolve());
  });
}

function toPlain(error: Error, host: string, port: number): Error {
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return new PlainError(`Port ${port} is in use: stop the program that has it, or set PORT to a free one.`);
    case 'EACCES':
      return new PlainError(`Port ${port} may not be opened by this user: set PORT to one above 1023.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new PlainError(`This machine has no address ${host}: correct HOST.`);
  }
  return error;
}

interface Routing {
  state: State;
  options: FrontOptions;
  token: string;
  agent: Agent;
}

function route(request: IncomingMessage, response: ServerResponse, routing: Routing): void {
  const { state, options } = routing;
  request.url = toOriginForm(request.url ?? '/');
  const path = request.url.split('?', 1)[0];
  if (path === '/healthz') return sendJson(request, response, { status: 'ok' });
  if (path === '/readyz') return void answerReadiness(request, response, routing);
  if (state.look === null) {
    return answerWaiting(request, response, 'not_ready', { retryAfterSeconds: 2, detail: 'The service is starting.' });
  }
  if (state.ingest?.(request, response)) return;
  if (path === '/metrics' && state.metrics) return answerMetrics(request, response, state.metrics);
  if (!options.servesWeb) {
    return answerWaiting(request, response, 'not_found', { detail: 'This process serves no pages.' });
  }
  passOn(request, response, routing);
}

function answerMetrics(request: IncomingMessage, response: ServerResponse, metrics: MetricsAnswer): void {
  const plain = fromNode(request);
  void metrics(plain).then((answer) => sendToNode(answer, request, response, plain.requestId));
}

function passOn(request: IncomingMessage, response: ServerResponse, { state, options, token, agent }: Routing): void {
  const onUnreachable = (): void =>
    answerWaiting(request, response, 'not_ready', {
      retryAfterSeconds: WEB_RETRY_AFTER_SECONDS,
      detail: 'The dashboard is starting.',
    });
  const onBareRefusal = (status: number): void => {
    const code = codeOfStatus(status);
    answerWaiting(request, response, code, { detail: problemKind(code).title });
  };
  const url = request.url ?? '/';
  const refused = refuseTarget(request.method ?? 'GET', url);
  if (refused) return answerWaiting(request, response, refused.code, { detail: refused.detail });
  if (state.webPort === null) return onUnreachable();
  proxyRequest(request, response, {
    target: { port: state.webPort, agent, token },
    client: viewClient(request, options.proxies),
    bodyBytesMax: WEB_BODY_BYTES_MAX,
    onUnreachable,
    onTooLarge: () =>
      answerWaiting(request, response, 'payload_too_large', { detail: 'At most 2 MiB are taken here.' }),
    ...(url.startsWith('/api/') ? { onBareRefusal } : {}),
  });
}

async function answerReadiness(
  request: IncomingMessage,
  response: ServerResponse,
  { state, options }: Routing,
): Promise<void> {
  const found: Readiness = state.look ? await state.look() : { ready: false, checks: { process: 'starting' } };
  // The dashboard's state is told but doesn't decide: events are taken without it.
  const web = options.servesWeb ? { web: state.webPort === null ? 'starting' : 'ok' } : {};
  const checks = { ...found.checks, ...(state.draining ? { process: 'stopping' } : {}), ...web };
  if (found.ready && !state.draining) return sendJson(request, response, { status: 'ready', checks });
  const wrong = Object.entries(found.checks).filter(([, how]) => how !== 'ok');
  const detail = wrong.map(([what, how]) => `${what}: ${how}`).join('; ') || 'The service is stopping.';
  const code = state.draining ? 'shutting_down' : 'not_ready';
  answerWaiting(request, response, code, { retryAfterSeconds: 1, detail, extra: { checks } });
}

function sendJson(request: IncomingMessage, response: ServerResponse, body: unknown): void {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', 'application/json');
  response.end(request.method === 'HEAD' ? undefined : JSON.stringify(body));
}
