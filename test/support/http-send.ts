import { request } from 'node:http';
import { connect } from 'node:net';

export interface RawAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  json: Record<string, unknown>;
}

function parseJson(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

export interface RawRequest {
  port: number;
  method?: string;
  path: string;
  /** An array sends the header several times. */
  headers: Record<string, string | string[]>;
  body?: string | Buffer;
}

/** One request with exactly these headers, through `node:http`: unlike fetch it sends TRACE and repeated headers. */
export function sendHttp({ port, method = 'POST', path, headers, body }: RawRequest): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, json: parseJson(text) });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Bytes over a bare socket; resolves with all that came back once the other side closed, or after `waitMs`. */
export function sendSocket(port: number, bytes: string | Buffer, waitMs = 3_000): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const timer = setTimeout(() => socket.destroy(), waitMs);
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
  });
}
