import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * One thing a server does with one request. `work` steps change data, and the server writes down that it did;
 * what the client is told is another matter.
 */
export type Step =
  | {
      do: 'answer';
      status: number;
      /** True: the request's own operation; names: the operations whose work is done, items of a batch say. */
      work: boolean | readonly string[];
      headers?: Record<string, string>;
      body?: string;
      lateMs?: number;
      /** Without a request id, as an edge in front of the platform answers. */
      bare?: boolean;
    }
  /** RST, before or after the work. */
  | { do: 'reset'; work: boolean }
  /** Closes the connection politely (FIN) without a word. */
  | { do: 'close'; work: boolean }
  /** Never answers. */
  | { do: 'hang'; work: boolean }
  /** A whole head, then half a body, then nothing. */
  | { do: 'cut'; status: number; work: boolean }
  /** Stops listening to the upload after the first bytes. */
  | { do: 'close_in_upload' }
  /** Retry-After is a date so far from now, written when the request comes. */
  | { do: 'throttle_until'; status: number; inMs: number };

/** What really happened, by the server's own book. */
export interface Effect {
  operationId: string;
  at: number;
}

export interface LabServer {
  readonly url: string;
  readonly effects: Effect[];
  /** Requests seen, by operation. */
  readonly requests: Map<string, number>;
  script(operationId: string, steps: Step[]): void;
  close(): Promise<void>;
}

export interface LabServerOptions {
  /** Does it keep the answer under an Idempotency-Key, as the header's draft asks? */
  honoursKeys: boolean;
  port?: number;
}

/** Answers what was really done under the operation's id, and takes no step of its script. */
export const BOOK_PATH = '/book';

const OK: Step = { do: 'answer', status: 201, work: true };

interface State {
  honoursKeys: boolean;
  scripts: Map<string, Step[]>;
  requests: Map<string, number>;
  effects: Effect[];
  /** Keys under which the work is done. */
  keys: Set<string>;
}

function takeStep(state: State, operationId: string): Step {
  const seen = state.requests.get(operationId) ?? 0;
  state.requests.set(operationId, seen + 1);
  const steps = state.scripts.get(operationId) ?? [OK];
  return steps[Math.min(seen, steps.length - 1)] ?? OK;
}

/** @returns true when the key's work was done before, so that nothing happens now. */
function work(state: State, request: IncomingMessage, operationId: string): boolean {
  const key = request.headers['idempotency-key'];
  if (state.honoursKeys && typeof key === 'string') {
    if (state.keys.has(key)) return true;
    state.keys.add(key);
  }
  if (request.headers['x-lab-kind'] !== 'read') state.effects.push({ operationId, at: Date.now() });
  return false;
}

async function drain(request: IncomingMessage): Promise<void> {
  for await (const chunk of request) void chunk;
}

/** Items have no key of their own: each is done as often as it is asked for. */
function workItems(state: State, items: readonly string[]): false {
  for (const operationId of items) state.effects.push({ operationId, at: Date.now() });
  return false;
}

function performWork(state: State, request: IncomingMessage, operationId: string, step: Step): boolean {
  if (!('work' in step) || step.work === false) return false;
  return step.work === true ? work(state, request, operationId) : workItems(state, step.work);
}

/** What a read-back sees: how often the operation was really done. */
function answerFromBook(state: State, operationId: string, response: ServerResponse): void {
  const entities = state.effects.filter((effect) => effect.operationId === operationId).map(({ at }) => `entity-${at}`);
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ entities }));
}

function answer(response: ServerResponse, step: Extract<Step, { do: 'answer' }>, replayed: boolean): void {
  const body = step.body ?? JSON.stringify(step.status < 400 ? { id: 'entity-1' } : { detail: 'no' });
  const replay: Record<string, string> = replayed ? { 'idempotent-replayed': 'true' } : {};
  response.writeHead(step.status, {
    'content-type': 'application/json',
    ...(!step.bare && { 'x-request-id': `lab-${Math.random().toString(36).slice(2, 10)}` }),
    ...step.headers,
    ...replay,
  });
  response.end(body);
}

async function perform(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const operationId = String(request.headers['x-lab-operation'] ?? '');
  if (request.url === BOOK_PATH) return answerFromBook(state, operationId, response);
  const step = takeStep(state, operationId);
  if (step.do === 'close_in_upload') {
    request.once('data', () => request.socket.destroy());
    return;
  }
  await drain(request);
  const replayed = performWork(state, request, operationId, step);
  switch (step.do) {
    case 'answer':
      if (step.lateMs) await sleep(step.lateMs);
      return answer(response, step, replayed);
    case 'reset':
      request.socket.resetAndDestroy();
      return;
    case 'close':
      request.socket.end();
      return;
    case 'hang':
      return;
    case 'cut':
      response.writeHead(step.status, { 'content-type': 'application/json', 'content-length': '4096' });
      response.write('{"id":"enti');
      await sleep(30);
      request.socket.destroy();
      return;
    case 'throttle_until': {
      // Dates have no milliseconds: early in a second, an honest client is early by less than the tolerance.
      const late = Date.now() % 1000;
      if (late > 400) await sleep(1_005 - late);
      const until = new Date(Date.now() + step.inMs).toUTCString();
      return answer(
        response,
        {
          do: 'answer',
          status: step.status,
          work: false,
          headers: { 'retry-after': until, date: new Date().toUTCString() },
        },
        false,
      );
    }
  }
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** A server on loopback that misbehaves by the book: each operation's requests meet its steps in turn. */
export async function startLabServer(options: LabServerOptions): Promise<LabServer> {
  const state: State = {
    honoursKeys: options.honoursKeys,
    scripts: new Map(),
    requests: new Map(),
    effects: [],
    keys: new Set(),
  };
  const server = createServer((request, response) => {
    perform(state, request, response).catch(() => request.socket.destroy());
  });
  server.on('clientError', (_, socket) => socket.destroy());
  const port = await listen(server, options.port ?? 0);
  return {
    url: `http://127.0.0.1:${port}`,
    effects: state.effects,
    requests: state.requests,
    script: (operationId, steps) => state.scripts.set(operationId, steps),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A loopback port that nobody listens on. */
export async function findClosedPort(): Promise<number> {
  const server = createServer();
  const port = await listen(server, 0);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
